//! The text of a hit, read from the book itself.

use super::words::{TermCache, WordPositions};
use super::{HitExcerpt, SearchHit};
use endpaper_text::checksum::crc64;
use endpaper_text::corpus::BookText;

/// Longest excerpt, in characters.
const LENGTH: usize = 240;

/// Most lines after the first that are read for an excerpt.
const LINES: u32 = 12;

/// Most bytes of one line that are read.
const LINE: usize = 4 * LENGTH;

/// Reads the excerpt of a hit from its book: [`HitExcerpt::Changed`] if the book changed since it was indexed.
pub fn excerpt(hit: &SearchHit, text: &BookText) -> HitExcerpt {
    let Some(place) = &hit.position else {
        return HitExcerpt::None;
    };
    if crc64(text.bytes()) != hit.crc {
        return HitExcerpt::Changed;
    }
    let mut out = String::new();
    let last = place.line.saturating_add(LINES).min(text.lines());
    for line in place.line..=last {
        // A long line is shown from its start, even if the match is far after it.
        let shown = text.display(line, LINE);
        for word in shown.split_whitespace() {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
        }
        if out.chars().nth(LENGTH).is_some() {
            break;
        }
    }
    if let Some((end, _)) = out.char_indices().nth(LENGTH) {
        let end = out[..end].rfind(' ').unwrap_or(end);
        out.truncate(end);
        out.push_str(" \u{2026}");
    }
    let marks = marks_in(&out, hit);
    HitExcerpt::Text { text: out, marks }
}

/// The byte ranges of an excerpt's text that match the query.
fn marks_in(text: &str, hit: &SearchHit) -> Vec<std::ops::Range<usize>> {
    let mut terms = TermCache::of(hit.language);
    let mut term = String::new();
    let words = WordPositions::of(text).filter(|word| {
        terms.write_term(&text[word.clone()], &mut term);
        hit.terms.contains(&term)
    });
    words.collect()
}
