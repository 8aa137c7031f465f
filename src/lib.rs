//! Verifies, repairs and traces natural-language / first-order-logic datasets.
//!
//! Data flows one way: [`ingest`] reads a dataset as published, [`fol`] parses its formulas, [`lint`] says what is odd
//! about them, [`prove`] and [`verify`] ask a theorem prover what the premises entail, and [`emit`] writes Parquet
//! splits in which every row carries its verdict, the evidence and the history of every change. [`explain`] tells people
//! what a verdict rests on, [`evaluate`] measures how good repair is, [`audit`] compares two versions
//! of a dataset, and [`stats`] describes one.

pub mod append;
pub mod audit;
pub mod cli;
pub mod config;
pub mod decision;
pub mod diagnostic;
pub mod emit;
pub mod evaluate;
pub mod explain;
pub mod fol;
mod frame;
pub mod ground;
pub mod hub;
pub mod ingest;
pub mod lint;
pub mod llm;
pub mod page;
pub mod pipeline;
pub mod posed;
pub mod prove;
pub mod publish;
pub mod record;
pub mod refine;
pub mod report;
pub mod review;
pub mod shard;
pub mod stats;
pub mod synth;
pub mod verify;
