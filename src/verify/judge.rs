//! The verdict on one record.

use serde_json::{Map, Value};

use super::asker::{Asker, Query};
use super::grounder::{Grounded, Grounder};
use super::lower::{CONCLUSION, Lowering, NEGATED_CONCLUSION, premise_index};
use super::reading::Reading;
use super::second::SecondOpinion;
use super::world;
use crate::diagnostic::Target;
use crate::fol::Formula;
use crate::ground::{self, Statement};
use crate::prove::{Answer, Decision, Outcome, Problem, Szs};
use crate::record::{Grade, Proof, Record, Verdict};

/// The signal of a verdict for which two names of the author's have to be one individual's.
pub const IDENTIFIED_NAMES: &str = "verdict-needs-identified-names";

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
    /// 0-based premises that the contradiction behind the verdict needs: by the certificate, of which none can be left
    /// out, else by the prover's proof. `None` where there is neither.
    pub used_premises: Option<Vec<u32>>,
    /// JSON object of the finite models, by question, in which everything was evaluated as read; `None` without any.
    pub models: Option<String>,
    /// What the verdict rests on; `None` where there is none by logic.
    pub evidence: Option<Grade>,
    /// What shows the contradiction that the verdict rests on.
    pub proof: Option<Box<Proof>>,
    /// What is worth knowing of the verdict.
    pub signals: Vec<String>,
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
pub fn judge(record: &Record, stage: &str, reading: &Reading, court: &Court<'_>) -> Judgement {
    let out = Judgement::without_evidence(Verdict::Undetermined, None);
    let mut case = Case { record, stage, court, out, models: Map::new(), saturated: false };
    case.out.verdict = case.verdict(reading);
    if !case.models.is_empty() {
        case.out.models = Some(Value::Object(case.models).to_string());
    }
    case.out
}

/// Who is asked, and how.
pub struct Court<'a> {
    /// How problems are made.
    pub lowering: &'a Lowering,
    /// The prover.
    pub asker: &'a Asker<'a>,
    /// Certificates and models.
    pub grounder: &'a Grounder,
    /// Another prover, if one is to be asked.
    pub second: Option<&'a SecondOpinion<'a>>,
}

impl Judgement {
    /// A verdict for which nobody was asked anything.
    #[must_use]
    pub const fn without_evidence(verdict: Verdict, reason: Option<String>) -> Self {
        Self {
            verdict,
            reason,
            szs_consistency: None,
            szs_entails: None,
            szs_refutes: None,
            used_premises: None,
            models: None,
            evidence: None,
            proof: None,
            signals: Vec::new(),
            queries: Vec::new(),
        }
    }
}

/// What an answer comes to.
enum Said {
    Decided(Decision),
    Undecided(String),
}

/// What the prover says where it proves something.
struct Proved {
    status: String,
    premises: Option<Vec<u32>>,
    derivation: Option<String>,
}

struct Case<'a, 'b> {
    record: &'a Record,
    stage: &'a str,
    court: &'a Court<'b>,
    out: Judgement,
    models: Map<String, Value>,
    /// Whether a question was answered by saturation alone.
    saturated: bool,
}

impl Case<'_, '_> {
    fn verdict(&mut self, reading: &Reading) -> Verdict {
        if reading.premises.is_empty() && !self.record.premises.is_empty() {
            self.out.reason = Some("unformalised: no premise has a formula".to_owned());
            return Verdict::Unformalised;
        }
        let unreadable = reading.unreadable();
        let Some(conclusion) = &reading.conclusion else {
            if unreadable.is_empty() {
                let premises: Vec<&Formula> = reading.premises.iter().flatten().collect();
                match self.consistency(&premises, None) {
                    Said::Undecided(reason) => {
                        self.out.reason = Some(format!("undetermined: consistency: {reason}"));
                    }
                    Said::Decided(Decision::Unsatisfiable) => {
                        self.out.reason = Some("inconsistent-premises".to_owned());
                    }
                    Said::Decided(..) => self.rests_on_models(),
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
        match self.consistency(&premises, Some(conclusion)) {
            Said::Decided(Decision::Satisfiable) => {}
            Said::Decided(Decision::Unsatisfiable) => {
                self.out.reason = Some("inconsistent-premises".to_owned());
                return Verdict::Inconsistent;
            }
            Said::Decided(other) => return self.undetermined("consistency", &format!("unexpected answer {other:?}")),
            Said::Undecided(reason) => return self.undetermined("consistency", &reason),
        }
        let doubt = match self.entailment("entails", &premises, conclusion, false) {
            Said::Decided(Decision::Follows) => return Verdict::True,
            // That the negation follows shows in the answer to the other question.
            Said::Decided(Decision::DoesNotFollow | Decision::NegationFollows) => None,
            Said::Decided(other) => Some(disagreement(other)),
            Said::Undecided(reason) => Some(reason),
        };
        match self.entailment("refutes", &premises, conclusion, true) {
            // A proof of the negation stands by itself, whatever became of the first question.
            Said::Decided(Decision::Follows) => return Verdict::False,
            Said::Decided(Decision::DoesNotFollow) => {}
            Said::Decided(other) => return self.undetermined("refutes", &disagreement(other)),
            Said::Undecided(reason) => return self.undetermined("refutes", &reason),
        }
        match doubt {
            None => {
                self.rests_on_models();
                Verdict::Uncertain
            }
            Some(doubt) => self.undetermined("entails", &doubt),
        }
    }

    fn consistency(&mut self, premises: &[&Formula], conclusion: Option<&Formula>) -> Said {
        let lowering = self.court.lowering;
        let problem = lowering.consistency(premises, conclusion);
        let statements: Vec<Statement<'_>> =
            premises.iter().map(|f| Statement { formula: f, negated: false }).collect();
        let grounded = self.court.grounder.ask_shared(&problem.to_tptp(), &statements, lowering.unique_names);
        let (said, status) = self.ask("consistency", problem, grounded.as_ref());
        self.out.szs_consistency = status;
        said
    }

    /// Whether the conclusion follows, or its negation.
    fn entailment(
        &mut self,
        question: &'static str,
        premises: &[&Formula],
        conclusion: &Formula,
        negated: bool,
    ) -> Said {
        let lowering = self.court.lowering;
        let problem = lowering.entailment(premises, conclusion, negated);
        let mut statements: Vec<Statement<'_>> =
            premises.iter().map(|f| Statement { formula: f, negated: false }).collect();
        // What is to follow is refuted together with the premises.
        statements.push(Statement { formula: conclusion, negated: !negated });
        let grounded = self.court.grounder.ask(&statements, lowering.unique_names);
        let (said, status) = self.ask(question, problem, grounded.as_ref());
        if negated {
            self.out.szs_refutes = status;
        } else {
            self.out.szs_entails = status;
        }
        said
    }

    fn rests_on_models(&mut self) {
        self.out.evidence = Some(if self.saturated { Grade::Saturation } else { Grade::Models });
        let identified = |model: &Value| model["names_distinct"] == Value::Bool(false);
        if self.models.values().any(identified) {
            self.out.signals.push(IDENTIFIED_NAMES.to_owned());
        }
    }

    fn undetermined(&mut self, question: &str, why: &str) -> Verdict {
        self.out.reason = Some(format!("undetermined: {question}: {why}"));
        Verdict::Undetermined
    }

    /// What the prover and the grounding say together. Each may be silent; where both speak they must agree.
    fn ask(
        &mut self,
        question: &'static str,
        mut problem: Problem,
        grounded: Option<&Grounded>,
    ) -> (Said, Option<String>) {
        let asker = self.court.asker;
        if asker.saves() {
            self.annotate(question, &mut problem);
        }
        let (Answer { outcome, runs }, ran) = asker.ask(&problem);
        if ran {
            self.out.queries.push(Query { question: format!("{}-{question}", self.stage), runs });
        }
        let consistency = question == "consistency";
        let grounded = grounded.map(|g| &**g);
        if let Some(Err(defect)) = grounded
            && defect.is_defect()
        {
            return (Said::Undecided(format!("defect: {defect}")), None);
        }
        match (outcome, grounded) {
            (Outcome::Decided { status, decision, used, proof, .. }, grounded) => {
                let proved = matches!(decision, Decision::Follows | Decision::Unsatisfiable);
                let shown = match grounded {
                    Some(Ok(ground::Answer::Contradiction(..))) => Some(true),
                    Some(Ok(ground::Answer::Model(_))) => Some(false),
                    Some(Err(_)) | None => None,
                };
                if shown.is_some_and(|shown| shown != proved) {
                    let other = if proved { "there is a model" } else { "there is a contradiction" };
                    let why = format!("disagreement: the prover says {status}, but {other} by grounding");
                    return (Said::Undecided(why), Some(status.to_string()));
                }
                if proved {
                    let premises = used.as_deref().map(indices);
                    let said = Proved { status: status.to_string(), premises, derivation: proof };
                    if let Err(why) = self.prove(question, &problem, said, grounded) {
                        return (Said::Undecided(why), Some(status.to_string()));
                    }
                } else {
                    self.keep_model(question, grounded);
                }
                (Said::Decided(decision), Some(status.to_string()))
            }
            (Outcome::Undecided { .. }, Some(Ok(ground::Answer::Contradiction(..)))) => {
                let (status, decision) = if consistency {
                    (Szs::Unsatisfiable, Decision::Unsatisfiable)
                } else {
                    (Szs::Theorem, Decision::Follows)
                };
                let said = Proved { status: status.to_string(), premises: None, derivation: None };
                match self.prove(question, &problem, said, grounded) {
                    Ok(()) => (Said::Decided(decision), Some(status.to_string())),
                    Err(why) => (Said::Undecided(why), None),
                }
            }
            (Outcome::Undecided { .. }, Some(Ok(ground::Answer::Model(_)))) => {
                self.keep_model(question, grounded);
                let (status, decision) = if consistency {
                    (Szs::Satisfiable, Decision::Satisfiable)
                } else {
                    (Szs::CounterSatisfiable, Decision::DoesNotFollow)
                };
                (Said::Decided(decision), Some(status.to_string()))
            }
            (Outcome::Undecided { reason }, Some(Err(_)) | None) => (Said::Undecided(reason.to_string()), None),
        }
    }

    fn keep_model(&mut self, question: &str, grounded: Option<&Result<ground::Answer, ground::GiveUp>>) {
        match grounded {
            Some(Ok(ground::Answer::Model(model))) => {
                self.models.insert(question.to_owned(), world::to_json(model));
            }
            _ => self.saturated = true,
        }
    }

    /// Keeps what shows a contradiction, and has it confirmed where that is asked for.
    fn prove(
        &mut self,
        question: &'static str,
        problem: &Problem,
        said: Proved,
        grounded: Option<&Result<ground::Answer, ground::GiveUp>>,
    ) -> Result<(), String> {
        let certificate = match grounded {
            Some(Ok(ground::Answer::Contradiction(certificate, _))) => Some(certificate),
            _ => None,
        };
        let premises = problem.statements.iter().filter_map(|s| premise_index(&s.name)).count();
        let used = match certificate {
            Some(certificate) => Some(
                certificate
                    .statements()
                    .into_iter()
                    .filter(|s| *s < premises)
                    .filter_map(|s| u32::try_from(s).ok())
                    .collect(),
            ),
            None => said.premises,
        };
        let second = self.court.second.filter(|second| second.is_wanted(self.record, certificate.is_some()));
        let opinion = second.map(|second| second.of(problem, used.as_deref()));
        let confirmed = match opinion {
            None => false,
            Some(Ok(confirmed)) => confirmed,
            Some(Err(ref disagreement)) => return Err(disagreement.clone()),
        };
        self.out.evidence = Some(match (certificate, confirmed) {
            (Some(_), _) => Grade::Certificate,
            (None, true) => Grade::ConfirmedProof,
            (None, false) => Grade::Proof,
        });
        self.out.used_premises = used;
        self.out.proof = Some(Box::new(Proof {
            question,
            status: said.status,
            problem: problem.to_tptp(),
            derivation: said.derivation,
            certificate: certificate.and_then(|c| serde_json::to_string(c).ok()),
            second_opinion: opinion.map(|o| if o == Ok(true) { "confirmed" } else { "silent" }.to_owned()),
        }));
        Ok(())
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
mod tests;
