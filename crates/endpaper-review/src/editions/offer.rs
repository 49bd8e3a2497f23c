//! Candidates for a cut that another edition provides.
//!
//! Lines that only one edition has at its end were added to it: a cut may be between such a block and the shared lines. The
//! cut of a decided edition is transferred, as is the proposed cut of a copy that contradicts this book. Nothing is decided
//! by it.

use super::EditionComparison;
use super::align::{Alignment, Stretch, StretchKind};
use crate::page::BookPage;
use endpaper_detect::End;
use endpaper_text::scan::MarkerSet;
use endpaper_truth::Verdict;

/// Maximum distance of a block from the cut, in non-blank lines: outside the body, and inside it.
const MAX_DISTANCE: (usize, usize) = (60, 20);
/// Minimum number of letters that common lines must have not to be a coincidence (`by`, `THE END`).
const MIN_LETTERS: usize = 8;
/// Maximum number of candidates per end from editions.
const MAX_CANDIDATES: usize = 4;

/// A cut position suggested by another edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditionOffer {
    /// The end of the cut.
    pub end: End,
    /// The line before which the cut would be; `lines + 1` is the end of the book.
    pub position: u32,
    /// The reason, which names the edition.
    pub why: String,
    /// It is the cut of the edition, not the edge of a block that the edition does not have.
    pub is_cut: bool,
}

/// Candidates that the edition called `name` provides for the cuts of the open book, which are at `places`. For each end, the
/// edition's own cut comes first if it is decided or `contradicts` the open book (a copy that is cut at other words), then
/// come blocks that the edition does not have.
pub fn find_offers(
    edition: &EditionComparison,
    name: &str,
    places: [u32; 2],
    contradicts: bool,
) -> Vec<EditionOffer> {
    let mut out = Vec::new();
    for end in [End::Start, End::End] {
        let alignment = edition.at(end);
        if !alignment.is_similar(end, places[end as usize]) {
            continue;
        }
        let offer = |place, why, is_cut| EditionOffer {
            end,
            position: place,
            why,
            is_cut,
        };
        if edition.verdict.is_some() || contradicts {
            let place = edition.there.cut_position(edition.cuts, end);
            let carried = transfer_position(alignment, &edition.here, end, place);
            // While the edition is undecided, a cut at the same position is not a new information.
            let news = |place: &u32| edition.verdict.is_some() || *place != places[end as usize];
            let whose = edition.verdict.map_or("proposed", Verdict::name);
            let why = |place| format!("{place} is the cut of {name} ({whose}), carried over");
            out.extend(
                carried
                    .filter(news)
                    .map(|place| offer(place, why(place), true)),
            );
        }
        let absent = find_absent_blocks(alignment, &edition.here, end, places[end as usize]);
        for (place, (first, last)) in absent {
            let why = match first == last {
                true => format!("line {first} absent from {name}"),
                false => format!("{first}-{last} absent from {name}"),
            };
            out.push(offer(place, why, false));
        }
    }
    out
}

/// Adds offers of another edition: each position once, and at most a few.
pub fn merge(known: &mut Vec<EditionOffer>, new: Vec<EditionOffer>) {
    for offer in new {
        let of_end = |other: &&EditionOffer| other.end == offer.end;
        let count = known.iter().filter(of_end).count();
        let mut places = known.iter().filter(of_end).map(|other| other.position);
        if count < MAX_CANDIDATES && places.all(|place| place != offer.position) {
            known.push(offer);
        }
    }
}

/// Transfers a cut position of the other edition: the body begins or ends with the same shared line in both. Where that line is
/// in one of them only, none of the shared lines beyond it is where a curator would cut.
fn transfer_position(alignment: &Alignment, page: &BookPage, end: End, place: u32) -> Option<u32> {
    let at = alignment.there.partition_point(|&line| line < place);
    let in_window = match end {
        End::Start => at < alignment.there.len(),
        // The end of a book without epilogue is in the window if its last line is.
        End::End => at > 0,
    };
    let first = alignment.there.first().is_some_and(|&first| place >= first);
    if !in_window || !first {
        return None;
    }
    let shared = |stretch: &&Stretch| stretch.is_shared();
    let stretches = &alignment.stretches;
    match end {
        End::Start => {
            let stretch = stretches
                .iter()
                .filter(shared)
                .find(|stretch| stretch.there.contains(&at))?;
            let index = counterpart_index(stretch, at)?;
            alignment.here.get(index).copied()
        }
        End::End => {
            let stretch = stretches
                .iter()
                .filter(shared)
                .find(|stretch| stretch.there.contains(&(at - 1)))?;
            // The index after the last line of the body.
            let index = counterpart_index(stretch, at.min(stretch.there.end))?;
            Some(line_at_or_after(alignment, page, index))
        }
    }
}

/// The line at an index of the window, or the first non-blank one after the window.
fn line_at_or_after(alignment: &Alignment, page: &BookPage, index: usize) -> u32 {
    let next = alignment.here.last().map_or(1, |last| last + 1);
    let line = alignment.here.get(index).copied().unwrap_or(next);
    page.non_blank_at_or_after(line).unwrap_or(page.lines() + 1)
}

/// The index here that corresponds to one in (or directly after) a shared stretch there; `None` inside a re-flowed block.
fn counterpart_index(stretch: &Stretch, at: usize) -> Option<usize> {
    match stretch.kind {
        _ if at <= stretch.there.start => Some(stretch.here.start),
        _ if at == stretch.there.end => Some(stretch.here.end),
        StretchKind::Same => Some(stretch.here.start + (at - stretch.there.start)),
        _ => None,
    }
}

/// Cut positions between a block that only the open book has and shared lines: the nearest one on each side of the cut, with
/// the first and last line of the block.
fn find_absent_blocks(
    alignment: &Alignment,
    page: &BookPage,
    end: End,
    place: u32,
) -> Vec<(u32, (u32, u32))> {
    let lines = &alignment.here;
    let cut = lines.partition_point(|&line| line < place);
    let (outside, inside) = MAX_DISTANCE;
    let (above, below) = match end {
        End::Start => (outside, inside),
        End::End => (inside, outside),
    };
    let mut found: Vec<(usize, (u32, u32))> = Vec::new();
    for (at, stretch) in alignment.stretches.iter().enumerate() {
        if stretch.kind != StretchKind::OnlyHere {
            continue;
        }
        // Lines that also occur elsewhere in the other edition are not absent from it: a title that occurs twice.
        let known =
            |&index: &usize| alignment.found_in_other[index] && !is_boilerplate(page, lines[index]);
        let mut range = stretch.here.clone();
        match end {
            End::Start => range.end -= range.clone().rev().take_while(known).count(),
            End::End => range.start += range.clone().take_while(known).count(),
        }
        if range.is_empty() {
            continue;
        }
        let index = match end {
            End::Start => range.end,
            End::End => range.start,
        };
        let near = index + above >= cut && index <= cut + below;
        let block = (lines[range.start], lines[range.end - 1]);
        if near
            && is_separate_block(page, block, end)
            && borders_shared_lines(alignment, page, at, end)
        {
            found.push((index, block));
        }
    }
    let before = found.iter().rev().find(|(index, _)| *index <= cut);
    let after = found.iter().find(|(index, _)| *index > cut);
    let nearest = before.into_iter().chain(after);
    nearest
        .map(|&(index, block)| (line_at_or_after(alignment, page, index), block))
        .collect()
}

/// Whether blank lines separate the block from the shared lines: otherwise it may be a corrected line of a paragraph.
fn is_separate_block(page: &BookPage, (first, last): (u32, u32), end: End) -> bool {
    let outer = |line: u32| page.is_blank(line.saturating_sub(1));
    match end {
        End::Start => outer(first) && page.is_blank(last + 1),
        End::End => outer(first),
    }
}

/// Whether the block borders shared lines on the side of the body. These must be long enough not to be a coincidence, and must
/// not be boilerplate that both editions got from their library.
fn borders_shared_lines(alignment: &Alignment, page: &BookPage, at: usize, end: End) -> bool {
    let there_only = |stretch: &&Stretch| stretch.kind == StretchKind::OnlyThere;
    let stretches = &alignment.stretches;
    let next = match end {
        End::Start => stretches[at + 1..].iter().find(|s| !there_only(s)),
        End::End => stretches[..at].iter().rev().find(|s| !there_only(s)),
    };
    next.is_some_and(|next| {
        let nearest = match end {
            End::Start => next.here.start,
            End::End => next.here.end - 1,
        };
        if is_boilerplate(page, alignment.here[nearest]) {
            return false;
        }
        let letters = |index: usize| {
            let shown = page.text.display(alignment.here[index], 400);
            shown.chars().filter(|c| c.is_alphabetic()).count()
        };
        next.is_shared() && next.here.clone().map(letters).sum::<usize>() >= MIN_LETTERS
    })
}

/// Whether the line is a marker or frequent in the corpus, so that sharing it does not make it part of the body.
fn is_boilerplate(page: &BookPage, line: u32) -> bool {
    let marks = MarkerSet::START
        | MarkerSet::SMALL_PRINT_END
        | MarkerSet::END
        | MarkerSet::ETEXT
        | MarkerSet::GUTENBERG;
    // Headings are too short to be counted, and in many books: shared ones may well begin the body.
    u64::from(page.frequency(line)) > page.threshold() || page.markers(line).has_any(marks)
}
