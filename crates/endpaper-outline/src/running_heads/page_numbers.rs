//! Running heads and feet that are recognised by the number of their page: `Chapter 3: Utilities   6` on page 6.
//!
//! Such a head need not recur: the numbers of all pages grow with the pages, which hardly anything else at their edges does.

use std::collections::HashMap;

use super::page_edge_rows;
use crate::extent::PageExtent;
use crate::row::{MAX_HEADING_BYTES, OutlineRow};

/// Fewest pages whose numbers agree.
const MIN_PAGES: usize = 3;
/// Fewest pages that are numbered in the same way, as a fraction of all.
const FRACTION: usize = 8;

/// The place of a page number in its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum NumberPlace {
    Alone,
    First,
    Last,
}

/// Marks the rows at the edges of pages that hold the number of their page; `None` if there are none. `words` returns the text
/// of a row.
pub(super) fn numbered_rows(
    rows: &[OutlineRow],
    extent: &PageExtent,
    words: impl Fn(&OutlineRow) -> String,
) -> Option<Vec<bool>> {
    let mut numbers: Vec<(usize, NumberPlace, i64)> = Vec::new();
    for (at, _) in page_edge_rows(rows, extent) {
        if usize::from(rows[at].size) < MAX_HEADING_BYTES {
            let page = i64::from(extent.page(rows[at].line));
            let found = page_numbers(&words(&rows[at])).into_iter().flatten();
            numbers.extend(found.map(|(place, number)| (at, place, number - page)));
        }
    }
    let mut pages: HashMap<i64, usize> = HashMap::new();
    for (_, _, offset) in &numbers {
        *pages.entry(*offset).or_default() += 1;
    }
    // The first of equals, so that the result does not depend on the order of the map.
    let (offset, _) = pages
        .into_iter()
        .max_by_key(|&(offset, count)| (count, std::cmp::Reverse(offset)))?;
    numbers.retain(|number| number.2 == offset);
    let least = MIN_PAGES.max(extent.count() as usize / FRACTION);
    let mut gone = vec![false; rows.len()];
    for place in [NumberPlace::Alone, NumberPlace::First, NumberPlace::Last] {
        let placed: Vec<usize> = numbers
            .iter()
            .filter(|number| number.1 == place)
            .map(|number| number.0)
            .collect();
        // On two or three pages, numbers of their own are clear enough.
        let few = place == NumberPlace::Alone && placed.len() * 2 > extent.count() as usize;
        if placed.len() >= least || few && placed.len() > 1 {
            placed.iter().for_each(|&at| gone[at] = true);
        }
    }
    gone.contains(&true).then_some(gone)
}

/// The Arabic numbers at the edges of a row that may be page numbers. A row of a table of contents has none.
fn page_numbers(line: &str) -> [Option<(NumberPlace, i64)>; 2] {
    let digits = |word: &str| {
        let few = (1..=4).contains(&word.len());
        let digits = few && word.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| word.parse().ok()).flatten()
    };
    let mut all = line.split_whitespace();
    let (first, last) = (all.next().unwrap_or_default(), all.next_back());
    let leaders = line.contains("..") || line.contains(". .");
    match last {
        None => [digits(first).map(|number| (NumberPlace::Alone, number)), None],
        Some(_) if leaders => [None, None],
        Some(last) => [
            digits(first).map(|number| (NumberPlace::First, number)),
            digits(last).map(|number| (NumberPlace::Last, number)),
        ],
    }
}
