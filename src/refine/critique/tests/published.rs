//! Critiques of published rows, which are not part of the package.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::*;
use crate::ingest::{self, Input, Options};
use crate::lint::{ParsedRecord, check_record};

/// A published dataset beside the checkout, or in the folder that `REFOLIO_DATA` names; `None`, with the reason on the
/// terminal, where it is absent.
fn published(file: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("REFOLIO_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"), PathBuf::from);
    let path = folder.join(file);
    if path.is_file() {
        return Some(path);
    }
    #[expect(clippy::print_stderr, reason = "a test that does not run has to say so")]
    {
        eprintln!("skipped: no {}; REFOLIO_DATA names the folder of published datasets", path.display());
    }
    None
}

/// What is said of one record, and how long it took.
struct Said {
    critique: Option<Critique>,
    suspicion: Suspicion,
    critique_time: Duration,
    weight: u32,
    suspicion_time: Duration,
}

fn say(record: &Record, bench: &Bench<'_>) -> Said {
    let options = ReadingOptions::default();
    let case = Case::new(record, &Selection::everything(), options, bench);
    let diagnostics = check_record(&ParsedRecord::new(record, options.scope).context(record));
    let start = Instant::now();
    let critique = critique(&case, options, bench, &Bounds::default());
    let critique_time = start.elapsed();
    let start = Instant::now();
    let symbols = symbols(&case);
    let alternatives = alternatives(&case, options, bench, 16);
    let facts = Facts {
        case: &case,
        options,
        diagnostics: &diagnostics,
        used_premises: None,
        symbols: &symbols,
        signals: &[],
        alternatives: &alternatives,
        reason: reason(case.verdict, record.label),
    };
    let suspicion = suspicion(&facts, bench);
    let suspicion_time = start.elapsed();
    let weight = questions::weight(&story::Story::new(&case));
    Said { critique, suspicion, critique_time, weight, suspicion_time }
}

fn records(file: &str) -> Option<Vec<Record>> {
    let path = published(file)?;
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
            let mut signals: BTreeMap<(bool, &str), usize> = BTreeMap::new();
            for record in &records {
                let said = say(record, bench);
                suspicion_time += said.suspicion_time;
                for signal in &said.suspicion.signals {
                    *signals.entry((said.critique.is_none(), signal)).or_default() += 1;
                }
                let id = record.example_id.clone().unwrap_or_default();
                if (wanted.contains(&"all") && said.critique.is_some()) || wanted.contains(&id.as_str()) {
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
                            " - {} questions, {:?}, {:?}, weight {}",
                            critique.questions, said.critique_time, critique.cut_short, said.weight
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

/// Reasons of published rows, and that every bound holds on all of them.
#[test]
fn published_rows_have_their_reasons() {
    let ids = |id: &str| match id {
        "981" | "754" => Some(Reason::LabelContradicted),
        "1244" | "1245" | "1246" | "1247" => Some(Reason::InconsistentPremises),
        _ => None,
    };
    let Some(records) = records(FILES[0]) else { return };
    with_bench(|bench| {
        let mut seen = 0;
        for record in &records {
            let Some(wanted) = ids(record.example_id.as_deref().unwrap_or_default()) else { continue };
            let said = say(record, bench).critique.expect("a critique");
            assert_eq!(said.reason, wanted, "{:?}", record.example_id);
            assert!(said.questions <= Bounds::default().questions);
            assert!(said.inconsistency.is_none_or(|i| !i.cores.is_empty()));
            seen += 1;
        }
        assert_eq!(seen, 6);
    });
}
