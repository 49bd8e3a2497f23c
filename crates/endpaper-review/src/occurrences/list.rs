//! Every occurrence of a line, the most surprising ones first.

use std::cmp::Reverse;

use super::position::{BookSide, LinePosition};
use super::query::{OccurrenceBatch, OccurrenceHit, OccurrenceQuery};
use crate::popup::Picker;
use endpaper_detect::End;
use endpaper_text::wording::{plural, thousands};

/// Maximum number of listed occurrences; all are counted.
pub const MAX_LISTED: usize = 20_000;

/// One occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The line.
    pub hit: OccurrenceHit,
    /// Its position in the book; `None` if it is unknown or hidden.
    pub position: Option<LinePosition>,
}

/// All occurrences of a line.
#[derive(Clone, Debug)]
pub struct OccurrenceList {
    /// The query.
    pub query: OccurrenceQuery,
    /// The line, or its skeleton, for display (not sanitised).
    pub label: String,
    /// The occurrences, with the text by which each is filtered.
    pub picker: Picker<Occurrence>,
    side_counts: [usize; 3],
    /// Number of occurrences in heads and in tails whose position is unknown.
    unplaced: [usize; 2],
    /// Number of books searched.
    pub read: usize,
    /// Number of books.
    pub total: usize,
    /// Number of unreadable books.
    pub unreadable: usize,
    /// Counted lines of both windows of a book; `None` before the first answer.
    pub windows: Option<(u32, u32)>,
    /// All books were searched.
    pub done: bool,
    /// The curator moved on the list or typed a filter, so the chosen row stays chosen.
    pub has_user_choice: bool,
}

impl OccurrenceList {
    /// An empty list for a query in `total` books.
    pub fn new(sought: OccurrenceQuery, what: String, total: usize) -> OccurrenceList {
        OccurrenceList {
            query: sought,
            label: what,
            picker: Picker::new(Vec::new()),
            side_counts: [0; 3],
            unplaced: [0; 2],
            read: 0,
            total,
            unreadable: 0,
            windows: None,
            done: false,
            has_user_choice: false,
        }
    }

    /// Adds results. `tell` returns the text by which a row is filtered and the position of its line.
    pub fn add(
        &mut self,
        batch: &OccurrenceBatch,
        tell: impl Fn(OccurrenceHit) -> (String, Option<LinePosition>),
    ) {
        (self.read, self.unreadable) = (batch.read, batch.unreadable);
        self.windows = Some(batch.windows);
        self.done = batch.done;
        if batch.hits.is_empty() {
            return;
        }
        let chosen = self.kept_choice();
        for &hit in &batch.hits {
            let item = self.count_and_label(hit, &tell);
            self.picker.items.push(item);
        }
        self.arrange(chosen);
    }

    /// Updates all positions after cuts were decided or proposed.
    pub fn refresh_labels(
        &mut self,
        tell: impl Fn(OccurrenceHit) -> (String, Option<LinePosition>),
    ) {
        let chosen = self.kept_choice();
        (self.side_counts, self.unplaced) = ([0; 3], [0; 2]);
        for (_, item) in std::mem::take(&mut self.picker.items) {
            let item = self.count_and_label(item.hit, &tell);
            self.picker.items.push(item);
        }
        self.arrange(chosen);
    }

    /// Whether there are more occurrences than listed.
    pub fn is_truncated(&self) -> bool {
        self.count() > self.picker.items.len()
    }

    /// Counts an occurrence by its part of the book, and returns it with the text of its row; `tell` gives text and position.
    fn count_and_label(
        &mut self,
        hit: OccurrenceHit,
        tell: impl Fn(OccurrenceHit) -> (String, Option<LinePosition>),
    ) -> (String, Occurrence) {
        let (text, place) = tell(hit);
        match place {
            Some(place) => self.side_counts[place.side as usize] += 1,
            None => self.unplaced[hit.end as usize] += 1,
        }
        (
            text,
            Occurrence {
                hit,
                position: place,
            },
        )
    }

    /// The selected occurrence, if the user selected one.
    fn kept_choice(&self) -> Option<OccurrenceHit> {
        let chosen = || self.picker.choice().map(|item| item.hit);
        self.has_user_choice.then(chosen).flatten()
    }

    /// Sorts the rows and keeps `chosen` selected: first the rows in that part of their books (preamble, body or epilogue)
    /// which has the fewest of them; in each part, first those farthest from the cut.
    fn arrange(&mut self, chosen: Option<OccurrenceHit>) {
        let sides = self.side_counts;
        let key = |(_, item): &(String, Occurrence)| {
            let rank = item.position.map_or((usize::MAX, 3), |place| {
                (sides[place.side as usize], place.side as usize)
            });
            let far = item.position.and_then(|place| place.lines).unwrap_or(0);
            (rank, Reverse(far), item.hit.book, item.hit.line)
        };
        self.picker.items.sort_by_key(key);
        self.picker.items.truncate(MAX_LISTED);
        self.apply_filter();
        if let Some(hit) = chosen {
            let shown = self.picker.shown();
            let at = shown.iter().position(|(_, item)| item.hit == hit);
            self.picker.chosen = at.unwrap_or(0);
        }
    }

    /// Applies the filter, once for all users of the result.
    pub fn apply_filter(&mut self) {
        self.picker.found = None;
        if self.picker.filter.trim().is_empty() {
            return;
        }
        let words = self.picker.filter.to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        let holds = |text: &str| {
            let text = text.to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        let items = self.picker.items.iter().enumerate();
        let found = items.filter(|(_, (text, _))| holds(text));
        self.picker.found = Some(found.map(|(at, _)| at).collect());
    }

    /// Number of occurrences.
    pub fn count(&self) -> usize {
        self.side_counts.iter().chain(&self.unplaced).sum()
    }

    /// Number of occurrences of each kind, with its plural and singular name.
    fn counts(&self) -> Vec<(usize, &'static str, &'static str)> {
        let [heads, tails] = self.unplaced;
        let sides = BookSide::ALL.map(|side| {
            let count = self.side_counts[side as usize];
            (count, side.plural(), side.word())
        });
        let placed = self.side_counts != [0; 3] || self.unplaced == [0; 2];
        let ends = [(heads, "heads", "head"), (tails, "tails", "tail")];
        let sides = sides.into_iter().filter(|_| placed);
        sides
            .chain(ends.into_iter().filter(|(count, ..)| *count > 0))
            .collect()
    }

    /// `212 in preambles, 3 in bodies, 0 in epilogues`.
    pub fn title(&self) -> String {
        let words = self.counts().into_iter();
        let words: Vec<String> = words
            .map(|(count, several, _)| format!("{} in {several}", thousands(count)))
            .collect();
        words.join(", ")
    }

    /// `preamble 212 body 3 epilogue 0`, for narrow screens.
    pub fn short_title(&self) -> String {
        let words = self.counts().into_iter();
        let words: Vec<String> = words
            .map(|(count, _, one)| format!("{one} {}", thousands(count)))
            .collect();
        words.join(" ")
    }

    /// Progress and extent of the search, as text.
    pub fn state(&self) -> String {
        let books = |count: usize| format!("{} {}", thousands(count), plural(count, "book"));
        let mut text = match self.done {
            true => books(self.read),
            false => format!("{} of {}", thousands(self.read), books(self.total)),
        };
        match (self.windows, self.query) {
            (Some((head, tail)), OccurrenceQuery::Line(_)) if head == tail => {
                text += &format!(": the first and last {head} counted lines of each");
            }
            (Some((head, tail)), OccurrenceQuery::Line(_)) => {
                text += &format!(": the first {head} and last {tail} counted lines of each");
            }
            (Some(_), OccurrenceQuery::Skeleton(_)) => text += ": the lines near both ends of each",
            (None, _) => {}
        }
        if self.unreadable > 0 {
            text += &format!("; {} cannot be read", thousands(self.unreadable));
        }
        if self.is_truncated() {
            text += &format!("; the first {} are listed", thousands(MAX_LISTED));
        }
        text
    }

    /// Name of the end of a book near which a hit is.
    pub fn end_name(hit: OccurrenceHit) -> &'static str {
        match hit.end {
            End::Start => "head",
            End::End => "tail",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::occurrences::CutBasis;
    use endpaper_detect::Cuts;
    use endpaper_text::line::Key;

    const CUTS: Cuts = Cuts {
        preamble_end: 50,
        epilogue_start: Some(900),
    };

    fn hit(book: usize, line: u32) -> OccurrenceHit {
        let end = if line < 500 { End::Start } else { End::End };
        OccurrenceHit { book, line, end }
    }

    fn tell(hit: OccurrenceHit) -> (String, Option<LinePosition>) {
        let text = format!("book{} {}", hit.book, hit.line);
        (
            text,
            Some(LinePosition::of(hit.line, CUTS, CutBasis::Detected)),
        )
    }

    fn batch(hits: &[OccurrenceHit], read: usize, done: bool) -> OccurrenceBatch {
        OccurrenceBatch {
            epoch: 1,
            hits: hits.to_vec(),
            read,
            unreadable: 0,
            windows: (300, 300),
            done,
        }
    }

    fn rows(list: &OccurrenceList) -> Vec<(usize, u32)> {
        let shown = list.picker.shown().into_iter();
        shown
            .map(|(_, item)| (item.hit.book, item.hit.line))
            .collect()
    }

    #[test]
    fn what_is_rare_comes_first_and_of_that_what_is_far_from_the_cut() {
        let mut list = OccurrenceList::new(OccurrenceQuery::Line(Key(1)), "a line".into(), 9);
        assert_eq!(list.title(), "0 in preambles, 0 in bodies, 0 in epilogues");
        assert_eq!(list.state(), "0 of 9 books");
        list.add(&batch(&[hit(0, 3), hit(0, 60)], 1, false), tell);
        // One in each part: in the order of a book.
        assert_eq!(rows(&list), [(0, 3), (0, 60)]);
        list.add(
            &batch(&[hit(1, 20), hit(2, 30), hit(3, 70), hit(3, 910)], 4, false),
            tell,
        );
        let expected = [(3, 910), (3, 70), (0, 60), (0, 3), (1, 20), (2, 30)];
        assert_eq!(rows(&list), expected);
        assert_eq!(list.title(), "3 in preambles, 2 in bodies, 1 in epilogues");
        assert_eq!(list.short_title(), "preamble 3 body 2 epilogue 1");
        let state = "4 of 9 books: the first and last 300 counted lines of each";
        assert_eq!(list.state(), state);
        list.add(&batch(&[], 9, true), tell);
        let state = "9 books: the first and last 300 counted lines of each";
        assert_eq!(list.state(), state);
    }

    #[test]
    fn the_chosen_row_stays_chosen_while_others_come() {
        let mut list = OccurrenceList::new(OccurrenceQuery::Line(Key(1)), "a line".into(), 9);
        list.add(&batch(&[hit(0, 3), hit(1, 4)], 2, false), tell);
        // The curator has not chosen a row: the first one is shown.
        list.add(&batch(&[hit(2, 1)], 3, false), tell);
        assert_eq!(list.picker.choice().unwrap().hit, hit(2, 1));
        list.picker.step(1);
        list.has_user_choice = true;
        assert_eq!(list.picker.choice().unwrap().hit, hit(0, 3));
        list.add(&batch(&[hit(3, 2), hit(4, 77)], 5, false), tell);
        assert_eq!(list.picker.choice().unwrap().hit, hit(0, 3));
        assert_eq!(list.picker.chosen, 3);
    }

    #[test]
    fn words_are_found_in_what_comes_later_too() {
        let mut list = OccurrenceList::new(OccurrenceQuery::Skeleton(1), "a line".into(), 9);
        list.picker.filter = "BOOK1 4".into();
        list.apply_filter();
        list.add(&batch(&[hit(0, 4), hit(1, 4)], 2, false), tell);
        assert_eq!(rows(&list), [(1, 4)]);
        list.add(&batch(&[hit(1, 940)], 2, true), tell);
        assert_eq!(rows(&list), [(1, 940), (1, 4)]);
        assert_eq!(list.state(), "2 books: the lines near both ends of each");
    }

    #[test]
    fn places_that_are_not_told_are_counted_by_the_end_they_are_near() {
        let mut list = OccurrenceList::new(OccurrenceQuery::Line(Key(1)), "a line".into(), 9);
        let blind = |_: OccurrenceHit| (String::new(), None);
        list.add(&batch(&[hit(0, 3), hit(1, 4), hit(1, 990)], 9, true), blind);
        assert_eq!(list.title(), "2 in heads, 1 in tails");
        let some = |hit: OccurrenceHit| tell(hit).1.filter(|_| hit.book == 0);
        list.refresh_labels(|hit| (String::new(), some(hit)));
        let title = "1 in preambles, 0 in bodies, 0 in epilogues, 1 in heads, 1 in tails";
        assert_eq!(list.title(), title);
        assert_eq!(rows(&list), [(0, 3), (1, 4), (1, 990)]);
    }

    #[test]
    fn more_than_can_be_listed_are_counted() {
        let mut list = OccurrenceList::new(OccurrenceQuery::Line(Key(1)), "a line".into(), 9);
        let many: Vec<OccurrenceHit> = (0..MAX_LISTED + 5).map(|book| hit(book, 3)).collect();
        list.add(&batch(&many, 9, true), tell);
        list.add(&batch(&[hit(1, 60)], 9, true), tell);
        assert_eq!(
            (list.picker.items.len(), list.count()),
            (MAX_LISTED, MAX_LISTED + 6)
        );
        assert_eq!(rows(&list)[0], (1, 60), "the surprising ones are kept");
        assert!(list.state().ends_with("; the first 20,000 are listed"));
    }
}
