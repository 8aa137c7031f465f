//! `refolio stats`

use std::process::ExitCode;

use super::args::{StatsArgs, StatsFailOn, StatsFormat};
use super::config::load;
use super::error::CliError;
use super::inputs::resolve;
use super::lint::pool;
use super::output::Output;
use super::versions::versions;
use crate::ingest;
use crate::pipeline::RunError;
use crate::stats::{self, Level, Stats};

pub(super) fn stats(args: &StatsArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let mut config = load(&args.source)?;
    if let Some(dialect) = &args.dialect {
        config.dataset.dialect.clone_from(dialect);
    }
    let mut inputs = Vec::new();
    for text in &args.inputs {
        inputs.extend(resolve(&versions(text)?, output)?);
    }
    if args.inputs.is_empty() {
        inputs = resolve(&config.inputs()?, output)?;
    }
    if inputs.is_empty() {
        return Err(RunError::NoInputs.into());
    }
    let dataset = ingest::read(&inputs, &config.ingest_options()?)?;
    let options = stats::Options { scope: config.parse.quantifier_scope, ..stats::Options::default() };
    let stats = pool(&config)?.install(|| Stats::of(&dataset.records, options))?;
    if let Some(path) = &args.out {
        stats::write(path, &stats.pairs, &dataset.records)?;
        output.note(&format!("wrote {} pairs to {}", stats.pairs.len(), path.display()));
    }
    output.print(&match args.format {
        StatsFormat::Text => stats::text(&stats),
        StatsFormat::Markdown => stats::markdown(&stats),
        StatsFormat::Json => serde_json::to_string_pretty(&stats::json(&stats))? + "\n",
    })?;
    let leaks = |of_sentences: bool| {
        stats.duplicates.iter().any(|found| found.level.is_of_sentences() == of_sentences && !found.between.is_empty())
    };
    let is_met = |condition: &StatsFailOn| match condition {
        StatsFailOn::Leakage => leaks(true),
        StatsFailOn::FormulaLeakage => leaks(false),
        StatsFailOn::Duplicates => stats.duplicates(Level::RecordSentences).is_some_and(|found| found.groups > 0),
        StatsFailOn::Unparsed => stats.splits.iter().any(|s| s.formulas_read < s.formulas || s.unreadable > 0),
    };
    Ok(ExitCode::from(u8::from(args.fail_on.iter().any(is_met))))
}
