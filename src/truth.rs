//! `endpaper truth`: what is decided, whether it can be relied on, in and out, and two people's work brought together.

mod agree;
mod check;
mod export;
mod import;
mod merge;
mod status;

use std::path::PathBuf;

use anyhow::Result;

use endpaper_command::Exit;
use endpaper_command::common::existing;
use endpaper_command::output::complain;
use endpaper_command::user::User;
use endpaper_truth::Store;
use endpaper_truth::merge::{Side, Unread, sides};

/// Arguments of `endpaper truth`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Print how many books are decided, by verdict, kind and flag, and which records are broken
    Status(status::Args),
    /// Print how well truth folders, curators, or a curator and the same curator's blind reviews agree
    Agree(agree::Args),
    /// Check every record against itself, its book and the detector
    Check(Box<check::Args>),
    /// Bring two people's work together; what they differ in becomes a list of conflicts
    Merge(merge::Args),
    /// Write all records to one file, or a data card
    Export(export::Args),
    /// Read records from one file
    Import(import::Args),
}

/// Runs `endpaper truth`.
///
/// # Errors
///
/// Wrong use, or a folder that is not there or cannot be read.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.command {
        Command::Status(args) => status::run(args),
        Command::Agree(args) => agree::run(args),
        Command::Check(args) => check::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Export(args) => export::run(args),
        Command::Import(args) => import::run(args),
    }
}

/// What is to be merged: the sides, what they were before, and the files that were left out, each of them named.
pub(super) fn to_merge(
    folders: &[PathBuf],
    base: Option<&PathBuf>,
) -> Result<(Vec<Side>, Option<Side>, Vec<Unread>)> {
    let (found, mut unread) = sides(folders)?;
    let base = match base {
        None => None,
        Some(folder) => {
            let (mut base, more) = sides(std::slice::from_ref(folder))?;
            unread.extend(more);
            Some(base.remove(0))
        }
    };
    for file in &unread {
        complain(&format!(
            "left out '{}': {}",
            file.path.display(),
            file.error
        ));
    }
    Ok((found, base, unread))
}

/// Where the truth is.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Folder {
    /// The truth folder (default: the setting, else endpaper-truth)
    #[arg(long, value_name = "DIR")]
    truth: Option<PathBuf>,
}

impl Folder {
    /// Where it is, or would be.
    pub(super) fn path(&self) -> Result<PathBuf> {
        Ok(User::read()?.truth(self.truth.as_deref(), false))
    }

    /// The store of a folder that must be there.
    pub(super) fn open(&self) -> Result<Store> {
        existing(&self.path()?)
    }
}
