//! Counting the document frequencies of a corpus.
//!
//! Every thread has its own builder and notes each form of each book as one number, form before book; after sorting,
//! the books of a form are adjacent. Forms that many books share (the licence makes up most of the ends of books) would
//! fill the notes, so the books, producers and authors of a form that was seen often are counted directly. Notes that
//! outgrow the memory for them go to a temporary file.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::io;
use std::sync::{Mutex, PoisonError};

use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::note_file::{NoteFile, Segment};
use super::{
    DocumentFrequencies, DocumentFrequency, LineForm, MOST_BOOKS, MOST_NAMES, REST_BITS, pack,
};

/// Notes are kept in this number of parts by the leading bits of their forms; each part is sorted on its own.
const PARTS: usize = 64;
/// Number of counters in the sketch of how often forms were seen.
const SKETCH: usize = 1 << 17;
/// A form whose sketch counter reaches this value is counted directly from then on.
const COUNTED_FROM: u8 = 24;
/// Value of a sketch counter that belongs to a directly counted form.
const COUNTED: u8 = u8::MAX;
/// Largest number of directly counted forms. Further forms are noted, which only means more sorting.
const MOST_COUNTED: usize = 1 << 15;
/// Largest number of books per builder: their indexes must fit into a note.
const MOST_BOOKS_OF_BUILDER: usize = 1 << REST_BITS;

/// Notes of one builder that are kept in memory, 8 bytes each. A book has about 900.
const MOST_NOTES: usize = 4 << 20;

/// Counts document frequencies.
#[derive(Debug)]
pub struct DocumentFrequencyBuilder {
    /// Producer and author of each book, as hashes.
    books: Vec<[u32; 2]>,
    /// Notes: forms with the indexes of their books.
    pairs: Vec<Vec<u64>>,
    /// Notes that are kept in memory.
    most_notes: usize,
    /// Number of notes to come before they are written to the file.
    until_written: usize,
    /// Notes that did not fit into memory.
    file: NoteFile,
    /// How often forms were seen lately, indexed by a few bits of their hashes.
    sketch: Vec<u8>,
    /// Forms to come before the sketch is halved.
    until_halved: usize,
    counted: HashMap<LineForm, FormCount, FixedState>,
}

/// The counts of a directly counted form.
#[derive(Clone, Debug, Default)]
struct FormCount {
    /// The last book that contains it.
    last: u32,
    books: u32,
    /// Distinct producers, and distinct authors.
    names: [Vec<u32>; 2],
}

impl FormCount {
    /// Adds the producer and the author of a book, up to the largest number that is stored.
    fn add_names(&mut self, book: [u32; 2]) {
        for (names, name) in self.names.iter_mut().zip(book) {
            if names.len() < MOST_NAMES as usize && !names.contains(&name) {
                names.push(name);
            }
        }
    }

    /// Adds the count of another builder, which must have seen other books.
    fn add(&mut self, other: &FormCount) {
        self.books = self.books.saturating_add(other.books);
        for (ours, theirs) in self.names.iter_mut().zip(&other.names) {
            for name in theirs {
                if ours.len() < MOST_NAMES as usize && !ours.contains(name) {
                    ours.push(*name);
                }
            }
        }
    }
}

impl Default for DocumentFrequencyBuilder {
    fn default() -> DocumentFrequencyBuilder {
        DocumentFrequencyBuilder {
            books: Vec::new(),
            pairs: vec![Vec::new(); PARTS],
            most_notes: MOST_NOTES,
            until_written: MOST_NOTES,
            file: NoteFile::new(PARTS),
            sketch: vec![0; SKETCH],
            until_halved: 4 * SKETCH,
            counted: HashMap::default(),
        }
    }
}

impl DocumentFrequencyBuilder {
    /// A builder that keeps few notes in memory.
    #[cfg(test)]
    pub fn with_most_notes(most_notes: usize) -> DocumentFrequencyBuilder {
        DocumentFrequencyBuilder {
            most_notes,
            until_written: most_notes,
            ..DocumentFrequencyBuilder::default()
        }
    }

    /// Adds the forms of a book; repeated forms count once. Producers and authors are distinguished by the last words
    /// of their names; all without a name are taken as one.
    pub fn add(
        &mut self,
        producer: Option<&str>,
        author: Option<&str>,
        forms: impl Iterator<Item = LineForm>,
    ) {
        if self.books.len() >= MOST_BOOKS_OF_BUILDER {
            return;
        }
        let number = self.books.len() as u32;
        let book = [name(producer), name(author)];
        self.books.push(book);
        for form in forms {
            let slot = form.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - SKETCH.ilog2());
            let seen = &mut self.sketch[slot as usize];
            if *seen == COUNTED {
                if let Some(count) = self.counted.get_mut(&form) {
                    if count.last != number {
                        count.last = number;
                        count.books += 1;
                        count.add_names(book);
                    }
                    continue;
                }
            } else {
                *seen += 1;
                if *seen >= COUNTED_FROM && self.counted.len() < MOST_COUNTED {
                    *seen = COUNTED;
                    // This book is still noted, as the books before it were.
                    let last = number;
                    let count = FormCount {
                        last,
                        ..FormCount::default()
                    };
                    self.counted.insert(form, count);
                }
                *seen = if *seen == COUNTED {
                    COUNTED
                } else {
                    (*seen).min(COUNTED_FROM)
                };
            }
            push_pair(&mut self.pairs, form, number);
            self.until_written -= 1;
            if self.until_written == 0 {
                self.until_written = self.most_notes;
                self.file.write(&mut self.pairs);
            }
            self.until_halved -= 1;
            if self.until_halved == 0 {
                self.until_halved = 4 * SKETCH;
                for seen in &mut self.sketch {
                    *seen = if *seen == COUNTED { COUNTED } else { *seen / 2 };
                }
            }
        }
    }

    /// Why notes that did not fit into memory could not be written to a file, if so; the counts are right all the same.
    pub fn file_failure(&self) -> Option<&io::Error> {
        self.file.failure()
    }

    /// Combines the builders of all threads, each of which has seen other books.
    ///
    /// # Errors
    ///
    /// If notes in a temporary file cannot be read again.
    pub fn finish(builders: Vec<DocumentFrequencyBuilder>) -> io::Result<DocumentFrequencies> {
        let mut books: Vec<[u32; 2]> = Vec::new();
        let mut counted: HashMap<LineForm, FormCount, FixedState> = HashMap::default();
        let mut parts: Vec<Vec<PartNotes>> = (0..PARTS).map(|_| Vec::new()).collect();
        for builder in builders {
            let first = books.len() as u64;
            books.extend(builder.books);
            let written = builder.file.into_parts();
            for ((part, notes), written) in parts.iter_mut().zip(builder.pairs).zip(written) {
                part.push(PartNotes {
                    first,
                    notes,
                    written,
                });
            }
            for (form, count) in builder.counted {
                counted.entry(form).or_default().add(&count);
            }
        }
        let books = &books[..books.len().min(MOST_BOOKS_OF_BUILDER)];
        let parts: Vec<Mutex<_>> = parts.into_iter().map(Mutex::new).collect();
        let entries = parts.par_iter().map(|part| {
            let mut notes = part.lock().unwrap_or_else(PoisonError::into_inner);
            entries(std::mem::take(&mut *notes), books, &counted)
        });
        let entries: Vec<Vec<u64>> = entries.collect::<io::Result<_>>()?;
        let books = books.len() as u64;
        Ok(DocumentFrequencies::from_sorted(books, entries.concat()))
    }
}

/// The notes of one builder in one part.
struct PartNotes {
    /// Number of books of the builders before.
    first: u64,
    notes: Vec<u64>,
    /// Those in a file.
    written: Vec<Segment>,
}

/// Notes that the book `number` has this form.
fn push_pair(notes: &mut [Vec<u64>], form: LineForm, number: u32) {
    let note = form.0 << REST_BITS | u64::from(number);
    let part = &mut notes[(note >> (u64::BITS - PARTS.ilog2())) as usize];
    if part.len() == part.capacity() {
        // Doubling would take twice the memory.
        part.reserve_exact(part.len() / 4 + 512);
    }
    part.push(note);
}

/// The entries of one part, ascending.
fn entries(
    notes: Vec<PartNotes>,
    books: &[[u32; 2]],
    counted: &HashMap<LineForm, FormCount, FixedState>,
) -> io::Result<Vec<u64>> {
    let written = notes.iter().flat_map(|part| &part.written);
    let count = written.map(Segment::len).sum::<usize>();
    let count = count + notes.iter().map(|part| part.notes.len()).sum::<usize>();
    let mut all = Vec::with_capacity(count);
    for PartNotes {
        first,
        notes,
        written,
    } in notes
    {
        // Notes of books beyond the limit are dropped.
        let within = |note: &u64| {
            (note & (MOST_BOOKS_OF_BUILDER as u64 - 1)) + first < MOST_BOOKS_OF_BUILDER as u64
        };
        let mut add = |notes: &[u64]| {
            let kept = notes.iter().filter(|note| within(note));
            all.extend(kept.map(|note| note + first));
        };
        add(&notes);
        for segment in written {
            segment.read(&mut add)?;
        }
    }
    all.sort_unstable();
    all.dedup();
    let mut entries = Vec::new();
    for run in all.chunk_by(|a, b| a >> REST_BITS == b >> REST_BITS) {
        let form = LineForm(run[0] >> REST_BITS);
        // A directly counted form was noted at least once.
        let count = counted.get(&form);
        if run.len() > 1 || count.is_some_and(|count| count.books > 0) {
            entries.push(pack(form, document_frequency(run, books, count)));
        }
    }
    entries.shrink_to_fit();
    Ok(entries)
}

/// The document frequency of a form from its notes and its direct count.
fn document_frequency(
    run: &[u64],
    books: &[[u32; 2]],
    count: Option<&FormCount>,
) -> DocumentFrequency {
    let mut all = count.cloned().unwrap_or_default();
    let noted = u32::try_from(run.len()).unwrap_or(MOST_BOOKS);
    all.books = all.books.saturating_add(noted);
    for note in run {
        let number = note & (MOST_BOOKS_OF_BUILDER as u64 - 1);
        all.add_names(books[number as usize]);
    }
    let [producers, authors] = all.names.map(|names| names.len() as u32);
    DocumentFrequency {
        books: all.books.min(MOST_BOOKS),
        producers,
        authors,
    }
}

/// A hash of the last word of a name in lower case, as first names are written in many ways.
fn name(name: Option<&str>) -> u32 {
    let last = name
        .unwrap_or_default()
        .split(|c: char| !c.is_alphanumeric())
        .rfind(|word| word.len() > 2);
    let last = last.unwrap_or_default().to_lowercase();
    FixedState::default().hash_one(last) as u32
}
