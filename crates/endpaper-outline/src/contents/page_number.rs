//! Page numbers at the ends of entries.

use crate::heading::ParsedHeading;

/// Removes the page number at the end of a line; returns whether there was one.
pub(super) fn without_page(line: &str) -> (&str, bool) {
    let line = line.trim_end_matches(['|', ' ', ']', '_', '*']);
    let stem = line.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '–'));
    let digits = &line[stem.len()..];
    let stem = if digits.is_empty() {
        line.trim_end_matches(['i', 'v', 'x', 'l'])
    } else {
        stem
    };
    let page = &line[stem.len()..];
    let leader = stem.trim_end_matches(|c: char| {
        c.is_whitespace() || matches!(c, '.' | '·' | '_' | '-' | '*' | '…')
    });
    let gap = &stem[leader.len()..];
    let wide = gap.starts_with("  ")
        || gap.contains('\t')
        || gap == " · "
        || gap.matches(['.', '_', '…', '·', '-']).count() >= 2;
    let narrow = gap.starts_with([' ', ',']) && !digits.is_empty() && digits.len() <= 3;
    let is_page = !page.is_empty() && page.len() <= 9 && !leader.is_empty() && wide;
    if is_page {
        return (leader, true);
    }
    // `Of Ships 12` ends in a page number; in `Henry 8` and `Chapter 8` it cannot be distinguished from a number.
    let words = leader.split_whitespace().count();
    if narrow
        && words >= 2
        && !page.starts_with('0')
        && ParsedHeading::of(line).title.len() > digits.len()
    {
        return (leader, true);
    }
    (line.trim_end_matches([' ', '.', '·', '…']), false)
}
