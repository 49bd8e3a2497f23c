//! What happens to files that exist: one rule for every command, in one sentence.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;

use endpaper_text::atomic::{self, Existing};
use endpaper_text::files::refuse_link;

/// The name of standard output in `--out -`.
const STDOUT: &str = "-";

/// Whether existing files are written over.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct ForceArgs {
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
}

impl ForceArgs {
    /// The setting for the file that is written at the end.
    pub fn existing(self) -> Existing {
        Existing::unless_forced(self.force)
    }

    /// Fails before the work begins if the output file exists without `--force`, or is a folder or a symbolic link.
    ///
    /// # Errors
    ///
    /// Names the file.
    pub fn check(self, path: &Path) -> Result<()> {
        refuse_link(path).with_context(|| atomic::write_error_prefix(path))?;
        ensure!(
            !path.is_dir(),
            "'{}' is a folder; name a file",
            path.display()
        );
        match self.force || path.symlink_metadata().is_err() {
            true => Ok(()),
            false => bail!(exists(path)),
        }
    }

    /// As [`ForceArgs::check`] for a file, and fine for standard output.
    ///
    /// # Errors
    ///
    /// As [`ForceArgs::check`].
    pub fn check_output(self, path: &Path) -> Result<()> {
        match is_stdout(path) {
            true => Ok(()),
            false => self.check(path),
        }
    }

    /// Writes a file, or standard output if the path is `-`.
    ///
    /// # Errors
    ///
    /// Names the file.
    pub fn write(self, path: &Path, bytes: &[u8]) -> Result<()> {
        if is_stdout(path) {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes)?;
            return Ok(out.flush()?);
        }
        atomic::write_bytes(path, self.existing(), bytes).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => anyhow!(exists(path)),
            _ => anyhow::Error::from(error).context(atomic::write_error_prefix(path)),
        })
    }
}

impl ForceArgs {
    /// Writes several files, or none if one of them exists without `--force`.
    ///
    /// # Errors
    ///
    /// Names the file.
    pub fn write_all(self, files: Vec<(PathBuf, Vec<u8>)>) -> Result<()> {
        files.iter().try_for_each(|(path, _)| self.check(path))?;
        let mut files = files.iter();
        files.try_for_each(|(path, bytes)| self.write(path, bytes))
    }
}

/// Whether a path of `--out` is standard output. A file of that name is written `./-`.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new(STDOUT)
}

/// Fails if the folder to write into is a file. A missing one is made later.
///
/// # Errors
///
/// Names the path.
pub fn check_folder(path: &Path) -> Result<()> {
    ensure!(
        path.is_dir() || path.symlink_metadata().is_err(),
        "'{}' is a file; name a folder (created if missing)",
        path.display()
    );
    Ok(())
}

/// The sentence for a file that exists.
fn exists(path: &Path) -> String {
    format!(
        "'{}' exists; name another file, or --force writes over it",
        path.display()
    )
}
