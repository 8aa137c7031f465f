//! `S`: brackets, signs, punctuation.

mod check;
mod glued;
mod mend;
mod places;
mod rules;

pub use check::{check, check_text};
pub use glued::glued_names;
pub use mend::{Mend, mend};
pub use rules::RULES;
