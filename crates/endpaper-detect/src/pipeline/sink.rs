//! The destination of the lines of books: counts, document frequencies and texts.

use anyhow::{Context, Result};

use super::ordered::OrderedTally;
use super::parallel::RunContext;
use crate::frequency::document_frequency::{DocumentFrequencies, DocumentFrequencyBuilder};
use crate::frequency::{Accumulate, BookLines, Counter, EndCounters, Frequencies, TextSampler};
use crate::posterior;
use endpaper_text::scan::Scan;

/// The data that one thread, or all of them together, collected from lines.
pub(super) struct CountSink<C> {
    /// The counts, unless another tally counts the lines.
    pub tally: Option<EndCounters<C>>,
    /// One builder per merged thread; empty if document frequencies are not counted.
    pub builders: Vec<DocumentFrequencyBuilder>,
    /// Texts of lines.
    pub sample: TextSampler,
}

impl<C: Accumulate> CountSink<C> {
    /// A sink that counts with `tally`, if there is one, and collects document frequencies if asked to.
    pub fn new(tally: Option<EndCounters<C>>, document_frequencies: bool) -> CountSink<C> {
        CountSink {
            tally,
            builders: Vec::from_iter(document_frequencies.then(DocumentFrequencyBuilder::default)),
            sample: TextSampler::default(),
        }
    }

    /// Adds the forms of a book.
    pub fn add_scan(&mut self, scan: &Scan) {
        for builder in &mut self.builders {
            posterior::add_line_forms(scan, builder);
        }
    }

    /// Counts the lines of the book with this index, in the tally of all threads if there is one; `None` for a book
    /// that is not counted.
    pub fn count_book(
        &mut self,
        index: usize,
        lines: Option<&BookLines>,
        ordered: Option<&OrderedTally<C>>,
        run: &RunContext<'_>,
    ) {
        let added = match (ordered, &mut self.tally, lines) {
            (Some(ordered), _, lines) => ordered.add_book(index, lines, run),
            (None, Some(tally), Some(lines)) => tally.add_book(lines),
            (None, ..) => Ok(()),
        };
        if let Err(error) = added {
            run.fail(error);
        }
    }

    /// What the user should know about the counting.
    pub fn notes(&self) -> Vec<String> {
        let failures = self
            .builders
            .iter()
            .find_map(DocumentFrequencyBuilder::file_failure);
        let note = failures.map(|error| {
            format!("no temporary file can be written, so that lines take more memory: {error}")
        });
        note.into_iter().collect()
    }

    /// Merges two sinks.
    pub fn merge(mut self, other: CountSink<C>) -> Result<CountSink<C>> {
        self.builders.extend(other.builders);
        self.tally = match (self.tally, other.tally) {
            (Some(ours), Some(theirs)) => Some(ours.merge(theirs)?),
            (ours, theirs) => ours.or(theirs),
        };
        self.sample = self.sample.merge(other.sample);
        Ok(self)
    }
}

impl<C: Counter> CountSink<C> {
    /// The frequencies (empty if no lines were counted) and the texts.
    pub fn finish(self, below: u64) -> Result<(Frequencies, TextSampler)> {
        let Some(tally) = self.tally else {
            return Ok((Frequencies::default(), self.sample));
        };
        // One after the other, as each takes most of its memory when it is finished.
        let frequencies = match self.builders.is_empty() {
            true => DocumentFrequencies::default(),
            false => DocumentFrequencyBuilder::finish(self.builders)
                .context("lines in a temporary file are lost")?,
        };
        Ok((
            tally.finish(below)?.with_document_frequencies(frequencies),
            self.sample,
        ))
    }
}
