//! The open book: its text and all data computed from it for the screen.
//!
//! A page is prepared off the drawing thread and never changes. It has the frequency of every line, so that drawing and moving
//! need no file, no model and no regular expression.

mod gram_view;
mod grams;
mod outline;
mod repeated;
mod shades;

use std::sync::{Arc, OnceLock};

use endpaper_detect::frequency::Frequencies;
use endpaper_detect::frequency::document_frequency::{DocumentFrequency, LineForm};
use endpaper_detect::{
    self as detect, Candidate, Cuts, Detection, End, Evidence, InsideBlock, Method, Parameters,
    ProfileName,
};
use endpaper_outline::Outline;
use endpaper_text::corpus::{BookText, EncodingChoice};
use endpaper_text::line::{Key, KeyKind, Normaliser};
use endpaper_text::scan::{self, MarkerSet, Scan, ScanRow};
use gram_view::{DIGITS, GramView};

/// Steps of shading, from rare (0) to very frequent (5).
pub const SHADES: u8 = 6;

/// Maximum number of bytes of a line that are normalised for display or counting.
const NORMALISED: usize = 4096;

/// Document frequencies of the forms of a line, each in heads and in tails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineDocumentFrequency {
    /// The line as it is counted.
    pub exact: [DocumentFrequency; 2],
    /// The skeleton of the line.
    pub skeleton: [DocumentFrequency; 2],
    /// The first words of the line.
    pub opening: [DocumentFrequency; 2],
}

/// A book prepared for display. Lines are numbered from 1.
#[derive(Debug)]
pub struct BookPage {
    /// The lines.
    pub text: BookText,
    /// The scan of the text.
    pub scan: Scan,
    /// The proposed cuts, with evidence.
    pub detection: Detection,
    /// The profile behind the proposal; `None` for a detector without one.
    pub profile: Option<ProfileName>,
    /// Digest of the weights behind the proposal, if they were learned in this sitting.
    pub learned_digest: Option<Arc<str>>,
    /// SHA-256 of the bytes, hex.
    pub sha256: String,
    /// Frequency of each line, at index `line - 1`; 0 for blank lines and lines never counted.
    frequency: Vec<u32>,
    /// Facts about each line, at index `line - 1`.
    facts: Vec<PageFacts>,
    /// Shading of each line, at index `line - 1`.
    shades: Vec<u8>,
    /// Document frequencies of each row of the scan; empty if they were not collected.
    document_frequencies: Vec<LineDocumentFrequency>,
    /// First and last line of every block.
    blocks: Vec<(u32, u32)>,
    /// Licence blocks that occur several times in the text.
    repeated: Vec<InsideBlock>,
    /// Positions of the candidates of both ends, sorted.
    positions: Vec<(End, u32)>,
    /// The threshold K that scales the shading.
    threshold: u64,
    /// Result of the alternation detector; `None` if it did not run.
    grams: Option<GramView>,
    /// The outline, computed when first used.
    outline: OnceLock<Outline>,
}

/// What drawing needs to know of a line: whether it is blank, trivial (never counted), and by a producer (`signature`).
#[derive(Clone, Copy, Debug)]
struct PageFacts {
    blank: bool,
    trivial: bool,
    signature: bool,
}

impl BookPage {
    /// Prepares a book: one pass over its lines, about 100 ns each.
    pub fn new(text: BookText, frequencies: &Frequencies, parameters: &Parameters) -> BookPage {
        let options = scan::WindowOptions {
            head: parameters.head,
            tail: parameters.tail,
            line_features: parameters.method == Method::Posterior,
            encoding: EncodingChoice::Forced(text.encoding()),
        };
        let scan = scan::scan(text.bytes(), options);
        let detection = detect::propose(&scan, frequencies, parameters);
        let profile = ProfileName::of(&scan, parameters);
        let sha256 = endpaper_text::checksum::sha256(text.bytes());
        let lines = text.lines() as usize;
        let (mut frequency, mut facts) = (Vec::with_capacity(lines), Vec::with_capacity(lines));
        let mut normaliser = Normaliser::default();
        for line in 1..=text.lines() {
            let raw = text.normaliser_input(line);
            let normal = normaliser.line(&raw[..raw.len().min(NORMALISED)]);
            let count = if normal.trivial {
                0
            } else {
                frequency_at(frequencies, &scan, line, normal.key())
            };
            frequency.push(u32::try_from(count).unwrap_or(u32::MAX));
            facts.push(PageFacts {
                blank: normal.is_blank(),
                trivial: normal.trivial,
                signature: is_signature(normal.text),
            });
        }
        let blocks = blocks(&facts);
        let document_frequencies = line_document_frequencies(frequencies, &scan);
        let threshold = parameters.threshold;
        let shades = shades::shades(&scan, &frequency, &document_frequencies, threshold);
        let positions = Vec::new();
        let mut page = BookPage {
            text,
            scan,
            detection,
            profile,
            learned_digest: None,
            sha256,
            frequency,
            facts,
            shades,
            document_frequencies,
            blocks,
            repeated: Vec::new(),
            positions,
            threshold,
            grams: None,
            outline: OnceLock::new(),
        };
        page.positions = page.positions_of_candidates();
        page.repeated = repeated::repeated_licences(&page);
        page
    }

    /// Replaces the candidates, and puts `evidence` before the existing evidence.
    pub fn override_candidates(&mut self, candidates: Vec<Candidate>, evidence: Vec<Evidence>) {
        self.detection.candidates = candidates;
        self.detection.evidence.put_first(evidence);
        self.positions = self.positions_of_candidates();
    }

    /// The line before which each candidate would cut, sorted and deduplicated.
    fn positions_of_candidates(&self) -> Vec<(End, u32)> {
        let position = |candidate: &Candidate| (candidate.end, self.candidate_position(candidate));
        let mut positions: Vec<_> = self.detection.candidates.iter().map(position).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// The line before which a candidate would cut.
    fn candidate_position(&self, candidate: &Candidate) -> u32 {
        let cuts = match candidate.end {
            End::Start => Cuts {
                preamble_end: candidate.line,
                epilogue_start: None,
            },
            End::End => Cuts {
                preamble_end: 0,
                epilogue_start: Some(candidate.line),
            },
        };
        self.cut_position(cuts, candidate.end)
    }

    /// Lines before which the candidates of an end would cut, the best first.
    pub fn ranked_positions(&self, end: End) -> Vec<u32> {
        let candidates = self.detection.candidates.iter();
        let of_end = candidates.filter(|candidate| candidate.end == end);
        of_end
            .map(|candidate| self.candidate_position(candidate))
            .collect()
    }

    /// Lines before which the candidates of an end would cut, in line order: the digits 1 to 9 in the gutter.
    pub fn candidate_positions(&self, end: End) -> impl Iterator<Item = u32> {
        self.positions
            .iter()
            .filter(move |(e, _)| *e == end)
            .map(|&(_, line)| line)
            .take(DIGITS)
    }

    /// Lines before which a candidate of either end would cut.
    pub fn all_positions(&self) -> impl Iterator<Item = u32> {
        self.positions.iter().map(|&(_, position)| position)
    }

    /// Number of lines.
    pub fn lines(&self) -> u32 {
        self.facts.len() as u32
    }

    /// How often the line occurs in the heads and tails of the corpus.
    pub fn frequency(&self, line: u32) -> u32 {
        self.frequency.get(line as usize - 1).copied().unwrap_or(0)
    }

    /// The threshold K: more frequent lines are *frequent*.
    pub fn threshold(&self) -> u64 {
        self.threshold
    }

    /// The scan row of a line in one of the windows.
    pub fn row(&self, line: u32) -> Option<&ScanRow> {
        let index = self.row_index(line)?;
        self.scan.rows.get(index)
    }

    /// The index of a line in the scan, if it was scanned.
    fn row_index(&self, line: u32) -> Option<usize> {
        let found = self.scan.rows.binary_search_by_key(&line, |row| row.line);
        found.ok()
    }

    /// Document frequency of a line of the windows, if it was collected.
    pub fn document_frequency(&self, line: u32) -> Option<&LineDocumentFrequency> {
        self.document_frequencies.get(self.row_index(line)?)
    }

    /// The normalised form of the first few thousand bytes of a line.
    pub fn normalised(&self, line: u32) -> String {
        let mut normaliser = Normaliser::default();
        let text = &self.text;
        if text.encoding().is_utf16() {
            let start = text.display(line, NORMALISED);
            return normaliser.text(&start).text.to_owned();
        }
        let raw = text.normaliser_input(line);
        let start = &raw[..raw.len().min(NORMALISED)];
        normaliser.line(start).text.to_owned()
    }

    /// Shading of a line, 0 to 5: by its frequency, or, for a line too short to be counted, by the number of books that
    /// have it at the same end.
    pub fn shade(&self, line: u32) -> u8 {
        self.shades.get(line as usize - 1).copied().unwrap_or(0)
    }

    /// Whether the line has only white space (also true outside the book).
    pub fn is_blank(&self, line: u32) -> bool {
        line == 0 || self.facts.get(line as usize - 1).is_none_or(|f| f.blank)
    }

    /// Whether the line is too short to count, or has no letter.
    pub fn is_trivial(&self, line: u32) -> bool {
        line == 0 || self.facts.get(line as usize - 1).is_none_or(|f| f.trivial)
    }

    /// Whether the line may be a signature: a name, a location, a date or an address, which folding must not hide.
    pub fn is_signature(&self, line: u32) -> bool {
        line > 0
            && self
                .facts
                .get(line as usize - 1)
                .is_some_and(|f| f.signature)
    }

    /// Markers of a line in one of the windows; empty elsewhere.
    pub fn markers(&self, line: u32) -> MarkerSet {
        self.row(line)
            .map_or_else(MarkerSet::default, |row| row.marks)
    }

    /// First and last line of every block, in order.
    pub fn blocks(&self) -> &[(u32, u32)] {
        &self.blocks
    }

    /// Blocks that look like boilerplate wherever they are: what the detector proposes, and licences that occur several times,
    /// in line order.
    pub fn boilerplate_blocks(&self) -> impl Iterator<Item = &InsideBlock> {
        let found = &self.detection.inside;
        let is_new = |block: &&InsideBlock| {
            let overlaps =
                |other: &InsideBlock| other.first <= block.last && block.first <= other.last;
            !found.iter().any(overlaps)
        };
        let mut all: Vec<&InsideBlock> = found
            .iter()
            .chain(self.repeated.iter().filter(is_new))
            .collect();
        all.sort_by_key(|block| block.first);
        all.into_iter()
    }

    /// Index of the block with the line, or `Err` with the index of the next one.
    pub fn block_of(&self, line: u32) -> Result<usize, usize> {
        let next = self.blocks.partition_point(|&(_, last)| last < line);
        match self.blocks.get(next) {
            Some(&(first, _)) if first <= line => Ok(next),
            _ => Err(next),
        }
    }

    /// The last non-blank line at or before `line`; 0 without one.
    pub fn non_blank_at_or_before(&self, line: u32) -> u32 {
        match self.block_of(line) {
            Ok(_) => line,
            Err(0) => 0,
            Err(next) => self.blocks[next - 1].1,
        }
    }

    /// The first non-blank line at or after `line`.
    pub fn non_blank_at_or_after(&self, line: u32) -> Option<u32> {
        match self.block_of(line) {
            Ok(_) => Some(line),
            Err(next) => self.blocks.get(next).map(|block| block.0),
        }
    }

    /// Number of non-blank lines from `from` on and before `to`.
    pub fn non_blank_between(&self, from: u32, to: u32) -> u32 {
        let from = from.max(1);
        let lines = |&(first, last): &(u32, u32)| {
            let (first, end) = (first.max(from), (last + 1).min(to));
            end.saturating_sub(first)
        };
        self.blocks.iter().map(lines).sum()
    }

    /// First line of the body with these cuts; `None` if no non-blank line follows the preamble.
    pub fn body_first(&self, cuts: Cuts) -> Option<u32> {
        self.non_blank_at_or_after(cuts.preamble_end + 1)
    }

    /// The line before which a cut is: the first non-blank line after it (`lines + 1` at the end of the book).
    pub fn cut_position(&self, cuts: Cuts, end: End) -> u32 {
        match end {
            End::Start => self.body_first(cuts).unwrap_or(self.lines() + 1),
            End::End => cuts.epilogue_start.unwrap_or(self.lines() + 1),
        }
    }

    /// Moves the cuts of a record to non-blank lines of this book, as a record may have been edited manually.
    pub fn snap_cuts(&self, cuts: Cuts) -> Cuts {
        let end = |line: u32| self.non_blank_at_or_after(line.max(1));
        Cuts {
            preamble_end: self.non_blank_at_or_before(cuts.preamble_end.min(self.lines())),
            epilogue_start: cuts.epilogue_start.and_then(end),
        }
    }

    /// Moves one cut to before `position` (the reverse of [`BookPage::cut_position`]), skipping blank lines.
    pub fn with_cut_at(&self, cuts: Cuts, end: End, position: u32) -> Cuts {
        match end {
            End::Start => Cuts {
                preamble_end: self.non_blank_at_or_before(position.saturating_sub(1)),
                ..cuts
            },
            End::End => Cuts {
                epilogue_start: self.non_blank_at_or_after(position.max(1)),
                ..cuts
            },
        }
    }
}

/// The frequency of a line as the detector counts it: at its own end, or the larger of both in the body.
fn frequency_at(frequencies: &Frequencies, scan: &Scan, line: u32, key: Key) -> u64 {
    match end_of(scan, line) {
        Some(End::Start) => frequencies.head().frequency(key),
        Some(End::End) => frequencies.tail().frequency(key),
        None => frequencies.max_frequency(key),
    }
}

/// The end whose window has a line; `None` for a line in both windows or in neither.
fn end_of(scan: &Scan, line: u32) -> Option<End> {
    let first = |row: u32| scan.rows.get(row as usize).map(|row| row.line);
    let in_head = scan.head > 0 && first(scan.head - 1).is_some_and(|last| line <= last);
    let in_tail = first(scan.tail).is_some_and(|first| line >= first);
    match (in_head, in_tail) {
        (true, false) => Some(End::Start),
        (false, true) => Some(End::End),
        _ => None,
    }
}

/// Document frequencies of each row of a scan, in heads and in tails.
fn line_document_frequencies(frequencies: &Frequencies, scan: &Scan) -> Vec<LineDocumentFrequency> {
    let known = frequencies.document_frequencies();
    if known.books() == 0 {
        return Vec::new();
    }
    // Forms are keyed by half of a key.
    let forms = scan.rows.iter().flat_map(|row| {
        let kinds = [
            (KeyKind::Exact, row.key.0 as u32),
            (KeyKind::Skeleton, row.features.skeleton),
            (KeyKind::Opening, row.features.opening),
        ];
        let ends = |(kind, half)| [false, true].map(|tail| LineForm::new(kind, tail, half));
        kinds.into_iter().flat_map(ends)
    });
    let found = known.get_all(forms);
    let (rows, _) = found.as_chunks::<6>();
    let row = |&[a, b, c, d, e, f]: &[DocumentFrequency; 6]| LineDocumentFrequency {
        exact: [a, b],
        skeleton: [c, d],
        opening: [e, f],
    };
    rows.iter().map(row).collect()
}

/// First and last line of every block.
fn blocks(facts: &[PageFacts]) -> Vec<(u32, u32)> {
    let mut blocks = Vec::new();
    let mut first = None;
    for (index, fact) in facts.iter().enumerate() {
        let line = index as u32 + 1;
        match (fact.blank, first) {
            (false, None) => first = Some(line),
            (true, Some(start)) => {
                blocks.push((start, line - 1));
                first = None;
            }
            _ => {}
        }
    }
    if let Some(start) = first {
        blocks.push((start, facts.len() as u32));
    }
    blocks
}

/// Whether it is a short line with an address, or with a year and few words.
fn is_signature(normalised: &str) -> bool {
    if normalised.contains('@') {
        return true;
    }
    if normalised.len() > 48 {
        return false;
    }
    let year = |word: &str| {
        let digits: Vec<u8> = word.bytes().filter(u8::is_ascii_digit).collect();
        digits.len() == 4 && matches!(digits[0], b'1' | b'2')
    };
    normalised.split(' ').any(year) && normalised.split(' ').count() <= 6
}

/// A page shared between the loader and the session.
pub type SharedPage = Arc<BookPage>;
