//! `refolio prove`

use std::fs;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::Path;
use std::process::ExitCode;

use super::args::{ProveArgs, Syntax};
use super::config::{load, prover_sources, second_prover};
use super::error::{CliError, INPUT};
use super::explain::Subject;
use super::output::Output;
use crate::config::Config;
use crate::explain::Detail;
use crate::fol::tptp::looks_like_problem;
use crate::pipeline::{Provers, RunError};
use crate::posed::{self, Posed, PosedError};
use crate::prove::{Prover, cancel, discover};
use crate::record::Verdict;

pub(super) fn prove(args: &ProveArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let config = load(&args.source)?;
    let posed = question(args, &config)?;
    ctrlc::set_handler(cancel::request)?;
    let prover = discover::discover(&prover_sources(&config))?;
    let second = second_prover(&config)?;
    let provers = Provers { first: &prover, second: second.as_ref().map(|e| e as &dyn Prover), agents: None };
    let row = posed::answer(&posed, &config, provers);
    if cancel::is_requested() {
        return Err(RunError::Interrupted.into());
    }
    let explanation = posed::explanation(&posed, &row);
    let subject =
        Subject { row: &row, reading: &posed.reading, lowering: config.lowering(), explanation: &explanation };
    subject.print(&args.output, Detail::Short, output)?;
    Ok(ExitCode::from(match row.verdict {
        Verdict::Unparsed => INPUT,
        Verdict::Unformalised if !posed.reading.unreadable().is_empty() => INPUT,
        Verdict::Undetermined => 1,
        Verdict::Unformalised if row.evidence.is_none() => 1,
        _ => 0,
    }))
}

/// The question, from the arguments, a file or standard input.
fn question(args: &ProveArgs, config: &Config) -> Result<Posed, CliError> {
    let options = config.reading();
    let typed = !args.premise.is_empty() || args.conclusion.is_some();
    if typed && args.file.is_none() {
        if let Some(name) = args.conclusion.as_ref().filter(|c| args.premise.is_empty() && Path::new(c).is_file()) {
            return Err(CliError::FileAsFormula(name.clone()));
        }
        if args.syntax == Some(Syntax::Tptp) {
            return Err(CliError::TptpArguments);
        }
        let conclusion = args.conclusion.clone().filter(|_| !args.consistency);
        return posed::formulas(args.premise.clone(), conclusion, "argument", options)
            .map_err(|error| CliError::posed("argument", "", error));
    }
    let (name, text) = read(args.file.as_deref())?;
    let is_tptp = args.syntax.map_or_else(|| looks_like_problem(&text), |syntax| syntax == Syntax::Tptp);
    let posed = match is_tptp {
        true => posed::tptp(&text, &name, options, args.consistency),
        false => posed::folio(&text, &name, options, args.consistency),
    };
    posed.map_err(|error| CliError::posed(&name, &text, error))
}

/// What is read is named as it is in messages.
fn read(file: Option<&Path>) -> Result<(String, String), CliError> {
    let (name, read) = match file.filter(|path| *path != Path::new("-")) {
        Some(path) => (path.display().to_string(), fs::read(path)),
        None if file.is_none() && io::stdin().is_terminal() => return Err(CliError::NoQuestion),
        None => {
            let mut bytes = Vec::new();
            ("standard input".to_owned(), io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes))
        }
    };
    let unreadable = |source| CliError::Unreadable { name: name.clone(), source };
    let text = String::from_utf8(read.map_err(unreadable)?)
        .map_err(|e| unreadable(io::Error::new(io::ErrorKind::InvalidData, e)))?;
    Ok((name, text))
}

impl CliError {
    fn posed(name: &str, text: &str, error: PosedError) -> Self {
        Self::Posed { name: name.to_owned(), text: text.to_owned(), error }
    }
}
