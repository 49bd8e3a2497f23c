//! The alternation detector on the books of a corpus: frequent n-grams from the ends of some of them, and the two cuts
//! that follow from these in each. It does not use lines, so it is an independent check of the line-based detectors.

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::copies::read;
use super::parallel::{RunContext, catch_panic};
use super::{AnalysisOptions, AnalysisProgress, AnalysisStep, MODEL_BOOKS};
use crate::Cuts;
use crate::alternation::{
    ByteCuts, DocumentPart, END_BYTES, FoldedDocuments, FrequentGrams, Optimum, START_OF_BOOKS,
    Ties, TooMuchText, built_in,
};
use endpaper_text::checksum::crc64;
use endpaper_text::corpus::{Book, BookText, Skipped};
use endpaper_text::files::read_at_most;

/// Number of books that the frequent n-grams are learned from. The ends of this number of books make about as much text
/// as the sets of the paper (3 to 5 MB). With much more text, the search makes nearly everything useless ([`Optimum`]).
pub const LEARN_FROM: usize = 100;

/// A cut is in doubt if it is at least this number of lines from the cut of the alternation detector.
///
/// Of 299 labelled books, cut by weights that were not learned from them, 38 are this far from the cuts by the n-grams
/// of their own corpus; 8 of those are wrong (by more than 10 lines), and 13 of the 261 others. With the built-in
/// n-grams it is 7 of 27. With a limit of 20 lines it is 10 of 64, and 10 of 44.
pub const MIN_DISAGREEMENT: u32 = 30;

/// The cuts of the alternation detector for the books of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GramCuts {
    /// The n-grams that are frequent at the ends of the books.
    pub frequent: Arc<FrequentGrams>,
    /// The number of lines and the cuts of each book; `None` for a book that cannot be read.
    pub cuts: Vec<Option<(u32, Cuts)>>,
    /// Books that could not be read.
    pub skipped: Vec<Skipped>,
}

/// Learns frequent n-grams from the ends of `learn_from` books, drawn by a hash of their ids. As with line counts, a
/// corpus of fewer than [`MODEL_BOOKS`] books uses the built-in n-grams.
///
/// # Errors
///
/// The run was cancelled, or the threads cannot be started. Unreadable books are left out.
pub fn learn_grams(
    books: &[&Book],
    learn_from: usize,
    options: &AnalysisOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<Arc<FrequentGrams>> {
    if books.len() < MODEL_BOOKS {
        return Ok(built_in());
    }
    let mut drawn = books.to_vec();
    drawn.sort_by_cached_key(|book| (crc64(book.id.as_str().as_bytes()), book.id.clone()));
    drawn.truncate(learn_from);
    let run = RunContext::new(options.threads, progress, cancel)?;
    let each = |_: &mut (), at: usize| {
        catch_panic(|| read(drawn[at], options.max_size).map(|text| (text.encoding(), ends(&text))))
    };
    let (_, read) = run.par_map(AnalysisStep::Reading, drawn.len(), || (), each)?;
    let mut documents = FoldedDocuments::default();
    let ends = read.iter().flatten().flatten();
    for (encoding, end) in ends.flat_map(|(encoding, ends)| ends.iter().map(|end| (*encoding, end)))
    {
        // A few hundred ends of 24 KiB are never too much.
        if let Err(TooMuchText) = documents.push_in(end, encoding) {
            break;
        }
    }
    let frequent = run.pool.install(|| {
        let found = Optimum::find_from(&documents, START_OF_BOOKS, Ties::Group, |_| {});
        found.frequent()
    });
    run.check()?;
    Ok(Arc::new(frequent))
}

/// The first and the last [`END_BYTES`] of a book in whole lines, or all of it if it is not longer. Of UTF-16 only the
/// first, as the end has no byte order mark.
fn ends(text: &BookText) -> Vec<Vec<u8>> {
    let bytes = text.bytes();
    if bytes.len() <= 2 * END_BYTES {
        return vec![bytes.to_vec()];
    }
    let head = text.span(1, text.line_at(END_BYTES).max(2) - 1);
    let first = text.line_at(bytes.len() - END_BYTES) + 1;
    let mut ends = vec![bytes[head.start..head.end.min(2 * END_BYTES)].to_vec()];
    if !text.encoding().is_utf16() {
        let tail = text.span(first, text.lines());
        ends.push(bytes[tail].to_vec());
    }
    ends
}

/// The cuts of every book by these n-grams.
///
/// # Errors
///
/// The run was cancelled, or the threads cannot be started.
pub fn cut_with(
    frequent: Arc<FrequentGrams>,
    books: &[&Book],
    options: &AnalysisOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<GramCuts> {
    let run = RunContext::new(options.threads, progress, cancel)?;
    let each = |_: &mut (), at: usize| {
        let cut = || read(books[at], options.max_size).map(|text| cuts_of(&text, &frequent));
        catch_panic(cut)
            .map_err(endpaper_text::corpus::Unreadable::Io)
            .flatten()
    };
    let (_, found) = run.par_map(AnalysisStep::Comparing, books.len(), || (), each)?;
    let mut cuts = Vec::with_capacity(books.len());
    let mut skipped = Vec::new();
    for (book, found) in books.iter().zip(found) {
        cuts.push(found.as_ref().ok().copied());
        if let Err(reason) = found {
            skipped.push(Skipped {
                id: book.id.clone(),
                reason,
            });
        }
    }
    Ok(GramCuts {
        frequent,
        cuts,
        skipped,
    })
}

/// The number of lines of a book, and the cuts that the frequent n-grams of its ends give.
pub(super) fn cuts_of(text: &BookText, frequent: &FrequentGrams) -> (u32, Cuts) {
    let ends = ByteCuts::of(&parts_of_ends(text, frequent));
    (text.lines(), line_cuts_at(text, ends))
}

/// Bytes beyond [`END_BYTES`] that are examined as well: an n-gram that ends there may begin before.
const MARGIN: usize = 4 << 10;

/// The parts of a book, with all between its ends as one: no cut is there ([`ByteCuts::of`]).
fn parts_of_ends(text: &BookText, frequent: &FrequentGrams) -> Vec<DocumentPart> {
    let (bytes, far) = (text.bytes(), END_BYTES + MARGIN);
    let parts_of = |bytes| frequent.parts_in(bytes, text.encoding());
    if text.encoding().is_utf16() || bytes.len() <= 2 * far {
        return parts_of(bytes);
    }
    // Whole lines, so that no character is split.
    let head = text.span(1, text.line_at(far)).end;
    let tail = text
        .span(text.line_at(bytes.len() - far), text.lines())
        .start;
    if head >= tail {
        return parts_of(bytes);
    }
    let mut parts = parts_of(&bytes[..head]);
    parts.push(DocumentPart {
        useless: false,
        bytes: head..tail,
    });
    let behind = parts_of(&bytes[tail..]).into_iter();
    parts.extend(behind.map(|part| DocumentPart {
        bytes: part.bytes.start + tail..part.bytes.end + tail,
        ..part
    }));
    parts
}

/// The cuts at the line ends nearest to two byte offsets in a book; blank lines are assigned to the parts outside the
/// body.
pub fn line_cuts_at(text: &BookText, ends: ByteCuts) -> Cuts {
    let last = nearest_line_end(text, ends.preamble);
    let first = nearest_line_end(text, ends.epilogue) + 1;
    Cuts {
        preamble_end: text.non_blank_to(last).unwrap_or(0),
        epilogue_start: text.non_blank_from(first),
    }
}

/// The line whose end is nearest to a byte offset; 0 is before the first line.
fn nearest_line_end(text: &BookText, offset: usize) -> u32 {
    if text.lines() == 0 {
        return 0;
    }
    let line = text.line_at(offset);
    let span = text.span(line, line);
    let (before, after) = (offset.abs_diff(span.start), offset.abs_diff(span.end));
    if before <= after { line - 1 } else { line }
}

/// Whether two pairs of cuts differ widely: at one end, at least [`MIN_DISAGREEMENT`] lines are cut away by only one of them.
pub fn differ_widely(ours: Cuts, theirs: Cuts, lines: u32) -> bool {
    let end = |cuts: Cuts| cuts.epilogue_start.unwrap_or(lines + 1);
    ours.preamble_end.abs_diff(theirs.preamble_end) >= MIN_DISAGREEMENT
        || end(ours).abs_diff(end(theirs)) >= MIN_DISAGREEMENT
}

/// Largest file of frequent n-grams that is read, in bytes (inflated).
const MAX_GRAMS_BYTES: u64 = 256 << 20;

/// Reads a file of frequent n-grams, which may be gzipped.
///
/// # Errors
///
/// The file cannot be read, or is not such a file.
pub fn read_grams(path: &std::path::Path) -> Result<Arc<FrequentGrams>> {
    use anyhow::Context;
    use std::io::Read;
    let name = || format!("'{}'", path.display());
    let bytes = read_at_most(path, MAX_GRAMS_BYTES)
        .with_context(|| format!("{} cannot be read", name()))?;
    let mut text = String::new();
    let read = match bytes.starts_with(&[0x1F, 0x8B]) {
        true => flate2::read::GzDecoder::new(Cursor::new(bytes))
            .take(MAX_GRAMS_BYTES + 1)
            .read_to_string(&mut text),
        false => Cursor::new(bytes).read_to_string(&mut text),
    };
    read.with_context(|| format!("{} is not text", name()))?;
    anyhow::ensure!(
        text.len() as u64 <= MAX_GRAMS_BYTES,
        "{} has more than {} MiB of n-grams",
        name(),
        MAX_GRAMS_BYTES >> 20
    );
    let frequent =
        FrequentGrams::from_text(&text).with_context(|| format!("{} holds no n-grams", name()))?;
    Ok(Arc::new(frequent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_stand_at_the_nearest_line_ends_and_skip_blank_lines() {
        let text = BookText::new(b"header\n\ntitle\ntext\nmore\n\nlicence\nlicence\n".to_vec());
        //                     0        7 8     14    19    24 25      33
        let table = [
            ((0, 41), (0, None)),
            ((6, 25), (1, Some(7))),
            ((8, 24), (1, Some(7))),
            ((10, 27), (1, Some(7))),
            ((13, 31), (3, Some(8))),
            ((14, 19), (3, Some(5))),
            ((41, 41), (8, None)),
        ];
        for ((preamble, epilogue), (preamble_end, epilogue_start)) in table {
            let expected = Cuts {
                preamble_end,
                epilogue_start,
            };
            let ends = ByteCuts { preamble, epilogue };
            assert_eq!(line_cuts_at(&text, ends), expected, "{ends:?}");
        }
        let nothing = BookText::new(Vec::new());
        let ends = ByteCuts::of(&[]);
        assert_eq!(line_cuts_at(&nothing, ends), Cuts::default());
    }

    #[test]
    fn the_ends_of_a_book_give_the_cuts_of_the_whole() {
        let frequent = built_in();
        let licence = "*** START OF THIS PROJECT GUTENBERG EBOOK ***\r\n\r\n";
        let body = |lines: usize| -> String {
            let line = |at| format!("The {at} sentence of a caf\u{e9} in the old town.\r\n");
            (0..lines).map(line).collect()
        };
        for (before, lines) in [(1, 10), (20, 600), (20, 5000), (800, 5000)] {
            let text = licence.repeat(before) + &body(lines) + &licence.repeat(before);
            let text = BookText::new(text.into_bytes());
            let whole = ByteCuts::of(&frequent.parts(text.bytes()));
            assert_eq!(
                ByteCuts::of(&parts_of_ends(&text, &frequent)),
                whole,
                "{before} {lines}"
            );
        }
    }

    #[test]
    fn far_is_so_many_lines_at_either_end() {
        let cuts = |preamble_end, epilogue_start| Cuts {
            preamble_end,
            epilogue_start,
        };
        let ours = cuts(10, Some(900));
        assert!(!differ_widely(
            ours,
            cuts(10 + MIN_DISAGREEMENT - 1, Some(900 + MIN_DISAGREEMENT - 1)),
            1000
        ));
        assert!(differ_widely(
            ours,
            cuts(10 + MIN_DISAGREEMENT, Some(900)),
            1000
        ));
        assert!(differ_widely(
            ours,
            cuts(10, Some(900 - MIN_DISAGREEMENT)),
            1000
        ));
        assert!(differ_widely(ours, cuts(10, None), 1000));
        assert!(!differ_widely(cuts(10, Some(990)), cuts(10, None), 1000));
    }

    #[test]
    fn ends_are_whole_lines() {
        let line = format!("{}\u{e9}\n", "x".repeat(70));
        let text = BookText::new(line.repeat(2000).into_bytes());
        let ends = ends(&text);
        assert_eq!(ends.len(), 2);
        for end in ends {
            assert!(end.len() <= END_BYTES && end.len() > END_BYTES - 2 * line.len());
            assert!(end.starts_with(b"xxx") && end.ends_with(b"\n"));
            assert!(std::str::from_utf8(&end).is_ok());
        }
        // One line without an end.
        let text = BookText::new(vec![b'x'; 1 << 20]);
        assert!(
            super::ends(&text)
                .iter()
                .all(|end| end.len() <= 2 * END_BYTES)
        );
        assert_eq!(super::ends(&BookText::new(b"short\n".to_vec())).len(), 1);
    }
}
