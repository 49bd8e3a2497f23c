//! Whether books that are alike were decided alike: `endpaper truth check --consistency`.
//!
//! Books of one template were made by one hand in one way, and editions of one work print the same. Where the cuts of some
//! fall on other kinds of block than those of most, or their flags differ, one of them is likely a slip.

mod manner;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub use manner::{Manner, manner_of};

use super::{Finding, Rule, Sound, placed};
use crate::scan::Template;
use crate::truth::Record;

/// Books named as examples.
const EXAMPLES: usize = 2;

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
    use crate::corpus::Text;
    use crate::detect::Cuts;
    use crate::truth::{SourceFacts, Verdict};

    const HEAD: &str = "The Project Gutenberg EBook of X\n\nTitle: X\n\nAuthor: A. N.\n\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\n\nProduced by Anna Bell\n\n\nX\n\nby A. N.\n\n\nIt was night.\n\n\n*** END OF THIS PROJECT GUTENBERG EBOOK X ***\n";

    pub(super) fn sound(name: &str, preamble_end: u32, flags: &[&str]) -> Sound<Manner> {
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
    fn who_was_decided_otherwise_than_most_is_named() {
        let books = [
            sound("One", 10, &[]),
            sound("Two", 7, &[]),
            sound("Three", 10, &["ads"]),
            sound("Four", 10, &[]),
        ];
        let found = consistency(&books, |manner| Some(manner));
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
        assert!(
            consistency(&books[..1], |manner| Some(manner))
                .findings
                .is_empty()
        );
    }

    #[test]
    fn editions_of_one_work_are_compared_and_told_of_once() {
        let books = [sound("One", 10, &[]), sound("One", 10, &["hard"])];
        let found = consistency(&books, |manner| Some(manner));
        assert_eq!((found.templates, found.works), (1, 1));
        assert_eq!(found.findings.len(), 1);
    }
}
