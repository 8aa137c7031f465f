//! E as a second opinion, where it is installed.

use refolio::prove::eprover::EProver;
use refolio::prove::{Decision, Origin, Outcome, Prover as _, Reason, Szs, ask};

use crate::{endless, problem};

/// E, or a printed reason why the test is skipped.
fn eprover() -> Option<EProver> {
    let Ok(path) = which::which("eprover") else {
        #[expect(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("skipped: no `eprover` on PATH");
        }
        return None;
    };
    Some(EProver::new(&path, Origin::System).unwrap())
}

#[test]
fn known_answers_and_used_premises() {
    let Some(e) = eprover() else { return };
    assert!(e.identity().version.starts_with("E "));
    let schedule = EProver::schedule(5.0);
    let bird = "! [X] : (bird(X) => winged(X))";
    let cases = [
        (
            problem(&["fish(nemo)", bird, "bird(tweety)"], Some("winged(tweety)")),
            Szs::Theorem,
            vec!["premise_1", "premise_2"],
        ),
        (problem(&[bird, "winged(tweety)"], Some("bird(tweety)")), Szs::CounterSatisfiable, vec![]),
        (problem(&["p(a)", "q(a)", "~ p(a)"], Some("r(a)")), Szs::ContradictoryAxioms, vec!["premise_0", "premise_2"]),
        (problem(&["p(a)", "a = b", "~ p(b)"], None), Szs::Unsatisfiable, vec!["premise_0", "premise_1", "premise_2"]),
        (problem(&["? [X] : p(X)", "? [X] : ~ p(X)"], None), Szs::Satisfiable, vec![]),
    ];
    for (problem, expected, premises) in cases {
        let answer = ask(&e, &problem, &schedule);
        let Outcome::Decided { status, used, proof, .. } = answer.outcome else { panic!("{answer:?}") };
        let proved = !matches!(expected, Szs::CounterSatisfiable | Szs::Satisfiable);
        let premises = proved.then(|| premises.into_iter().map(Into::into).collect::<Vec<String>>());
        assert_eq!((status, used), (expected, premises));
        assert_eq!(proof.is_some(), proved);
    }
}

#[test]
fn limits_and_bad_input_are_reasons() {
    let Some(e) = eprover() else { return };
    let answer = ask(&e, &endless(), &EProver::schedule(0.5));
    assert_eq!(answer.outcome, Outcome::Undecided { reason: Reason::Timeout });
    let answer = ask(&e, &problem(&["p(X) &"], None), &EProver::schedule(5.0));
    assert!(matches!(answer.outcome, Outcome::Undecided { reason: Reason::InputError(m) } if m.contains("expected")));
    assert_eq!(answer.runs.len(), 1);
}

#[test]
fn a_decision_agrees_with_the_status() {
    let Some(e) = eprover() else { return };
    let answer = ask(&e, &problem(&["p(a)"], Some("p(a)")), &EProver::schedule(5.0));
    assert!(matches!(answer.outcome, Outcome::Decided { decision: Decision::Follows, .. }));
}
