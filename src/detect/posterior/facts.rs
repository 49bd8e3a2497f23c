//! What the posterior detector looks at: facts of blocks, and facts of places between rows.
//!
//! A fact is a number, mostly 0 or 1. What it is worth is never decided here: weights are fitted to labels.

use super::strip::{Block, Strip, trade};
use crate::detect::End;
use crate::frequency::spread::{Form, Spread};
use crate::line::{Key, KeyKind};
use crate::scan::{Marks, Row, Sign, Signs};

/// Signs come first, one fact each.
const SIGNS: usize = Sign::ALL.len();

/// Marks, one fact each.
const MARKS: &[(&str, Marks)] = &[
    ("gutenberg", Marks::GUTENBERG),
    ("start-marker", Marks::START),
    ("small-print-end", Marks::SMALL_PRINT_END),
    ("end-marker", Marks::END),
    ("etext-line", Marks::ETEXT),
    ("credits", Marks::CREDITS),
    ("note", Marks::NOTE),
];

/// Facts of shape and frequency.
const SHAPE: &[&str] = &[
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

/// Facts of how widely a form of the rows is spread, for each form.
const SPREAD: &[&str] = &[
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

/// The forms.
const FORMS: &[&str] = &["exact", "skeleton", "opening"];

/// Number of facts of a block.
pub(super) const BLOCK_FACTS: usize =
    SIGNS + MARKS.len() + SHAPE.len() + FORMS.len() * SPREAD.len();

/// Facts of one block that are not zero, by their place among [`block_names`].
pub(super) type BlockFacts = Vec<(u16, f32)>;

/// Names of the facts of a block.
pub(super) fn block_names() -> impl Iterator<Item = String> {
    let signs = Sign::ALL.iter().map(|sign| sign.name());
    let marks = MARKS.iter().map(|(name, _)| *name);
    let plain = signs
        .chain(marks)
        .chain(SHAPE.iter().copied())
        .map(str::to_owned);
    plain.chain(
        FORMS
            .iter()
            .flat_map(|form| SPREAD.iter().map(move |how| format!("{form}-{how}"))),
    )
}

/// Finds the facts of a block out.
pub(super) fn block_facts(
    rows: &[&Row],
    signs: Signs,
    marks: Marks,
    strong: bool,
    frequency: impl Fn(Key) -> u64,
    spread: impl Fn(KeyKind, u32) -> Spread,
) -> BlockFacts {
    let mut facts = BlockFacts::with_capacity(32);
    // One word in a long block says less than one in a short one.
    facts.extend(signs.each().map(|sign| {
        let rows_with = rows.iter().filter(|row| row.looks.signs.has(sign)).count();
        (sign as u16, (rows_with as f32 / rows.len() as f32).sqrt())
    }));
    let marks = (SIGNS as u16..)
        .zip(MARKS)
        .filter(|(_, (_, mark))| marks.has(*mark));
    facts.extend(marks.map(|(at, _)| (at, 1.0)));
    let size = rows.len() as f32;
    let (mut sum, mut most, mut width, mut indent) = (0.0, 0.0_f32, 0.0, 0.0);
    let mut separator = true;
    for row in rows {
        let seen = (frequency(row.key).max(1) as f32).ln();
        sum += seen;
        most = most.max(seen);
        width += f32::from(row.characters);
        indent += f32::from(row.looks.indent.min(40));
        separator &= row.marks.has(Marks::SEPARATOR);
    }
    let (width, indent) = (width / size, indent / size);
    let prose = width > 55.0 && rows.len() > 2;
    let shape = [
        flag(separator),
        sum / size,
        most,
        flag(most < 0.1),
        flag(rows.len() == 1),
        flag((2..=3).contains(&rows.len())),
        flag((4..=8).contains(&rows.len())),
        flag(rows.len() > 8),
        size.ln(),
        flag(signs.has(Sign::Title) && rows.len() <= 3),
        flag(signs.has(Sign::Author) && rows.len() <= 2),
        width.min(200.0) / 60.0,
        flag(width < 25.0),
        flag(prose),
        flag(strong),
        flag(prose && !strong),
        indent / 20.0,
        flag(indent > 8.0),
    ];
    let first = (SIGNS + MARKS.len()) as u16;
    facts.extend((first..).zip(shape).filter(|&(_, value)| value != 0.0));
    let mut next = first + SHAPE.len() as u16;
    for (kind, half) in FORM_KEYS {
        let mut seen = [0.0_f32; SPREAD.len()];
        for row in rows {
            let spread = spread(kind, half(row));
            let books = (spread.books as f32).ln();
            seen[0] += books / size;
            seen[1] = seen[1].max(books);
            let held = [
                spread.books > 1 && spread.hands == 1 && spread.authors > 1,
                spread.books > 1 && spread.authors == 1,
                spread.hands >= 3 && spread.authors >= 3,
                spread.hands >= 12 && spread.authors >= 12,
            ];
            for (at, held) in held.into_iter().enumerate() {
                seen[2 + 2 * at] += flag(held) / size;
                seen[3 + 2 * at] = seen[3 + 2 * at].max(flag(held));
            }
        }
        facts.extend((next..).zip(seen).filter(|&(_, value)| value != 0.0));
        next += SPREAD.len() as u16;
    }
    facts
}

/// Half of the key of a form of a row.
type HalfKey = fn(&Row) -> u32;

/// The forms with the half keys of a row.
const FORM_KEYS: [(KeyKind, HalfKey); 3] = [
    (KeyKind::Exact, |row| row.key.0 as u32),
    (KeyKind::Skeleton, |row| row.looks.skeleton),
    (KeyKind::Opening, |row| row.looks.opening),
];

/// All forms of a row.
pub(super) fn forms(row: &Row, end: End) -> [Form; 3] {
    FORM_KEYS.map(|(kind, half)| Form::new(kind, end == End::End, half(row)))
}

/// Facts of a place.
const PLACE: &[&str] = &[
    "blank>=1",
    "blank>=2",
    "blank>=3",
    "blank>=4",
    "blank>=5",
    "blank>=7",
    "blank",
    "blank-relative",
    "blank-widest",
    "inside-block",
    "nothing",
    "everything",
    "nothing-though-marker",
    "nothing-though-gutenberg",
    "marker-inwards",
    "markers-inwards",
    "gutenberg-inwards",
    "gutenbergs-inwards",
    "at-first-title",
    "at-second-title",
    "past-first-title",
    "past-second-title",
    "strong-since-title",
    "strong-since-title-at-second",
    "gutenberg-then-author",
    "signed",
    "signed-rows",
    "signed-blocks",
    "signed-far",
    "signed-very-far",
    "trade>=2",
    "trade>=3",
    "trade>=5",
    "trade-inwards>=2",
    "trade-inwards>=3",
    "hand",
    "hand-inwards",
    "in-brackets",
    "same-indent",
    "less-indented",
    "more-indented",
];

/// What distances are measured from.
const LANDMARKS: &[&str] = &["marker", "gutenberg", "strong"];

/// Facts for each landmark.
const DISTANCE: &[&str] = &[
    "rows", "blocks", "none", "0", "1", "2", "3", "4", "5", ">5", ">10", ">20",
];

/// Blocks inwards that are searched for strong signs.
const AHEAD: &[usize] = &[1, 2, 3, 5, 10, 20, 40];

/// Number of facts of a place.
pub(super) const PLACE_FACTS: usize =
    PLACE.len() + LANDMARKS.len() * DISTANCE.len() + 2 * AHEAD.len();

/// Names of the facts of a place.
pub(super) fn place_names() -> impl Iterator<Item = String> {
    let plain = PLACE.iter().map(|name| (*name).to_owned());
    let distances = LANDMARKS.iter().flat_map(|landmark| {
        DISTANCE
            .iter()
            .map(move |how| format!("since-{landmark}:{how}"))
    });
    let ahead = AHEAD
        .iter()
        .flat_map(|ahead| [format!("strong-in-{ahead}"), format!("strongs-in-{ahead}")]);
    plain.chain(distances).chain(ahead)
}

/// Blocks behind the last marker in which a title page is looked for.
const TITLE_BLOCKS: usize = 25;

/// Facts of a place that are not zero.
pub(super) type PlaceFacts = Vec<(u16, f32)>;

/// Finds the facts of every place of a strip out, in the order of places.
pub(super) fn place_facts(strip: &Strip<'_>) -> Vec<PlaceFacts> {
    let ground = Ground::new(strip);
    let mut since = [Since::default(); LANDMARKS.len()];
    let mut all = Vec::with_capacity(strip.places());
    for place in 0..strip.places() {
        if let Some(outer) = place.checked_sub(1) {
            let block = strip.block_of[outer];
            let row = strip.rows[outer];
            let landmarks = [
                strip.is_marker(row),
                row.marks.has(Marks::GUTENBERG),
                row.is_strong(),
            ];
            for (since, at) in since.iter_mut().zip(landmarks) {
                if at {
                    since.at = Some((outer, block));
                }
            }
        }
        all.push(ground.facts(place, &since));
    }
    all
}

/// The last landmark on the outer side: row and block.
#[derive(Clone, Copy, Debug, Default)]
struct Since {
    at: Option<(usize, usize)>,
}

/// What the places of a strip have in common.
struct Ground<'a, 'b> {
    strip: &'a Strip<'b>,
    /// Markers before each place.
    markers: Vec<u32>,
    /// Rows with the name of the library before each place.
    gutenbergs: Vec<u32>,
    /// A bracket that was opened outwards of the end of each block is closed inwards of it.
    bracketed: Vec<bool>,
    /// Strong blocks before each block.
    strongs: Vec<u32>,
    /// The first two blocks behind the last marker that hold the title.
    titles: [Option<usize>; 2],
}

impl<'a, 'b> Ground<'a, 'b> {
    fn new(strip: &'a Strip<'b>) -> Ground<'a, 'b> {
        let mut ground = Ground {
            strip,
            markers: Vec::new(),
            gutenbergs: Vec::new(),
            bracketed: bracketed(strip),
            strongs: Vec::new(),
            titles: [None; 2],
        };
        let rows = || strip.rows.iter();
        ground.markers = running(rows().map(|row| strip.is_marker(row)));
        ground.gutenbergs = running(rows().map(|row| row.marks.has(Marks::GUTENBERG)));
        ground.strongs = running(strip.blocks.iter().map(|block| block.strong));
        let last = strip.rows.iter().rposition(|row| strip.is_marker(row));
        let first = last.map_or(0, |row| strip.block_of[row] + 1);
        let stop = strip.blocks.len().min(first + TITLE_BLOCKS);
        let mut titled = (first..stop).filter(|&block| strip.blocks[block].signs.has(Sign::Title));
        ground.titles = [titled.next(), titled.next()];
        ground
    }

    /// Blank lines at a place.
    fn blank(&self, place: usize) -> u32 {
        self.strip.blanks.get(place).copied().unwrap_or(0)
    }

    fn facts(&self, place: usize, since: &[Since; LANDMARKS.len()]) -> PlaceFacts {
        let strip = self.strip;
        let last = strip.rows.len();
        let blank = self.blank(place);
        let near = place.saturating_sub(12)..(place + 13).min(last);
        let widest = strip.blanks[near].iter().copied().max().unwrap_or(0).max(1);
        let inner = strip
            .block_of
            .get(place)
            .copied()
            .unwrap_or(strip.blocks.len());
        let outer = place.checked_sub(1).map(|row| strip.block_of[row]);
        let markers_left = self.markers[last] - self.markers[place];
        let gutenbergs_left = self.gutenbergs[last] - self.gutenbergs[place];
        let [first, second] = self.titles;
        let since_title = first
            .filter(|&first| inner > first + 1)
            .map_or(0, |first| self.strongs[inner] - self.strongs[first + 1]);
        let author_follows = outer.is_some_and(|outer| {
            let inner = strip.blocks.get(inner);
            strip.blocks[outer].marks.has(Marks::GUTENBERG)
                && inner.is_some_and(|block| block.signs.has(Sign::Author) && block.rows.len() <= 2)
        });
        let mut facts = PlaceFacts::with_capacity(32);
        let mut next = 0;
        let mut put = |value: f32| {
            if value != 0.0 {
                facts.push((next, value));
            }
            next += 1;
        };
        for least in [1, 2, 3, 4, 5, 7] {
            put(flag(blank >= least));
        }
        put((blank as f32).ln_1p());
        put(blank as f32 / widest as f32);
        put(flag(blank == widest));
        put(flag(place > 0 && place < last && blank == 0));
        put(flag(place == 0));
        put(flag(place == last));
        put(flag(place == 0 && markers_left > 0));
        put(flag(place == 0 && gutenbergs_left > 0));
        put(flag(markers_left > 0));
        put(markers_left as f32);
        put(flag(gutenbergs_left > 0));
        put(gutenbergs_left.min(3) as f32);
        put(flag(Some(inner) == first));
        put(flag(Some(inner) == second));
        put(flag(first.is_some_and(|title| inner > title)));
        put(flag(second.is_some_and(|title| inner > title)));
        put(flag(since_title > 0));
        put(flag(since_title > 0 && Some(inner) == second));
        put(flag(author_follows));
        // A rule above a note belongs to the note; its heading and its first block are taken together.
        let behind = outer.map_or(&[][..], |outer| &strip.blocks[..=outer]);
        let mut behind = behind.iter().rev().filter(|block| !block.separator);
        let (opening, second) = (behind.next(), behind.next());
        let mut both = opening.map_or(Signs::default(), |block| block.signs);
        if opening.is_some_and(|block| block.rows.len() <= 2) {
            both |= second.map_or(Signs::default(), |block| block.signs);
        }
        let joined = trade(both);
        let signed = opening.is_some_and(Block::is_signed) || joined > 1;
        let far = since[0]
            .at
            .zip(outer)
            .map_or(0, |((_, marker), outer)| outer - marker);
        let rows = since[0].at.map_or(0, |(marker, _)| place - 1 - marker);
        let signed = |value: f32| if signed { value } else { 0.0 };
        put(signed(1.0));
        put(signed((rows as f32).ln_1p()));
        put(signed(far as f32 / 10.0));
        put(signed(flag(far > 10)));
        put(signed(flag(far > 30)));
        put(flag(joined >= 2));
        put(flag(joined >= 3));
        put(flag(joined >= 5));
        let inwards = strip.blocks.get(inner);
        let trade = inwards.map_or(0, Block::trade);
        put(flag(trade >= 2));
        put(flag(trade >= 3));
        put(flag(outer.is_some_and(|outer| strip.blocks[outer].of_hand)));
        put(flag(inwards.is_some_and(|block| block.of_hand)));
        put(flag(outer.is_some_and(|outer| {
            outer + 1 == inner && self.bracketed[outer]
        })));
        let indents = outer
            .zip(inwards)
            .map(|(outer, inner)| (strip.blocks[outer].indent, inner.indent));
        let (outer_indent, inner_indent) = indents.unwrap_or_default();
        let gap = f32::from(outer_indent) - f32::from(inner_indent);
        put(flag(gap == 0.0 && outer_indent > 0));
        put(flag(gap >= 2.0));
        put(flag(gap <= -2.0));
        for since in since {
            let (rows, blocks) = match (since.at, outer) {
                (Some((row, block)), Some(outer)) => (Some(place - 1 - row), Some(outer - block)),
                _ => (None, None),
            };
            put((rows.unwrap_or(0) as f32).ln_1p());
            put((blocks.unwrap_or(0) as f32).ln_1p());
            put(flag(blocks.is_none()));
            for exactly in 0..=5 {
                put(flag(blocks == Some(exactly)));
            }
            for more in [5, 10, 20] {
                put(flag(blocks.is_some_and(|blocks| blocks > more)));
            }
        }
        for ahead in AHEAD {
            let stop = (inner + ahead).min(strip.blocks.len());
            let strong = self.strongs[stop] - self.strongs[inner.min(stop)];
            put(flag(strong > 0));
            put((strong as f32).ln_1p());
        }
        facts
    }
}

/// Blocks that a bracket may hold together.
const BRACKET_BLOCKS: usize = 200;

/// For each block whether a bracket goes on behind it. From the end of a book, brackets are met at their closing side.
fn bracketed(strip: &Strip<'_>) -> Vec<bool> {
    let (opening, closing) = match strip.end {
        End::Start => (Sign::Bracket, Sign::BracketEnd),
        End::End => (Sign::BracketEnd, Sign::Bracket),
    };
    let blocks = &strip.blocks;
    let first = |block: &Block| strip.rows[block.rows.start].looks.signs;
    let last = |block: &Block| strip.rows[block.rows.end - 1].looks.signs;
    let mut all = vec![false; blocks.len()];
    let mut at = 0;
    while at < blocks.len() {
        if first(&blocks[at]).has(opening) && !last(&blocks[at]).has(closing) {
            let near = blocks[at + 1..].iter().take(BRACKET_BLOCKS);
            let mut rest =
                near.take_while(|block| !first(block).has(opening) || last(block).has(closing));
            if let Some(length) = rest.position(|block| last(block).has(closing)) {
                all[at..=at + length].fill(true);
                at += length;
            }
        }
        at += 1;
    }
    all
}

/// How many held before each, and in all.
fn running(held: impl Iterator<Item = bool>) -> Vec<u32> {
    let mut sums = vec![0];
    let mut sum = 0;
    sums.extend(held.map(|held| {
        sum += u32::from(held);
        sum
    }));
    sums
}

fn flag(held: bool) -> f32 {
    f32::from(u8::from(held))
}
