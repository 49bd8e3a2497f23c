//! One book of each kind: the books to decide first in a collection that no profile knows.
//!
//! Two books are of one kind if they share most of the lines near their ends that other books have too. Doubt cannot say
//! which books to decide first, since it knows nothing of such a collection, and a kind of a tenth of the books is absent
//! from a third of all random tens. So the book with the most books of its kind comes first, then that with the most
//! among the others, and so on: the leaders of a density clustering.

use std::collections::{BTreeSet, HashMap};

use crate::frequency::document_frequency::LineForm;

/// Most books that are chosen: about as many decisions teach a collection.
pub(super) const MAX_EXEMPLARS: usize = 10;

/// Most books that are compared with each other, however many there are.
pub(super) const MAX_COMPARED: usize = 600;

/// Rows at each end that are compared.
pub(super) const EDGE_ROWS: usize = 30;

/// Books share a kind if this share of their common lines is in both.
const SAME_KIND: f32 = 0.5;

/// A line is common if at least this share of the books has it.
const COMMON_SHARE: f32 = 0.02;

/// A kind has at least this many books: what one book has alone teaches nothing about others.
const MIN_KIND: usize = 2;

/// The forms of the lines at both ends of a book.
pub(super) type EdgeForms = [Vec<LineForm>; 2];

/// The indices of the books to compare: all, or as many as can be compared at once, chosen by their checksums.
pub(super) fn sample(books: &[(usize, u64)]) -> Vec<usize> {
    let mut books: Vec<(usize, u64)> = books.to_vec();
    books.sort_by_key(|&(book, crc)| (crc, book));
    books.truncate(MAX_COMPARED);
    let mut books: Vec<usize> = books.into_iter().map(|(book, _)| book).collect();
    books.sort_unstable();
    books
}

/// The book with the most books of its kind, for each kind, the largest kind first.
pub(super) fn one_of_each_kind(books: &[EdgeForms]) -> Vec<usize> {
    let sets = common_forms(books);
    let alike = neighbours(&sets);
    let mut left = vec![true; books.len()];
    let mut chosen = Vec::new();
    while chosen.len() < MAX_EXEMPLARS {
        let size = |book: &usize| alike[*book].iter().filter(|&&other| left[other]).count();
        let open = (0..books.len()).filter(|&book| left[book]);
        // The first of equals; of the first kind every book may be the only one.
        let best = open.max_by_key(|book| (size(book), std::cmp::Reverse(*book)));
        let Some(best) = best.filter(|book| chosen.is_empty() || size(book) >= MIN_KIND) else {
            break;
        };
        for &other in &alike[best] {
            left[other] = false;
        }
        left[best] = false;
        chosen.push(best);
    }
    chosen
}

/// The forms of each book that several books have, ascending. A book that has none at an end shares that with others.
fn common_forms(books: &[EdgeForms]) -> Vec<Vec<u64>> {
    let sets = books.iter().map(|ends| {
        ends.each_ref()
            .map(|forms| forms.iter().copied().collect::<BTreeSet<LineForm>>())
    });
    let sets: Vec<[BTreeSet<LineForm>; 2]> = sets.collect();
    let mut counts: HashMap<LineForm, usize> = HashMap::new();
    for form in sets.iter().flatten().flatten() {
        *counts.entry(*form).or_default() += 1;
    }
    let least = ((books.len() as f32 * COMMON_SHARE).ceil() as usize).max(2);
    let common = |ends: &[BTreeSet<LineForm>; 2]| {
        let mut all = Vec::new();
        for (end, forms) in ends.iter().enumerate() {
            let before = all.len();
            let forms = forms.iter().filter(|form| counts[form] >= least);
            all.extend(forms.map(|form| form.number()));
            if all.len() == before {
                all.push(u64::MAX - end as u64);
            }
        }
        all.sort_unstable();
        all
    };
    sets.iter().map(common).collect()
}

/// For each book, the books of its kind, itself among them.
fn neighbours(sets: &[Vec<u64>]) -> Vec<Vec<usize>> {
    let mut alike: Vec<Vec<usize>> = (0..sets.len()).map(|book| vec![book]).collect();
    for (one, ours) in sets.iter().enumerate() {
        for (other, theirs) in sets.iter().enumerate().skip(one + 1) {
            if similarity(ours, theirs) >= SAME_KIND {
                alike[one].push(other);
                alike[other].push(one);
            }
        }
    }
    alike
}

/// The Jaccard similarity of two ascending lists.
fn similarity(ours: &[u64], theirs: &[u64]) -> f32 {
    let (mut at, mut shared) = (0, 0);
    for form in ours {
        while theirs.get(at).is_some_and(|other| other < form) {
            at += 1;
        }
        shared += usize::from(theirs.get(at) == Some(form));
    }
    shared as f32 / (ours.len() + theirs.len() - shared).max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::line::KeyKind;

    /// A book with these lines at its beginning, by number, and a line of its own.
    fn book(own: u32, lines: &[u32]) -> EdgeForms {
        let form = |half: &u32| LineForm::new(KeyKind::Exact, false, *half);
        let lines = lines.iter().chain([&own]);
        [lines.map(form).collect(), Vec::new()]
    }

    #[test]
    fn each_kind_gives_one_book_the_largest_kind_first() {
        // 60 books of one kind, 30 of another, 10 of a third; few have all lines of their kind.
        let books: Vec<EdgeForms> = (0..100)
            .map(|at| match at % 10 {
                0 => book(1000 + at, &[7, 8, 9]),
                1..=3 => book(1000 + at, &[4, 5, 6, 20 + at % 2]),
                _ => book(1000 + at, &[1, 2, 3, 30 + at % 3]),
            })
            .collect();
        let chosen = one_of_each_kind(&books);
        let kinds: Vec<u32> = chosen.iter().map(|&at| at as u32 % 10).collect();
        assert!(kinds[0] > 3 && (1..=3).contains(&kinds[1]), "{chosen:?}");
        assert_eq!(kinds[2..], [0], "{chosen:?}");
        assert_eq!(one_of_each_kind(&books), chosen);
    }

    #[test]
    fn books_without_a_common_line_are_one_kind() {
        let books: Vec<EdgeForms> = (0..30).map(|at| book(1000 + at, &[])).collect();
        assert_eq!(one_of_each_kind(&books), [0]);
        let mut mixed = books;
        mixed.extend((0..20).map(|at| book(2000 + at, &[1, 2, 3])));
        assert_eq!(one_of_each_kind(&mixed), [0, 30]);
    }

    #[test]
    fn one_book_is_a_kind_only_if_nothing_else_is() {
        assert_eq!(one_of_each_kind(&[]), [0; 0]);
        assert_eq!(one_of_each_kind(&[book(1, &[])]), [0]);
        let mut books: Vec<EdgeForms> = (0..9).map(|at| book(100 + at, &[1, 2])).collect();
        books.push(book(200, &[]));
        assert_eq!(one_of_each_kind(&books), [0]);
    }

    #[test]
    fn at_most_ten_books_are_chosen_from_a_bounded_sample() {
        let kinds = (0..100).map(|at| book(1000 + at, &[at % 20, 20 + at % 20]));
        assert_eq!(
            one_of_each_kind(&kinds.collect::<Vec<_>>()).len(),
            MAX_EXEMPLARS
        );
        let many: Vec<(usize, u64)> = (0..5000)
            .map(|at| (at, (at as u64 * 7919) % 5003))
            .collect();
        let chosen = sample(&many);
        assert_eq!(chosen.len(), MAX_COMPARED);
        assert!(chosen.is_sorted() && *chosen.last().unwrap() > 4000);
        assert_eq!(sample(&many[..3]), [0, 1, 2]);
    }
}
