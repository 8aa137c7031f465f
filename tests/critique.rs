//! Critiques of published rows.

#[path = "support/published.rs"]
mod published;

use std::time::{Duration, Instant};

use refolio::ingest::{self, Input, Options};
use refolio::lint::{ParsedRecord, Selection, check_record};
use refolio::prove::{Attempt, Identity, Origin, Problem, Prover, Reason, Run, Schedule};
use refolio::record::Record;
use refolio::refine::critique::{self, Bounds, Critique, Facts, Suspicion};
use refolio::refine::{Bench, Case};
use refolio::verify::{Asker, Lowering, ReadingOptions};

/// Leaves open what grounding does not answer.
struct Silent(Identity);

impl Prover for Silent {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn run(&self, _problem: &Problem, _attempt: &Attempt, _memory_mb: u64) -> Run {
        Run { outcome: Err(Reason::GaveUp), wall: Duration::ZERO }
    }
}

fn with_bench<T>(run: impl FnOnce(&Bench<'_>) -> T) -> T {
    let identity = Identity {
        name: "silent".to_owned(),
        version: "1".to_owned(),
        origin: Origin::Given,
        sha256: String::new(),
        path: "silent".into(),
    };
    let prover = Silent(identity);
    let attempt = Attempt { name: "only".to_owned(), options: Vec::new(), time_limit: 1.0 };
    let schedule = Schedule { attempts: vec![attempt], memory_mb: 64, retries_after_crash: 0 };
    let asker = Asker::new(&prover, &schedule, None);
    let lowering = Lowering::default();
    run(&Bench { lowering: &lowering, asker: &asker })
}

/// What is said of one record, and how long it took.
struct Said {
    critique: Option<Critique>,
    suspicion: Suspicion,
    critique_time: Duration,
    suspicion_time: Duration,
}

fn say(record: &Record, bench: &Bench<'_>) -> Said {
    let options = ReadingOptions::default();
    let case = Case::new(record, &Selection::everything(), options, bench);
    let diagnostics = check_record(&ParsedRecord::new(record, options.scope).context(record));
    let start = Instant::now();
    let critique = critique::critique(&case, options, bench, &Bounds::default());
    let critique_time = start.elapsed();
    let start = Instant::now();
    let symbols = critique::symbols(&case);
    let alternatives = critique::alternatives(&case, options, bench, 16);
    let facts = Facts {
        case: &case,
        options,
        diagnostics: &diagnostics,
        used_premises: None,
        symbols: &symbols,
        signals: &[],
        alternatives: &alternatives,
        reason: critique::reason(case.verdict, record.label),
    };
    let suspicion = critique::suspicion(&facts, bench);
    let suspicion_time = start.elapsed();
    Said { critique, suspicion, critique_time, suspicion_time }
}

fn records(file: &str) -> Option<Vec<Record>> {
    let path = published::published(file)?;
    Some(ingest::read(&[Input::new(&path)], &Options::default()).unwrap().records)
}

const FILES: [&str; 2] = ["folio-v2/folio_v2_validation.jsonl", "folio-v2/folio_v2_train.part.jsonl"];

/// Prints critiques for people to read: `REFOLIO_SHOW` names example ids, or a number of rows to show.
#[test]
#[ignore = "prints for people"]
#[expect(clippy::print_stdout, reason = "prints for people")]
fn show() {
    let wanted = std::env::var("REFOLIO_SHOW").unwrap_or_else(|_| "all".to_owned());
    let wanted: Vec<&str> = wanted.split(',').collect();
    with_bench(|bench| {
        for file in FILES {
            let Some(records) = records(file) else { continue };
            let (mut critique_time, mut critiques, mut worst) = (Duration::ZERO, 0, Duration::ZERO);
            let (mut suspicion_time, mut questions) = (Duration::ZERO, 0);
            let mut signals: std::collections::BTreeMap<(bool, &str), usize> = std::collections::BTreeMap::new();
            for record in &records {
                let said = say(record, bench);
                suspicion_time += said.suspicion_time;
                for signal in &said.suspicion.signals {
                    *signals.entry((said.critique.is_none(), signal)).or_default() += 1;
                }
                let id = record.example_id.clone().unwrap_or_default();
                if wanted.contains(&"all") || wanted.contains(&id.as_str()) {
                    println!("== {id} label {:?} {:?}", record.label, said.suspicion);
                    for (i, (s, f)) in record.premises.iter().zip(&record.premises_fol).enumerate() {
                        println!("   [{i}] {s}\n       {f}");
                    }
                    println!("   ∴ {}\n     {}", record.conclusion, record.conclusion_fol.as_deref().unwrap_or(""));
                    for s in said.critique.iter().flat_map(|c| &c.sentences) {
                        println!(" - {s}");
                    }
                }
                if let Some(critique) = said.critique {
                    critiques += 1;
                    critique_time += said.critique_time;
                    worst = worst.max(said.critique_time);
                    questions += critique.questions;
                    if wanted.contains(&"all") {
                        println!(
                            " - {} questions, {:?}, {:?}",
                            critique.questions, said.critique_time, critique.cut_short
                        );
                    }
                }
            }
            println!(
                "## {file}: {critiques} critiques, {questions} questions, {critique_time:?}, worst {worst:?}; suspicion {suspicion_time:?} of {} rows; {signals:#?}",
                records.len()
            );
        }
    });
}
