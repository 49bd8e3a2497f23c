use std::collections::{BTreeMap, BTreeSet};

use super::super::coding::{ByteReader, put_u64};
use super::*;
use proptest::prelude::*;

/// A book: producer, author, halves of the keys of its forms.
type FormBook = (Option<u8>, Option<u8>, Vec<u32>);

fn books(most: usize) -> impl Strategy<Value = Vec<FormBook>> {
    let names = || proptest::option::of(0..80u8);
    let half = prop_oneof![0..4u32, any::<u32>().prop_map(|half| half >> 20 << 20)];
    let halves = proptest::collection::vec(half, 0..8);
    proptest::collection::vec((names(), names(), halves), 0..most)
}

fn form(half: u32) -> LineForm {
    let kinds = [KeyKind::Exact, KeyKind::Skeleton, KeyKind::Opening];
    LineForm::new(kinds[half as usize % 3], half.is_multiple_of(2), half)
}

/// The result of `threads` builders that take turns.
fn counted(books: &[FormBook], threads: usize) -> DocumentFrequencies {
    counted_within(usize::MAX, books, threads)
}

/// The result of builders that keep few notes in memory.
fn counted_within(notes: usize, books: &[FormBook], threads: usize) -> DocumentFrequencies {
    let builders = (0..threads).map(|_| DocumentFrequencyBuilder::with_most_notes(notes));
    let mut builders: Vec<DocumentFrequencyBuilder> = builders.collect();
    for (at, (producer, author, halves)) in books.iter().enumerate() {
        let name = |name: Option<u8>| name.map(|name| format!("First Last{name:03}"));
        let (producer, author) = (name(*producer), name(*author));
        let forms = halves.iter().map(|&half| form(half));
        builders[at % threads].add(producer.as_deref(), author.as_deref(), forms);
    }
    DocumentFrequencyBuilder::finish(builders).unwrap()
}

fn slowly(books: &[FormBook]) -> Vec<(LineForm, DocumentFrequency)> {
    let mut all: BTreeMap<LineForm, Vec<&FormBook>> = BTreeMap::new();
    for book in books {
        let forms: BTreeSet<LineForm> = book.2.iter().map(|&half| form(half)).collect();
        for form in forms {
            all.entry(form).or_default().push(book);
        }
    }
    let wide = all.into_iter().filter(|(_, books)| books.len() > 1);
    wide.map(|(form, books)| {
        let different = |name: fn(&&FormBook) -> Option<u8>| {
            let names: BTreeSet<Option<u8>> = books.iter().map(name).collect();
            (names.len() as u32).min(MOST_NAMES)
        };
        let document_frequency = DocumentFrequency {
            books: books.len() as u32,
            producers: different(|book| book.0),
            authors: different(|book| book.1),
        };
        (form, document_frequency)
    })
    .collect()
}

fn document_frequencies() -> impl Strategy<Value = DocumentFrequencies> {
    (books(60), 1..4usize).prop_map(|(books, threads)| counted(&books, threads))
}

proptest! {
    #[test]
    fn document_frequencies_are_those_of_counting_slowly(books in books(300), threads in 1..4usize) {
        let document_frequencies = counted(&books, threads);
        let slow = slowly(&books);
        for notes in [1, 7, 50] {
            prop_assert_eq!(&counted_within(notes, &books, threads), &document_frequencies, "{} notes in memory", notes);
        }
        prop_assert_eq!(document_frequencies.books(), books.len() as u64);
        prop_assert_eq!(document_frequencies.iter().collect::<Vec<_>>(), slow.clone());
        for (form, document_frequency) in slow {
            prop_assert_eq!(document_frequencies.get(form), document_frequency);
            prop_assert_eq!(document_frequencies.get_all([form].into_iter()), [document_frequency]);
        }
        for half in books.iter().flat_map(|book| &book.2) {
            let other = form(half ^ 1 << 19);
            prop_assert_eq!(document_frequencies.get(other), SINGLE_BOOK);
        }
    }

    #[test]
    fn document_frequencies_survive_their_bytes(document_frequencies in document_frequencies()) {
        let mut bytes = Vec::new();
        document_frequencies.put(&mut bytes);
        bytes.push(9);
        let mut reader = ByteReader::new(&bytes);
        prop_assert_eq!(DocumentFrequencies::take(&mut reader).unwrap(), document_frequencies);
        prop_assert_eq!(reader.left(), 1);
    }

    #[test]
    fn changed_bytes_are_an_error_or_other_document_frequencies(
        document_frequencies in document_frequencies(), at in any::<proptest::sample::Index>(), to in any::<u8>(),
    ) {
        let mut bytes = Vec::new();
        document_frequencies.put(&mut bytes);
        let at = at.index(bytes.len());
        prop_assert!(DocumentFrequencies::take(&mut ByteReader::new(&bytes[..at])).is_err());
        bytes[at] = to;
        if let Ok(other) = DocumentFrequencies::take(&mut ByteReader::new(&bytes)) {
            let mut again = Vec::new();
            other.put(&mut again);
            prop_assert_eq!(DocumentFrequencies::take(&mut ByteReader::new(&again)).unwrap(), other);
        }
    }

    #[test]
    fn a_sum_holds_what_both_hold(a in document_frequencies(), b in document_frequencies()) {
        let sum = a.sum(&b);
        prop_assert_eq!(sum.books(), a.books() + b.books());
        let forms: BTreeSet<LineForm> = a.iter().chain(b.iter()).map(|form| form.0).collect();
        prop_assert_eq!(sum.iter().map(|form| form.0).collect::<BTreeSet<_>>(), forms.clone());
        for form in forms {
            let (ours, theirs) = (a.get(form), b.get(form));
            // A form of a single book of a corpus is not stored there.
            let known = |document_frequency: DocumentFrequency| if document_frequency.books > 1 { document_frequency } else { DocumentFrequency { books: 0, producers: 0, authors: 0 } };
            let (ours, theirs) = (known(ours), known(theirs));
            let both = DocumentFrequency {
                books: ours.books + theirs.books,
                producers: (ours.producers + theirs.producers).min(MOST_NAMES),
                authors: (ours.authors + theirs.authors).min(MOST_NAMES),
            };
            prop_assert_eq!(sum.get(form), both);
        }
    }

    #[test]
    fn pruned_and_scaled_spreads_are_found_too(document_frequencies in document_frequencies(), below in 0..9u64, to in 1..900u64) {
        let pruned = document_frequencies.pruned(below);
        let scaled = document_frequencies.scaled(30, to);
        for (form, document_frequency) in document_frequencies.iter() {
            let kept = u64::from(document_frequency.books) >= below;
            prop_assert_eq!(pruned.get(form), if kept { document_frequency } else { SINGLE_BOOK });
            let books = (u64::from(document_frequency.books) * to).div_ceil(30).max(2) as u32;
            prop_assert_eq!(scaled.get(form), DocumentFrequency { books, ..document_frequency });
        }
        prop_assert!(pruned.len() <= document_frequencies.len());
        prop_assert_eq!(scaled.len(), document_frequencies.len());
    }
}

#[test]
fn names_are_told_apart_by_their_last_words() {
    let mut builder = DocumentFrequencyBuilder::default();
    let producers = [
        "David Widger",
        "D. WIDGER",
        "widger <dw@example.org>",
        "Al Haines",
    ];
    for producer in producers {
        builder.add(Some(producer), None, [form(1)].into_iter());
    }
    let document_frequency = DocumentFrequencyBuilder::finish(vec![builder])
        .unwrap()
        .get(form(1));
    // An address after the name is taken for another name.
    assert_eq!(
        (
            document_frequency.books,
            document_frequency.producers,
            document_frequency.authors
        ),
        (4, 3, 1)
    );
}

#[test]
fn impossible_lengths_are_refused_before_memory_is_taken() {
    let mut bytes = Vec::new();
    put_u64(&mut bytes, 1);
    put_u64(&mut bytes, u64::MAX);
    bytes.extend([1; 100]);
    assert!(DocumentFrequencies::take(&mut ByteReader::new(&bytes)).is_err());
}
