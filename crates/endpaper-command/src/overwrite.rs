//! What happens to files that exist: one rule for every command, in one sentence.

use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;

use endpaper_text::atomic::{self, Existing};
use endpaper_text::corpus::Listing;
use endpaper_text::files::refuse_irregular;

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

    /// Fails before the work begins if the output file exists without `--force`, if something else is there, or if it is
    /// standard output, which what is printed needs.
    ///
    /// # Errors
    ///
    /// Names the file.
    pub fn check(self, path: &Path) -> Result<()> {
        refuse_stdout(path)?;
        self.check_output(path)
    }

    /// As [`ForceArgs::check`] for a file, and fine for standard output.
    ///
    /// # Errors
    ///
    /// As [`ForceArgs::check`].
    pub fn check_output(self, path: &Path) -> Result<()> {
        if is_stdout(path) {
            return Ok(());
        }
        refuse_irregular(path).with_context(|| atomic::write_error_prefix(path))?;
        match self.force || path.symlink_metadata().is_err() {
            true => Ok(()),
            false => bail!(exists(path)),
        }
    }

    /// As [`ForceArgs::check_output`] for bytes that a terminal cannot show.
    ///
    /// # Errors
    ///
    /// As [`ForceArgs::check`], and for a terminal.
    pub fn check_binary_output(self, path: &Path) -> Result<()> {
        ensure!(
            !is_stdout(path) || !std::io::stdout().is_terminal(),
            "a terminal cannot show this file; give --out FILE, or redirect standard output"
        );
        self.check_output(path)
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

    /// Writes several files; none if one of them exists without `--force`. Those before one that cannot be written stay.
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

/// Fails for standard output, where it is taken by something else.
///
/// # Errors
///
/// Says what to do.
pub fn refuse_stdout(path: &Path) -> Result<()> {
    ensure!(
        !is_stdout(path),
        "'-' is standard output, which this is not written to; name another, and one of that name as './-'"
    );
    Ok(())
}

/// Fails before all the work if an output is a file that the corpus is read from, which not even `--force` writes over.
///
/// # Errors
///
/// Names the file.
pub fn refuse_book(listing: &Listing, out: &Path) -> Result<()> {
    // A file that does not exist is none of them, and most outputs do not exist.
    let Ok(out_file) = out.canonicalize() else {
        return Ok(());
    };
    let is_out = |path: &Path| path.canonicalize().is_ok_and(|path| path == out_file);
    let mut books = listing.books.iter().filter_map(|book| book.location.path());
    ensure!(
        is_stdout(out) || !books.any(is_out),
        "'{}' is a file of the corpus, and would be written over; name another file",
        out.display()
    );
    Ok(())
}

/// Fails before all the work if a file cannot be written in its folder.
///
/// # Errors
///
/// Names the file and the obstacle.
pub fn check_writable(path: &Path) -> Result<()> {
    if is_stdout(path) {
        return Ok(());
    }
    let name = path.display();
    let beside = atomic::create_temporary_beside(path);
    beside.map(drop).with_context(|| {
        format!(
            "'{name}' cannot be written (its folder must be there and may not be write-protected)"
        )
    })
}

/// Fails if the folder to write into is something else, or standard output. A missing one is made later.
///
/// # Errors
///
/// Names the path.
pub fn check_folder(path: &Path) -> Result<()> {
    refuse_stdout(path)?;
    let name = path.display();
    ensure!(
        path.exists() || !path.is_symlink(),
        "'{name}' is a symbolic link whose target does not exist; remove it, or name another folder"
    );
    ensure!(
        path.is_dir() || !path.exists(),
        "'{name}' is not a folder; name one (created if missing)"
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_is_refused_by_name() {
        let home = tempfile::tempdir().unwrap();
        assert!(check_writable(&home.path().join("page.html")).is_ok());
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
        let path = home.path().join("none/page.html");
        let error = format!("{:#}", check_writable(&path).unwrap_err());
        assert!(error.contains(&*path.to_string_lossy()), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn folder_to_write_into_is_there_or_missing_and_the_repair_fits_what_is_there() {
        use std::os::unix::fs::symlink;
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        std::fs::write(at("file"), "").unwrap();
        symlink(at("nowhere"), at("broken")).unwrap();
        symlink(home.path(), at("link")).unwrap();
        for name in ["", "link", "new"] {
            check_folder(&at(name)).unwrap();
        }
        for (name, sentence) in [
            ("file", "is not a folder; name one (created if missing)"),
            (
                "broken",
                "is a symbolic link whose target does not exist; remove it, or name another folder",
            ),
        ] {
            let error = check_folder(&at(name)).unwrap_err().to_string();
            assert!(error.ends_with(sentence), "{error}");
        }
    }
}
