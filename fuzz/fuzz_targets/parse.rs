//! Any text as an annotation: what must hold of every one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use refolio::diagnostic::{Applicability, EditKind, Target};
use refolio::fol::print::tptp::FreeVariables;
use refolio::fol::print::{tptp as print_tptp, unicode};
use refolio::fol::{Formula, QuantifierScope, canonical, parse, parse_with, sample, tptp};
use refolio::lint::syntax;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    for scope in [QuantifierScope::Tight, QuantifierScope::Wide] {
        check(&text, scope);
    }
});

fn check(text: &str, scope: QuantifierScope) {
    let parsed = parse_with(text, scope);
    assert!(parsed.formula.is_some() || parsed.has_error(), "neither a tree nor a reason");
    for issue in &parsed.issues {
        assert!(text.get(issue.span.start..issue.span.end).is_some(), "{issue:?} splits a character");
    }
    if let Some(formula) = parsed.reading() {
        round_trips(formula);
    }

    let mut found = Vec::new();
    syntax::check_text(Target::Conclusion, text, &parsed, scope, &mut found);
    assert_eq!(found.len(), parsed.issues.len());
    for diagnostic in found {
        assert!(text.get(diagnostic.span.start..diagnostic.span.end).is_some(), "{diagnostic:?} splits a character");
        for (span, _) in &diagnostic.related {
            assert!(text.get(span.start..span.end).is_some(), "{diagnostic:?} splits a character");
        }
        let Some(fix) = diagnostic.fix else { continue };
        let after = fix.apply(text).expect("a fix fits its text");
        if fix.applicability != Applicability::Safe {
            continue;
        }
        let again = parse_with(&after, scope);
        if fix.kind == EditKind::Normalise {
            if !parsed.has_error() {
                assert_eq!(again.reading(), parsed.formula.as_ref(), "{text:?} became {after:?}");
            }
        } else {
            assert!(!again.has_error(), "{text:?} became {after:?}: {:?}", again.issues);
            for alternative in &fix.alternatives {
                assert!(parse_with(alternative, scope).reading().is_some(), "{alternative:?} is no alternative");
            }
        }
    }
}

fn round_trips(formula: &Formula) {
    let printed = unicode::print(formula);
    let again = parse(&printed);
    assert_eq!(again.reading(), Some(formula), "printed as {printed:?}: {:?}", again.issues);
    let lowered = print_tptp::print(formula, FreeVariables::Constant);
    assert_eq!(tptp::read(&lowered).as_ref(), Ok(formula), "lowered to {lowered}");
    assert!(lowered.is_ascii());
    // Only that they end and do not panic.
    let _ = canonical::key(formula);
    let _ = sample::signature(formula);
}
