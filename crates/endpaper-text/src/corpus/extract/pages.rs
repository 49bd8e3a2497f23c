//! Pages in extracted text: a line with only a form feed separates two pages.

use super::failure::without_text;
use crate::corpus::unreadable::Unreadable;

/// The line between two pages.
pub const PAGE_BREAK: &str = "\u{C}";

/// Joins the texts of pages. Blank lines at the end of a page are dropped: they only reflect the empty rest of the paper.
///
/// # Errors
///
/// No page has text on it.
pub(super) fn join<'a>(pages: impl Iterator<Item = &'a str>) -> Result<Vec<u8>, Unreadable> {
    let mut text = String::new();
    let (mut count, mut is_blank) = (0, true);
    for page in pages {
        if count > 0 {
            text.push_str(PAGE_BREAK);
            text.push('\n');
        }
        count += 1;
        // A form feed inside a page would be read as its end.
        for line in page.trim_end().lines() {
            let line = line.trim_end();
            is_blank &= line.is_empty();
            text.extend(line.chars().filter(|&c| c != '\u{C}' && c != '\0'));
            text.push('\n');
        }
    }
    if is_blank {
        return Err(without_text(count));
    }
    Ok(text.into_bytes())
}

/// Number of pages of a text: one more than there are page breaks, or `None` for a text without any.
pub fn pages(text: &[u8]) -> Option<usize> {
    let breaks = memchr::memmem::find_iter(text, b"\n\x0C\n").count();
    (breaks > 0).then_some(breaks + 1)
}
