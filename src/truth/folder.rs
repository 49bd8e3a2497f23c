//! The truth folder argument.

use anyhow::Result;
use endpaper_command::common::open_existing;
use endpaper_command::output::warn;
use endpaper_command::user::UserFolders;
use endpaper_truth::Store;
use endpaper_truth::merge::{MergeSide, UnreadFile, sides};
use std::path::PathBuf;

/// The inputs of a merge: the sides, their common base, and the files that were skipped, each of them named.
pub(crate) fn to_merge(
    folders: &[PathBuf],
    base: Option<&PathBuf>,
) -> Result<(Vec<MergeSide>, Option<MergeSide>, Vec<UnreadFile>)> {
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
        warn(&format!(
            "skipping '{}': {}",
            file.path.display(),
            file.error
        ));
    }
    Ok((found, base, unread))
}

/// Where the truth is.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TruthFolder {
    /// The truth folder [default: the setting, else endpaper-truth]
    #[arg(long, value_name = "DIR")]
    pub(crate) truth: Option<PathBuf>,
}

impl TruthFolder {
    /// The path, whether or not it exists.
    pub(crate) fn path(&self) -> Result<PathBuf> {
        Ok(UserFolders::read()?.truth(self.truth.as_deref(), false))
    }

    /// Opens the store, which must exist.
    pub(crate) fn open(&self) -> Result<Store> {
        open_existing(&self.path()?)
    }
}

/// Where the truth of several people is.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct TruthFolders {
    /// The truth folder (may be given several times) [default: the setting, else endpaper-truth]
    #[arg(long, value_name = "DIR")]
    truth: Vec<PathBuf>,
}

impl TruthFolders {
    /// The paths, whether or not they exist: one at least.
    pub(super) fn paths(&self) -> Result<Vec<PathBuf>> {
        Ok(match self.truth.as_slice() {
            [] => vec![UserFolders::read()?.truth(None, false)],
            folders => folders.to_vec(),
        })
    }
}
