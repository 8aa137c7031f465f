//! Deciding questions without a first-order prover, where that is possible: by grounding.
//!
//! A set of formulas whose existential quantifiers stand under no universal one, and in which no function occurs, belongs
//! to the Bernays–Schönfinkel class: it has a model if and only if it has one whose individuals are its own constants
//! (Herbrand 1930; for the class, Bernays and Schönfinkel 1928). Replacing every `∀x` by the conjunction over the
//! constants makes it a propositional question, which a SAT solver decides. A model found so is accepted only after
//! [`Model::holds`](crate::fol::model::Model::holds) has found every original formula true in it.

mod expand;
mod normal;
mod solve;

pub use solve::{Answer, GiveUp, Statement, decide};
