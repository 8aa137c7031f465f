//! Rules about rows: within a record, and over all records of a run.

use std::collections::BTreeMap;

use super::{Example, Family, RecordContext, Rule};
use crate::diagnostic::{Diagnostic, Severity, Span, Target};

pub(super) const DUPLICATE: Rule = Rule {
    code: "R201",
    name: "duplicate-record",
    family: Family::Row,
    severity: Severity::Warning,
    summary: "A record with the content of another",
    explanation: "Premises, conclusion and label are those of another record of the run, sentence for sentence and \
        formula for formula. Duplicates count twice in every figure, and across splits they leak the test into the \
        training. Each of them has this finding.",
    examples: &[Example {
        bad: "Baker(ida)\n∴ Baker(ida)\nlabel: True\n---\nBaker(ida)\n∴ Baker(ida)\nlabel: True",
        good: Some("Baker(ida)\n∴ Baker(ida)\nlabel: True\n---\nBaker(ida)\n∴ ¬Baker(ida)\nlabel: False"),
    }],
    fix: None,
};

pub(super) const TWO_LABELS: Rule = Rule {
    code: "R202",
    name: "conflicting-labels",
    family: Family::Row,
    severity: Severity::Warning,
    summary: "The premises and conclusion of another record, with another label",
    explanation: "Premises and conclusion are those of another record of the run, sentence for sentence and formula for \
        formula, and the label is another. At most one of the two can be right.",
    examples: &[Example {
        bad: "Baker(ida)\n∴ Baker(ida)\nlabel: True\n---\nBaker(ida)\n∴ Baker(ida)\nlabel: Uncertain",
        good: Some("Baker(ida)\n∴ Baker(ida)\nlabel: True\n---\nBaker(ida)\n∴ Tall(ida)\nlabel: Uncertain"),
    }],
    fix: None,
};

const REPEATED_SENTENCE: Rule = Rule {
    code: "R203",
    name: "repeated-premise",
    family: Family::Row,
    severity: Severity::Warning,
    summary: "A premise whose sentence is that of an earlier premise",
    explanation: "Two premises of the record have one sentence (without regard to spaces and case). Where their formulas \
        differ, one sentence has two readings; where not, the premise is redundant.",
    examples: &[Example {
        bad: "Ida bakes. ::: Baker(ida)\nIda bakes. ::: Bakes(ida)",
        good: Some("Ida bakes. ::: Baker(ida)\nIda is tall. ::: Tall(ida)"),
    }],
    fix: None,
};

const REPEATED_FORMULA: Rule = Rule {
    code: "R204",
    name: "repeated-premise-formula",
    family: Family::Row,
    severity: Severity::Warning,
    summary: "A premise with another sentence but the formula of an earlier premise",
    explanation: "Two premises of the record have one formula (without regard to spaces and spelling of operators) and \
        different sentences. Either the sentences say the same, or a formula was copied and not changed.",
    examples: &[Example {
        bad: "Ida bakes. ::: Baker(ida)\nIda is tall. ::: Baker(ida)",
        good: Some("Ida bakes. ::: Baker(ida)\nIda is tall. ::: Tall(ida)"),
    }],
    fix: None,
};

const NOTE: Rule = Rule {
    code: "R205",
    name: "annotators-note",
    family: Family::Row,
    severity: Severity::Warning,
    summary: "What seems to be an annotator's note inside a sentence",
    explanation: "The sentence holds a remark that is not part of the text: a single capitalised word with a colon where a \
        sentence starts (`Maria: All plants grow.`) behind another sentence, or words in square brackets. Whoever reads \
        the sentence, a person or a model, reads the remark with it.",
    examples: &[
        Example {
            bad: "If it is a plant, it grows. Maria: All plants grow. ::: ∀x (Plant(x) → Grows(x))",
            good: Some("If it is a plant, it grows. ::: ∀x (Plant(x) → Grows(x))"),
        },
        Example {
            bad: "Plants grow. [please check] ::: ∀x (Plant(x) → Grows(x))",
            good: Some("Plants grow. ::: ∀x (Plant(x) → Grows(x))"),
        },
    ],
    fix: None,
};

const NO_SENTENCE: Rule = Rule {
    code: "R206",
    name: "missing-sentence",
    family: Family::Row,
    severity: Severity::Warning,
    summary: "A formula whose sentence is empty",
    explanation: "The annotation has a formula, and its sentence has no character but white space, so nobody can say whether \
        the formula is right.",
    examples: &[Example { bad: " ::: Baker(ida)", good: Some("Ida bakes. ::: Baker(ida)") }],
    fix: None,
};

const LEFT_OUT: Rule = Rule {
    code: "R207",
    name: "findings-left-out",
    family: Family::Row,
    severity: Severity::Info,
    summary: "A row with more findings than are written",
    explanation: "A row of a refined split holds 1000 findings at most, so that one damaged formula cannot make a row that no \
        file can hold. Beyond that the gravest are written, among equals those that come first, and this finding says \
        how many are not. It is written whatever rules are selected; the counts of the run count every finding, but \
        not this one. `refolio lint --format json` lists them all.",
    examples: &[Example { bad: "a formula with 20 000 operators and no bracket", good: None }],
    fix: None,
};

/// A finding that `count` findings of a row are not written.
#[must_use]
pub(crate) fn left_out(count: usize) -> Diagnostic {
    let findings = if count == 1 { "finding" } else { "findings" };
    LEFT_OUT
        .diagnostic(Target::Row, Span::default(), format!("{count} more {findings} of this row left out"))
        .hint("`refolio lint --format json` lists them all")
}

/// The rules of this family that look at content; those that look at files belong to ingest.
pub static RULES: &[Rule] = &[DUPLICATE, TWO_LABELS, REPEATED_SENTENCE, REPEATED_FORMULA, NOTE, NO_SENTENCE, LEFT_OUT];

/// Looks at one record.
pub fn check(context: &RecordContext<'_>, out: &mut Vec<Diagnostic>) {
    repeated(context, out);
    for (index, sentence) in context.record.premises.iter().enumerate() {
        note(Target::PremiseSentence(index), sentence, out);
    }
    note(Target::ConclusionSentence, &context.record.conclusion, out);
    for annotation in context.annotations() {
        let empty = annotation.sentence.is_some_and(|s| s.trim().is_empty());
        if empty && !annotation.text.trim().is_empty() {
            let target = match annotation.target {
                Target::Premise(i) => Target::PremiseSentence(i),
                _ => Target::ConclusionSentence,
            };
            out.push(NO_SENTENCE.diagnostic(target, Span::at(0), "the sentence is empty, but its formula is not"));
        }
    }
}

fn repeated(context: &RecordContext<'_>, out: &mut Vec<Diagnostic>) {
    let mut told: Vec<usize> = Vec::new();
    let mut sentences: BTreeMap<String, usize> = BTreeMap::new();
    let premises: &[String] = if any_alike(&context.record.premises) { &context.record.premises } else { &[] };
    for (i, sentence) in premises.iter().enumerate() {
        let key = plain(sentence);
        if key.is_empty() {
            continue;
        }
        if let Some(first) = sentences.get(&key) {
            told.push(i);
            out.push(REPEATED_SENTENCE.diagnostic(
                Target::PremiseSentence(i),
                Span::new(0, sentence.len()),
                format!("this sentence stands in premise[{first}] already"),
            ));
        } else {
            sentences.insert(key, i);
        }
    }
    for (i, annotation) in context.premises.iter().enumerate() {
        let Some(formula) = annotation.parsed.reading() else { continue };
        if told.contains(&i) {
            continue;
        }
        let first = context.premises.iter().take(i).position(|other| other.parsed.reading() == Some(formula));
        if let Some(first) = first {
            out.push(
                REPEATED_FORMULA
                    .diagnostic(
                        annotation.target,
                        formula.span,
                        format!("this formula stands in premise[{first}] already, for another sentence"),
                    )
                    .hint("was it copied and not changed?"),
            );
        }
    }
}

/// Whether two sentences may be the same in [`plain`] form. In most records no two are, so this makes no texts.
fn any_alike(sentences: &[String]) -> bool {
    let mut letters: Vec<u64> = sentences.iter().map(|s| letters_key(s)).collect();
    letters.sort_unstable();
    letters.windows(2).any(|pair| pair[0] == pair[1])
}

/// A number that sentences share which are the same in [`plain`] form, and hardly any others: made of the ASCII letters
/// and digits that they have in lower case. FNV-1a.
fn letters_key(sentence: &str) -> u64 {
    let add = |hash: u64, c: char| match u8::try_from(c) {
        Ok(b) if b.is_ascii_alphanumeric() => (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3),
        _ => hash,
    };
    let start = 0xcbf2_9ce4_8422_2325;
    if sentence.is_ascii() {
        sentence.bytes().map(|b| char::from(b.to_ascii_lowercase())).fold(start, add)
    } else {
        sentence.chars().flat_map(char::to_lowercase).fold(start, add)
    }
}

/// Without case, outer spaces and repeated spaces.
fn plain(sentence: &str) -> String {
    sentence.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Words with a colon that texts of their own accord put where a sentence starts.
const LABELS: &[&str] = &["Note", "Example", "Warning", "Fact", "Question", "Answer"];

fn note(target: Target, sentence: &str, out: &mut Vec<Diagnostic>) {
    if let Some(span) = speaker(sentence).or_else(|| remark(sentence)) {
        out.push(NOTE.diagnostic(target, span, format!("`{}` looks like an annotator's note", span.of(sentence))));
    }
}

/// `Name:` behind the end of another sentence, up to the end.
fn speaker(sentence: &str) -> Option<Span> {
    for (colon, _) in sentence.match_indices(':') {
        let before = sentence.get(..colon)?;
        let start = before.rfind(char::is_whitespace).map_or(0, |i| i + 1);
        let name = before.get(start..)?;
        let name_like = name.chars().next().is_some_and(char::is_uppercase)
            && name.chars().count() >= 2
            && name.chars().skip(1).all(char::is_lowercase);
        let lead = before.get(..start)?.trim_end();
        let follows = lead.ends_with(['.', '!', '?']);
        let spoken = sentence.get(colon + 1..)?.starts_with(char::is_whitespace);
        if name_like && follows && spoken && !LABELS.contains(&name) {
            return Some(Span::new(start, sentence.trim_end().len()));
        }
    }
    None
}

/// `[…]` with at least two words, or `(?)`.
fn remark(sentence: &str) -> Option<Span> {
    if sentence.as_bytes().contains(&b'(')
        && let Some(start) = sentence.find("(?)")
    {
        return Some(Span::new(start, start + 3));
    }
    let start = sentence.find('[')?;
    let inside = sentence.get(start + 1..)?;
    let length = inside.find(']')?;
    let words = inside.get(..length)?.split_whitespace().count();
    (words >= 2).then_some(Span::new(start, start + length + 2))
}

/// Names a record by its id and the name of its file, without its place there: that would change with the order of rows.
pub(crate) fn origin_of(record_id: &str, file: &str) -> String {
    if file.is_empty() { format!("record {record_id}") } else { format!("record {record_id} ({file})") }
}
