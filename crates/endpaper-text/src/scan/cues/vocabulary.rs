//! The words of all cues, searched for at once.
//!
//! A word of a cue can only begin where a word of the line begins, or a mark such as `[` or `.`. Most of these positions
//! begin no such word, which three characters show: five bits of each, equal for both cases of a letter, index a bit
//! table of 2^15 entries that says whether any word begins so. Candidates are then compared eight bytes at a time.

use std::sync::LazyLock;

use super::languages::Cues;
use super::lowered_line::LoweredLine;
use super::lowered_line::in_word;
use super::set::CueSet;
use super::table::LexicalCue;

pub(super) static VOCABULARY: LazyLock<CueVocabulary> =
    LazyLock::new(|| CueVocabulary::new(Cues::all()));

/// Number of different beginnings: three characters of five bits.
const BEGINNINGS: usize = 1 << 15;

/// An index of the words of all cues by their first three characters.
pub(super) struct CueVocabulary {
    /// One bit per beginning: whether a word begins so.
    begins: Vec<u64>,
    /// Number of bits set in all earlier elements of `begins`.
    before: Vec<u16>,
    /// For each bit that is set, the start of its words in `lists`; then the end of the last.
    starts: Vec<u16>,
    /// Indices into `words`, in the order of their beginnings.
    lists: Vec<u16>,
    words: Vec<VocabularyWord>,
}

/// A word of a cue, in the form in which it is compared with a line.
#[derive(Clone, Copy)]
struct VocabularyWord {
    /// Its first eight bytes, and the mask of those it has.
    first: u64,
    mask: u64,
    /// The bytes after the first eight.
    rest: &'static [u8],
    length: usize,
    cue: LexicalCue,
    opens_line: bool,
    ends_word: bool,
}

impl VocabularyWord {
    /// See [`CueKind::Word`](super::languages::CueKind::Word) for how words are written.
    fn new(sign: LexicalCue, pattern: &'static str) -> VocabularyWord {
        let bare = pattern.trim_start_matches('^');
        let ends_word = bare.len() > 1 && bare.ends_with('>');
        let text = &bare.as_bytes()[..bare.len() - usize::from(ends_word)];
        let (first, rest) = text.split_at(text.len().min(8));
        let (mut bytes, mut mask) = ([0; 8], [0; 8]);
        bytes[..first.len()].copy_from_slice(first);
        mask[..first.len()].fill(u8::MAX);
        VocabularyWord {
            first: u64::from_le_bytes(bytes),
            mask: u64::from_le_bytes(mask),
            rest,
            length: text.len(),
            cue: sign,
            opens_line: pattern.starts_with('^'),
            ends_word,
        }
    }

    /// Whether the word is at offset `at` of the line; `eight` are the bytes at `at`, `opening` is the offset of the
    /// first word.
    fn matches_at(&self, line: &LoweredLine<'_>, at: usize, eight: u64, opening: usize) -> bool {
        let end = at + self.length;
        eight & self.mask == self.first
            && (self.rest.is_empty() || line.lower.get(at + 8..end) == Some(self.rest))
            && !(self.opens_line && opening < at)
            && !(self.ends_word && line.lower.get(end).copied().is_some_and(in_word))
    }
}

/// Shifts another character into a beginning.
fn extend_prefix(begin: usize, byte: u8) -> usize {
    (begin << 5 | usize::from(byte & 31)) % BEGINNINGS
}

/// The beginnings of a word; several if it is shorter than three characters.
fn beginnings(word: &VocabularyWord) -> impl Iterator<Item = usize> {
    let length = word.length.min(3);
    let bytes = word.first.to_le_bytes();
    let short = bytes[..length]
        .iter()
        .fold(0, |begin, &byte| extend_prefix(begin, byte));
    let missing = 5 * (3 - length);
    (0..1 << missing).map(move |rest| short << missing | rest)
}

impl CueVocabulary {
    /// The index of the words of all cues.
    pub fn new(cues: &Cues) -> CueVocabulary {
        let words = cues.words();
        let words: Vec<VocabularyWord> = words
            .map(|(cue, word)| VocabularyWord::new(cue, word))
            .collect();
        let mut places: Vec<(usize, u16)> = Vec::new();
        for (word, place) in words.iter().zip(0..) {
            places.extend(beginnings(word).map(|begin| (begin, place)));
        }
        places.sort_unstable();
        let mut begins = vec![0_u64; BEGINNINGS / 64];
        let mut starts = Vec::new();
        for (at, (begin, _)) in places.iter().enumerate() {
            if at == 0 || places[at - 1].0 != *begin {
                begins[begin / 64] |= 1 << (begin % 64);
                starts.push(at as u16);
            }
        }
        starts.push(places.len() as u16);
        let mut count = 0;
        let before = begins.iter().map(|bits| {
            let before = count;
            count += bits.count_ones() as u16;
            before
        });
        CueVocabulary {
            before: before.collect(),
            begins,
            starts,
            lists: places.into_iter().map(|(_, place)| place).collect(),
            words,
        }
    }

    /// The indices of the words with a beginning.
    fn words_with_prefix(&self, begin: usize) -> &[u16] {
        let (bits, bit) = (self.begins[begin / 64], 1_u64 << (begin % 64));
        if bits & bit == 0 {
            return &[];
        }
        let rank = self.before[begin / 64] as usize + (bits & (bit - 1)).count_ones() as usize;
        &self.lists[usize::from(self.starts[rank])..usize::from(self.starts[rank + 1])]
    }

    /// Adds the cues whose words are in a line.
    pub fn find_cues(&self, line: &LoweredLine<'_>, found: &mut CueSet) {
        let mut produced = usize::MAX;
        let opening = line.opening();
        for &at in line.starts {
            let at = usize::from(at);
            let Some(eight) = line.lower[at..].first_chunk::<8>() else {
                continue;
            };
            let begin = eight[..3]
                .iter()
                .fold(0, |begin, &byte| extend_prefix(begin, byte));
            for &word in self.words_with_prefix(begin) {
                let word = &self.words[usize::from(word)];
                if !word.matches_at(line, at, u64::from_le_bytes(*eight), opening) {
                    continue;
                }
                found.set(word.cue);
                match word.cue {
                    LexicalCue::Verb => produced = produced.min(at + word.length),
                    LexicalCue::By if at >= produced => found.set(LexicalCue::Credit),
                    _ => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lowered_line::CueBuffers;
    use super::*;
    use proptest::prelude::*;

    /// Tries every word at every offset where one may begin.
    fn slowly(line: &str) -> CueSet {
        let lower = line.to_ascii_lowercase();
        let lower = lower.as_bytes();
        let opening = lower.iter().position(|&byte| in_word(byte));
        let begins = |at: usize| {
            if in_word(lower[at]) {
                at == 0 || !in_word(lower[at - 1])
            } else {
                b"@.([&".contains(&lower[at])
            }
        };
        let (mut found, mut verbs, mut bys) = (CueSet::default(), Vec::new(), Vec::new());
        for (sign, pattern) in Cues::all().words() {
            let bare = pattern.trim_start_matches('^');
            let text = bare.strip_suffix('>').unwrap_or(bare).as_bytes();
            for at in (0..lower.len()).filter(|&at| begins(at)) {
                let ends = lower.get(at + text.len());
                let stands = lower[at..].starts_with(text)
                    && !(pattern.starts_with('^') && opening.is_some_and(|first| first < at))
                    && !(bare.ends_with('>') && ends.copied().is_some_and(in_word));
                if stands {
                    found.set(sign);
                    match sign {
                        LexicalCue::Verb => verbs.push(at + text.len()),
                        LexicalCue::By => bys.push(at),
                        _ => {}
                    }
                }
            }
        }
        if verbs.iter().any(|verb| bys.iter().any(|by| by >= verb)) {
            found.set(LexicalCue::Credit);
        }
        found
    }

    /// Lines of the words of cues, with various characters between them.
    fn lines() -> impl Strategy<Value = String> {
        let words = Cues::all().words();
        let words: Vec<String> = words
            .map(|(_, word)| word.trim_matches(['^', '>']).to_owned())
            .collect();
        let word = proptest::sample::select(words);
        let word = (word, any::<bool>()).prop_map(
            |(word, upper)| {
                if upper { word.to_uppercase() } else { word }
            },
        );
        let between = proptest::sample::select(vec!["", " ", "x", "é", "-", ". ", "9", "["]);
        let pieces = proptest::collection::vec((between, word), 0..6);
        pieces.prop_map(|pieces| pieces.into_iter().map(|(a, b)| a.to_owned() + &b).collect())
    }

    proptest! {
        #[test]
        fn every_word_is_found_where_it_stands(lines in proptest::collection::vec(lines(), 1..4)) {
            let mut buffers = CueBuffers::default();
            for line in &lines {
                let mut found = CueSet::default();
                VOCABULARY.find_cues(&buffers.of(line), &mut found);
                prop_assert_eq!(found, slowly(line));
            }
        }
    }
}
