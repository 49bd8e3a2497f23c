//! Facts of blocks: cues, marks, shape, frequency, document frequency.

use super::logs::ln;
use super::{SparseFacts, as_fact};
use crate::End;
use crate::frequency::document_frequency::{DocumentFrequencies, DocumentFrequency, LineForm};
use crate::posterior::end_region::{EndRegion, RegionBlock};
use endpaper_text::line::KeyKind;
use endpaper_text::scan::{LexicalCue, MarkerSet, ScanRow};

/// Lexical cues come first, one fact each.
const CUE_COUNT: usize = LexicalCue::ALL.len();

/// Marks, one fact each.
const MARKS: [(&str, MarkerSet); 7] = [
    ("gutenberg", MarkerSet::GUTENBERG),
    ("start-marker", MarkerSet::START),
    ("small-print-end", MarkerSet::SMALL_PRINT_END),
    ("end-marker", MarkerSet::END),
    ("etext-line", MarkerSet::ETEXT),
    ("credits", MarkerSet::CREDITS),
    ("note", MarkerSet::NOTE),
];

/// Facts of shape and frequency.
const SHAPE: [&str; 18] = [
    "separator",
    "frequency-mean",
    "frequency-max",
    "unique",
    "one-row",
    "two-or-three-rows",
    "four-to-eight-rows",
    "nine-rows",
    "rows",
    "short-title",
    "short-author",
    "width",
    "narrow",
    "prose",
    "strong",
    "plain-prose",
    "indent",
    "indented",
];

/// Facts of the document frequency of each form of the rows.
const SPREAD: [&str; 10] = [
    "books-mean",
    "books-max",
    "hand",
    "hand-any",
    "author",
    "author-any",
    "many",
    "many-any",
    "very-many",
    "very-many-any",
];

/// Line forms.
const FORMS: [&str; 3] = ["exact", "skeleton", "opening"];

/// Number of facts of a block.
pub(in crate::posterior) const BLOCK_FACTS: usize =
    CUE_COUNT + MARKS.len() + SHAPE.len() + FORMS.len() * SPREAD.len();

/// Names of the facts of a block.
pub(in crate::posterior) fn block_names() -> impl Iterator<Item = String> {
    let cues = LexicalCue::ALL.iter().map(|sign| sign.name());
    let marks = MARKS.iter().map(|(name, _)| *name);
    let plain = cues
        .chain(marks)
        .chain(SHAPE.iter().copied())
        .map(str::to_owned);
    plain.chain(
        FORMS
            .iter()
            .flat_map(|form| SPREAD.iter().map(move |how| format!("{form}-{how}"))),
    )
}

/// Computes the facts of the blocks of a region, numbered as in [`block_names`], and sets their `by_one_producer`.
/// `counts` are the frequencies of the rows.
pub(in crate::posterior) fn block_facts(
    region: &mut EndRegion<'_>,
    counts: &[u64],
    spreads: &DocumentFrequencies,
) -> SparseFacts {
    let end = region.end;
    let spreads = spreads.get_all(region.rows.iter().flat_map(|row| forms(row, end)));
    let mut lists = SparseFacts::with_capacity(region.blocks.len(), 32);
    for block in &mut region.blocks {
        let rows = block.rows.clone();
        let spreads = &spreads[FORM_COUNT * rows.start..FORM_COUNT * rows.end];
        let (counts, rows) = (&counts[rows.clone()], &region.rows[rows]);
        block.by_one_producer = add_block(&mut lists, rows, block, counts, spreads);
    }
    lists
}

/// Adds the facts of a block. Returns whether a line of it is in books of several authors, all by one producer.
/// `spreads` are the document frequencies of the [`forms`] of each row.
fn add_block(
    lists: &mut SparseFacts,
    rows: &[&ScanRow],
    block: &RegionBlock,
    counts: &[u64],
    spreads: &[DocumentFrequency],
) -> bool {
    let size = rows.len() as f32;
    // A cue in one row of a long block is weaker evidence than in a short one.
    for sign in block.cues.each() {
        let rows_with = rows
            .iter()
            .filter(|row| row.features.cues.has(sign))
            .count();
        lists.put(sign as usize, (rows_with as f32 / size).sqrt());
    }
    lists.put_all(
        CUE_COUNT,
        MARKS.map(|(_, mark)| as_fact(block.marks.has(mark))),
    );
    lists.put_all(CUE_COUNT + MARKS.len(), shape(rows, block, counts));
    let mut of_hand = false;
    let mut next = CUE_COUNT + MARKS.len() + SHAPE.len();
    for (form, (kind, _)) in FORM_KEYS.iter().enumerate() {
        let seen = frequency_facts(spreads.iter().skip(form).step_by(FORM_COUNT), size);
        of_hand |= *kind == KeyKind::Exact && seen[PRODUCER_ANY] > 0.0;
        lists.put_all(next, seen);
        next += SPREAD.len();
    }
    lists.end();
    of_hand
}

/// The facts of [`SHAPE`].
fn shape(rows: &[&ScanRow], block: &RegionBlock, counts: &[u64]) -> [f32; SHAPE.len()] {
    let size = rows.len() as f32;
    let (mut sum, mut most, mut width, mut indent) = (0.0, 0.0_f32, 0.0, 0.0);
    for (row, &count) in rows.iter().zip(counts) {
        let seen = ln(count);
        sum += seen;
        most = most.max(seen);
        width += f32::from(row.characters);
        indent += f32::from(row.features.indent.min(40));
    }
    let (width, indent) = (width / size, indent / size);
    let prose = width > 55.0 && rows.len() > 2;
    let has = |sign| block.cues.has(sign);
    [
        as_fact(block.separator),
        sum / size,
        most,
        as_fact(most < 0.1),
        as_fact(rows.len() == 1),
        as_fact((2..=3).contains(&rows.len())),
        as_fact((4..=8).contains(&rows.len())),
        as_fact(rows.len() > 8),
        ln(rows.len() as u64),
        as_fact(has(LexicalCue::Title) && rows.len() <= 3),
        as_fact(has(LexicalCue::Author) && rows.len() <= 2),
        width.min(200.0) / 60.0,
        as_fact(width < 25.0),
        as_fact(prose),
        as_fact(block.has_producer_cue),
        as_fact(prose && !block.has_producer_cue),
        indent / 20.0,
        as_fact(indent > 8.0),
    ]
}

/// The facts of [`SPREAD`].
fn frequency_facts<'a>(
    spreads: impl Iterator<Item = &'a DocumentFrequency>,
    size: f32,
) -> [f32; SPREAD.len()] {
    let (mut books_sum, mut books_most) = (0.0, 0.0_f32);
    let mut held = [0_u32; 4];
    // A form that is in no other book adds nothing.
    for spread in spreads.filter(|spread| spread.books > 1) {
        let books = ln(spread.books.into());
        books_sum += books / size;
        books_most = books_most.max(books);
        held[0] += u32::from(spread.producers == 1 && spread.authors > 1);
        held[1] += u32::from(spread.authors == 1);
        held[2] += u32::from(spread.producers >= 3 && spread.authors >= 3);
        held[3] += u32::from(spread.producers >= 12 && spread.authors >= 12);
    }
    let mut seen = [0.0; SPREAD.len()];
    seen[..2].copy_from_slice(&[books_sum, books_most]);
    for (pair, held) in seen[2..].chunks_exact_mut(2).zip(held) {
        pair.copy_from_slice(&[held as f32 / size, as_fact(held > 0)]);
    }
    seen
}

/// Index of `hand-any` in [`SPREAD`].
const PRODUCER_ANY: usize = 3;

/// Half of the key of a form of a row.
type HalfKey = fn(&ScanRow) -> u32;

/// The forms, with the half key of a row for each.
const FORM_KEYS: [(KeyKind, HalfKey); 3] = [
    (KeyKind::Exact, |row| row.key.0 as u32),
    (KeyKind::Skeleton, |row| row.features.skeleton),
    (KeyKind::Opening, |row| row.features.opening),
];

/// Number of forms of a row.
pub(in crate::posterior) const FORM_COUNT: usize = FORM_KEYS.len();

/// All forms of a row.
pub(in crate::posterior) fn forms(row: &ScanRow, end: End) -> [LineForm; FORM_COUNT] {
    FORM_KEYS.map(|(kind, half)| LineForm::new(kind, end == End::End, half(row)))
}
