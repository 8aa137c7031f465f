//! Review by people: a page on this machine with the rows that need it, on which formulas can be tried and decisions are put
//! on record.
//!
//! A [`Desk`] holds the rows and the decisions; [`serve`] puts it on the web. What is decided is on disk before the page is
//! told, and is an input of the next run (see [`crate::decision`]).

mod desk;
pub mod exchange;
mod page;
mod server;
mod texts;
mod weigh;

pub use self::desk::{Asked, Desk, DeskError, Item, Preview, Progress, Shown, Sibling};
pub use self::exchange::Exchange;
pub use self::server::{Address, ServeError, router, serve};
pub use self::texts::{Candidate, Wanted, undecided};
pub use self::weigh::{Remark, Scales, Weighed};
