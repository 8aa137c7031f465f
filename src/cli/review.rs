//! `refolio review`

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::args::{ExchangeFormat, ReviewArgs};
use super::config::{load, prover_sources};
use super::error::CliError;
use super::output::Output;
use crate::config::Config;
use crate::decision::{self, Ledger, agreement, settle};
use crate::emit::{MANIFEST_FILE, seal_text};
use crate::pipeline::{RunError, decisions_path};
use crate::prove::{cancel, discover};
use crate::record::Row;
use crate::review::{Address, Desk, Exchange, Scales, exchange, serve};

/// Disagreements that are told one by one.
const TOLD: usize = 50;

pub(super) fn review(args: &ReviewArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let mut config = load(&args.source)?;
    if let Some(dir) = &args.dir {
        config.output.dir.clone_from(dir);
    }
    if let Some(decisions) = &args.decisions {
        config.review.decisions.clone_from(decisions);
    }
    let path = decisions_path(&config);
    if args.agreement {
        let decisions = decision::read(&path)?;
        output.print(&told(&decisions))?;
        return Ok(ExitCode::SUCCESS);
    }
    if !args.merge.is_empty() {
        return merge(&path, &args.merge, output);
    }
    let dir = config.output.dir.clone();
    as_run(&mut config, &dir)?;
    let rows = rows(&dir)?;
    if let (Some(format), Some(to)) = (args.export, &args.output) {
        let desk = desk(rows, &config, args, &path)?;
        return export(&desk, format, to, output);
    }
    if let Some(from) = &args.import {
        let desk = desk(rows, &config, args, &path)?;
        return import(&desk, from, output);
    }
    ctrlc::set_handler(cancel::request)?;
    let desk = desk(rows, &config, args, &path)?;
    let (_, progress) = desk.queue();
    output.note(&format!(
        "{} rows to review, {} decided by {}; decisions go to {}; Ctrl-C ends",
        progress.rows,
        progress.decided,
        desk.reviewer(),
        path.display()
    ));
    if !args.host.is_loopback() {
        output.note("this page is open to other machines: whoever has the address can decide");
    }
    let mut printed = Ok(());
    serve(desk, &Address { host: args.host, port: args.port }, |url| printed = output.print(url))?;
    printed?;
    Ok(ExitCode::SUCCESS)
}

/// Formulas are read as the run read them.
fn as_run(config: &mut Config, dir: &Path) -> Result<(), CliError> {
    let path = dir.join(MANIFEST_FILE);
    let unreadable = |source| CliError::Unreadable { name: path.display().to_string(), source };
    let text = fs::read_to_string(&path).map_err(unreadable)?;
    let manifest: serde_json::Value = serde_json::from_str(&text)?;
    let section = |name: &str| manifest["config"][name].clone();
    config.parse = serde_json::from_value(section("parse"))?;
    config.lint = serde_json::from_value(section("lint"))?;
    config.verify.unique_names = section("verify")["unique_names"].as_bool().unwrap_or(config.verify.unique_names);
    Ok(())
}

fn rows(dir: &Path) -> Result<Vec<Row>, CliError> {
    let mut rows = Vec::new();
    crate::emit::read_rows(dir, |row| rows.push(row))?;
    Ok(rows)
}

fn desk(rows: Vec<Row>, config: &Config, args: &ReviewArgs, path: &Path) -> Result<Desk, CliError> {
    let by = args.by.clone().or_else(|| std::env::var("USER").ok()).filter(|by| !by.trim().is_empty());
    let by = by.ok_or(CliError::NoReviewer)?;
    let prover = discover::discover_in(&prover_sources(config), config.prover.mode)?;
    let scales = Scales::new(config, prover).map_err(RunError::from)?;
    Ok(Desk::new(rows, scales, Ledger::open(path)?, by.trim()))
}

fn merge(path: &Path, others: &[PathBuf], output: &Output) -> Result<ExitCode, CliError> {
    let mut ledger = Ledger::open(path)?;
    let before = ledger.decisions().len();
    let read = others.iter().map(|other| decision::read(other)).collect::<Result<Vec<_>, _>>()?;
    for decision in decision::merge(read) {
        ledger.append(decision)?;
    }
    let decisions = ledger.decisions();
    output.note(&format!("{} decisions taken in, {} in all", decisions.len() - before, decisions.len()));
    output.print(&told(decisions))?;
    Ok(ExitCode::SUCCESS)
}

/// How far reviewers agree, in words.
fn told(decisions: &[decision::Decision]) -> String {
    let settled = settle(decisions);
    let mut out = String::new();
    for pair in agreement(decisions) {
        let kappa = pair.kappa.map_or_else(|| "not defined".to_owned(), |kappa| format!("{kappa:.3}"));
        let _ = writeln!(
            out,
            "{} and {}: {} rows in common, the same choice on {}, the same formulas too on {}; Cohen's κ {kappa}",
            pair.first, pair.second, pair.rows, pair.same, pair.identical
        );
    }
    if out.is_empty() {
        out.push_str("there is only one reviewer\n");
    }
    let disagreements: Vec<_> = settled.disagreements().collect();
    let _ = writeln!(out, "{} rows decided, {} with disagreements", settled.records.len(), disagreements.len());
    for (id, decisions) in disagreements.iter().take(TOLD) {
        let _ = writeln!(out, "  {id}: {}", decision::told(decisions));
    }
    if disagreements.len() > TOLD {
        let _ = writeln!(out, "  and {} more", disagreements.len() - TOLD);
    }
    out
}

fn export(desk: &Desk, format: ExchangeFormat, to: &Path, output: &Output) -> Result<ExitCode, CliError> {
    let format = match format {
        ExchangeFormat::LabelStudio => Exchange::LabelStudio,
        ExchangeFormat::Argilla => Exchange::Argilla,
        ExchangeFormat::Csv => Exchange::Csv,
    };
    let tasks = desk.tasks();
    for (suffix, text) in exchange::export(format, &tasks)? {
        let path = suffix.map_or_else(|| to.to_owned(), |suffix| to.with_extension(suffix));
        write(&path, &text)?;
        output.note(&format!("wrote {}", path.display()));
    }
    output.note(&format!("{} rows; `refolio review --import FILE` takes the decisions back", tasks.len()));
    Ok(ExitCode::SUCCESS)
}

fn import(desk: &Desk, from: &Path, output: &Output) -> Result<ExitCode, CliError> {
    let unreadable = |source| CliError::Unreadable { name: from.display().to_string(), source };
    let text = fs::read_to_string(from).map_err(unreadable)?;
    let imported = exchange::import(&text, &from.display().to_string())?;
    let mut kept = 0_usize;
    let mut refused: Vec<String> = imported.refused.iter().map(ToString::to_string).collect();
    for answer in &imported.answers {
        match desk.take(answer) {
            Ok(_) => kept += 1,
            Err(error) => refused.push(format!("{}: {error}", answer.asked.id)),
        }
    }
    output.note(&format!("{kept} decisions taken in, {} refused", refused.len()));
    for line in refused.iter().take(TOLD) {
        output.note(&format!("  {line}"));
    }
    Ok(ExitCode::from(u8::from(!refused.is_empty())))
}

fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    seal_text(folder, &name, text).and_then(crate::emit::Sealed::publish).map_err(RunError::from)?;
    Ok(())
}
