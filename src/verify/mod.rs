//! Asking what the premises of a record entail, and saying it in the dataset's words.
//!
//! Consistency is asked first, once for each list of premises; then whether the conclusion follows, and if not, whether
//! its negation does. `Uncertain` needs a positive answer to both: silence is never a verdict.

mod asker;
mod grounder;
mod judge;
mod lower;
mod reading;
mod recheck;
mod second;
mod semantic;
mod story;
pub mod world;

pub use asker::{Asker, Query};
pub use grounder::{EvidenceLevel, Grounder};
pub use judge::{Court, IDENTIFIED_NAMES, Judgement, judge};
pub use lower::Lowering;
pub use reading::{Reading, ReadingOptions};
pub use recheck::{Claim, RecheckError, Rechecked, recheck};
pub use second::{SecondOpinion, SecondOpinionLevel};
pub use semantic::{check_alternatives, check_annotations};
pub(crate) use story::{Needs, story_of};
pub use story::{same_story, unused_premises};
