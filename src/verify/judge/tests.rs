use std::sync::Mutex;
use std::time::Duration;

use super::*;
use crate::fol::print::tptp::FreeVariables;
use crate::prove::{Attempt, Finding, Identity, Origin, Prover, Reason, Run, Schedule, Szs};
use crate::verify::ReadingOptions;

/// Gives prepared outcomes in turn and keeps what it was asked.
struct Script {
    identity: Identity,
    outcomes: Mutex<Vec<Result<Szs, Reason>>>,
    asked: Mutex<Vec<Problem>>,
    prints_proofs: bool,
}

impl Prover for Script {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn run(&self, problem: &Problem, _attempt: &Attempt, _memory_mb: u64) -> Run {
        self.asked.lock().unwrap().push(problem.clone());
        let outcome = self.outcomes.lock().unwrap().remove(0);
        let proved = matches!(outcome, Ok(Szs::Theorem | Szs::Unsatisfiable));
        let used = (proved && self.prints_proofs).then(|| vec!["premise_1".to_owned(), "conclusion".to_owned()]);
        Run { outcome: outcome.map(|status| Finding { status, used, proof: None, model: None }), wall: Duration::ZERO }
    }
}

fn script(outcomes: &[Result<Szs, Reason>]) -> Script {
    Script {
        identity: Identity {
            name: "script".to_owned(),
            version: "1".to_owned(),
            origin: Origin::Given,
            sha256: String::new(),
            path: "script".into(),
        },
        outcomes: Mutex::new(outcomes.to_vec()),
        asked: Mutex::default(),
        prints_proofs: true,
    }
}

/// The judgement of a record's own annotations, and how many questions it took.
fn judged_record(record: &Record, free: FreeVariables, prover: &Script) -> (Judgement, usize) {
    let attempt = Attempt { name: "only".to_owned(), options: Vec::new(), time_limit: 1.0 };
    let schedule = Schedule { attempts: vec![attempt], memory_mb: 64, retries_after_crash: 0 };
    let options = ReadingOptions { free, ..ReadingOptions::default() };
    let reading = Reading::new(&record.premises_fol, record.conclusion_fol.as_deref(), options);
    let asker = Asker::new(prover, &schedule, None);
    let (lowering, grounder) = (Lowering::default(), Grounder::off());
    let court = Court { lowering: &lowering, asker: &asker, grounder: &grounder, second: None };
    let judgement = judge(record, "original", &reading, &court);
    let asked = prover.asked.lock().unwrap().len();
    (judgement, asked)
}

fn record(premises: &[&str], conclusion: Option<&str>) -> Record {
    Record {
        premises_fol: premises.iter().map(|&p| p.to_owned()).collect(),
        conclusion_fol: conclusion.map(str::to_owned),
        ..Record::default()
    }
}

fn judged(premises: &[&str], conclusion: Option<&str>, outcomes: &[Result<Szs, Reason>]) -> (Judgement, usize) {
    judged_record(&record(premises, conclusion), FreeVariables::Constant, &script(outcomes))
}

fn verdict(outcomes: &[Result<Szs, Reason>]) -> (Verdict, Option<String>) {
    let (judgement, asked) = judged(&["P(a)", "Q(a)"], Some("R(a)"), outcomes);
    assert_eq!(asked, outcomes.len(), "no question more or less than expected");
    (judgement.verdict, judgement.reason)
}

const SAT: Result<Szs, Reason> = Ok(Szs::Satisfiable);
const YES: Result<Szs, Reason> = Ok(Szs::Theorem);
const NO: Result<Szs, Reason> = Ok(Szs::CounterSatisfiable);

#[test]
fn a_proof_ends_the_questions() {
    let (judgement, asked) = judged(&["P(a)", "Q(a)"], Some("R(a)"), &[SAT, YES]);
    assert_eq!((judgement.verdict, asked), (Verdict::True, 2));
    assert_eq!(judgement.used_premises, Some(vec![1]));
    assert_eq!(judgement.szs_refutes, None);
    assert_eq!(verdict(&[SAT, NO, YES]), (Verdict::False, None));
}

#[test]
fn uncertain_needs_both_answers() {
    assert_eq!(verdict(&[SAT, NO, NO]), (Verdict::Uncertain, None));
    for silent in [Reason::Timeout, Reason::GaveUp, Reason::NoStatus, Reason::Crashed("SIGSEGV".to_owned())] {
        let (v, reason) = verdict(&[SAT, NO, Err(silent.clone())]);
        assert_eq!((v, reason), (Verdict::Undetermined, Some(format!("undetermined: refutes: {silent}"))));
        let (v, reason) = verdict(&[SAT, Err(silent.clone()), NO]);
        assert_eq!((v, reason), (Verdict::Undetermined, Some(format!("undetermined: entails: {silent}"))));
        let (v, reason) = verdict(&[Err(silent.clone())]);
        assert_eq!((v, reason), (Verdict::Undetermined, Some(format!("undetermined: consistency: {silent}"))));
    }
}

#[test]
fn a_proof_of_the_negation_needs_no_first_answer() {
    assert_eq!(verdict(&[SAT, Err(Reason::Timeout), YES]), (Verdict::False, None));
}

#[test]
fn contradictory_premises_give_no_label() {
    let (judgement, asked) = judged(&["P(a)", "¬P(a)"], Some("R(a)"), &[Ok(Szs::Unsatisfiable)]);
    assert_eq!((judgement.verdict, asked), (Verdict::Inconsistent, 1));
    assert_eq!(judgement.used_premises, Some(vec![1]));
}

#[test]
fn answers_that_contradict_each_other_are_no_verdict() {
    let (v, reason) = verdict(&[SAT, Ok(Szs::ContradictoryAxioms), Ok(Szs::ContradictoryAxioms)]);
    assert_eq!(v, Verdict::Undetermined);
    assert!(reason.is_some_and(|r| r.contains("disagreement")));
}

#[test]
fn no_formula_of_the_conclusion_still_asks_for_consistency() {
    let (judgement, asked) = judged(&["P(a)"], None, &[SAT]);
    assert_eq!((judgement.verdict, asked), (Verdict::Unformalised, 1));
    assert_eq!(judgement.szs_consistency.as_deref(), Some("Satisfiable"));
    let (judgement, _) = judged(&["P(a)", "¬P(a)"], None, &[Ok(Szs::Unsatisfiable)]);
    assert_eq!(judgement.verdict, Verdict::Unformalised);
    assert_eq!(judgement.reason.as_deref(), Some("inconsistent-premises"));
    let (judgement, _) = judged(&["P(a)"], None, &[Err(Reason::Timeout)]);
    assert_eq!(judgement.reason.as_deref(), Some("undetermined: consistency: timeout"));
}

#[test]
fn text_without_a_reading_is_not_asked_about() {
    let (judgement, asked) = judged(&["P(a", "Q(a)"], Some("R(a"), &[]);
    assert_eq!((judgement.verdict, asked), (Verdict::Unparsed, 0));
    assert_eq!(judgement.reason.as_deref(), Some("unparsed: premise[0], conclusion"));
    let (judgement, asked) = judged(&["P(a"], None, &[]);
    assert_eq!((judgement.verdict, asked), (Verdict::Unformalised, 0));
    assert_eq!(judgement.reason.as_deref(), Some("unparsed: premise[0]"));
}

#[test]
fn a_pair_without_premises_is_a_conclusion_over_none() {
    let (judgement, asked) = judged(&[], Some("P(a) ∨ ¬P(a)"), &[SAT, YES]);
    assert_eq!((judgement.verdict, asked), (Verdict::True, 2));
}

#[test]
fn sentences_without_any_formula_are_no_empty_premises() {
    for conclusion in [Some("P(a)"), Some("P(a) ∨ ¬P(a)"), Some("P(a"), None] {
        let record = Record { premises: vec!["A.".to_owned()], ..record(&[], conclusion) };
        let (judgement, asked) = judged_record(&record, FreeVariables::Constant, &script(&[]));
        assert_eq!((judgement.verdict, asked), (Verdict::Unformalised, 0), "{conclusion:?}");
        assert_eq!(judgement.reason.as_deref(), Some("unformalised: no premise has a formula"));
        assert_eq!(judgement.szs_consistency, None);
    }
    // One formula too few is said by ingest, and is no reason not to ask.
    let record = Record { premises: vec!["A.".to_owned(), "B.".to_owned()], ..record(&["P(a)"], Some("Q(a)")) };
    let (judgement, _) = judged_record(&record, FreeVariables::Constant, &script(&[SAT, NO, NO]));
    assert_eq!(judgement.verdict, Verdict::Uncertain);
}

#[test]
fn a_verdict_without_a_printed_proof_tells_no_premises() {
    for outcomes in [&[Ok(Szs::Unsatisfiable)][..], &[SAT, YES], &[SAT, NO, YES]] {
        let prover = Script { prints_proofs: false, ..script(outcomes) };
        let (judgement, asked) =
            judged_record(&record(&["P(a)", "Q(a)"], Some("R(a)")), FreeVariables::Constant, &prover);
        assert_eq!((judgement.used_premises, asked), (None, outcomes.len()));
    }
}

#[test]
fn refused_free_variables_are_the_reason() {
    let record = record(&["P(x)", "P(a", "∀x P(x)", "R(y, x)"], Some("Q(z)"));
    let (judgement, asked) = judged_record(&record, FreeVariables::Error, &script(&[]));
    assert_eq!((judgement.verdict, asked), (Verdict::Unparsed, 0));
    assert_eq!(
        judgement.reason.as_deref(),
        Some(
            "unparsed: premise[0] (free variable x), premise[1], premise[3] (free variables x, y), conclusion \
             (free variable z)"
        )
    );
}

#[test]
fn problems_of_different_records_have_different_names() {
    assert_eq!(problem_name("train", "12", "mended", "entails"), "train-12-mended-entails");
    assert_eq!(problem_name("v2-train", "a-1", "original", "refutes"), "v2%2dtrain-a-1-original-refutes");
    let parts = ["a", "a-b", "-", "a-", "-b", "b-c", "c", "", "%2d", "a%2db", "%25", "b-original-entails"];
    let mut names = std::collections::BTreeSet::new();
    for split in parts {
        for id in parts {
            for stage in ["original", "mended"] {
                for question in ["consistency", "entails", "refutes"] {
                    assert!(names.insert(problem_name(split, id, stage, question)), "{split} {id}");
                }
            }
        }
    }
}

#[test]
fn the_authors_words_stand_above_their_own_formulas_only() {
    let record =
        Record { premises: vec!["A.".to_owned()], conclusion: "B.".to_owned(), ..record(&["P(a)"], Some("P(b)")) };
    let prover = script(&[]);
    let schedule = Schedule::default();
    let asker = Asker::new(&prover, &schedule, None);
    let (grounder, lowering) = (Grounder::off(), Lowering { unique_names: true, ..Lowering::default() });
    let court = Court { lowering: &lowering, asker: &asker, grounder: &grounder, second: None };
    let case = Case {
        record: &record,
        stage: "original",
        court: &court,
        out: Judgement::without_evidence(Verdict::Undetermined, None),
        models: Map::new(),
        saturated: false,
    };
    let reading = Reading::new(&record.premises_fol, record.conclusion_fol.as_deref(), ReadingOptions::default());
    let premises: Vec<&Formula> = reading.premises.iter().flatten().collect();
    let conclusion = reading.conclusion.as_ref().unwrap().as_ref().unwrap();
    for (negated, name) in [(false, "conclusion"), (true, "negated_conclusion")] {
        let mut problem = lowering.entailment(&premises, conclusion, negated);
        case.annotate("entails", &mut problem);
        let said: Vec<_> = problem.statements.iter().map(|s| (s.name.as_str(), s.comments.join(" "))).collect();
        let expected =
            [("premise_0", "A. P(a)".to_owned()), ("unique_names", String::new()), (name, "B. P(b)".to_owned())];
        assert_eq!(said, expected);
    }
}
