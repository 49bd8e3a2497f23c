//! Files that appear whole or not at all.
//!
//! For files the program makes itself (models, caches). Ground truth has stricter rules of its own.

use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

/// Writes a file next to its final place, flushes it to disk and renames it over what was there.
///
/// # Errors
///
/// Names the file; nothing is left behind.
pub(crate) fn write(
    path: &Path,
    contents: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    let attempt = || -> std::io::Result<()> {
        let file = beside(path)?;
        let mut writer = BufWriter::new(file);
        contents(&mut writer)?;
        publish(
            writer.into_inner().map_err(|error| error.into_error())?,
            path,
        )
    };
    attempt().with_context(|| format!("'{}' cannot be written", path.display()))
}

/// A temporary file in the folder of `path`, for [`publish`].
pub(crate) fn beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".endpaper-").suffix(".tmp");
    readable_by_others(&mut builder);
    builder.tempfile_in(folder)
}

/// Flushes a temporary file to disk and gives it its name.
pub(crate) fn publish(file: NamedTempFile, path: &Path) -> std::io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Temporary files are private unless asked; these become ordinary files (the process's mask still applies).
#[cfg(unix)]
fn readable_by_others(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn readable_by_others(_: &mut tempfile::Builder<'_, '_>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.model");
        write(&path, |out| out.write_all(b"old")).unwrap();
        let error = write(&path, |out| {
            out.write_all(b"new")?;
            Err(std::io::Error::other("disk full"))
        });
        assert!(error.unwrap_err().to_string().contains("a.model"));
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
