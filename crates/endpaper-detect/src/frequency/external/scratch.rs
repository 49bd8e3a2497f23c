//! Runs in temporary files.
//!
//! Where the system allows it, a file has no name; elsewhere it is removed when it is closed. Nothing is left behind,
//! however the program ends.

use crate::frequency::NoScratch;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};

use crate::frequency::runs::{RunReader, RunWriter};

/// The folder of the temporary files, and the file that new runs are written to.
#[derive(Debug)]
pub(super) struct ScratchFiles {
    folder: PathBuf,
    file: Option<Arc<File>>,
}

/// A run in a temporary file.
#[derive(Clone, Debug)]
pub(super) struct RunFile {
    file: Arc<File>,
    start: u64,
    end: u64,
    /// Number of distinct lines.
    pub records: u64,
}

impl ScratchFiles {
    /// Creates no file before the first run.
    pub fn new(folder: &Path) -> ScratchFiles {
        ScratchFiles {
            folder: folder.to_owned(),
            file: None,
        }
    }

    /// Writes a run at the end of the file through a buffer of `buffer` bytes. `fill` gets a function that takes the
    /// lines.
    pub fn write(
        &mut self,
        buffer: usize,
        fill: impl FnOnce(&mut dyn FnMut(u64, &[u8], u64) -> Result<()>) -> Result<()>,
    ) -> Result<RunFile> {
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => Arc::new(self.attempt(tempfile::tempfile_in(&self.folder))?),
        };
        self.file = Some(Arc::clone(&file));
        let start = self.attempt((&*file).seek(SeekFrom::End(0)))?;
        let span = FileSpan {
            file: Arc::clone(&file),
            at: start,
            end: u64::MAX,
        };
        let mut writer = BufWriter::with_capacity(buffer, span);
        let mut run = RunWriter::new(&mut writer);
        fill(&mut |key, text, count| self.attempt(run.push(key, text, count)))?;
        let records = self.attempt(run.finish())?;
        Ok(RunFile {
            file,
            start,
            end: writer.get_ref().at,
            records,
        })
    }

    /// Directs further runs to a new file; the present one is deleted with its last run.
    pub fn close(&mut self) {
        self.file = None;
    }

    /// Adds advice about the folder to an error.
    fn attempt<T>(&self, result: io::Result<T>) -> Result<T> {
        result.with_context(|| NoScratch(self.folder.to_path_buf()))
    }
}

impl RunFile {
    /// Length in bytes.
    pub fn len(&self) -> u64 {
        self.end - self.start
    }

    /// Identifies the file among the open ones.
    pub fn file(&self) -> usize {
        Arc::as_ptr(&self.file).addr()
    }

    /// A reader with a buffer of `buffer` bytes.
    pub fn reader(&self, buffer: usize) -> RunReader<BufReader<FileSpan>> {
        let span = FileSpan {
            file: Arc::clone(&self.file),
            at: self.start,
            end: self.end,
        };
        RunReader::new(BufReader::with_capacity(buffer, span))
    }
}

/// A part of a file with its own position, so that several parts can be read and written in turn.
#[derive(Debug)]
pub(super) struct FileSpan {
    file: Arc<File>,
    at: u64,
    end: u64,
}

impl Read for FileSpan {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let len = buffer.len().min(left);
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(&mut buffer[..len])?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Write for FileSpan {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(self.at))?;
        let written = file.write(bytes)?;
        self.at += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.file).flush()
    }
}
