//! The arguments of `refolio cache`, and the flags about the cache that other commands have.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::ConfigSource;
use crate::config::Config;

/// Which cache to use.
#[derive(Debug, Args)]
pub(in crate::cli) struct CacheFlags {
    /// Ask every question anew and keep no answer; changes no byte of the data
    #[arg(long)]
    no_cache: bool,

    /// The file of kept answers, instead of `cache.path`
    #[arg(long = "cache", value_name = "FILE", conflicts_with = "no_cache")]
    file: Option<PathBuf>,
}

impl CacheFlags {
    pub(in crate::cli) fn lay_over(&self, config: &mut Config) {
        if self.no_cache {
            config.cache.enabled = false;
        }
        if let Some(file) = &self.file {
            config.cache.enabled = true;
            config.cache.path.clone_from(file);
        }
    }
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum CacheCommand {
    /// Tell how many answers there are and how much room they take
    Stats(CacheStatsArgs),
    /// Remove all answers
    Clear(CacheArgs),
    /// Remove damaged answers, ask others again and compare; exit with 1 if any was damaged or differs
    Verify(CacheVerifyArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CacheArgs {
    #[command(flatten)]
    pub(in crate::cli) source: ConfigSource,

    /// The file of kept answers, instead of `cache.path`
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) cache: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CacheStatsArgs {
    #[command(flatten)]
    pub(in crate::cli) which: CacheArgs,

    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CacheVerifyArgs {
    #[command(flatten)]
    pub(in crate::cli) which: CacheArgs,

    /// Ask all again, not a hundred of them
    #[arg(long)]
    pub(in crate::cli) all: bool,
}
