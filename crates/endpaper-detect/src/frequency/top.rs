//! The most frequent lines of a model (Kaser & Lemire, figure 4).

use std::cmp::Reverse;

use super::{CountedEnds, Counts, Model};
use endpaper_text::line::Key;

/// One of the most frequent lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopLine<'a> {
    /// How often it occurs.
    pub count: u64,
    /// The counter is full: the line occurs this often or more.
    pub full: bool,
    /// Its key.
    pub key: Key,
    /// Its text as it was counted, if known.
    pub text: Option<&'a str>,
}

impl Model {
    /// The `most` most frequent lines of each set of counts, most frequent first.
    ///
    /// Shared counters do not store keys: for them, the lines with known texts are ranked.
    pub fn top(&self, most: usize) -> Vec<(CountedEnds, Vec<TopLine<'_>>)> {
        let sets = self.frequencies.sets();
        sets.map(|(ends, counts)| (ends, self.top_of(counts, most)))
            .collect()
    }

    /// The `most` most frequent lines of one of the counts.
    fn top_of(&self, counts: &Counts, most: usize) -> Vec<TopLine<'_>> {
        let mut lines: Vec<(Reverse<u64>, Key)> = if counts.keys().is_empty() {
            let known = self.line_texts.keys();
            let known = known.map(|key| (Reverse(counts.frequency(key)), key));
            known.filter(|line| line.0.0 > 0).collect()
        } else {
            let all = counts.iter();
            all.map(|(key, count)| (Reverse(count), key)).collect()
        };
        if lines.len() > most {
            lines.select_nth_unstable(most);
            lines.truncate(most);
        }
        lines.sort_unstable();
        let lines = lines.into_iter().map(|(Reverse(count), key)| TopLine {
            count,
            full: counts.bounds(key).at_most == u64::MAX,
            key,
            text: self.line_texts.get(key),
        });
        lines.collect()
    }
}
