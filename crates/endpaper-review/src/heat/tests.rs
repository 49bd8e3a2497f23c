//! Tests of orders, columns and positions on books of a few lines.

use super::*;
use crate::entry::QueueEntry;
use crate::entry::ReviewStatus;
use endpaper_detect::Cuts;
use endpaper_detect::End;
use endpaper_text::corpus::BookId;
use endpaper_truth::Verdict;
use std::ops::Range;

/// A book of ten counted lines: id, preamble end and epilogue start, doubt, status, rank of its template.
type HeatTestBook = (&'static str, Option<(u32, u32)>, f32, ReviewStatus, u32);

const LINES: u32 = 10;
const CONFIRMED: ReviewStatus = ReviewStatus::Decided(Verdict::Confirmed);
const CORRECTED: ReviewStatus = ReviewStatus::Decided(Verdict::Corrected);

const BOOKS: [HeatTestBook; 6] = [
    ("a", Some((3, 9)), 0.5, ReviewStatus::Undecided, 2),
    ("b", Some((0, 7)), 0.9, CORRECTED, 1),
    ("c", None, 0.1, ReviewStatus::Unreadable, 0),
    ("d", Some((3, 11)), 0.5, CONFIRMED, 1),
    ("e", Some((8, 10)), 0.2, ReviewStatus::Draft, 1),
    ("f", Some((1, 10)), 0.7, ReviewStatus::Undecided, 0),
];

fn entries() -> Vec<QueueEntry> {
    let entry = |&(id, cuts, doubt, standing, template_rank): &HeatTestBook| QueueEntry {
        id: Some(BookId::new(id)),
        cuts: cuts.map(|(preamble_end, start)| Cuts {
            preamble_end,
            epilogue_start: Some(start).filter(|&line| line <= LINES),
        }),
        lines: LINES,
        doubt: Some(doubt),
        status: standing,
        template_rank,
        ..QueueEntry::default()
    };
    BOOKS.iter().map(entry).collect()
}

/// Ten counted lines, of which the first `common` are frequent; the same from both ends.
fn shades(common: usize) -> Box<BookShades> {
    let line = |at: u32| (at, if at as usize <= common { 5 } else { 0 });
    let strip = || LineShades::new((1..=LINES).map(line), true);
    Box::new(BookShades::new(strip(), strip()))
}

/// A map of all books, in the order of a queue.
fn map(queue: &[usize]) -> HeatMap {
    let mut heat = HeatMap::default();
    heat.resize(BOOKS.len());
    heat.arrange(queue, &entries());
    heat
}

fn read(heat: &mut HeatMap, common: &[(usize, usize)]) {
    for &(book, common) in common {
        heat.set_shades(book, Some(shades(common)));
    }
}

/// Fits the map to a screen of this size, with two lines a row.
fn settle(heat: &mut HeatMap, columns: u16, rows: u16) {
    let picture = ratatui::layout::Rect::new(0, 0, columns, rows);
    heat.fit_to(&HeatLayout {
        picture,
        lines: 2,
        ..HeatLayout::default()
    });
}

#[test]
fn books_are_put_in_every_order() {
    use HeatOrder::*;
    let cases = [
        (Queue, End::Start, "fedcba"),
        (Name, End::Start, "abcdef"),
        // Equal cuts keep the order of the names; a book without cuts is last.
        (Cut, End::Start, "bfadec"),
        (Cut, End::End, "defabc"),
        (Doubt, End::Start, "bfadec"),
        (Status, End::Start, "faedbc"),
        (Template, End::Start, "bdeafc"),
    ];
    for (sort, end, expected) in cases {
        let mut heat = HeatMap {
            sort,
            end,
            ..map(&[])
        };
        heat.arrange(&[5, 4, 3, 2, 1, 0], &entries());
        let names: String = heat.order.iter().map(|&book| BOOKS[book].0).collect();
        assert_eq!(names, expected, "by {sort}, {end:?}");
    }
}

#[test]
fn cuts_are_put_in_order_by_the_lines_that_are_drawn() {
    // Line 8 of e is its first counted one, line 3 of d its third.
    let mut heat = map(&[3, 4]);
    let strip = |lines: &[u32]| LineShades::new(lines.iter().map(|&line| (line, 0)), false);
    let shades = |lines: &[u32]| {
        Some(Box::new(BookShades::new(
            strip(lines),
            LineShades::default(),
        )))
    };
    heat.set_shades(3, shades(&[1, 2, 3, 4]));
    heat.set_shades(4, shades(&[8, 9]));
    heat.sort = HeatOrder::Cut;
    heat.arrange(&[3, 4], &entries());
    assert_eq!(heat.order, [4, 3]);
    // A cut beyond the window comes after those inside it.
    heat.set_shades(4, shades(&[1, 2]));
    heat.arrange(&[3, 4], &entries());
    assert_eq!(heat.order, [3, 4]);
    assert_eq!(heat.lines_outside(&entries(), 4), None);
}

#[test]
fn the_chosen_book_stays_chosen_in_another_order() {
    let mut heat = map(&[0, 1, 2, 3, 4, 5]);
    assert!(heat.choose(4));
    heat.sort = HeatOrder::Doubt;
    heat.arrange(&[0, 1, 2, 3, 4, 5], &entries());
    assert_eq!(heat.chosen_book(), Some(4));
    // If a filter hides the chosen book, another is chosen.
    heat.arrange(&[0], &entries());
    assert_eq!(heat.chosen_book(), Some(0));
    heat.arrange(&[], &entries());
    assert_eq!(heat.chosen_book(), None);
}

#[test]
fn cells_hold_the_mean_of_books_and_lines() {
    use HeatCell::*;
    // Book 0 has 3 frequent lines and its cut after 3, book 3 has one and its cut after 3, book 2 has no cut.
    let mut heat = map(&[0, 3, 2]);
    read(&mut heat, &[(0, 3), (3, 1), (2, 10)]);
    let (entries, c) = (entries(), Cut);
    let s = Shade;
    type Case = (Range<usize>, usize, usize, &'static [u8]);
    // Positions, lines per cell, lines scrolled off; shades, 9: a cut, 8: nothing.
    let cases: [Case; 8] = [
        (0..1, 1, 0, &[5, 5, 5, 9, 0, 0, 0, 0, 0, 0, 8, 8]),
        (0..1, 2, 0, &[5, 9, 0, 0, 0, 8]),
        (0..1, 3, 0, &[5, 9, 0, 0]),
        (0..1, 4, 0, &[9, 0, 0]),
        (0..1, 1, 3, &[9, 0, 0]),
        (0..1, 1, 4, &[0, 0, 0, 0, 0, 0, 8]),
        (0..2, 1, 0, &[5, 3, 3, 9, 0]),
        (2..3, 5, 0, &[5, 5, 8]),
    ];
    for (positions, lines, top, expected) in cases {
        heat.top = top;
        let mut cells = vec![Cut; expected.len()];
        let read = column::fill(&heat, &entries, positions.clone(), lines, &mut cells);
        assert!(read);
        let expected: Vec<HeatCell> = expected
            .iter()
            .map(|&n| match n {
                9 => c,
                8 => Nothing,
                n => s(n),
            })
            .collect();
        assert_eq!(cells, expected, "{positions:?}, {lines} lines, {top} away");
    }
}

#[test]
fn of_several_cuts_the_middle_one_is_drawn() {
    // Cuts after 0, 1, 3, 3 and 8 counted lines; one book is not read yet, one has no cut.
    let mut heat = map(&[1, 5, 0, 3, 4, 2]);
    read(&mut heat, &[(1, 0), (5, 0), (0, 0), (3, 0), (4, 0), (2, 0)]);
    let mut cells = [HeatCell::Nothing; 10];
    assert!(column::fill(&heat, &entries(), 0..6, 1, &mut cells));
    assert_eq!(
        cells.iter().position(|&cell| cell == HeatCell::Cut),
        Some(3)
    );
    heat.reset(BOOKS.len());
    read(&mut heat, &[(4, 0)]);
    assert!(column::fill(&heat, &entries(), 0..6, 1, &mut cells));
    assert_eq!(
        cells.iter().position(|&cell| cell == HeatCell::Cut),
        Some(8)
    );
    heat.reset(BOOKS.len());
    assert!(!column::fill(&heat, &entries(), 0..6, 1, &mut cells));
    assert_eq!(cells, [HeatCell::Nothing; 10]);
}

#[test]
fn the_chosen_book_is_on_screen_wherever_it_is() {
    let queue: Vec<usize> = (0..6).collect();
    for columns in 1..9 {
        for zoom in 1..9 {
            for at in 0..8 {
                for left in 0..8 {
                    let mut heat = HeatMap {
                        zoom,
                        chosen_position: at,
                        left,
                        ..map(&queue)
                    };
                    heat.chosen_position = at;
                    settle(&mut heat, columns, 10);
                    let shown = heat.visible(usize::from(columns));
                    assert!(
                        shown.contains(&heat.chosen_position),
                        "{columns} {zoom} {at} {left}"
                    );
                    assert!(heat.left.is_multiple_of(heat.zoom));
                    let unused = usize::from(columns) * heat.zoom - shown.len();
                    assert!(
                        heat.left == 0 || unused < heat.zoom,
                        "{columns} {zoom} {at}"
                    );
                    assert!(heat.zoom <= heat.farthest(usize::from(columns)));
                }
            }
        }
    }
}

#[test]
fn lines_scroll_no_further_than_there_are_any() {
    let mut heat = map(&[0]);
    read(&mut heat, &[(0, 0)]);
    for (top, rows, expected) in [(0, 3, 0), (3, 3, 3), (99, 3, 4), (99, 9, 0)] {
        heat.top = top;
        settle(&mut heat, 10, rows);
        assert_eq!(heat.top, expected, "{top} on {rows} rows");
    }
}

#[test]
fn what_is_on_screen_is_wanted_first_then_its_neighbours() {
    let mut heat = map(&[5, 4, 3, 2, 1, 0]);
    assert_eq!(heat.unread_books(2..4, false), [3, 2]);
    assert_eq!(heat.unread_books(2..4, true), [3, 2, 1, 0, 4, 5]);
    read(&mut heat, &[(3, 0), (4, 0)]);
    heat.set_shades(1, None);
    assert_eq!(heat.unread_books(2..4, true), [2, 0, 5]);
    assert_eq!(heat.unread(), 3);
    assert!(heat.unread_books(9..12, false).is_empty());
}
