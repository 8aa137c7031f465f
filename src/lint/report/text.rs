//! Code frames in the manner of rustc.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};

use super::Finding;
use crate::diagnostic::{Applicability, Fix, Severity, Span, Target, gravest};

/// Whether frames carry terminal colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colour {
    /// Plain text.
    #[default]
    Plain,
    /// With ANSI escape codes.
    Ansi,
}

/// Frames for one text of a record, or for the record as a whole, at most.
const MAX_FRAMES: usize = 50;

/// One frame for each finding, with an empty line after each. `width` is the terminal's, in columns. Of more than 50
/// findings about one text the gravest 50 have one, and a line says how many more there are.
#[must_use]
pub fn text(findings: &[Finding], colour: Colour, width: usize) -> String {
    let renderer = match colour {
        Colour::Plain => Renderer::plain(),
        Colour::Ansi => Renderer::styled(),
    };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(width);
    let mut out = String::new();
    let same_text = |a: &Finding, b: &Finding| a.diagnostic.target == b.diagnostic.target && a.shares_record(b);
    for group in findings.chunk_by(same_text) {
        let shown = gravest(group, MAX_FRAMES, |f| f.diagnostic.severity);
        for finding in &shown {
            out.push_str(&frame(finding, &renderer, colour));
            out.push_str("\n\n");
        }
        if let (more @ 1.., Some(first)) = (group.len() - shown.len(), group.first()) {
            out.push_str(&format!("… and {more} more in {}; the format json has them all\n\n", origin(first)));
        }
    }
    out
}

fn frame(finding: &Finding, renderer: &Renderer, colour: Colour) -> String {
    let diagnostic = &finding.diagnostic;
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let message = diagnostic.message.replace(['\n', '\r'], " ");
    let mut group = Group::with_title(level.primary_title(message).id(diagnostic.code));
    if let Some(text) = finding.text.as_deref() {
        let related = diagnostic
            .related
            .iter()
            .filter_map(|(span, label)| Some(AnnotationKind::Context.span(range(*span, text)?).label(label.as_str())));
        let primary = range(diagnostic.span, text).map(|r| AnnotationKind::Primary.span(r));
        group = group.element(snippet(finding, text).annotations(primary).annotations(related));
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(hint.as_str()));
    }
    let mut groups = vec![group];
    if let (Some(fix), Some(text)) = (&diagnostic.fix, finding.text.as_deref()) {
        groups.extend(suggestion(finding, fix, text));
    }
    with_origin(&renderer.render(&groups), finding, colour)
}

/// Puts the origin under the title. The renderer's own origins end in a line and column, which for an annotation inside
/// a serialised row would be those of no file.
fn with_origin(frame: &str, finding: &Finding, colour: Colour) -> String {
    let (title, rest) = frame.split_once('\n').unwrap_or((frame, ""));
    let margin = finding.line.filter(|_| finding.text.is_some()).map_or(0, |l| l.to_string().len());
    let arrow = match colour {
        Colour::Plain => "-->",
        // The renderer's colour of line numbers.
        Colour::Ansi => "\u{1b}[1m\u{1b}[94m-->\u{1b}[0m",
    };
    let origin = format!("{:margin$}{arrow} {}", "", origin(finding));
    if rest.is_empty() { format!("{title}\n{origin}") } else { format!("{title}\n{origin}\n{rest}") }
}

/// File, place, part and record.
fn origin(finding: &Finding) -> String {
    let part = match finding.diagnostic.target {
        Target::Row => String::new(),
        target if finding.record_id.is_empty() => target.to_string(),
        target => format!("{target} of "),
    };
    let record = if finding.record_id.is_empty() { String::new() } else { format!("record {}", finding.record_id) };
    format!("{} {part}{record}", finding.place()).trim_end().to_owned()
}

fn suggestion<'a>(finding: &Finding, fix: &'a Fix, text: &'a str) -> Option<Group<'a>> {
    // A fix that does not fit the text must not be shown as if it did.
    fix.apply(text)?;
    let how = match fix.applicability {
        Applicability::Safe => "safe fix",
        Applicability::Unsafe => "unsafe fix",
        Applicability::DisplayOnly => "not applied by the program",
    };
    let mut patches = snippet(finding, text);
    for edit in &fix.edits {
        patches = patches.patch(Patch::new(edit.span.start..edit.span.end, edit.replacement.as_str()));
    }
    let mut group = Level::HELP.secondary_title(format!("{} ({how})", fix.title)).element(patches);
    for alternative in &fix.alternatives {
        group = group.element(Level::NOTE.message(format!("it could also be `{alternative}`")));
    }
    Some(group)
}

/// The text with the record's line in the margin, where it is known.
fn snippet<'a, T: Clone>(finding: &Finding, text: &'a str) -> Snippet<'a, T> {
    let line = finding.line.and_then(|l| usize::try_from(l).ok());
    Snippet::source(text).line_start(line.unwrap_or(1)).line_numbering(line.is_some())
}

/// The span as a range the renderer can take; `None` where it does not fit the text.
fn range(span: Span, text: &str) -> Option<std::ops::Range<usize>> {
    text.get(span.start..span.end).map(|_| span.start..span.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::report::tests::{many, samples};

    #[test]
    fn frames() {
        insta::assert_snapshot!(text(&samples(), Colour::Plain, 100), @r"
        warning[B101]: `x` is used outside the scope of the quantifier that binds it
          --> train.jsonl:12 premise[3] of record 981
           |
        12 | ∀x (Painter(x)) → Patient(x)
           |  - bound here             ^
           |
           = help: a quantifier binds only the one formula after it
        help: put brackets around it (unsafe fix)
           |
        12 | ∀x ((Painter(x)) → Patient(x))
           |    +                         +

        info[R201]: this is record 7 once more
        --> train.parquet row 4 record 50%
        ");
    }

    #[test]
    fn a_position_at_the_end_and_a_span_that_does_not_fit() {
        let mut findings = samples();
        findings.truncate(1);
        let finding = &mut findings[0];
        let text_len = finding.text.as_ref().unwrap().len();
        finding.line = None;
        finding.diagnostic.related.clear();
        finding.diagnostic.fix = None;
        finding.diagnostic.hint = None;
        finding.diagnostic.span = Span::at(text_len);
        insta::assert_snapshot!(text(&findings, Colour::Plain, 100), @r"
        warning[B101]: `x` is used outside the scope of the quantifier that binds it
        --> train.jsonl row 11 premise[3] of record 981
         |
         | ∀x (Painter(x)) → Patient(x)
         |                             ^
        ");
        findings[0].diagnostic.span = Span::new(1, 2);
        insta::assert_snapshot!(text(&findings, Colour::Plain, 100), @r"
        warning[B101]: `x` is used outside the scope of the quantifier that binds it
        --> train.jsonl row 11 premise[3] of record 981
         |
        ");
    }

    #[test]
    fn of_very_many_findings_about_one_text_the_gravest_are_shown() {
        let out = text(&many(1000), Colour::Plain, 100);
        assert_eq!(out.matches("\nwarning[S101]").count() + usize::from(out.starts_with("warning[S101]")), 99);
        assert_eq!(out.matches("\nerror[S101]: finding 999\n").count(), 1, "the gravest is the last");
        let more: Vec<_> = out.lines().filter(|line| line.starts_with('…')).collect();
        insta::assert_snapshot!(more.join("\n"), @r"
        … and 950 more in  row 0 premise[0] of record 1; the format json has them all
        … and 950 more in  row 0 premise[1] of record 1; the format json has them all
        ");
        assert!(!text(&many(50), Colour::Plain, 100).contains("… and"), "50 are shown in full");
    }

    #[test]
    fn colours_only_on_demand() {
        assert!(text(&samples(), Colour::Ansi, 100).contains('\u{1b}'));
        assert!(!text(&samples(), Colour::Plain, 100).contains('\u{1b}'));
    }
}
