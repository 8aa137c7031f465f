//! The SZS ontology: the words in which provers report.
//!
//! Source: G. Sutcliffe, "The SZS Ontologies for Automated Reasoning Software" (LPAR workshops, 2008), with the values
//! added since in the TPTP World's own listing. Names, not the three-letter codes, stand on status lines.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// Defines the statuses once: variant, word on a status line.
macro_rules! statuses {
    ($(success $s:ident = $sw:literal),+ ; $(failure $f:ident = $fw:literal),+ $(,)?) => {
        /// A status of the success or no-success ontology.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the names are the ontology's own; it defines them")]
        pub enum Szs { $($s,)+ $($f,)+ }

        impl Szs {
            /// Every status, success first, in the ontology's order.
            pub const ALL: &[Self] = &[$(Self::$s,)+ $(Self::$f,)+];

            /// The word that stands on a status line.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$s => $sw,)+ $(Self::$f => $fw,)+ }
            }

            /// Whether the prover established something, whatever it is.
            #[must_use]
            pub const fn is_success(self) -> bool {
                match self { $(Self::$s => true,)+ $(Self::$f => false,)+ }
            }
        }
    };
}

statuses! {
    success Success = "Success",
    success SemanticSuccess = "SemanticSuccess",
    success UnsatisfiabilityPreserving = "UnsatisfiabilityPreserving",
    success SatisfiabilityPreserving = "SatisfiabilityPreserving",
    success TautologyPreserving = "TautologyPreserving",
    success EquiSatisfiable = "EquiSatisfiable",
    success EquiTautologous = "EquiTautologous",
    success Satisfiable = "Satisfiable",
    success FinitelySatisfiable = "FinitelySatisfiable",
    success Theorem = "Theorem",
    success FiniteTheorem = "FiniteTheorem",
    success SatisfiableAxiomsTheorem = "SatisfiableAxiomsTheorem",
    success Equivalent = "Equivalent",
    success TautologousConclusion = "TautologousConclusion",
    success WeakerConclusion = "WeakerConclusion",
    success EquivalentTheorem = "EquivalentTheorem",
    success Tautology = "Tautology",
    success FiniteTautology = "FiniteTautology",
    success WeakerTautologousConclusion = "WeakerTautologousConclusion",
    success WeakerTheorem = "WeakerTheorem",
    success ModelExtending = "ModelExtending",
    success NoConsequence = "NoConsequence",
    success ContradictoryAxioms = "ContradictoryAxioms",
    success SatisfiableConclusionContradictoryAxioms = "SatisfiableConclusionContradictoryAxioms",
    success TautologousConclusionContradictoryAxioms = "TautologousConclusionContradictoryAxioms",
    success WeakerConclusionContradictoryAxioms = "WeakerConclusionContradictoryAxioms",
    success CounterUnsatisfiabilityPreserving = "CounterUnsatisfiabilityPreserving",
    success CounterSatisfiabilityPreserving = "CounterSatisfiabilityPreserving",
    success CounterTautologyPreserving = "CounterTautologyPreserving",
    success EquiCounterSatisfiable = "EquiCounterSatisfiable",
    success EquiCounterTautologous = "EquiCounterTautologous",
    success CounterSatisfiable = "CounterSatisfiable",
    success FinitelyCounterSatisfiable = "FinitelyCounterSatisfiable",
    success CounterTheorem = "CounterTheorem",
    success FiniteCounterTheorem = "FiniteCounterTheorem",
    success SatisfiableAxiomsCounterTheorem = "SatisfiableAxiomsCounterTheorem",
    success CounterEquivalent = "CounterEquivalent",
    success UnsatisfiableConclusion = "UnsatisfiableConclusion",
    success WeakerCounterConclusion = "WeakerCounterConclusion",
    success EquivalentCounterTheorem = "EquivalentCounterTheorem",
    success Unsatisfiable = "Unsatisfiable",
    success FinitelyUnsatisfiable = "FinitelyUnsatisfiable",
    success WeakerUnsatisfiableConclusion = "WeakerUnsatisfiableConclusion",
    success WeakerCounterTheorem = "WeakerCounterTheorem",
    success CounterModelExtending = "CounterModelExtending",
    success SatisfiableCounterConclusionContradictoryAxioms = "SatisfiableCounterConclusionContradictoryAxioms",
    success UnsatisfiableConclusionContradictoryAxioms = "UnsatisfiableConclusionContradictoryAxioms",
    success TypeCheckSuccess = "TypeCheckSuccess",
    success TypeCheckPartial = "TypeCheckPartial",
    success TypeCheckedComplete = "TypeCheckedComplete",
    success VerifySuccess = "VerifySuccess",
    success VerifiedGood = "VerifiedGood",
    success VerifiedBad = "VerifiedBad";
    failure NoSuccess = "NoSuccess",
    failure Open = "Open",
    failure NotVerified = "NotVerified",
    failure FailedVerified = "FailedVerified",
    failure Assumed = "Assumed",
    failure Unknown = "Unknown",
    failure Incorrect = "Incorrect",
    failure Stopped = "Stopped",
    failure InProgress = "InProgress",
    failure NotTried = "NotTried",
    failure NotTriedYet = "NotTriedYet",
    failure Error = "Error",
    failure OsError = "OSError",
    failure InputError = "InputError",
    failure SyntaxError = "SyntaxError",
    failure SemanticError = "SemanticError",
    failure TypeError = "TypeError",
    failure Unsemantic = "Unsemantic",
    failure UsageError = "UsageError",
    failure Forced = "Forced",
    failure User = "User",
    failure ResourceOut = "ResourceOut",
    failure Timeout = "Timeout",
    failure CpuTimeout = "CPUTimeout",
    failure WallClockTimeout = "WCTimeout",
    failure MemoryOut = "MemoryOut",
    failure GaveUp = "GaveUp",
    failure Incomplete = "Incomplete",
    failure Inappropriate = "Inappropriate",
}

/// What was asked of a prover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Question {
    /// Whether the conjecture follows from the axioms.
    Entailment,
    /// Whether the axioms, without a conjecture, have a model.
    Consistency,
}

impl Question {
    /// What the question is called in messages.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Entailment => "entailment",
            Self::Consistency => "consistency",
        }
    }
}

/// What a status says in answer to a [`Question`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The conjecture follows from the axioms; the axioms may or may not have a model.
    Follows,
    /// The axioms have a model in which the conjecture is false.
    DoesNotFollow,
    /// The negated conjecture follows from the axioms; the axioms may or may not have a model.
    NegationFollows,
    /// The axioms have no model, so everything follows from them.
    ContradictoryAxioms,
    /// The axioms have a model. Only for [`Question::Consistency`].
    Satisfiable,
    /// The axioms have no model. Only for [`Question::Consistency`].
    Unsatisfiable,
}

impl Szs {
    /// Whether nothing was established: limits, errors, giving up, not having tried.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        !self.is_success()
    }

    /// What this status says in answer to the question; `None` where it says nothing that decides it.
    ///
    /// Every status below `Theorem`, `CounterSatisfiable` and `ContradictoryAxioms` in the ontology decides as they do.
    /// Two deserve a word. `Satisfiable` and `Unsatisfiable` do not answer whether a conjecture follows: the
    /// ontology's definitions of them beside a conjecture differ from what provers mean by them (the clauses, with the
    /// conjecture negated among them), so neither reading is taken. The `Finitely…` and `Finite…` statuses speak of
    /// finite models alone: having one settles a question, having none does not.
    #[must_use]
    pub const fn decision(self, question: Question) -> Option<Decision> {
        use Szs as S;
        match question {
            Question::Entailment => match self {
                S::Theorem
                | S::SatisfiableAxiomsTheorem
                | S::Equivalent
                | S::TautologousConclusion
                | S::WeakerConclusion
                | S::EquivalentTheorem
                | S::Tautology
                | S::WeakerTautologousConclusion
                | S::WeakerTheorem => Some(Decision::Follows),
                S::CounterSatisfiable
                | S::FinitelyCounterSatisfiable
                | S::NoConsequence
                | S::SatisfiableAxiomsCounterTheorem
                | S::CounterModelExtending
                | S::CounterEquivalent
                | S::UnsatisfiableConclusion
                | S::WeakerCounterConclusion
                | S::EquivalentCounterTheorem
                | S::WeakerUnsatisfiableConclusion
                | S::WeakerCounterTheorem => Some(Decision::DoesNotFollow),
                S::CounterTheorem => Some(Decision::NegationFollows),
                S::ContradictoryAxioms
                | S::SatisfiableConclusionContradictoryAxioms
                | S::TautologousConclusionContradictoryAxioms
                | S::WeakerConclusionContradictoryAxioms
                | S::SatisfiableCounterConclusionContradictoryAxioms
                | S::UnsatisfiableConclusionContradictoryAxioms => Some(Decision::ContradictoryAxioms),
                _ => None,
            },
            Question::Consistency => match self {
                S::Satisfiable | S::FinitelySatisfiable => Some(Decision::Satisfiable),
                S::Unsatisfiable | S::ContradictoryAxioms => Some(Decision::Unsatisfiable),
                _ => None,
            },
        }
    }
}

impl fmt::Display for Szs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Szs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A word that is no status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a status of the SZS ontology")]
pub struct UnknownStatus(pub String);

impl FromStr for Szs {
    type Err = UnknownStatus;

    /// Reads the exact word, case included. The older names of two statuses are read too.
    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "SatisfiableTheorem" => Ok(Self::SatisfiableAxiomsTheorem),
            "SatisfiableCounterTheorem" => Ok(Self::SatisfiableAxiomsCounterTheorem),
            _ => Self::ALL.iter().copied().find(|s| s.as_str() == word).ok_or_else(|| UnknownStatus(word.to_owned())),
        }
    }
}

/// Why no status could be read from a prover's output.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StatusError {
    /// No line is a status line.
    #[error("no SZS status line")]
    Missing,
    /// A status line carries a word that is no status, perhaps none at all.
    #[error("unknown SZS status `{0}`")]
    Unknown(String),
    /// Two status lines say different things.
    #[error("conflicting SZS statuses `{0}` and `{1}`")]
    Conflicting(Szs, Szs),
}

/// The one status that the output reports.
///
/// Only lines that *are* status lines count: `%` or `#`, then `SZS status`, then the word, perhaps after blanks.
/// What follows the word (`for NAME`, `: remark`) is not read. Text that merely contains such words is not a status.
///
/// # Errors
/// If there is none, an unknown one, or two that differ. The same status twice is fine.
pub fn parse_status(output: &str) -> Result<Szs, StatusError> {
    let mut found: Option<Szs> = None;
    for word in output.lines().filter_map(status_word) {
        let status: Szs = word.parse().map_err(|UnknownStatus(w)| StatusError::Unknown(w))?;
        match found {
            Some(first) if first != status => return Err(StatusError::Conflicting(first, status)),
            _ => found = Some(status),
        }
    }
    found.ok_or(StatusError::Missing)
}

/// The status word of a line, if it is a status line; empty if the word is missing.
fn status_word(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix(['%', '#'])?;
    let mut words = rest.split_whitespace();
    if words.next() != Some("SZS") || words.next() != Some("status") {
        return None;
    }
    let word = words.next().unwrap_or_default();
    // `Assumed(Timeout,Theorem)` gives its grounds in brackets; `Theorem: remark` has no blank before the colon.
    Some(word.split(['(', ':']).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_status_is_read_back_from_its_word() {
        for &s in Szs::ALL {
            assert_eq!(s.as_str().parse(), Ok(s));
            assert_ne!(s.is_success(), s.is_failure());
        }
        let words: BTreeSet<_> = Szs::ALL.iter().map(|s| s.as_str()).collect();
        assert_eq!(words.len(), Szs::ALL.len());
        assert_eq!(Szs::ALL.iter().filter(|s| s.is_success()).count(), 53);
        assert_eq!("SatisfiableTheorem".parse(), Ok(Szs::SatisfiableAxiomsTheorem));
        assert_eq!("theorem".parse::<Szs>(), Err(UnknownStatus("theorem".into())));
    }

    #[test]
    fn status_lines_of_provers() {
        assert_eq!(parse_status("% SZS status Theorem for unknown\n"), Ok(Szs::Theorem));
        assert_eq!(parse_status("noise\n  # SZS status CounterSatisfiable\r\nnoise"), Ok(Szs::CounterSatisfiable));
        assert_eq!(parse_status("%SZS status GaveUp for x"), Ok(Szs::GaveUp));
        assert_eq!(parse_status("% SZS status Theorem : 12 clauses"), Ok(Szs::Theorem));
        assert_eq!(parse_status("% SZS status Theorem: 12 clauses"), Ok(Szs::Theorem));
        assert_eq!(parse_status("% SZS status Assumed(Timeout,Theorem) for x"), Ok(Szs::Assumed));
        assert_eq!(
            parse_status("% SZS status Satisfiable for a\n% SZS status Satisfiable for a"),
            Ok(Szs::Satisfiable)
        );
    }

    #[test]
    fn text_that_only_mentions_a_status_is_none() {
        for text in [
            "",
            "Theorem",
            "SZS status Theorem for x",
            "cnf(a, axiom, p). % SZS status Theorem for x",
            "% The line `SZS status Theorem` was expected",
            "% SZS output start Proof for x",
            "% SZS statusTheorem for x",
            "% SZS statuses Theorem for x",
        ] {
            assert_eq!(parse_status(text), Err(StatusError::Missing), "{text}");
        }
    }

    #[test]
    fn unknown_and_conflicting_statuses_are_told_apart() {
        assert_eq!(parse_status("% SZS status Theorems for x"), Err(StatusError::Unknown("Theorems".into())));
        assert_eq!(parse_status("% SZS status"), Err(StatusError::Unknown(String::new())));
        assert_eq!(
            parse_status("% SZS status Theorem for x\n% SZS status Timeout for x"),
            Err(StatusError::Conflicting(Szs::Theorem, Szs::Timeout))
        );
    }

    #[test]
    fn only_what_answers_the_question_decides() {
        use Question::{Consistency, Entailment};
        assert_eq!(Szs::Theorem.decision(Entailment), Some(Decision::Follows));
        assert_eq!(Szs::Theorem.decision(Consistency), None);
        assert_eq!(Szs::CounterSatisfiable.decision(Entailment), Some(Decision::DoesNotFollow));
        assert_eq!(Szs::CounterTheorem.decision(Entailment), Some(Decision::NegationFollows));
        assert_eq!(Szs::ContradictoryAxioms.decision(Entailment), Some(Decision::ContradictoryAxioms));
        assert_eq!(Szs::ContradictoryAxioms.decision(Consistency), Some(Decision::Unsatisfiable));
        assert_eq!(Szs::Satisfiable.decision(Consistency), Some(Decision::Satisfiable));
        assert_eq!(Szs::Satisfiable.decision(Entailment), None);
        assert_eq!(Szs::Unsatisfiable.decision(Entailment), None);
        assert_eq!(Szs::FinitelyUnsatisfiable.decision(Consistency), None);
        for &s in Szs::ALL.iter().filter(|s| s.is_failure()) {
            assert_eq!((s.decision(Entailment), s.decision(Consistency)), (None, None), "{s}");
        }
    }
}
