//! Notes in a temporary file, for corpora whose notes do not fit into the memory for them.
//!
//! The file has no name where the system allows it, so that nothing is left behind, however the program ends.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Notes that are written or read at a time.
const BLOCK: usize = 1 << 13;

/// A temporary file of notes in parts.
#[derive(Debug)]
pub(super) struct NoteFile {
    /// Created with the first notes. If it cannot be written, notes stay in memory.
    file: Option<Arc<Mutex<File>>>,
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
            end: 0,
            parts: vec![Vec::new(); parts],
        }
    }

    /// Moves notes to the file. Those of a part that cannot be written stay where they are.
    pub fn write(&mut self, parts: &mut [Vec<u64>]) {
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => match tempfile::tempfile() {
                Ok(file) => Arc::new(Mutex::new(file)),
                Err(_) => return,
            },
        };
        self.file = Some(Arc::clone(&file));
        for (notes, segments) in parts.iter_mut().zip(&mut self.parts) {
            if append(&file, self.end, notes).is_err() {
                return;
            }
            segments.push(Segment {
                file: Arc::clone(&file),
                start: self.end,
                notes: notes.len(),
            });
            self.end += 8 * notes.len() as u64;
            *notes = Vec::new();
        }
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
        let mut bytes = vec![0; 8 * self.notes];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.start))?;
        file.read_exact(&mut bytes)?;
        drop(file);
        for bytes in bytes.chunks(8 * BLOCK) {
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
        let read = |segments: &[Segment]| {
            let mut all = Vec::new();
            for segment in segments {
                segment
                    .read(&mut |notes| all.extend_from_slice(notes))
                    .unwrap();
            }
            all
        };
        let parts = file.into_parts();
        assert_eq!(read(&parts[0]), [&long[..], &long, &long].concat());
        assert_eq!(read(&parts[1]), [0, 1, 2]);
    }
}
