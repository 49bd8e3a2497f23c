//! PDF and EPUB files as books: texts, pages, cache, and files broken in every way.

#![cfg(feature = "documents")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::documents::{epub, epub_of, locked_pdf, pdf, pdf_of};
use crate::support::{Home, absent, stderr};

const PAGES: &[&[&str]] = &[
    &["On Whales", "by A. Sailor"],
    &["Chapter 1", "The whale is no fish (so they say)."],
    &["Chapter 2", "It was a whale."],
];

fn text(home: &Home, file: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["text", file.to_str().unwrap()];
    arguments.extend(more);
    home.endpaper(&arguments).output().unwrap()
}

fn printed(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns the PDF readers that are available for tests.
fn readers() -> Vec<&'static str> {
    let poppler = Command::new("pdftotext").arg("-v").output();
    match poppler.is_ok_and(|said| String::from_utf8_lossy(&said.stderr).contains("Poppler")) {
        true => vec!["built-in", "pdftotext"],
        false => {
            absent("pdftotext");
            vec!["built-in"]
        }
    }
}

#[test]
fn both_readers_give_the_lines_and_pages_of_a_pdf_file() {
    let home = Home::new();
    let file = home.work().join("whales.pdf");
    fs::write(&file, pdf(PAGES)).unwrap();
    for reader in readers() {
        let text = printed(&text(&home, &file, &["--pdf", reader]));
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let lines: Vec<&str> = lines
            .into_iter()
            .enumerate()
            .filter_map(|(at, line)| {
                // trim() also removes a form feed.
                match text.lines().nth(at) {
                    Some("\u{C}") => Some("=="),
                    _ => (!line.is_empty()).then_some(line),
                }
            })
            .collect();
        let expected = [
            "On Whales",
            "by A. Sailor",
            "==",
            "Chapter 1",
            "The whale is no fish (so they say).",
            "==",
            "Chapter 2",
            "It was a whale.",
        ];
        assert_eq!(lines, expected, "{reader}");
    }
}

#[test]
fn the_chapters_of_an_epub_file_come_in_their_order_and_entities_are_read() {
    let home = Home::new();
    let file = home.work().join("b.epub");
    let long = "word ".repeat(60);
    let chapters = [
        "<h1>One</h1><p>Fish &amp; ch&#xEF;ps<br/>for two</p>".to_owned(),
        format!("<h1>Two</h1><p>{long}</p><p>unclosed <b>bold"),
    ];
    let chapters: Vec<&str> = chapters.iter().map(String::as_str).collect();
    fs::write(&file, epub(&chapters)).unwrap();
    let text = printed(&text(&home, &file, &[]));
    assert!(text.starts_with("One\n\nFish & chïps\nfor two\n"), "{text}");
    assert!(text.contains("\n\n\n\nTwo\n\nword word"), "{text}");
    assert!(text.ends_with("unclosed bold\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 72));
}

/// Chapters are XML: any element may be self-closing, even those that cannot be in HTML.
#[test]
fn elements_that_end_in_themselves_swallow_nothing_of_a_chapter() {
    let home = Home::new();
    let empty = [
        "title",
        "script src='a>b.js'",
        "style",
        "textarea",
        "p",
        "br",
    ];
    let inside: String = empty
        .iter()
        .map(|tag| format!("<{tag}/><!-- <p/> --><p>after {tag}</p>"))
        .collect();
    let inside = inside.replace("after script src='a>b.js'", "after script");
    let file = home.work().join("b.epub");
    fs::write(&file, epub(&[&inside, "<p>the end</p>"])).unwrap();
    let text = printed(&text(&home, &file, &[]));
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let after = empty.iter().map(|tag| tag.split(' ').next().unwrap());
    let expected: Vec<String> = after.map(|tag| format!("after {tag}")).collect();
    assert_eq!(lines[..expected.len()], expected, "{text}");
    assert_eq!(lines.last(), Some(&"the end"));
}

/// Files that are not books, and the expected messages.
fn hostile() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let whole = pdf(PAGES);
    let blank = |_: usize| String::new();
    let bomb = vec![b' '; 3 << 20];
    let nested = format!("{}x", "<div>".repeat(40_000));
    vec![
        (
            "cut.pdf",
            whole[..whole.len() / 3].to_vec(),
            "cannot be read as PDF",
        ),
        (
            "other.pdf",
            b"no PDF file at all".to_vec(),
            "cannot be read as PDF",
        ),
        ("empty.pdf", Vec::new(), ""),
        ("locked.pdf", locked_pdf(), "is encrypted"),
        (
            "scanned.pdf",
            pdf_of(&(0..3).map(blank).collect::<Vec<_>>(), ""),
            "has 3 pages and no text on them",
        ),
        (
            "half.epub",
            epub(&["<p>x</p>"])[..200].to_vec(),
            "cannot be read as EPUB",
        ),
        (
            "named.epub",
            b"no EPUB file at all".to_vec(),
            "cannot be read as EPUB",
        ),
        (
            "pictures.epub",
            epub(&["<img src='a.png'/>"]),
            "has no text",
        ),
        ("lost.epub", epub_of(&[], 1), "chapter 1"),
        (
            "sold.epub",
            epub_of(&[("META-INF/rights.xml".to_owned(), b"<rights/>")], 0),
            "locked by its seller",
        ),
        (
            "bomb.epub",
            epub_of(&[("OEBPS/c0.xhtml".to_owned(), &bomb)], 1),
            "larger than the limit of 1 MiB",
        ),
        ("deep.epub", epub(&[&nested]), ""),
    ]
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_takes_its_reader_too_long_is_named_with_the_limit() {
    let home = Home::new();
    let nested = "<div>".repeat(300_000);
    fs::write(home.work().join("slow.epub"), epub(&[&nested])).unwrap();
    let output = home.endpaper(&["detect", "slow.epub"]).output().unwrap();
    let said = stderr(&output);
    assert!(said.contains("'slow.epub'"), "{said}");
    assert!(
        said.contains("more than 8 seconds of processor time"),
        "{said}"
    );
}

#[test]
fn hostile_files_are_named_and_the_others_are_read() {
    let home = Home::new();
    let folder = home.work().join("corpus");
    fs::create_dir(&folder).unwrap();
    for (name, bytes, _) in hostile() {
        fs::write(folder.join(name), bytes).unwrap();
    }
    fs::write(folder.join("whales.pdf"), pdf(PAGES)).unwrap();
    for reader in readers() {
        let arguments = [
            "detect",
            "--format",
            "tsv",
            "--max-size",
            "1M",
            "--pdf",
            reader,
        ];
        let mut command = home.endpaper(&arguments);
        let output = command.arg(&folder).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let books = String::from_utf8(output.stdout).unwrap();
        assert!(books.contains("whales.pdf\t"), "{books}{said}");
        for (name, _, reason) in hostile() {
            // Without a message: nothing must break, since readers differ in what they tolerate.
            if reason.is_empty() {
                continue;
            }
            let line = said
                .lines()
                .find(|line| line.contains(&format!("'{name}'")));
            let line = line.unwrap_or_else(|| panic!("{name} is not named ({reader}):\n{said}"));
            assert!(line.contains(reason), "{reader}: {line}");
            assert!(!books.contains(name), "{books}");
        }
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn a_form_that_draws_itself_breaks_its_reader_and_nothing_else() {
    let home = Home::new();
    let whole = String::from_utf8(pdf_of(&["/X Do".to_owned()], "")).unwrap();
    // The page draws its own contents. No object moves.
    let endless = whole.replace("<< /Font << /F1 3 0 R >> >>", "<< /XObject << /X 5 0 R>>>>");
    assert!(endless != whole && endless.len() == whole.len());
    home.write("corpus/endless.pdf", endless);
    home.write("corpus/whales.pdf", pdf(PAGES));
    let arguments = ["detect", "corpus", "--format", "tsv", "--pdf", "built-in"];
    let output = home.endpaper(&arguments).output().unwrap();
    let said = stderr(&output);
    let reason = "'endless.pdf': cannot be read as PDF (its reader broke down)";
    assert!(said.contains(reason), "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("whales.pdf\t"),
        "{said}"
    );
}

#[test]
fn an_extracted_text_is_kept_until_its_file_changes() {
    let home = Home::new();
    let file = home.work().join("b.epub");
    let kept = || {
        let entries = walk(home.work().parent().unwrap());
        entries
            .into_iter()
            .filter(|path| path.ends_with(".text"))
            .count()
    };
    fs::write(&file, epub(&["<p>first</p>"])).unwrap();
    assert_eq!(printed(&text(&home, &file, &["--no-cache"])), "first\n");
    assert_eq!(kept(), 0);
    assert_eq!(printed(&text(&home, &file, &[])), "first\n");
    assert_eq!(kept(), 1);
    // A broken cache entry is treated as missing.
    let path = walk(home.work().parent().unwrap())
        .into_iter()
        .find(|path| path.ends_with(".text"))
        .unwrap();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    assert_eq!(printed(&text(&home, &file, &[])), "first\n");
    fs::write(&file, epub(&["<p>second</p>"])).unwrap();
    assert_eq!(printed(&text(&home, &file, &[])), "second\n");
}

fn walk(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(walk(&path));
        } else {
            found.push(path.to_str().unwrap().to_owned());
        }
    }
    found
}

#[test]
fn a_document_beside_the_same_book_as_text_is_no_book_of_its_own() {
    let home = Home::new();
    let folder = home.work().join("corpus");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.txt"), "a text\n").unwrap();
    for name in ["a.pdf", "b.pdf", "c.pdf"] {
        fs::write(folder.join(name), pdf(PAGES)).unwrap();
    }
    for name in ["a.epub", "b.epub"] {
        fs::write(folder.join(name), epub(&["<p>x</p>"])).unwrap();
    }
    let books = |more: &[&str]| -> Vec<String> {
        let mut arguments = vec!["detect", "--format", "tsv"];
        arguments.extend(more);
        let output = home.endpaper(&arguments).current_dir(&folder).output();
        let printed = printed(&output.unwrap());
        let rows = printed.lines().skip(1);
        rows.map(|row| row.split('\t').next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(books(&[]), ["a.txt", "b.epub", "c.pdf"]);
    assert_eq!(books(&["a.pdf", "a.txt"]), ["a.pdf", "a.txt"]);
}

#[test]
fn the_body_of_a_document_is_a_text_file() {
    let home = Home::new();
    let folder = home.work().join("corpus");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("whales.pdf"), pdf(PAGES)).unwrap();
    let out = home.work().join("out");
    let arguments = [
        "strip",
        folder.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    printed(&home.endpaper(&arguments).output().unwrap());
    let body = fs::read_to_string(out.join("whales.pdf.txt")).unwrap();
    assert!(body.contains("It was a whale."), "{body}");
}

#[test]
fn a_reader_that_is_not_there_is_wrong_use() {
    let home = Home::new();
    let file = home.work().join("b.pdf");
    fs::write(&file, pdf(PAGES)).unwrap();
    let mut command = home.endpaper(&["text", file.to_str().unwrap(), "--pdf", "pdftotext"]);
    let output = command.env("PATH", home.work()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("poppler-utils"));
    // The external reader is needed only if it is requested.
    let mut command = home.endpaper(&["text", file.to_str().unwrap()]);
    let output = command.env("PATH", home.work()).output().unwrap();
    assert!(printed(&output).contains("It was a whale."));
}

#[test]
fn a_file_whose_name_begins_with_a_dash_is_no_option_of_its_reader() {
    let home = Home::new();
    fs::write(home.work().join("-x.epub"), epub(&["<p>A whale.</p>"])).unwrap();
    let output = home.endpaper(&["text", "--", "-x.epub"]).output().unwrap();
    assert_eq!(printed(&output).trim(), "A whale.");
}

/// A file of about 100 KB that its reader expands to gigabytes.
#[cfg(target_os = "linux")]
fn bomb() -> Vec<u8> {
    let chapter = "<p>a</p>".repeat(8 << 20);
    let page =
        format!("<html xmlns=\"http://www.w3.org/1999/xhtml\"><body>{chapter}</body></html>");
    epub_of(&[("OEBPS/c0.xhtml".to_owned(), page.as_bytes())], 1)
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_its_reader_would_fill_the_memory_with_is_refused_by_name() {
    let home = Home::new();
    let file = home.work().join("bomb.epub");
    fs::write(&file, bomb()).unwrap();
    let output = text(&home, &file, &[]);
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(
        told.contains("bomb.epub") && told.contains("MiB of memory"),
        "{told}"
    );
}

/// Whether a process has ended, even if its status has not been collected.
#[cfg(target_os = "linux")]
fn is_gone(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"));
    stat.map_or(true, |stat| {
        stat.rsplit(')')
            .next()
            .is_some_and(|rest| rest.starts_with(" Z"))
    })
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_dies_with_the_process_that_started_it() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let home = Home::new();
    let file = home.work().join("bomb.epub");
    fs::write(&file, bomb()).unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    let wait_for = |what: &mut dyn FnMut() -> bool| {
        while Instant::now() < patience {
            if what() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        false
    };
    let mut parent = Command::new(crate::support::ENDPAPER)
        .args(["text", "--no-cache"])
        .arg(&file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let id = parent.id();
    let mut reader = String::new();
    // The reader requests the signal before it limits its memory.
    let bounded = wait_for(&mut || {
        let tasks = fs::read_dir(format!("/proc/{id}/task"))
            .into_iter()
            .flatten()
            .flatten();
        let children =
            tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
        reader = children.collect::<String>().trim().to_owned();
        let limits = fs::read_to_string(format!("/proc/{reader}/limits")).unwrap_or_default();
        let memory = limits
            .lines()
            .find(|line| line.starts_with("Max address space"));
        memory.is_some_and(|line| !line.contains("unlimited"))
    });
    // A stopped process can only be ended by a signal.
    let stopped = Command::new("kill").args(["-STOP", &reader]).status();
    parent.kill().unwrap();
    parent.wait().unwrap();
    let gone = bounded && wait_for(&mut || is_gone(&reader));
    if !reader.is_empty() && !gone {
        let _ = Command::new("kill").args(["-KILL", &reader]).status();
    }
    assert!(stopped.is_ok() && gone, "bounded: {bounded}");
}

#[test]
fn the_versions_of_extractors_in_records_are_those_in_use() {
    use endpaper_text::corpus::extract::TextExtractor;
    let lock = include_str!("../../Cargo.lock");
    let names = [TextExtractor::PdfExtract, TextExtractor::Rbook].map(|one| one.to_string());
    for extractor in names.iter().flat_map(|names| names.split(", ")) {
        let (name, version) = extractor.split_once(' ').unwrap();
        let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
        assert!(lock.contains(&entry), "{name} is no longer {version}");
    }
}
