//! `endpaper outline --html`: one self-contained file, with everything escaped, and links between books that cite each other.

use std::fs;
use std::process::Output;

use crate::support::html::{assert_self_contained, tags, values};
use crate::support::{Home, demo, fine, stderr};

/// A book with a table of contents, two chapters and references.
fn book(title: &str, author: &str, references: &str) -> String {
    let prose = "It was late when they came down to the river, and the boat was gone.\n".repeat(30);
    format!(
        "Title: {title}\n\nAuthor: {author}\n\n*** START OF THIS PROJECT GUTENBERG EBOOK ***\n\n\n\
        CONTENTS\n\n  I. The Boat\n  II. The River\n  III. The Sea\n\n\n\
        CHAPTER I\n\nTHE BOAT\n\n{prose}\n\nCHAPTER II\n\nTHE RIVER\n\nNobody <came> & \"went\".\n\n{prose}\n\n\
        CHAPTER III\n\nTHE SEA\n\n{prose}\n\n\nREFERENCES\n\n{references}\n"
    )
}

fn outline(home: &Home, more: &[&str]) -> Output {
    let arguments = [&["outline", "books", "--html", "page.html"], more].concat();
    home.endpaper(&arguments).output().unwrap()
}

fn page(home: &Home) -> String {
    fine(&outline(home, &["--quiet"]));
    let page = fs::read_to_string(home.work().join("page.html")).unwrap();
    assert_self_contained(&page);
    page
}

/// Two books that cite each other, and one that cites nothing of theirs.
fn citing() -> Home {
    let home = Home::new();
    let lee = "[1] Ray, Bo. The Rivers of the North. London, 1999.\n\
        [2] D. E. Knuth. The TeXbook. Addison-Wesley, 1984.\n";
    let ray = "[1] A. Lee, \"The Boats of the South,\" Journal of Boats, 12:1-9, 1999.\n\
        [2] A. Lee. The Boats of the South: a Reader. Paris, 2001.\n";
    home.write(
        "books/a.txt",
        book("The Boats of the South", "Ann Lee", lee),
    );
    home.write(
        "books/b.txt",
        book("The Rivers of the North", "Bo Ray", ray),
    );
    home.write(
        "books/c.txt",
        book(
            "A Tale",
            "Cy Fox",
            "[1] None. Nothing at all. London, 1999.\n",
        ),
    );
    home
}

#[test]
fn demo_books_are_on_one_page() {
    let home = Home::new();
    let demo = demo();
    let arguments = ["outline", demo.to_str().unwrap(), "--html", "-", "--quiet"];
    let page = fine(&home.endpaper(&arguments).output().unwrap());
    assert_self_contained(&page);
    let catalog = [
        "catalog",
        demo.to_str().unwrap(),
        "--quiet",
        "--format",
        "tsv",
    ];
    let books = fine(&home.endpaper(&catalog).output().unwrap())
        .lines()
        .count()
        - 1;
    assert_eq!(page.matches("<section ").count(), books);
    assert!(page.contains(&format!("<p>{books} books, ")), "{page}");
    assert!(page.len() < 30_000 * books, "{} bytes", page.len());
    let again = [&arguments[..], &["--threads", "1"]].concat();
    assert!(fine(&home.endpaper(&again).output().unwrap()) == page);
}

#[test]
fn books_that_cite_each_other_are_linked_both_ways() {
    let home = citing();
    let page = page(&home);
    for part in [
        "<p>3 books, 12 parts, 4 references, 3 of them to books on this page.",
        "<li><a href=\"#b1\">The Boats of the South</a> <span class=\"soft\">Ann Lee</span></li>",
        "<cite>The Rivers of the North</cite>",
        " <span class=\"held\"><a href=\"#b2\">The Rivers of the North</a></span></li>",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    let section = |book: usize| {
        let start = format!("<section id=\"b{book}\">");
        let after = page.split(&start).nth(1).unwrap();
        after.split("</section>").next().unwrap()
    };
    assert!(section(1).contains("<p class=\"cited\">Cited by <a href=\"#b2r0.0\">"));
    assert!(section(1).contains("; <a href=\"#b2r0.1\">The Rivers of the North, line "));
    assert!(section(2).contains("<li id=\"b2r0.1\" value=\"2\">"));
    assert!(!section(3).contains("class=\"held\"") && !section(3).contains("Cited by"));
    // The same links as rows.
    let links = [
        "catalog",
        "citations",
        "books",
        "--links",
        "--quiet",
        "--format",
        "tsv",
    ];
    let links = fine(&home.endpaper(&links).output().unwrap());
    let rows: Vec<Vec<&str>> = links.lines().map(|row| row.split('\t').collect()).collect();
    assert_eq!(
        rows[0],
        ["book", "line", "number", "cited", "author", "title", "year"]
    );
    let pairs: Vec<(&str, &str, &str)> = rows[1..]
        .iter()
        .map(|row| (row[0], row[2], row[3]))
        .collect();
    assert_eq!(
        pairs,
        [
            ("a.txt", "1", "b.txt"),
            ("b.txt", "1", "a.txt"),
            ("b.txt", "2", "a.txt")
        ]
    );
    assert_eq!(rows[1][4..], ["Ray, Bo", "The Rivers of the North", "1999"]);
}

#[test]
fn a_section_is_as_it_was_read_by_people() {
    let page = page(&citing());
    let start = page.find("<section id=\"b2\">").unwrap();
    let end = page.find("<section id=\"b3\">").unwrap();
    let expected = include_str!("../fixtures/outline-section.html");
    assert_eq!(&page[start..end], expected.replace("\r\n", "\n"));
}

#[test]
fn contents_lead_to_parts_with_their_first_words() {
    let page = page(&citing());
    let tags = tags(&page);
    assert_eq!(
        values(&tags, "href")
            .iter()
            .filter(|link| link.starts_with("#b1p"))
            .count(),
        4
    );
    for part in [
        "<h3>Contents <span class=\"line\">lines 8\u{2013}12</span></h3>",
        "<li class=\"l1\"><a href=\"#b1p1\">Chapter 2. The River</a> <span class=\"line\">51</span></li>",
        "<dt id=\"b1p1\">Chapter 2. The River <span class=\"line\">line 51</span></dt>\
            <dd>Nobody &lt;came&gt; &amp; &quot;went&quot;. It was late when",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

#[test]
fn hostile_books_stay_text() {
    let home = Home::new();
    let evil = "</title></h2><script>alert('\"&\"')</script>\u{202e}\u{1b}[2J";
    let references =
        format!("[1] {evil}, B. <b>{evil}</b>. London, 1999.\n[2] Lee, \"{evil},\" 2000.\n");
    let hostile = book(evil, &format!("{evil} Lee"), &references).replace("Nobody", evil);
    home.write("books/<img src=x onerror=alert(1)> & 'co'.txt", &hostile);
    home.write(
        "books/\u{202e}txt.txt",
        hostile.replace("THE RIVER", "<a id=\"b1\">"),
    );
    let long = format!("CHAPTER I\n\n{}\n", "<i>very long</i> ".repeat(100_000));
    home.write("books/long.txt", long);
    let many: String = (1..5_000)
        .map(|number| format!("CHAPTER {number}\n\nText.\n\n\n"))
        .collect();
    home.write("books/many.txt", many);
    let page = page(&home);
    assert_eq!(page.matches("<section ").count(), 4);
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("<i>very"));
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    assert!(page.lines().all(|line| line.chars().count() < 5_000));
}

#[test]
fn a_page_is_written_over_only_with_force_and_never_through_a_link() {
    let home = citing();
    home.write("page.html", "precious");
    let output = outline(&home, &[]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("'page.html' exists; ") && said.contains("--force"),
        "{said}"
    );
    let read = || fs::read_to_string(home.work().join("page.html")).unwrap();
    assert_eq!(read(), "precious");
    assert_eq!(fine(&outline(&home, &["--force", "--quiet"])), "");
    assert!(read().starts_with("<!DOCTYPE html>"));
    #[cfg(unix)]
    {
        let target = home.write("target.html", "precious");
        fs::remove_file(home.work().join("page.html")).unwrap();
        std::os::unix::fs::symlink(&target, home.work().join("page.html")).unwrap();
        let output = outline(&home, &["--force"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).contains("is a symbolic link"),
            "{}",
            stderr(&output)
        );
        assert_eq!(fs::read_to_string(target).unwrap(), "precious");
    }
}

#[test]
fn wrong_use_is_said_before_any_work() {
    let home = citing();
    for (arguments, complaint) in [
        (
            &["outline", "books", "--html", "none/page.html"][..],
            "'none/page.html' cannot be written",
        ),
        (
            &["outline", "books", "--html", "books"],
            "is a folder; name a file",
        ),
        (
            &["outline", "books", "--html", "x.html", "--format", "yaml"],
            "cannot be used with",
        ),
        (&["outline", "nowhere", "--html", "x.html"], "nowhere"),
    ] {
        let output = home.endpaper(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(complaint), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
    assert!(!home.work().join("x.html").exists());
}
