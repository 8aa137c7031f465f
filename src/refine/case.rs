//! What the ladder climbs with: the records of one story, mended as far as the rungs below reach.

use super::bench::Bench;
use super::fixes::{Fixed, apply_safe_fixes};
use crate::fol::Formula;
use crate::lint::{ParsedRecord, Selection, check_record};
use crate::record::{Record, Verdict};
use crate::verify::{Reading, ReadingOptions};

/// One record of a story as it stands.
#[derive(Debug, Clone)]
pub struct Case<'a> {
    /// As it came.
    pub record: &'a Record,
    /// Its formulas now, and every change so far.
    pub fixed: Fixed,
    /// The trees of these formulas.
    pub reading: Reading,
    /// The verdict on them.
    pub verdict: Verdict,
}

impl<'a> Case<'a> {
    /// A record after safe fixes, with a quick verdict.
    #[must_use]
    pub fn new(record: &'a Record, selection: &Selection, options: ReadingOptions, bench: &Bench<'_>) -> Self {
        let found = check_record(&ParsedRecord::new(record, options.scope).context(record));
        let fixed = apply_safe_fixes(record, &found, selection, options.scope);
        let reading = Reading::new(&fixed.premises_fol, fixed.conclusion_fol.as_deref(), options);
        let verdict = quick_verdict(record, &reading, bench);
        Self { record, fixed, reading, verdict }
    }

    /// Whether the verdict is the record's label.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.verdict.agreement(self.record.label) == crate::record::Agreement::Agree
    }
}

/// What [`crate::verify::judge`] would say, without evidence.
#[must_use]
pub fn quick_verdict(record: &Record, reading: &Reading, bench: &Bench<'_>) -> Verdict {
    if (reading.premises.is_empty() && !record.premises.is_empty()) || reading.conclusion.is_none() {
        return Verdict::Unformalised;
    }
    let Some(Some(conclusion)) = &reading.conclusion else { return Verdict::Unparsed };
    let premises: Vec<&Formula> = reading.premises.iter().flatten().collect();
    if premises.len() < reading.premises.len() {
        return Verdict::Unparsed;
    }
    bench.verdict(&premises, conclusion)
}
