//! Verifies, repairs and traces natural-language / first-order-logic datasets.
//!
//! Data flows one way: [`ingest`] reads a dataset as published, [`fol`] parses its formulas, [`lint`] says what is odd
//! about them, [`prove`] and [`verify`] ask a theorem prover what the premises entail, and [`emit`] writes Parquet
//! splits in which every row carries its verdict, the evidence and the history of every change. [`explain`] tells people
//! what a verdict rests on, and [`evaluate`] measures how good repair is.

pub mod audit;
pub mod cli;
pub mod config;
pub mod diagnostic;
pub mod emit;
pub mod evaluate;
pub mod explain;
pub mod fol;
pub mod ground;
pub mod hub;
pub mod ingest;
pub mod lint;
pub mod llm;
pub mod pipeline;
pub mod posed;
pub mod prove;
pub mod publish;
pub mod record;
pub mod refine;
pub mod shard;
pub mod synth;
pub mod verify;
