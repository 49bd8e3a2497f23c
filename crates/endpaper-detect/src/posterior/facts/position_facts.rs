//! Facts of cut positions between rows: blank lines, landmarks, titles, notes, brackets, indents.

use super::logs::ln_1p;
use super::{DenseFacts, as_fact};
use crate::End;
use crate::posterior::end_region::{EndRegion, RegionBlock, trade_words_in};
use endpaper_text::scan::{CueSet, LexicalCue, MarkerSet};

/// Facts of a position, other than those of landmarks and of blocks ahead.
const PLAIN: [&str; 41] = [
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
const LANDMARKS: [&str; 3] = ["marker", "gutenberg", "strong"];

/// Facts for the distance from each landmark.
const DISTANCE: [&str; 12] = [
    "rows", "blocks", "none", "0", "1", "2", "3", "4", "5", ">5", ">10", ">20",
];

/// Numbers of blocks inwards that are searched for producer cues.
const CUE_DISTANCES: [usize; 7] = [1, 2, 3, 5, 10, 20, 40];

/// Number of facts of a position.
pub(in crate::posterior) const POSITION_FACTS: usize =
    PLAIN.len() + LANDMARKS.len() * DISTANCE.len() + 2 * CUE_DISTANCES.len();

/// Names of the facts of a position.
pub(in crate::posterior) fn position_names() -> impl Iterator<Item = String> {
    let plain = PLAIN.iter().map(|name| (*name).to_owned());
    let distances = LANDMARKS.iter().flat_map(|landmark| {
        DISTANCE
            .iter()
            .map(move |how| format!("since-{landmark}:{how}"))
    });
    let ahead = CUE_DISTANCES
        .iter()
        .flat_map(|ahead| [format!("strong-in-{ahead}"), format!("strongs-in-{ahead}")]);
    plain.chain(distances).chain(ahead)
}

/// Blocks after the last marker in which a title page is searched for.
const TITLE_BLOCKS: usize = 25;

/// Computes the facts of every position of a region, in order.
pub(in crate::posterior) fn position_facts(region: &EndRegion<'_>) -> DenseFacts {
    let context = RegionContext::new(region);
    let mut since = [None; LANDMARKS.len()];
    let mut all = DenseFacts::new(0, POSITION_FACTS, region.positions());
    for position in 0..region.positions() {
        if let Some(outer) = position.checked_sub(1) {
            let row = region.rows[outer];
            let landmarks = [
                region.is_end_marker(row),
                row.marks.has(MarkerSet::GUTENBERG),
                row.has_producer_cue(),
            ];
            for (since, at) in since.iter_mut().zip(landmarks) {
                if at {
                    *since = Some((outer, region.block_of[outer]));
                }
            }
        }
        context.put(position, &since, &mut all);
    }
    all
}

/// Row and block of the last landmark on the outer side.
type LastLandmark = Option<(usize, usize)>;

/// Data that the positions of a region share.
struct RegionContext<'a, 'b> {
    region: &'a EndRegion<'b>,
    /// Number of markers before each position.
    markers: Vec<u32>,
    /// Number of rows before each position that name the library.
    gutenbergs: Vec<u32>,
    /// Whether a bracket is open at the inner edge of each block and closed inwards of it.
    is_bracketed: Vec<bool>,
    /// Number of blocks with a producer cue before each block.
    producer_blocks_before: Vec<u32>,
    /// How each block reads if it is the last to be cut away.
    readings: Vec<BlockReading>,
    /// The first two blocks with the title after the last marker.
    titles: [Option<usize>; 2],
}

/// How a block reads if it is the last to be cut away.
#[derive(Clone, Copy, Debug, Default)]
struct BlockReading {
    /// Whether it reads like the opening of something that producers add.
    reads_as_opening: bool,
    /// Number of lexical cues of e-book production in it, and in the next block outwards if it may be a heading.
    trade_words: usize,
}

impl<'a, 'b> RegionContext<'a, 'b> {
    /// Finds the landmarks of an end region that the facts of its cut positions refer to.
    fn new(region: &'a EndRegion<'b>) -> RegionContext<'a, 'b> {
        let rows = || region.rows.iter();
        let last = rows().rposition(|row| region.is_end_marker(row));
        let first = last.map_or(0, |row| region.block_of[row] + 1);
        let stop = region.blocks.len().min(first + TITLE_BLOCKS);
        let mut titled =
            (first..stop).filter(|&block| region.blocks[block].cues.has(LexicalCue::Title));
        RegionContext {
            region,
            markers: running_count(rows().map(|row| region.is_end_marker(row))),
            gutenbergs: running_count(rows().map(|row| row.marks.has(MarkerSet::GUTENBERG))),
            is_bracketed: find_bracketed(region),
            producer_blocks_before: running_count(
                region.blocks.iter().map(|block| block.has_producer_cue),
            ),
            readings: read_blocks(region),
            titles: [titled.next(), titled.next()],
        }
    }

    /// Puts the facts of a cut position. `since`: the last landmark of each kind outside of it.
    fn put(&self, position: usize, since: &[LastLandmark; LANDMARKS.len()], all: &mut DenseFacts) {
        let region = self.region;
        let inner = region.block_of.get(position).copied();
        let inner = inner.unwrap_or(region.blocks.len());
        let outer = position.checked_sub(1).map(|row| region.block_of[row]);
        all.put_all(
            position,
            0,
            self.plain_facts(position, inner, outer, since[0]),
        );
        let mut next = PLAIN.len();
        for since in since {
            let (rows, blocks) = match (since, outer) {
                (Some((row, block)), Some(outer)) => {
                    (Some(position - 1 - row), Some(outer - block))
                }
                _ => (None, None),
            };
            let (rows, far) = (rows.unwrap_or(0), blocks.unwrap_or(0));
            let mut distance = [0.0; DISTANCE.len()];
            distance[..2].copy_from_slice(&[ln_1p(rows), ln_1p(far)]);
            match blocks {
                None => distance[2] = 1.0,
                Some(exactly) if exactly <= 5 => distance[3 + exactly] = 1.0,
                Some(far) => {
                    let more = [5, 10, 20].map(|more| as_fact(far > more));
                    distance[9..].copy_from_slice(&more);
                }
            }
            all.put_all(position, next, distance);
            next += DISTANCE.len();
        }
        let mut strong = [0.0; 2 * CUE_DISTANCES.len()];
        for (pair, ahead) in strong.chunks_exact_mut(2).zip(CUE_DISTANCES) {
            let stop = (inner + ahead).min(region.blocks.len());
            let found =
                self.producer_blocks_before[stop] - self.producer_blocks_before[inner.min(stop)];
            pair.copy_from_slice(&[as_fact(found > 0), ln_1p(found as usize)]);
        }
        all.put_all(position, next, strong);
    }

    /// The facts of [`PLAIN`]. `inner` is the first block that would be kept, `outer` the last that would be cut away.
    fn plain_facts(
        &self,
        position: usize,
        inner: usize,
        outer: Option<usize>,
        marker: LastLandmark,
    ) -> [f32; PLAIN.len()] {
        let region = self.region;
        let last = region.rows.len();
        let blank = region.blanks.get(position).copied().unwrap_or(0);
        let near = position.saturating_sub(12)..(position + 13).min(last);
        let widest = region.blanks[near]
            .iter()
            .copied()
            .max()
            .unwrap_or(0)
            .max(1);
        let markers_left = self.markers[last] - self.markers[position];
        let gutenbergs_left = self.gutenbergs[last] - self.gutenbergs[position];
        let [first, second] = self.titles;
        let since_title = first.filter(|&first| inner > first + 1).map_or(0, |first| {
            self.producer_blocks_before[inner] - self.producer_blocks_before[first + 1]
        });
        let (cut, kept) = (
            outer.map(|outer| &region.blocks[outer]),
            region.blocks.get(inner),
        );
        let author_follows = cut.is_some_and(|cut| cut.marks.has(MarkerSet::GUTENBERG))
            && kept.is_some_and(|kept| kept.cues.has(LexicalCue::Author) && kept.rows.len() <= 2);
        let opening = outer.map_or(BlockReading::default(), |outer| self.readings[outer]);
        let far = marker
            .zip(outer)
            .map_or(0, |((_, marker), outer)| outer - marker);
        let rows = marker.map_or(0, |(marker, _)| position - 1 - marker);
        let signed = |value: f32| if opening.reads_as_opening { value } else { 0.0 };
        let trade = kept.map_or(0, RegionBlock::count_trade_words);
        let indents = cut.zip(kept).map(|(cut, kept)| (cut.indent, kept.indent));
        let (outer_indent, inner_indent) = indents.unwrap_or_default();
        let gap = i32::from(outer_indent) - i32::from(inner_indent);
        let bracketed = outer.is_some_and(|outer| outer + 1 == inner && self.is_bracketed[outer]);
        [
            as_fact(blank >= 1),
            as_fact(blank >= 2),
            as_fact(blank >= 3),
            as_fact(blank >= 4),
            as_fact(blank >= 5),
            as_fact(blank >= 7),
            ln_1p(blank as usize),
            blank as f32 / widest as f32,
            as_fact(blank == widest),
            as_fact(position > 0 && position < last && blank == 0),
            as_fact(position == 0),
            as_fact(position == last),
            as_fact(position == 0 && markers_left > 0),
            as_fact(position == 0 && gutenbergs_left > 0),
            as_fact(markers_left > 0),
            markers_left as f32,
            as_fact(gutenbergs_left > 0),
            gutenbergs_left.min(3) as f32,
            as_fact(Some(inner) == first),
            as_fact(Some(inner) == second),
            as_fact(first.is_some_and(|title| inner > title)),
            as_fact(second.is_some_and(|title| inner > title)),
            as_fact(since_title > 0),
            as_fact(since_title > 0 && Some(inner) == second),
            as_fact(author_follows),
            signed(1.0),
            signed(ln_1p(rows)),
            signed(far as f32 / 10.0),
            signed(as_fact(far > 10)),
            signed(as_fact(far > 30)),
            as_fact(opening.trade_words >= 2),
            as_fact(opening.trade_words >= 3),
            as_fact(opening.trade_words >= 5),
            as_fact(trade >= 2),
            as_fact(trade >= 3),
            as_fact(cut.is_some_and(|cut| cut.by_one_producer)),
            as_fact(kept.is_some_and(|kept| kept.by_one_producer)),
            as_fact(bracketed),
            as_fact(gap == 0 && outer_indent > 0),
            as_fact(gap >= 2),
            as_fact(gap <= -2),
        ]
    }
}

/// How each block reads if it is the last to be cut away. A separator above a note belongs to the note; a heading is
/// read together with the block outwards of it.
fn read_blocks(region: &EndRegion<'_>) -> Vec<BlockReading> {
    let mut all = Vec::with_capacity(region.blocks.len());
    let (mut opening, mut second) = (None::<&RegionBlock>, None::<&RegionBlock>);
    for block in &region.blocks {
        if !block.separator {
            (opening, second) = (Some(block), opening);
        }
        let mut both = opening.map_or(CueSet::default(), |block| block.cues);
        if opening.is_some_and(|block| block.rows.len() <= 2) {
            both |= second.map_or(CueSet::default(), |block| block.cues);
        }
        let trade = trade_words_in(both);
        all.push(BlockReading {
            reads_as_opening: opening.is_some_and(RegionBlock::reads_as_addition) || trade > 1,
            trade_words: trade,
        });
    }
    all
}

/// Maximum number of blocks that a bracket spans.
const BRACKET_BLOCKS: usize = 200;

/// Whether a bracket continues after each block. From the end of a book, brackets are met at their closing side.
fn find_bracketed(region: &EndRegion<'_>) -> Vec<bool> {
    let (opening, closing) = match region.end {
        End::Start => (LexicalCue::Bracket, LexicalCue::BracketEnd),
        End::End => (LexicalCue::BracketEnd, LexicalCue::Bracket),
    };
    let blocks = &region.blocks;
    let first = |block: &RegionBlock| region.rows[block.rows.start].features.cues;
    let last = |block: &RegionBlock| region.rows[block.rows.end - 1].features.cues;
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

/// The number of true values before each index, and in total.
fn running_count(held: impl Iterator<Item = bool>) -> Vec<u32> {
    let mut sums = vec![0];
    let mut sum = 0;
    sums.extend(held.map(|held| {
        sum += u32::from(held);
        sum
    }));
    sums
}
