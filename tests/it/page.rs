//! `endpaper evaluate --html`: one self-contained file, with everything escaped, that a browser displays.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::support::html::assert_self_contained;
use crate::support::{COUNTED, Home, absent, small_book as book, stderr};

/// The supported browsers, by their names on different systems.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Time limit of a browser. A cold start on a busy machine takes some seconds.
const PATIENCE: Duration = Duration::from_secs(90);

/// A hostile book name.
const HOSTILE: &str = "<img src=x onerror=alert(1)> & 'co'.txt";

/// Six books. One is labelled correctly, three wrongly: lost text, remaining boilerplate, and both in a book with hostile name and text. One is not a
/// book, and the last one changes after it was labelled.
fn labelled() -> Home {
    let home = Home::new();
    for number in 0..5 {
        home.write(format!("books/{number}.txt"), book(number));
    }
    let long = format!("{} the end", "<b>very long</b> ".repeat(5_000));
    let hostile = book(7)
        .replace("line 14", "</td></table><script>alert('\"&\"')</script>")
        .replace("line 15", "\u{1b}[2J\u{0}\u{202e}\u{ffff}")
        .replace("line 16", &long);
    home.write(format!("books/{HOSTILE}"), hostile);
    let table = format!(
        "book\tkind\tbody_first\tbody_last\tnote\n\
        0.txt\tbook\t14\t53\t\n\
        1.txt\tbook\t11\t53\ta <note>\n\
        2.txt\tbook\t14\t40\t\n\
        {HOSTILE}\tbook\t17\t53\t\n\
        3.txt\tnot-a-book\t-\t-\t\n\
        4.txt\tbook\t14\t53\t\n"
    );
    home.write("labels.tsv", table);
    let done = home
        .endpaper(&["truth", "import", "labels.tsv", "books"])
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", stderr(&done));
    home.write("books/4.txt", book(9));
    home
}

/// Evaluates Algorithm 1 with a model in which the licence is frequent.
fn evaluate(home: &Home, more: &[&str]) -> Output {
    home.endpaper(&[&["evaluate", "books", "--quiet"], &COUNTED[..], more].concat())
        .output()
        .unwrap()
}

fn page(home: &Home) -> String {
    let output = evaluate(home, &["--compare", "--html", "page.html"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    fs::read_to_string(home.work().join("page.html")).unwrap()
}

#[test]
fn the_page_is_well_formed_and_needs_nothing_else() {
    let home = labelled();
    let page = page(&home);
    assert!(page.len() < 200_000, "{} bytes", page.len());
    assert_self_contained(&page);
    let longest = page.lines().filter(|line| line.contains("very long"));
    assert!(longest.clone().count() > 0);
    longest.for_each(|line| assert!(line.chars().count() < 1_000, "{line}"));
}

#[test]
fn wrong_books_stand_there_with_the_lines_around_both_cuts() {
    let home = labelled();
    let page = page(&home);
    for part in [
        "4 labelled books; skipped: 1 missing, changed or wrong, 1 without cuts of one book.",
        "<h1>How right detected cuts are: gap</h1>",
        // Shares with intervals, as printed.
        "<td>25.0 (4.6 to 69.9)</td>",
        "In 3 books of 4 a cut of gap",
        "<article id=\"book-1.txt\"",
        "<article id=\"book-2.txt\"",
        "<li>Start: 2 lines of the book lost; labelled: preamble to line 10; detected: preamble to line 12.</li>",
        "<li>End: 13 lines of boilerplate left; labelled: epilogue from line 41; detected: no epilogue.</li>",
        "<li>Note: a &lt;note&gt;</li>",
        // The line after the labelled cut is lost, and occurs in all books.
        "<tr class=\"lost\"><td>11</td><td>- lost</td><td class=\"h3\">6</td><td>Line 11 of a licence that stands in every book.</td></tr>",
        "<tr class=\"left\"><td>41</td><td>+ left</td>",
        "&lt;/td&gt;&lt;/table&gt;&lt;script&gt;",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    for right in ["book-0.txt", "book-3.txt", "book-4.txt"] {
        assert!(!page.contains(&format!("<article id=\"{right}")), "{right}");
    }
    // The cuts are in order: by the label the book begins before line 11, as detected after line 12.
    let article = page.split("<article id=\"book-1.txt\"").nth(1).unwrap();
    let at = |part: &str| article.find(part).unwrap_or_else(|| panic!("{part}"));
    let places = [
        "begins below, by the label",
        "<td>11</td>",
        "<td>12</td>",
        "begins below, as detected",
        "<td>14</td>",
    ]
    .map(at);
    assert!(places.is_sorted(), "{places:?}");
    // The changed book is listed as excluded.
    let left_out = page.split("<h2 id=\"left-out\">").nth(1).unwrap();
    assert!(left_out.contains("&#39;4.txt&#39;"), "{left_out}");
}

#[test]
fn the_page_comes_beside_the_format_and_is_the_same_every_time() {
    let home = labelled();
    let first = page(&home);
    let output = evaluate(
        &home,
        &[
            "--compare",
            "--html",
            "page.html",
            "--force",
            "--format",
            "jsonl",
        ],
    );
    let printed = String::from_utf8(output.stdout).unwrap();
    let objects = printed
        .lines()
        .map(serde_json::from_str::<serde_json::Value>);
    assert!(
        objects
            .filter(|object| object.as_ref().unwrap()["kind"] == "book")
            .count()
            > 0
    );
    let again = fs::read_to_string(home.work().join("page.html")).unwrap();
    assert!(first == again);
    let left: Vec<_> = fs::read_dir(home.work()).unwrap().flatten().collect();
    assert!(
        left.iter()
            .all(|file| !file.file_name().to_string_lossy().starts_with('.'))
    );
}

#[test]
fn page_that_exists_is_written_over_only_with_force() {
    let home = labelled();
    home.write("page.html", "precious");
    let output = evaluate(&home, &["--html", "page.html"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("'page.html' exists; "), "{said}");
    assert!(said.contains("--force") && output.stdout.is_empty());
    assert_eq!(
        fs::read(home.work().join("page.html")).unwrap(),
        b"precious"
    );
}

#[test]
fn a_file_that_cannot_be_written_is_named_before_any_work() {
    let home = labelled();
    for (file, complaint) in [
        ("none/page.html", "'none/page.html' cannot be written"),
        (
            "books",
            "'books' cannot be written: is a folder; name a file",
        ),
    ] {
        let output = evaluate(&home, &["--html", file]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(complaint), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let files = BROWSERS
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = files.into_iter().find(|file| file.is_file());
    if found.is_none() {
        absent("a browser");
    }
    found
}

/// Returns the browser's DOM of a page as text, and saves a screenshot.
fn browse(browser: &Path, home: &Home, page: &Path, picture: &Path) -> String {
    let folder = home.work();
    let dom = folder.join("dom.html");
    let mut command = Command::new(browser);
    command
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
        ])
        .args(["--window-size=1200,900", "--dump-dom"])
        .arg(format!(
            "--user-data-dir={}",
            folder.join("browser").display()
        ))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", page.display()))
        .env("HOME", &folder)
        .env("XDG_CONFIG_HOME", &folder)
        .env("XDG_CACHE_HOME", &folder)
        .stdin(Stdio::null())
        .stdout(File::create(&dom).unwrap())
        .stderr(Stdio::null());
    #[cfg(unix)]
    // Allows ending the browser with all its child processes.
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().unwrap();
    let id = child.id();
    let (done, ended) = mpsc::channel();
    std::thread::spawn(move || done.send(child.wait()));
    let status = ended.recv_timeout(PATIENCE).unwrap_or_else(|_| {
        let _ = Command::new("kill")
            .args(["-KILL", "--", &format!("-{id}")])
            .status();
        panic!("the browser does not end");
    });
    assert!(status.unwrap().success());
    fs::read_to_string(dom).unwrap()
}

fn colours(picture: &Path) -> HashSet<[u8; 3]> {
    let mut decoder = png::Decoder::new(BufReader::new(File::open(picture).unwrap()));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (1200, 900));
    let samples = info.color_type.samples();
    pixels
        .chunks(samples)
        .map(|pixel| [pixel[0], pixel[1 % samples], pixel[2 % samples]])
        .collect()
}

#[test]
fn a_browser_shows_every_book_and_a_picture() {
    let Some(browser) = browser() else {
        return;
    };
    let home = labelled();
    page(&home);
    let picture = home.work().join("picture.png");
    let dom = browse(&browser, &home, &home.work().join("page.html"), &picture);
    for part in [
        "<h1>How right detected cuts are: gap</h1>",
        "<a href=\"#book-1.txt\">1.txt</a></h3>",
        "<a href=\"#book-2.txt\">2.txt</a></h3>",
        "&lt;img src=x onerror=alert(1)&gt; &amp; 'co'.txt</a></h3>",
        "<h2 id=\"heat\">",
        "<h2 id=\"left-out\">",
    ] {
        assert!(dom.contains(part), "{part}\n{dom}");
    }
    // The books are inside the page's structure, and none was created by hostile text.
    assert_eq!(dom.matches("<article").count(), 3);
    assert!(!dom.contains("<script") && !dom.contains("<img"));
    let colours = colours(&picture);
    assert!(colours.len() > 2, "{} colours", colours.len());
}
