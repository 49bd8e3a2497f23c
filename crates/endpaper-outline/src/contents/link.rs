//! Links the entries of a table of contents to the headings in the body.
//!
//! Entries and headings are in the same order, and each entry has its own heading. Of all such links, those with the highest
//! total score are chosen.

use std::collections::HashMap;
use std::ops::Range;

use super::candidates::HeadingCandidate;
use super::reference::ContentsReference;
use crate::heading::HeadingKind;
use crate::numbers::{NumeralForm, roman};

/// Most candidates compared with one entry.
const PER_ENTRY: usize = 64;
/// Most candidates with the same number that are compared.
const SAME_NUMBER: usize = 1000;
/// Shortest beginning of a title that identifies it, in bytes.
const PREFIX: usize = 8;

/// Candidates by number and by title.
pub(super) struct HeadingIndex<'a> {
    candidates: &'a [HeadingCandidate],
    /// Whether the text is that of printed pages, where bare numbers are page numbers, items and much else.
    printed: bool,
    by_number: HashMap<u32, Vec<usize>>,
    /// Titles in sorted order, to find those with a common beginning.
    by_title: Vec<(&'a str, usize)>,
    /// Printed headings with a name before their number, such as `File 28 boats`, by number and title.
    by_named_number: HashMap<(u32, &'a str), Vec<usize>>,
}

impl<'a> HeadingIndex<'a> {
    /// An index of headings by number and by title.
    pub fn new(candidates: &'a [HeadingCandidate], printed: bool) -> HeadingIndex<'a> {
        let mut by_number: HashMap<u32, Vec<usize>> = HashMap::new();
        let mut by_title = Vec::new();
        let mut by_named_number: HashMap<(u32, &str), Vec<usize>> = HashMap::new();
        for (at, candidate) in candidates.iter().enumerate() {
            if let Some(number) = candidate.number {
                by_number.entry(number).or_default().push(at);
            }
            if !candidate.folded.is_empty() {
                by_title.push((candidate.folded.as_str(), at));
            }
            if printed
                && let Some((_, rest)) = candidate.folded.split_once(' ')
                && let Some(key) = numbered_title(rest)
            {
                by_named_number.entry(key).or_default().push(at);
            }
        }
        by_title.sort_unstable();
        HeadingIndex {
            candidates,
            printed,
            by_number,
            by_title,
            by_named_number,
        }
    }

    /// The row of a candidate.
    pub fn row(&self, at: usize) -> usize {
        self.candidates[at].row
    }

    /// Links entries to candidates outside `outside`, which includes the list itself; returns the candidate index of each entry.
    pub fn link(
        &self,
        entries: &[ContentsReference],
        outside: &[Range<usize>],
    ) -> Vec<Option<usize>> {
        // The best chain that ends at or before each candidate.
        let mut best = Fenwick::new(self.candidates.len());
        // For each step: the entry, the candidate, and the previous step.
        let mut steps: Vec<(usize, usize, Option<usize>)> = Vec::new();
        for (entry, reference) in entries.iter().enumerate() {
            let mut matches = self.matches(reference, outside);
            // In descending order, so that no entry is linked twice.
            matches.sort_unstable_by(|a, b| b.cmp(a));
            for (at, score) in matches {
                let (total, before) = best.up_to(at);
                steps.push((entry, at, before));
                best.improve(at, total + score, steps.len() - 1);
            }
        }
        let mut links = vec![None; entries.len()];
        let (_, mut step) = best.up_to(self.candidates.len());
        while let Some((entry, at, before)) = step.and_then(|step| steps.get(step)) {
            links[*entry] = Some(self.number_above(*at, &entries[*entry]));
            step = *before;
        }
        links
    }

    /// If the candidate is the title below a number, returns the number, where the heading begins.
    fn number_above(&self, at: usize, reference: &ContentsReference) -> usize {
        let above = at.checked_sub(1).filter(|&above| {
            let (title, number) = (&self.candidates[at], &self.candidates[above]);
            let same = number.number.is_some() && number.number == reference.number;
            title.number != number.number
                && same
                && number.has_no_title
                && title.row - number.row <= 2
        });
        above.unwrap_or(at)
    }

    /// Candidates for an entry, each once, with their scores.
    fn matches(
        &self,
        reference: &ContentsReference,
        outside: &[Range<usize>],
    ) -> Vec<(usize, u64)> {
        let mut found: Vec<(usize, u64)> = Vec::new();
        let mut add = |at: usize, score: u64| {
            let candidate = &self.candidates[at];
            if score > 0 && !outside.iter().any(|rows| rows.contains(&candidate.row)) {
                found.push((at, score));
            }
        };
        if let Some(number) = reference.number {
            let same = self.by_number.get(&number).into_iter().flatten();
            same.take(SAME_NUMBER)
                .for_each(|&at| add(at, self.number_score(reference, &self.candidates[at])));
            // `3 Utilities` with a single space is no number to the reader of headings.
            let numbered = format!("{number} {}", reference.folded);
            let start = self
                .by_title
                .partition_point(|(other, _)| *other < numbered.as_str());
            let same = self.by_title[start..].iter().take(PER_ENTRY);
            for (other, at) in same.take_while(|(other, _)| other.starts_with(&numbered)) {
                if !reference.folded.is_empty() {
                    add(*at, 8 + u64::from(other.len() == numbered.len()));
                }
            }
        }
        let key = match reference.number {
            Some(number) => Some((number, reference.folded.as_str())),
            None => numbered_title(&reference.folded),
        };
        if let Some(named) = key.and_then(|key| self.by_named_number.get(&key)) {
            named.iter().take(PER_ENTRY).for_each(|&at| add(at, 9));
        }
        if reference.kind == HeadingKind::Matter {
            let first = reference.folded.split(' ').next().unwrap_or_default();
            let start = self.by_title.partition_point(|(other, _)| *other < first);
            let same = self.by_title[start..].iter().take(PER_ENTRY);
            for (_, at) in same.take_while(|(other, _)| other.starts_with(first)) {
                add(
                    *at,
                    if self.candidates[*at].kind == HeadingKind::Matter {
                        2
                    } else {
                        0
                    },
                );
            }
        }
        let title = reference.folded.as_str();
        // The heading of `A Tables` is `Appendix A`, with the title below it.
        if self.printed && reference.number.is_none() && title.as_bytes().get(1) == Some(&b' ') {
            let appendix = format!("appendix {}", &title[..1]);
            let start = self
                .by_title
                .partition_point(|(other, _)| *other < appendix.as_str());
            let same = self.by_title[start..].iter().take(PER_ENTRY);
            for (_, at) in same.take_while(|(other, _)| *other == appendix) {
                add(*at, 6);
            }
        }
        if !title.is_empty() {
            let start = self.by_title.partition_point(|(other, _)| *other < title);
            let longer = self.by_title[start..].iter().take(PER_ENTRY);
            for (other, at) in longer.take_while(|(other, _)| other.starts_with(title)) {
                // A paragraph may begin with the words of a title.
                if self.printed && other.len() > title.len() * 3 / 2 {
                    continue;
                }
                add(
                    *at,
                    title_score(reference, &self.candidates[*at], other.len() == title.len()),
                );
            }
            for (end, _) in title.match_indices(' ').take(24) {
                let shorter = &title[..end];
                if end < PREFIX {
                    continue;
                }
                let start = self.by_title.partition_point(|(other, _)| *other < shorter);
                let same = self.by_title[start..].iter().take(PER_ENTRY);
                for (_, at) in same.take_while(|(other, _)| *other == shorter) {
                    add(*at, title_score(reference, &self.candidates[*at], false));
                }
            }
        }
        found.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
        found.dedup_by_key(|pair| pair.0);
        if found.len() > PER_ENTRY {
            found.sort_by_key(|pair| std::cmp::Reverse(pair.1));
            found.truncate(PER_ENTRY);
        }
        found
    }
}

impl HeadingIndex<'_> {
    /// Scores a candidate with the same number as an entry.
    fn number_score(&self, reference: &ContentsReference, candidate: &HeadingCandidate) -> u64 {
        let bare = candidate.kind == HeadingKind::Numbered
            && candidate.form == Some(NumeralForm::Arabic)
            && !reference.folded.is_empty();
        if self.printed && bare && !titles_share_words(reference, candidate) {
            return 0;
        }
        number_score(reference, candidate)
    }
}

/// Splits the folded `28 boats` or `iv boats` into its number and its title.
fn numbered_title(folded: &str) -> Option<(u32, &str)> {
    let (first, title) = folded.split_once(' ')?;
    let digits = first.len() <= 4 && first.bytes().all(|byte| byte.is_ascii_digit());
    let value = if digits {
        first.parse().ok()
    } else {
        roman(first)
    };
    value.map(|value| (value, title))
}

/// Whether one title begins the other, or they share half of their words.
fn titles_share_words(reference: &ContentsReference, candidate: &HeadingCandidate) -> bool {
    let (a, b) = (reference.folded.as_str(), candidate.folded.as_str());
    let both = !a.is_empty() && !b.is_empty();
    both && (a.starts_with(b) || b.starts_with(a) || shares_words(a, b))
}

/// Scores a candidate with the same number. Scores are added up, so that a few good links outweigh many weak ones.
fn number_score(reference: &ContentsReference, candidate: &HeadingCandidate) -> u64 {
    let titles = match (reference.folded.as_str(), candidate.folded.as_str()) {
        ("", _) | (_, "") => 0,
        (a, b) if a == b => 6,
        _ if titles_share_words(reference, candidate) => 4,
        _ => -4,
    };
    let kinds = match (reference.kind, candidate.kind) {
        (a, b) if a == b => 6,
        (HeadingKind::Numbered, _) | (_, HeadingKind::Numbered) => 5,
        _ => return 0,
    };
    // A bare number in running text is often something else than a heading.
    let sure = if candidate.kind == HeadingKind::Numbered && !candidate.has_no_title {
        -1
    } else {
        0
    };
    u64::try_from(kinds + titles + sure).unwrap_or(0)
}

/// How well the title of an entry fits a heading, 0 if not at all. `whole`: the titles are equal, not one the opening
/// of the other.
fn title_score(reference: &ContentsReference, candidate: &HeadingCandidate, whole: bool) -> u64 {
    let same_kind = reference.kind == candidate.kind;
    if same_kind
        && reference.number.is_some()
        && candidate.number.is_some()
        && reference.number != candidate.number
    {
        return 0;
    }
    let long = reference.folded.len().min(candidate.folded.len());
    let score = match (whole, long) {
        (true, _) => 7,
        (false, PREFIX..) => 4,
        _ => 0,
    };
    let upper = u64::from(candidate.upper);
    if score == 0 { 0 } else { score + upper }
}

/// Whether the longer title contains half of the words of the shorter one.
fn shares_words(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let words: Vec<&str> = long.split(' ').take(40).collect();
    let mine = short.split(' ').take(40).filter(|word| word.len() > 2);
    let (mut all, mut shared) = (0, 0);
    for word in mine {
        all += 1;
        shared += usize::from(words.contains(&word));
    }
    all > 0 && shared * 2 >= all
}

/// A Fenwick tree of the highest total up to each index, with the step that reached it.
struct Fenwick(Vec<(u64, Option<usize>)>);

impl Fenwick {
    /// A tree over `places` positions without totals.
    fn new(places: usize) -> Fenwick {
        Fenwick(vec![(0, None); places + 1])
    }

    /// The best total of all indices below `at`.
    fn up_to(&self, at: usize) -> (u64, Option<usize>) {
        let (mut node, mut best) = (at.min(self.0.len() - 1), (0, None));
        while node > 0 {
            if self.0[node].0 > best.0 {
                best = self.0[node];
            }
            node &= node - 1;
        }
        best
    }

    /// Raises the best total at position `at`, reached by the link `step`.
    fn improve(&mut self, at: usize, total: u64, step: usize) {
        let mut node = at + 1;
        while let Some(best) = self.0.get_mut(node) {
            if total > best.0 {
                *best = (total, Some(step));
            }
            node += node & node.wrapping_neg();
        }
    }
}
