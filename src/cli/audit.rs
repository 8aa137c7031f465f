//! `refolio audit`

use std::process::ExitCode;

use super::args::{AuditArgs, AuditFailOn, AuditFormat};
use super::config::{load, with_bench};
use super::error::CliError;
use super::inputs;
use super::lint::pool;
use super::output::Output;
use super::versions::versions;
use crate::audit::{self, Auditor, Kind, Totals};
use crate::ingest::{self, Options};
use crate::prove::cancel;

pub(super) fn audit(args: &AuditArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let config = load(&args.source)?;
    ctrlc::set_handler(cancel::request)?;
    // Versions are of whatever dialects they are; the configuration's is that of its own inputs.
    let options = Options { dialect: None, ..config.ingest_options()? };
    let read = |version: &str| {
        let inputs = inputs::resolve(&versions(version)?, output)?;
        let dataset = ingest::read(&inputs, &options)?;
        let names: Vec<&str> = dataset.files.iter().map(|file| file.name.as_str()).collect();
        let name = match names.as_slice() {
            [first, _, _, more @ ..] if !more.is_empty() => format!("{first} and {} more files", names.len() - 1),
            _ => names.join(", "),
        };
        Ok::<_, CliError>((name, dataset.records))
    };
    let ((old_name, old), (new_name, new)) = (read(&args.old)?, read(&args.new)?);
    let selection = config.selection()?;
    let pool = pool(&config)?;
    let audited = with_bench(&config, output, |bench| {
        let auditor = Auditor { selection: &selection, options: config.reading(), bench };
        pool.install(|| audit::audit(&old, &new, auditor))
    })?;
    let totals = Totals::of(&audited)?;
    if let Some(path) = &args.out {
        audit::write(path, &audited, &old, &new)?;
        output.note(&format!("wrote {} rows to {}", audited.len(), path.display()));
    }
    output.print(&match args.format {
        AuditFormat::Text => audit::text(&audited, &totals, &old, &new, false),
        AuditFormat::Markdown => audit::text(&audited, &totals, &old, &new, true),
        AuditFormat::Json => serde_json::to_string_pretty(&audit::json(&audited, &totals, &old, &new))? + "\n",
        AuditFormat::Html => {
            let table = args.out.as_ref().map(|path| path.display().to_string());
            audit::html(&audited, &totals, (&old_name, &old), (&new_name, &new), table.as_deref())?
        }
    })?;
    let is_met = |condition: &AuditFailOn| totals.kinds.keys().any(|kind| condition.means(*kind));
    Ok(ExitCode::from(u8::from(args.fail_on.iter().any(is_met))))
}

impl AuditFailOn {
    const fn means(self, kind: Kind) -> bool {
        match kind {
            Kind::Label => matches!(self, Self::Label),
            Kind::Meaning => matches!(self, Self::Formula),
            Kind::Conclusion | Kind::Premises => matches!(self, Self::Sentence),
            Kind::Order => matches!(self, Self::Order),
            Kind::Split => matches!(self, Self::Split),
            Kind::Added | Kind::Dropped => matches!(self, Self::Row),
            Kind::Formulas => false,
        }
    }
}
