//! What the tests of this folder share.

use std::time::Duration;

use super::Settings;
use crate::lint::Selection;
use crate::prove::{Attempt, Identity, Origin, Problem, Prover, Reason, Run, Schedule};
use crate::record::{Label, Record};
use crate::refine::{Bench, SearchOptions};
use crate::verify::{Asker, Lowering, ReadingOptions};

/// A prover that never answers: grounding has to.
struct Silent(Identity);

impl Prover for Silent {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn run(&self, _problem: &Problem, _attempt: &Attempt, _memory_mb: u64) -> Run {
        Run { outcome: Err(Reason::GaveUp), wall: Duration::ZERO }
    }
}

pub(super) fn with_bench<T>(f: impl FnOnce(&Bench<'_>) -> T) -> T {
    let prover = Silent(Identity {
        name: "silent".to_owned(),
        version: "1".to_owned(),
        origin: Origin::Given,
        sha256: String::new(),
        path: "silent".into(),
    });
    let (schedule, lowering) = (Schedule::default(), Lowering::default());
    let asker = Asker::new(&prover, &schedule, None);
    f(&Bench { lowering: &lowering, asker: &asker })
}

pub(super) fn settings() -> Settings {
    Settings {
        selection: Selection::everything(),
        reading: ReadingOptions::default(),
        search: SearchOptions::default(),
    }
}

pub(super) fn record(id: &str, premises: &[&str], conclusion: &str, label: Label) -> Record {
    Record {
        record_id: id.to_owned(),
        premises: premises.iter().map(|_| "Something is so.".to_owned()).collect(),
        premises_fol: premises.iter().map(|&p| p.to_owned()).collect(),
        conclusion: "Something else is so.".to_owned(),
        conclusion_fol: Some(conclusion.to_owned()),
        label: Some(label),
        label_text: Some(label.to_string()),
        ..Record::default()
    }
}
