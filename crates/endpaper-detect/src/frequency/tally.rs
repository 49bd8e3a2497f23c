//! One or two counting structures that count whole books as [`Counting`] requires.

use std::io::{Read, Write};

use anyhow::{Result, ensure};

use super::chunks::{ChunkReader, ChunkWriter};
use super::{Accumulate, BookLines, CountedEnds, Counter, Counting, Frequencies};

/// Counts books with one structure for both ends, or with one for heads and one for tails.
///
/// ```
/// use endpaper_detect::frequency::{Counting, Crc64, BookLines, EndCounters};
/// use endpaper_text::scan::Window;
/// use endpaper_text::line::Key;
/// let line = Key::of("These Etexts Are Prepared By Thousands of Volunteers!");
/// let mut book = BookLines::default();
/// book.push(line, Window::Head, None);
/// book.push(line, Window::Head, None);
/// book.push(line, Window::Tail, None);
/// let counting = Counting { separate_ends: true, count_books: true, ..Counting::default() };
/// let mut tally = EndCounters::new(counting, |_| Ok(Crc64::default()))?;
/// tally.add_book(&book)?;
/// let frequencies = tally.finish(0)?;
/// assert_eq!(frequencies.head().frequency(line), 1);
/// assert_eq!(frequencies.tail().frequency(line), 1);
/// # anyhow::Ok(())
/// ```
#[derive(Debug)]
pub struct EndCounters<C> {
    counting: Counting,
    /// One structure per item of [`Counting::ends`].
    sets: Vec<C>,
    lines: u64,
    /// Buffer for the lines of a book that one set counts.
    set_lines: BookLines,
}

impl<C: Accumulate> EndCounters<C> {
    /// An empty tally; `new` creates an empty structure for a set ([`super::StructureVisitor`]).
    ///
    /// # Errors
    ///
    /// If a structure cannot be created.
    pub fn new(counting: Counting, new: impl Fn(usize) -> Result<C>) -> Result<EndCounters<C>> {
        let sets = (0..counting.ends().len()).map(new);
        Ok(EndCounters {
            counting,
            sets: sets.collect::<Result<_>>()?,
            lines: 0,
            set_lines: BookLines::default(),
        })
    }

    /// Counts the lines of one whole book.
    ///
    /// # Errors
    ///
    /// If the structure's storage fails.
    pub fn add_book(&mut self, book: &BookLines) -> Result<()> {
        for (set, &ends) in self.sets.iter_mut().zip(self.counting.ends()) {
            let lines = if ends == CountedEnds::Both && !self.counting.count_books {
                book
            } else {
                self.set_lines.select(book, ends, self.counting.count_books);
                &self.set_lines
            };
            self.lines += lines.keys().len() as u64;
            set.add_batch(lines)?;
        }
        Ok(())
    }

    /// Number of lines counted: the sum of all counts.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Merges two tallies.
    ///
    /// # Errors
    ///
    /// If they count different things, or the storage of a structure fails.
    pub fn merge(self, other: Self) -> Result<Self> {
        ensure!(
            self.counting == other.counting,
            "counts of '{}' and of '{}' cannot be added",
            self.counting,
            other.counting
        );
        let sets = self.sets.into_iter().zip(other.sets);
        Ok(EndCounters {
            sets: sets.map(|(a, b)| a.merge(b)).collect::<Result<_>>()?,
            lines: self.lines.saturating_add(other.lines),
            counting: self.counting,
            set_lines: self.set_lines,
        })
    }

    /// From filled structures, one per item of [`Counting::ends`].
    pub(super) fn from_sets(counting: Counting, sets: Vec<C>, lines: u64) -> EndCounters<C> {
        EndCounters {
            counting,
            sets,
            lines,
            set_lines: BookLines::default(),
        }
    }

    /// The structures with the ends that they counted.
    pub(crate) fn into_sets(self) -> impl Iterator<Item = (CountedEnds, C)> {
        self.counting.ends().iter().copied().zip(self.sets)
    }
}

impl<C: Counter> EndCounters<C> {
    /// Ends counting. Lines that occur fewer than `below` times may be left out ([`Counter::finish`]).
    ///
    /// # Errors
    ///
    /// If a structure's storage fails.
    pub fn finish(self, below: u64) -> Result<Frequencies> {
        let sets = self.sets.into_iter().map(|set| set.finish(below));
        sets.collect()
    }

    /// Writes everything that was counted. Each set is written in chunks, so that it can have any size and reading
    /// stops where it ends.
    ///
    /// # Errors
    ///
    /// If writing or a structure's storage fails.
    pub fn save(self, out: &mut dyn Write) -> Result<()> {
        for set in self.sets {
            let mut chunks = ChunkWriter::new(out);
            set.save(&mut chunks)?;
            chunks.finish()?;
        }
        Ok(())
    }

    /// Reads what [`EndCounters::save`] wrote, together with the number of lines, into this tally, which must be empty.
    ///
    /// # Errors
    ///
    /// If reading fails or the bytes are not what `save` writes.
    pub fn load(&mut self, lines: u64, from: &mut dyn Read) -> Result<()> {
        for set in &mut self.sets {
            let mut chunks = ChunkReader::new(from);
            set.load(&mut chunks)?;
            ensure!(
                chunks.is_at_end()?,
                "its counts are followed by something else"
            );
        }
        self.lines = lines;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
