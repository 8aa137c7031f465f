//! Turning the output of a run into a dataset repository, and putting it on the Hub.
//!
//! A [`Source`] is the folder that a run wrote. Its rows are written once more as four configurations, each a [`View`] with
//! one folder and the same splits ([`Tables`]), into a [`Draft`]; beside them lie the card, the manifest, the changelog and a
//! Croissant description ([`texts`]). The version follows from what an audit finds against the [`Previous`] one ([`Step`]), and a
//! [`Plan`] says what a repository lacks of it. The same source, settings and previous version give the same bytes.

mod card;
mod changelog;
mod croissant;
mod draft;
mod error;
mod features;
mod files;
mod previous;
mod push;
mod source;
mod tables;
mod texts;
mod version;
mod view;

pub use self::draft::{Draft, Found, Release, Wish, check_license};
pub use self::error::PublishError;
pub use self::features::features;
pub use self::files::{Files, Place};
pub use self::previous::{Known, Previous};
pub use self::push::{Difference, Plan, Pushed, push};
pub use self::source::{Source, SourceSplit};
pub use self::tables::{SplitTables, Table, Tables};
pub use self::texts::{Facts, texts};
pub use self::version::{Step, choose, is_same, of_audit};
pub use self::view::View;
