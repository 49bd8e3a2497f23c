//! Bodies in one file of JSON lines, or in several of about the same size (shards).
//!
//! A shard appears under its name when it is whole. A run that was ended goes on: shards that hold what they would hold
//! again are kept, without compressing anything.

mod gzip;

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use flate2::bufread::MultiGzDecoder;
use rayon::prelude::*;
use tempfile::NamedTempFile;

use endpaper_text::atomic::{self, Existing};
use endpaper_text::files::{open_regular, refuse_irregular};
use gzip::{GzipJoiner, GzipPart};

/// Digits of the number in the name of a shard.
const DIGITS: usize = 5;

/// The names of the shards of one output, and how they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardNames {
    /// The path without the ending.
    stem: PathBuf,
    /// The ending as it was given.
    ending: String,
    is_gzip: bool,
    /// Largest shard before compression, in bytes; a book that is larger has one for itself. `None` for one file.
    size: Option<u64>,
}

impl ShardNames {
    /// The names for an output that ends in `.jsonl` or `.jsonl.gz`; `None` for another. With a `size`, `shelf.jsonl` is written to
    /// `shelf-00000.jsonl` and so on.
    pub fn of(path: &Path, size: Option<u64>) -> Option<ShardNames> {
        let name = path.file_name()?.to_str()?;
        let lower = name.to_ascii_lowercase();
        let ending = [".jsonl.gz", ".jsonl"]
            .into_iter()
            .find(|ending| lower.ends_with(ending))?;
        let (stem, ending) = name.split_at(name.len() - ending.len());
        Some(ShardNames {
            stem: path.with_file_name(stem),
            ending: ending.to_owned(),
            is_gzip: lower.ends_with(".gz"),
            size,
        })
    }

    /// The shards that are there with this number or a higher one, in order.
    fn there_from(&self, number: usize) -> Vec<PathBuf> {
        let folder = self.stem.parent().filter(|path| *path != Path::new(""));
        let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else {
            return Vec::new();
        };
        let stem = self.stem.file_name().unwrap_or_default();
        let prefix = format!("{}-", stem.to_string_lossy());
        let numbers = entries.flatten().filter_map(|entry| {
            let name = entry.file_name();
            let digits = name.to_str()?.strip_prefix(&prefix)?;
            let number = digits.strip_suffix(&self.ending)?.parse().ok()?;
            (self.path(number).file_name() == Some(&*name)).then_some(number)
        });
        let mut numbers: Vec<usize> = numbers.filter(|there| *there >= number).collect();
        numbers.sort_unstable();
        numbers
            .into_iter()
            .map(|number| self.path(number))
            .collect()
    }

    /// The path of a shard.
    pub fn path(&self, number: usize) -> PathBuf {
        let mut path = self.stem.clone().into_os_string();
        if self.size.is_some() {
            path.push(format!("-{number:0DIGITS$}"));
        }
        path.push(&self.ending);
        path.into()
    }
}

/// Writes rows into shards, in order.
pub struct ShardWriter {
    names: ShardNames,
    existing: Existing,
    /// Number of shards that are whole.
    whole: usize,
    /// Of these, those that were written now.
    written: usize,
    shard: Option<Shard>,
    /// Bytes in `shard`, before compression.
    size: u64,
}

/// The shard that is being filled.
enum Shard {
    /// It exists, and so far holds the same.
    Standing(Box<dyn Read + Send>),
    /// It is written under a temporary name.
    Written(Output),
}

/// A shard that is written.
enum Output {
    Plain(BufWriter<NamedTempFile>),
    Gzip(GzipJoiner<BufWriter<NamedTempFile>>),
}

impl ShardWriter {
    /// A writer into these shards, which replaces existing ones only with [`Existing::Replace`].
    pub fn new(names: ShardNames, existing: Existing) -> ShardWriter {
        ShardWriter {
            names,
            existing,
            whole: 0,
            written: 0,
            shard: None,
            size: 0,
        }
    }

    /// Writes rows, each a line with its newline, and returns the path of the shard of each. Rows are compressed on the threads of the
    /// current pool.
    ///
    /// # Errors
    ///
    /// A shard that cannot be written, or exists and differs. Shards that are whole stay.
    pub fn write(&mut self, rows: &[&[u8]]) -> Result<Vec<PathBuf>> {
        let mut paths = Vec::with_capacity(rows.len());
        let mut rest = rows;
        while let Some(first) = rest.first() {
            if self.is_full(first.len() as u64) {
                self.close()?;
            }
            let mut fitting = 0;
            while let Some(row) = rest.get(fitting) {
                if self.is_full(row.len() as u64) {
                    break;
                }
                self.size += row.len() as u64;
                fitting += 1;
            }
            let (now, later) = rest.split_at(fitting);
            let path = self.names.path(self.whole);
            self.append(now, &path)?;
            paths.extend(std::iter::repeat_n(path, now.len()));
            rest = later;
        }
        Ok(paths)
    }

    /// Whether the current shard has no room for as many bytes more.
    fn is_full(&self, more: u64) -> bool {
        let limit = self.names.size.unwrap_or(u64::MAX);
        self.size > 0 && self.size.saturating_add(more) > limit
    }

    /// Appends rows to the current shard, which is begun if there is none.
    fn append(&mut self, rows: &[&[u8]], path: &Path) -> Result<()> {
        let shard = match self.shard.take() {
            Some(shard) => shard,
            None => self
                .begin(path)
                .with_context(|| atomic::write_error_prefix(path))?,
        };
        self.shard = Some(match shard {
            Shard::Standing(mut reader) => {
                for row in rows {
                    if !begins_with(&mut reader, row).with_context(|| unreadable(path))? {
                        bail!(differs(path));
                    }
                }
                Shard::Standing(reader)
            }
            Shard::Written(mut output) => {
                let appended = output.append(rows);
                appended.with_context(|| atomic::write_error_prefix(path))?;
                Shard::Written(output)
            }
        });
        Ok(())
    }

    /// Opens the current shard to be compared, or creates it.
    fn begin(&self, path: &Path) -> io::Result<Shard> {
        refuse_irregular(path)?;
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        folder.map_or(Ok(()), atomic::make_folder)?;
        if self.existing == Existing::Keep && path.symlink_metadata().is_ok() {
            let file = BufReader::with_capacity(1 << 16, open_regular(path)?);
            return Ok(Shard::Standing(self.reader(file)));
        }
        let file = BufWriter::with_capacity(1 << 16, atomic::create_temporary_beside(path)?);
        Ok(Shard::Written(match self.names.is_gzip {
            true => Output::Gzip(GzipJoiner::new(file)?),
            false => Output::Plain(file),
        }))
    }

    fn reader(&self, file: BufReader<File>) -> Box<dyn Read + Send> {
        match self.names.is_gzip {
            true => Box::new(MultiGzDecoder::new(file)),
            false => Box::new(file),
        }
    }

    /// Ends the current shard.
    fn close(&mut self) -> Result<()> {
        let path = self.names.path(self.whole);
        let output = match self.shard.take() {
            None => return Ok(()),
            Some(Shard::Standing(mut reader)) => {
                match reader.read(&mut [0]) {
                    Ok(0) => {}
                    Err(error) if !is_of_content(&error) => {
                        return Err(error).with_context(|| unreadable(&path));
                    }
                    _ => bail!(differs(&path)),
                }
                None
            }
            Some(Shard::Written(output)) => Some(output),
        };
        if let Some(output) = output {
            let published = output
                .finish()
                .and_then(|file| atomic::publish(file, &path, self.existing));
            published.with_context(|| atomic::write_error_prefix(&path))?;
            self.written += 1;
        }
        self.whole += 1;
        self.size = 0;
        Ok(())
    }

    /// Ends the last shard and returns the number of shards, how many of them were written now, and the paths of shards of an
    /// earlier run that this output does not reach.
    ///
    /// # Errors
    ///
    /// As [`ShardWriter::write`].
    pub fn finish(mut self) -> Result<(usize, usize, Vec<PathBuf>)> {
        self.close()?;
        let left = match self.names.size {
            None => Vec::new(),
            Some(_) => self.names.there_from(self.whole),
        };
        Ok((self.whole, self.written, left))
    }
}

impl Output {
    fn append(&mut self, rows: &[&[u8]]) -> io::Result<()> {
        match self {
            Output::Plain(file) => rows.iter().try_for_each(|row| file.write_all(row)),
            Output::Gzip(joiner) => {
                let parts = rows.par_iter().map(|row| GzipPart::compress(row));
                let parts: Vec<GzipPart> = parts.collect::<io::Result<_>>()?;
                parts.iter().try_for_each(|part| joiner.append(part))
            }
        }
    }

    fn finish(self) -> io::Result<NamedTempFile> {
        let file = match self {
            Output::Plain(file) => file,
            Output::Gzip(joiner) => joiner.finish()?,
        };
        file.into_inner().map_err(|error| error.into_error())
    }
}

/// Whether a reader goes on with these bytes, which are read.
fn begins_with(reader: &mut dyn Read, bytes: &[u8]) -> io::Result<bool> {
    let mut buffer = [0; 1 << 14];
    for expected in bytes.chunks(buffer.len()) {
        let found = &mut buffer[..expected.len()];
        match reader.read_exact(found) {
            Ok(()) if found == expected => {}
            Ok(()) => return Ok(false),
            // It is shorter, or no gzip file: another file in any case.
            Err(error) if is_of_content(&error) => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// Whether an error is about what the file holds, not about reading it.
fn is_of_content(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput
    )
}

fn unreadable(path: &Path) -> String {
    format!("'{}' cannot be read", path.display())
}

fn differs(path: &Path) -> String {
    format!(
        "'{}' exists and differs; name another file, or --force writes over it",
        path.display()
    )
}
