//! Notes in a temporary file, for corpora whose notes do not fit into the memory for them.
//!
//! The file has no name where the system allows it, so that nothing is left behind, however the program ends.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Notes that are written or read at a time, so that the bytes of a part need no memory beside its notes.
const BLOCK: usize = 1 << 13;

/// A temporary file of notes in parts.
#[derive(Debug)]
pub(super) struct NoteFile {
    /// Created with the first notes.
    file: Option<Arc<Mutex<File>>>,
    /// Why the file cannot be written. From then on notes stay in memory.
    failure: Option<io::Error>,
    /// The end of what is written, in bytes.
    end: u64,
    parts: Vec<Vec<Segment>>,
}

/// Successive notes of one part in a file.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    file: Arc<Mutex<File>>,
    /// Their offset in bytes.
    start: u64,
    notes: usize,
}

impl NoteFile {
    /// A file of this number of parts, which is not yet created.
    pub fn new(parts: usize) -> NoteFile {
        NoteFile {
            file: None,
            failure: None,
            end: 0,
            parts: vec![Vec::new(); parts],
        }
    }

    /// Moves notes to the file. After a failure all stay where they are, but for the parts before it.
    pub fn write(&mut self, parts: &mut [Vec<u64>]) {
        if self.failure.is_none() {
            self.failure = self.try_write(parts).err();
        }
    }

    /// Why not all notes could be written.
    pub fn failure(&self) -> Option<&io::Error> {
        self.failure.as_ref()
    }

    /// Moves notes to the file, up to the part that cannot be written.
    fn try_write(&mut self, parts: &mut [Vec<u64>]) -> io::Result<()> {
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => Arc::new(Mutex::new(tempfile::tempfile()?)),
        };
        self.file = Some(Arc::clone(&file));
        for (notes, segments) in parts.iter_mut().zip(&mut self.parts) {
            append(&file, self.end, notes)?;
            segments.push(Segment {
                file: Arc::clone(&file),
                start: self.end,
                notes: notes.len(),
            });
            self.end += 8 * notes.len() as u64;
            *notes = Vec::new();
        }
        Ok(())
    }

    /// The notes in the file, by part.
    pub fn into_parts(self) -> Vec<Vec<Segment>> {
        self.parts
    }
}

/// Writes notes at an offset.
fn append(file: &Mutex<File>, start: u64, notes: &[u64]) -> io::Result<()> {
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(start))?;
    for notes in notes.chunks(BLOCK) {
        let bytes: Vec<u8> = notes.iter().flat_map(|note| note.to_le_bytes()).collect();
        file.write_all(&bytes)?;
    }
    Ok(())
}

impl Segment {
    /// Number of its notes.
    pub fn len(&self) -> usize {
        self.notes
    }

    /// Calls `add` with all its notes, some at a time.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn read(&self, add: &mut impl FnMut(&[u64])) -> io::Result<()> {
        let mut bytes = vec![0; 8 * BLOCK.min(self.notes)];
        for first in (0..self.notes).step_by(BLOCK) {
            let bytes = &mut bytes[..8 * BLOCK.min(self.notes - first)];
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(self.start + 8 * first as u64))?;
            file.read_exact(bytes)?;
            drop(file);
            let (notes, _) = bytes.as_chunks::<8>();
            let notes: Vec<u64> = notes.iter().copied().map(u64::from_le_bytes).collect();
            add(&notes);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_come_back_by_part_in_the_order_of_writing() {
        let mut file = NoteFile::new(2);
        let long: Vec<u64> = (0..3 * BLOCK as u64 + 1).map(|n| n * n).collect();
        for round in 0..3 {
            let mut parts = [long.clone(), vec![round]];
            file.write(&mut parts);
            assert!(parts.iter().all(Vec::is_empty), "they are moved");
        }
        let parts = file.into_parts();
        assert_eq!(read(&parts[0]), [&long[..], &long, &long].concat());
        assert_eq!(read(&parts[1]), [0, 1, 2]);
    }

    fn read(segments: &[Segment]) -> Vec<u64> {
        let mut all = Vec::new();
        for segment in segments {
            let mut add = |notes: &[u64]| all.extend_from_slice(notes);
            segment.read(&mut add).unwrap();
        }
        all
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn notes_that_cannot_be_written_stay_and_the_failure_is_kept() {
        let mut file = NoteFile::new(2);
        file.write(&mut [vec![1], vec![2]]);
        let good = file.file.clone();
        let full = File::options().write(true).open("/dev/full").unwrap();
        file.file = Some(Arc::new(Mutex::new(full)));
        let mut parts = [vec![3], vec![4]];
        file.write(&mut parts);
        assert_eq!(file.failure().unwrap().kind(), io::ErrorKind::StorageFull);
        // Nothing is tried again, so that the first failure is what is reported.
        file.file = good;
        file.write(&mut parts);
        assert_eq!(parts, [[3], [4]]);
        let written: Vec<Vec<u64>> = file.into_parts().iter().map(|part| read(part)).collect();
        assert_eq!(written, [[1], [2]]);
    }
}
