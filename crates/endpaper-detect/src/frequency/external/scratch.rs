//! Sorted runs in private temporary files.
//!
//! A file has no name where the system allows that; elsewhere it is removed when closed. Either way nothing remains, however the
//! program ends.

use crate::frequency::NoScratch;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};

use crate::frequency::runs::{RunReader, RunWriter};

/// The folder of the files, and the one that runs are added to.
#[derive(Debug)]
pub(super) struct ScratchFiles {
    folder: PathBuf,
    file: Option<Arc<File>>,
}

/// A run in a file.
#[derive(Clone, Debug)]
pub(super) struct RunFile {
    file: Arc<File>,
    start: u64,
    end: u64,
    /// Distinct lines in it.
    pub records: u64,
}

impl ScratchFiles {
    /// No file is made before the first run.
    pub fn new(folder: &Path) -> ScratchFiles {
        ScratchFiles {
            folder: folder.to_owned(),
            file: None,
        }
    }

    /// Appends a run to the file through a buffer of `buffer` bytes; `fill` receives the writer of its lines.
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

    /// The next runs go to a file of their own; this one goes when its last run does.
    pub fn close(&mut self) {
        self.file = None;
    }

    fn attempt<T>(&self, result: io::Result<T>) -> Result<T> {
        result.with_context(|| NoScratch(self.folder.to_path_buf()))
    }
}

impl RunFile {
    /// Bytes in the file.
    pub fn len(&self) -> u64 {
        self.end - self.start
    }

    /// Names the file among those that are open.
    pub fn file(&self) -> usize {
        Arc::as_ptr(&self.file).addr()
    }

    /// Reads the run through a buffer of `buffer` bytes.
    pub fn reader(&self, buffer: usize) -> RunReader<BufReader<FileSpan>> {
        let span = FileSpan {
            file: Arc::clone(&self.file),
            at: self.start,
            end: self.end,
        };
        RunReader::new(BufReader::with_capacity(buffer, span))
    }
}

/// A part of a file. Each span knows its own place: a file may be read and written at several, in turns.
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
