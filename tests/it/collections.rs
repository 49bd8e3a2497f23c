//! Collections that no profile knows: learning from decided books, the same cuts in every encoding, and no word that
//! decides alone.

use std::collections::HashMap;
use std::fs;

use crate::support::{Home, fine, stderr};

/// A book of a made collection: a header of fields whose last line is the same in all books, a body, and a colophon.
pub fn book(number: usize) -> String {
    let mut text = format!("== record {number} ==\ntitle: the {number} th volume\n");
    for field in 0..number % 4 {
        text += &format!("field {field}: {}\n", number * 7 + field);
    }
    text += "==end of record==\n\n";
    for line in 0..20 + number % 5 {
        text += &format!("line {line} of story {number} says what no other line says\n");
        if line % 6 == 5 {
            text += "\n";
        }
    }
    text + &format!("\nprinted from edition {number}\n{}\n", 1900 + number)
}

/// First and last line of its body.
fn body(number: usize) -> (u64, u64) {
    let text = book(number);
    let of_body = |line: &&str| line.starts_with("line ") || line.contains("; line ");
    let first = text.lines().position(|line| of_body(&line)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.iter().rposition(of_body).unwrap();
    (first as u64 + 1, last as u64 + 1)
}

/// The number of books of the collection.
pub const BOOKS: usize = 40;

/// A home with the collection in `books`.
pub fn collection() -> Home {
    let home = Home::new();
    for number in 1..=BOOKS {
        home.write(format!("books/book-{number}.txt"), book(number));
    }
    home
}

/// Writes records of the first `count` books into `truth`.
pub fn decide(home: &Home, count: usize) {
    let mut table = "book\tbody_first\tbody_last\n".to_owned();
    for number in 1..=count {
        let (first, last) = body(number);
        table += &format!("book-{number}.txt\t{first}\t{last}\n");
    }
    home.write("given.tsv", table);
    let import = ["truth", "import", "given.tsv", "books", "--truth", "truth"];
    home.endpaper(&import).assert().success();
}

/// Preamble end and epilogue start of every book, and its doubt.
pub fn detect(home: &Home, further: &[&str]) -> HashMap<String, (u64, u64, String)> {
    let arguments = [&["detect", "books", "--quiet", "--format", "tsv"], further].concat();
    let output = fine(&home.endpaper(&arguments).output().unwrap());
    let rows = output.lines().skip(1).map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let number = |at: usize| cells[at].parse().unwrap();
        (
            cells[0].to_owned(),
            (number(2), number(3), cells[4].to_owned()),
        )
    });
    rows.collect()
}

fn is_right(number: usize, found: &(u64, u64, String)) -> bool {
    let (first, last) = body(number);
    // Blank lines around a cut carry no meaning.
    let (text, end) = (book(number), found.1 as usize);
    let blank = |from: usize, to: usize| {
        let lines = text.lines().skip(from).take(to.saturating_sub(from));
        lines.into_iter().all(str::is_empty)
    };
    found.0 < first
        && blank(found.0 as usize, first as usize - 1)
        && end > last as usize
        && blank(last as usize, end - 1)
}

#[test]
fn ten_decided_books_teach_a_collection_that_no_profile_knows() {
    let home = collection();
    let before = home.endpaper(&["detect", "books"]).output().unwrap();
    assert!(
        stderr(&before).contains("no profile knows this collection"),
        "{}",
        stderr(&before)
    );
    decide(&home, 10);
    let after = detect(&home, &["--truth", "truth"]);
    for number in 1..=BOOKS {
        let found = &after[&format!("book-{number}.txt")];
        assert!(is_right(number, found), "book {number}: {found:?}");
    }
    let said = home
        .endpaper(&["detect", "books", "--truth", "truth"])
        .output()
        .unwrap();
    assert!(
        stderr(&said).contains("learned from 10 decided books"),
        "{}",
        stderr(&said)
    );
    // The same again, and nothing where nothing is to be learned.
    assert_eq!(detect(&home, &["--truth", "truth"]), after);
    let plain = detect(&home, &[]);
    assert_eq!(detect(&home, &["--truth", "truth", "--no-learning"]), plain);
}

#[test]
fn a_sentence_that_names_gutenberg_moves_nothing() {
    let home = collection();
    decide(&home, 10);
    let (plain, learned) = (detect(&home, &[]), detect(&home, &["--truth", "truth"]));
    for number in [20, 30] {
        let text = book(number).replacen(
            "line 15 of",
            &format!(
                "see the Project Gutenberg edition of volume {number}, which differs; line 15 of"
            ),
            1,
        );
        home.write(format!("books/book-{number}.txt"), text);
    }
    for (further, before) in [(&[][..], plain), (&["--truth", "truth"][..], learned)] {
        let after = detect(&home, further);
        for (book, (preamble_end, epilogue_start, _)) in before {
            let found = &after[&book];
            assert_eq!((found.0, found.1), (preamble_end, epilogue_start), "{book}");
        }
    }
}

#[test]
fn gutenberg_books_beside_others_are_cut_as_if_alone() {
    let home = Home::new();
    let gutenberg = |number: usize| {
        let mut text = String::from("*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\n\n");
        for line in 0..30 {
            text += &format!("line {line} of book {number} says what no other line says\n");
        }
        text + "\n\nEnd of the Project Gutenberg EBook of X\n"
    };
    for number in 1..=20 {
        home.write(format!("books/g-{number}.txt"), gutenberg(number));
    }
    let alone = detect(&home, &["--model", "built-in"]);
    assert!(alone.values().all(|(preamble_end, ..)| *preamble_end == 1));
    for number in 1..=20 {
        home.write(format!("books/s-{number}.txt"), book(number));
    }
    let together = detect(&home, &["--model", "built-in"]);
    for (book, found) in alone {
        assert_eq!(together[&book], found, "{book}");
    }
    let said = home.endpaper(&["detect", "books"]).output().unwrap();
    assert!(
        stderr(&said).contains("gutenberg for 20 of 40 books"),
        "{}",
        stderr(&said)
    );
}

#[test]
fn a_text_has_the_same_cuts_in_every_encoding() {
    let text = |number: usize| {
        let mut text = format!(
            "第{number}巻\n著者{number}\n\n-----\n【テキスト中に現れる記号について】\n-----\n\n"
        );
        for line in 0..30 {
            text +=
                &format!("　これは第{number}巻の{line}行目であり、ほかの本にはない文である。\n");
        }
        text + &format!(
            "\n\n底本：「全集第{number}巻」\n　　　{}年発行\n入力：某\n",
            1900 + number
        )
    };
    let encodings = [
        encoding_rs::UTF_8,
        encoding_rs::SHIFT_JIS,
        encoding_rs::EUC_JP,
    ];
    let found = encodings.map(|encoding| {
        let home = Home::new();
        for number in 1..=BOOKS {
            let text = text(number);
            home.write(format!("books/b{number}.txt"), encoding.encode(&text).0);
        }
        let table = (1..=6).map(|number| format!("b{number}.txt\t8\t37\n"));
        let table = format!("book\tbody_first\tbody_last\n{}", table.collect::<String>());
        home.write("given.tsv", table);
        let import = ["truth", "import", "given.tsv", "books", "--truth", "truth"];
        home.endpaper(&import).assert().success();
        (detect(&home, &[]), detect(&home, &["--truth", "truth"]))
    });
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0], found[2]);
    for (book, (preamble_end, epilogue_start, _)) in &found[0].1 {
        assert_eq!((*preamble_end, *epilogue_start), (6, 40), "{book}");
    }
}

#[test]
fn a_guess_is_told_as_one_and_a_choice_is_not() {
    let home = Home::new();
    let japanese =
        "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。\n".repeat(30);
    for name in ["a", "b", "c"] {
        let bytes = encoding_rs::SHIFT_JIS.encode(&japanese).0;
        home.write(format!("books/{name}.txt"), bytes);
    }
    let few = [
        &b"an English book\n"[..],
        &encoding_rs::SHIFT_JIS.encode("名前\n").0,
    ]
    .concat();
    home.write("books/d.txt", few);
    let said = |arguments: &[&str]| {
        let all = [&["detect", "books"], arguments].concat();
        stderr(&home.endpaper(&all).output().unwrap())
    };
    let guess = "read as shift_jis (4 books), a guess; --encoding shift_jis reads all books so";
    assert!(said(&[]).contains(guess), "{}", said(&[]));
    assert!(!said(&["--encoding", "cp932"]).contains("a guess"));
    assert!(!said(&["--quiet"]).contains("a guess"));
    // What a book was read in is in its record, and the context of its cuts is decoded text.
    home.write("given.tsv", "book\tbody_first\tbody_last\nd.txt\t2\t2\n");
    for (truth, arguments) in [("one", &[][..]), ("two", &["--encoding", "cp437"][..])] {
        let import = ["truth", "import", "given.tsv", "books", "--truth", truth];
        home.endpaper(&[&import, arguments].concat())
            .assert()
            .success();
    }
    let record =
        |truth: &str| fs::read_to_string(home.work().join(truth).join("d.txt.yaml")).unwrap();
    assert!(record("one").contains("encoding: \"shift_jis\"") && record("one").contains("名前"));
    assert!(record("two").contains("encoding: \"cp437\"") && !record("two").contains("名前"));
    let refused = said(&["--encoding", "utf-7"]);
    assert!(
        refused.contains("'utf-7' cannot be read; convert"),
        "{refused}"
    );
    // Chosen in the truth folder, as `review` does.
    home.write("truth/encodings.tsv", "book\tencoding\nd.txt\tcp437\n");
    let chosen = said(&["--truth", "truth"]);
    assert!(chosen.contains("shift_jis (3 books), a guess"), "{chosen}");
    home.write("truth/encodings.tsv", "book\tencoding\nd.txt\tklingon\n");
    let wrong = said(&["--truth", "truth"]);
    assert!(
        wrong.contains("encodings.tsv:2: unknown encoding 'klingon'"),
        "{wrong}"
    );
}

#[test]
fn a_fitted_profile_proposes_what_the_records_teach_and_says_what_it_is() {
    let home = collection();
    decide(&home, 10);
    let learned = detect(&home, &["--truth", "truth"]);
    let fit = [
        "model",
        "fit",
        "books",
        "--truth",
        "truth",
        "--out",
        "made.profile",
    ];
    let table = fine(&home.endpaper(&fit).output().unwrap());
    assert!(table.contains("10 of 10"), "{table}");
    let by_profile = detect(&home, &["--profile", "made.profile"]);
    for number in 11..=BOOKS {
        let name = format!("book-{number}.txt");
        let (found, expected) = (&by_profile[&name], &learned[&name]);
        assert_eq!((found.0, found.1), (expected.0, expected.1), "{name}");
    }
    let info = |name: &str| fine(&home.endpaper(&["model", "info", name]).output().unwrap());
    let made = info("made.profile");
    for said in [
        "of any library",
        "fitted to            10 books",
        "learned from         10 books of the collection",
        "out of fold          both cuts exact in 10 of 10 books",
        "strongest weights at the start",
    ] {
        assert!(made.contains(said), "'{said}' is missing in {made}");
    }
    assert!(info("gutenberg").contains("of one library"));
    assert!(!info("generic").contains("learned from"));
    // A profile holds forms of lines as hashes, and no text.
    let file = std::fs::read_to_string(home.work().join("made.profile")).unwrap();
    assert!(file.contains("landmark") && !file.contains("end of record"));
}

#[test]
fn verdicts_that_contradict_each_other_are_learned_from_without_harm() {
    let home = collection();
    let mut table = "book\tbody_first\tbody_last\n".to_owned();
    for number in 1..=10 {
        let (first, last) = body(number);
        // Half of them keep the whole header.
        let first = if number % 2 == 0 { 1 } else { first };
        table += &format!("book-{number}.txt\t{first}\t{last}\n");
    }
    home.write("given.tsv", table);
    let import = ["truth", "import", "given.tsv", "books", "--truth", "truth"];
    home.endpaper(&import).assert().success();
    let found = detect(&home, &["--truth", "truth"]);
    let doubt = |number: usize| {
        found[&format!("book-{number}.txt")]
            .2
            .parse::<f32>()
            .unwrap()
    };
    let mean = (11..=BOOKS).map(doubt).sum::<f32>() / (BOOKS - 10) as f32;
    assert!(
        mean > 0.2,
        "half of what was decided says otherwise: {mean}"
    );
}

#[test]
fn small_and_lineless_collections_are_cut_and_said_to_be_unknown() {
    let lineless = |number: usize| {
        let line = |line: usize| format!("{number} {line} {} own words only\n", number * 31 + line);
        (0..25).map(line).collect::<String>()
    };
    for books in [1, 2, 30] {
        let home = Home::new();
        for number in 1..=books {
            home.write(format!("books/b{number}.txt"), lineless(number));
        }
        let said = home.endpaper(&["detect", "books"]).output().unwrap();
        assert!(
            stderr(&said).contains("no profile knows this collection"),
            "{}",
            stderr(&said)
        );
        home.write("given.tsv", "book\tbody_first\tbody_last\nb1.txt\t1\t25\n");
        let import = ["truth", "import", "given.tsv", "books", "--truth", "truth"];
        home.endpaper(&import).assert().success();
        assert_eq!(detect(&home, &["--truth", "truth"]).len(), books);
    }
}
