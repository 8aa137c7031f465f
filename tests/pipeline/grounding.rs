//! Two ways to a verdict that share nothing but the parser: Vampire on lowered text, and a SAT solver on the grounded
//! trees, whose models are evaluated.

use refolio::fol::{Formula, parse};
use refolio::ground::{Answer, Statement, decide};

use crate::rows::OutRow;
use crate::{Ran, TRAIN_PART, VALIDATION, published, sample, say};

/// The verdict by grounding alone, in the words of the column; `None` where it needs functions.
fn verdict(premises: &[Formula], conclusion: &Formula) -> Option<&'static str> {
    let premises: Vec<Statement<'_>> = premises.iter().map(|formula| Statement { formula, negated: false }).collect();
    let with = |negated| {
        let statements: Vec<_> = premises.iter().copied().chain([Statement { formula: conclusion, negated }]).collect();
        contradicts(&statements)
    };
    if contradicts(&premises)? {
        return Some("Inconsistent");
    }
    Some(match (with(true)?, with(false)?) {
        (true, _) => "True",
        (_, true) => "False",
        (false, false) => "Uncertain",
    })
}

/// Whether statements contradict each other. A model counts only because `decide` has evaluated it; a contradiction is
/// looked at again here: without any one statement of the core there is a model.
fn contradicts(statements: &[Statement<'_>]) -> Option<bool> {
    match decide(statements, false) {
        Ok(Answer::Model(_)) => Some(false),
        Ok(Answer::Contradiction(certificate, _)) => {
            let core = certificate.statements();
            for left_out in &core {
                let rest: Vec<_> = core.iter().filter(|i| *i != left_out).map(|i| statements[*i]).collect();
                assert!(!matches!(decide(&rest, false), Ok(Answer::Contradiction(..))), "the core is minimal");
            }
            let only: Vec<_> = core.iter().map(|i| statements[*i]).collect();
            assert!(matches!(decide(&only, false), Ok(Answer::Contradiction(..))), "the core contradicts itself");
            Some(true)
        }
        Err(bound) if !bound.is_defect() => None,
        Err(defect) => panic!("{defect}"),
    }
}

fn compare(rows: &[OutRow]) -> (usize, usize) {
    let (mut decided, mut open) = (0, 0);
    for row in rows {
        let said = row.text("verdict");
        let read = |text: &str| parse(text).reading().cloned();
        let premises: Option<Vec<Formula>> = row.texts("premises_fol").iter().map(|t| read(t)).collect();
        let conclusion = row.maybe("conclusion_fol").and_then(read);
        let (Some(premises), Some(conclusion)) = (premises, conclusion) else { continue };
        match verdict(&premises, &conclusion) {
            Some(grounded) => {
                assert_eq!(grounded, said, "{}", row.text("record_id"));
                decided += 1;
            }
            None => {
                say(&format!("left open: {} ({said})", row.text("record_id")));
                open += 1;
            }
        }
    }
    (decided, open)
}

#[test]
fn grounding_and_vampire_agree() {
    let ran = Ran::new(&sample(), |_| ());
    let (decided, open) = compare(&[ran.rows("train"), ran.rows("validation")].concat());
    assert!(decided > 90, "{decided} decided, {open} open");
    for (file, split, least) in [(VALIDATION, "validation", 170), (TRAIN_PART, "train", 490)] {
        let Some(file) = published(file) else { return };
        let (decided, open) = compare(&Ran::new(&[file], |_| ()).rows(split));
        say(&format!("{split}: {decided} rows decided by grounding, {open} left open"));
        assert!(decided >= least, "{decided} decided, {open} open");
    }
}
