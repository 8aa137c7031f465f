//! `refolio lint`

use std::process::ExitCode;

use super::args::{LintArgs, LintFormat};
use super::config::{load, prover_sources};
use super::error::CliError;
use super::output::Output;
use crate::config::Config;
use crate::diagnostic::{Diagnostic, Severity};
use crate::ingest::{self, Dataset};
use crate::lint::report::{self, Colour, Finding};
use crate::lint::{ParsedRecord, Selection, check_dataset, check_record};
use crate::prove::discover;
use crate::record::Record;
use crate::verify::{Asker, Reading, check_annotations};

pub(super) fn lint(args: &LintArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let mut config = load(&args.source)?;
    if let Some(dialect) = &args.dialect {
        config.dataset.dialect.clone_from(dialect);
    }
    let selection = selection(args, &config)?;
    let dataset = ingest::read(&args.files, &config.ingest_options()?)?;
    let mut found = findings(&dataset, &config);
    if args.semantic {
        semantic(&dataset, &config, &mut found)?;
    }
    let findings: Vec<Finding> = dataset
        .records
        .iter()
        .zip(found)
        .flat_map(|(record, mut diagnostics)| {
            diagnostics.retain(|d| selection.has(d.code));
            diagnostics.sort_by(|a, b| (a.target, a.span, a.code).cmp(&(b.target, b.span, b.code)));
            diagnostics.into_iter().map(|d| Finding::new(record, d)).collect::<Vec<_>>()
        })
        .collect();
    let colour = if output.colour() { Colour::Ansi } else { Colour::Plain };
    let text = match args.format {
        LintFormat::Text => report::text(&findings, colour, 140) + &report::summary(&findings),
        LintFormat::Json => report::json(&findings),
        LintFormat::Sarif => report::sarif(&findings),
        LintFormat::Github => report::github(&findings),
    };
    output.print(&text)?;
    let errors = findings.iter().any(|f| f.diagnostic.severity == Severity::Error);
    Ok(ExitCode::from(u8::from(errors)))
}

fn selection(args: &LintArgs, config: &Config) -> Result<Selection, CliError> {
    let select = if args.select.is_empty() { &config.lint.select } else { &args.select };
    let ignore = if args.ignore.is_empty() { &config.lint.ignore } else { &args.ignore };
    Ok(Selection::new(select, ignore)?)
}

/// What the rules without a prover find, for each record.
fn findings(dataset: &Dataset, config: &Config) -> Vec<Vec<Diagnostic>> {
    let scope = config.parse.quantifier_scope;
    let mut out: Vec<Vec<Diagnostic>> = dataset
        .records
        .iter()
        .map(|record| {
            let mut found = record.diagnostics.clone();
            if record.is_readable() {
                found.extend(check_record(&ParsedRecord::new(record, scope).context(record)));
            }
            found
        })
        .collect();
    for (index, diagnostic) in check_dataset(&dataset.records) {
        if let Some(found) = out.get_mut(index) {
            found.push(diagnostic);
        }
    }
    out
}

/// Adds what the rules with a prover find.
fn semantic(dataset: &Dataset, config: &Config, out: &mut [Vec<Diagnostic>]) -> Result<(), CliError> {
    let prover = discover::discover(&prover_sources(config))?;
    let schedule = config.schedule();
    let asker = Asker::new(&prover, &schedule, None);
    let readable = |(record, _): &(&Record, &mut Vec<Diagnostic>)| record.is_readable();
    for (record, found) in dataset.records.iter().zip(out.iter_mut()).filter(readable) {
        let reading = Reading::new(&record.premises_fol, record.conclusion_fol.as_deref(), config.reading());
        found.extend(check_annotations(&reading, &config.lowering(), &asker));
    }
    Ok(())
}
