//! What a person sees of each real fault: code frames, compared with `tests/fixtures/formulas/frames/<slug>.snap`.

use std::fs;
use std::path::Path;

use refolio::diagnostic::Target;
use refolio::lint::report::{Colour, Finding, text};
use refolio::lint::syntax::check_text;

/// Every fixture is shown as a conclusion of its own: the parser's findings, and those about variables.
#[test]
fn every_fixture_has_its_frame() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/formulas");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "fol"))
        .collect();
    files.sort();
    assert!(files.len() > 40, "the fixtures are there");

    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("fixtures/formulas/frames");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for path in files {
            let slug = path.file_stem().unwrap().to_str().unwrap();
            let source = fs::read_to_string(&path).unwrap();
            let formula = source.strip_suffix('\n').unwrap_or(&source);
            let parsed = refolio::fol::parse(formula);
            let mut found = Vec::new();
            check_text(Target::Conclusion, formula, &parsed, refolio::fol::QuantifierScope::Tight, &mut found);
            refolio::lint::binding::check(
                &refolio::lint::Annotation {
                    target: Target::Conclusion,
                    text: formula,
                    parsed: &parsed,
                    sentence: None,
                },
                &mut found,
            );
            assert!(!parsed.has_error() || !found.is_empty(), "{slug}: a fault without a finding");
            let findings: Vec<Finding> = found
                .into_iter()
                .map(|diagnostic| Finding {
                    file: format!("{slug}.fol"),
                    row: 0,
                    line: Some(1),
                    record_id: slug.to_owned(),
                    text: Some(formula.into()),
                    diagnostic,
                })
                .collect();
            let frames =
                if findings.is_empty() { "no findings\n".to_owned() } else { text(&findings, Colour::Plain, 140) };
            insta::assert_snapshot!(slug, frames);
        }
    });
}
