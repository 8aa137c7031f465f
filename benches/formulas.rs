//! How many formulas a second one core parses, and parses and lints.
//!
//! `cargo bench --bench formulas`; `REFOLIO_BENCH_FILE` names the dataset, else the sample is taken. Every annotation
//! of every record counts, also where records share their premises, because each is parsed and linted anew.
//! `REFOLIO_BENCH_ROUNDS` sets how often the file is gone through for one figure (default: as often as fits in two
//! seconds); the figure is that of the fastest round, which other work on the machine has disturbed least.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::time::{Duration, Instant};
use std::{env, path::PathBuf, process::ExitCode};

use refolio::fol::{QuantifierScope, parse};
use refolio::ingest::{self, Input, Options};
use refolio::lint::{ParsedRecord, check_record};
use refolio::record::Record;

const TIME: Duration = Duration::from_secs(2);

fn main() -> ExitCode {
    let sample = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data/sample_validation.jsonl"));
    let file = env::var_os("REFOLIO_BENCH_FILE").filter(|f| !f.is_empty()).map_or_else(sample, PathBuf::from);
    let rounds = env::var("REFOLIO_BENCH_ROUNDS").ok().and_then(|n| n.parse().ok());
    let dataset = match ingest::read(&[Input::new(&file)], &Options::default()) {
        Ok(dataset) => dataset,
        Err(error) => {
            println!("cannot read {}: {error}", file.display());
            return ExitCode::FAILURE;
        }
    };
    let records = dataset.records;
    let formulas: Vec<&str> =
        records.iter().flat_map(|r| r.premises_fol.iter().chain(&r.conclusion_fol)).map(String::as_str).collect();
    if formulas.is_empty() {
        println!("{} has no formula", file.display());
        return ExitCode::FAILURE;
    }
    println!("formulas: {}", formulas.len());
    println!("bytes: {}", formulas.iter().map(|f| f.len()).sum::<usize>());
    report("parse", formulas.len(), rounds, || {
        for text in &formulas {
            black_box(parse(black_box(text)));
        }
    });
    report("parse+lint", formulas.len(), rounds, || lint(&records));
    ExitCode::SUCCESS
}

fn lint(records: &[Record]) {
    for record in records {
        let parsed = ParsedRecord::new(black_box(record), QuantifierScope::Tight);
        black_box(check_record(&parsed.context(record)));
    }
}

/// Prints `NAME: N formulas/s` from the fastest of several rounds.
fn report(name: &str, formulas: usize, rounds: Option<usize>, work: impl Fn()) {
    let started = Instant::now();
    let mut fastest = Duration::MAX;
    let mut done = 0;
    while rounds.map_or_else(|| done == 0 || started.elapsed() < TIME, |n| done < n.max(1)) {
        let round = Instant::now();
        work();
        fastest = fastest.min(round.elapsed());
        done += 1;
    }
    println!("{name}: {:.0} formulas/s", formulas as f64 / fastest.as_secs_f64().max(f64::EPSILON));
}
