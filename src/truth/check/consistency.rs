//! Whether books that are alike were decided alike: `endpaper truth check --consistency`.
//!
//! Books of one template were made by one hand in one way, and editions of one work print the same. Where the cuts of some
//! fall on other kinds of block than those of most, or their flags differ, one of them is likely a slip.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::{Finding, Rule, Sound, placed};
use crate::corpus::Text;
use crate::line::Normaliser;
use crate::scan::{self, Marks, Template};
use crate::truth::Record;
use crate::truth::body::{non_blank_from, non_blank_to};

/// Lines of a block that are looked at.
const LINES: u32 = 60;
/// Books named as examples.
const EXAMPLES: usize = 2;

/// How a book was decided, comparable with books that are alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    template: Template,
    /// What tells editions of one work: its number, its title with its author.
    works: Vec<String>,
    /// Kinds of the blocks before and after each cut.
    start: (&'static str, &'static str),
    end: (&'static str, &'static str),
    flags: BTreeSet<String>,
}

/// How a record with cuts was decided.
pub fn manner_of(record: &Record, text: &Text) -> Manner {
    let scan = scan::scan(text.bytes(), scan::Options::default());
    let after = record.cuts.preamble_end.saturating_add(1);
    let end = record.cuts.epilogue_start.unwrap_or(text.lines() + 1);
    let mut flags: BTreeSet<String> = record.flags.iter().cloned().collect();
    if record.hard {
        flags.insert("hard".to_owned());
    }
    let header = &scan.header;
    let plain = |text: &Option<String>| plain(text.as_deref().unwrap_or_default());
    let (title, author) = (plain(&header.title), plain(&header.author));
    let named = !title.is_empty() && !author.is_empty();
    Manner {
        template: scan.template,
        works: header
            .number
            .map(|number| format!("e-book {number}"))
            .into_iter()
            .chain(named.then(|| format!("'{title}' by {author}")))
            .collect(),
        start: (
            before(text, after, "no preamble"),
            behind(text, after, end, "no body"),
        ),
        end: (
            before_within(text, end, after),
            behind(text, end, text.lines() + 1, "no epilogue"),
        ),
        flags,
    }
}

/// Letters and digits of a name, so that editions are not told apart by a comma.
fn plain(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// The kind of what stands just above a line.
fn before(text: &Text, line: u32, none: &'static str) -> &'static str {
    match non_blank_to(text, line.saturating_sub(1)) {
        Some(last) => kind(text, (first_of_block(text, last, 1), last)),
        None => none,
    }
}

/// The same, but not above a first line.
fn before_within(text: &Text, line: u32, first: u32) -> &'static str {
    match non_blank_to(text, line.saturating_sub(1)) {
        Some(last) if last >= first => kind(text, (first_of_block(text, last, first), last)),
        _ => "no body",
    }
}

/// The kind of what stands from a line on, up to another one.
fn behind(text: &Text, line: u32, end: u32, none: &'static str) -> &'static str {
    match non_blank_from(text, line) {
        Some(first) if first < end => {
            let mut last = first;
            while last + 1 < end && last - first < LINES && !text.is_blank(last + 1) {
                last += 1;
            }
            kind(text, (first, last))
        }
        _ => none,
    }
}

fn first_of_block(text: &Text, last: u32, least: u32) -> u32 {
    let mut first = last;
    while first > least && last - first < LINES && !text.is_blank(first - 1) {
        first -= 1;
    }
    first
}

/// What a block is, by the marks of its lines: one signed line signs it all.
fn kind(text: &Text, (first, last): (u32, u32)) -> &'static str {
    let mut normaliser = Normaliser::default();
    let (mut all, mut only_separators) = (Marks::default(), true);
    for line in first..=last.min(text.lines()) {
        let marks = Marks::of(&normaliser.line(&text.countable(line)));
        only_separators &= marks.has(Marks::SEPARATOR);
        all |= marks;
    }
    let markers = Marks::START | Marks::SMALL_PRINT_END | Marks::END | Marks::ETEXT;
    match all {
        marks if marks.any(Marks::NOTE) => "note",
        marks if marks.any(markers) => "marker",
        marks if marks.any(Marks::CREDITS) => "credits",
        marks if marks.any(Marks::GUTENBERG) => "licence",
        _ if only_separators => "separator",
        _ => "plain text",
    }
}

/// How many groups were looked at, and what was found in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consistency {
    /// Templates with two labelled books or more.
    pub templates: usize,
    /// Works with two labelled books or more.
    pub works: usize,
    /// Books that were decided otherwise than most of their like.
    pub findings: Vec<Finding>,
}

/// Compares the books of each template and each work. `manner` gives how a record was decided.
pub fn consistency<T>(sound: &[Sound<T>], manner: impl Fn(&T) -> Option<&Manner>) -> Consistency {
    let books = sound.iter().filter_map(|one| {
        let manner = manner(&one.answer)?;
        Some(Book {
            file: &one.file,
            record: &one.record,
            manner,
        })
    });
    let books: Vec<Book<'_>> = books.collect();
    let (mut templates, mut works) = (Groups::new(), Groups::new());
    for (at, book) in books.iter().enumerate() {
        let template = book.manner.template;
        if template != Template::default() {
            let name = format!("template {:08x}", template.0 >> 32);
            templates.entry((template.0, name)).or_default().push(at);
        }
        for work in &book.manner.works {
            works.entry((0, work.clone())).or_default().push(at);
        }
    }
    templates.retain(|_, group| group.len() > 1);
    works.retain(|_, group| group.len() > 1);
    let mut found = Consistency {
        templates: templates.len(),
        works: works.len(),
        findings: Vec::new(),
    };
    for ((_, name), group) in templates.iter().chain(&works) {
        let group: Vec<&Book<'_>> = group.iter().map(|at| &books[*at]).collect();
        found.findings.extend(in_group(name, &group));
    }
    found.findings.sort();
    // Two names of one work say the same twice.
    found
        .findings
        .dedup_by(|a, b| a.file == b.file && told(&a.message) == told(&b.message));
    found
}

/// What a message says but for the name of the group.
fn told(message: &str) -> &str {
    message.split_once(": ").map_or(message, |(_, told)| told)
}

type Groups = BTreeMap<(u64, String), Vec<usize>>;

struct Book<'a> {
    file: &'a PathBuf,
    record: &'a Record,
    manner: &'a Manner,
}

fn in_group(name: &str, group: &[&Book<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let cut = |(before, after): (&str, &str)| format!("between {before} and {after}");
    let aspects: [(&str, &str, Vec<String>); 3] = [
        (
            "cuts.preamble_end",
            "the body begins",
            group.iter().map(|book| cut(book.manner.start)).collect(),
        ),
        (
            "cuts.epilogue_start",
            "the body ends",
            group.iter().map(|book| cut(book.manner.end)).collect(),
        ),
        (
            "flags",
            "it is flagged",
            group.iter().map(|book| flags(&book.manner.flags)).collect(),
        ),
    ];
    for (field, what, values) in aspects {
        let Some((usual, times)) = usual(&values) else {
            continue;
        };
        for (book, value) in group
            .iter()
            .zip(&values)
            .filter(|(_, value)| *value != usual)
        {
            let alike = group
                .iter()
                .zip(&values)
                .filter(|(_, value)| *value == usual);
            let examples: Vec<String> = alike
                .take(EXAMPLES)
                .map(|(other, _)| format!("'{}'", other.record.book))
                .collect();
            let message = format!(
                "{name}, {} books: {what} {value}, but {usual} in {times} of them (such as {}); if one is a slip, decide it again",
                group.len(),
                examples.join(" and ")
            );
            let wrong = vec![(Rule::Inconsistent, field.to_owned(), message)];
            findings.extend(placed(book.file, &book.record.book, wrong));
        }
    }
    findings
}

fn flags(flags: &BTreeSet<String>) -> String {
    match flags.is_empty() {
        true => "nothing".to_owned(),
        false => flags.iter().cloned().collect::<Vec<_>>().join(", "),
    }
}

/// The most frequent value and how often it stands; none if all are equal. Of equally frequent ones, the first by name.
fn usual(values: &[String]) -> Option<(&String, usize)> {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    if counts.len() < 2 {
        return None;
    }
    let most = counts.values().copied().max()?;
    counts.into_iter().find(|(_, count)| *count == most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::Cuts;
    use crate::truth::{SourceFacts, Verdict};

    const HEAD: &str = "The Project Gutenberg EBook of X\n\nTitle: X\n\nAuthor: A. N.\n\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\n\nProduced by Anna Bell\n\n\nX\n\nby A. N.\n\n\nIt was night.\n\n\n*** END OF THIS PROJECT GUTENBERG EBOOK X ***\n";

    fn sound(name: &str, preamble_end: u32, flags: &[&str]) -> Sound<Manner> {
        let text = Text::new(HEAD.replace(" X", &format!(" {name}")).into_bytes());
        let mut record = Record::new(name, SourceFacts::of(&text));
        record.verdict = Verdict::Confirmed;
        record.cuts = Cuts {
            preamble_end,
            epilogue_start: Some(21),
        };
        record.flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        Sound {
            file: format!("{name}.yaml").into(),
            answer: manner_of(&record, &text),
            record,
        }
    }

    #[test]
    fn blocks_have_kinds() {
        let manner = sound("Y", 10, &[]).answer;
        assert_eq!(manner.start, ("credits", "plain text"));
        assert_eq!(manner.end, ("plain text", "marker"));
        assert_eq!(manner.works, ["'y' by a n"]);
        assert_eq!(sound("Y", 7, &[]).answer.start, ("marker", "credits"));
        assert_eq!(sound("Y", 0, &[]).answer.start, ("no preamble", "licence"));
    }

    #[test]
    fn who_was_decided_otherwise_than_most_is_named() {
        let books = [
            sound("One", 10, &[]),
            sound("Two", 7, &[]),
            sound("Three", 10, &["ads"]),
            sound("Four", 10, &[]),
        ];
        let found = consistency(&books, Some);
        assert_eq!((found.templates, found.works), (1, 0));
        let texts: Vec<(&str, &str)> = found
            .findings
            .iter()
            .map(|finding| (finding.book.as_str(), told(&finding.message)))
            .collect();
        assert_eq!(
            texts,
            [
                (
                    "Three",
                    "it is flagged ads, but nothing in 3 of them (such as 'One' and 'Two'); if one is a slip, decide it again"
                ),
                (
                    "Two",
                    "the body begins between marker and credits, but between credits and plain text in 3 of them (such as 'One' and 'Three'); if one is a slip, decide it again"
                ),
            ]
        );
        assert!(consistency(&books[..1], Some).findings.is_empty());
    }
}
