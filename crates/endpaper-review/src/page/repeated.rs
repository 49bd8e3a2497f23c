//! Licence blocks that stand several times in a text, word for word, as between the acts of a play.
//!
//! The detector reads only the head and the tail, so these are found in the whole text when a page is made.

use super::BookPage;
use endpaper_detect::{BlockKind, InsideBlock};
use std::collections::HashMap;

/// Words of licences, in lower case.
const WORDS: [&[u8]; 2] = [b"gutenberg", b"copyright"];

/// All blocks with a word of licences that occur at least twice with the same lines, in line order.
pub(super) fn repeated_licences(page: &BookPage) -> Vec<InsideBlock> {
    let mut same: HashMap<Vec<&[u8]>, Vec<(u32, u32)>> = HashMap::new();
    for &(first, last) in page.blocks() {
        let lines = (first..=last).map(|line| page.text.raw(line).trim_ascii());
        if !lines.clone().any(names_licence) {
            continue;
        }
        same.entry(lines.collect()).or_default().push((first, last));
    }
    let repeated = same.into_values().filter(|blocks| blocks.len() > 1);
    let mut blocks: Vec<InsideBlock> = repeated
        .flatten()
        .map(|(first, last)| InsideBlock {
            first,
            last,
            kind: BlockKind::Licence,
        })
        .collect();
    blocks.sort_unstable_by_key(|block| block.first);
    blocks
}

fn names_licence(line: &[u8]) -> bool {
    WORDS.iter().any(|word| {
        let mut parts = line.windows(word.len());
        parts.any(|part| part[0].eq_ignore_ascii_case(&word[0]) && part.eq_ignore_ascii_case(word))
    })
}
