//! The bodies of different books, in memory.

use std::sync::atomic::AtomicBool;

use anyhow::{Result, ensure};
use rayon::prelude::*;

use endpaper_command::common::{CorpusArgs, SCAN_MEMORY};
use endpaper_command::output::warn;
use endpaper_command::progress::ProgressBar;
use endpaper_detect::copies::clusters::clusters;
use endpaper_detect::copies::{FingerprintBits, text_of_lines};
use endpaper_detect::pipeline::{BookReport, CopyOptions, OVERLAP, find_copies};
use endpaper_text::corpus::{Listing, Skipped};
use lab::experiments::SampleRandom;
use lab::experiments::copies::{VersionSet, pieces};

/// Maximum total size of the bodies in memory, in bytes.
const MEMORY: usize = 512 << 20;

/// Maximum size of a piece in the large set, in bytes: there are many pieces.
const MAX_PIECE_BYTES: usize = 32 << 10;

/// Minimum size of a piece, about the words of a page; below it the set gets fewer pieces.
const MIN_PIECE_BYTES: usize = 2 << 10;

/// Books that share at least this fraction of their phrases count as the same: near copies, and collections with the same stories.
const MIN_COMMON_PHRASES: f64 = 0.1;

/// Most pairs of editions that are held in memory.
const EDITIONS: usize = 50;

/// Minimum size of an original in the small set, in bytes, unless there are no longer bodies.
const MIN_SMALL_BYTES: usize = 20 << 10;

/// Texts that originals are made from.
pub(super) struct OriginalTexts {
    /// Bodies of different books, in random order.
    pub bodies: Vec<String>,
    /// The language that the header of each states; empty where it states none.
    pub languages: Vec<String>,
    /// Bodies of editions of one book, one pair of each cluster.
    pub editions: Vec<[String; 2]>,
    /// The bits in which the fingerprints of editions differ, for every pair that its phrases confirm.
    pub edition_distances: Vec<u32>,
    /// Number of books excluded as copies.
    pub copies: usize,
    /// Books that cannot be read.
    pub skipped: Vec<Skipped>,
}

/// A piece of the text of a book that a document of an experiment is made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct OriginalPiece<'a> {
    pub text: &'a str,
    /// Index of the book it is from.
    pub book: usize,
}

impl OriginalTexts {
    /// Reads the bodies of different books, as many as the large and the small set may need.
    ///
    /// # Errors
    ///
    /// Returns an error if fewer than two books have a body.
    pub fn of(listing: &Listing, corpus: &CorpusArgs, large: &VersionSet) -> Result<OriginalTexts> {
        let mut options = corpus.options()?;
        options.scan_memory = SCAN_MEMORY;
        let mut report = corpus.analyse(listing, &options)?;
        if !corpus.quiet {
            report.notes.iter().for_each(|note| warn(note));
        }
        let mut skipped = std::mem::take(&mut report.skipped);
        let books: Vec<&BookReport> = report.books.iter().collect();
        let bar = ProgressBar::new(corpus.quiet);
        let copies = find_copies(
            &books,
            None,
            &CopyOptions {
                overlap: MIN_COMMON_PHRASES,
                // Half of the bits differ in any two texts: no pair of editions is left out for its fingerprints.
                distance: FingerprintBits::default().count() / 2,
                ..CopyOptions::of(&options)
            },
            &|progress| bar.show_progress(progress),
            &AtomicBool::new(false),
        )?;
        drop(bar);
        if !corpus.quiet {
            copies.notes.iter().for_each(|note| warn(note));
        }
        let links = copies.links.iter().map(|link| (link.a, link.b));
        let mut chosen: Vec<bool> = copies.fingerprints.iter().map(Option::is_some).collect();
        let mut left_out = 0;
        for cluster in clusters(books.len(), links) {
            for &copy in &cluster[1..] {
                left_out += usize::from(std::mem::take(&mut chosen[copy as usize]));
            }
        }
        let editions = || copies.links.iter().filter(|link| link.overlap >= OVERLAP);
        let edition_distances = editions().map(|link| link.distance).collect();
        let mut paired: Vec<bool> = vec![false; books.len()];
        let mut edition_pairs: Vec<[usize; 2]> = Vec::new();
        for link in editions() {
            let pair = [link.a as usize, link.b as usize];
            if edition_pairs.len() < EDITIONS && pair.iter().all(|&book| !paired[book]) {
                pair.iter().for_each(|&book| paired[book] = true);
                edition_pairs.push(pair);
            }
        }
        let mut order: Vec<usize> = (0..books.len()).filter(|&book| chosen[book]).collect();
        SampleRandom::new(2015).shuffle(&mut order);
        let enough = MEMORY.min((large.originals() * MAX_PIECE_BYTES).max(MEMORY / 4));
        let body_of = |book: usize| {
            let surveyed = books[book];
            let read = surveyed.book.text(options.max_size);
            read.map(|text| {
                let (first, last) = surveyed.summary.detection.cuts.body(surveyed.summary.lines);
                text_of_lines(&text, first, last)
            })
            .map_err(|reason| Skipped {
                id: surveyed.book.id.clone(),
                reason,
            })
        };
        let editions: Vec<[String; 2]> = edition_pairs
            .into_par_iter()
            .filter_map(|[a, b]| Some([body_of(a).ok()?, body_of(b).ok()?]))
            .collect();
        let (mut bodies, mut languages): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let mut bytes = 0;
        // Reads a few at a time, since they stay in memory.
        for books_now in order.chunks(64) {
            let read = books_now.par_iter().map(|&book| (book, body_of(book)));
            for (book, body) in read.collect::<Vec<_>>() {
                match body {
                    Ok(body) => {
                        bytes += body.len();
                        bodies.push(body);
                        let language = books[book].summary.header.language.clone();
                        languages.push(language.unwrap_or_default());
                    }
                    Err(unread) => skipped.push(unread),
                }
            }
            if bytes >= enough {
                break;
            }
        }
        skipped.extend(copies.skipped);
        skipped.sort_by(|a, b| a.id.cmp(&b.id));
        skipped.dedup();
        ensure!(
            bodies.len() > 1 && bytes >= 2 * MIN_PIECE_BYTES,
            "{} different books with {bytes} bytes of text are too few to corrupt; give more books, or no CORPUS for those of the demonstration",
            bodies.len()
        );
        Ok(OriginalTexts {
            bodies,
            languages,
            editions,
            edition_distances,
            copies: left_out,
            skipped,
        })
    }

    /// Total size of all bodies in bytes.
    pub fn bytes(&self) -> usize {
        self.bodies.iter().map(String::len).sum()
    }

    /// Returns `count` originals: whole bodies if enough of them are not small, otherwise pieces of the greatest possible length.
    pub fn originals(&self, count: usize) -> Vec<OriginalPiece<'_>> {
        let bodies = (0..).zip(&self.bodies);
        let whole: Vec<OriginalPiece<'_>> = bodies
            .filter(|(_, text)| text.len() >= MIN_SMALL_BYTES)
            .map(|(book, text)| OriginalPiece { text, book })
            .take(count)
            .collect();
        if whole.len() == count {
            return whole;
        }
        self.pieces(count, usize::MAX)
    }

    /// Returns `count` small originals, or as many as there are.
    pub fn small_originals(&self, count: usize) -> Vec<OriginalPiece<'_>> {
        self.pieces(count, MAX_PIECE_BYTES)
    }

    /// Returns `count` pieces of about equal length, as long as possible, in random order; fewer if they would be very short.
    fn pieces(&self, count: usize, longest: usize) -> Vec<OriginalPiece<'_>> {
        let mut bytes = (self.bytes() / count.max(1)).clamp(MIN_PIECE_BYTES, longest);
        loop {
            let cut = (0..).zip(&self.bodies).flat_map(|(book, body)| {
                let texts = pieces(body, bytes).into_iter();
                texts.map(move |text| OriginalPiece { text, book })
            });
            let mut all: Vec<OriginalPiece<'_>> = cut.collect();
            // Bodies leave a rest when divided, so some pieces are missing at first.
            if all.len() >= count || bytes == MIN_PIECE_BYTES {
                SampleRandom::new(count as u64).shuffle(&mut all);
                all.truncate(count);
                return all;
            }
            bytes = (bytes - bytes / 20).max(MIN_PIECE_BYTES);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf(sizes: &[usize]) -> OriginalTexts {
        OriginalTexts {
            bodies: sizes.iter().map(|size| "word ".repeat(size / 5)).collect(),
            languages: Vec::new(),
            editions: Vec::new(),
            edition_distances: Vec::new(),
            copies: 0,
            skipped: Vec::new(),
        }
    }

    #[test]
    fn originals_are_whole_bodies_where_there_are_enough() {
        let shelf = shelf(&[30_000, 100, 40_000, 50_000]);
        let lengths = |pieces: Vec<OriginalPiece<'_>>| -> Vec<usize> {
            pieces.iter().map(|piece| piece.text.len()).collect()
        };
        assert_eq!(lengths(shelf.originals(2)), [30_000, 40_000]);
        let five = shelf.originals(5);
        assert_eq!(five.len(), 5);
        assert!(
            five.iter()
                .all(|piece| shelf.bodies[piece.book].contains(piece.text))
        );
        assert!(lengths(five).iter().all(|&bytes| bytes > 15_000));
        assert!(
            lengths(shelf.small_originals(2))
                .iter()
                .all(|&bytes| bytes <= MAX_PIECE_BYTES)
        );
    }

    #[test]
    fn where_pieces_would_be_very_short_there_are_fewer() {
        let shelf = shelf(&[10_000, 10_000, 100]);
        let pieces = shelf.small_originals(75_000);
        assert_eq!(pieces.len(), 8);
        assert!(
            pieces
                .iter()
                .all(|piece| piece.text.len() > MIN_PIECE_BYTES / 2)
        );
    }
}
