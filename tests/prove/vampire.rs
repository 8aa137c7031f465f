//! The bundled Vampire, asked as the pipeline asks it.

use std::path::Path;
use std::time::{Duration, Instant};

use refolio::prove::vampire::Vampire;
use refolio::prove::{Attempt, Decision, Origin, Outcome, Problem, Prover as _, Reason, Schedule, Szs, ask, tstp};

use crate::{endless, problem, schedule};

fn vampire() -> Vampire {
    Vampire::bundled(Path::new(env!("CARGO_BIN_EXE_refolio"))).unwrap()
}

/// The default schedule's attempts, each alone.
fn attempts() -> Vec<Schedule> {
    let all = Schedule::default();
    all.attempts.iter().map(|a| Schedule { attempts: vec![a.clone()], ..all.clone() }).collect()
}

const BIRD: &str = "! [X] : (bird(X) => winged(X))";

fn known() -> Vec<(Problem, Szs, Vec<&'static str>)> {
    vec![
        (
            problem(&["fish(nemo)", BIRD, "bird(tweety)"], Some("winged(tweety)")),
            Szs::Theorem,
            vec!["premise_1", "premise_2"],
        ),
        (problem(&[BIRD, "winged(tweety)"], Some("bird(tweety)")), Szs::CounterSatisfiable, vec![]),
        (problem(&["p(a)", "q(a)", "~ p(a)"], Some("r(a)")), Szs::ContradictoryAxioms, vec!["premise_0", "premise_2"]),
        (problem(&["p(a)", "a = b", "~ p(b)"], None), Szs::Unsatisfiable, vec!["premise_0", "premise_1", "premise_2"]),
        (problem(&["? [X] : p(X)", "? [X] : ~ p(X)"], None), Szs::Satisfiable, vec![]),
    ]
}

#[test]
fn the_default_schedule_knows_the_known_answers() {
    let vampire = vampire();
    assert_eq!(vampire.identity().origin, Origin::Bundled);
    assert!(vampire.identity().version.starts_with("Vampire 5.0.0"));
    assert_eq!(vampire.identity().sha256.len(), 64);
    for (problem, expected, premises) in known() {
        let answer = ask(&vampire, &problem, &Schedule::default());
        let Outcome::Decided { status, used, proof, .. } = answer.outcome else { panic!("{answer:?}") };
        let proved = !matches!(expected, Szs::CounterSatisfiable | Szs::Satisfiable);
        let premises = proved.then(|| premises.into_iter().map(Into::into).collect::<Vec<String>>());
        assert_eq!((status, used), (expected, premises));
        assert_eq!(answer.runs.len(), 1);
        assert_eq!(proof.is_some(), proved);
        if let Some(proof) = proof {
            assert!(tstp::steps(&proof).unwrap().len() > 2);
        }
    }
}

#[test]
fn the_portfolios_name_the_premises_too() {
    for schedule in attempts().into_iter().filter(|s| s.attempts[0].name == "portfolio") {
        for (problem, expected, premises) in known() {
            let answer = ask(&vampire(), &problem, &schedule);
            let Outcome::Decided { status, used, .. } = answer.outcome else { panic!("{answer:?}") };
            let proved = !matches!(expected, Szs::CounterSatisfiable | Szs::Satisfiable);
            let premises = proved.then(|| premises.into_iter().map(Into::into).collect::<Vec<String>>());
            assert_eq!((status, used), (expected, premises));
        }
    }
}

#[test]
fn finite_models_are_found_and_shown() {
    let models = attempts().into_iter().filter(|s| s.attempts[0].name.contains("models"));
    let satisfiable = problem(&["? [X] : p(X)", "? [X] : ~ p(X)"], None);
    let mut shown = 0;
    for schedule in models {
        let answer = ask(&vampire(), &satisfiable, &schedule);
        let Outcome::Decided { decision, model, .. } = answer.outcome else { panic!("{answer:?}") };
        assert_eq!(decision, Decision::Satisfiable);
        if schedule.attempts[0].name == "models" {
            assert!(model.unwrap().contains("finite_domain"));
            shown += 1;
        }
    }
    assert_eq!(shown, 1);
}

#[test]
fn the_same_question_has_the_same_answer_to_the_byte() {
    let vampire = vampire();
    for schedule in attempts() {
        for (problem, ..) in known() {
            let first = ask(&vampire, &problem, &schedule).outcome;
            assert_eq!(ask(&vampire, &problem, &schedule).outcome, first, "{}", schedule.attempts[0].name);
        }
    }
}

#[test]
fn time_limits_hold_in_saturation_and_in_model_building() {
    for options in [&["-sa", "discount"][..], &["-sa", "fmb", "-updr", "off"]] {
        let start = Instant::now();
        let answer = ask(&vampire(), &endless(), &schedule(options, 0.4));
        assert_eq!(answer.outcome, Outcome::Undecided { reason: Reason::Timeout }, "{options:?}");
        assert!(start.elapsed() < Duration::from_secs(3), "{:?} {options:?}", start.elapsed());
    }
}

#[test]
fn a_portfolio_runs_out_of_time() {
    let portfolio = Schedule::default().attempts.into_iter().find(|a| a.name == "portfolio-models").unwrap();
    let attempt = Attempt { time_limit: 1.0, ..portfolio };
    let schedule = Schedule { attempts: vec![attempt], ..Schedule::default() };
    let answer = ask(&vampire(), &endless(), &schedule);
    assert_eq!(answer.outcome, Outcome::Undecided { reason: Reason::Timeout });
}

/// A problem on which saturation keeps more clauses than fit into a small memory.
pub(crate) fn hungry() -> Problem {
    problem(
        &[
            "! [X,Y,Z] : f(X,f(Y,Z)) = f(f(X,Y),Z)",
            "! [X] : ? [Y] : (g(X) = f(Y,g(Y)) | h(Y,X) = f(X,Y))",
            "! [X,Y] : (p(X,Y) => (p(g(X),f(X,Y)) & q(h(X,Y),Y) | p(Y,X)))",
            "! [X,Y] : (q(X,Y) | p(f(X,Y),h(Y,X)))",
        ],
        Some("? [X] : (p(X,g(X)) & q(X,h(X,X)) & ~ p(g(X),X) & r(X))"),
    )
}

#[test]
fn a_small_memory_limit_is_a_reason() {
    let schedule = Schedule { memory_mb: 24, ..schedule(&["-sa", "discount"], 10.0) };
    let answer = ask(&vampire(), &hungry(), &schedule);
    assert_eq!(answer.outcome, Outcome::Undecided { reason: Reason::MemoryOut }, "{:?}", answer.runs);
}

#[test]
fn bad_input_and_bad_options_are_input_errors_with_the_provers_words() {
    for (formula, words) in [("p(X) &", "parse error"), ("p(X)", "unquantified variable")] {
        let answer = ask(&vampire(), &problem(&[formula], None), &schedule(&[], 2.0));
        let Outcome::Undecided { reason: Reason::InputError(message) } = &answer.outcome else { panic!("{answer:?}") };
        assert!(message.to_lowercase().contains(words), "{message}");
        assert_eq!(answer.runs.len(), 1);
    }
    let answer = ask(&vampire(), &problem(&["p(a)"], None), &schedule(&["--no_such_option", "on"], 2.0));
    assert!(matches!(answer.outcome, Outcome::Undecided { reason: Reason::InputError(_) }), "{answer:?}");
}

#[test]
fn quoted_names_and_symbols_come_through() {
    let mut quoted = problem(&["'Is A'(a)"], Some("'Is A'(a)"));
    quoted.statements[0].name = "'premise (one), \\'quoted\\''".into();
    let answer = ask(&vampire(), &quoted, &schedule(&[], 2.0));
    // The problem's names are plain words by contract; a proof that names another formula is not believed.
    assert!(matches!(answer.outcome, Outcome::Undecided { reason: Reason::BrokenEvidence(_) }), "{answer:?}");
}
