//! Books rewrapped at 60 columns: their lines are in no model. Line-based detectors fail and report high doubt; the alternation detector, which does
//! not use lines, cuts at the same positions.
//!
//! The books are the demo books and the labelled ones of `ENDPAPER_CORPUS`.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use endpaper_detect::alternation::built_in;
use endpaper_detect::frequency::Counting;
use endpaper_detect::pipeline::{AnalysisOptions, ModelSource, analyse, cut_with, differ_widely};
use endpaper_detect::{Cuts, Method, Parameters};
use endpaper_text::corpus::{self, Book, BookText, Listing, ListingRequest};

/// Cuts at most this many words apart are at most ten lines apart.
const NEAR: usize = 100;

/// Wraps paragraphs at 60 characters; blank lines are kept.
fn rewrapped(bytes: &[u8]) -> Vec<u8> {
    let text = BookText::new(bytes.to_vec());
    let mut out = String::new();
    let mut column = 0;
    for line in 1..=text.lines() {
        let line = text.display(line, usize::MAX);
        if line.trim().is_empty() {
            out.push_str(if column > 0 { "\n\n" } else { "\n" });
            column = 0;
        }
        for word in line.split_whitespace() {
            let width = word.chars().count();
            if column > 0 && column + 1 + width > 60 {
                out.push('\n');
                column = 0;
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += width;
        }
    }
    out.push('\n');
    out.into_bytes()
}

/// Words before the first line of the body, and through its last one: independent of line breaks.
fn places(text: &BookText, cuts: Cuts) -> [usize; 2] {
    let words = |last: u32| {
        let lines = (1..=last.min(text.lines())).map(|line| text.display(line, usize::MAX));
        lines.map(|line| line.split_whitespace().count()).sum()
    };
    let end = cuts.epilogue_start.unwrap_or(text.lines() + 1);
    [words(cuts.preamble_end), words(end - 1)]
}

fn near(a: [usize; 2], b: [usize; 2]) -> bool {
    a[0].abs_diff(b[0]) <= NEAR && a[1].abs_diff(b[1]) <= NEAR
}

/// Positions of the cuts of each book, and its doubt.
type CutsByName = HashMap<String, ([usize; 2], f32)>;

struct RewrappedBooks {
    listing: Listing,
    texts: HashMap<String, BookText>,
}

impl RewrappedBooks {
    fn of(request: &ListingRequest) -> RewrappedBooks {
        let listing = corpus::list(request).expect("the books are listed");
        let read = |book: &Book| {
            let bytes = book.read(corpus::MAX_SIZE).expect("a book");
            (book.id.as_str().to_owned(), BookText::new(bytes))
        };
        let texts = listing.books.iter().map(read).collect();
        RewrappedBooks { listing, texts }
    }

    /// Rewraps the books into files in a folder.
    fn rewrapped(&self, folder: &Path) -> RewrappedBooks {
        for (id, text) in &self.texts {
            let path = folder.join(id.replace(['/', '!'], "_") + ".txt");
            std::fs::write(path, rewrapped(text.bytes())).expect("a file is written");
        }
        let mut corpus = RewrappedBooks::of(&ListingRequest {
            roots: vec![folder.to_owned()],
            ..ListingRequest::default()
        });
        // The original names.
        let names = self.texts.keys();
        let names: HashMap<String, &String> = names
            .map(|id| (id.replace(['/', '!'], "_") + ".txt", id))
            .collect();
        let texts = std::mem::take(&mut corpus.texts);
        corpus.texts = texts
            .into_iter()
            .map(|(id, text)| (names[&id].clone(), text))
            .collect();
        for book in &mut corpus.listing.books {
            book.id = endpaper_text::corpus::BookId::new(names[book.id.as_str()]);
        }
        corpus
    }

    /// Detects by lines, with the built-in counts.
    fn by_lines(
        &self,
        method: Method,
        markers: bool,
    ) -> (CutsByName, HashMap<String, (Cuts, u32)>) {
        let options = AnalysisOptions {
            parameters: Parameters {
                method,
                heuristics: markers,
                ..Parameters::default()
            },
            counting: Counting::default(),
            model: ModelSource::BuiltIn.into(),
            ..AnalysisOptions::default()
        };
        let report =
            analyse(&self.listing, &options, &|_| {}, &AtomicBool::new(false)).expect("a survey");
        let mut cuts = HashMap::new();
        let mut found = CutsByName::new();
        for book in &report.books {
            let id = book.book.id.as_str().to_owned();
            let detection = &book.summary.detection;
            let place = places(&self.texts[&id], detection.cuts);
            found.insert(id.clone(), (place, detection.doubt));
            cuts.insert(id, (detection.cuts, book.summary.lines));
        }
        (found, cuts)
    }

    /// Detects by the built-in n-grams.
    fn by_grams(&self) -> (CutsByName, HashMap<String, (Cuts, u32)>) {
        let books: Vec<&Book> = self.listing.books.iter().collect();
        let found = cut_with(
            built_in(),
            &books,
            &AnalysisOptions::default(),
            &|_| {},
            &AtomicBool::new(false),
        );
        let found = found.expect("a run");
        let mut cuts = HashMap::new();
        let mut places_of = CutsByName::new();
        for (book, found) in books.iter().zip(found.cuts) {
            let id = book.id.as_str().to_owned();
            let (lines, found) = found.expect("a book that can be read");
            places_of.insert(id.clone(), (places(&self.texts[&id], found), 1.0));
            cuts.insert(id, (found, lines));
        }
        (places_of, cuts)
    }
}

/// Returns the number of books that are cut near the right positions.
fn right(found: &CutsByName, truth: &HashMap<String, [usize; 2]>) -> usize {
    truth
        .iter()
        .filter(|(id, place)| near(found[*id].0, **place))
        .count()
}

/// Compares all detectors with the truth, before and after wrapping.
fn compare(corpus: &RewrappedBooks, truth: &HashMap<String, [usize; 2]>) {
    let folder = tempfile::tempdir().expect("a folder");
    let wrapped = corpus.rewrapped(folder.path());
    let all = truth.len();
    let mut rights = HashMap::new();
    for (name, method, markers) in [
        ("gap", Method::Gap, false),
        ("gap with markers", Method::Gap, true),
        ("posterior", Method::Posterior, true),
    ] {
        let both =
            [corpus, &wrapped].map(|corpus| right(&corpus.by_lines(method, markers).0, truth));
        println!(
            "{name}: of {all} books near the right places: {}, wrapped again {}",
            both[0], both[1]
        );
        rights.insert(name, both);
    }
    let (before, after) = (corpus.by_grams().0, wrapped.by_grams().0);
    let grams = [right(&before, truth), right(&after, truth)];
    println!(
        "alternation: of {all} books near the right places: {}, wrapped again {}",
        grams[0], grams[1]
    );
    // Short books whose useless part extends to the end of the window may differ: the window moves with the line breaks.
    let moved = after
        .iter()
        .filter(|(id, (place, _))| !near(*place, before[*id].0))
        .count();
    println!("{moved} are cut elsewhere by it once they are wrapped again");
    assert!(moved * 10 <= all, "{moved} of {all}");
    let gap = rights["gap"];
    assert!(
        gap[1] * 2 < gap[0],
        "the lines are not known any more: {gap:?}"
    );
    assert!(grams[1] > gap[1], "{grams:?} and {gap:?}");

    // The doubt in the queue rises, from the detector itself and from its disagreement with the alternation detector.
    let (lines, cuts) = wrapped.by_lines(Method::Gap, true);
    let their = wrapped.by_grams().1;
    let (was, _) = corpus.by_lines(Method::Gap, true);
    let doubt = |found: &CutsByName| {
        found
            .values()
            .map(|(_, doubt)| f64::from(*doubt))
            .sum::<f64>()
            / all as f64
    };
    println!(
        "mean doubt of gap with markers: {:.2}, wrapped again {:.2}",
        doubt(&was),
        doubt(&lines)
    );
    assert!(doubt(&lines) > doubt(&was));
    let wrong: Vec<&String> = truth
        .iter()
        .filter(|(id, place)| !near(lines[*id].0, **place))
        .map(|(id, _)| id)
        .collect();
    let told = |id: &&&String| {
        let ((ours, lines_of), (theirs, _)) = (cuts[**id], their[**id]);
        lines[**id].1 >= 0.25 || differ_widely(ours, theirs, lines_of)
    };
    let doubted = wrong.iter().filter(told).count();
    println!(
        "{} are wrong by it; {doubted} of them are in doubt",
        wrong.len()
    );
    assert!(doubted * 20 >= wrong.len() * 19);
}

#[test]
fn the_books_inside_the_program() {
    let corpus = RewrappedBooks::of(&ListingRequest {
        demo: true,
        ..ListingRequest::default()
    });
    // These books are unlabelled: the posterior's cuts of the original books serve as the truth.
    let (truth, _) = corpus.by_lines(Method::Posterior, true);
    compare(
        &corpus,
        &truth
            .into_iter()
            .map(|(id, (place, _))| (id, place))
            .collect(),
    );
}

#[test]
#[ignore = "needs ENDPAPER_CORPUS"]
fn labelled_books() {
    let folder = crate::support::real_books();
    let labels = std::fs::read_to_string(folder.join("labels.tsv")).expect("labels");
    let mut lines = labels.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        columns
            .iter()
            .position(|column| *column == name)
            .expect("a column")
    };
    let (book, first, last) = (column("book"), column("body_first"), column("body_last"));
    let labels: Vec<(String, u32, u32)> = lines
        .filter_map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            Some((
                cells[book].to_owned(),
                cells[first].parse().ok()?,
                cells[last].parse().ok()?,
            ))
        })
        .collect();
    let listed = labels.iter().map(|(id, ..)| {
        folder
            .join("books")
            .join(id.split('!').next().unwrap_or(id))
    });
    let corpus = RewrappedBooks::of(&ListingRequest {
        roots: listed.collect(),
        ..ListingRequest::default()
    });
    let mut truth = HashMap::new();
    for (id, first, last) in labels {
        let Some((id, text)) = corpus.texts.iter().find(|(known, _)| known.ends_with(&id)) else {
            continue;
        };
        let cuts = Cuts {
            preamble_end: first - 1,
            epilogue_start: Some(last + 1),
        };
        truth.insert(id.clone(), places(text, cuts));
    }
    assert!(!truth.is_empty());
    compare(&corpus, &truth);
}
