//! `lab figures` as a user runs it: files, numbers, the page, wrong use.

// Helpers of tests may unwrap as the tests themselves do.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

use support::{Home, stderr};

/// Lines 1 to 12 are a licence, one line of which is the paper's; a blank line and 40 lines of the book follow.
fn book(number: usize) -> String {
    let licence =
        (1..=11).map(|line| format!("Line {line} of a licence that stands in <every> book.\n"));
    let paper = "[3] Pay a trademark license fee to the Foundation of 20% of the\n\n".to_owned();
    let body = (14..=53)
        .map(|line| format!("Book {number} says in line {line} what no other book says.\n"));
    licence.chain([paper]).chain(body).collect()
}

fn write_books(home: &Home) {
    for number in 0..12 {
        home.write(format!("books/{number}.txt"), book(number));
    }
}

/// Labels four of the books: correctly, three lines early (one of them blank), three lines late, and with an epilogue of two lines that counts cannot
/// detect. A fifth is not a book.
fn label(home: &Home) {
    write_books(home);
    let table = "book\tkind\tbody_first\tbody_last\n\
        0.txt\tbook\t14\t53\n\
        1.txt\tbook\t11\t53\n\
        2.txt\tbook\t17\t53\n\
        3.txt\tbook\t14\t51\n\
        4.txt\tnot-a-book\t-\t-\n";
    home.write("labels.tsv", table);
    let arguments = ["truth", "import", "labels.tsv", "books", "--truth", "truth"];
    let done = home.endpaper(&arguments).output().unwrap();
    assert!(done.status.success(), "{}", stderr(&done));
}

fn figures(home: &Home, more: &[&str]) -> Output {
    write_books(home);
    let arguments = ["figures", "--out", "out", "books", "--quiet", "--force"];
    home.lab(&[&arguments, more].concat()).output().unwrap()
}

fn out(home: &Home, name: &str) -> PathBuf {
    home.work().join("out").join(name)
}

fn read(home: &Home, name: &str) -> String {
    std::fs::read_to_string(out(home, name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn read_work(home: &Home, name: &str) -> String {
    fs::read_to_string(home.work().join(name)).unwrap()
}

fn rows(home: &Home, name: &str) -> Vec<Vec<String>> {
    let text = read(home, name);
    let lines = text.lines().skip(1);
    lines
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
}

#[test]
fn every_figure_has_a_picture_numbers_and_a_place_on_the_page() {
    let home = Home::new();
    let done = figures(&home, &[]);
    assert_eq!(
        done.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let page = read(&home, "index.html");
    for name in [
        "figure2",
        "figure3",
        "figure5",
        "figure6",
        "figure7",
        "figure9",
        "proposition1",
        "sampling",
    ] {
        let svg = read(&home, &format!("{name}.svg"));
        assert!(
            svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"),
            "{name}"
        );
        assert!(!rows(&home, &format!("{name}.tsv")).is_empty(), "{name}");
        assert!(page.contains(&svg), "{name}");
    }
    for name in ["figure4", "frequent", "table1", "table2", "table3"] {
        assert!(!out(&home, &format!("{name}.svg")).exists(), "{name}");
        assert!(!rows(&home, &format!("{name}.tsv")).is_empty(), "{name}");
    }
    assert!(page.contains("12 books (624 counted lines)"), "{page}");
    // The page is self-contained, and text from books is escaped.
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("<every>"));
}

#[test]
fn figures_write_over_no_file_without_force() {
    let home = Home::new();
    write_books(&home);
    for (page, more) in [
        ("index.html", &["books"][..]),
        ("copies.html", &["--copies", "--books", "10"]),
        ("pages.html", &["--pages"]),
        ("outlines.html", &["--outlines"]),
        ("figure5.tsv", &["books"]),
    ] {
        home.write(format!("site/{page}"), "the front page");
        let arguments = [&["figures", "--out", "site", "--quiet"], more].concat();
        let output = home.lab(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{page}");
        let said = stderr(&output);
        assert!(
            said.contains(&format!("'site/{page}' exists")) && said.contains("--force"),
            "{said}"
        );
        // No other files are written.
        let site = fs::read_dir(home.work().join("site")).unwrap();
        assert_eq!(site.count(), 1, "{page}");
        assert_eq!(
            fs::read_to_string(home.work().join("site").join(page)).unwrap(),
            "the front page"
        );
        fs::remove_file(home.work().join("site").join(page)).unwrap();
    }
}

#[test]
fn numbers_are_those_of_the_corpus_and_of_theory() {
    let home = Home::new();
    assert!(figures(&home, &[]).status.success());
    // 480 lines occur once, 12 lines in every book.
    let histogram = rows(&home, "figure5.tsv");
    let cells: Vec<[&str; 3]> = histogram
        .iter()
        .map(|row| [&*row[0], &*row[1], &*row[2]])
        .collect();
    assert_eq!(cells, [["1", "480", "12"], ["12", "12", "0"]]);
    let lines = rows(&home, "figure4.tsv");
    assert_eq!(lines[9][1..3], ["8061", "12"]);
    assert_eq!(lines[0][1..3], ["68", "0"]);
    assert!(
        lines[10..]
            .iter()
            .any(|row| row[2] == "12"
                && row[3] == "Line 7 of a licence that stands in <every> book.")
    );
    // Twelve books with twelve lines that are more frequent than ten.
    assert_eq!(rows(&home, "figure2.tsv").len(), 144);
    let theory = rows(&home, "figure3.tsv");
    let at_20 = theory.iter().find(|row| row[0] == "0.2").unwrap();
    let expected: f64 = at_20[1].parse().unwrap();
    assert!((expected - 31.57).abs() < 0.005, "{expected}");
    let [found, error] = [2, 3].map(|at| at_20[at].parse::<f64>().unwrap());
    assert!((found - expected).abs() < 4.0 * error, "{found} {error}");
    let collisions = rows(&home, "figure6.tsv");
    for row in &collisions {
        let numbers: Vec<f64> = row.iter().map(|cell| cell.parse().unwrap()).collect();
        // 491 other lines share the counters.
        let bound = 1.0 - (-491.0 / numbers[0]).exp();
        assert!((numbers[1] - bound).abs() < 1e-9, "{row:?}");
    }
}

#[test]
fn tables_have_the_numbers_of_whole_texts() {
    let home = Home::new();
    write_books(&home);
    home.write(
        "books/dated.txt",
        "Release Date: June 2, 2004 [eBook #150]\n\nOne more book.\n",
    );
    assert!(figures(&home, &[]).status.success());
    let years = rows(&home, "table1.tsv");
    assert!(years.contains(&["2004", "4049", "1"].map(str::to_owned).to_vec()));
    let page = read(&home, "index.html");
    assert!(
        page.contains(
            "<th scope=\"row\">books that state no date</th><td>not told</td><td>12</td>"
        )
    );
    let sizes = rows(&home, "table2.tsv");
    let size = |item: &str| sizes.iter().find(|row| row[0] == item).unwrap()[3].clone();
    assert_eq!(size("text files"), "13");
    assert_eq!(size("lines"), "639");
    assert_eq!(size("counted lines"), "625");
    assert_eq!(size("distinct counted lines"), "493");
    assert_eq!(size("frequent counted lines"), "12");
    let mut texts: Vec<String> = (0..12).map(book).collect();
    texts.push(read_work(&home, "books/dated.txt"));
    for (row, length) in rows(&home, "table3.tsv")
        .iter()
        .zip([1, 2, 3, 4, 5, 6, 8, 10])
    {
        let words: Vec<Vec<&str>> = texts
            .iter()
            .map(|text| text.split_whitespace().collect())
            .collect();
        let distinct: HashSet<&[&str]> = words
            .iter()
            .flat_map(|words| words.windows(length))
            .collect();
        assert_eq!(row[0], length.to_string());
        // So few are counted exactly.
        assert_eq!(
            row[3..5],
            [distinct.len().to_string(), "0.0".to_owned()],
            "{length}"
        );
    }
    let frequent = rows(&home, "frequent.tsv");
    let first = |unit: &str| frequent.iter().find(|row| row[0] == unit).unwrap()[1..].to_vec();
    assert_eq!(first("word 5-grams"), ["480", "what no other book says."]);
    assert_eq!(first("lines")[0], "12");
    assert_eq!(first("sentences")[0], "12");
}

#[test]
fn samples_of_half_the_books_find_the_lines_of_all() {
    let home = Home::new();
    label(&home);
    assert!(figures(&home, &["--truth", "truth"]).status.success());
    let sampling = rows(&home, "sampling.tsv");
    let columns = read(&home, "sampling.tsv");
    let columns: Vec<&str> = columns.lines().next().unwrap().split('\t').collect();
    let cell = |row: usize, name: &str| -> f64 {
        let column = columns.iter().position(|column| *column == name).unwrap();
        sampling[row][column].parse().unwrap()
    };
    // A line that every book has occurs in a half as often as half of 12 is: 6 times, more than half of 10, whichever half it is.
    assert_eq!((cell(0, "share"), cell(0, "K10_missed")), (0.5, 0.0));
    assert!(cell(0, "K10_missed_expected") > 0.0);
    // One book of 12: everything in it is frequent.
    let invented = 40.0 / 624.0;
    assert!(
        (cell(3, "K10_invented") - invented).abs() < 1e-9,
        "{}",
        cell(3, "K10_invented")
    );
    let errors = rows(&home, "figure8-sampling.tsv");
    assert_eq!(errors[0][..3], ["0.5", "5", "252"]);
    // Preambles right in two of four books, as with exact counts.
    assert_eq!(errors[0][3..7], ["2", "3", "1", "4"]);
}

#[test]
fn what_needs_no_clock_is_the_same_every_time() {
    let home = Home::new();
    assert!(figures(&home, &[]).status.success());
    let names = [
        "table1",
        "table2",
        "table3",
        "frequent",
        "sampling",
        "figure2",
        "figure3",
        "figure4",
        "figure5",
        "figure6",
        "figure7",
        "proposition1",
    ];
    let all = |home: &Home| names.map(|name| read(home, &format!("{name}.tsv")));
    let first = all(&home);
    assert!(figures(&home, &["--threads", "1"]).status.success());
    assert!(first == all(&home));
}

#[test]
fn wrong_use_is_said_and_nothing_is_written() {
    let home = Home::new();
    let missing = home
        .lab(&["figures", "--out", "out", "nowhere"])
        .output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(!home.work().join("out").exists());
    home.write("taken", "a file");
    let taken = figures(&home, &[]);
    assert!(taken.status.success());
    let onto_file = home
        .lab(&["figures", "--out", "taken", "books"])
        .output()
        .unwrap();
    assert_eq!(onto_file.status.code(), Some(2));
    let said = String::from_utf8_lossy(&onto_file.stderr).into_owned();
    assert!(said.contains("'taken' cannot be made"), "{said}");
}

#[test]
fn errors_are_those_of_the_labels_with_the_sign_of_the_paper() {
    let home = Home::new();
    label(&home);
    let done = figures(&home, &["--truth", "truth"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let header = |name: &str| read(&home, name).lines().next().unwrap().to_owned();
    let names = "book\texact, no heuristics\tGM, no heuristics\tposterior (not in the paper)";
    assert_eq!(header("figure8a.tsv"), names);
    let with = "book\texact, with heuristics\tGM, with heuristics\tposterior (not in the paper)\tGM, no heuristics";
    assert_eq!(header("figure8d.tsv"), with);
    // All twelve lines of the licence are frequent, no other line is, and there is no marker. GM has 14 counters for 492 lines,
    // of which the 40 lines of each book empty all: it finds nothing.
    for (figure, errors, gm) in [
        (
            "figure8a.tsv",
            ["0", "-3", "3", "0"],
            ["13", "10", "16", "13"],
        ),
        ("figure8b.tsv", ["0", "0", "0", "2"], ["0", "0", "0", "2"]),
        (
            "figure8c.tsv",
            ["0", "-3", "3", "0"],
            ["13", "10", "16", "13"],
        ),
        ("figure8d.tsv", ["0", "0", "0", "2"], ["0", "0", "0", "2"]),
    ] {
        let rows = rows(&home, figure);
        for (row, errors) in rows.iter().zip(errors.into_iter().zip(gm)) {
            assert_eq!(row[1..3], [errors.0, errors.1], "{figure}: {row:?}");
        }
        let books: Vec<&str> = rows.iter().map(|row| &*row[0]).collect();
        assert_eq!(books, ["0.txt", "1.txt", "2.txt", "3.txt"]);
    }
    let together = rows(&home, "figure8.tsv");
    let exact = "exact, no heuristics 4 2 3 1 1 4 3 3 0 2";
    assert_eq!(together[0].join(" "), exact);
    let page = read(&home, "index.html");
    let caption = "4 labelled books; skipped: 1 without cuts of one book.";
    for part in [caption, "Figure 8(c)", &read(&home, "figure8b.svg")] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn baselines_are_drawn_without_files_of_other_tools() {
    let home = Home::new();
    label(&home);
    assert!(figures(&home, &["--truth", "truth"]).status.success());
    let preambles = read(&home, "figure10.tsv");
    let header = "book\texact, with heuristics\theadings, as GutenMark\tmarker lines, as gutenberg (Python)\t\
        marker paragraphs, as gutenbergr (R)\tposterior (not in the paper)";
    assert_eq!(preambles.lines().next(), Some(header));
    // No heading: all is prefatory. No marker line: nothing is cut. The paragraph of the first line is.
    let rows = rows(&home, "figure10.tsv");
    assert_eq!(rows[0][2..5], ["-40", "13", "0"]);
    assert!(!read(&home, "figure10-epilogue.tsv").contains("headings"));
    assert!(read(&home, "index.html").contains(&read(&home, "figure10.svg")));
}

#[test]
fn enough_counters_count_as_exactly_as_all_and_the_studies_agree_with_figure_8() {
    let home = Home::new();
    label(&home);
    // Two editions of an e-book, by their names.
    home.write("books/tale10.txt", book(12));
    home.write("books/tale11.txt", book(13));
    assert!(figures(&home, &["--truth", "truth"]).status.success());
    let exact = ["2", "3", "1", "4", "0", "0", "0", "0"];
    let counters = rows(&home, "figure8-c.tsv");
    let of = |counters: &str, row: &[String]| row[0] == "GM" && row[1] == counters;
    let row = |number| counters.iter().find(|row| of(number, row)).unwrap();
    // 12 lines of all books, and 40 of each of 14.
    assert_eq!(row("1000")[2..5], ["1.7483", "5", "0"]);
    assert_eq!(row("1000")[5..13], exact);
    // 1 for 34 lines is too few: the licence is left in all books.
    assert_eq!(row("16")[5..7], ["0", "3"]);
    assert_eq!(row("16")[9..11], ["4", "13"]);
    let units = rows(&home, "figure8-units.tsv");
    for (row, unit) in units.iter().zip(["lines", "sentences"]) {
        assert_eq!(row[..2], [unit, "572"]);
        assert_eq!(row[2..10], exact, "{unit}");
    }
    let training = rows(&home, "figure8-training.tsv");
    let counted = |name: &str| {
        let row = training.iter().find(|row| row[0] == name).unwrap();
        (row[2].clone(), row[3..11].to_vec())
    };
    for (name, books) in [
        ("all books", "14"),
        ("heads and tails apart", "14"),
        ("newest of each e-book", "13"),
        ("oldest of each e-book", "13"),
    ] {
        assert_eq!(
            counted(name),
            (books.to_owned(), exact.map(str::to_owned).to_vec()),
            "{name}"
        );
    }
}

#[test]
fn the_posterior_is_judged_as_evaluate_judges_it() {
    let home = Home::new();
    label(&home);
    let done = figures(&home, &["--truth", "truth"]);
    assert!(done.status.success(), "{}", stderr(&done));
    let arguments = ["evaluate", "books", "--truth", "truth", "--format", "jsonl"];
    let evaluated = home.endpaper(&arguments).output().unwrap();
    let text = String::from_utf8(evaluated.stdout).unwrap();
    let objects = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let books: Vec<_> = objects.filter(|object| object["kind"] == "book").collect();
    assert_eq!(books.len(), 4);
    for (figure, end) in [("figure8a.tsv", "start"), ("figure8d.tsv", "end")] {
        let found: Vec<String> = rows(&home, figure)
            .into_iter()
            .map(|row| row[3].clone())
            .collect();
        let expected: Vec<String> = books
            .iter()
            .map(|book| book[end]["physical"].to_string())
            .collect();
        assert_eq!(found, expected, "{figure}");
    }
}

#[test]
fn another_tool_is_drawn_beside_ours() {
    let home = Home::new();
    label(&home);
    // The table has two of the labelled books, and one that does not exist.
    home.write(
        "other <b>.tsv",
        "book\tpreamble_end\tepilogue_start\n0.txt\t12\t54\n2.txt\t0\t54\ngone.txt\t1\t2\n",
    );
    let done = figures(&home, &["--truth", "truth", "--against", "other <b>.tsv"]);
    assert!(done.status.success(), "{}", stderr(&done));
    let rows = rows(&home, "figure10.tsv");
    let other: Vec<&str> = rows.iter().map(|row| &*row[5]).collect();
    assert_eq!(other, ["0", "-", "16", "-"]);
    assert!(read(&home, "figure10.svg").contains("other &lt;b&gt;"));
    let page = read(&home, "index.html");
    // All curves are about the books that every system has cuts for.
    assert!(page.contains("no cuts for 2 of the 4 labelled books, in no figure of any system"));
    assert!(page.contains("1 line of its table name no book of the corpus"));
    assert!(!page.contains("<b>"));
    home.write("other <b>.tsv", "book\tpreamble_end\n");
    let done = figures(&home, &["--truth", "truth", "--against", "other <b>.tsv"]);
    assert_eq!(done.status.code(), Some(2));
    let said = stderr(&done);
    assert!(said.contains("names no column 'epilogue_start'"), "{said}");
}

#[test]
fn without_truth_errors_are_left_out_and_the_page_says_why() {
    let home = Home::new();
    assert!(figures(&home, &[]).status.success());
    assert!(!out(&home, "figure8a.tsv").exists());
    let page = read(&home, "index.html");
    assert!(page.contains("errors need ground truth, and none was given"));
    home.write("other.tsv", "book\tpreamble_end\tepilogue_start\n");
    let done = figures(&home, &["--against", "other.tsv"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(stderr(&done).contains("--truth <DIR>"), "{}", stderr(&done));
}

#[test]
fn changed_missing_and_broken_records_are_named_counted_and_in_no_figure() {
    let home = Home::new();
    label(&home);
    std::fs::remove_file(home.work().join("books/1.txt")).unwrap();
    home.write("books/0.txt", book(7));
    home.write("truth/broken.txt.yaml", "verdict: [\u{1b}");
    let done = home
        .lab(&[
            "figures", "--out", "out", "books", "--truth", "truth", "--quiet",
        ])
        .output()
        .unwrap();
    let said = stderr(&done);
    assert_eq!(done.status.code(), Some(1), "{said}");
    for book in ["'0.txt'", "'1.txt'", "broken.txt.yaml"] {
        assert!(said.contains(book), "{book}: {said}");
    }
    assert!(!said.contains('\u{1b}'));
    let page = read(&home, "index.html");
    let caption =
        "2 labelled books; skipped: 3 missing, changed or wrong, 1 without cuts of one book.";
    assert!(page.contains(caption), "{page}");
    let left = rows(&home, "figure8a.tsv");
    let books: Vec<&str> = left.iter().map(|row| &*row[0]).collect();
    assert_eq!(books, ["2.txt", "3.txt"]);
}

#[test]
fn truth_that_says_nothing_of_the_corpus_is_refused() {
    let home = Home::new();
    let missing = figures(&home, &["--truth", "nowhere"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("does not exist"));
    assert!(!home.work().join("out").exists());
    std::fs::create_dir(home.work().join("empty")).unwrap();
    let empty = figures(&home, &["--truth", "empty"]);
    assert_eq!(empty.status.code(), Some(2));
    assert!(
        stderr(&empty).contains("no record in"),
        "{}",
        stderr(&empty)
    );
    assert!(!out(&home, "index.html").exists());
}

#[test]
fn pages_need_prose_and_say_so() {
    let home = Home::new();
    let table: [(&[&str], &str); 3] = [
        (
            &["--pages"],
            "give more books, or no CORPUS for those of the demonstration",
        ),
        (&["--pages", "--copies"], "cannot be used with"),
        (&["--keep-pages"], "--pages"),
    ];
    for (more, said) in table {
        let done = figures(&home, more);
        assert_eq!(done.status.code(), Some(2), "{more:?}");
        assert!(stderr(&done).contains(said), "{}", stderr(&done));
    }
    assert!(!out(&home, "pages.html").exists());
}

#[test]
fn outlines_of_books_that_cite_each_other_are_counted() {
    let home = Home::new();
    let book = |title: &str, author: &str, references: &str| {
        format!(
            "Title: {title}\n\nAuthor: {author}\n\nIt was late.\n\nREFERENCES\n\n{references}\n"
        )
    };
    let lee = "[1] Ray, Bo. The Rivers of the North. London, 1999.\n\
        [2] D. E. Knuth. The TeXbook. Addison-Wesley, 1984.\n";
    let ray = "[1] A. Lee, \"The Boats of the South,\" Journal of Boats, 12:1-9, 1999.\n\
        [2] D. Knuth. The TeXbook. Addison-Wesley, 1984.\n";
    home.write(
        "papers/a.txt",
        book("The Boats of the South", "Ann Lee", lee),
    );
    home.write(
        "papers/b.txt",
        book("The Rivers of the North", "Bo Ray", ray),
    );
    home.write(
        "true.tsv",
        "book\ttitle\tauthors\na.txt\tBoats of the South\tCy Fox\n",
    );
    let arguments = ["figures", "--out", "out", "papers", "--quiet", "--outlines"];
    let arguments = [&arguments[..], &["--manifest", "true.tsv"]].concat();
    let done = home.lab(&arguments).output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(
        rows(&home, "outlines-table5.tsv"),
        [
            ["Title", "1", "100.0 %", "100.0 %", "0.0 %"],
            ["Authors", "1", "0.0 %", "0.0 %", "0.0 %"],
        ]
    );
    let totals = rows(&home, "outlines-table6.tsv");
    let total = |what: &str| totals.iter().find(|row| row[0] == what).unwrap()[1].clone();
    assert_eq!(
        (total("documents"), total("references")),
        ("2".to_owned(), "4".to_owned())
    );
    assert_eq!(total("references to other documents of the corpus"), "2");
    assert_eq!(rows(&home, "outlines-figure6.tsv"), [["0", "9", "2"]]);
    assert_eq!(
        rows(&home, "outlines-figure7.tsv"),
        [["1984", "2"], ["1999", "2"]]
    );
    assert_eq!(
        rows(&home, "outlines-table9.tsv")[0],
        ["The TeXbook", "D. E. Knuth", "1984", "2", "2"]
    );
    assert_eq!(
        rows(&home, "outlines-table10.tsv"),
        [["Journal of Boats", "1", "1", "1"]]
    );
    let page = read(&home, "outlines.html");
    assert!(
        page.contains("<td>982 (1080)</td>") && !page.contains("<script"),
        "{page}"
    );
    // The books that ship with the program will do, and without true values there is no Table 5.
    let demo = ["figures", "--out", "demo", "--quiet", "--outlines"];
    assert_eq!(home.lab(&demo).output().unwrap().status.code(), Some(0));
    let page = fs::read_to_string(home.work().join("demo/outlines.html")).unwrap();
    assert!(
        page.contains("Left out: it needs the true values"),
        "{page}"
    );
}
