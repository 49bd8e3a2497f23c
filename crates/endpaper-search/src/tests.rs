//! Tests with whole indexes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use tempfile::TempDir;

use super::folder::IndexFolder;
use super::words::WordPositions;
use super::*;
use endpaper_text::corpus::BookText;

/// A folder with an index of `books`.
fn indexed(books: impl IntoIterator<Item = IndexDocument>) -> (TempDir, SearchIndex) {
    let folder = tempfile::tempdir().unwrap();
    let index = SearchIndex::create(&folder.path().join("index")).unwrap();
    put(&index, books);
    (folder, index)
}

fn put(index: &SearchIndex, books: impl IntoIterator<Item = IndexDocument>) {
    let writer = index.writer(1).unwrap();
    for book in books {
        writer.put(book).unwrap();
    }
    writer.finish().unwrap();
    index.reload().unwrap();
}

fn book(id: &str, text: &str) -> IndexDocument {
    IndexDocument::new(id, BookText::new(text.as_bytes().to_vec()))
}

/// Ids of all hits, in the order of the ids.
fn found(index: &SearchIndex, query: &str, reading: &QueryOptions) -> Vec<String> {
    let query = Query::read(query, reading).unwrap();
    let hits = index.find(&query, 100).unwrap();
    assert_eq!(hits.total, hits.hits.len());
    let ids: BTreeSet<String> = hits.hits.into_iter().map(|hit| hit.book).collect();
    ids.into_iter().collect()
}

/// Queries for all words in some parts.
fn only_in(parts: &[BookPart]) -> QueryOptions {
    QueryOptions {
        parts: parts.to_vec(),
        ..QueryOptions::default()
    }
}

fn default(index: &SearchIndex, query: &str) -> String {
    found(index, query, &QueryOptions::default()).join(" ")
}

/// The one hit of a query.
fn only(index: &SearchIndex, query: &str) -> SearchHit {
    let query = Query::read(query, &QueryOptions::default()).unwrap();
    let mut hits = index.find(&query, 10).unwrap();
    assert_eq!(hits.total, 1);
    hits.hits.remove(0)
}

fn shelf() -> Vec<IndexDocument> {
    let emma = "The Project Gutenberg EBook of Emma\nscanned by Volunteers\nEMMA\nCHAPTER I\nEmma Woodhouse, handsome, \
                clever\nand rich.\nEnd of the EBook\nlicence\n";
    let faust = "Faust\nHabe nun, ach! Philosophie,\nH\u{e4}user und Stra\u{df}en\ndas Gift, der Gaul sang\n";
    let moby = "Moby Dick\nCHAPTER 1. Loomings\nCall me Ishmael.\nCHAPTER 2\nWhales! The white\nwhale, the whale\u{2019}s \
                tail.\nThey sang of the universities.\n";
    vec![
        IndexDocument {
            title: Some("Emma".to_owned()),
            authors: vec!["Jane Austen".to_owned()],
            other_people: vec!["R. Brimley Johnson".to_owned()],
            number: Some(158),
            language: Language::English,
            chapters: vec![Chapter {
                line: 4,
                title: "Chapter 1".to_owned(),
            }],
            preamble_end: 2,
            epilogue_start: Some(7),
            ..book("emma.txt", emma)
        },
        IndexDocument {
            title: Some("Faust: Eine Trag\u{f6}die".to_owned()),
            authors: vec!["Johann Wolfgang von Goethe".to_owned()],
            isbns: vec!["978-3-15-000001-4".to_owned()],
            published: Some(1808),
            language: Language::German,
            ..book("faust.txt", faust)
        },
        IndexDocument {
            title: Some("Moby Dick; or The Whale".to_owned()),
            authors: vec!["Herman Melville".to_owned(), "Jane Doe".to_owned()],
            published: Some(1851),
            released: Some(2001),
            language: Language::English,
            chapters: vec![
                Chapter {
                    line: 2,
                    title: "Chapter 1. Loomings".to_owned(),
                },
                Chapter {
                    line: 4,
                    title: "Chapter 2".to_owned(),
                },
            ],
            ..book("moby.txt", moby)
        },
    ]
}

#[test]
fn queries_find_what_they_say() {
    let (_folder, index) = indexed(shelf());
    let table = [
        ("whale", "moby.txt"),
        ("WHALES", "moby.txt"),
        ("\"white whale\"", "moby.txt"),
        ("\"whale white\"", ""),
        ("white-whale", "moby.txt"),
        ("\"whale tail\"", "moby.txt"),
        ("handsome whale", ""),
        ("handsome OR whale", "emma.txt moby.txt"),
        ("jane", "emma.txt moby.txt"),
        ("jane -whale", "emma.txt"),
        ("author:johnson", "emma.txt"),
        ("title:emma", "emma.txt"),
        ("title:whale", "moby.txt"),
        ("title:handsome", ""),
        ("chapter:loomings", "moby.txt"),
        ("body:loomings", "moby.txt"),
        ("id:158", "emma.txt"),
        ("158", "emma.txt"),
        ("isbn:9783150000014", "faust.txt"),
        ("isbn:978-3-15-000001-4", "faust.txt"),
        // The stems of the book's language, and only these.
        ("Haus", "faust.txt"),
        ("strasse", "faust.txt"),
        ("tragodie", "faust.txt"),
        ("university", "moby.txt"),
        ("sang", "faust.txt moby.txt"),
        ("sang language:german", "faust.txt"),
        ("sang NOT language:german", "moby.txt"),
        // Years of books that have one.
        ("date:1851", "moby.txt"),
        ("date:1808..1850", "faust.txt"),
        ("date:1808..", "faust.txt moby.txt"),
        ("date:2001", ""),
        ("released:2001", "moby.txt"),
        ("sang -date:..1850", "moby.txt"),
        // Boilerplate is not searched unless it is asked for.
        ("gutenberg", ""),
        ("licence", ""),
        ("preamble:gutenberg", "emma.txt"),
        ("epilogue:licence", "emma.txt"),
        ("preamble:licence", ""),
        // Phrases do not span two names.
        ("\"melville jane\"", ""),
        ("\"herman melville\"", "moby.txt"),
    ];
    for (query, expected) in table {
        assert_eq!(default(&index, query), expected, "{query}");
    }
    let reading = QueryOptions {
        any: true,
        parts: vec![BookPart::Preamble, BookPart::Epilogue],
        ..QueryOptions::default()
    };
    assert_eq!(
        found(&index, "licence scanned whale", &reading),
        ["emma.txt"]
    );
    assert_eq!(found(&index, "handsome", &reading), [""; 0]);
}

#[test]
fn a_hit_has_its_line_its_chapter_and_its_text() {
    let (_folder, index) = indexed(shelf());
    let text = |at: usize| shelf().remove(at).text;
    let hit = only(&index, "\"white whale\"");
    let place = hit.position.clone().unwrap();
    assert_eq!((place.line, place.part), (5, BookPart::Body));
    assert_eq!(place.chapter.unwrap().title, "Chapter 2");
    assert_eq!(hit.authors, ["Herman Melville", "Jane Doe"]);
    let HitExcerpt::Text { text: shown, marks } = excerpt(&hit, &text(2)) else {
        panic!("no text");
    };
    assert_eq!(
        shown,
        "Whales! The white whale, the whale\u{2019}s tail. They sang of the universities."
    );
    let marked: Vec<&str> = marks.into_iter().map(|mark| &shown[mark]).collect();
    assert_eq!(marked, ["Whales", "white", "whale", "whale"]);

    assert_eq!(excerpt(&hit, &text(1)), HitExcerpt::Changed);

    let hit = only(&index, "preamble:scanned");
    let place = hit.position.unwrap();
    assert_eq!(
        (place.line, place.part, place.chapter),
        (2, BookPart::Preamble, None)
    );
    // A word that only the title has is in no line.
    let hit = only(&index, "tragodie");
    assert_eq!((hit.position, hit.book.as_str()), (None, "faust.txt"));
}

#[test]
fn a_title_weighs_more_than_a_mention() {
    let filler = "nothing of it here\n".repeat(50);
    let mention = book("a.txt", &format!("{filler}a whale, a whale\n"));
    let title = IndexDocument {
        title: Some("The Whale".to_owned()),
        ..book("b.txt", &format!("{filler}one whale\n"))
    };
    let (_folder, index) = indexed([mention, title, book("c.txt", &filler)]);
    let query = Query::read("whale", &QueryOptions::default()).unwrap();
    let hits = index.find(&query, 1).unwrap();
    assert_eq!((hits.total, hits.books), (2, 3));
    assert_eq!(hits.hits[0].book, "b.txt");
}

/// Ids of the best books, best first, with their scores.
fn ranked(index: &SearchIndex, query: &str, ranking: Ranking) -> Vec<(String, f32)> {
    let options = QueryOptions {
        any: true,
        parts: vec![BookPart::Title, BookPart::Body],
        ranking,
    };
    let hits = index.find(&Query::read(query, &options).unwrap(), 10);
    let hits = hits.unwrap().hits.into_iter();
    hits.map(|hit| (hit.book, hit.score)).collect()
}

#[test]
fn tf_idf_is_the_formula_of_the_paper() {
    // Fifty books, so that the lengths of fields are stored exactly and terms are rare.
    let filler = |words: usize| "nothing ".repeat(words);
    let mut books = vec![
        book("a.txt", &format!("whale whale whale {}", filler(9))),
        book("b.txt", &format!("whale shark shark whale {}", filler(12))),
        IndexDocument {
            title: Some("The Whale".to_owned()),
            ..book("c.txt", &filler(10))
        },
    ];
    books.extend((0..47).map(|at| book(&format!("{at}.txt"), &filler(10))));
    let (_folder, index) = indexed(books);
    let idf = |books: f32| (1.0 + (50.0 - books + 0.5) / (books + 0.5)).ln();
    let score = |weight: f32, frequency: f32, length: f32, books: f32| {
        weight * (frequency / length).sqrt() * idf(books).powi(2)
    };
    // Two bodies have `whale`; in titles a word counts as at least as frequent.
    let expected = [
        ("c.txt", score(3.0, 1.0, 2.0, 2.0)),
        ("a.txt", score(1.0, 3.0, 12.0, 2.0)),
        ("b.txt", score(1.0, 2.0, 16.0, 2.0)),
    ];
    let hits = ranked(&index, "whale", Ranking::TfIdf);
    assert_eq!(hits.len(), expected.len());
    for ((found, score), (id, wanted)) in hits.iter().zip(expected) {
        assert_eq!(found, id);
        assert!(
            (score / wanted - 1.0).abs() < 0.01,
            "{id}: {score} {wanted}"
        );
    }
    let both = ranked(&index, "whale shark", Ranking::TfIdf)
        .into_iter()
        .find(|(id, _)| id == "b.txt");
    let wanted = score(1.0, 2.0, 16.0, 2.0) + score(1.0, 2.0, 16.0, 1.0);
    assert!((both.unwrap().1 / wanted - 1.0).abs() < 0.01);
}

#[test]
fn references_are_not_what_a_book_is_about() {
    let text = "a preamble of Knuth\nSorting\nand searching\nREFERENCES\n[1] Knuth, D. E.\nThe Art\nMore of searching\n\
                SOURCES\n[1] Hoare\nThe end\nKnuth again\n";
    let citing = IndexDocument {
        preamble_end: 1,
        epilogue_start: Some(11),
        references: vec![(4, 6), (8, 9), (11, 11)],
        ..book("citing.txt", text)
    };
    let by = IndexDocument {
        authors: vec!["Donald Knuth".to_owned()],
        ..book("by.txt", "Sorting\n")
    };
    let (_folder, index) = indexed([citing, by]);
    assert_eq!(default(&index, "knuth"), "by.txt");
    assert_eq!(default(&index, "body:knuth OR body:hoare"), "");
    assert_eq!(default(&index, "references:knuth"), "citing.txt");
    let cited = only_in(&[BookPart::References]);
    assert_eq!(found(&index, "hoare art", &cited), ["citing.txt"]);
    // Boilerplate is no list of references.
    assert_eq!(default(&index, "references:again"), "");
    assert_eq!(default(&index, "epilogue:again"), "citing.txt");
    for (query, line, part) in [
        ("references:knuth", 5, BookPart::References),
        ("references:hoare", 9, BookPart::References),
        ("searching", 3, BookPart::Body),
        ("\"more of searching\"", 7, BookPart::Body),
        ("\"the end\"", 10, BookPart::Body),
        ("preamble:knuth", 1, BookPart::Preamble),
        ("epilogue:knuth", 11, BookPart::Epilogue),
    ] {
        let place = only(&index, query).position.unwrap();
        assert_eq!((place.line, place.part), (line, part), "{query}");
    }
}

#[test]
fn words_side_by_side_come_first() {
    let filler = "nothing of it here\n".repeat(50);
    let apart = format!("steam\n{filler}engine\n");
    let together = format!("{filler}a steam engine\n");
    let (_folder, index) = indexed([
        book("a.txt", &apart),
        book("b.txt", &together),
        book("c.txt", &filler),
    ]);
    let query = Query::read("steam engine", &QueryOptions::default()).unwrap();
    let hits = index.find(&query, 2).unwrap();
    let order: Vec<&str> = hits.hits.iter().map(|hit| hit.book.as_str()).collect();
    assert_eq!(order, ["b.txt", "a.txt"]);
    assert_eq!(hits.hits[0].position.as_ref().unwrap().line, 51);
}

#[test]
fn books_are_put_replaced_and_removed() {
    let (folder, index) = indexed([book("a", "one"), book("b", "two")]);
    let changed = IndexDocument {
        fingerprint: 7,
        ..book("a", "three")
    };
    let writer = index.writer(2).unwrap();
    writer.put(changed).unwrap();
    writer.remove("b");
    writer.put(book("c", "")).unwrap();
    writer.finish().unwrap();
    // Not seen yet.
    assert_eq!(default(&index, "one"), "a");
    index.reload().unwrap();
    assert_eq!(default(&index, "one"), "");
    assert_eq!(default(&index, "three"), "a");
    assert_eq!(index.books(), 2);
    let again = SearchIndex::open(&folder.path().join("index")).unwrap();
    let prints: BTreeMap<String, u64> = again.fingerprints().unwrap().into_iter().collect();
    assert_eq!(
        prints,
        BTreeMap::from([("a".to_owned(), 7), ("c".to_owned(), 0)])
    );
}

#[test]
fn what_is_written_is_safe_before_the_end() {
    let (folder, index) = indexed([]);
    let writer = index.writer(1).unwrap();
    writer.put(book("a", "one")).unwrap();
    writer.commit().unwrap();
    writer.put(book("b", "two")).unwrap();
    // Killed: nothing is finished.
    drop(writer);
    let again = SearchIndex::open(&folder.path().join("index")).unwrap();
    assert_eq!(
        (default(&again, "one"), default(&again, "two")),
        ("a".to_owned(), String::new())
    );
    put(&again, [book("b", "two")]);
    assert_eq!(default(&again, "two"), "b");
}

#[test]
fn there_is_one_writer_and_any_number_of_readers() {
    let (folder, index) = indexed([book("a", "one")]);
    let _writer = index.writer(1).unwrap();
    let other = SearchIndex::open(&folder.path().join("index")).unwrap();
    assert!(other.has_other_writer());
    assert_eq!(default(&other, "one"), "a");
    assert!(matches!(other.writer(1), Err(IndexProblem::Busy(_))));
    assert!(matches!(
        SearchIndex::create(&folder.path().join("index")),
        Err(IndexProblem::Busy(_))
    ));
}

#[test]
fn who_waits_for_a_writer_goes_on_when_it_has_ended_or_when_told_to() {
    let (_folder, index) = indexed([book("a", "one")]);
    let writer = index.writer(1).unwrap();
    index.wait_for_writer(&AtomicBool::new(true));
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            index.wait_for_writer(&AtomicBool::new(false));
            assert!(ended.load(Ordering::SeqCst));
        });
        std::thread::sleep(Duration::from_millis(100));
        ended.store(true, Ordering::SeqCst);
        drop(writer);
    });
}

/// Opens an index after `harm` was done to its folder.
fn harmed(harm: impl Fn(&Path)) -> Result<SearchIndex, IndexProblem> {
    let (folder, index) = indexed([book("a", "one"), book("b", "two")]);
    drop(index);
    let path = folder.path().join("index");
    harm(&path);
    SearchIndex::open(&path)
}

/// Tantivy's files whose names end in `end`.
fn files(path: &Path, end: &str) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(path.join("index")).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let files: Vec<_> = files
        .filter(|path| path.to_string_lossy().ends_with(end))
        .collect();
    assert!(!files.is_empty());
    files
}

#[test]
fn what_is_no_index_is_named() {
    assert!(harmed(|_| {}).is_ok());
    // Locks of a dead process are not locks.
    let left_over = |path: &Path| {
        fs::write(path.join("lock"), "").unwrap();
        fs::write(path.join("index/.tantivy-writer.lock"), "").unwrap();
    };
    assert!(harmed(left_over).is_ok());

    let missing = harmed(|path| fs::remove_dir_all(path).unwrap());
    assert!(matches!(missing, Err(IndexProblem::Missing(_))));

    for name in ["endpaper-search.json", "index/meta.json"] {
        for text in ["", "{}", "\u{0}"] {
            let broken = harmed(|path| fs::write(path.join(name), text).unwrap());
            assert!(
                matches!(broken, Err(IndexProblem::Broken(_))),
                "{name} {text:?}"
            );
        }
    }
    let half = harmed(|path| fs::remove_dir_all(path.join("index")).unwrap());
    assert!(matches!(half, Err(IndexProblem::Broken(_))));
    for end in [".idx", ".pos", ".term", ".store", ".fast", ".fieldnorm"] {
        let truncated = harmed(|path| {
            for file in files(path, end) {
                let bytes = fs::read(&file).unwrap();
                fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
            }
        });
        assert!(
            matches!(truncated, Err(IndexProblem::Broken(_))),
            "{end} is cut off"
        );
        let flipped = harmed(|path| {
            for file in files(path, end) {
                let mut bytes = fs::read(&file).unwrap();
                bytes[0] ^= 1;
                fs::write(&file, &bytes).unwrap();
            }
        });
        assert!(
            matches!(flipped, Err(IndexProblem::Broken(_))),
            "{end} is another"
        );
    }

    let other = |from: &str, to: &str| {
        let (from, to) = (from.to_owned(), to.to_owned());
        harmed(move |path| {
            let about = path.join("endpaper-search.json");
            let text = fs::read_to_string(&about).unwrap();
            assert!(text.contains(&from), "{text}");
            fs::write(about, text.replace(&from, &to)).unwrap();
        })
    };
    let version = env!("CARGO_PKG_VERSION");
    for (from, to) in [
        (version, "0.0.1"),
        ("\"format\": 3", "\"format\": 4"),
        (tantivy::version_string(), "tantivy v0.1"),
    ] {
        let problem = other(from, to).err().unwrap();
        assert!(
            matches!(problem, IndexProblem::OtherVersion { .. }),
            "{problem}"
        );
        assert!(problem.is_rebuildable());
    }
}

/// Overwrites the second half of a file.
fn spoil(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let half = bytes.len() / 2;
    bytes[half..].fill(0xFF);
    fs::write(file, bytes).unwrap();
}

#[test]
fn files_of_a_killed_writer_are_checked_too() {
    for end in [".idx", ".store", ".fast"] {
        let (folder, index) = indexed([book("a", "one")]);
        let path = folder.path().join("index");
        let known = files(&path, end);
        let writer = index.writer(1).unwrap();
        writer.put(book("b", "two")).unwrap();
        writer.commit().unwrap();
        // Killed: nothing is finished.
        drop(writer);
        drop(index);
        let new: Vec<_> = files(&path, end)
            .into_iter()
            .filter(|file| !known.contains(file))
            .collect();
        assert!(!new.is_empty());
        spoil(&new[0]);
        let opened = SearchIndex::open(&path);
        assert!(matches!(opened, Err(IndexProblem::Broken(_))), "new {end}");
    }
}

#[test]
fn index_that_was_being_asked_when_its_process_ended_is_looked_at_whole() {
    let (folder, index) = indexed([book("a", "one")]);
    drop(index);
    let path = folder.path().join("index");
    fs::write(path.join("asked"), "").unwrap();
    assert!(SearchIndex::open(&path).is_ok());
    assert!(!path.join("asked").exists());
}

#[test]
fn index_that_was_found_damaged_is_not_asked_again() {
    let (folder, index) = indexed([book("a", "one")]);
    let path = folder.path().join("index");
    IndexFolder::new(&path).mark_damaged();
    assert!(matches!(
        SearchIndex::open(&path),
        Err(IndexProblem::Broken(_))
    ));
    drop(index);
    let (new, problem) = SearchIndex::open_or_create(&path).unwrap();
    assert!(matches!(problem, Some(IndexProblem::Broken(_))));
    assert_eq!(new.books(), 0);
    assert!(SearchIndex::open(&path).is_ok());
}

#[test]
fn a_new_index_takes_the_place_of_an_index_only() {
    let (folder, index) = indexed([book("a", "one")]);
    let path = folder.path().join("index");
    fs::write(path.join("endpaper-search.json"), "nothing").unwrap();
    let new = SearchIndex::create(&path).unwrap();
    assert_eq!((new.books(), default(&new, "one")), (0, String::new()));
    // A process that has the old index open can still read it, or gets an error.
    if let Ok(hits) = index.find(&Query::read("one", &QueryOptions::default()).unwrap(), 1) {
        assert_eq!(hits.total, 1);
    }

    let others = folder.path().join("letters");
    fs::create_dir(&others).unwrap();
    fs::write(others.join("to-a-friend.txt"), "Dear friend").unwrap();
    assert!(matches!(
        SearchIndex::create(&others),
        Err(IndexProblem::Foreign(_))
    ));
    assert!(matches!(
        SearchIndex::open(&others),
        Err(IndexProblem::Foreign(_))
    ));
    assert_eq!(fs::read_dir(&others).unwrap().count(), 1);
}

/// Whether the words occur in a text one after another.
fn has(text: &str, phrase: &[&str]) -> bool {
    let words: Vec<&str> = WordPositions::of(text).map(|word| &text[word]).collect();
    words.windows(phrase.len()).any(|window| window == phrase)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Compares the index with a naive search through the texts.
    #[test]
    fn all_words_any_words_and_phrases_are_found(
        texts in prop::collection::vec("([a-e][ \n,]{1,2}){0,25}", 1..8),
        queries in prop::collection::vec(prop::collection::vec("[a-f]", 1..4), 1..12),
    ) {
        let books = texts.iter().enumerate().map(|(at, text)| book(&at.to_string(), text));
        let (_folder, index) = indexed(books);
        let parts = vec![BookPart::Body];
        let (all, any) = (only_in(&parts), QueryOptions { any: true, ..only_in(&parts) });
        let expected = |matches: &dyn Fn(&str) -> bool| -> Vec<String> {
            let numbered = texts.iter().enumerate().filter(|(_, text)| matches(text));
            numbered.map(|(at, _)| at.to_string()).collect()
        };
        for query in &queries {
            let words: Vec<&str> = query.iter().map(String::as_str).collect();
            let joined = words.join(" ");
            let with_all = expected(&|text| words.iter().all(|word| has(text, &[word])));
            prop_assert_eq!(found(&index, &joined, &all), with_all);
            let with_any = expected(&|text| words.iter().any(|word| has(text, &[word])));
            prop_assert_eq!(found(&index, &joined, &any), with_any);
            let phrase = format!("\"{joined}\"");
            prop_assert_eq!(found(&index, &phrase, &all), expected(&|text| has(text, &words)));
            let without = format!("{} -{phrase} OR c", words[0]);
            let with_first = expected(&|text| has(text, &words[..1]) && !has(text, &words) || has(text, &["c"]));
            prop_assert_eq!(found(&index, &without, &all), with_first);
        }
    }

    /// The line of a hit has one of its words.
    #[test]
    fn a_hit_is_in_a_line_with_a_word_of_it(text in "([a-e][ \n,]{1,3}){1,80}", word in "[a-e]", cut in 0u32..10, cited in 0u32..10) {
        let document = IndexDocument { preamble_end: cut, references: vec![(cut + 1, cut + cited)], ..book("a", &text) };
        let lines = document.text.clone();
        let (_folder, index) = indexed([document]);
        let reading = only_in(BookPart::TEXT);
        let hits = index.find(&Query::read(&word, &reading).unwrap(), 1).unwrap();
        prop_assert_eq!(hits.total == 1, has(&text, &[&word]));
        for hit in hits.hits {
            let place = hit.position.unwrap();
            prop_assert!(has(&lines.display(place.line, 1000), &[&word]));
            prop_assert_eq!(place.part == BookPart::Preamble, place.line <= cut);
            prop_assert_eq!(place.part == BookPart::References, (cut + 1..=cut + cited).contains(&place.line));
        }
    }
}
