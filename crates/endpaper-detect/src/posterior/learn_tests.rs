//! Tests of learning a collection: from few decided books, whatever their order, and never a book from itself.

use super::learn::{DecidedExample, learn};
use super::*;
use crate::frequency::Frequencies;
use crate::frequency::document_frequency::DocumentFrequencyBuilder;
use crate::{Cuts, End};
use endpaper_text::scan::{WindowOptions, scan};

/// A book of a made collection: a header whose fields differ and whose last line is the same, a body, and a colophon
/// that begins with the same words.
fn book(number: u64) -> (String, Cuts) {
    let mut text = format!("== record {number} ==\ntitle: the {number} th volume\n");
    for field in 0..number % 4 {
        text += &format!("field {field}: {}\n", number * 7 + field);
    }
    text += "==end of record==\n\n";
    let preamble_end = text.lines().count() as u32 - 1;
    for line in 0..20 + number % 5 {
        text += &format!("line {line} of story {number} says what no other line says\n");
        if line % 6 == 5 {
            text += "\n";
        }
    }
    text += "\n";
    let epilogue_start = Some(text.lines().count() as u32 + 1);
    text += &format!("printed from edition {number}\n{}\n", 1900 + number);
    let cuts = Cuts {
        preamble_end,
        epilogue_start,
    };
    (text, cuts)
}

/// Frequencies of a collection of 60 such books.
fn frequencies() -> Frequencies {
    let mut forms = DocumentFrequencyBuilder::default();
    for number in 0..60 {
        let (text, _) = book(number);
        add_line_forms(&scan(text.as_bytes(), WindowOptions::default()), &mut forms);
    }
    Frequencies::default()
        .with_document_frequencies(DocumentFrequencyBuilder::finish(vec![forms]).unwrap())
}

fn decided(numbers: impl IntoIterator<Item = u64>, prior: &Profile) -> Vec<DecidedExample> {
    let frequencies = frequencies();
    let one = |number: u64| {
        let (text, cuts) = book(number);
        let scan = scan(text.as_bytes(), WindowOptions::default());
        let (first, last) = cuts.body(scan.lines);
        DecidedExample {
            example: Example::new(&scan, &frequencies, prior.scope(), first, last),
            work: number,
        }
    };
    numbers.into_iter().map(one).collect()
}

/// The cuts that a profile proposes, and their doubt.
fn propose(number: u64, profile: &Profile) -> (Cuts, f32) {
    let (text, _) = book(number);
    let scan = scan(text.as_bytes(), WindowOptions::default());
    let parameters = crate::Parameters {
        profiles: Some(std::sync::Arc::new(crate::CorpusProfiles::one(
            std::sync::Arc::new(profile.clone()),
        ))),
        ..crate::Parameters::default()
    };
    let found = crate::propose(&scan, &frequencies(), &parameters);
    (found.cuts, found.doubt)
}

/// A book whose words mean nothing, below a header of short lines that ends with the same line in every book.
fn nonsense(number: u64) -> String {
    let mut state = number;
    let mut word = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let syllables = ["ka", "lo", "mi", "ru", "te", "so", "ni", "va"];
        let syllable = |at: u64| syllables[(state >> (40 + 3 * at)) as usize % 8];
        (0..4).map(syllable).collect::<String>()
    };
    let mut text = format!("{} {}\n{}\n#header#ends#\n\n", word(), word(), word());
    for line in 0..150 {
        let words: Vec<String> = (0..8).map(|_| word()).collect();
        text += &words.join(" ");
        text += if line % 7 == 6 { "\n\n" } else { "\n" };
    }
    text
}

#[test]
fn a_line_too_short_to_be_counted_tells_by_the_books_that_have_it() {
    let scans = (0..60).map(|book| scan(nonsense(book).as_bytes(), WindowOptions::default()));
    let scans: Vec<_> = scans.collect();
    let mut forms = DocumentFrequencyBuilder::default();
    for scan in &scans {
        add_line_forms(scan, &mut forms);
    }
    let none = Frequencies::default();
    let known = none
        .clone()
        .with_document_frequencies(DocumentFrequencyBuilder::finish(vec![forms]).unwrap());
    let cut_at_it = |frequencies: &Frequencies| {
        let parameters = crate::Parameters {
            profiles: Some(std::sync::Arc::new(crate::CorpusProfiles::one(
                Profile::generic().clone(),
            ))),
            ..crate::Parameters::default()
        };
        let found = scans
            .iter()
            .map(|scan| crate::propose(scan, frequencies, &parameters));
        found.filter(|found| found.cuts.preamble_end == 3).count()
    };
    assert_eq!((cut_at_it(&none), cut_at_it(&known)), (0, scans.len()));
}

#[test]
fn a_few_decided_books_teach_a_strange_collection() {
    let prior = Profile::generic();
    let learned = learn(&decided(0..6, prior), prior).unwrap();
    for number in 30..50 {
        let (cuts, doubt) = propose(number, &learned.profile);
        assert_eq!(cuts, book(number).1, "book {number}");
        assert!(doubt < 0.3, "{doubt} of book {number}");
    }
}

#[test]
fn what_was_learned_comes_back_from_its_file() {
    let prior = Profile::generic();
    let learned = learn(&decided(0..5, prior), prior).unwrap().profile;
    let back = Profile::parse(&learned.to_tsv()).unwrap();
    assert_eq!(back.landmarks, learned.landmarks);
    assert_eq!(
        (back.scope, back.loss_cost),
        (learned.scope, learned.loss_cost)
    );
    assert!(back.is_learned() && !Profile::generic().is_learned());
    for number in 30..40 {
        assert_eq!(propose(number, &back).0, propose(number, &learned).0);
    }
    for (line, wrong) in [
        ("landmark\tmiddle:books\t3", "middle:books"),
        ("landmark\tstart:cut:zz:at-cut\t3", "start:cut:zz"),
        ("landmark\tstart:cut:fffffffffff:at-cut\t3", "fffffffffff"),
        ("landmark\tstart:cut:01:often\t3", "often"),
    ] {
        let error = Profile::parse(&format!("end\tfact\tweight\n{line}\n")).unwrap_err();
        assert!(format!("{error:#}").contains(wrong), "{error:#}");
    }
}

#[test]
fn the_order_of_the_decisions_and_the_number_of_threads_change_nothing() {
    let prior = Profile::generic();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let decided = decided([4, 1, 3, 0, 2, 7], prior);
        let learned = pool.unwrap().install(|| learn(&decided, prior).unwrap());
        learned.profile.to_tsv()
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn a_decided_book_teaches_nothing_about_itself() {
    let prior = Profile::generic();
    let judge = |lie: bool| {
        let mut books = decided(0..8, prior);
        if lie {
            books[0].example.label_positions = [Some(0), Some(0)];
        }
        let learned = learn(&books, prior).unwrap();
        let own = &learned.fold_profiles[learned.fold_of[0]];
        // Landmarks and weights of its fold; how strictly, and how surely, is chosen by all decided books.
        (own.landmarks.clone(), learned.profile.landmarks.clone())
    };
    let (honest, all) = judge(false);
    let (lied, all_lied) = judge(true);
    assert_eq!(honest, lied);
    assert_ne!(all, all_lied);
}

#[test]
fn too_few_books_and_contradictions_are_no_failure() {
    let prior = Profile::generic();
    assert_eq!(learn(&[], prior).unwrap().profile, **prior);
    assert_eq!(learn(&decided([3], prior), prior).unwrap().profile, **prior);
    // Of each layout, one is cut one way and the next the other way.
    let mut books = decided(0..16, prior);
    for (at, book) in books.iter_mut().enumerate() {
        if at / 4 % 2 == 0 {
            let end = End::Start as usize;
            book.example.label_positions[end] = Some(0);
        }
    }
    let learned = learn(&books, prior).unwrap();
    let (_, doubt) = propose(40, &learned.profile);
    assert!(
        doubt > 0.3,
        "two ways to cut one template leave doubt: {doubt}"
    );
}

#[test]
fn the_profile_of_a_library_is_kept_by_books_that_it_cuts_rightly() {
    let prior = Profile::generic();
    let mut known = learn(&decided(0..12, prior), prior).unwrap().profile;
    // The same profile as that of one library.
    known.scope = FactScope::OneLibrary;
    let again = learn(&decided(20..26, &known), &known).unwrap();
    assert!(!again.has_left_prior);
    assert_eq!(again.profile.ends, known.ends);
}
