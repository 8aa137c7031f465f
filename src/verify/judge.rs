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
