//! The text of a hit, read from the book itself.

use super::words::{TermCache, WordPositions};
use super::{HitExcerpt, SearchHit};
use endpaper_text::checksum::crc64;
use endpaper_text::corpus::BookText;

/// Characters of an excerpt.
const LENGTH: usize = 240;

/// Lines that are examined for it.
const LINES: u32 = 12;

/// Bytes of one line.
const LINE: usize = 4 * LENGTH;

/// Reads the excerpt of a hit from its book. Where the book changed since it was indexed, it says so.
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
        // What is found far after the start of a very long line is shown without what is before it.
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

fn marks_in(text: &str, hit: &SearchHit) -> Vec<std::ops::Range<usize>> {
    let mut terms = TermCache::of(hit.language);
    let mut term = String::new();
    let words = WordPositions::of(text).filter(|word| {
        terms.write_term(&text[word.clone()], &mut term);
        hit.terms.contains(&term)
    });
    words.collect()
}
