//! Reading datasets as published: files of several formats and dialects in, [`Record`](crate::record::Record)s out.
//!
//! Nothing is repaired here. A row that cannot be read leaves as a record that holds its own text and says what is
//! wrong with it; only a file that gives no rows at all is an error.

mod convert;
mod csv;
mod dataset;
mod dialect;
mod error;
mod file;
mod finding;
mod identity;
mod input;
mod json_array;
mod jsonl;
mod layout;
mod parquet;
mod proverqa;
pub mod rewrite;
mod row;
pub mod rules;
mod stored;
mod survey;
mod value;

#[cfg(test)]
mod tests;

pub use dataset::{Dataset, SourceFile, read};
pub use dialect::{ColumnMap, Dialect, Field, UnknownDialect};
pub use error::IngestError;
pub use file::{Compression, Format};
pub use input::{Input, InvalidInput, OnError, Options, Origin};
pub use rules::RULES;
pub use survey::{Placed, Records, Survey};
