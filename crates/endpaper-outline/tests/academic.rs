//! Outlines of documents made with LaTeX, whose chapters are known: the sources and PDF files are in `academic/`, beside the text
//! that the two readers of PDF files give.

use endpaper_outline::{MetadataValue, Outline, outline};
use endpaper_text::corpus::BookText;
use endpaper_text::scan::{WindowOptions, scan};

fn read(source: &str) -> Outline {
    let text = BookText::new(source.as_bytes().to_vec());
    outline(&text, &scan(text.bytes(), WindowOptions::default()))
}

/// A document: its text, title, authors, and chapters with the lines of their headings.
type Document = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [(&'static str, u32)],
);

const PEOPLE: &[&str] = &["Ann Lee", "Bert Moss", "Carla Stone"];

const DOCUMENTS: &[Document] = &[
    (
        include_str!("academic/article.pdftotext.txt"),
        "The Cost of Boats",
        PEOPLE,
        &[
            ("1. Introduction", 33),
            ("1.1 Boats", 63),
            ("2. Related Work", 78),
            ("3. Results", 122),
            ("4. Conclusion", 165),
            ("A Proofs", 193),
        ],
    ),
    (
        include_str!("academic/article.built-in.txt"),
        "The Cost of Boats",
        &[],
        &[
            ("1. Introduction", 35),
            ("1.1 Boats", 65),
            ("2. Related Work", 80),
            ("3. Results", 121),
            ("4. Conclusion", 163),
            ("A Proofs", 190),
        ],
    ),
    (
        include_str!("academic/plain.pdftotext.txt"),
        "Sails in Winter",
        &[],
        &[
            ("1. Introduction", 19),
            ("2. Winter Sails", 51),
            ("3. Measurements", 83),
            ("4. Conclusion", 115),
        ],
    ),
    (
        include_str!("academic/plain.built-in.txt"),
        "Sails in Winter",
        &[],
        &[
            ("1. Introduction", 20),
            ("2. Winter Sails", 49),
            ("3. Measurements", 83),
            ("4. Conclusion", 112),
        ],
    ),
    (
        include_str!("academic/book.pdftotext.txt"),
        "Boats and their Builders",
        PEOPLE,
        &[
            ("Part 1. Wood", 38),
            ("Chapter 1. Trees", 48),
            ("1.1 Oaks", 145),
            ("Chapter 2. Hulls", 192),
            ("Chapter 3. Utilities", 288),
            ("Part 2. Wind", 384),
            ("Chapter 4. Sails", 394),
            ("A Tables", 490),
        ],
    ),
];

#[test]
fn chapters_of_made_documents_are_found_and_nothing_else() {
    for (source, title, authors, chapters) in DOCUMENTS {
        let found = read(source);
        let parts: Vec<(String, u32)> = found
            .entries
            .iter()
            .map(|entry| (entry.to_string(), entry.line.unwrap_or(0)))
            .collect();
        let expected: Vec<(String, u32)> = chapters
            .iter()
            .map(|(chapter, line)| ((*chapter).to_owned(), *line))
            .collect();
        assert_eq!(parts, expected, "{title}");
        let named = MetadataValue::texts(&found.metadata.authors);
        if !authors.is_empty() {
            assert_eq!(
                MetadataValue::text(found.metadata.title.as_ref()),
                Some(*title)
            );
            assert_eq!(named, *authors, "{title}");
        }
    }
}

#[test]
fn a_long_list_of_numbered_lines_on_pages_is_read_in_bounded_time() {
    let start = std::time::Instant::now();
    let mut lines = String::new();
    for number in 0..100_000 {
        lines += &format!("{} Word\n", number % 40 + 1);
        if number % 40 == 39 {
            lines += "\u{c}\n";
        }
    }
    let mut contents = "Contents\n\n".to_owned();
    for number in 1..=50_000 {
        contents += &format!("{number} Boat {number}  . . . . {}\n", number / 9);
        if number % 40 == 39 {
            contents += "\u{c}\n";
        }
    }
    contents += &lines;
    assert!(read(&lines).entries.len() < 200_000);
    assert!(read(&contents).entries.len() < 200_000);
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}

/// Pages of a document: its contents, and one page for each heading.
fn pages(contents: &str, headings: &[&str]) -> String {
    let mut text = format!("Contents\n\n{contents}\n");
    for (page, heading) in headings.iter().enumerate() {
        let lines = format!("The boats of page {page} are long, and they were built in winter.\n")
            .repeat(6);
        text += &format!("\u{c}{heading}\n\n{lines}\n{}\n", page + 1);
    }
    text
}

/// The listed entries with the text of the lines that they are linked to.
fn links(source: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = source.split('\n').collect();
    let entries = read(source).entries.into_iter();
    let listed = entries.filter(|entry| entry.listed.is_some());
    let heading = |line: u32| {
        lines[line as usize - 1]
            .trim_start_matches('\u{c}')
            .to_owned()
    };
    listed
        .map(|entry| {
            (
                entry.to_string(),
                entry.line.map(heading).unwrap_or_default(),
            )
        })
        .collect()
}

#[test]
fn a_heading_may_have_a_name_before_its_number() {
    let contents =
        "1 masts.sty . . . . . . 1\n2 oars.sty . . . . . . . 2\n3 sails.sty . . . . . . 3\n";
    let headings = ["File 1 masts.sty", "File 2 oars.sty", "File 3 sails.sty"];
    let titles: Vec<String> = links(&pages(contents, &headings))
        .into_iter()
        .map(|(_, heading)| heading)
        .collect();
    assert_eq!(titles, headings);
}
