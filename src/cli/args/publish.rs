//! The arguments of `refolio publish`.

use std::path::PathBuf;

use clap::Args;
use semver::Version;

use super::{CacheFlags, ConfigSource};

#[derive(Debug, Args)]
pub(in crate::cli) struct PublishArgs {
    /// The folder that a run wrote, instead of `output.dir`
    #[arg(value_name = "DIR")]
    pub(in crate::cli) dir: Option<PathBuf>,

    #[command(flatten)]
    pub(in crate::cli) source: ConfigSource,

    /// The dataset repository on the Hub, instead of `publish.repo`
    #[arg(long, value_name = "ORG/NAME")]
    pub(in crate::cli) repo: Option<String>,

    /// The folder for the dataset repository; by default DIR-hub
    #[arg(long, value_name = "FOLDER")]
    pub(in crate::cli) to: Option<PathBuf>,

    /// The version before: a folder that was published, a file of rows, or `hf://datasets/ORG/NAME[@REVISION]`. By default
    /// that of the repository's latest tag
    #[arg(long, value_name = "VERSION")]
    pub(in crate::cli) previous: Option<PathBuf>,

    /// The version, instead of the one that follows from what changed
    #[arg(long, value_name = "X.Y.Z")]
    pub(in crate::cli) version: Option<Version>,

    /// Let --version be a smaller step than what changed asks for
    #[arg(long, requires = "version")]
    pub(in crate::cli) force_version: bool,

    /// Write the folder and tell what would change; this is the default
    #[arg(long, conflicts_with = "push")]
    pub(in crate::cli) dry_run: bool,

    /// Put it on the Hub by one commit, and tag it
    #[arg(long)]
    pub(in crate::cli) push: bool,

    #[command(flatten)]
    pub(in crate::cli) cache: CacheFlags,
}
