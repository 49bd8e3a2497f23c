//! The percentage from which the n-gram at each offset is frequent, and the text that frequent n-grams cover.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use super::documents::{FoldedDocuments, begins};
use super::grams::{RepeatedGrams, place};
use super::ties::{PercentCuts, Ties};

/// The largest percentage.
pub(super) const ALL: u8 = 100;

/// The level of n-grams that occur once: no percentage includes them.
const NEVER: u8 = u8::MAX;

/// For every byte at which an n-gram begins, the least a for which it is among the top a percent.
///
/// The sets for a, a + 1, ... contain each other, so one byte serves all of them.
pub(super) struct PercentLevels {
    n: u32,
    least: Vec<AtomicU8>,
}

impl PercentLevels {
    /// Levels for a text of `bytes` bytes, without any n-gram yet.
    pub fn new(bytes: usize) -> PercentLevels {
        let mut least = Vec::with_capacity(bytes);
        least.resize_with(bytes, || AtomicU8::new(NEVER));
        PercentLevels { n: 0, least }
    }

    /// Whether it has no levels.
    pub fn is_empty(&self) -> bool {
        self.least.is_empty()
    }

    /// Sets the levels to those of the n-grams of one length.
    pub fn take(&mut self, grams: &RepeatedGrams<'_>, ties: Ties) {
        self.n = grams.n();
        self.least
            .par_iter_mut()
            .with_min_len(1 << 16)
            .for_each(|least| *least.get_mut() = NEVER);
        let (distinct, counts) = grams.count_occurrences();
        let mut cuts = PercentCuts::new(distinct, &counts, ties);
        let divided = cuts.divided();
        if !divided.is_empty() {
            let least = &self.least;
            // The levels are not needed yet: until they are, they say which first occurrences are of a divided count.
            grams.each_group(|group| {
                let of = divided.binary_search_by(|count| (group.len() as u32).cmp(count));
                if let Ok(of) = of {
                    least[place(group[0])].store(of as u8, Ordering::Relaxed);
                }
            });
            let firsts = least.iter().map(|of| of.load(Ordering::Relaxed));
            let firsts = firsts.enumerate().filter(|(_, of)| *of != NEVER);
            cuts.divide(firsts.map(|(offset, of)| (offset, usize::from(of))));
        }
        let least = &self.least;
        grams.each_group(|group| {
            let level = cuts.level(group.len() as u32, place(group[0]));
            for entry in group {
                least[place(*entry)].store(level, Ordering::Relaxed);
            }
        });
    }

    /// Length of the n-grams in characters.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The offsets in the folded text of a document at which an n-gram of the top a percent begins.
    pub fn frequent(
        &self,
        documents: &FoldedDocuments,
        document: usize,
        a: u8,
    ) -> impl Iterator<Item = usize> {
        let least = self.least[documents.span(document)].iter().enumerate();
        let frequent = least.filter(move |(_, least)| least.load(Ordering::Relaxed) <= a);
        frequent.map(|(at, _)| at)
    }

    /// Number of boundaries between useless and useful text in all documents.
    pub fn alternations(&self, documents: &FoldedDocuments, a: u8) -> u64 {
        let all = (0..documents.len()).into_par_iter();
        all.map(|document| self.alternations_in(documents, document, (self.n, a)))
            .sum()
    }

    /// Number of boundaries between useless and useful text in a document whose levels are those of n-grams of length n.
    pub fn alternations_in(
        &self,
        documents: &FoldedDocuments,
        document: usize,
        cut: (u32, u8),
    ) -> u64 {
        let mut runs = 0u64;
        self.range_runs(documents, document, cut, |_, _| runs += 1);
        runs.saturating_sub(1)
    }

    /// Calls `run` for each run of the range string of a document at a cut point (n, a), where n is the length of the
    /// n-grams that its levels are of: whether it is useless, and its range in the folded text.
    pub fn range_runs(
        &self,
        documents: &FoldedDocuments,
        document: usize,
        (n, a): (u32, u8),
        run: impl FnMut(bool, Range<usize>),
    ) {
        let span = documents.span(document);
        let (text, least) = (&documents.text()[span.clone()], &self.least[span]);
        match documents.is_ascii(document) {
            true => byte_runs(least, n as usize, a, run),
            false => char_runs(text, least, n, a, run),
        }
    }

    /// Copies the levels of a document from those of the same text elsewhere.
    pub fn copy(&mut self, to: Range<usize>, of: &PercentLevels, from: Range<usize>) {
        for (to, from) in self.least[to].iter_mut().zip(&of.least[from]) {
            *to.get_mut() = from.load(Ordering::Relaxed);
        }
    }
}

/// [`PercentLevels::range_runs`] for text in which every character is one byte: searches from one frequent n-gram to the next.
fn byte_runs(least: &[AtomicU8], n: usize, a: u8, mut run: impl FnMut(bool, Range<usize>)) {
    let is_frequent = |least: &AtomicU8| least.load(Ordering::Relaxed) <= a;
    let mut done = 0;
    while let Some(at) = least[done..].iter().position(is_frequent) {
        let start = done + at;
        let (mut last, mut end) = (start, least.len().min(start + n));
        // A frequent n-gram that begins where the last one ends continues the run.
        while let Some(more) = least[last + 1..least.len().min(end + 1)]
            .iter()
            .rposition(is_frequent)
        {
            last += 1 + more;
            end = least.len().min(last + n);
        }
        if start > done {
            run(false, done..start);
        }
        run(true, start..end);
        done = end;
    }
    if done < least.len() {
        run(false, done..least.len());
    }
}

/// [`PercentLevels::range_runs`] for any text.
fn char_runs(
    text: &[u8],
    least: &[AtomicU8],
    n: u32,
    a: u8,
    mut run: impl FnMut(bool, Range<usize>),
) {
    // Characters that are still covered, and the start and kind of the current run.
    let (mut left, mut begun, mut useless) = (0, 0, false);
    for (at, (byte, least)) in text.iter().zip(least).enumerate() {
        if !begins(*byte) {
            continue;
        }
        if least.load(Ordering::Relaxed) <= a {
            left = n;
        }
        if (left > 0) != useless {
            if at > 0 {
                run(useless, begun..at);
            }
            (begun, useless) = (at, left > 0);
        }
        left = left.saturating_sub(1);
    }
    if !text.is_empty() {
        run(useless, begun..text.len());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Levels at which exactly these strings of one length are frequent.
    fn given(documents: &FoldedDocuments, frequent: &[&str]) -> PercentLevels {
        let mut levels = PercentLevels::new(documents.text().len());
        levels.n = frequent[0].chars().count() as u32;
        for word in frequent {
            let text = documents.text();
            for at in (0..text.len()).filter(|at| text[*at..].starts_with(word.as_bytes())) {
                *levels.least[at].get_mut() = 1;
            }
        }
        levels
    }

    fn range_string(documents: &FoldedDocuments, levels: &PercentLevels) -> String {
        let text = documents.folded(0);
        let mut string = String::new();
        levels.range_runs(documents, 0, (levels.n, 1), |useless, range| {
            let letter = if useless { "0" } else { "1" };
            string += &letter.repeat(text[range].chars().count());
        });
        string
    }

    proptest! {
        #[test]
        fn runs_of_bytes_are_those_of_characters(
            frequent in prop::collection::vec(prop::bool::weighted(0.2), 0..60),
            n in 1..12u32,
        ) {
            let level = |frequent: &bool| AtomicU8::new(if *frequent { 1 } else { NEVER });
            let least: Vec<AtomicU8> = frequent.iter().map(level).collect();
            let (mut bytes, mut chars) = (Vec::new(), Vec::new());
            byte_runs(&least, n as usize, 1, |useless, range| bytes.push((useless, range)));
            let text = vec![b'x'; least.len()];
            char_runs(&text, &least, n, 1, |useless, range| chars.push((useless, range)));
            prop_assert_eq!(bytes, chars);
        }
    }

    #[test]
    fn the_example_of_the_paper() {
        let mut documents = FoldedDocuments::default();
        documents.push(b"accbaacbc").unwrap();
        let levels = given(&documents, &["cb", "ba"]);
        assert_eq!(range_string(&documents, &levels), "110001001");
        assert_eq!(levels.alternations(&documents, 1), 4);
    }

    #[test]
    fn characters_are_counted_and_not_their_bytes() {
        let mut documents = FoldedDocuments::default();
        documents
            .push("\u{65e5}\u{672c}\u{8a9e}x\u{e9}y".as_bytes())
            .unwrap();
        let levels = given(&documents, &["\u{672c}\u{8a9e}", "\u{e9}y"]);
        assert_eq!(range_string(&documents, &levels), "100100");
    }
}
