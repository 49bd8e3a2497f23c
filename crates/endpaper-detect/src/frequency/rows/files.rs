//! Reading files of rows.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use flate2::bufread::MultiGzDecoder;

use super::CountRow;

/// Most bytes of a row, as an id may be long.
const MOST_BYTES: u64 = 1 << 20;

/// The files of rows at `paths`: files as they are, and in folders all files whose names do not begin with `.` or `_`
/// (such as `_SUCCESS`).
///
/// # Errors
///
/// For a file that does not exist, or a folder without rows.
pub fn row_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let named = || format!("the rows '{}' cannot be read", path.display());
        if !std::fs::metadata(path).with_context(named)?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        for entry in std::fs::read_dir(path).with_context(named)? {
            let entry = entry.with_context(named)?;
            let hidden = entry.file_name().as_encoded_bytes().first().copied();
            let hidden = hidden.is_none_or(|first| b"._".contains(&first));
            if !hidden && entry.path().is_file() {
                files.push(entry.path());
            }
        }
        ensure!(files.len() > before, "'{}' holds no rows", path.display());
        files[before..].sort_unstable();
    }
    Ok(files)
}

/// Calls `each` for every row of a file, which may be gzipped.
///
/// # Errors
///
/// The file, and the line unless the file itself is at fault; errors of `each`.
pub(super) fn each_row(
    path: &Path,
    mut each: impl FnMut(CountRow<'_>) -> Result<()>,
) -> Result<()> {
    let named = || format!("the rows '{}' cannot be read", path.display());
    let mut file = BufReader::with_capacity(1 << 17, File::open(path).with_context(named)?);
    let zipped = file
        .fill_buf()
        .with_context(named)?
        .starts_with(&[0x1f, 0x8b]);
    let mut rows: Box<dyn BufRead> = match zipped {
        true => Box::new(BufReader::with_capacity(1 << 17, MultiGzDecoder::new(file))),
        false => Box::new(file),
    };
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        let mut limited = rows.by_ref().take(MOST_BYTES);
        limited.read_until(b'\n', &mut line).with_context(named)?;
        if line.is_empty() {
            break;
        }
        let at = || format!("line {number} of the rows '{}'", path.display());
        ensure!(
            line.pop() == Some(b'\n'),
            "{} ends too early; copy or make the file again",
            at()
        );
        let text = std::str::from_utf8(&line).with_context(at)?;
        let row = CountRow::parse(text).with_context(at)?;
        each(row).with_context(at)?;
    }
    Ok(())
}
