//! The verdict on one record.

use serde_json::{Map, Value};

use super::asker::{Asker, Query};
use super::lower::{Lowering, premise_index};
use super::reading::Reading;
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
    /// 0-based premises that the proof behind the verdict uses.
    pub used_premises: Option<Vec<u32>>,
    /// JSON object of finite models, by question, where the prover printed any.
    pub models: Option<String>,
    /// What the prover was run for, for the table of times. Answers recalled from other records are not among it.
    pub queries: Vec<Query>,
    /// Whether the run was cancelled, so that this judgement must not be kept.
    pub cancelled: bool,
}

/// Judges the annotations of a record as they were read.
///
/// `record` names saved problems and heads them; the verdict depends on `reading` alone. `stage` tells problems of the
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
        cancelled: false,
    }
}

/// What an answer comes to.
enum Said {
    Decided(Decision, Vec<String>),
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
        let unreadable = reading.unreadable();
        let Some(conclusion) = &reading.conclusion else {
            if unreadable.is_empty() {
                let premises: Vec<&Formula> = reading.premises.iter().flatten().collect();
                if let Said::Undecided(reason) = self.consistency(&premises, lowering) {
                    self.out.reason = Some(format!("undetermined: consistency: {reason}"));
                }
            } else {
                self.out.reason = Some(unparsed(&unreadable));
            }
            return Verdict::Unformalised;
        };
        let Some(conclusion) = conclusion.as_ref().filter(|_| unreadable.is_empty()) else {
            self.out.reason = Some(unparsed(&unreadable));
            return Verdict::Unparsed;
        };
        let premises: Vec<&Formula> = reading.premises.iter().flatten().collect();
        match self.consistency(&premises, lowering) {
            Said::Decided(Decision::Satisfiable, _) => {}
            Said::Decided(Decision::Unsatisfiable, used) => {
                self.out.used_premises = Some(indices(&used));
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
                self.out.used_premises = Some(indices(&used));
                return Verdict::True;
            }
            Said::Decided(Decision::NegationFollows, used) => {
                self.out.used_premises = Some(indices(&used));
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
                self.out.used_premises = Some(indices(&used));
                return Verdict::False;
            }
            Said::Decided(Decision::NegationFollows, used) => {
                self.out.used_premises = Some(indices(&used));
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

    fn consistency(&mut self, premises: &[&Formula], lowering: &Lowering) -> Said {
        let (said, status) = self.ask("consistency", lowering.consistency(premises));
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
            Outcome::Undecided { reason } => {
                self.out.cancelled |= reason == Reason::Cancelled;
                (Said::Undecided(reason), None)
            }
        }
    }

    /// Names a problem and writes the author's words above its statements, for whoever reruns it by hand.
    fn annotate(&self, question: &str, problem: &mut Problem) {
        let record = self.record;
        problem.name = format!("{}-{}-{}-{question}", record.split, record.record_id, self.stage);
        problem.header = vec![format!(
            "{question} of record {} ({}, row {}), text {}",
            record.record_id, record.source.file, record.source.row, self.stage
        )];
        for statement in &mut problem.statements {
            let (sentence, formula) = match premise_index(&statement.name) {
                Some(i) => {
                    let i = i as usize;
                    let matched = record.premises.len() == record.premises_fol.len();
                    (record.premises.get(i).filter(|_| matched), record.premises_fol.get(i))
                }
                None => (Some(&record.conclusion), record.conclusion_fol.as_ref()),
            };
            statement.comments = sentence.into_iter().chain(formula).cloned().collect();
        }
    }
}

fn unparsed(targets: &[crate::diagnostic::Target]) -> String {
    let names: Vec<String> = targets.iter().map(ToString::to_string).collect();
    format!("unparsed: {}", names.join(", "))
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
    use crate::prove::{Attempt, Finding, Identity, Origin, Prover, Run, Schedule, Szs};
    use crate::verify::ReadingOptions;

    /// Gives prepared outcomes in turn and keeps what it was asked.
    struct Script {
        identity: Identity,
        outcomes: Mutex<Vec<Result<Szs, Reason>>>,
        asked: Mutex<Vec<Problem>>,
    }

    impl Prover for Script {
        fn identity(&self) -> &Identity {
            &self.identity
        }

        fn run(&self, problem: &Problem, _attempt: &Attempt, _memory_mb: u64) -> Run {
            self.asked.lock().unwrap().push(problem.clone());
            let outcome = self.outcomes.lock().unwrap().remove(0);
            let proved = matches!(outcome, Ok(Szs::Theorem | Szs::Unsatisfiable));
            let used = if proved { vec!["premise_1".to_owned(), "conclusion".to_owned()] } else { Vec::new() };
            Run {
                outcome: outcome.map(|status| Finding { status, used, proof: None, model: None }),
                wall: Duration::ZERO,
            }
        }
    }

    fn judged(premises: &[&str], conclusion: Option<&str>, outcomes: &[Result<Szs, Reason>]) -> (Judgement, usize) {
        let prover = Script {
            identity: Identity {
                name: "script".to_owned(),
                version: "1".to_owned(),
                origin: Origin::Given,
                sha256: String::new(),
                path: "script".into(),
            },
            outcomes: Mutex::new(outcomes.to_vec()),
            asked: Mutex::default(),
        };
        let attempt = Attempt { name: "only".to_owned(), options: Vec::new(), time_limit: 1.0 };
        let schedule = Schedule { attempts: vec![attempt], memory_mb: 64, retries_after_crash: 0 };
        let premises: Vec<String> = premises.iter().map(|&p| p.to_owned()).collect();
        let reading = Reading::new(&premises, conclusion, ReadingOptions::default());
        let asker = Asker::new(&prover, &schedule, None);
        let judgement = judge(&Record::default(), "original", &reading, &Lowering::default(), &asker);
        let asked = prover.asked.lock().unwrap().len();
        (judgement, asked)
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
}
