//! `endpaper sample` as a user runs it: plans, draws, certificates, refusals.

use std::fs;
use std::process::Output;

use crate::support::{Home, stderr};
use endpaper_detect::Cuts;
use endpaper_evaluate::sample::BookSample;
use endpaper_text::corpus::BookText;
use endpaper_truth::{Record, Review, SourceFacts, Store, StoredRecord, Verdict};

/// A licence of 12 lines that ends with a marker, a blank line, 40 lines of the book, and an end marker.
fn book(number: usize) -> String {
    let body = (15..=54)
        .map(|line| format!("Book {number} says in line {line} what no other book says.\n"));
    let licence = (1..=12).map(|line| format!("Line {line} of a licence that stands in all.\n"));
    licence
        .chain(["*** START OF THIS PROJECT GUTENBERG EBOOK ***\n\n".to_owned()])
        .chain(body)
        .chain(["\n*** END OF THIS PROJECT GUTENBERG EBOOK ***\n".to_owned()])
        .collect()
}

/// The right cuts of [`book`].
const RIGHT: Cuts = Cuts {
    preamble_end: 13,
    epilogue_start: Some(56),
};

fn corpus(books: usize) -> Home {
    let home = Home::new();
    for number in 0..books {
        home.write(format!("books/{number:03}.txt"), book(number));
    }
    home
}

fn run(home: &Home, arguments: &str) -> Output {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    home.endpaper(&arguments).output().unwrap()
}

#[track_caller]
fn fine(home: &Home, arguments: &str) -> String {
    let output = run(home, arguments);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{arguments}: {}",
        stderr(&output)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn refused(home: &Home, arguments: &str, reasons: &[&str]) {
    let output = run(home, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments}");
    for reason in reasons {
        assert!(
            stderr(&output).contains(reason),
            "{arguments}: {}",
            stderr(&output)
        );
    }
}

fn sample(home: &Home) -> BookSample {
    let text = fs::read_to_string(home.work().join("sample.yaml")).unwrap();
    BookSample::parse(&text).unwrap()
}

/// Adds a review as the screen writes it.
fn review(home: &Home, id: &str, drawn: &str, verdict: Verdict, cuts: Cuts) {
    review_in(home, "truth", id, drawn, verdict, cuts);
}

fn review_in(home: &Home, truth: &str, id: &str, drawn: &str, verdict: Verdict, cuts: Cuts) {
    let store = Store::open(&home.work().join(truth)).unwrap();
    let text = BookText::new(fs::read(home.work().join("books").join(id)).unwrap());
    let (found, known) = store.load(id).unwrap();
    let mut record = match found {
        StoredRecord::Record(record) => *record,
        _ => Record::new(id, SourceFacts::of(&text)),
    };
    record.add_review(Review {
        by: "ms".to_owned(),
        at: format!("2026-11-2{}T03:00:00Z", record.reviews.len() + 1),
        drawn: drawn.to_owned(),
        blind: true,
        verdict,
        cuts,
        ..Review::default()
    });
    store.save(&record, &known).unwrap();
}

const DRAW: &str = "sample draw books --out sample.yaml --seed 7 -q --bad 20%";
const CERTIFY: &str =
    "sample certify books --sample sample.yaml --truth truth -q --detector gap --model built-in";

#[test]
fn plans_are_printed_and_those_that_cannot_be_met_refused() {
    let home = corpus(3);
    let text = fine(&home, "sample plan --population 1000 --bad 1%");
    assert!(text.contains("258 to look at"), "{text}");
    assert!(text.contains("  accept  look at"), "{text}");
    assert!(text.lines().count() == 8, "{text}");
    let text = fine(&home, "sample plan --population 60000 --sequential");
    assert!(
        text.contains("  0     145 books") || text.contains("145 books"),
        "{text}"
    );
    assert!(fine(&home, "sample plan books --bad 50%").starts_with("3 books: "));
    refused(
        &home,
        "sample plan books --accept 1",
        &["accept fewer", "higher limit"],
    );
    refused(
        &home,
        "sample plan --population 100 --sequential",
        &["too few for this plan"],
    );
    refused(
        &home,
        "sample plan --population 9 --bad 3",
        &["such as 0.02 or 2%"],
    );
    refused(
        &home,
        "sample plan --population 9 --sequential --good 5%",
        &["--good must be less than --bad"],
    );
}

#[test]
fn the_same_seed_draws_the_same_books_and_nothing_is_written_over() {
    let home = corpus(30);
    let said = fine(&home, DRAW);
    let first = sample(&home);
    assert!(
        said.contains(&first.digest()) && said.contains("seed 7"),
        "{said}"
    );
    // 20 % of 30 books are 6: the probability that none of 12 is bad is C(24, 12) / C(30, 12) = 3 %.
    assert_eq!((first.books.len(), first.population), (11, 30));
    refused(&home, DRAW, &["'sample.yaml' exists; ", "--force"]);
    fine(&home, &format!("{DRAW} --force"));
    assert_eq!(sample(&home), first);
    fine(&home, &format!("{DRAW} --force --size 5"));
    assert_eq!(sample(&home).books[..], first.books[..5]);
    let all = |(by, stored): (&str, &str)| {
        fine(&home, &format!("{DRAW} --force --by {by}"));
        let sample = sample(&home);
        assert_eq!(sample.by, stored);
        let drawn: u64 = sample.strata.iter().map(|stratum| stratum.drawn).sum();
        assert_eq!(drawn, sample.books.len() as u64);
    };
    // Files keep the former name of producers.
    let parts = [
        ("era", "era"),
        ("producer", "hand"),
        ("template", "template"),
    ];
    parts.into_iter().for_each(all);
    refused(
        &home,
        &format!("{DRAW} --force --size 31"),
        &["30 that can be drawn"],
    );
}

#[test]
fn a_certificate_says_what_the_sample_shows() {
    let home = corpus(30);
    fine(&home, DRAW);
    let sample = sample(&home);
    fs::create_dir(home.work().join("truth")).unwrap();
    for (at, book) in sample.books.iter().enumerate() {
        let missing = format!("{} of 11 books", 11 - at);
        if at % 5 == 0 {
            refused(&home, CERTIFY, &[&missing, "not reviewed yet", &book.id]);
        }
        // Decisions in the order of a queue are not evidence for the rest.
        if at == 3 {
            review(&home, &book.id, "doubt", Verdict::Confirmed, RIGHT);
            refused(
                &home,
                CERTIFY,
                &["1 of them were reviewed otherwise", &book.id],
            );
        }
        review(
            &home,
            &book.id,
            &sample.review_tag(),
            Verdict::Confirmed,
            RIGHT,
        );
    }
    let text = fine(&home, &format!("{CERTIFY} --out c.yaml"));
    assert!(
        text.contains("**accepted.** 11 books drawn at random, 0 bad, so at most 16.67 % of this release is bad at 95 %."),
        "{text}"
    );
    refused(
        &home,
        &format!("{CERTIFY} --out c.yaml"),
        &["' exists; ", "--force"],
    );
    fine(&home, &format!("{CERTIFY} --out c.yaml --force"));
    for word in [
        &sample.corpus,
        &sample.digest(),
        "seed 7",
        "2026-11-21T03:00:00Z to 2026-11-22T03:00:00Z by ms",
        "1 book had been decided by a curator before",
        "not measured",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let yaml = fs::read_to_string(home.work().join("c.yaml")).unwrap();
    let yaml: serde_json::Value = serde_yaml::from_str(&yaml).unwrap();
    assert_eq!(yaml["verdict"], "accepted");
    assert_eq!(yaml["bounds"]["loss"]["at_most"], 5);
    assert_eq!(yaml["weights"], serde_json::Value::Null);
    // One bad book too many by the last review: two lines of boilerplate remain.
    let id = &sample.books[0].id;
    let cuts = Cuts {
        preamble_end: 16,
        ..RIGHT
    };
    review(&home, id, &sample.review_tag(), Verdict::Corrected, cuts);
    let output = run(&home, CERTIFY);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("**rejected.** 11 books drawn at random, 1 bad"),
        "{text}"
    );
    assert!(
        text.contains("| loss | 0 of 11 |") && text.contains("| leak | 1 of 11 |"),
        "{text}"
    );
    assert!(
        text.contains(&format!("- `{id}`: 0 lines lost, 2 left")),
        "{text}"
    );
    // A blind second look that differs widens the bounds.
    review(&home, id, "again", Verdict::Corrected, RIGHT);
    let text = run(&home, CERTIFY).stdout;
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(text.contains("1 of 1 blind second looks differ"), "{text}");
}

/// The tolerance is fixed before the first review.
#[test]
fn lines_that_are_tolerated_are_drawn_with_the_sample() {
    let home = corpus(30);
    fs::create_dir(home.work().join("truth")).unwrap();
    for (leak, code) in [(1, 1), (2, 0)] {
        fine(&home, &format!("{DRAW} --force --tolerate-leak {leak}"));
        let sample = sample(&home);
        assert_eq!(sample.tolerated, [0, leak]);
        for (at, book) in sample.books.iter().enumerate() {
            let cuts = match at {
                0 => Cuts {
                    preamble_end: 16,
                    ..RIGHT
                },
                _ => RIGHT,
            };
            review_in(
                &home,
                &format!("truth{leak}"),
                &book.id,
                &sample.review_tag(),
                Verdict::Corrected,
                cuts,
            );
        }
        let certify = CERTIFY.replace("--truth truth", &format!("--truth truth{leak}"));
        assert_eq!(run(&home, &certify).status.code(), Some(code), "{leak}");
    }
}

#[test]
fn planted_books_measure_who_looks_and_count_for_nothing_else() {
    let home = corpus(30);
    let planting = format!("{DRAW} --truth truth --controls");
    refused(&home, &format!("{planting} 3"), &["'truth' does not exist"]);
    // At least three of these are not in the sample, whatever is drawn.
    for number in 0..14 {
        let id = format!("{number:03}.txt");
        review(&home, &id, "doubt", Verdict::Corrected, RIGHT);
    }
    refused(
        &home,
        &format!("{planting} 15"),
        &["--controls 15 needs", "use fewer controls"],
    );
    let said = fine(&home, &format!("{planting} 3"));
    assert!(
        said.contains("3 books of known cuts are among them"),
        "{said}"
    );
    let sample = sample(&home);
    assert_eq!((sample.books.len(), sample.controls.len()), (11, 3));
    assert_eq!(sample.sitting().len(), 14);
    for book in &sample.books {
        review(
            &home,
            &book.id,
            &sample.review_tag(),
            Verdict::Confirmed,
            RIGHT,
        );
    }
    for (at, book) in sample.controls.iter().enumerate() {
        let missing = format!("{} of 14 books", 3 - at);
        refused(&home, CERTIFY, &[&missing, &book.id]);
        // In the first book, two lines of boilerplate were taken for the body.
        let start = if at == 0 { 11 } else { 13 };
        let cuts = Cuts {
            preamble_end: start,
            ..RIGHT
        };
        review(
            &home,
            &book.id,
            &sample.review_tag(),
            Verdict::Corrected,
            cuts,
        );
    }
    let text = fine(&home, &format!("{CERTIFY} --out c.yaml"));
    assert!(
        text.contains("11 books drawn at random, 0 bad, so at most 16.67 %"),
        "{text}"
    );
    assert!(
        text.contains("1 of 3 control books were found to begin or end elsewhere"),
        "{text}"
    );
    // A third of 11, rounded up, may have been missed.
    let yaml = fs::read_to_string(home.work().join("c.yaml")).unwrap();
    let yaml: serde_json::Value = serde_yaml::from_str(&yaml).unwrap();
    assert_eq!(yaml["planted"]["differ"], 1);
    assert_eq!(yaml["planted"]["of"], 3);
    assert_eq!(yaml["bounds"]["wrong"]["at_most"], 5);
    let widened = endpaper_evaluate::max_bad(
        30,
        endpaper_evaluate::Proportion { hits: 4, total: 11 },
        0.95,
    );
    assert_eq!(yaml["bounds"]["wrong"]["widened"], widened.unwrap());
}

/// Weights fitted to the reviews of a sample do better on it than on the rest.
#[test]
fn weights_that_were_fitted_to_the_sample_are_refused() {
    let home = corpus(30);
    fine(&home, DRAW);
    let sample = sample(&home);
    for book in &sample.books {
        review(
            &home,
            &book.id,
            &sample.review_tag(),
            Verdict::Confirmed,
            RIGHT,
        );
    }
    let certify = CERTIFY.replace("--detector gap", "--profile weights.tsv");
    let all: Vec<String> = (0..30)
        .map(|number| {
            format!(
                "{:016x}",
                endpaper_text::checksum::crc64(book(number).as_bytes())
            )
        })
        .collect();
    let drawn: Vec<String> = sample.books.iter().map(|book| book.crc.clone()).collect();
    let shipped = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/endpaper-detect/src/posterior/gutenberg.profile"
    ));
    let shipped = shipped.unwrap();
    for (known, refusal) in [(&drawn[..], true), (&drawn[..1], false), (&all[..], false)] {
        let lines = shipped.lines().filter(|line| {
            !line.starts_with("fitted-to\t") && !line.starts_with("profile\tlines\t")
        });
        let mut lines: Vec<String> = lines.map(str::to_owned).collect();
        lines.extend(known.iter().map(|crc| format!("fitted-to\t{crc}\t1")));
        home.write("weights.tsv", lines.join("\n") + "\n");
        let output = run(&home, &certify);
        let said = stderr(&output);
        assert_eq!(
            said.contains("cannot certify weights that were fitted to it"),
            refusal,
            "{said}"
        );
        assert_eq!(output.status.code() == Some(2), refusal, "{said}");
    }
}

#[test]
fn a_sample_of_another_corpus_is_refused() {
    let home = corpus(30);
    fine(&home, DRAW);
    let sample = sample(&home);
    fs::create_dir(home.work().join("truth")).unwrap();
    home.write("books/extra.txt", book(99));
    refused(
        &home,
        CERTIFY,
        &[
            "another corpus",
            "draw a new sample",
            "unchanged, others are not",
        ],
    );
    fs::remove_file(home.work().join("books/extra.txt")).unwrap();
    home.write(format!("books/{}", sample.books[1].id), "Another text.\n");
    fs::remove_file(home.work().join("books").join(&sample.books[2].id)).unwrap();
    let changed = format!("'{}' has changed", sample.books[1].id);
    let missing = format!("'{}' is missing", sample.books[2].id);
    refused(&home, CERTIFY, &[&changed, &missing]);
    home.write("sample.yaml", "schema: 1\n");
    refused(
        &home,
        CERTIFY,
        &["'sample.yaml' cannot be used", "endpaper sample draw"],
    );
}

#[test]
fn a_sequential_plan_may_decide_before_its_end() {
    let home = corpus(40);
    let draw = "sample draw books --out sample.yaml --seed 1 -q --sequential --good 5% --bad 40%";
    fine(&home, draw);
    let sample = sample(&home);
    let mut looked = 0;
    let text = loop {
        review(
            &home,
            &sample.books[looked].id,
            &sample.review_tag(),
            Verdict::Confirmed,
            RIGHT,
        );
        looked += 1;
        let output = run(&home, CERTIFY);
        match output.status.code() {
            Some(0) => break String::from_utf8(output.stdout).unwrap(),
            code => assert_eq!(code, Some(2), "{}", stderr(&output)),
        }
    };
    // ln(19) / ln(0.95 / 0.6) = 6.4 good books.
    assert_eq!(looked, 7);
    assert!(text.contains("accepted by a sequential test"), "{text}");
}
