//! `refolio lint --fix`

use std::collections::{BTreeMap, BTreeSet};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::error::CliError;
use super::output::Output;
use crate::diagnostic::Applicability;
use crate::fol::QuantifierScope;
use crate::ingest::rewrite::{Change, RewriteError, record_path, rewrite};
use crate::ingest::{Dataset, Format, Input, Options};
use crate::lint::{ParsedRecord, Selection, check_record};
use crate::pipeline::RunError;
use crate::prove::cancel;
use crate::record::Record;
use crate::refine::apply_fixes;

/// Which fixes are applied.
pub(super) struct How<'a> {
    pub(super) selection: &'a Selection,
    pub(super) scope: QuantifierScope,
    pub(super) up_to: Applicability,
}

/// Applies fixes to the files that `dataset` was read from, in place; whether any file was changed.
pub(super) fn fix(
    inputs: &[Input],
    options: &Options,
    dataset: &Dataset,
    how: &How<'_>,
    pool: &ThreadPool,
    output: &Output,
) -> Result<bool, CliError> {
    // Nothing is written if one of the files cannot be.
    if let Some((input, file)) = inputs.iter().zip(&dataset.files).find(|(_, file)| file.format == Format::Parquet) {
        return Err(RewriteError::Unsupported { file: input.path.clone(), format: file.format }.into());
    }
    let mut changed = false;
    let mut seen = BTreeSet::new();
    let mut rest = dataset.records.as_slice();
    for (input, file) in inputs.iter().zip(&dataset.files) {
        let rows = usize::try_from(file.rows).unwrap_or(usize::MAX).min(rest.len());
        let (records, others) = rest.split_at(rows);
        rest = others;
        // A file that is named twice is mended once.
        if !seen.insert(input.path.canonicalize().unwrap_or_else(|_| input.path.clone())) {
            continue;
        }
        let changes: Vec<Change<'_>> = pool.install(|| records.par_iter().filter_map(|r| mended(r, how)).collect());
        if cancel::is_requested() {
            return Err(RunError::Interrupted.into());
        }
        if rewrite(input, options, file, records, &changes)? {
            changed = true;
            output.note(&told(input, &changes));
        } else {
            output.note(&format!("nothing to fix in {}", input.path.display()));
        }
    }
    Ok(changed)
}

/// The record with its fixes, if they come to a change.
fn mended<'a>(record: &'a Record, how: &How<'_>) -> Option<Change<'a>> {
    if !record.is_readable() || cancel::is_requested() {
        return None;
    }
    let found = check_record(&ParsedRecord::new(record, how.scope).context(record));
    let fixed = apply_fixes(record, &found, how.selection, how.scope, how.up_to);
    let same = fixed.premises_fol == record.premises_fol && fixed.conclusion_fol == record.conclusion_fol;
    (!same).then(|| Change {
        record,
        premises_fol: fixed.premises_fol,
        conclusion_fol: fixed.conclusion_fol,
        edits: fixed.edits,
    })
}

/// `fixed 12 findings in 9 rows of FILE (S101 8, S130 4)`, and where each edit is recorded.
fn told(input: &Input, changes: &[Change<'_>]) -> String {
    let mut by_rule: BTreeMap<&str, usize> = BTreeMap::new();
    for edit in changes.iter().flat_map(|c| &c.edits) {
        *by_rule.entry(&edit.rule).or_default() += 1;
    }
    let total: usize = by_rule.values().sum();
    let mut rules: Vec<_> = by_rule.into_iter().collect();
    rules.sort_by(|(a, n), (b, m)| m.cmp(n).then(a.cmp(b)));
    let rules: Vec<String> = rules.into_iter().map(|(code, n)| format!("{code} {n}")).collect();
    format!(
        "fixed {} in {} of {} ({}); every edit is recorded in {}",
        counted(total, "finding"),
        counted(changes.len(), "row"),
        input.path.display(),
        rules.join(", "),
        record_path(&input.path).display()
    )
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
