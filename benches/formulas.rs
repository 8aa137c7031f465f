//! How many formulas a second one core parses, and parses and lints.
//!
//! The allocator is the program's own, jemalloc. `cargo bench --bench formulas`; `REFOLIO_BENCH_FILE` names the dataset, else the sample is taken. Every annotation
//! of every record counts, also where records share their premises, because each is parsed and linted anew.
//! `REFOLIO_BENCH_ROUNDS` sets how often the file is gone through for one figure (default: as often as fits in three
//! seconds). Each record counts with its fastest round, so that other work on the machine, which interrupts some round
//! of some record at any time, does not show.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::hint::black_box;
use std::time::{Duration, Instant};
use std::{env, path::PathBuf, process::ExitCode};

use refolio::fol::{QuantifierScope, parse};
use refolio::ingest::{self, Input, Options};
use refolio::lint::{ParsedRecord, check_record};
use refolio::record::Record;

/// The one that the program uses.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const TIME: Duration = Duration::from_secs(3);

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
    let formulas = records.iter().map(|r| r.premises_fol.len() + usize::from(r.conclusion_fol.is_some())).sum();
    if formulas == 0 {
        println!("{} has no formula", file.display());
        return ExitCode::FAILURE;
    }
    println!("formulas: {formulas}");
    report("parse", &records, formulas, rounds, |record| {
        for text in record.premises_fol.iter().chain(&record.conclusion_fol) {
            black_box(parse(black_box(text)));
        }
    });
    report("parse+lint", &records, formulas, rounds, |record| {
        let parsed = ParsedRecord::new(black_box(record), QuantifierScope::Tight);
        black_box(check_record(&parsed.context(record)));
    });
    ExitCode::SUCCESS
}

/// Prints `NAME: N formulas/s`.
fn report(name: &str, records: &[Record], formulas: usize, rounds: Option<usize>, work: impl Fn(&Record)) {
    let started = Instant::now();
    let mut fastest = vec![Duration::MAX; records.len()];
    let mut done = 0;
    while rounds.map_or_else(|| done == 0 || started.elapsed() < TIME, |n| done < n.max(1)) {
        for (record, fastest) in records.iter().zip(&mut fastest) {
            let began = Instant::now();
            work(record);
            *fastest = began.elapsed().min(*fastest);
        }
        done += 1;
    }
    let seconds = fastest.iter().sum::<Duration>().as_secs_f64();
    println!("{name}: {:.0} formulas/s", formulas as f64 / seconds.max(f64::EPSILON));
}
