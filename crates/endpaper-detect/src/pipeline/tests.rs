//! Analyses of small generated corpora: the result does not depend on threads and cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tempfile::TempDir;

use super::*;
use crate::frequency::{Counting, Structure, built_in};
use crate::{Method, Parameters};
use endpaper_text::corpus::{EncodingChoice, Listing, ListingRequest, list};
use endpaper_text::scan::Scan;

mod clusters;

/// A folder of books with the same licence, and a separate cache folder.
pub(super) struct TestCorpus {
    pub(super) folder: TempDir,
}

impl TestCorpus {
    pub(super) fn of(books: usize) -> TestCorpus {
        let corpus = TestCorpus {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(corpus.books()).unwrap();
        for number in 0..books {
            corpus.write(number, &text(number, 40));
        }
        corpus
    }

    pub(super) fn books(&self) -> PathBuf {
        self.folder.path().join("books")
    }

    pub(super) fn book(&self, number: usize) -> PathBuf {
        self.books().join(format!("{number:04}.txt"))
    }

    pub(super) fn write(&self, number: usize, text: &str) {
        fs::write(self.book(number), text).unwrap();
    }

    pub(super) fn list(&self) -> Listing {
        let roots = vec![self.books()];
        list(&ListingRequest {
            roots,
            ..ListingRequest::default()
        })
        .unwrap()
    }

    pub(super) fn options(&self) -> AnalysisOptions {
        AnalysisOptions {
            cache: Some(self.folder.path().join("cache")),
            model: ModelSource::Corpus.into(),
            threads: 2,
            // The posterior has no evidence in these books; the tests are about reading and counting.
            parameters: Parameters {
                method: Method::Gap,
                ..Parameters::default()
            },
            ..AnalysisOptions::default()
        }
    }

    pub(super) fn survey(&self, options: &AnalysisOptions) -> CorpusReport {
        analyse(&self.list(), options, &|_| {}, &AtomicBool::new(false)).unwrap()
    }

    pub(super) fn cache_files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.path().join("cache")).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }
}

fn text(number: usize, lines: usize) -> String {
    let mut text = String::new();
    for line in 0..12 {
        text += &format!(
            "This line number {line} of the licence stands in every book of the corpus.\n"
        );
    }
    text += "\n";
    for line in 0..lines {
        text +=
            &format!("Book {number} says in its line {line} what no other book has said before.\n");
    }
    text
}

fn counting(structure: Structure) -> Counting {
    Counting {
        structure,
        ..Counting::default()
    }
}

pub(super) fn without_cache(options: &AnalysisOptions) -> AnalysisOptions {
    AnalysisOptions {
        cache: None,
        ..options.clone()
    }
}

#[test]
fn the_licence_is_cut_and_threads_change_nothing() {
    let corpus = TestCorpus::of(30);
    let options = without_cache(&corpus.options());
    let survey = corpus.survey(&options);
    assert_eq!(survey.books.len(), 30);
    assert_eq!(survey.model_used, ModelUsed::Sum(vec![ModelSource::Corpus]));
    for book in &survey.books {
        assert_eq!(
            book.summary.detection.cuts.preamble_end, 12,
            "{}",
            book.book.id
        );
    }
    for threads in [0, 1, 3] {
        let options = AnalysisOptions {
            threads,
            ..options.clone()
        };
        assert_eq!(corpus.survey(&options), survey);
    }
}

#[test]
fn the_structures_agree_where_no_keys_collide() {
    let corpus = TestCorpus::of(30);
    let crc64 = corpus.survey(&corpus.options());
    let options = AnalysisOptions {
        counting: counting(Structure::Exact),
        ..corpus.options()
    };
    let exact = corpus.survey(&options);
    assert_eq!(exact.books, crc64.books);
    assert!(
        exact
            .model
            .frequencies
            .head()
            .iter()
            .eq(crc64.model.frequencies.head().iter())
    );
}

#[test]
fn a_small_corpus_uses_the_built_in_model_and_says_so() {
    let corpus = TestCorpus::of(3);
    let options = AnalysisOptions {
        model: ModelChoice::Auto,
        ..corpus.options()
    };
    let survey = corpus.survey(&options);
    assert_eq!(survey.model_used, ModelUsed::TooFew(3));
    assert_eq!(*survey.model, *built_in());
    assert!(
        survey
            .model_used
            .to_string()
            .contains("3 books are fewer than")
    );
    assert_eq!(corpus.survey(&options), survey);
}

#[test]
fn a_second_survey_is_the_first_from_the_cache() {
    let corpus = TestCorpus::of(30);
    let options = corpus.options();
    let listing = corpus.list();
    assert_eq!(CorpusReport::load_cached(&listing, &options), None);
    let first = corpus.survey(&options);
    assert_eq!(first.notes, Vec::<String>::new());
    assert_eq!(
        CorpusReport::load_cached(&listing, &options).as_ref(),
        Some(&first)
    );
    assert_eq!(corpus.survey(&options), first);
    assert_eq!(corpus.survey(&without_cache(&options)), first);
    assert_eq!(corpus.cache_files().len(), 3);
}

#[test]
fn other_parameters_are_other_surveys_of_the_same_scans() {
    let corpus = TestCorpus::of(30);
    let mut options = corpus.options();
    corpus.survey(&options);
    options.parameters.threshold = 1000;
    assert_eq!(CorpusReport::load_cached(&corpus.list(), &options), None);
    let survey = corpus.survey(&options);
    assert_eq!(survey, corpus.survey(&without_cache(&options)));
    options.parameters.head = 5;
    let survey = corpus.survey(&options);
    assert_eq!(survey, corpus.survey(&without_cache(&options)));
}

#[test]
fn a_changed_file_is_read_again_and_no_other() {
    let corpus = TestCorpus::of(30);
    let options = corpus.options();
    let first = corpus.survey(&options);
    // A change that the cache cannot notice: same size, same time. Only a file that is not read keeps its old checksum.
    let time = fs::metadata(corpus.book(3)).unwrap().modified().unwrap();
    corpus.write(3, &text(3, 40).replace("Book", "Bulk"));
    let file = fs::File::options()
        .write(true)
        .open(corpus.book(3))
        .unwrap();
    file.set_modified(time).unwrap();
    corpus.write(4, &text(4, 50));
    let second = corpus.survey(&options);
    let crc = |survey: &CorpusReport, number: usize| survey.books[number].summary.crc;
    assert_eq!(crc(&second, 3), crc(&first, 3));
    assert_ne!(crc(&second, 4), crc(&first, 4));
    assert_eq!(second.books[4].summary.lines, 63);
    assert_ne!(second.corpus_digest, first.corpus_digest);
    assert_eq!(corpus.cache_files().len(), 3);
}

#[test]
fn new_and_removed_books_are_noticed() {
    let corpus = TestCorpus::of(30);
    let options = corpus.options();
    corpus.survey(&options);
    corpus.write(30, &text(30, 20));
    fs::remove_file(corpus.book(0)).unwrap();
    let survey = corpus.survey(&options);
    assert_eq!(survey, corpus.survey(&without_cache(&options)));
    assert_eq!(corpus.survey(&options), survey);
}

#[test]
fn nothing_of_another_encoding_is_taken_from_the_cache() {
    let corpus = TestCorpus::of(12);
    for number in 0..12 {
        // One line in Shift_JIS, which windows-1252 reads as other letters.
        let mut bytes = text(number, 20).into_bytes();
        bytes.extend(b"\x88\xea\x8d\x73\x96\xda\x82\xcd a line in an encoding to be chosen\n");
        fs::write(corpus.book(number), bytes).unwrap();
    }
    let options = AnalysisOptions {
        opinions: true,
        keep_scans: true,
        ..corpus.options()
    };
    let analysed = |encoding: Option<&str>, options: &AnalysisOptions| {
        let mut listing = corpus.list();
        let choice = encoding.map(|name| EncodingChoice::Forced(name.parse().unwrap()));
        for book in &mut listing.books {
            book.encoding = choice.unwrap_or_default();
        }
        analyse(&listing, options, &|_| {}, &AtomicBool::new(false)).unwrap()
    };
    for encoding in [
        None,
        Some("shift_jis"),
        Some("cp437"),
        None,
        Some("shift_jis"),
    ] {
        let cached = analysed(encoding, &options);
        let plain = analysed(encoding, &without_cache(&options));
        let expected = encoding.unwrap_or("windows-1252");
        for (book, again) in cached.books.iter().zip(&plain.books) {
            assert_eq!(book.summary.encoding.to_string(), expected);
            assert_eq!(book.summary, again.summary);
            assert_eq!(book.scan, again.scan);
        }
        assert_eq!(cached.model_digest, plain.model_digest, "{expected}");
        assert_eq!(cached.opinions, plain.opinions, "{expected}");
        let guessed = cached.guessed_encodings();
        assert!(guessed.is_empty(), "what was chosen is not a guess");
    }
}

#[test]
fn a_damaged_cache_is_as_if_it_were_not_there() {
    let corpus = TestCorpus::of(30);
    let options = corpus.options();
    let survey = corpus.survey(&options);
    let damage: [fn(&Path); 5] = [
        |path| fs::remove_file(path).unwrap(),
        |path| fs::write(path, b"").unwrap(),
        |path| {
            let mut bytes = fs::read(path).unwrap();
            bytes.truncate(bytes.len() * 2 / 3);
            fs::write(path, bytes).unwrap();
        },
        |path| {
            let mut bytes = fs::read(path).unwrap();
            bytes[30] ^= 1;
            fs::write(path, bytes).unwrap();
        },
        |path| {
            let mut bytes = fs::read(path).unwrap();
            for byte in bytes.iter_mut().step_by(97) {
                *byte ^= 0x55;
            }
            fs::write(path, bytes).unwrap();
        },
    ];
    for name in 0..3 {
        for damage in damage {
            damage(&corpus.cache_files()[name]);
            assert_eq!(corpus.survey(&options), survey);
            assert!(CorpusReport::load_cached(&corpus.list(), &options).is_some());
        }
    }
    for damage in damage {
        corpus.cache_files().iter().for_each(|path| damage(path));
        assert_eq!(corpus.survey(&options), survey);
    }
}

#[test]
fn a_bad_book_is_named_and_the_others_go_on() {
    let corpus = TestCorpus::of(5);
    corpus.write(2, "");
    let survey = corpus.survey(&corpus.options());
    assert_eq!(survey.books.len(), 4);
    let skipped: Vec<&str> = survey.skipped.iter().map(|book| book.id.name()).collect();
    assert_eq!(skipped, ["0002.txt"]);
    // The same from the cache.
    assert_eq!(corpus.survey(&corpus.options()), survey);
}

#[test]
fn a_cancelled_survey_is_an_error_that_says_so() {
    let corpus = TestCorpus::of(30);
    let cancel = AtomicBool::new(false);
    let progress = |progress: AnalysisProgress| {
        if progress.done == 10 {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let options = corpus.options();
    let error = analyse(&corpus.list(), &options, &progress, &cancel).unwrap_err();
    assert!(error.is::<Cancelled>());
    // Nothing is left of what it had begun.
    assert!(corpus.cache_files().is_empty());
}

#[test]
fn every_step_reports_its_last_book() {
    let corpus = TestCorpus::of(20);
    let last = [(); 3].map(|()| AtomicUsize::new(0));
    let progress = |progress: AnalysisProgress| {
        last[progress.step as usize].fetch_max(progress.done, Ordering::Relaxed);
    };
    let options = corpus.options();
    analyse(&corpus.list(), &options, &progress, &AtomicBool::new(false)).unwrap();
    assert_eq!(last.map(AtomicUsize::into_inner), [20; 3]);
}

#[test]
fn a_model_built_alone_is_the_model_of_the_survey() {
    let corpus = TestCorpus::of(20);
    let options = corpus.options();
    let never = AtomicBool::new(false);
    let size = ModelSize {
        texts: 0,
        ..ModelSize::default()
    };
    let built = build_model(&corpus.list(), &options, size, &|_| {}, &never).unwrap();
    assert_eq!(built.model, *corpus.survey(&options).model);
    assert!(built.skipped.is_empty() && built.notes.is_empty());
    let path = corpus.folder.path().join("a.model");
    built
        .model
        .write(&path, endpaper_text::atomic::Existing::Replace)
        .unwrap();
    let from_file = AnalysisOptions {
        model: ModelSource::File(path.clone()).into(),
        ..options.clone()
    };
    let survey = corpus.survey(&from_file);
    assert_eq!(
        survey.model_used,
        ModelUsed::Sum(vec![ModelSource::File(path)])
    );
    assert_eq!(survey.books, corpus.survey(&options).books);
}

#[test]
fn scans_are_kept_when_asked_for() {
    let corpus = TestCorpus::of(5);
    let options = AnalysisOptions {
        keep_scans: true,
        ..corpus.options()
    };
    for _ in 0..2 {
        let survey = corpus.survey(&options);
        let rows = survey
            .books
            .iter()
            .map(|book| book.scan.as_ref().unwrap().rows.len());
        assert!(rows.eq([52; 5]));
    }
}

#[test]
fn scans_without_looks_do_not_serve_where_looks_are_wanted() {
    let corpus = TestCorpus::of(3);
    let plain = AnalysisOptions {
        document_frequencies: false,
        ..corpus.options()
    };
    corpus.survey(&plain);
    let wanted = AnalysisOptions {
        keep_scans: true,
        ..corpus.options()
    };
    for book in corpus.survey(&wanted).books {
        let scan = book.scan.expect("it was to be kept");
        assert_ne!(
            scan.rows[0].features,
            Default::default(),
            "{}",
            book.book.id
        );
    }
}

#[test]
fn scans_are_had_again_from_the_cache_or_from_the_book() {
    let corpus = TestCorpus::of(4);
    let options = AnalysisOptions {
        keep_scans: true,
        ..corpus.options()
    };
    let survey = corpus.survey(&options);
    let kept: Vec<Scan> = survey
        .books
        .iter()
        .map(|book| (**book.scan.as_ref().unwrap()).clone())
        .collect();
    let books = corpus.list().books;
    let again = |options: &AnalysisOptions| -> Vec<Result<Scan, String>> {
        let mut scans = ScanReader::open(&books, options);
        // In any order.
        let found = books.iter().rev().map(|book| scans.scan(book));
        let mut found: Vec<_> = found
            .map(|scan| scan.map_err(|error| error.to_string()))
            .collect();
        found.reverse();
        found
    };
    let all: Vec<_> = kept.iter().cloned().map(Ok).collect();
    assert_eq!(again(&options), all);
    assert_eq!(again(&without_cache(&options)), all);
    // The cache has the Scan of a file that was removed after it was listed; without a cache it cannot be read.
    fs::remove_file(corpus.book(2)).unwrap();
    assert_eq!(again(&options), all);
    let found = again(&without_cache(&options));
    assert!(found[2].is_err(), "{:?}", found[2]);
    assert_eq!(found[3], all[3]);
}
