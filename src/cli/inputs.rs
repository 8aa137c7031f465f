//! Inputs that lie on the Hub: they are fetched before anything is read.

use std::path::{Path, PathBuf};

use super::error::CliError;
use super::hub::hub;
use super::output::Output;
use crate::hub::{self, Address, Hub, HubError, MAIN};
use crate::ingest::{Input, Origin};

/// The inputs as files that lie here: what lies on the Hub is fetched into the cache, a file for each of its own, with its
/// split and where it came from.
pub(super) fn resolve(inputs: &[Input], output: &Output) -> Result<Vec<Input>, CliError> {
    let mut out = Vec::new();
    let mut client: Option<Hub> = None;
    for input in inputs {
        if input.is_on_hub() {
            let client = match &client {
                Some(client) => client,
                None => client.insert(hub()?),
            };
            out.extend(fetch(client, input, output)?);
        } else {
            out.push(input.clone());
        }
    }
    Ok(out)
}

/// One file that may lie on the Hub, as one that lies here.
pub(super) fn resolve_file(path: &Path, output: &Output) -> Result<PathBuf, CliError> {
    let input = Input::new(path);
    if !input.is_on_hub() {
        return Ok(path.to_owned());
    }
    match resolve(&[input], output)?.as_slice() {
        [only] => Ok(only.path.clone()),
        several => {
            let reason = format!("one file is wanted, and there are {}; name one behind the dataset", several.len());
            Err(HubError::NoData { address: path.display().to_string(), reason }.into())
        }
    }
}

fn fetch(client: &Hub, input: &Input, output: &Output) -> Result<Vec<Input>, CliError> {
    let text = input.path.display().to_string();
    let address: Address = text.parse().map_err(HubError::from)?;
    let Address { repo, revision, path } = &address;
    let commit = client.revision(repo, revision.as_deref().unwrap_or(MAIN))?.sha;
    let files = client.files(repo, &commit)?;
    let card = match files.iter().find(|file| file.path == "README.md" && path.is_none()) {
        Some(card) => std::fs::read_to_string(client.fetch(repo, &commit, card)?).ok(),
        None => None,
    };
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let mut chosen = hub::choose(&paths, card.as_deref(), path.as_deref());
    if let Some(split) = &input.split {
        let mut found: Vec<String> = chosen.iter().map(|chosen| chosen.split.clone()).collect();
        found.dedup();
        if found.len() > 1 {
            chosen.retain(|chosen| chosen.split == *split);
        }
        if chosen.is_empty() && !found.is_empty() {
            return Err(CliError::NoSuchSplit { address: text, split: split.clone(), found: found.join(", ") });
        }
        // Where there is one split, it is only called otherwise here.
        chosen.iter_mut().for_each(|chosen| chosen.split.clone_from(split));
    }
    let mut out = Vec::new();
    for chosen in chosen {
        let Some(file) = files.iter().find(|file| file.path == chosen.path) else { continue };
        let path = client.fetch(repo, &commit, file)?;
        let address = format!("{}datasets/{repo}/{}", Input::HUB, chosen.path);
        let origin = Some(Origin { address, revision: commit.clone() });
        let input = Input { split: Some(chosen.split), path, origin };
        if input.is_empty_table() {
            output.note(&format!("{} of {repo} has no rows", chosen.path));
        } else {
            out.push(input);
        }
    }
    if out.is_empty() {
        let reason = format!("none of the {} files of commit {commit} is one", files.len());
        return Err(HubError::NoData { address: text, reason }.into());
    }
    Ok(out)
}
