//! Which lines of a text are lines of a context, whatever encoding and newlines it has now.

use hashbrown::{HashMap, HashSet};

use crate::context::{WIDTH, context_line};
use endpaper_text::corpus::BookText;
use endpaper_text::line::Normaliser;

/// Letters and digits of a line that its signature looks at.
const SIGNATURE_CHARS: usize = 12;

/// The signature of a line without letters and digits.
const EMPTY_SIGNATURE: u64 = 0xcbf2_9ce4_8422_2325;

/// Lines that are searched for, each with a number.
#[derive(Debug, Default)]
pub(super) struct WantedLines {
    ids: HashMap<String, u32>,
    signatures: HashSet<u64>,
    normaliser: Normaliser,
}

/// A line in a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineHit {
    /// Its number among the non-blank lines, from 1; 0 and one past the last are the ends of the text.
    pub ordinal: u32,
    /// Its number in the text.
    pub line: u32,
}

/// Where the lines that were searched for stand.
#[derive(Debug)]
pub(super) struct LineHits {
    /// Hits by the number of the wanted line, in line order.
    pub hits: Vec<Vec<LineHit>>,
    /// Number of non-blank lines.
    pub count: u32,
}

impl WantedLines {
    /// What is before the first line.
    pub const BEGIN: u32 = 0;
    /// What is after the last.
    pub const END: u32 = 1;

    /// Whether a number is that of an end of the text.
    pub fn is_end(id: u32) -> bool {
        [WantedLines::BEGIN, WantedLines::END].contains(&id)
    }

    /// The number of a line of a context; equal lines have one number.
    pub fn id(&mut self, line: &str) -> u32 {
        let line: String = line.chars().take(WIDTH).collect();
        self.signatures.insert(signature(line.as_bytes()));
        let folded = fold(&mut self.normaliser, &line);
        let next = self.ids.len() as u32 + 2;
        *self.ids.entry(folded).or_insert(next)
    }

    /// Looks for all of them at once.
    pub fn find(mut self, text: &BookText) -> LineHits {
        let mut hits = vec![Vec::new(); self.ids.len() + 2];
        let mut ordinal = 0;
        for line in 1..=text.lines() {
            let signature = signature(&text.normaliser_input(line));
            // A line with letters is not blank; only the others need a closer look.
            if signature == EMPTY_SIGNATURE && text.is_blank(line) {
                continue;
            }
            ordinal += 1;
            if !self.signatures.contains(&signature) {
                continue;
            }
            let folded = fold(&mut self.normaliser, &context_line(text, line));
            if let Some(&id) = self.ids.get(&folded) {
                hits[id as usize].push(LineHit { ordinal, line });
            }
        }
        hits[WantedLines::BEGIN as usize].push(LineHit {
            ordinal: 0,
            line: 0,
        });
        hits[WantedLines::END as usize].push(LineHit {
            ordinal: ordinal + 1,
            line: text.lines() + 1,
        });
        LineHits {
            hits,
            count: ordinal,
        }
    }
}

impl LineHits {
    /// How often a line is in the text.
    pub fn count_of(&self, id: u32) -> u32 {
        self.hits
            .get(id as usize)
            .map_or(0, |hits| hits.len() as u32)
    }
}

/// The same for a line in every encoding: its first ASCII letters and digits. Most lines are distinguished by it without
/// being decoded.
fn signature(line: &[u8]) -> u64 {
    let letters = line.iter().filter(|byte| byte.is_ascii_alphanumeric());
    letters
        .take(SIGNATURE_CHARS)
        .fold(EMPTY_SIGNATURE, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

/// A line as it is compared: normalised, and every run of characters that another encoding may show otherwise (or as
/// question marks) as one. A text that is mostly not ASCII keeps its characters: nothing else tells its lines apart.
fn fold(normaliser: &mut Normaliser, line: &str) -> String {
    let normal = normaliser.text(line);
    let foreign = normal.text.chars().filter(|c| !c.is_ascii()).count();
    if foreign * 3 > normal.characters {
        return normal.text.to_owned();
    }
    let mut folded = String::with_capacity(normal.text.len());
    for c in normal.text.chars() {
        if c.is_ascii() && c != '?' {
            folded.push(c);
        } else if !folded.ends_with('\u{1}') {
            folded.push('\u{1}');
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_the_same_in_every_encoding() {
        let mut normaliser = Normaliser::default();
        let mut folded = |line: &str| fold(&mut normaliser, line);
        let line = folded("Müller's  café: «déjà vu», he said");
        let table = [
            "Müller's café: «déjà vu», he said",
            "MÃ¼ller's cafÃ©: Â«dÃ©jÃ  vuÂ», he said",
            "M?ller's caf?: ?d?j? vu?, he said",
        ];
        assert_eq!(folded(table[0]), line);
        assert_eq!(folded(table[2]), line);
        assert_ne!(folded("Miller's cafe: dejà vu, he said"), line);
        assert_eq!(
            folded("a long line with one é and more"),
            folded("a long line with one Ã© and more")
        );
    }

    #[test]
    fn lines_of_other_scripts_stay_apart() {
        let mut normaliser = Normaliser::default();
        let mut folded = |line: &str| fold(&mut normaliser, line);
        assert_ne!(
            folded("Все счастливые семьи"),
            folded("похожи друг на друга")
        );
    }
}
