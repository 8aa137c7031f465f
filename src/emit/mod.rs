//! Writing refined splits: Parquet with provenance, the manifest, the summary, and what else a run leaves behind.
//!
//! Nothing here computes a verdict; rows come in as [`Row`](crate::record::Row)s and leave as files. An [`Emitter`]
//! writes all files of a run into one folder, whole or not at all.

mod batch;
mod counts;
mod csv;
mod draft;
mod emitter;
mod error;
mod evidence;
mod info;
mod late;
mod manifest;
mod names;
mod parquet;
mod repairs;
mod rows;
mod schema;
mod stored;
mod summary;
mod table;
mod terminal;
mod timings;

pub use self::counts::{CodeCount, Counts, Judgements, SplitCounts, Tally};
pub(crate) use self::counts::{label_word, labels};
pub use self::csv::CSV_COLUMNS;
pub(crate) use self::csv::csv_fields;
pub(crate) use self::draft::{Draft, Sealed, seal_text};
pub use self::emitter::{EmitOptions, Emitted, Emitter};
pub use self::error::EmitError;
pub use self::evidence::EVIDENCE_FILE;
pub use self::info::{InputFile, ProverInfo, RunInfo, canonical_json};
pub(crate) use self::late::Late;
pub use self::manifest::{DECISIONS_FILE, MANIFEST_FILE, OutputFile, manifest_json};
pub use self::names::file_stem;
pub use self::parquet::SplitWriter;
pub use self::rows::{each_time, read_rows};
pub use self::schema::{DESCRIPTION, SCHEMA_VERSION, columns_table, schema, type_name};
pub use self::stored::{StoredError, StoredRow, proofs, read_split, splits};
pub use self::summary::{SUMMARY_FILE, summary_markdown};
pub(crate) use self::table::{Slot, TableWriter};
pub use self::terminal::{ProverTime, terminal_summary};
pub use self::timings::{TIMINGS_FILE, Timing};

#[cfg(test)]
use crate::{diagnostic, record};
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
pub(crate) mod testing_run;
