//! The verdict on one record.

use serde_json::{Map, Value};

use super::asker::{Asker, Query};
use super::lower::{CONCLUSION, Lowering, NEGATED_CONCLUSION, premise_index};
use super::reading::Reading;
use crate::diagnostic::Target;
use crate::fol::Formula;
use crate::prove::{Answer, Decision, Outcome, Problem, Reason};
use crate::record::{Record, Verdict};

/// What logic makes of one record, and by what evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Why there is no better one: a kebab-case word, then details after a colon.
    pub reason: Option<String>,
    /// SZS status of the premises alone; `None` where it was not asked or not answered.
    pub szs_consistency: Option<String>,
    /// SZS status of premises ⊢ conclusion, likewise.
    pub szs_entails: Option<String>,
    /// SZS status of premises ⊢ ¬conclusion, likewise.
    pub szs_refutes: Option<String>,
    /// 0-based premises that the proof behind the verdict uses; `None` where no proof was printed.
    pub used_premises: Option<Vec<u32>>,
    /// JSON object of finite models, by question, where the prover printed any.
    pub models: Option<String>,
    /// What the prover was run for, for the table of times. Answers recalled from other records are not among it.
    pub queries: Vec<Query>,
}

/// Judges the annotations of a record as they were read.
///
/// `record` names saved problems and heads them; of it the verdict only needs whether there are sentences of premises.
/// Where there are, but no formula of any, nothing is asked: an answer over no premises would say nothing of the
/// record. Where a run is cancelled while it asks, the judgement must not be kept. `stage` tells problems of the
/// text as it came (`original`) from those of the text as it leaves (`mended`).
#[must_use]
pub fn judge(record: &Record, stage: &str, reading: &Reading, lowering: &Lowering, asker: &Asker<'_>) -> Judgement {
    let mut case = Case { record, stage, asker, out: blank(), models: Map::new() };
    case.out.verdict = case.verdict(reading, lowering);
    if !case.models.is_empty() {
        case.out.models = Some(Value::Object(case.models).to_string());
    }
    case.out
}

fn blank() -> Judgement {
    Judgement {
        verdict: Verdict::Undetermined,
        reason: None,
        szs_consistency: None,
        szs_entails: None,
        szs_refutes: None,
        used_premises: None,
        models: None,
        queries: Vec::new(),
    }
}

/// What an answer comes to.
enum Said {
    /// With the names that the proof starts from, where there is a proof.
    Decided(Decision, Option<Vec<String>>),
    Undecided(Reason),
}

struct Case<'a, 'b> {
    record: &'a Record,
    stage: &'a str,
    asker: &'a Asker<'b>,
    out: Judgement,
    models: Map<String, Value>,
}

impl Case<'_, '_> {
    fn verdict(&mut self, reading: &Reading, lowering: &Lowering) -> Verdict {
        if reading.premises.is_empty() && !self.record.premises.is_empty() {
            self.out.reason = Some("unformalised: no premise has a formula".to_owned());
            return Verdict::Unformalised;
        }
        let unreadable = reading.unreadable();
        let Some(conclusion) = &reading.conclusion else {
            if unreadable.is_empty() {
                let premises: Vec<&Formula> = reading.premises.iter().flatten().collect();
                match self.consistency(&premises, None, lowering) {
                    Said::Undecided(reason) => {
                        self.out.reason = Some(format!("undetermined: consistency: {reason}"));
                    }
                    Said::Decided(Decision::Unsatisfiable, used) => {
                        self.out.used_premises = used.as_deref().map(indices);
                        self.out.reason = Some("inconsistent-premises".to_owned());
                    }
                    Said::Decided(..) => {}
                }
            } else {
                self.out.reason = Some(unparsed(&unreadable, reading));
            }
            return Verdict::Unformalised;
        };
        let Some(conclusion) = conclusion.as_ref().filter(|_| unreadable.is_empty()) else {
            self.out.reason = Some(unparsed(&unreadable, reading));
            return Verdict::Unparsed;
        };
        let premises: Vec<&Formula> = reading.premises.iter().flatten().collect();
        match self.consistency(&premises, Some(conclusion), lowering) {
            Said::Decided(Decision::Satisfiable, _) => {}
            Said::Decided(Decision::Unsatisfiable, used) => {
                self.out.used_premises = used.as_deref().map(indices);
                self.out.reason = Some("inconsistent-premises".to_owned());
                return Verdict::Inconsistent;
            }
            Said::Decided(other, _) => {
                return self.undetermined("consistency", &format!("unexpected answer {other:?}"));
            }
            Said::Undecided(reason) => return self.undetermined("consistency", &reason.to_string()),
        }
        let problem = lowering.entailment(&premises, conclusion, false);
        let (entails, status) = self.ask("entails", problem);
        self.out.szs_entails = status;
        let doubt = match entails {
            Said::Decided(Decision::Follows, used) => {
                self.out.used_premises = used.as_deref().map(indices);
                return Verdict::True;
            }
            Said::Decided(Decision::NegationFollows, used) => {
                self.out.used_premises = used.as_deref().map(indices);
                return Verdict::False;
            }
            Said::Decided(Decision::DoesNotFollow, _) => None,
            Said::Decided(other, _) => Some(disagreement(other)),
            Said::Undecided(reason) => Some(reason.to_string()),
        };
        let problem = lowering.entailment(&premises, conclusion, true);
        let (refutes, status) = self.ask("refutes", problem);
        self.out.szs_refutes = status;
        match refutes {
            // A proof of the negation stands by itself, whatever became of the first question.
            Said::Decided(Decision::Follows, used) => {
                self.out.used_premises = used.as_deref().map(indices);
                return Verdict::False;
            }
            Said::Decided(Decision::NegationFollows, used) => {
                self.out.used_premises = used.as_deref().map(indices);
                return Verdict::True;
            }
            Said::Decided(Decision::DoesNotFollow, _) => {}
            Said::Decided(other, _) => return self.undetermined("refutes", &disagreement(other)),
            Said::Undecided(reason) => return self.undetermined("refutes", &reason.to_string()),
        }
        match doubt {
            None => Verdict::Uncertain,
            Some(doubt) => self.undetermined("entails", &doubt),
        }
    }

    fn consistency(&mut self, premises: &[&Formula], conclusion: Option<&Formula>, lowering: &Lowering) -> Said {
        let (said, status) = self.ask("consistency", lowering.consistency(premises, conclusion));
        self.out.szs_consistency = status;
        said
    }

    fn undetermined(&mut self, question: &str, why: &str) -> Verdict {
        self.out.reason = Some(format!("undetermined: {question}: {why}"));
        Verdict::Undetermined
    }

    fn ask(&mut self, question: &str, mut problem: Problem) -> (Said, Option<String>) {
        if self.asker.saves() {
            self.annotate(question, &mut problem);
        }
        let (answer, ran) = self.asker.ask(&problem);
        let Answer { outcome, runs } = answer;
        if ran {
            self.out.queries.push(Query { question: format!("{}-{question}", self.stage), runs });
        }
        match outcome {
            Outcome::Decided { status, decision, used, model, .. } => {
                if let Some(model) = model {
                    self.models.insert(question.to_owned(), Value::String(model));
                }
                (Said::Decided(decision, used), Some(status.to_string()))
            }
            Outcome::Undecided { reason } => (Said::Undecided(reason), None),
        }
    }

    /// Names a problem and writes the author's words above its statements, for whoever reruns it by hand.
    fn annotate(&self, question: &str, problem: &mut Problem) {
        let record = self.record;
        problem.name = problem_name(&record.split, &record.record_id, self.stage, question);
        problem.header = vec![format!(
            "{question} of record {} ({}, row {}), text {}",
            record.record_id, record.source.file, record.source.row, self.stage
        )];
        problem.header.push("To ask again: refolio vampire THIS_FILE".to_owned());
        for statement in &mut problem.statements {
            let (sentence, formula) = match (premise_index(&statement.name), statement.name.as_str()) {
                (Some(i), _) => {
                    let i = i as usize;
                    let matched = record.premises.len() == record.premises_fol.len();
                    (record.premises.get(i).filter(|_| matched), record.premises_fol.get(i))
                }
                (None, CONCLUSION | NEGATED_CONCLUSION) => (Some(&record.conclusion), record.conclusion_fol.as_ref()),
                (None, _) => (None, None),
            };
            statement.comments = sentence.into_iter().chain(formula).cloned().collect();
        }
    }
}

/// The name of a saved problem, another one for each question of a run: stages and questions hold no `-`, and that of a
/// split is written `%2d`, so that the first one ends the split.
fn problem_name(split: &str, record_id: &str, stage: &str, question: &str) -> String {
    let split = split.replace('%', "%25").replace('-', "%2d");
    format!("{split}-{record_id}-{stage}-{question}")
}

/// Which annotations have no reading, and why where it is not a fault of syntax.
fn unparsed(targets: &[Target], reading: &Reading) -> String {
    let name = |target: &Target| match reading.refused.get(target).map(Vec::as_slice) {
        None | Some([]) => target.to_string(),
        Some([variable]) => format!("{target} (free variable {variable})"),
        Some(variables) => format!("{target} (free variables {})", variables.join(", ")),
    };
    format!("unparsed: {}", targets.iter().map(name).collect::<Vec<_>>().join(", "))
}

/// An answer that cannot be: the premises were shown to have a model.
fn disagreement(decision: Decision) -> String {
    format!("disagreement: the premises have a model, but the answer is {decision:?}")
}

/// The premises among the names of axioms, sorted.
fn indices(names: &[String]) -> Vec<u32> {
    let mut out: Vec<u32> = names.iter().filter_map(|n| premise_index(n)).collect();
    out.sort_unstable();
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use super::*;
    use crate::fol::print::tptp::FreeVariables;
    use crate::prove::{Attempt, Finding, Identity, Origin, Prover, Run, Schedule, Szs};
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
            Run {
                outcome: outcome.map(|status| Finding { status, used, proof: None, model: None }),
                wall: Duration::ZERO,
            }
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
        let judgement = judge(record, "original", &reading, &Lowering::default(), &asker);
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
        let case = Case { record: &record, stage: "original", asker: &asker, out: blank(), models: Map::new() };
        let reading = Reading::new(&record.premises_fol, record.conclusion_fol.as_deref(), ReadingOptions::default());
        let premises: Vec<&Formula> = reading.premises.iter().flatten().collect();
        let conclusion = reading.conclusion.as_ref().unwrap().as_ref().unwrap();
        let lowering = Lowering { unique_names: true, ..Lowering::default() };
        for (negated, name) in [(false, "conclusion"), (true, "negated_conclusion")] {
            let mut problem = lowering.entailment(&premises, conclusion, negated);
            case.annotate("entails", &mut problem);
            let said: Vec<_> = problem.statements.iter().map(|s| (s.name.as_str(), s.comments.join(" "))).collect();
            let expected =
                [("premise_0", "A. P(a)".to_owned()), ("unique_names", String::new()), (name, "B. P(b)".to_owned())];
            assert_eq!(said, expected);
        }
    }
}
