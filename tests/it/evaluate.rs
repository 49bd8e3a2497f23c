//! `endpaper evaluate` as a user runs it: figures, exclusions, other tools, exit status.

use std::process::Output;

use crate::support::{COUNTED, Home, small_book as book, stderr};
use serde_json::Value;

/// Four books. Three are labelled: correctly, two lines too early, and with an epilogue that no detector can recognise. The fourth is not a book.
fn labelled() -> Home {
    let home = Home::new();
    for number in 0..4 {
        home.write(format!("books/{number}.txt"), book(number));
    }
    let table = "book\tkind\tbody_first\tbody_last\talt_first\n\
        0.txt\tbook\t14\t53\t-\n\
        1.txt\tbook\t11\t53\t-\n\
        2.txt\tbook\t14\t50\t16\n\
        3.txt\tnot-a-book\t-\t-\t-\n";
    home.write("labels.tsv", table);
    let done = home
        .endpaper(&["truth", "import", "labels.tsv", "books"])
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", stderr(&done));
    home
}

/// Evaluates Algorithm 1 with a model in which the licence is frequent.
fn evaluate(home: &Home, more: &[&str]) -> Output {
    home.endpaper(&[&["evaluate", "books"], &COUNTED[..], more].concat())
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn objects(output: &Output) -> Vec<Value> {
    let lines = stdout(output);
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn errors_are_those_of_the_labels_with_the_sign_of_the_paper() {
    let home = labelled();
    let output = evaluate(&home, &["--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let objects = objects(&output);
    let books: Vec<&Value> = objects
        .iter()
        .filter(|object| object["kind"] == "book")
        .collect();
    let errors: Vec<(i64, i64, u64, u64)> = books
        .iter()
        .map(|book| {
            let lines = |end: &str| book[end]["lines"].as_i64().unwrap();
            let volume = |what: &str| book[what]["lines"].as_u64().unwrap();
            (lines("start"), lines("end"), volume("loss"), volume("leak"))
        })
        .collect();
    // By the labels, two lines of the second book are lost, and three lines of the third one's epilogue remain.
    assert_eq!(errors, [(0, 0, 0, 0), (-2, 0, 2, 0), (0, 3, 0, 3)]);
    let gap = objects
        .iter()
        .find(|object| object["kind"] == "detector")
        .unwrap();
    assert_eq!((&gap["name"], &gap["books"]), (&"gap".into(), &3.into()));
    assert_eq!(gap["both"]["exact"]["hits"], 1);
    assert_eq!(gap["both"]["within"][1]["books"]["hits"], 3);
    assert_eq!(gap["epilogue"]["missed"], 1);
    assert_eq!(gap["left_out"]["without_cuts"], 1);
    let wilson = &gap["both"]["exact"]["wilson"];
    // statsmodels 0.15.0: proportion_confint(1, 3, method="wilson").
    assert!(
        (wilson["low"].as_f64().unwrap() - 0.061_492).abs() < 1e-6,
        "{wilson}"
    );
}

#[test]
fn tables_compare_detectors_and_say_what_is_left_out() {
    let home = labelled();
    let output = evaluate(&home, &["--compare"]);
    let text = stdout(&output);
    assert!(
        text.starts_with("3 labelled books; skipped: 1 without cuts of one book\n"),
        "{text}"
    );
    let draws = "Labels by draw: 3 unknown. The figures estimate the corpus of 4 books only if the imported books were drawn at random.";
    assert_eq!(text.lines().nth(1), Some(draws));
    for part in [
        "gap, no markers",
        "posterior",
        "33.3 (6.1 to 79.2)",
        "boundary similarity",
        "era no-marker",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let markdown = stdout(&evaluate(&home, &["--format", "markdown"]));
    assert!(
        markdown.contains("\n| measure | gap |\n| --- | ---: |\n"),
        "{markdown}"
    );
}

#[test]
fn another_tool_is_judged_by_its_table() {
    let home = labelled();
    // The table has two of the books, one of them by its file name only, and one that does not exist.
    home.write(
        "other.tsv",
        "preamble_end\tbook\tepilogue_start\n12\t0.txt\t54\n10\tbooks/1.txt\t54\n1\tgone.txt\t2\n",
    );
    let output = evaluate(&home, &["--against", "other.tsv"]);
    let text = stdout(&output);
    assert!(text.contains("100.0 (34.2 to 100.0)"), "{text}");
    // Both columns are about the two books that the table has.
    let books = text.lines().find(|line| line.starts_with("  books"));
    let books: Vec<&str> = books.unwrap().split_whitespace().collect();
    assert_eq!(books, ["books", "2", "2"], "{text}");
    assert!(
        text.contains("; no cuts for 1 of the 3 labelled books, in no figure of any system."),
        "{text}"
    );
    assert!(
        text.contains("other: 1 line of its table name no book of the corpus"),
        "{text}"
    );
    for (table, complaint) in [
        ("", "is empty"),
        ("book\tpreamble_end\n", "names no column 'epilogue_start'"),
        (
            "book\tpreamble_end\tepilogue_start\n0.txt\tx\t3\n",
            "line 2: 'x' is not a line number",
        ),
        (
            "book\tpreamble_end\tepilogue_start\n0.txt\t3\n",
            "line 2 has only 2 columns",
        ),
    ] {
        home.write("other.tsv", table);
        let output = evaluate(&home, &["--against", "other.tsv"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(complaint), "{}", stderr(&output));
    }
}

/// Twelve books drawn at random are right; two that were chosen by doubt have labels far from what is detected.
#[test]
fn books_chosen_by_doubt_are_weighted_by_those_drawn_at_random() {
    let home = Home::new();
    let mut table = "book\tkind\tbody_first\tbody_last\n".to_owned();
    for number in 0..24 {
        home.write(format!("books/{number}.txt"), book(number));
        let first = if number < 12 { 14 } else { 30 };
        if number < 14 {
            table.push_str(&format!("{number}.txt\tbook\t{first}\t53\n"));
        }
    }
    home.write("labels.tsv", table);
    let import = ["truth", "import", "labels.tsv", "books"];
    let done = home.endpaper(&import).output().unwrap();
    assert!(done.status.success(), "{}", stderr(&done));
    for number in 0..14 {
        let drawn = if number < 12 { "random" } else { "doubt" };
        let file = home
            .work()
            .join(format!("endpaper-truth/{number}.txt.yaml"));
        let record = std::fs::read_to_string(&file).unwrap();
        let drawn = record.replace("drawn: \"import\"", &format!("drawn: \"{drawn}\""));
        assert_ne!(record, drawn);
        std::fs::write(&file, drawn).unwrap();
    }
    let text = stdout(&evaluate(&home, &[]));
    for part in [
        "Labels by draw: 12 random, 2 doubt. The figures are no estimate of the corpus of 24 books: ",
        "85.7 (",
        // All of the 22 books that were not chosen, (0.7575 * 22) / 24 at least.
        "91.7 (69.4 to 91.7)",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let objects = objects(&evaluate(&home, &["--format", "jsonl"]));
    let gap = objects.iter().find(|object| object["kind"] == "detector");
    let gap = gap.unwrap();
    assert_eq!(gap["estimates_corpus"], false);
    assert_eq!(gap["drawn"]["doubt"], 2);
    let share = gap["weighted"]["exact"]["share"].as_f64().unwrap();
    assert!((share - 22.0 / 24.0).abs() < 1e-9, "{share}");
}

#[test]
fn book_that_is_called_a_dash_is_found_in_the_table_of_another_tool() {
    let home = labelled();
    home.write("books/-", book(7));
    let table = "book\tkind\tbody_first\tbody_last\n\\-\tbook\t14\t53\n";
    home.write("dash.tsv", table);
    let import = ["truth", "import", "dash.tsv", "books"];
    let done = home.endpaper(&import).output().unwrap();
    assert!(done.status.success(), "{}", stderr(&done));
    home.write(
        "other.tsv",
        "book\tpreamble_end\tepilogue_start\n-\t13\t54\n",
    );
    let output = evaluate(&home, &["--against", "other.tsv"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(!text.contains("name no book of the corpus"), "{text}");
}

#[test]
fn changed_and_missing_books_are_named_counted_and_in_no_figure() {
    let home = labelled();
    home.write("books/0.txt", book(7));
    std::fs::remove_file(home.work().join("books/1.txt")).unwrap();
    let output = evaluate(&home, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    let caption =
        "1 labelled book; skipped: 2 missing, changed or wrong, 1 without cuts of one book\n";
    assert!(text.starts_with(caption), "{text}");
    for book in ["'0.txt'", "'1.txt'"] {
        assert!(stderr(&output).contains(book), "{}", stderr(&output));
    }
}

#[test]
fn nothing_to_evaluate_is_refused_with_the_reason() {
    let home = Home::new();
    home.write("books/0.txt", book(0));
    let output = evaluate(&home, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("does not exist"),
        "{}",
        stderr(&output)
    );
    home.write(
        "labels.tsv",
        "book\tkind\tbody_first\tbody_last\n0.txt\tnot-a-book\t-\t-\n",
    );
    home.endpaper(&["truth", "import", "labels.tsv", "books"])
        .output()
        .unwrap();
    let output = evaluate(&home, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("(1 without cuts of one book)"),
        "{}",
        stderr(&output)
    );
}

/// A book that the weights were fitted to is not evidence for them.
#[test]
fn weights_are_not_judged_by_books_they_were_fitted_to() {
    let home = labelled();
    let crc = endpaper_text::scan::scan(book(1).as_bytes(), Default::default()).crc;
    let weights = format!("end\tfact\tweight\nfitted-to\t{crc:016x}\t1\n");
    home.write("weights.tsv", weights);
    let arguments = [
        "evaluate",
        "books",
        "--profile",
        "weights.tsv",
        "--format",
        "jsonl",
    ];
    let output = home.endpaper(&arguments).output().unwrap();
    let objects = objects(&output);
    let scored: Vec<&Value> = objects
        .iter()
        .filter(|object| object["kind"] == "book")
        .collect();
    let ids: Vec<&str> = scored
        .iter()
        .map(|book| book["book"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["0.txt", "2.txt"]);
    let note = objects
        .iter()
        .find_map(|object| object["note"].as_str())
        .unwrap();
    assert!(
        note.contains("fitted to 1 of the 3 labelled books"),
        "{note}"
    );
}
