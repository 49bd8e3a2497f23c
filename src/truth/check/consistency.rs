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
    start: Edge,
    end: Edge,
    flags: BTreeSet<String>,
}

/// What stands on both sides of a cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Edge {
    /// Kinds of the blocks outside and inside.
    kinds: String,
    /// The first line of the block outside.
    line: String,
}

/// How a record with cuts was decided.
pub fn manner_of(record: &Record, text: &Text) -> Manner {
    let scan = scan::scan(text.bytes(), scan::Options::default());
    let header = &scan.header;
    let plain = |text: &Option<String>| plain(text.as_deref().unwrap_or_default());
    let (title, author) = (plain(&header.title), plain(&header.author));
    let title = (!title.is_empty() && !author.is_empty()).then(|| format!("'{title}' by {author}"));
    let number = header.number.map(|number| format!("e-book {number}"));
    let blocks = Blocks::of(text, record);
    let mut flags: BTreeSet<String> = record.flags.iter().cloned().collect();
    if record.hard {
        flags.insert("hard".to_owned());
    }
    Manner {
        template: scan.template,
        works: number.into_iter().chain(title).collect(),
        start: blocks.start(),
        end: blocks.end(),
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

/// First and last line of a block.
type Block = (u32, u32);

/// The blocks of a text beside the cuts of a record.
struct Blocks<'a> {
    text: &'a Text,
    /// First line after the preamble, first line of the epilogue.
    body: (u32, u32),
}

impl<'a> Blocks<'a> {
    fn of(text: &'a Text, record: &Record) -> Blocks<'a> {
        let first = record.cuts.preamble_end.saturating_add(1);
        let end = record.cuts.epilogue_start.unwrap_or(text.lines() + 1);
        Blocks {
            text,
            body: (first, end),
        }
    }

    fn start(&self) -> Edge {
        let (first, end) = self.body;
        let outside = self.skipping(|from| self.above(from, 1), first);
        self.edge("no preamble", outside, self.below(first, end))
    }

    fn end(&self) -> Edge {
        let (first, end) = self.body;
        let end = end.min(self.text.lines() + 1);
        let outside = self.skipping(|from| self.below(from, self.text.lines() + 1), end);
        self.edge("no epilogue", outside, self.above(end, first))
    }

    fn edge(&self, none: &str, outside: Option<Block>, inside: Option<Block>) -> Edge {
        let kind = |block| kind(self.text, block);
        let mut kinds = outside.map_or(none, kind).to_owned();
        // A body is plain text; what else stands at its edge is worth a word.
        match inside.map(kind) {
            Some(PLAIN) => {}
            Some(inside) => kinds.push_str(&format!(" with {inside} in the body beside it")),
            None => kinds.push_str(" with no body beside it"),
        }
        let line = outside.map(|(first, _)| self.text.display(first, 200));
        let line = line.map(|line| line.trim().chars().take(60).collect());
        Edge {
            kinds,
            line: line.unwrap_or_default(),
        }
    }

    /// The first block outside that is more than a separator, which belongs to whatever it touches.
    fn skipping(&self, next: impl Fn(u32) -> Option<Block>, from: u32) -> Option<Block> {
        let nearest = next(from)?;
        if kind(self.text, nearest) != SEPARATOR {
            return Some(nearest);
        }
        let beyond = if nearest.0 < from {
            nearest.0
        } else {
            nearest.1 + 1
        };
        next(beyond).or(Some(nearest))
    }

    /// The block that ends just above a line, down to a first one.
    fn above(&self, line: u32, least: u32) -> Option<Block> {
        let last = non_blank_to(self.text, line.saturating_sub(1))?;
        let mut first = last;
        while first > least && last - first < LINES && !self.text.is_blank(first - 1) {
            first -= 1;
        }
        (last >= least).then_some((first, last))
    }

    /// The block that begins at a line or just below, up to an end.
    fn below(&self, line: u32, end: u32) -> Option<Block> {
        let first = non_blank_from(self.text, line)?;
        let mut last = first;
        while last + 1 < end && last - first < LINES && !self.text.is_blank(last + 1) {
            last += 1;
        }
        (first < end).then_some((first, last))
    }
}

const SEPARATOR: &str = "a separator";
const PLAIN: &str = "plain text";

/// What a block is, by the marks of its lines: one signed line signs it all.
fn kind(text: &Text, (first, last): Block) -> &'static str {
    let mut normaliser = Normaliser::default();
    let (mut all, mut only_separators) = (Marks::default(), true);
    for line in first..=last.min(text.lines()) {
        let marks = Marks::of(&normaliser.line(&text.countable(line)));
        only_separators &= marks.has(Marks::SEPARATOR);
        all |= marks;
    }
    let ours = Marks::START | Marks::SMALL_PRINT_END | Marks::END | Marks::ETEXT | Marks::GUTENBERG;
    match all {
        marks if marks.any(Marks::NOTE) => "a note",
        marks if marks.any(Marks::CREDITS) => "credits",
        marks if marks.any(ours) => "a marker or licence",
        _ if only_separators => SEPARATOR,
        _ => PLAIN,
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
    let of = |value: fn(&Manner) -> String| group.iter().map(|book| value(book.manner)).collect();
    let line = |value: fn(&Manner) -> &str| group.iter().map(|book| value(book.manner)).collect();
    type Aspect<'a> = (&'a str, &'a str, Vec<String>, Vec<&'a str>);
    let aspects: [Aspect<'_>; 3] = [
        (
            "cuts.preamble_end",
            "the preamble ends in",
            of(|manner| manner.start.kinds.clone()),
            line(|manner| &manner.start.line),
        ),
        (
            "cuts.epilogue_start",
            "the epilogue begins with",
            of(|manner| manner.end.kinds.clone()),
            line(|manner| &manner.end.line),
        ),
        (
            "flags",
            "it is flagged",
            of(|manner| flags(&manner.flags)),
            line(|_| ""),
        ),
    ];
    for (field, what, values, lines) in aspects {
        let Some((usual, times)) = usual(&values) else {
            continue;
        };
        let with = |at: &usize, yes: bool| (values[*at] == *usual) == yes;
        for at in (0..group.len()).filter(|at| with(at, false)) {
            let (book, value) = (group[at], &values[at]);
            let line = match lines[at] {
                "" => String::new(),
                line => format!(" ({line:?})"),
            };
            let alike = (0..group.len()).filter(|at| with(at, true));
            let examples: Vec<String> = alike
                .take(EXAMPLES)
                .map(|at| format!("'{}'", group[at].record.book))
                .collect();
            let message = format!(
                "{name}, {} books: {what} {value}{line}, but {usual} in {times} of them (such as {}); if one is a slip, decide it again",
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
    fn edges_have_kinds() {
        let manner = sound("Y", 10, &[]).answer;
        assert_eq!(manner.start.kinds, "credits");
        assert_eq!(manner.start.line, "Produced by Anna Bell");
        assert_eq!(manner.end.kinds, "a marker or licence");
        assert_eq!(manner.works, ["'y' by a n"]);
        let table = [
            (7, "a marker or licence with credits in the body beside it"),
            (
                0,
                "no preamble with a marker or licence in the body beside it",
            ),
            (21, "a marker or licence with no body beside it"),
        ];
        for (cut, kinds) in table {
            assert_eq!(sound("Y", cut, &[]).answer.start.kinds, kinds);
        }
    }

    #[test]
    fn a_separator_belongs_to_what_it_touches() {
        let text = Text::new(b"Produced by Anna Bell\n\n* * *\n\nText.\n\n* * *\n".to_vec());
        let mut record = Record::new("a", SourceFacts::of(&text));
        record.cuts.preamble_end = 3;
        let manner = manner_of(&record, &text);
        assert_eq!(manner.start.kinds, "credits");
        assert_eq!(
            manner.end.kinds,
            "no epilogue with a separator in the body beside it"
        );
        record.cuts.epilogue_start = Some(7);
        assert_eq!(manner_of(&record, &text).end.kinds, SEPARATOR);
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
        let told: Vec<(&str, &str)> = found
            .findings
            .iter()
            .map(|finding| (finding.book.as_str(), told(&finding.message)))
            .collect();
        let expected = [
            (
                "Three",
                "it is flagged ads, but nothing in 3 of them (such as 'One' and 'Two'); if one is a slip, decide it again",
            ),
            (
                "Two",
                "the preamble ends in a marker or licence with credits in the body beside it (\"*** START OF THIS PROJECT GUTENBERG EBOOK Two ***\"), but credits in 3 of them (such as 'One' and 'Three'); if one is a slip, decide it again",
            ),
        ];
        assert_eq!(told, expected);
        assert!(consistency(&books[..1], Some).findings.is_empty());
    }

    #[test]
    fn editions_of_one_work_are_compared_and_told_of_once() {
        let books = [sound("One", 10, &[]), sound("One", 10, &["hard"])];
        let found = consistency(&books, Some);
        assert_eq!((found.templates, found.works), (1, 1));
        assert_eq!(found.findings.len(), 1);
    }
}
