//! `refolio explain`

use std::path::Path;
use std::process::ExitCode;

use super::args::{ExplainArgs, ExplainFormat, ExplainOutput};
use super::choose::{self, Place};
use super::config::{load, prover_sources, second_prover};
use super::error::CliError;
use super::inputs;
use super::output::Output;
use crate::config::FixLevel;
use crate::emit::seal_text;
use crate::explain::{self, Detail, Explanation, document};
use crate::ingest;
use crate::lint::logic;
use crate::lint::report::Colour;
use crate::pipeline::{RunError, examine};
use crate::prove::{Prover, cancel, discover};
use crate::record::Row;
use crate::verify::{Lowering, Reading, same_story, unused_premises};

pub(super) fn explain(args: &ExplainArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let mut config = load(&args.source)?;
    if let Some(fixes) = args.fixes {
        config.fixes.level = fixes.into();
    }
    if let Some(dialect) = &args.dialect {
        config.dataset.dialect.clone_from(dialect);
    }
    let mut inputs = if args.input.is_empty() { config.inputs()? } else { args.input.clone() };
    let place = Place::of(args, &inputs);
    if let Some(place) = &place
        && inputs.iter().all(|input| !place.is_in(input))
    {
        inputs = vec![ingest::Input::new(&place.file)];
    }
    if inputs.is_empty() {
        return Err(RunError::NoInputs.into());
    }
    if config.fixes.level == FixLevel::Agents {
        // Telling must cost nothing.
        config.fixes.level = FixLevel::Search;
        output.note(
            "without what language models have proposed; `refolio run` keeps that in the columns edits and critique",
        );
    }
    ctrlc::set_handler(cancel::request)?;
    let inputs = inputs::resolve(&inputs, output)?;
    config.search.prior = inputs::resolve_file(&config.search.prior, output)?;
    let dataset = ingest::read(&inputs, &config.ingest_options()?)?;
    let chosen = match &place {
        Some(place) => choose::by_place(&dataset, &inputs, place)?,
        None => choose::by_id(&dataset, args.id.as_deref().unwrap_or_default())?,
    };
    let Some(record) = dataset.records.get(chosen) else { return Err(choose::nothing(args).into()) };

    let selection = config.selection()?;
    let story_is_wanted = config.lint.semantic && selection.has(logic::UNUSED_PREMISE);
    let same = |(i, other): (usize, &_)| (i == chosen || (story_is_wanted && same_story(record, other))).then_some(i);
    let story: Vec<usize> = dataset.records.iter().enumerate().filter_map(same).collect();
    let prover = discover::discover(&prover_sources(&config))?;
    let second = second_prover(&config)?;
    let provers =
        crate::pipeline::Provers { first: &prover, second: second.as_ref().map(|e| e as &dyn Prover), agents: None };
    let mut rows = examine(&config, &dataset, &story, provers)?;
    let of_story = unused_premises(&rows.iter().collect::<Vec<_>>());
    let at = story.iter().position(|i| *i == chosen).filter(|at| *at < rows.len());
    let Some(at) = at else { return Err(choose::nothing(args).into()) };
    let mut row = rows.swap_remove(at);
    row.diagnostics.extend(of_story.into_iter().filter(|_| story_is_wanted));
    row.diagnostics.sort_by(|a, b| (a.target, a.span, a.code).cmp(&(b.target, b.span, b.code)));

    let reading = Reading::new(&row.premises_fol, row.conclusion_fol.as_deref(), config.reading());
    let explanation = explain::explain(&row, &reading);
    let subject = Subject { row: &row, reading: &reading, lowering: config.lowering(), explanation: &explanation };
    subject.print(&args.output, Detail::Full, output)?;
    Ok(ExitCode::SUCCESS)
}

/// What is to be printed, in one way or another.
pub(super) struct Subject<'a> {
    pub(super) row: &'a Row,
    pub(super) reading: &'a Reading,
    pub(super) lowering: Lowering,
    pub(super) explanation: &'a Explanation,
}

impl Subject<'_> {
    pub(super) fn print(&self, how: &ExplainOutput, detail: Detail, output: &Output) -> Result<(), CliError> {
        let text = self.text(how, detail, output)?;
        match &how.output {
            None => output.print(&text),
            Some(path) => write(path, &text),
        }
    }

    fn text(&self, how: &ExplainOutput, detail: Detail, output: &Output) -> Result<String, CliError> {
        if how.tptp {
            let problem = explain::problem(self.row, self.reading, &self.lowering);
            let problem = problem.ok_or_else(|| CliError::Nothing("problem", self.row.verdict))?;
            return Ok(problem.to_annotated_tptp());
        }
        if how.proof {
            let derivation = self.row.proof.as_ref().and_then(|proof| proof.derivation.clone());
            return derivation.ok_or_else(|| CliError::Nothing("derivation", self.row.verdict));
        }
        let said = || document(self.explanation, detail);
        Ok(match how.format {
            ExplainFormat::Text => {
                let colour = if how.output.is_none() && output.colour() { Colour::Ansi } else { Colour::Plain };
                explain::text(&said(), colour)
            }
            ExplainFormat::Markdown => explain::markdown(&said()),
            ExplainFormat::Html => explain::html(&said()),
            ExplainFormat::Json => explain::json(self.explanation),
        })
    }
}

/// Writes a file that appears whole or not at all.
fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let sealed = seal_text(folder, &name, text).map_err(RunError::from)?;
    sealed.publish().map_err(RunError::from)?;
    Ok(())
}
