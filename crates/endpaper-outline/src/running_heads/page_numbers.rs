//! Running heads and feet that are recognised by the number of their page: `Chapter 3: Utilities   6` on page 6.
//!
//! Such a head need not recur: the numbers of all pages grow with the pages, which hardly anything else at their edges does.

use std::collections::HashMap;

use super::{is_name_of_part, page_edge_rows};
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

/// The number printed on a page less its position, for most pages; `None` if no two pages agree. `words` returns the text of a
/// row.
pub(super) fn offset(
    rows: &[OutlineRow],
    extent: &PageExtent,
    words: impl Fn(&OutlineRow) -> String,
) -> Option<i64> {
    let mut pages: HashMap<i64, usize> = HashMap::new();
    for (_, _, offset) in edge_numbers(rows, extent, words) {
        *pages.entry(offset).or_default() += 1;
    }
    // The smallest of equals, so that the result does not depend on the order of the map.
    let best = pages
        .into_iter()
        .max_by_key(|&(offset, count)| (count, std::cmp::Reverse(offset)))?;
    (best.1 > 1).then_some(best.0)
}

/// Marks the rows at the edges of pages that hold the number of their page, which is its position and `offset`.
pub(super) fn numbered_rows(
    rows: &[OutlineRow],
    extent: &PageExtent,
    offset: i64,
    words: impl Fn(&OutlineRow) -> String,
) -> Vec<bool> {
    let mut numbers = edge_numbers(rows, extent, words);
    numbers.retain(|number| number.2 == offset);
    let pages = extent.count() as usize;
    let mut gone = vec![false; rows.len()];
    for place in [NumberPlace::Alone, NumberPlace::First, NumberPlace::Last] {
        let placed: Vec<usize> = numbers
            .iter()
            .filter(|number| number.1 == place)
            .map(|number| number.0)
            .collect();
        let enough = match place {
            // On two or three pages, numbers alone in their rows are clear enough.
            NumberPlace::Alone => {
                placed.len() >= MIN_PAGES.max(pages / FRACTION)
                    || placed.len() > 1 && placed.len() * 2 > pages
            }
            // Sections may begin at the top of pages with their number.
            NumberPlace::First => placed.len() >= MIN_PAGES.max(2 * pages / FRACTION),
            NumberPlace::Last => placed.len() >= MIN_PAGES.max(pages / FRACTION),
        };
        if enough {
            placed.iter().for_each(|&at| gone[at] = true);
        }
    }
    gone
}

/// The numbers at the edges of the first and last row of every page: row, place, and number less position of the page.
fn edge_numbers(
    rows: &[OutlineRow],
    extent: &PageExtent,
    words: impl Fn(&OutlineRow) -> String,
) -> Vec<(usize, NumberPlace, i64)> {
    let mut numbers = Vec::new();
    for (at, _) in page_edge_rows(rows, extent) {
        if usize::from(rows[at].size) < MAX_HEADING_BYTES {
            let page = i64::from(extent.page(rows[at].line));
            let line = words(&rows[at]);
            if is_name_of_part(&line) {
                continue;
            }
            let found = page_numbers(&line).into_iter().flatten();
            numbers.extend(found.map(|(place, number)| (at, place, number - page)));
        }
    }
    numbers
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
        // `—2—`
        None => [
            digits(first.trim_matches(['-', '–', '—'])).map(|number| (NumberPlace::Alone, number)),
            None,
        ],
        Some(_) if leaders => [None, None],
        Some(last) => [
            digits(first).map(|number| (NumberPlace::First, number)),
            digits(last).map(|number| (NumberPlace::Last, number)),
        ],
    }
}
