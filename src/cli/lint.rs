//! `refolio lint`

use std::process::ExitCode;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::args::{LintArgs, LintFormat};
use super::config::{load, open_cache, prover_sources, tell_cache};
use super::error::CliError;
use super::fix;
use super::inputs;
use super::output::Output;
use crate::config::Config;
use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::ingest::{self, Dataset, Input};
use crate::lint::report::{self, Colour, Finding};
use crate::lint::{ParsedRecord, Selection, check_dataset, check_record};
use crate::pipeline::{RunError, point_into_original};
use crate::prove::cache::Cached;
use crate::prove::{Prover, cancel, discover};
use crate::record::Record;
use crate::refine::apply_safe_fixes;
use crate::verify::{Asker, Reading, check_alternatives, check_annotations};

pub(super) fn lint(args: &LintArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let mut config = load(&args.source)?;
    if let Some(dialect) = &args.dialect {
        config.dataset.dialect.clone_from(dialect);
    }
    args.cache.lay_over(&mut config);
    let selection = selection(args, &config)?;
    let options = config.ingest_options()?;
    let pool = pool(&config)?;
    if args.fix || args.semantic {
        // Ctrl-C stops the provers, and no file is left half-written.
        ctrlc::set_handler(cancel::request)?;
    }
    if let Some(remote) = args.files.iter().find(|input| args.fix && input.is_on_hub()) {
        return Err(CliError::RemoteFix(remote.path.display().to_string()));
    }
    let files = inputs::resolve(&args.files, output)?;
    let mut dataset = ingest::read(&files, &options)?;
    if args.fix {
        let up_to = if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
        let how = fix::How { selection: &selection, scope: config.parse.quantifier_scope, up_to };
        if fix::fix(&files, &options, &dataset, &how, &pool, output)? {
            dataset = ingest::read(&files, &options)?;
        }
    }
    let mut found = pool.install(|| findings(&dataset, &config));
    if args.semantic {
        semantic(&dataset, &config, &selection, &pool, &mut found, output)?;
    }
    let findings: Vec<Finding> = dataset
        .records
        .iter()
        .zip(paths(&files, &dataset))
        .zip(found)
        .flat_map(|((record, path), mut diagnostics)| {
            diagnostics.retain(|d| selection.has(d.code));
            diagnostics.sort_by(|a, b| (a.target, a.span, a.code).cmp(&(b.target, b.span, b.code)));
            let mut findings = Finding::all(record, diagnostics);
            findings.iter_mut().for_each(|f| f.file.clone_from(&path));
            findings
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

/// For each record the path of its file as it was given, so that an editor or a code host finds it.
fn paths(files: &[Input], dataset: &Dataset) -> Vec<String> {
    let counts = files.iter().zip(&dataset.files);
    // A file that was fetched is found by its address.
    let name = |input: &Input| match &input.origin {
        Some(origin) => origin.address.clone(),
        None => input.path.display().to_string(),
    };
    counts.flat_map(|(input, file)| (0..file.rows).map(move |_| name(input))).collect()
}

fn selection(args: &LintArgs, config: &Config) -> Result<Selection, CliError> {
    let select = if args.select.is_empty() { &config.lint.select } else { &args.select };
    let ignore = if args.ignore.is_empty() { &config.lint.ignore } else { &args.ignore };
    Ok(Selection::new(select, ignore)?)
}

/// As many threads as `run` would use.
pub(super) fn pool(config: &Config) -> Result<ThreadPool, RunError> {
    let jobs = config.run.jobs;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    pool.map_err(|e| RunError::Threads { jobs, reason: e.to_string() })
}

/// What the rules without a prover find, for each record.
fn findings(dataset: &Dataset, config: &Config) -> Vec<Vec<Diagnostic>> {
    let scope = config.parse.quantifier_scope;
    let check = |record: &Record| {
        let mut found = record.diagnostics.clone();
        if record.is_readable() {
            found.extend(check_record(&ParsedRecord::new(record, scope).context(record)));
        }
        found
    };
    let mut out: Vec<Vec<Diagnostic>> = dataset.records.par_iter().map(check).collect();
    for (index, diagnostic) in check_dataset(&dataset.records) {
        if let Some(found) = out.get_mut(index) {
            found.push(diagnostic);
        }
    }
    out
}

/// Adds what the rules with a prover find.
fn semantic(
    dataset: &Dataset,
    config: &Config,
    selection: &Selection,
    pool: &ThreadPool,
    out: &mut [Vec<Diagnostic>],
    output: &Output,
) -> Result<(), CliError> {
    let prover = discover::discover_in(&prover_sources(config), config.prover.mode)?;
    let cache = open_cache(config, output);
    let cached = cache.as_ref().map(|cache| Cached::new(&*prover, cache));
    let asked: &dyn Prover = cached.as_ref().map_or(&*prover, |cached| cached);
    let schedule = config.schedule();
    let lowering = config.lowering();
    let asker = Asker::new(asked, &schedule, None);
    let check = |(record, found): (&Record, &mut Vec<Diagnostic>)| {
        if record.is_readable() && !cancel::is_requested() {
            let options = config.reading();
            let reading = Reading::new(&record.premises_fol, record.conclusion_fol.as_deref(), options);
            // The safe fixes are made only to tell which of them could have been made otherwise.
            let mut fixed = apply_safe_fixes(record, found, selection, options.scope);
            found.extend(check_annotations(&reading, &lowering, &asker));
            for mut diagnostic in check_alternatives(&mut fixed.edits, options, &lowering, &asker) {
                point_into_original(&mut diagnostic, record, &fixed);
                found.push(diagnostic);
            }
        }
    };
    pool.install(|| dataset.records.par_iter().zip(out.par_iter_mut()).for_each(check));
    tell_cache(cache.as_ref(), output);
    if cancel::is_requested() {
        return Err(RunError::Interrupted.into());
    }
    if let Some(reason) = asker.prover_lost() {
        return Err(RunError::Prover(reason).into());
    }
    Ok(())
}
