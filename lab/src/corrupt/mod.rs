//! Corrupted books: simulates what scanning, proofreading and editing do to a text (Vladimir et al., section 3.1), from a seed.
//!
//! Corruption consists of OCR errors (inserted spaces and characters, characters replaced by one or two others, two characters merged into one) and
//! of sentences that are removed or come from another book. Where the paper is silent:
//!
//! | question | our answer |
//! | --- | --- |
//! | "corruption rate" | OCR errors per character of the original, white space included: 5 % makes five errors per hundred characters, each of which may affect two. An edit distance would be larger |
//! | the "custom discrete distribution" of errors | 30 % inserted spaces (the most common, as in the paper), 30 % characters replaced by another, 15 % by two, 15 % merged pairs, 10 % inserted characters |
//! | which characters | those that look alike (`rn` and `m`, `l` and `1`); otherwise another character of the same sentence, as in the paper's example, in which `or` became `t` |
//! | where errors are | anywhere but in white space, each position equally likely |
//! | "a certain amount" of sentences | the same share of characters again: 5 % of errors, and 5 % of the text removed |
//! | inserted sentences | as many as restore the original length, each at a separate position, all from one other book; they have no errors |
//! | order | sentences are removed first; the remaining text gets the number of errors due to the whole text |
//! | no other book | no sentences are removed either, since the length could not be kept |
//!
//! This module reads no files. It accepts texts of any length and in any script.

mod letters;
mod sentences;

use crate::experiments::SampleRandom;

/// A text to make corrupted versions of, or to take sentences from for other texts.
#[derive(Clone, Debug)]
pub struct Original<'a> {
    sentences: Vec<Sentence<'a>>,
    /// Length in characters (Unicode scalar values).
    characters: usize,
}

/// A sentence of a text, with its length in characters.
#[derive(Clone, Copy, Debug)]
struct Sentence<'a> {
    text: &'a str,
    characters: usize,
}

/// A corrupted version, with a summary of the changes. Lengths are in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrupted {
    /// The corrupted text.
    pub text: String,
    /// Number of OCR errors.
    pub errors: usize,
    /// Length of the removed sentences.
    pub removed: usize,
    /// Length of the inserted sentences.
    pub inserted: usize,
}

impl<'a> Original<'a> {
    /// Splits a text into sentences.
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

    /// Length in characters.
    pub fn characters(&self) -> usize {
        self.characters
    }

    /// Returns a version at a corruption rate from 0 to 1, with sentences of another book if there is one.
    ///
    /// A rate of 0 changes nothing; a rate out of range is clamped.
    pub fn corrupted(
        &self,
        other: Option<&Original<'_>>,
        rate: f64,
        random: &mut SampleRandom,
    ) -> Corrupted {
        // NaN becomes 0 here.
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

    /// Marks random sentences whose total length is as close to `length` as possible.
    fn mark_sentences(&self, length: usize, random: &mut SampleRandom) -> Vec<bool> {
        let mut marked = vec![false; self.sentences.len()];
        let mut order: Vec<usize> = (0..marked.len()).collect();
        random.shuffle(&mut order);
        let mut left = length;
        for at in order {
            let sentence = self.sentences[at].characters;
            // The last sentence may overshoot by no more than omitting it would undershoot.
            if sentence <= 2 * left && sentence > 0 {
                marked[at] = true;
                left = left.saturating_sub(sentence);
            }
        }
        marked
    }

    /// Returns random sentences, possibly with repetitions, with a total length within half a sentence of `length`.
    fn sample_sentences(&self, length: usize, random: &mut SampleRandom) -> Vec<Sentence<'a>> {
        let mut chosen = Vec::new();
        let mut left = length;
        // In a text of very long sentences none may fit, so the number of tries is limited.
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

/// Inserts sentences between the parts of a text; the parts end at `ends`, the first of which is zero.
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
