//! Compares where two copies of one text are cut, by the words around the cuts.
//!
//! Editions break lines differently and have other headers, so neither lines nor the text outside a cut can be
//! compared. Words can: the first words of one body are searched for in the other copy. Two cuts *differ* only where
//! the same words are body in one copy and cut away in the other; an additional preface in one edition is not a
//! contradiction.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use foldhash::fast::FixedState;

use super::words::{WordSplitter, step};
use endpaper_text::corpus::BookText;

/// Words per phrase.
const PHRASE: usize = 4;
/// Words in a row that must match to align two copies: more than a title and its author.
const ANCHOR_WORDS: usize = 12;
/// Words of a body in which the first common words are searched for.
const LEAD: usize = 2000;
/// The first of these words, which are searched for before the others.
const FIRST_SEARCHED: isize = 16;
/// Words on either side of a cut that are examined.
const WINDOW: usize = 6000;
/// Maximum length of a title page in words.
const TITLE: isize = 40;
/// Share of words, or of phrases, that must match in passages that count as the same.
const MIN_COMMON: f64 = 0.6;

/// The words of a text with their lines.
#[derive(Clone, Debug, Default)]
pub struct WordIndex {
    words: Vec<u64>,
    lines: Vec<u32>,
    /// Number of lines of the text.
    count: u32,
}

/// First and last line of a body.
pub type BodyRange = (u32, u32);

impl WordIndex {
    /// The words of a whole text.
    pub fn of(text: &BookText) -> WordIndex {
        let (mut words, mut lines) = (Vec::new(), Vec::new());
        let mut splitter = WordSplitter::default();
        for line in 1..=text.lines() {
            super::part::each_piece(text, line, line, |piece| {
                splitter.push(piece, |word| words.push(word));
            });
            // A word never continues on the next line.
            splitter.end(|word| words.push(word));
            lines.resize(words.len(), line);
        }
        WordIndex {
            words,
            lines,
            count: text.lines(),
        }
    }

    /// Number of lines of the text.
    pub fn lines(&self) -> u32 {
        self.count
    }

    /// The words from a line to another one.
    pub fn words_of(&self, (first, last): BodyRange) -> &[u64] {
        let (from, to) = (
            self.words_before(first),
            self.words_before(last.saturating_add(1)),
        );
        self.words.get(from..to).unwrap_or_default()
    }

    /// The passages between two lines that consist of exactly these words, by first and last line: whole lines only.
    pub fn passages(&self, words: &[u64], within: BodyRange) -> Vec<BodyRange> {
        let mut found = Vec::new();
        let start = self.words_before(within.0);
        let end = start + self.words_of(within).len();
        let mut at = start;
        while !words.is_empty() && at + words.len() <= end {
            let next = at + words.len();
            let line = |word: usize| self.lines.get(word);
            let is_whole = (at == 0 || line(at - 1) != line(at)) && line(next - 1) != line(next);
            if is_whole && self.words[at..next] == *words {
                found.push((self.lines[at], self.lines[next - 1]));
                at = next;
            } else {
                at += 1;
            }
        }
        found
    }

    /// Number of words before a line.
    fn words_before(&self, line: u32) -> usize {
        self.lines.partition_point(|&other| other < line)
    }
}

/// How an end of another copy's body compares with that of the first copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutAlignment {
    /// Both bodies begin, or end, with the same words.
    Aligned,
    /// Words are body in one copy and cut away in the other.
    Differs {
        /// The first (or last) line of the other copy's body if it were cut like the first copy; `None` if no line
        /// corresponds.
        line: Option<u32>,
    },
    /// The copies have different words there: nothing is known.
    Undetermined,
}

impl CutAlignment {
    /// Whether words are body in one copy and cut away in the other.
    pub fn differs(self) -> bool {
        matches!(self, CutAlignment::Differs { .. })
    }
}

/// Compares the body of `theirs` with that of `ours`, at its start and at its end.
pub fn align_cuts(
    ours: (&WordIndex, BodyRange),
    theirs: (&WordIndex, BodyRange),
) -> [CutAlignment; 2] {
    [false, true].map(|at_end| {
        let (ours, theirs) = (BodyEdge::of(ours, at_end), BodyEdge::of(theirs, at_end));
        let Some(found) = ours.find_anchor(&theirs) else {
            return CutAlignment::Undetermined;
        };
        found.alignment(&ours, &theirs)
    })
}

/// Whether two copies are cut at other words, at the start and at the end of their bodies: words are body in one and cut
/// away in the other, seen from either of them.
pub fn cuts_differ(a: (&WordIndex, BodyRange), b: (&WordIndex, BodyRange)) -> [bool; 2] {
    let (there, back) = (align_cuts(a, b), align_cuts(b, a));
    let aligned = |end: usize| [there[end], back[end]].contains(&CutAlignment::Aligned);
    [0, 1].map(|end| !aligned(end) && (there[end].differs() || back[end].differs()))
}

/// The body of `theirs` if it were cut like `ours`: an end is changed where the cuts differ and a line corresponds.
///
/// `None` without evidence that this is right: no end is changed, and not both are aligned already. `None`, too, if the
/// ends would cross.
pub fn transfer_cuts(
    ours: (&WordIndex, BodyRange),
    theirs: (&WordIndex, BodyRange),
) -> Option<BodyRange> {
    let (beside, body) = (align_cuts(ours, theirs), theirs.1);
    let line = |end: CutAlignment, known: u32| match end {
        CutAlignment::Differs { line: Some(line) } => line,
        _ => known,
    };
    let [start, end] = beside;
    let moved = (line(start, body.0), line(end, body.1));
    let same = beside == [CutAlignment::Aligned; 2];
    Some(moved).filter(|moved| moved.0 <= moved.1 && (same || *moved != body))
}

/// An end of a body. Words are numbered from its cut: 0 is the first (or last) word of the body, 1 the next one
/// inwards; words that are cut away have negative numbers.
struct BodyEdge<'a> {
    text_words: &'a WordIndex,
    /// Number of words before the cut.
    cut: usize,
    /// Number of words of the body, up to the other cut.
    body: isize,
    at_end: bool,
}

impl<'a> BodyEdge<'a> {
    /// The first or (`at_end`) last edge of the body `first..=last`, in words.
    fn of((word_index, (first, last)): (&'a WordIndex, BodyRange), at_end: bool) -> BodyEdge<'a> {
        let first = word_index.words_before(first);
        let last = word_index.words_before(last.saturating_add(1));
        BodyEdge {
            text_words: word_index,
            cut: if at_end { last } else { first },
            body: last.saturating_sub(first) as isize,
            at_end,
        }
    }

    /// The index of a word in the text.
    fn index(&self, at: isize) -> Option<usize> {
        match self.at_end {
            false => self.cut.checked_add_signed(at),
            true => self.cut.checked_add_signed(-1 - at),
        }
    }

    /// The word `at` words inwards from the cut (outwards if negative).
    fn word(&self, at: isize) -> Option<u64> {
        self.text_words.words.get(self.index(at)?).copied()
    }

    /// The hash of the phrase that begins with a word and goes inwards.
    fn phrase(&self, at: isize) -> Option<u64> {
        let mut words = (at..at + PHRASE as isize).map(|at| self.word(at));
        words.try_fold(0, |hash, word| Some(step(hash, word?)))
    }

    /// The first words that this body certainly has in common with the other copy.
    fn find_anchor(&self, other: &BodyEdge<'_>) -> Option<MatchAnchor> {
        let lead = self.body.min(LEAD as isize);
        // Copies mostly begin alike, so the first words are searched for before all others.
        let first = lead.min(FIRST_SEARCHED);
        self.find_anchor_in(other, 0..first)
            .or_else(|| self.find_anchor_in(other, first..lead))
    }

    /// [`BodyEdge::find_anchor`] at some words of this body.
    fn find_anchor_in(&self, other: &BodyEdge<'_>, words: Range<isize>) -> Option<MatchAnchor> {
        let window = WINDOW as isize;
        let phrases = words.map_while(|here| Some((here, self.phrase(here)?)));
        let phrases: Vec<(isize, u64)> = phrases.collect();
        let mut places: HashMap<u64, Vec<isize>, FixedState> = phrases
            .iter()
            .map(|&(_, phrase)| (phrase, Vec::new()))
            .collect();
        if places.is_empty() {
            return None;
        }
        for at in -window..window {
            if let Some(phrase) = other.phrase(at)
                && let Some(places) = places.get_mut(&phrase)
            {
                places.push(at);
            }
        }
        phrases.into_iter().find_map(|(here, phrase)| {
            let length = |there: isize| {
                let same = |by: &isize| {
                    let ours = self.word(here + by);
                    ours.is_some() && ours == other.word(there + by)
                };
                (0..window).take_while(same).count()
            };
            let best = places[&phrase].iter().map(|&there| (length(there), there));
            let (length, there) = best.max_by_key(|&(length, there)| {
                (length.min(10 * ANCHOR_WORDS), -(there - here).abs())
            })?;
            (length >= ANCHOR_WORDS).then_some(MatchAnchor {
                our_word: here,
                their_word: there,
            })
        })
    }

    /// Whether the first `words` words of the other body are cut away here: directly at the cut, or most of their
    /// phrases near it.
    ///
    /// The words of a title page are in every header too, so that a few words count only close to the cut.
    fn has_outside(&self, other: &BodyEdge<'_>, words: isize) -> bool {
        let adjacent = (0..words).all(|at| {
            let word = other.word(at);
            word.is_some() && word == self.word(at - words)
        });
        if adjacent {
            return true;
        }
        let near = if words <= TITLE {
            words + TITLE
        } else {
            WINDOW as isize
        };
        let last = words - PHRASE as isize;
        let outside = (-near..=-(PHRASE as isize)).filter_map(|at| self.phrase(at));
        let outside: HashSet<u64, FixedState> = outside.collect();
        let phrases = (0..=last).filter_map(|at| other.phrase(at));
        let found = phrases.filter(|phrase| outside.contains(phrase)).count();
        last >= 0 && found as f64 >= MIN_COMMON * (last + 1) as f64
    }

    /// The line of a word, if the word is the first of its line (the last, at the end of a body).
    fn line(&self, at: isize) -> Option<u32> {
        let line = |at: isize| self.text_words.lines.get(self.index(at)?).copied();
        line(at).filter(|&found| line(at - 1) != Some(found))
    }
}

/// Where a match of the two copies begins, as word numbers from their cuts.
struct MatchAnchor {
    our_word: isize,
    their_word: isize,
}

impl MatchAnchor {
    /// How the cut of one copy lies to that of the other, given that their words match from this anchor on.
    fn alignment(&self, ours: &BodyEdge<'_>, theirs: &BodyEdge<'_>) -> CutAlignment {
        // Words before the match may differ in a letter.
        let from = self.their_word - self.our_word;
        if !self.words_match(ours, theirs, (0, from), self.our_word) {
            // A title page with other words contains words of the header, which every copy has outside.
            let kept = self.our_word > TITLE && theirs.has_outside(ours, self.our_word);
            let lost = self.their_word > TITLE && ours.has_outside(theirs, self.their_word);
            return match kept || lost {
                true => CutAlignment::Differs { line: None },
                false => CutAlignment::Undetermined,
            };
        }
        let differs = match from {
            0 => return CutAlignment::Aligned,
            // The other copy cuts away what is body here.
            ..0 => self.words_match(ours, theirs, (0, from), -from),
            // The other copy keeps more.
            1.. => ours.has_outside(theirs, from),
        };
        // A title page that is shorter there has another word where this body begins.
        let begins_alike = ours.word(0) == theirs.word(from);
        match differs {
            true => CutAlignment::Differs {
                line: theirs.line(from).filter(|_| begins_alike),
            },
            false => CutAlignment::Undetermined,
        }
    }

    /// Whether most of `words` words are the same, from word `here` of our copy and word `there` of theirs on.
    fn words_match(
        &self,
        ours: &BodyEdge<'_>,
        theirs: &BodyEdge<'_>,
        (here, there): (isize, isize),
        words: isize,
    ) -> bool {
        let same = |by: &isize| {
            let word = ours.word(here + by);
            word.is_some() && word == theirs.word(there + by)
        };
        (0..words).filter(same).count() as f64 >= MIN_COMMON * words as f64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HEADER: &str =
        "The Project Gutenberg Etext of The Bells, by Edgar Poe\n\n*** START ***\n";
    const FOOTER: &str = "End of this etext of The Bells.\nLicence: do with it what you like.\n";

    /// Lines of different words.
    fn story(lines: std::ops::Range<usize>) -> String {
        let line = |n: usize| {
            format!(
                "word{n} goes{} where{} it{} will{}\n",
                n * 7,
                n * 3,
                n * 11,
                n + 5
            )
        };
        lines.map(line).collect()
    }

    fn text(parts: &[&str]) -> BookText {
        BookText::new(parts.concat().into_bytes())
    }

    /// The same words in capitals, in other lines.
    fn reflowed(text: &str) -> String {
        let words: Vec<&str> = text.split_whitespace().collect();
        let lines = words.chunks(15).map(|line| line.join(" "));
        lines.map(|line| line.to_uppercase() + "\r\n").collect()
    }

    /// The lines from one that begins with `first` to one that ends with `last`.
    fn from_to(text: &BookText, first: &str, last: &str) -> BodyRange {
        let lines = || (1..=text.lines()).map(|line| (line, text.display(line, 400).into_owned()));
        let first = lines().find(|(_, shown)| shown.starts_with(first));
        let first = first.unwrap().0;
        let last = lines().find(|(line, shown)| *line >= first && shown.ends_with(last));
        (first, last.unwrap().0)
    }

    fn compare(ours: (&BookText, BodyRange), theirs: (&BookText, BodyRange)) -> [CutAlignment; 2] {
        let (a, b) = (WordIndex::of(ours.0), WordIndex::of(theirs.0));
        align_cuts((&a, ours.1), (&b, theirs.1))
    }

    fn carry(ours: (&BookText, BodyRange), theirs: (&BookText, BodyRange)) -> Option<BodyRange> {
        let (a, b) = (WordIndex::of(ours.0), WordIndex::of(theirs.0));
        transfer_cuts((&a, ours.1), (&b, theirs.1))
    }

    #[test]
    fn what_one_keeps_and_the_other_cuts_away_is_a_contradiction() {
        let body = story(0..300);
        let credits = "Produced by Somebody and somebody else of the team\n\n";
        let ours = text(&[
            HEADER,
            credits,
            "THE BELLS\n\n",
            &body,
            "THE END\n\n",
            FOOTER,
        ]);
        let flowed = reflowed(&body);
        let theirs = text(&[
            "Header\n\n",
            credits,
            "THE BELLS\n\n",
            &flowed,
            "THE END\n\n",
            "Small print\n",
        ]);
        let right = from_to(&ours, "THE BELLS", "THE END");
        let table = [
            // The first and last line of the other body, and how it aligns.
            ("THE BELLS", "THE END", [CutAlignment::Aligned; 2]),
            (
                "Produced",
                "THE END",
                [
                    CutAlignment::Differs { line: Some(5) },
                    CutAlignment::Aligned,
                ],
            ),
            (
                "WORD0",
                "THE END",
                [
                    CutAlignment::Differs { line: Some(5) },
                    CutAlignment::Aligned,
                ],
            ),
            (
                "WORD3",
                "THE END",
                [
                    CutAlignment::Differs { line: Some(5) },
                    CutAlignment::Aligned,
                ],
            ),
            // Additional text in the other copy does not hide it.
            (
                "Header",
                "THE END",
                [
                    CutAlignment::Differs { line: Some(5) },
                    CutAlignment::Aligned,
                ],
            ),
            (
                "THE BELLS",
                "WILL304",
                [
                    CutAlignment::Aligned,
                    CutAlignment::Differs { line: Some(107) },
                ],
            ),
            (
                "THE BELLS",
                "Small print",
                [CutAlignment::Aligned, CutAlignment::Undetermined],
            ),
        ];
        for (first, last, expected) in table {
            let cuts = from_to(&theirs, first, last);
            assert_eq!(
                compare((&ours, right), (&theirs, cuts)),
                expected,
                "{first} {last}"
            );
            let back = compare((&theirs, cuts), (&ours, right));
            for (end, back) in expected.iter().zip(back) {
                assert!(end.differs() || !back.differs(), "{first} {last}");
            }
            let (a, b) = (WordIndex::of(&ours), WordIndex::of(&theirs));
            let differ = expected.map(CutAlignment::differs);
            assert_eq!(cuts_differ((&a, right), (&b, cuts)), differ, "{first}");
            assert_eq!(cuts_differ((&b, cuts), (&a, right)), differ, "{first}");
            let moved = carry((&ours, right), (&theirs, cuts));
            let changed = expected.iter().any(|end| end.differs());
            let known = changed || expected == [CutAlignment::Aligned; 2];
            let whole = from_to(&theirs, "THE BELLS", "THE END");
            assert_eq!(moved, known.then_some(whole), "{first} {last}");
        }
    }

    #[test]
    fn another_title_page_or_preface_is_none() {
        let (body, preface) = (story(0..300), story(900..960));
        let ours = text(&[HEADER, "THE BELLS\nby Edgar Poe\n\n", &body, FOOTER]);
        let table = [
            text(&[HEADER, "THE BELLS\n\nNew York, 1849\n\n", &body, FOOTER]),
            text(&[HEADER, "THE BELLS, by Edgar Allan Poe\n\n", &body, FOOTER]),
            text(&[HEADER, &preface, &body, FOOTER]),
            text(&[HEADER, &body, FOOTER]),
        ];
        let cuts = |text: &BookText| (4, text.lines() - 2);
        for theirs in &table {
            let found = compare((&ours, cuts(&ours)), (theirs, cuts(theirs)));
            let shown = theirs.display(4, 80);
            assert!(
                !found[0].differs() && found[1] == CutAlignment::Aligned,
                "{shown}: {found:?}"
            );
        }
        // Different books cannot be compared.
        let other = text(&[HEADER, &story(1000..1300), FOOTER]);
        let found = compare((&ours, cuts(&ours)), (&other, cuts(&other)));
        assert_eq!(found, [CutAlignment::Undetermined; 2]);
    }

    #[test]
    fn a_cut_within_a_line_is_not_carried() {
        let body = story(0..300);
        let (ours, theirs) = (text(&[HEADER, &body]), text(&[HEADER, &reflowed(&body)]));
        let (cut, whole) = ((8, ours.lines()), (4, theirs.lines()));
        let found = compare((&ours, cut), (&theirs, whole));
        assert_eq!(
            found,
            [CutAlignment::Differs { line: None }, CutAlignment::Aligned]
        );
        assert_eq!(carry((&ours, cut), (&theirs, whole)), None);
    }

    #[test]
    fn passages_are_found_by_their_words_and_only_as_whole_lines() {
        let ours = text(&["One\n\nA note, of the printer.\n\nTwo\n"]);
        let words = WordIndex::of(&ours);
        let note = words.words_of((3, 3));
        assert_eq!(note.len(), 5);
        let theirs =
            "A note of\nthe PRINTER\n\nSee a note of the printer.\n\n\"A note of the printer.\"\n";
        let theirs = WordIndex::of(&text(&[theirs]));
        assert_eq!(theirs.passages(note, (1, 6)), [(1, 2), (6, 6)]);
        assert_eq!(theirs.passages(note, (2, 6)), [(6, 6)]);
        assert_eq!(theirs.passages(note, (1, 5)), [(1, 2)]);
        assert_eq!(theirs.passages(&[], (1, 6)), []);
        assert_eq!(words.words_of((2, 2)), [0_u64; 0]);
    }

    proptest! {
        #[test]
        fn any_bodies_of_any_texts_can_be_compared(
            a in "([ab]{1,2}[ \n]){0,80}",
            b in "([ab]{1,2}[ \n]){0,80}",
            ours in (0u32..40, 0u32..40),
            theirs in (0u32..40, 0u32..40),
        ) {
            let (a, b) = (text(&[&a]), text(&[&b]));
            let words = WordIndex::of(&a);
            prop_assert_eq!(words.words.len(), words.lines.len());
            if let Some(moved) = carry((&a, ours), (&b, theirs)) {
                prop_assert!(moved.0 <= moved.1);
            }
            // A long enough body aligns with itself.
            let body = words.words_before(ours.1 + 1).saturating_sub(words.words_before(ours.0));
            if body >= ANCHOR_WORDS {
                prop_assert_eq!(compare((&a, ours), (&a, ours)), [CutAlignment::Aligned; 2]);
            }
        }

        #[test]
        fn cuts_of_an_edition_in_other_lines_are_found_in_it(
            first in 0usize..60,
            last in 240usize..299,
            start in 0u32..20,
            end in 0u32..20,
        ) {
            // Both copies contain the words that are cut away.
            let body = story(0..300);
            let ours = text(&[HEADER, &body, FOOTER]);
            let theirs = text(&["Header\n\n", &reflowed(&body), "Small print\n"]);
            let (first, last) = (first as u32 / 3, last as u32 / 3);
            let cut = (3 * first + 4, 3 * last + 6);
            let wanted = (first + 3, last + 3);
            let known = (start + 3, 102 - end);
            let moved = carry((&ours, cut), (&theirs, known));
            prop_assert_eq!(moved, Some(wanted));
        }
    }
}
