//! `refolio publish`

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use super::args::PublishArgs;
use super::config::{load, with_bench};
use super::error::CliError;
use super::hub::hub;
use super::lint::pool;
use super::output::Output;
use crate::audit::{self, Auditor, Totals};
use crate::config::Config;
use crate::hub::{Address, Hub, HubError, RepoId};
use crate::ingest::{self, Input, Options};
use crate::prove::cancel;
use crate::publish::{
    Difference, Draft, Found, Plan, Previous, PublishError, Release, SplitTables, Step, Wish, check_license, of_audit,
    push,
};

pub(super) fn publish(args: &PublishArgs, output: &mut Output) -> Result<ExitCode, CliError> {
    let mut config = load(&args.source)?;
    args.cache.lay_over(&mut config);
    if let Some(repo) = &args.repo {
        config.publish.repo.clone_from(repo);
    }
    let repo: Option<RepoId> = match config.publish.repo.as_str() {
        "" => None,
        repo => Some(repo.parse().map_err(HubError::from)?),
    };
    check_license(&config.publish)?;
    ctrlc::set_handler(cancel::request)?;
    let hub = match &repo {
        Some(_) => Some(hub()?),
        None => None,
    };
    let there = hub.as_ref().zip(repo.as_ref());
    if args.push {
        // Who may not push should know before anything is made.
        there.ok_or(PublishError::NoRepo)?.0.whoami()?;
    }
    let dir = args.dir.clone().unwrap_or_else(|| config.output.dir.clone());
    let to = args.to.clone().unwrap_or_else(|| beside(&dir));
    let draft = Draft::new(&dir, &to, &config.publish)?;
    let previous = previous(args, there, output)?;
    let found = match &previous {
        Some(previous) => Some(compare(&config, &draft, previous, output)?),
        None => None,
    };
    let wish = Wish { version: args.version.clone(), force: args.force_version };
    let release = draft.finish(&config.publish, previous.as_ref(), found.as_ref(), &wish)?;
    let (difference, against) = difference(args, there, &release, previous.as_ref(), output)?;
    if !output.is_quiet() {
        output.print(&told(&release, previous.as_ref(), &to, &difference, &against))?;
    }
    match there.filter(|_| args.push) {
        None => output.note("nothing was pushed; --push does it"),
        Some((hub, repo)) => {
            let pushed = push(hub, repo, config.publish.private, &release.files, &release.version)?;
            let mut text = String::new();
            if pushed.created {
                let kind = if config.publish.private { "private" } else { "public" };
                let _ = writeln!(text, "made the {kind} dataset {repo}");
            }
            if let Some(committed) = &pushed.commit {
                let (sent, known) = (committed.sent, committed.known);
                let _ = writeln!(
                    text,
                    "pushed commit {} to {repo}: {sent} large files sent, {known} were there",
                    committed.commit
                );
            }
            if let Some(tag) = &pushed.tag {
                let _ = writeln!(text, "tagged it {tag}");
            }
            if text.is_empty() {
                let _ = writeln!(text, "nothing to push: {repo} has v{} already", release.version);
            }
            output.print(&text)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder's name with `-hub` behind it.
fn beside(dir: &std::path::Path) -> PathBuf {
    let mut name = dir.file_name().unwrap_or_default().to_owned();
    name.push("-hub");
    dir.with_file_name(name)
}

/// The version before: what is named, else what the repository has. Whether the repository can be asked matters only where
/// it is to be pushed to.
fn previous(args: &PublishArgs, there: Option<(&Hub, &RepoId)>, output: &Output) -> Result<Option<Previous>, CliError> {
    if let Some(named) = &args.previous {
        if !Input::new(named).is_on_hub() {
            return Ok(Some(Previous::here(named)?));
        }
        let address: Address = named.display().to_string().parse().map_err(HubError::from)?;
        let own = match there {
            Some(_) => None,
            None => Some(hub()?),
        };
        let Some(client) = there.map(|(hub, _)| hub).or(own.as_ref()) else { return Ok(None) };
        let revision = address.revision.as_deref();
        return Ok(match Previous::on_hub(client, &address.repo, revision)? {
            None => Previous::on_hub(client, &address.repo, Some(crate::hub::MAIN))?,
            some => some,
        });
    }
    let Some((hub, repo)) = there else { return Ok(None) };
    match Previous::on_hub(hub, repo, None) {
        Ok(previous) => Ok(previous),
        Err(PublishError::Hub(error)) if error.is_missing() => Ok(None),
        Err(PublishError::Hub(error @ (HubError::Unreachable { .. } | HubError::Unauthorized { .. })))
            if !args.push =>
        {
            output.note(&format!("compared with no version before: {error}"));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// What an audit finds between the rows to train with of the version before and of this one.
fn compare(config: &Config, draft: &Draft, previous: &Previous, output: &Output) -> Result<Found, CliError> {
    // Versions are of whatever dialects they are; the configuration's is that of its own inputs.
    let options = Options::default();
    let read = |inputs: &[Input]| -> Result<_, CliError> { Ok(ingest::read(inputs, &options)?.records) };
    let (old, new) = (read(&previous.data)?, read(&draft.rows())?);
    let selection = config.selection()?;
    let pool = pool(config)?;
    let audited = with_bench(config, output, |bench| {
        let auditor = Auditor { selection: &selection, options: config.reading(), bench };
        pool.install(|| audit::audit(&old, &new, auditor))
    })?;
    let totals = Totals::of(&audited)?;
    let splits: BTreeSet<String> = draft.splits().map(str::to_owned).collect();
    let step = of_audit(&totals, &previous.splits, &splits);
    Ok(Found { step, told: audit::text(&audited, &totals, &old, &new, true) })
}

/// What would change in the repository, or since the version before where there is none to ask; and which of them it is.
fn difference(
    args: &PublishArgs,
    there: Option<(&Hub, &RepoId)>,
    release: &Release,
    previous: Option<&Previous>,
    output: &Output,
) -> Result<(Difference, String), CliError> {
    if let Some((hub, repo)) = there {
        match Plan::look(hub, repo, &release.files, &release.version) {
            Ok(plan) => return Ok((plan.difference, repo.to_string())),
            Err(PublishError::Hub(error @ (HubError::Unreachable { .. } | HubError::Unauthorized { .. })))
                if !args.push =>
            {
                output.note(&format!("not compared with {repo}: {error}"));
            }
            Err(error) => return Err(error.into()),
        }
    }
    let none = BTreeMap::new();
    let (files, name) = previous.map_or((&none, "nothing"), |previous| (&previous.files, previous.name.as_str()));
    Ok((Difference::of(&release.files, files), name.to_owned()))
}

fn told(
    release: &Release,
    previous: Option<&Previous>,
    to: &std::path::Path,
    difference: &Difference,
    against: &str,
) -> String {
    let mut out = String::new();
    let version = &release.version;
    let _ = match previous {
        None => writeln!(out, "version {version}, the first"),
        Some(previous) if previous.version.is_none() => {
            writeln!(out, "version {version}, the first after {}", previous.name)
        }
        Some(previous) if release.step == Step::None => {
            writeln!(out, "version {version}: nothing changed since {}", previous.name)
        }
        Some(previous) => writeln!(out, "version {version}, a {} step from {}", release.step.as_str(), previous.name),
    };
    let _ = writeln!(out, "\nrows in {}", to.display());
    let splits = release.tables.views.first().map_or(&[][..], |(_, _, splits)| splits);
    let width = |split: &SplitTables| split.split.len().max(9) + 2;
    let _ = write!(out, " {:<13}", "config");
    for split in splits {
        let _ = write!(out, "{:>1$}", split.split, width(split));
    }
    out.push('\n');
    for (view, _, splits) in &release.tables.views {
        let _ = write!(out, " {:<13}", view.name());
        for split in splits {
            let _ = write!(out, "{:>1$}", split.rows(), width(split));
        }
        out.push('\n');
    }
    let bytes = |paths: &[String]| -> u64 {
        paths.iter().filter_map(|path| release.files.get(path)).map(|place| place.id.bytes).sum()
    };
    let Difference { added, changed, same, deleted } = difference;
    let _ = writeln!(
        out,
        "\nfiles, compared with {against}: {} added, {} changed, {} the same, {} removed; {} bytes new",
        added.len(),
        changed.len(),
        same.len(),
        deleted.len(),
        bytes(added) + bytes(changed)
    );
    for (mark, paths) in [('+', added), ('~', changed), ('-', deleted)] {
        for path in paths {
            let _ = match release.files.get(path) {
                Some(place) => writeln!(out, " {mark} {path} ({} bytes)", place.id.bytes),
                None => writeln!(out, " {mark} {path}"),
            };
        }
    }
    out
}
