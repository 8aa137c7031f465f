//! Deciding questions without a first-order prover, where that is possible: by grounding.
//!
//! A contradiction shows in finitely many instances of its statements (Herbrand 1930). Quantifiers are made to run over
//! the individuals that are spoken of, in a few rounds over those that depend on them too, and a SAT solver is asked. In
//! the Bernays–Schönfinkel class (1928), where no function occurs and no existential quantifier stands under a universal
//! one, the first round decides; FOLIO's questions nearly all belong to it. Elsewhere models are sought over domains of
//! rising size.
//!
//! Nothing found so is believed: a model is accepted only after
//! [`Model::holds`](crate::fol::model::Model::holds) has found every statement true in it as it was read, and a
//! contradiction only after [`check`], which shares no code with the search, has confirmed its [`Certificate`].

mod certificate;
mod check;
mod expand;
mod finder;
mod normal;
mod solve;
mod term;

/// A map with a fast hash: keys here are small and many.
type Map<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;

pub use certificate::{Certificate, Instance};
pub use check::{CheckError, Derived, End, Fact, Ground, Line, Reason, Refutation, check};
pub(crate) use check::{quantified_variables, stands_free};
pub use solve::{Answer, GiveUp, Statement, decide, model, satisfiable};
pub use term::{Individual, Place};
