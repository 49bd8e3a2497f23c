//! The review queue: which books come up, and in which order.

pub use super::filter::QueueFilter;
use std::collections::{HashMap, HashSet};

use super::cold_start;
use super::entry::{QueueEntry, ReviewStatus};
use super::terms::QueueTerms;
use endpaper_text::named_enum;

/// Orders of the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueOrder {
    /// Most doubtful first, near copies next to each other.
    #[default]
    Doubt,
    /// By template, the one with most books first; within a template by doubt.
    Template,
    /// By the producer of the file.
    Producer,
    /// By id.
    Name,
    /// Shuffled, always the same way.
    Random,
}

named_enum!(QueueOrder, "order", {
    Doubt => "doubt",
    Template => "template",
    Producer => "producer",
    Name => "name",
    Random => "random",
});

named_enum!(QueueFilter, "filter", {
    All => "all",
    Undecided => "undecided",
    Draft => "draft",
    Decided => "decided",
    Confirmed => "confirmed",
    Corrected => "corrected",
    Hard => "hard",
    Unusual => "unusual",
    Copies => "copies",
    OpinionsDiffer => "opinions-differ",
    Unreadable => "unreadable",
});

/// The queue: indices of books, in order.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    /// Indices into the entries, in the order they come up.
    pub books: Vec<usize>,
    /// The requested order; see [`Queue::active_order`].
    pub order: QueueOrder,
    /// Only the names of the books are known yet.
    pub has_only_names: bool,
    /// The current filter.
    pub filter: QueueFilter,
    /// The sample under review: only its books come up, in the order drawn.
    pub sample: Option<Vec<usize>>,
    /// The terms typed to narrow the queue further.
    pub terms: QueueTerms,
}

impl Queue {
    /// Filters and sorts all books again.
    pub fn arrange(&mut self, entries: &[QueueEntry]) {
        let mut books: Vec<usize> = match &self.sample {
            Some(sample) => sample.clone(),
            None => (0..entries.len()).collect(),
        };
        books.retain(|&i| {
            let entry = entries.get(i);
            entry.is_some_and(|entry| self.filter.passes(entry))
        });
        self.terms.keep(entries, &mut books);
        self.sort(&mut books, entries);
        self.books = books;
    }

    /// Sorts the books after the first `held` again, which keep their positions. Does nothing in template order, so that books
    /// of one template stay together while they are decided.
    pub fn arrange_behind(&mut self, held: usize, entries: &[QueueEntry]) {
        if self.order == QueueOrder::Template {
            return;
        }
        let mut behind = self.books.split_off(held.min(self.books.len()));
        self.sort(&mut behind, entries);
        self.books.append(&mut behind);
    }

    /// Moves `books` directly before `book`, in this order; to the front if `book` is not in the queue.
    pub fn put_before(&mut self, book: usize, books: &[usize]) {
        let moved: HashSet<usize> = books.iter().copied().collect();
        let at = self.position(book).unwrap_or(0);
        let before = self.books[..at].iter();
        let at = before.filter(|other| !moved.contains(other)).count();
        self.books.retain(|other| !moved.contains(other));
        self.books.splice(at..at, books.iter().copied());
    }

    /// The order in use: by id while only names are known, for orders that need more.
    pub fn active_order(&self) -> QueueOrder {
        match self.order {
            QueueOrder::Doubt | QueueOrder::Template | QueueOrder::Producer
                if self.has_only_names =>
            {
                QueueOrder::Name
            }
            order => order,
        }
    }

    /// Moves the visited books `gone` to the front, then `next`; the others follow in their order. Books that are not in the
    /// queue are left out.
    pub fn keep_in_place(&mut self, gone: &[usize], next: &[usize]) {
        let shown: HashSet<usize> = self.books.iter().copied().collect();
        let mut taken = HashSet::new();
        let all = gone.iter().chain(next).chain(&self.books).copied();
        let books = all.filter(|&book| shown.contains(&book) && taken.insert(book));
        self.books = books.collect();
    }

    /// Sorts books by the chosen order. A sample keeps its order.
    fn sort(&self, books: &mut [usize], entries: &[QueueEntry]) {
        if self.sample.is_some() {
            return;
        }
        let doubt = |i: usize| entries[i].doubt.unwrap_or(-1.0);
        let by_doubt = |&a: &usize, &b: &usize| doubt(b).total_cmp(&doubt(a)).then(a.cmp(&b));
        match self.active_order() {
            QueueOrder::Name => books.sort_unstable(),
            QueueOrder::Doubt => {
                // Near copies are adjacent, at the position of the most doubtful of them.
                let mut most: HashMap<u32, f32> = HashMap::new();
                for &book in books.iter() {
                    let most = most.entry(entries[book].copies.cluster).or_insert(-1.0);
                    *most = most.max(doubt(book));
                }
                // Where doubt knows nothing yet, one book of each kind leads.
                let leads = cold_start::decided_so_far(entries).is_some();
                let rank = |book: usize| match entries[book].exemplar {
                    rank if leads && rank > 0 => rank,
                    _ => u32::MAX,
                };
                let group = |book: usize| match entries[book].copies.cluster {
                    0 => (doubt(book), 0),
                    cluster => (most[&cluster], cluster),
                };
                books.sort_by(|a, b| {
                    let (ours, theirs) = (group(*a), group(*b));
                    let groups = theirs.0.total_cmp(&ours.0).then(ours.1.cmp(&theirs.1));
                    let ranks = rank(*a).cmp(&rank(*b));
                    ranks.then(groups).then_with(|| by_doubt(a, b))
                });
            }
            QueueOrder::Template => books.sort_by(|a, b| {
                // Files without a template come last.
                let rank = |i: usize| (entries[i].template_rank == 0, entries[i].template_rank);
                rank(*a).cmp(&rank(*b)).then_with(|| by_doubt(a, b))
            }),
            QueueOrder::Producer => books.sort_by(|a, b| {
                // Files without a known producer come last.
                let hand =
                    |i: usize| (entries[i].producer.is_empty(), entries[i].producer.as_str());
                hand(*a).cmp(&hand(*b)).then_with(|| by_doubt(a, b))
            }),
            // A hash of the id shuffles the same way each time and on each machine.
            QueueOrder::Random => {
                books.sort_by_cached_key(|&i| endpaper_text::line::Key::of(entries[i].id()))
            }
        }
    }

    /// The order in words: `by doubt`, `as drawn`, or `by name so far` while the corpus is still read.
    pub fn order_words(&self) -> String {
        match (&self.sample, self.active_order()) {
            (Some(_), _) => "as drawn".to_owned(),
            (None, order) if order != self.order => format!("by {order} so far"),
            (None, order) => format!("by {order}"),
        }
    }

    /// Describes which books are shown: the filter and the terms.
    pub fn what(&self) -> String {
        match (self.filter, self.terms.typed.as_str()) {
            (filter, "") => filter.to_string(),
            (QueueFilter::All, typed) => typed.to_owned(),
            (filter, typed) => format!("{filter}, {typed}"),
        }
    }

    /// Whether the queue hides books of the corpus by filter or terms.
    pub fn is_narrowed(&self) -> bool {
        self.filter != QueueFilter::All || !self.terms.is_empty()
    }

    /// Index of a book in the queue.
    pub fn position(&self, book: usize) -> Option<usize> {
        self.books.iter().position(|&other| other == book)
    }

    /// Returns the book `step` positions after `book` (wrapping), or the first if it is not in the queue.
    pub fn step(&self, book: usize, step: isize) -> Option<usize> {
        let count = self.books.len();
        if count == 0 {
            return None;
        }
        let Some(at) = self.position(book) else {
            return self.books.first().copied();
        };
        Some(self.books[(at as isize + step).rem_euclid(count as isize) as usize])
    }

    /// Returns the next book after `book` (wrapping) for which `holds` is true.
    pub fn next_where(&self, book: usize, holds: impl Fn(usize) -> bool) -> Option<usize> {
        let count = self.books.len();
        let start = self.position(book).map_or(0, |at| at + 1);
        (0..count)
            .map(|i| self.books[(start + i) % count])
            .find(|&book| holds(book))
    }

    /// Returns the next book after `book` (wrapping) that has no verdict and can be decided.
    pub fn next_to_decide(&self, book: usize, entries: &[QueueEntry]) -> Option<usize> {
        self.next_where(book, |i| i != book && is_decidable(&entries[i]))
    }

    /// Whether a book is in the queue, has no verdict and can be decided.
    pub fn needs_decision(&self, book: usize, entries: &[QueueEntry]) -> bool {
        self.position(book).is_some() && entries.get(book).is_some_and(is_decidable)
    }
}

/// Whether a book still needs a verdict.
fn is_decidable(entry: &QueueEntry) -> bool {
    matches!(
        entry.status,
        ReviewStatus::Undecided | ReviewStatus::Draft | ReviewStatus::Recorded
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::BookCopies;

    #[test]
    fn templates_come_by_size_and_files_without_one_last() {
        let entry = |(template_rank, doubt)| QueueEntry {
            template_rank,
            doubt: Some(doubt),
            ..QueueEntry::default()
        };
        let entries = [(2, 0.1), (0, 0.9), (1, 0.2), (2, 0.5)].map(entry);
        let mut queue = Queue {
            order: QueueOrder::Template,
            ..Queue::default()
        };
        queue.arrange(&entries);
        assert_eq!(queue.books, [2, 3, 0, 1]);
    }

    #[test]
    fn copies_come_one_after_another() {
        let entry = |(doubt, cluster)| QueueEntry {
            doubt: Some(doubt),
            copies: BookCopies {
                cluster,
                is_cut_differently: false,
            },
            ..QueueEntry::default()
        };
        let books = [
            (0.1, 7),
            (0.6, 0),
            (0.3, 7),
            (0.2, 0),
            (0.3, 0),
            (0.3, 2),
            (0.5, 2),
            (0.2, 7),
        ];
        let entries = books.map(entry);
        let mut queue = Queue::default();
        queue.arrange(&entries);
        assert_eq!(queue.books, [1, 6, 5, 4, 2, 7, 0, 3]);
        queue.filter = QueueFilter::Copies;
        queue.arrange(&entries);
        assert_eq!(queue.books, [6, 5, 2, 7, 0]);
    }

    #[test]
    fn one_book_of_each_kind_leads_until_ten_books_are_decided() {
        let entry = |at: usize| QueueEntry {
            doubt: Some(at as f32 / 20.0),
            exemplar: [0, 2, 0, 1][at % 4] * u32::from(at < 4),
            ..QueueEntry::default()
        };
        let mut entries: Vec<QueueEntry> = (0..20).map(entry).collect();
        let mut queue = Queue::default();
        queue.arrange(&entries);
        assert_eq!(queue.books[..4], [3, 1, 19, 18]);
        // A book is not moved once it is among those that stay.
        queue.arrange_behind(3, &entries);
        assert_eq!(queue.books[..4], [3, 1, 19, 18]);
        let decided = ReviewStatus::Decided(endpaper_truth::Verdict::Confirmed);
        for entry in &mut entries[6..15] {
            entry.status = decided;
        }
        queue.arrange(&entries);
        assert_eq!(queue.books[..3], [3, 1, 19]);
        // A record that is not read yet counts.
        entries[15].status = ReviewStatus::Recorded;
        queue.arrange(&entries);
        assert_eq!(queue.books[..3], [19, 18, 17]);
        queue.order = QueueOrder::Name;
        queue.arrange(&entries);
        assert_eq!(queue.books[..3], [0, 1, 2]);
    }

    #[test]
    fn contested_books_can_be_had_alone() {
        let entry = |(doubt, contested)| QueueEntry {
            doubt: Some(doubt),
            is_contested: contested,
            ..QueueEntry::default()
        };
        let entries = [(0.1, false), (0.0, true), (0.3, false), (0.9, true)].map(entry);
        let mut queue = Queue {
            filter: QueueFilter::OpinionsDiffer,
            ..Queue::default()
        };
        queue.arrange(&entries);
        assert_eq!(queue.books, [3, 1]);
    }

    #[test]
    fn books_are_put_before_another_one_which_may_be_among_them() {
        let table: [(&[usize], &[usize]); 5] = [
            // Before book 2; the expected order.
            (&[4, 3], &[0, 1, 4, 3, 2]),
            (&[0, 4], &[1, 0, 4, 2, 3]),
            (&[2, 4], &[0, 1, 2, 4, 3]),
            (&[4, 2, 0], &[1, 4, 2, 0, 3]),
            (&[], &[0, 1, 2, 3, 4]),
        ];
        for (books, expected) in table {
            let mut queue = Queue {
                books: (0..5).collect(),
                ..Queue::default()
            };
            queue.put_before(2, books);
            assert_eq!(queue.books, expected, "{books:?}");
            // A book that the filter hides has no position: the others go to the front.
            queue.books.retain(|&book| book != 2);
            queue.put_before(2, &[4]);
            assert_eq!(queue.books.first(), Some(&4));
        }
    }
}
