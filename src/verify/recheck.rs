//! Checking a verdict again from what was written of it, without a prover and without trust in whoever wrote it.

use serde_json::Value;

use super::reading::Reading;
use super::world::{self, WorldError};
use crate::fol::Formula;
use crate::fol::model::EvaluationError;
use crate::ground::{self, Certificate, CheckError, Statement};

/// What was written of a row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claim {
    /// The column `verdict`.
    pub verdict: String,
    /// The column `evidence`.
    pub evidence: Option<String>,
    /// The column `used_premises`.
    pub used_premises: Option<Vec<u32>>,
    /// The column `models`.
    pub models: Option<String>,
    /// Question and certificate of the proof that the row points to.
    pub proof: Option<(String, Option<String>)>,
}

/// What came of checking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rechecked {
    /// A certificate shows the verdict.
    Certificate,
    /// Models show it.
    Models,
    /// It rests on a prover's word, which nothing here can confirm.
    ProverOnly,
    /// Logic gave no verdict.
    NoVerdict,
}

impl Rechecked {
    /// Every outcome, in the order of tables.
    pub const ALL: [Self; 4] = [Self::Certificate, Self::Models, Self::ProverOnly, Self::NoVerdict];

    /// In words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Certificate => "by certificate",
            Self::Models => "by models",
            Self::ProverOnly => "by a prover's word only",
            Self::NoVerdict => "without a verdict by logic",
        }
    }
}

/// Why what was written of a row does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecheckError {
    /// An annotation has no reading, though there is a verdict on it.
    #[error("verdict {0}, but {1} has no reading")]
    Unreadable(String, String),
    /// Something that the verdict needs is not there.
    #[error("verdict {verdict} by {evidence}, but there is no {missing}")]
    Missing {
        /// The verdict.
        verdict: String,
        /// What it is said to rest on.
        evidence: String,
        /// What is not there.
        missing: String,
    },
    /// The proof answers another question than the verdict needs.
    #[error("verdict {verdict} needs an answer to `{needed}`, but the proof answers `{found}`")]
    OtherQuestion {
        /// The verdict.
        verdict: String,
        /// The question.
        needed: &'static str,
        /// The question answered.
        found: String,
    },
    /// A certificate or a list of models is not JSON of its form.
    #[error("the {what} cannot be read: {reason}")]
    Form {
        /// `certificate` or `models`.
        what: &'static str,
        /// Why not.
        reason: String,
    },
    /// A model cannot be read.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The certificate shows nothing.
    #[error("the certificate does not hold: {0}")]
    Certificate(#[from] CheckError),
    /// The premises said to be used are not those of the certificate.
    #[error("the premises used are {stated:?}, but the certificate's are {found:?}")]
    OtherPremises {
        /// As the row says.
        stated: Option<Vec<u32>>,
        /// As the certificate says.
        found: Vec<u32>,
    },
    /// A model does not make a statement true.
    #[error("in the model of `{question}`, {statement} is not as it must be")]
    NotAModel {
        /// The question.
        question: &'static str,
        /// `premise[3]` or `conclusion`.
        statement: String,
    },
    /// A model does not settle a statement.
    #[error("the model of `{question}` does not settle {statement}: {reason}")]
    Unsettled {
        /// The question.
        question: &'static str,
        /// `premise[3]` or `conclusion`.
        statement: String,
        /// Why not.
        reason: EvaluationError,
    },
    /// Names of one individual where the settings take them to be different ones'.
    #[error("the model of `{0}` gives one individual two names")]
    SharedName(&'static str),
}

/// Checks what was written of a row against its formulas.
///
/// # Errors
/// Where it does not hold.
pub fn recheck(claim: &Claim, reading: &Reading, unique_names: bool) -> Result<Rechecked, RecheckError> {
    let Some(evidence) = &claim.evidence else { return Ok(Rechecked::NoVerdict) };
    if let Some(target) = reading.unreadable().first() {
        return Err(RecheckError::Unreadable(claim.verdict.clone(), target.to_string()));
    }
    let premises: Vec<Statement<'_>> =
        reading.premises.iter().flatten().map(|formula| Statement { formula, negated: false }).collect();
    let conclusion = reading.conclusion.as_ref().and_then(Option::as_ref);
    match evidence.as_str() {
        "certificate" => check_certificate(claim, &premises, conclusion, unique_names),
        "models" => check_models(claim, &premises, conclusion, unique_names),
        _ => Ok(Rechecked::ProverOnly),
    }
}

/// The statements of a question, and nothing where it needs a conclusion that is not there.
fn statements<'a>(question: &str, premises: &[Statement<'a>], conclusion: Option<&'a Formula>) -> Vec<Statement<'a>> {
    let mut statements = premises.to_vec();
    if question != "consistency" {
        // That it follows is refuted by its negation, and the other way round.
        statements.extend(conclusion.map(|formula| Statement { formula, negated: question == "entails" }));
    }
    statements
}

fn missing(claim: &Claim, missing: &str) -> RecheckError {
    RecheckError::Missing {
        verdict: claim.verdict.clone(),
        evidence: claim.evidence.clone().unwrap_or_default(),
        missing: missing.to_owned(),
    }
}

fn check_certificate(
    claim: &Claim,
    premises: &[Statement<'_>],
    conclusion: Option<&Formula>,
    unique_names: bool,
) -> Result<Rechecked, RecheckError> {
    let needed = match claim.verdict.as_str() {
        "True" => "entails",
        "False" => "refutes",
        "Inconsistent" | "Unformalised" => "consistency",
        _ => return Err(missing(claim, "question that a certificate could answer")),
    };
    let (question, text) = claim.proof.as_ref().ok_or_else(|| missing(claim, "proof"))?;
    if question != needed {
        let (verdict, found) = (claim.verdict.clone(), question.clone());
        return Err(RecheckError::OtherQuestion { verdict, needed, found });
    }
    let text = text.as_ref().ok_or_else(|| missing(claim, "certificate"))?;
    let certificate: Certificate =
        serde_json::from_str(text).map_err(|e| RecheckError::Form { what: "certificate", reason: e.to_string() })?;
    if certificate.unique_names && !unique_names {
        return Err(missing(claim, "setting that tells names apart"));
    }
    ground::check(&certificate, &statements(question, premises, conclusion))?;
    let of_premises = certificate.statements().into_iter().filter(|s| *s < premises.len());
    let found: Vec<u32> = of_premises.filter_map(|s| u32::try_from(s).ok()).collect();
    if claim.used_premises.as_ref() != Some(&found) {
        return Err(RecheckError::OtherPremises { stated: claim.used_premises.clone(), found });
    }
    Ok(Rechecked::Certificate)
}

fn check_models(
    claim: &Claim,
    premises: &[Statement<'_>],
    conclusion: Option<&Formula>,
    unique_names: bool,
) -> Result<Rechecked, RecheckError> {
    let needed: &[&'static str] = match claim.verdict.as_str() {
        "Uncertain" => &["consistency", "entails", "refutes"],
        "Unformalised" => &["consistency"],
        _ => return Err(missing(claim, "question that models could answer")),
    };
    let text = claim.models.as_ref().ok_or_else(|| missing(claim, "model"))?;
    let models: Value =
        serde_json::from_str(text).map_err(|e| RecheckError::Form { what: "models", reason: e.to_string() })?;
    for question in needed.iter().copied() {
        let model = models.get(question).ok_or_else(|| missing(claim, &format!("model of `{question}`")))?;
        let model = world::from_json(model)?;
        if unique_names && !model.names_distinct() {
            return Err(RecheckError::SharedName(question));
        }
        for (i, statement) in statements(question, premises, conclusion).iter().enumerate() {
            let name = || if i < premises.len() { format!("premise[{i}]") } else { "conclusion".to_owned() };
            match model.holds(statement.formula) {
                Ok(holds) if holds != statement.negated => {}
                Ok(_) => return Err(RecheckError::NotAModel { question, statement: name() }),
                Err(reason) => return Err(RecheckError::Unsettled { question, statement: name(), reason }),
            }
        }
    }
    Ok(Rechecked::Models)
}
