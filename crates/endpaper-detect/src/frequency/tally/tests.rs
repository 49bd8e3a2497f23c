use std::collections::{HashMap, HashSet};

use super::*;
use crate::frequency::{Counts, Exact};
use endpaper_text::line::Key;
use endpaper_text::scan::Window;
use proptest::prelude::*;

const WINDOWS: [Window; 3] = [Window::Head, Window::Tail, Window::Both];

/// Lines of a book: the number that determines the text, and an index into [`WINDOWS`].
type CountedBook = Vec<(u32, usize)>;

fn books() -> impl Strategy<Value = Vec<CountedBook>> {
    proptest::collection::vec(
        proptest::collection::vec((0..30u32, 0..3usize), 0..40),
        0..10,
    )
}

fn text(line: u32) -> String {
    format!("the line with the number {line}")
}

/// A key of few bits, so that lines collide.
fn key(line: u32) -> Key {
    Key(Key::of(&text(line)).0 >> 60)
}

fn counted(counting: Counting, books: &[CountedBook]) -> (Frequencies, u64) {
    let mut tally = EndCounters::new(counting, |_| Ok(Exact::default())).unwrap();
    for book in books {
        let mut keyed = BookLines::default();
        for &(line, window) in book {
            keyed.push(key(line), WINDOWS[window], Some(&text(line)));
        }
        tally.add_book(&keyed).unwrap();
    }
    let lines = tally.lines();
    (tally.finish(0).unwrap(), lines)
}

/// Reference implementation: whether a line of a window is counted at the ends.
fn belongs(window: usize, ends: CountedEnds) -> bool {
    matches!(
        (WINDOWS[window], ends),
        (_, CountedEnds::Both)
            | (Window::Both, _)
            | (Window::Head, CountedEnds::Head)
            | (Window::Tail, CountedEnds::Tail)
    )
}

fn naive(counting: Counting, ends: CountedEnds, books: &[CountedBook]) -> HashMap<u32, u64> {
    let mut counts = HashMap::new();
    for book in books {
        let mut seen = HashSet::new();
        for &(line, window) in book {
            if belongs(window, ends) && (!counting.count_books || seen.insert(line)) {
                *counts.entry(line).or_default() += 1;
            }
        }
    }
    counts
}

proptest! {
    #[test]
    fn every_way_of_counting_is_what_it_says(
        books in books(), separate_ends in any::<bool>(), count_books in any::<bool>(),
    ) {
        let counting = Counting { separate_ends, count_books, ..Counting::default() };
        let (frequencies, lines) = counted(counting, &books);
        let sets: Vec<(CountedEnds, &Counts)> = frequencies.sets().collect();
        prop_assert_eq!(sets.len(), counting.ends().len());
        let mut sum = 0;
        for (ends, counts) in sets {
            let naive = naive(counting, ends, &books);
            sum += naive.values().sum::<u64>();
            for line in 0..30 {
                let bounds = counts.bounds(key(line));
                let n = naive.get(&line).copied().unwrap_or(0);
                // A line that never occurs may share its key with one that does.
                prop_assert!(n <= bounds.at_most && (n == 0 || bounds.at_least <= n), "{ends:?} {line}: {n} {bounds:?}");
            }
            let commonest = (0..30).filter_map(|line| naive.get(&line)).max();
            prop_assert_eq!(counts.iter().map(|(_, n)| n).max(), commonest.copied());
        }
        prop_assert_eq!(lines, sum);
    }
}
