//! Clusters of near copies: which books are joined, which contradict each other, and what is cached.

use super::*;

/// A book of 300 lines without a phrase in common with any other, with `width` words per line.
fn story(seed: usize, width: usize) -> String {
    let words = (0..2400).map(|at| format!("w{:x}", (seed * 2400 + at) * 7919 % 1_000_003));
    let words: Vec<String> = words.collect();
    let lines = words.chunks(width).map(|line| line.join(" ") + "\n");
    lines.collect()
}

/// A book, the same with other line breaks, the book again, another one, two without text, and one that disappears.
fn corpus() -> TestCorpus {
    let corpus = TestCorpus::of(0);
    let licence = text(0, 0);
    for (number, body) in [
        story(0, 8),
        story(0, 12),
        story(0, 8),
        story(1, 8),
        String::new(),
        String::new(),
        story(2, 8),
    ]
    .into_iter()
    .enumerate()
    {
        corpus.write(number, &format!("{licence}{body}"));
    }
    corpus
}

/// The analysis, with all books cut after the licence.
fn surveyed(corpus: &TestCorpus) -> Vec<BookReport> {
    let mut books = corpus.survey(&corpus.options()).books;
    for book in &mut books {
        book.summary.detection.cuts = crate::Cuts {
            preamble_end: 12,
            epilogue_start: None,
        };
    }
    books
}

fn clusters(corpus: &TestCorpus, books: &[BookReport]) -> CopyClusters {
    let books: Vec<&BookReport> = books.iter().collect();
    let options = CopyOptions {
        cache: corpus.options().cache,
        threads: 2,
        ..CopyOptions::default()
    };
    find_clusters(&books, &options, &|_| {}, &AtomicBool::new(false)).unwrap()
}

/// The three copies agree; the others have none.
const AGREE: [Option<bool>; 7] = [Some(true), Some(true), Some(true), None, None, None, None];

#[test]
fn copies_are_joined_and_books_without_text_are_not() {
    let corpus = corpus();
    let found = clusters(&corpus, &surveyed(&corpus));
    assert_eq!(found.cluster_of, [1, 1, 1, 0, 0, 0, 0]);
    assert_eq!(found.agree, AGREE);
    let none = clusters(&corpus, &[]);
    assert_eq!(none, CopyClusters::default());
}

#[test]
fn a_copy_that_is_cut_at_other_words_contradicts_those_of_the_same_bytes_too() {
    let corpus = corpus();
    let mut books = surveyed(&corpus);
    books[1].summary.detection.cuts.preamble_end = 16;
    let found = clusters(&corpus, &books);
    assert_eq!(found.cluster_of, [1, 1, 1, 0, 0, 0, 0]);
    assert_eq!(
        found.agree[..4],
        [Some(false), Some(false), Some(false), None]
    );
    // The same bytes with other cuts.
    books[1].summary.detection.cuts.preamble_end = 12;
    books[2].summary.detection.cuts.preamble_end = 20;
    let found = clusters(&corpus, &books);
    assert_eq!(found.agree[..3], [Some(false); 3]);
}

#[test]
fn what_was_found_is_kept_until_a_cut_changes() {
    let corpus = corpus();
    let mut books = surveyed(&corpus);
    let found = clusters(&corpus, &books);
    let kept = |corpus: &TestCorpus| {
        let files = corpus.cache_files();
        let clusters = files
            .iter()
            .filter(|file| file.extension().is_some_and(|e| e == "clusters"));
        clusters.map(|file| fs::read(file).unwrap()).next()
    };
    let before = kept(&corpus);
    assert!(before.is_some());
    // Nothing is read for a cached result.
    for number in 0..7 {
        fs::remove_file(corpus.book(number)).unwrap();
    }
    assert_eq!(clusters(&corpus, &books), found);
    books[0].summary.detection.cuts.preamble_end = 14;
    let blind = clusters(&corpus, &books);
    assert_eq!(blind.agree, [None; 7]);
    // Results with unreadable books are not cached.
    assert_eq!(kept(&corpus), before);
}

#[test]
fn a_file_that_is_damaged_is_as_if_it_were_not_there() {
    let corpus = corpus();
    let books = surveyed(&corpus);
    let found = clusters(&corpus, &books);
    let file = corpus.cache_files();
    let file = file
        .iter()
        .find(|file| file.extension().is_some_and(|e| e == "clusters"));
    let file = file.unwrap();
    let whole = fs::read(file).unwrap();
    for at in (0..whole.len()).step_by(5) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        fs::write(file, &bytes).unwrap();
        assert_eq!(clusters(&corpus, &books), found, "byte {at}");
        assert_eq!(fs::read(file).unwrap(), whole, "byte {at}");
    }
    fs::write(file, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(clusters(&corpus, &books), found);
}
