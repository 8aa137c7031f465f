//! `refolio audit`

use std::process::ExitCode;

use super::args::{AuditArgs, AuditFailOn, AuditFormat};
use super::config::{load, open_cache, prover_sources, tell_cache};
use super::error::CliError;
use super::output::Output;
use crate::audit::{self, Totals};
use crate::ingest::{self, Options};
use crate::pipeline::RunError;
use crate::prove::cache::Cached;
use crate::prove::{Prover, cancel, discover};
use crate::refine::{Bench, Case};
use crate::verify::Asker;

pub(super) fn audit(args: &AuditArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let config = load(&args.source)?;
    ctrlc::set_handler(cancel::request)?;
    // Versions are of whatever dialects they are; the configuration's is that of its own inputs.
    let options = Options { dialect: None, ..config.ingest_options()? };
    let old = ingest::read(std::slice::from_ref(&args.old), &options)?;
    let new = ingest::read(std::slice::from_ref(&args.new), &options)?;
    let prover = discover::discover_in(&prover_sources(&config), config.prover.mode)?;
    let cache = open_cache(&config, output);
    let cached = cache.as_ref().map(|cache| Cached::new(&*prover, cache));
    let asked: &dyn Prover = cached.as_ref().map_or(&*prover, |cached| cached);
    let (schedule, lowering) = (config.schedule(), config.lowering());
    let asker = Asker::new(asked, &schedule, None);
    let bench = Bench { lowering: &lowering, asker: &asker };
    let (selection, reading) = (config.selection()?, config.reading());
    let (old, new) = (old.records, new.records);
    let audited = audit::audit(&old, &new, &bench, |record| Case::new(record, &selection, reading, &bench));
    tell_cache(cache.as_ref(), output);
    if cancel::is_requested() {
        return Err(RunError::Interrupted.into());
    }
    if let Some(reason) = asker.prover_lost() {
        return Err(RunError::Prover(reason).into());
    }
    if let Some(path) = &args.out {
        audit::write(path, &audited, &old, &new)?;
        output.note(&format!("wrote {} rows to {}", audited.len(), path.display()));
    }
    output.print(&match args.format {
        AuditFormat::Text => audit::text(&audited, &old, &new, false),
        AuditFormat::Markdown => audit::text(&audited, &old, &new, true),
        AuditFormat::Json => serde_json::to_string_pretty(&audit::json(&audited, &old, &new))? + "\n",
    })?;
    let totals = Totals::of(&audited);
    let is_met = |condition: &AuditFailOn| match condition {
        AuditFailOn::Label => totals.labels > 0,
        AuditFailOn::Formula => totals.meanings > 0,
        AuditFailOn::Sentence => totals.premises + totals.conclusions > 0,
        AuditFailOn::Row => totals.added + totals.dropped > 0,
    };
    Ok(ExitCode::from(u8::from(args.fail_on.iter().any(is_met))))
}
