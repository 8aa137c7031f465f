//! Searching for what closes a broken chain.
//!
//! Candidates are edits that the sentence speaks for whatever the label is; see [`priors`](super::priors). Sets of them
//! are looked at by rising cost, until one gives the record the verdict that its label asks for and every guard lets it
//! pass; another that is as near and means something else makes both ambiguous.

mod capture;
mod desk;
mod names;
mod op;
mod opened;
mod phrasing;
mod wording;

pub(super) use desk::Desk;
pub(super) use op::{Op, candidates};
pub(super) use phrasing::cues_of;
pub(super) use wording::{NameWords, Wording};
