//! Corrupted books: what scanning, proofing and editing make of a text (Vladimir et al., section 3.1), from a seed.
//!
//! There are errors of OCR (inserted spaces and characters, characters taken for one or several others, two taken for one)
//! and sentences that are missing or come from another book. Where the paper is silent:
//!
//! | question | our answer |
//! | --- | --- |
//! | "corruption rate" | errors of OCR for each character of the original, white space included: a rate of 5 % makes five errors in a hundred characters, each of which may touch two. An edit distance would count more |
//! | the "custom discrete distribution" of errors | 30 % inserted spaces (the most common, as the paper says), 30 % characters taken for another one, 15 % for two, 15 % two taken for one, 10 % inserted characters |
//! | which characters | those that look alike (`rn` and `m`, `l` and `1`); where nothing does, another character of the same sentence, as in the paper's example, in which `or` became `t` |
//! | where errors are | anywhere but in white space, each place as likely as any other |
//! | "a certain amount" of sentences | those removed hold the same share of the characters once more: 5 % of errors, and 5 % of the text gone |
//! | inserted sentences | as many as bring the text back to its length, each at a place of its own, from one other book; they have no errors |
//! | order | errors stand in what is left after sentences were removed, as many as the whole text should have |
//! | no other book | no sentence is removed either: the length could not be kept |
//!
//! Nothing here reads a file. No text is too short, and none has to be in a script with letters.

mod letters;
mod sentences;

use crate::experiments::SampleRandom;

/// A text from which corrupted versions are made, and sentences for those of others are taken.
#[derive(Clone, Debug)]
pub struct Original<'a> {
    sentences: Vec<Sentence<'a>>,
    /// Characters (Unicode scalar values).
    characters: usize,
}

#[derive(Clone, Copy, Debug)]
struct Sentence<'a> {
    text: &'a str,
    characters: usize,
}

/// A corrupted version, and what was done to the text. Lengths are in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrupted {
    /// The version.
    pub text: String,
    /// Errors of OCR.
    pub errors: usize,
    /// Length of the removed sentences.
    pub removed: usize,
    /// Length of the inserted sentences.
    pub inserted: usize,
}

impl<'a> Original<'a> {
    /// Takes a text apart.
    pub fn new(text: &'a str) -> Original<'a> {
        let sentences = sentences::of(text).map(|text| Sentence {
            text,
            characters: text.chars().count(),
        });
        let sentences: Vec<Sentence<'a>> = sentences.collect();
        Original {
            characters: sentences.iter().map(|sentence| sentence.characters).sum(),
            sentences,
        }
    }

    /// Its length in characters.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// A version at a corruption rate, 0 to 1, with sentences of another book if there is one. Nothing changes at 0; what
    /// is no share counts as the nearest one.
    pub fn corrupted(
        &self,
        other: Option<&Original<'_>>,
        rate: f64,
        random: &mut SampleRandom,
    ) -> Corrupted {
        // Also what is no number comes out as 0.
        let share = (self.characters as f64 * rate.clamp(0.0, 1.0)).round() as usize;
        let other = other.filter(|other| other.characters > 0);
        let gone = match other {
            Some(_) => self.mark_sentences(share, random),
            None => vec![false; self.sentences.len()],
        };
        let kept = || self.sentences.iter().zip(&gone).filter(|(_, gone)| !**gone);
        let left: usize = kept().map(|(sentence, _)| sentence.characters).sum();
        let places = kept().map(|(sentence, _)| letters::places(sentence.text));
        let mut errors = letters::LetterErrors::new(share, places.sum());
        let mut out = String::new();
        let mut ends = vec![0];
        for (sentence, _) in kept() {
            errors.push(&mut out, sentence.text, random);
            ends.push(out.len());
        }
        let missing = self.characters.saturating_sub(out.chars().count());
        let mut inserted =
            other.map_or(Vec::new(), |other| other.sample_sentences(missing, random));
        let length = inserted.iter().map(|sentence| sentence.characters).sum();
        if !inserted.is_empty() {
            out = interleaved(&out, &ends, &mut inserted, random);
        }
        Corrupted {
            text: out,
            errors: errors.made(),
            removed: self.characters - left,
            inserted: length,
        }
    }

    /// Marks random sentences that have a length together, as nearly as may be.
    fn mark_sentences(&self, length: usize, random: &mut SampleRandom) -> Vec<bool> {
        let mut marked = vec![false; self.sentences.len()];
        let mut order: Vec<usize> = (0..marked.len()).collect();
        random.shuffle(&mut order);
        let mut left = length;
        for at in order {
            let sentence = self.sentences[at].characters;
            // The last one may be too long by no more than it would be missed.
            if sentence <= 2 * left && sentence > 0 {
                marked[at] = true;
                left = left.saturating_sub(sentence);
            }
        }
        marked
    }

    /// Random sentences, one perhaps twice, that have a length together within half a sentence.
    fn sample_sentences(&self, length: usize, random: &mut SampleRandom) -> Vec<Sentence<'a>> {
        let mut chosen = Vec::new();
        let mut left = length;
        // A text of very long sentences has none that fits: after some tries nothing more is inserted.
        let mut tries = 8;
        while left > 0 && tries > 0 && !self.sentences.is_empty() {
            let sentence = self.sentences[random.below(self.sentences.len())];
            if sentence.characters <= 2 * left {
                left = left.saturating_sub(sentence.characters);
                chosen.push(sentence);
            } else {
                tries -= 1;
            }
        }
        chosen
    }
}

/// A text whose parts end at `ends`, the first at zero, with sentences between its parts.
fn interleaved(
    text: &str,
    ends: &[usize],
    sentences: &mut [Sentence<'_>],
    random: &mut SampleRandom,
) -> String {
    let more: usize = sentences.iter().map(|sentence| sentence.text.len()).sum();
    let mut gaps: Vec<usize> = sentences.iter().map(|_| random.below(ends.len())).collect();
    gaps.sort_unstable();
    let mut out = String::with_capacity(text.len() + more);
    let mut start = 0;
    for (gap, sentence) in gaps.into_iter().zip(sentences) {
        out.push_str(&text[start..ends[gap]]);
        out.push_str(sentence.text);
        start = ends[gap];
    }
    out.push_str(&text[start..]);
    out
}

#[cfg(test)]
mod tests;
