//! Two rounds over small corpora: copies are counted as if they did not exist.

use std::fs;

use super::*;
use crate::frequency::Counting;
use crate::pipeline::analysis::find_copies_first;
use crate::pipeline::tests::{TestCorpus, without_cache};
use crate::pipeline::{
    AnalysisStep, BuiltModel, Cancelled, CorpusReport, MODEL_BOOKS, ModelChoice, ModelSize,
    ModelSource, ModelUsed, analyse, build_model,
};
use endpaper_text::corpus::{ListingRequest, list};

/// Words of no language; another seed gives other words in another order.
fn story(seed: u64, lines: usize) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1;
    let mut word = || {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        let letters = (0..7).map(|n| char::from(b'a' + ((state >> (20 + 5 * n)) % 26) as u8));
        letters.collect::<String>()
    };
    let line = |_| (0..8).map(|_| word()).collect::<Vec<_>>().join(" ") + "\n";
    (0..lines).map(line).collect()
}

/// A licence, then a story.
fn text(seed: u64, lines: usize) -> String {
    let licence = (0..12).map(|line| format!("Line {line} of the licence, as in every book.\n"));
    licence.collect::<String>() + "\n" + &story(seed, lines)
}

/// Twelve books and `copies` copies of the first, each without another one of its lines.
fn corpus(copies: usize) -> TestCorpus {
    let corpus = TestCorpus::of(0);
    for number in 0..12 {
        corpus.write(number, &text(number as u64, 60));
    }
    for copy in 0..copies {
        let text = text(0, 60);
        let lines = text.lines().enumerate();
        let kept = lines.filter(|(line, _)| *line != 20 + 3 * copy);
        let kept: String = kept.map(|(_, line)| format!("{line}\n")).collect();
        corpus.write(100 + copy, &kept);
    }
    corpus
}

fn once(corpus: &TestCorpus) -> AnalysisOptions {
    let mut options = corpus.options();
    options.counting.one_copy = true;
    options
}

fn build(corpus: &TestCorpus, options: &AnalysisOptions) -> BuiltModel {
    let never = AtomicBool::new(false);
    let size = ModelSize::default();
    build_model(&corpus.list(), options, size, &|_| {}, &never).unwrap()
}

fn counts(survey: &CorpusReport) -> Vec<(u64, u64)> {
    let counts = survey.model.frequencies.head();
    counts.iter().map(|(key, count)| (key.0, count)).collect()
}

#[test]
fn copies_count_as_if_they_were_not_there() {
    let (alone, with) = (corpus(0), corpus(11));
    let expected = alone.survey(&alone.options());
    let found = with.survey(&once(&with));
    assert_eq!(counts(&found), counts(&expected));
    assert_eq!(found.model.parameters.books, 12);
    assert_eq!(
        found.model.parameters.lines,
        expected.model.parameters.lines
    );
    assert!(found.model.parameters.counting.one_copy);
    assert_eq!(
        found.notes,
        [
            "counted 12 of 23 books: one of each of 1 cluster of near copies ('endpaper copies' lists them)"
        ]
    );
    // Cuts are proposed for all books by these counts.
    assert_eq!(found.books.len(), 23);
    for book in &found.books {
        assert_eq!(
            book.summary.detection.cuts.preamble_end, 12,
            "{}",
            book.book.id
        );
    }
    // If every copy is counted, all lines of a copy are frequent.
    let every = with.survey(&with.options());
    assert_ne!(every.books[0].summary.detection.cuts.preamble_end, 12);
    assert_ne!(counts(&every), counts(&expected));
}

#[test]
fn a_model_is_built_in_the_same_way() {
    let (alone, with) = (corpus(0), corpus(11));
    let expected = build(&alone, &alone.options());
    let found = build(&with, &once(&with));
    assert_eq!(found.notes.len(), 1, "{:?}", found.notes);
    assert!(found.skipped.is_empty());
    let mut model = found.model;
    assert_ne!(model.digest(), expected.model.digest());
    model.parameters.counting.one_copy = false;
    assert_eq!(model, expected.model);
    // Document frequencies too are counted without copies.
    let spread = |corpus: &TestCorpus, options: AnalysisOptions| {
        let options = AnalysisOptions {
            document_frequencies: true,
            ..options
        };
        let frequencies = build(corpus, &options).model.frequencies;
        frequencies.document_frequencies().clone()
    };
    let expected = spread(&alone, alone.options());
    assert_eq!(expected.books(), 12);
    assert_eq!(spread(&with, once(&with)), expected);
}

#[test]
fn both_kinds_of_run_keep_their_own_in_the_cache() {
    let corpus = corpus(8);
    let (every, once) = (corpus.options(), once(&corpus));
    let expected = [&every, &once].map(|options| corpus.survey(&without_cache(options)));
    for _ in 0..2 {
        for (options, expected) in [&every, &once].into_iter().zip(&expected) {
            assert_eq!(&corpus.survey(options), expected);
            let cached = CorpusReport::load_cached(&corpus.list(), options);
            assert_eq!(cached.as_ref(), Some(expected));
        }
    }
    assert_eq!(corpus.cache_files().len(), 6);
    // With one copy less, neither report is valid any more.
    fs::remove_file(corpus.book(103)).unwrap();
    for options in [&once, &every] {
        assert_eq!(
            corpus.survey(options),
            corpus.survey(&without_cache(options))
        );
    }
    // The counted copy changes and is no longer the longest: another one is counted.
    corpus.write(0, &text(0, 55));
    let survey = corpus.survey(&once);
    assert_eq!(survey, corpus.survey(&without_cache(&once)));
    assert_eq!(survey.model.parameters.books, 12);
}

#[test]
fn a_cluster_is_counted_by_its_oldest_then_longest_then_first_book() {
    let released = |date: &str, lines: usize| {
        let date = format!("Release Date: {date}  [EBook #100]\n");
        date + &text(7, lines)
    };
    let cases: &[(&[String], usize)] = &[
        (&[text(7, 50), text(7, 60), text(7, 40)], 1),
        (&[text(7, 50), text(7, 50)], 0),
        (
            &[
                released("June 4, 2001", 50),
                released("July, 1998", 40),
                released("August, 1998", 50),
            ],
            1,
        ),
        (
            &[
                text(7, 60),
                released("June, 2001", 50),
                released("June, 2001", 51),
            ],
            2,
        ),
    ];
    for (copies, expected) in cases {
        let corpus = TestCorpus::of(0);
        for (number, text) in copies.iter().enumerate() {
            corpus.write(number, text);
        }
        let (listing, never) = (corpus.list(), AtomicBool::new(false));
        let found = find_copies_first(&listing, &once(&corpus), &|_| {}, &never);
        let found = found.unwrap().unwrap();
        let counted = listing.books.iter().map(|book| found.is_counted(book));
        let counted: Vec<bool> = counted.collect();
        let wanted: Vec<bool> = (0..copies.len()).map(|place| place == *expected).collect();
        assert_eq!(counted, wanted);
    }
}

#[test]
fn a_corpus_of_copies_of_one_book_counts_that_book() {
    let corpus = TestCorpus::of(0);
    for number in 0..40 {
        corpus.write(number, &text(1, 60));
    }
    let survey = corpus.survey(&once(&corpus));
    assert_eq!((survey.books.len(), survey.model.parameters.books), (40, 1));
    assert_eq!(build(&corpus, &once(&corpus)).model.parameters.books, 1);
}

#[test]
fn a_corpus_that_is_too_small_without_its_copies_is_too_small() {
    let corpus = TestCorpus::of(0);
    for number in 0..MODEL_BOOKS + 5 {
        corpus.write(number, &text(number.max(9) as u64, 40));
    }
    let options = AnalysisOptions {
        model: ModelChoice::Auto,
        ..once(&corpus)
    };
    let survey = corpus.survey(&options);
    assert_eq!(survey.model_used, ModelUsed::TooFew(MODEL_BOOKS + 5 - 9));
    assert_eq!(survey.notes.len(), 2, "{:?}", survey.notes);
    assert_eq!(corpus.survey(&options), survey);
    // With so few books, no first round is needed.
    let few = TestCorpus::of(3);
    let options = AnalysisOptions {
        model: ModelChoice::Auto,
        ..once(&few)
    };
    let survey = few.survey(&options);
    assert_eq!(survey.model_used, ModelUsed::TooFew(3));
    assert!(
        survey.notes[0].contains("has too few to be counted"),
        "{:?}",
        survey.notes
    );
}

#[test]
fn models_that_counted_every_copy_are_refused_and_others_taken() {
    let corpus = corpus(3);
    let path = |name: &str| corpus.folder.path().join(name);
    build(&corpus, &corpus.options())
        .model
        .write(&path("every"), endpaper_text::atomic::Existing::Keep)
        .unwrap();
    build(&corpus, &once(&corpus))
        .model
        .write(&path("once"), endpaper_text::atomic::Existing::Keep)
        .unwrap();
    let with = |sources: &[ModelSource]| {
        let options = AnalysisOptions {
            model: ModelChoice::Sum(sources.to_vec()),
            cache: None,
            ..once(&corpus)
        };
        let never = AtomicBool::new(false);
        analyse(&corpus.list(), &options, &|_| {}, &never)
    };
    for refused in [ModelSource::BuiltIn, ModelSource::File(path("every"))] {
        let error = with(std::slice::from_ref(&refused)).unwrap_err();
        let error = format!("{error:#}");
        assert!(
            error.contains("does not fit")
                && error.contains("build a model that counts one of each"),
            "{error}"
        );
    }
    let model = with(&[ModelSource::File(path("once"))]).unwrap().model;
    assert!(model.parameters.counting.one_copy);
    // Only the books of the corpus itself are known to contain no copies.
    let sum = with(&[ModelSource::Corpus, ModelSource::File(path("every"))]).unwrap();
    assert_eq!(sum.model.parameters.books, 12 + 15);
    assert!(!sum.model.parameters.counting.one_copy);
    // An unusable file is reported before the first round.
    let gone = [ModelSource::Corpus, ModelSource::File(path("gone"))];
    let options = AnalysisOptions {
        model: ModelChoice::Sum(gone.to_vec()),
        ..once(&corpus)
    };
    let never = AtomicBool::new(false);
    let untouched = |progress: AnalysisProgress| panic!("{progress:?}");
    let error = analyse(&corpus.list(), &options, &untouched, &never).unwrap_err();
    assert!(error.to_string().contains("gone"), "{error:#}");
}

#[test]
fn an_empty_corpus_is_the_same_error() {
    let error = |one_copy: bool| {
        let options = AnalysisOptions {
            counting: Counting {
                one_copy,
                ..Counting::default()
            },
            model: ModelSource::Corpus.into(),
            ..AnalysisOptions::default()
        };
        let (listing, never) = (Listing::default(), AtomicBool::new(false));
        let size = ModelSize::default();
        let survey = analyse(&listing, &options, &|_| {}, &never).unwrap_err();
        let built = build_model(&listing, &options, size, &|_| {}, &never).unwrap_err();
        (survey.to_string(), built.to_string())
    };
    assert_eq!(error(true), error(false));
}

#[test]
fn books_that_go_away_between_the_rounds_are_named() {
    let corpus = corpus(2);
    let never = AtomicBool::new(false);
    let gone = |corpus: &TestCorpus, number: usize, step: AnalysisStep| {
        let book = corpus.book(number);
        move |progress: AnalysisProgress| {
            if progress.step == step && progress.done == progress.total {
                // The book disappears.
                let _ = fs::remove_file(&book);
            }
        }
    };
    // The Scan of the first round is still there: the book is counted, and is not a copy.
    let remove = gone(&corpus, 101, AnalysisStep::Detecting);
    let found = analyse(&corpus.list(), &once(&corpus), &remove, &never).unwrap();
    assert_eq!(found.books.len(), 14);
    assert_eq!(found.model.parameters.books, 13);
    let named = found.notes.iter().any(|note| note.contains("0101.txt"));
    assert!(named, "{:?}", found.notes);
    // A model is built from the books that can be read when they are counted.
    let remove = gone(&corpus, 5, AnalysisStep::Comparing);
    let size = ModelSize::default();
    let built = build_model(&corpus.list(), &once(&corpus), size, &remove, &never).unwrap();
    let skipped: Vec<&str> = built.skipped.iter().map(|book| book.id.name()).collect();
    assert_eq!(
        (skipped, built.model.parameters.books),
        (vec!["0005.txt"], 11)
    );
}

#[test]
fn every_step_can_be_cancelled() {
    let corpus = corpus(4);
    for step in [
        AnalysisStep::Reading,
        AnalysisStep::Comparing,
        AnalysisStep::Detecting,
    ] {
        let cancel = AtomicBool::new(false);
        let progress = |progress: AnalysisProgress| {
            if progress.step == step {
                cancel.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        };
        let options = without_cache(&once(&corpus));
        let error = analyse(&corpus.list(), &options, &progress, &cancel).unwrap_err();
        assert!(error.is::<Cancelled>(), "{step:?}: {error:#}");
    }
}

#[test]
fn a_corpus_that_has_no_cache_is_read_for_each_round() {
    let request = ListingRequest {
        demo: true,
        ..ListingRequest::default()
    };
    let (listing, never) = (list(&request).unwrap(), AtomicBool::new(false));
    let mut options = AnalysisOptions {
        model: ModelSource::Corpus.into(),
        ..AnalysisOptions::default()
    };
    let every = analyse(&listing, &options, &|_| {}, &never).unwrap();
    options.counting.one_copy = true;
    let once = analyse(&listing, &options, &|_| {}, &never).unwrap();
    assert_eq!(once.books.len(), every.books.len());
    assert!(once.model.parameters.books <= every.model.parameters.books);
}
