//! The main job from end to end, with the bundled Vampire and real data.

#![cfg(feature = "bundled-vampire")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../support/columns.rs"]
mod columns;
mod decisions;
mod determinism;
mod evidence;
mod failures;
#[path = "../support/fake.rs"]
mod fake;
mod figures;
mod grounding;
mod metamorphic;
mod provers;
#[path = "../support/published.rs"]
mod published;
mod repair;
#[path = "../support/rows.rs"]
mod rows;
mod sample;
mod shards;
mod stories;
mod synth;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use published::published;
use refolio::config::{Config, FixLevel};
use refolio::ingest::Input;
use refolio::pipeline::{self, DecisionsTold, Finished, Provers, Silent};
use refolio::prove::Prover;
use refolio::prove::vampire::Vampire;
use rows::OutRow;
use tempfile::TempDir;

#[expect(clippy::print_stderr, reason = "a test that is skipped, or that has figures to show, says so")]
fn say(text: &str) {
    eprintln!("{text}");
}

const VALIDATION: &str = "folio-v2/folio_v2_validation.jsonl";
const TRAIN_PART: &str = "folio-v2/folio_v2_train.part.jsonl";
const V0_VALIDATION: &str = "folio-v0.0/folio-validation.jsonl";

/// The files of the sample.
fn sample() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    ["sample_train.jsonl", "sample_validation.jsonl", "sample_unformalised.jsonl"].map(|f| folder.join(f)).into()
}

fn vampire() -> Vampire {
    Vampire::bundled(Path::new(env!("CARGO_BIN_EXE_refolio"))).unwrap()
}

/// A run that has ended, and the folder with what it wrote.
struct Ran {
    dir: TempDir,
    /// What became of people's decisions.
    decisions: Option<DecisionsTold>,
}

impl Ran {
    /// Runs the main job over files with the default configuration, but no search for repairs, `changed`.
    fn new(files: &[PathBuf], changed: impl FnOnce(&mut Config)) -> Self {
        Self::with(&vampire(), None, files, changed)
    }

    fn with(
        prover: &dyn Prover,
        save_to: Option<PathBuf>,
        files: &[PathBuf],
        changed: impl FnOnce(&mut Config),
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let decisions = run_into(dir.path(), prover, save_to, files, changed).decisions;
        Self { dir, decisions }
    }

    /// The rows of a split, in order.
    fn rows(&self, split: &str) -> Vec<OutRow> {
        rows::read(&self.dir.path().join(format!("{split}.parquet")))
    }
}

fn run_into(
    dir: &Path,
    prover: &dyn Prover,
    save_to: Option<PathBuf>,
    files: &[PathBuf],
    changed: impl FnOnce(&mut Config),
) -> Finished {
    let mut config = Config::default();
    config.output.dir = dir.to_owned();
    // The search has tests of its own: what others look at does not depend on it, and takes its time.
    config.fixes.level = FixLevel::Safe;
    changed(&mut config);
    let inputs: Vec<Input> = files.iter().map(Input::new).collect();
    pipeline::run(&config, &inputs, Provers { first: prover, second: None, agents: None }, save_to, &Silent).unwrap()
}

/// Formulas exactly as they came.
fn strict(config: &mut Config) {
    config.fixes.level = FixLevel::None;
}

/// The content of every file of a folder but the one that holds times, by name.
fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if name != "timings.parquet" && name != "report.html" {
            files.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    files
}
