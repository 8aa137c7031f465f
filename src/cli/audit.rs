//! `refolio audit`

use std::process::ExitCode;

use super::args::{AuditArgs, AuditFailOn, AuditFormat};
use super::config::{load, with_bench};
use super::error::CliError;
use super::inputs;
use super::output::Output;
use crate::audit::{self, Totals};
use crate::ingest::{self, Options};
use crate::prove::cancel;
use crate::refine::Case;

pub(super) fn audit(args: &AuditArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let config = load(&args.source)?;
    ctrlc::set_handler(cancel::request)?;
    // Versions are of whatever dialects they are; the configuration's is that of its own inputs.
    let options = Options { dialect: None, ..config.ingest_options()? };
    let old = ingest::read(&inputs::resolve(std::slice::from_ref(&args.old), output)?, &options)?;
    let new = ingest::read(&inputs::resolve(std::slice::from_ref(&args.new), output)?, &options)?;
    let (selection, reading) = (config.selection()?, config.reading());
    let (old, new) = (old.records, new.records);
    let audited = with_bench(&config, output, |bench| {
        audit::audit(&old, &new, bench, |record| Case::new(record, &selection, reading, bench))
    })?;
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
