//! Aligns the lines around a cut with those of another edition.
//!
//! Blocks with nearly the same words are matched first, whether in the same lines or re-flowed; between them, lines that are
//! equal after normalisation. Only a window of non-blank lines is compared, so that a book of 100,000 lines takes no
//! longer than a tale; lines that occur once in both editions determine the window of the other edition.

use std::collections::HashMap;
use std::ops::Range;

use crate::page::BookPage;
use endpaper_detect::End;
use endpaper_text::line::{Key, Normaliser};

/// Number of non-blank lines compared on the side of the cut away from the body, where additions to the book are.
const OUTSIDE: usize = 300;
/// The same for the other edition; larger, so that lines before a long preface there are not taken for absent.
const THEIRS: usize = 900;
/// Number of non-blank lines compared on the side of the body.
const INSIDE: usize = 150;
/// Number of bytes of a line that are compared, as in [`BookPage::new`].
const COMPARED_BYTES: usize = 4096;
/// Minimum number of words of a block that may lack one in five of the other's. Shorter blocks must have the same words.
const MANY: usize = 10;

/// Maximum number of words of a block that can be a title page.
const TITLE: usize = 25;

/// How a stretch of lines corresponds to the other edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StretchKind {
    /// The same lines.
    Same,
    /// The same words in other lines.
    Reflowed,
    /// Only the open book has them.
    OnlyHere,
    /// Only the other edition has them.
    OnlyThere,
}

/// Matching lines of both windows, as ranges of [`Alignment::here`] and [`Alignment::there`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// How the lines correspond.
    pub kind: StretchKind,
    /// Lines of the open book; empty for [`StretchKind::OnlyThere`].
    pub here: Range<usize>,
    /// Lines of the other edition; empty for [`StretchKind::OnlyHere`].
    pub there: Range<usize>,
}

/// Two aligned windows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    /// Non-blank lines of the open book.
    pub here: Vec<u32>,
    /// Non-blank lines of the other edition.
    pub there: Vec<u32>,
    /// The stretches in order; each line of both windows is in one of them.
    pub stretches: Vec<Stretch>,
    /// For each line of the open book, whether a short block of the other window contains all its words: a title that occurs
    /// twice here and once there is not absent from it.
    pub found_in_other: Vec<bool>,
    /// Length of the longest line of each window, in characters.
    pub longest: [u16; 2],
}

impl Alignment {
    /// Whether the other edition contains at least a third of the open book's lines on the body's side of its cut.
    pub fn is_similar(&self, end: End, place: u32) -> bool {
        let cut = self.here.partition_point(|&line| line < place);
        let body = match end {
            End::Start => cut..self.here.len(),
            End::End => 0..cut,
        };
        let shared = self.stretches.iter().filter(|stretch| stretch.is_shared());
        let inside = |stretch: &Stretch| {
            let (first, last) = (
                stretch.here.start.max(body.start),
                stretch.here.end.min(body.end),
            );
            last.saturating_sub(first)
        };
        let shared: usize = shared.map(inside).sum();
        shared > 0 && shared * 3 >= body.len()
    }

    /// Number of lines that only the open book has, and number that only the other edition has.
    pub fn one_sided_counts(&self) -> (usize, usize) {
        let count = |kind: StretchKind| {
            let stretches = self.stretches.iter().filter(move |s| s.kind == kind);
            stretches.map(|s| s.here.len() + s.there.len()).sum()
        };
        (count(StretchKind::OnlyHere), count(StretchKind::OnlyThere))
    }
}

impl Stretch {
    /// Whether both editions have it.
    pub fn is_shared(&self) -> bool {
        matches!(self.kind, StretchKind::Same | StretchKind::Reflowed)
    }
}

/// Aligns one end of two books. `at` is the cut position in the open book. `guess`, the cut position in the other edition, is
/// used if no line determines the window; without it, the window has the same distance from that end of the book.
pub fn align(
    here: &BookPage,
    there: &BookPage,
    end: End,
    at: u32,
    guess: Option<u32>,
) -> Alignment {
    let (ours, theirs) = (PageLines::of(here), PageLines::of(there));
    let at = ours.index_of_line(at);
    let centre = ours.counterpart(&theirs, end, at).unwrap_or_else(|| {
        let from_end = || theirs.count().saturating_sub(ours.count() - at);
        match (guess, end) {
            (Some(line), _) => theirs.index_of_line(line),
            (None, End::Start) => at.min(theirs.count()),
            (None, End::End) => from_end(),
        }
    });
    let ours = ours.window(end, at, OUTSIDE);
    let theirs = theirs.window(end, centre, THEIRS);
    let read = |page: &BookPage, lines: &[u32]| LineReader::default().read(page, lines);
    let (a, b) = (read(here, &ours), read(there, &theirs));
    let longest = |lines: &[ComparedLine]| lines.iter().map(|line| line.width).max().unwrap_or(0);
    Alignment {
        stretches: diff(&a, &b),
        found_in_other: lines_found_in(&a, &b),
        longest: [longest(&a), longest(&b)],
        here: ours,
        there: theirs,
    }
}

/// The non-blank lines of a page, addressed by their number among the non-blank ones.
struct PageLines<'a> {
    page: &'a BookPage,
    /// For each block, the number of non-blank lines before it.
    before: Vec<usize>,
}

impl<'a> PageLines<'a> {
    /// Counts the non-blank lines of a page.
    fn of(page: &'a BookPage) -> PageLines<'a> {
        let mut count = 0;
        let mut before = vec![0];
        for (first, last) in page.blocks() {
            count += (last - first + 1) as usize;
            before.push(count);
        }
        PageLines { page, before }
    }

    /// Number of non-blank lines.
    fn count(&self) -> usize {
        self.before.last().copied().unwrap_or(0)
    }

    /// Number of non-blank lines before a line.
    fn index_of_line(&self, line: u32) -> usize {
        match self.page.block_of(line) {
            Ok(block) => self.before[block] + (line - self.page.blocks()[block].0) as usize,
            Err(next) => self.before[next],
        }
    }

    /// The lines at a range of indices.
    fn range(&self, range: Range<usize>) -> Vec<u32> {
        let first = self.before.partition_point(|&before| before <= range.start);
        let first = first.saturating_sub(1);
        let blocks = self.page.blocks().iter().zip(&self.before).skip(first);
        let blocks = blocks.take_while(|(_, before)| **before < range.end);
        let skipped = range.start.saturating_sub(self.before[first]);
        blocks
            .flat_map(|(&(first, last), _)| first..=last)
            .skip(skipped)
            .take(range.len())
            .collect()
    }

    /// The lines of the window around an index.
    fn window(&self, end: End, at: usize, outside: usize) -> Vec<u32> {
        let (above, below) = match end {
            End::Start => (outside, INSIDE),
            End::End => (INSIDE, outside),
        };
        self.range(at.saturating_sub(above)..(at + below).min(self.count()))
    }

    /// The index in `other` that corresponds to `at` here. It is shifted by the median distance of the lines of the adjacent body
    /// that occur once in both.
    fn counterpart(&self, other: &PageLines<'_>, end: End, at: usize) -> Option<usize> {
        let body = match end {
            End::Start => at..(at + INSIDE).min(self.count()),
            End::End => at.saturating_sub(INSIDE)..at,
        };
        let mut reader = LineReader::default();
        // For each line: its index here, its index there if found, and whether it occurs twice.
        let mut wanted: HashMap<Key, (usize, Option<usize>, bool)> = HashMap::new();
        for (place, line) in body.clone().zip(self.range(body)) {
            if let Some(key) = reader.distinctive_key(self.page, line) {
                let twice = wanted.contains_key(&key);
                wanted.insert(key, (place, None, twice));
            }
        }
        for (place, line) in (0..).zip(other.range(0..other.count())) {
            let Some(key) = reader.distinctive_key(other.page, line) else {
                continue;
            };
            if let Some((_, found, twice)) = wanted.get_mut(&key) {
                *twice |= found.is_some();
                *found = Some(place);
            }
        }
        let once = wanted.values().filter(|(_, _, twice)| !twice);
        let mut apart: Vec<i64> = once
            .filter_map(|&(here, there, _)| Some(there? as i64 - here as i64))
            .collect();
        apart.sort_unstable();
        let apart = *apart.get(apart.len() / 2)?;
        usize::try_from(at as i64 + apart)
            .ok()
            .map(|place| place.min(other.count()))
    }
}

/// A line in the form in which it is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ComparedLine {
    /// Key of the normalised line.
    pub key: Key,
    /// Index of its block.
    pub block: usize,
    /// Keys of its words, in lower case and without punctuation.
    pub words: Vec<Key>,
    /// Number of characters, including indentation.
    pub width: u16,
}

/// Reads lines in the form in which two editions are compared: normalised, in lower case. The buffers are reused.
#[derive(Default)]
struct LineReader {
    normaliser: Normaliser,
    lowered: String,
}

impl LineReader {
    /// The lines in the form in which they are compared.
    fn read(&mut self, page: &BookPage, lines: &[u32]) -> Vec<ComparedLine> {
        lines.iter().map(|&line| self.line(page, line)).collect()
    }

    /// A line in the form in which it is compared.
    fn line(&mut self, page: &BookPage, line: u32) -> ComparedLine {
        let raw = page.text.normaliser_input(line);
        let raw = &raw[..raw.len().min(COMPARED_BYTES)];
        let normal = self.normaliser.line(raw);
        self.lowered.clear();
        self.lowered
            .extend(normal.text.chars().flat_map(char::to_lowercase));
        let words = self.lowered.split(|c: char| !c.is_alphanumeric());
        let indent = raw.iter().take_while(|byte| byte.is_ascii_whitespace());
        let width = indent.count() + normal.characters;
        ComparedLine {
            key: normal.key(),
            block: page.block_of(line).unwrap_or_else(|next| next),
            words: words.filter(|word| !word.is_empty()).map(Key::of).collect(),
            width: u16::try_from(width).unwrap_or(u16::MAX),
        }
    }

    /// The key of a line that is not trivial.
    fn distinctive_key(&mut self, page: &BookPage, line: u32) -> Option<Key> {
        if page.is_trivial(line) {
            return None;
        }
        let raw = page.text.normaliser_input(line);
        Some(
            self.normaliser
                .line(&raw[..raw.len().min(COMPARED_BYTES)])
                .key(),
        )
    }
}

/// For each line, whether all its words are in one short block of the other list.
fn lines_found_in(here: &[ComparedLine], there: &[ComparedLine]) -> Vec<bool> {
    let mut short = blocks(there, 0..there.len());
    short.retain(|block| block.words.len() <= TITLE);
    let stands = |line: &ComparedLine| {
        let has = |block: &WordBlock| {
            let word = |word: &Key| block.words.binary_search(word).is_ok();
            line.words.iter().all(word)
        };
        !line.words.is_empty() && short.iter().any(has)
    };
    here.iter().map(stands).collect()
}

/// Aligns two lists of lines: first blocks with nearly the same words, which are unambiguous; between them equal lines; and
/// between those the remaining blocks.
pub(super) fn diff(here: &[ComparedLine], there: &[ComparedLine]) -> Vec<Stretch> {
    let mut out = Stretches::default();
    let (a, b) = (blocks(here, 0..here.len()), blocks(there, 0..there.len()));
    let (mut at, mut other) = (0, 0);
    for (i, j) in
        weighted_common_subsequence(a.len(), b.len(), |i, j| in_common(&a[i].words, &b[j].words))
    {
        let (block, its) = (a[i].lines.clone(), b[j].lines.clone());
        lines(here, there, at..block.start, other..its.start, &mut out);
        (at, other) = (block.end, its.end);
        // A paragraph with a corrected word is aligned line by line, a re-flowed one as a whole.
        let pairs = equal_lines(here, there, &block, &its);
        let equal = pairs.iter().filter(|(i, j)| here[*i].key == there[*j].key);
        let equal = equal.count();
        match equal * 2 >= block.len().max(its.len()) {
            true => lines(here, there, block, its, &mut out),
            false => out.push(StretchKind::Reflowed, block, its),
        }
    }
    lines(here, there, at..here.len(), other..there.len(), &mut out);
    out.0
}

/// Aligns the equal lines of two ranges, and the lines between them.
fn lines(
    here: &[ComparedLine],
    there: &[ComparedLine],
    ours: Range<usize>,
    theirs: Range<usize>,
    out: &mut Stretches,
) {
    let (mut at, mut other) = (ours.start, theirs.start);
    for (i, j) in equal_lines(here, there, &ours, &theirs) {
        diff_blocks(here, there, at..i, other..j, out);
        (at, other) = (i + 1, j + 1);
        let kind = match here[i].key == there[j].key {
            true => StretchKind::Same,
            false => StretchKind::Reflowed,
        };
        out.push(kind, i..at, j..other);
    }
    diff_blocks(here, there, at..ours.end, other..theirs.end, out);
}

/// Pairs of equal lines of two ranges in order, including lines of the same words (a title in capitals). The weight of a line
/// grows with its number of words, so that lines like `by` count little.
fn equal_lines(
    here: &[ComparedLine],
    there: &[ComparedLine],
    ours: &Range<usize>,
    theirs: &Range<usize>,
) -> Vec<(usize, usize)> {
    let (a, b) = (&here[ours.clone()], &there[theirs.clone()]);
    let weight = |i: usize, j: usize| match a[i].key == b[j].key {
        true => 2 * a[i].words.len() + 1,
        false if a[i].words == b[j].words => 2 * a[i].words.len(),
        false => 0,
    };
    let pairs = weighted_common_subsequence(a.len(), b.len(), weight);
    let place = |(i, j)| (ours.start + i, theirs.start + j);
    pairs.into_iter().map(place).collect()
}

/// Stretches in order; adjacent ones of the same kind are joined.
#[derive(Default)]
struct Stretches(Vec<Stretch>);

impl Stretches {
    /// Adds a stretch of lines, joined with the last if both are of one kind.
    fn push(&mut self, kind: StretchKind, here: Range<usize>, there: Range<usize>) {
        if here.is_empty() && there.is_empty() {
            return;
        }
        // Re-flowed blocks are not joined: each corresponds to one block of the other edition.
        if let Some(last) = self.0.last_mut()
            && last.kind == kind
            && kind != StretchKind::Reflowed
        {
            (last.here.end, last.there.end) = (here.end, there.end);
            return;
        }
        self.0.push(Stretch { kind, here, there });
    }
}

/// Aligns ranges without equal lines: blocks with nearly the same words, and lines that only one edition has.
fn diff_blocks(
    here: &[ComparedLine],
    there: &[ComparedLine],
    ours: Range<usize>,
    theirs: Range<usize>,
    out: &mut Stretches,
) {
    let (a, b) = (blocks(here, ours.clone()), blocks(there, theirs.clone()));
    let (mut at, mut other) = (ours.start, theirs.start);
    for (i, j) in
        weighted_common_subsequence(a.len(), b.len(), |i, j| in_common(&a[i].words, &b[j].words))
    {
        let (block, its) = (a[i].lines.clone(), b[j].lines.clone());
        out.push(StretchKind::OnlyHere, at..block.start, other..other);
        out.push(
            StretchKind::OnlyThere,
            block.start..block.start,
            other..its.start,
        );
        (at, other) = (block.end, its.end);
        out.push(StretchKind::Reflowed, block, its);
    }
    out.push(StretchKind::OnlyHere, at..ours.end, other..other);
    out.push(
        StretchKind::OnlyThere,
        ours.end..ours.end,
        other..theirs.end,
    );
}

/// A part of a block, with the keys of its words in order.
struct WordBlock {
    lines: Range<usize>,
    words: Vec<Key>,
}

/// The blocks of the lines in `range`, with their words.
fn blocks(lines: &[ComparedLine], range: Range<usize>) -> Vec<WordBlock> {
    let mut out: Vec<WordBlock> = Vec::new();
    for at in range {
        let line = &lines[at];
        match out.last_mut() {
            Some(last) if lines[last.lines.start].block == line.block => {
                last.lines.end = at + 1;
                last.words.extend(&line.words);
            }
            _ => out.push(WordBlock {
                lines: at..at + 1,
                words: line.words.clone(),
            }),
        }
    }
    for block in &mut out {
        block.words.sort_unstable();
    }
    out
}

/// The weighted longest common subsequence: pairs of items of two lists, in the order of both, with the greatest total
/// weight. Pairs of weight 0 do not match. Windows bound the lists to some hundred items each.
pub(super) fn weighted_common_subsequence(
    a: usize,
    b: usize,
    weight: impl Fn(usize, usize) -> usize,
) -> Vec<(usize, usize)> {
    let width = b + 1;
    let mut weights = vec![0u32; a * b];
    // The greatest total weight of the items from i and j on.
    let mut best = vec![0u32; (a + 1) * width];
    for i in (0..a).rev() {
        for j in (0..b).rev() {
            let weight = u32::try_from(weight(i, j)).unwrap_or(u32::MAX / 2);
            weights[i * b + j] = weight;
            let with = weight.saturating_add(best[(i + 1) * width + j + 1]);
            let without = best[(i + 1) * width + j].max(best[i * width + j + 1]);
            best[i * width + j] = with.max(without);
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < a && j < b {
        let (weight, here) = (weights[i * b + j], best[i * width + j]);
        if weight > 0 && here == weight.saturating_add(best[(i + 1) * width + j + 1]) {
            out.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if here == best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    out
}

/// Number of common words of two blocks, given in order; 0 if the blocks do not match.
fn in_common(a: &[Key], b: &[Key]) -> usize {
    let (least, most) = (a.len().min(b.len()), a.len().max(b.len()));
    let enough = |common: usize| match most {
        most if most < MANY => common == most,
        most => common * 5 >= most * 4,
    };
    if most == 0 || !enough(least) {
        return 0;
    }
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, common) = (i + 1, j + 1, common + 1),
        }
    }
    if enough(common) { common } else { 0 }
}
