//! Whether books that are alike were decided alike: `endpaper truth check --consistency`.
//!
//! Books of one template or one producer were made in one way, and editions of one work print the same. What they have in common
//! beside a cut (a note below the title, credits, a heading such as `ADDENDUM`) belongs on the same side of it in all of
//! them: where some have it in the body and others do not, one is likely a slip. Where it is in the same place, the
//! flags that speak of it should be the same. That one book has a note and another has none says nothing.

mod boundary;
mod flags;
mod profile;

use std::collections::BTreeMap;
use std::path::PathBuf;

use profile::EdgeFeature;
pub use profile::{LabellingProfile, profile_of};

use super::finding::locate_findings;
use super::{CheckFinding, CheckRule, ValidRecord};
use crate::Record;
use endpaper_detect::End;
use endpaper_text::scan::Template;

/// Books named as examples.
const EXAMPLES: usize = 2;

/// How many groups were examined, and what was found in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consistency {
    /// Templates, producers and works with two labelled books or more.
    pub groups: [usize; 3],
    /// Books that have something on another side of a cut than most of their like.
    pub side_outliers: usize,
    /// Books with other flags than most of their like.
    pub flag_outliers: usize,
    /// Flags that contradict the cuts or one another.
    pub contradictions: usize,
    /// All of these.
    pub findings: Vec<CheckFinding>,
}

/// Compares the books of each template, producer and work. `manner` returns the labelling profile of a record.
pub fn check_consistency<T>(
    sound: &[ValidRecord<T>],
    manner: impl Fn(&T) -> Option<&LabellingProfile>,
) -> Consistency {
    let books = sound.iter().filter_map(|one| {
        let manner = manner(&one.answer)?;
        Some(ConsistencyBook {
            file: &one.file,
            record: &one.record,
            profile: manner,
        })
    });
    let books: Vec<ConsistencyBook<'_>> = books.collect();
    let groups = groups(&books);
    let count = |kind: usize| groups.keys().filter(|(this, _)| *this == kind).count();
    let mut suspicions = Suspicions::default();
    for ((_, name), group) in &groups {
        compare_group(name, group, &mut suspicions);
    }
    let mut found = Consistency {
        groups: [count(0), count(1), count(2)],
        side_outliers: suspicions.sides.len(),
        flag_outliers: suspicions.flags.len(),
        ..Consistency::default()
    };
    let suspicions = suspicions
        .sides
        .into_values()
        .chain(suspicions.flags.into_values());
    found
        .findings
        .extend(suspicions.flat_map(|(_, findings)| findings));
    for book in &books {
        for message in flags::find_contradictions(book.profile) {
            found.contradictions += 1;
            found.findings.extend(book.make_finding("flags", message));
        }
    }
    found.findings.sort();
    found
}

/// Kind and name of a group, and its books.
type BookGroups<'a, 'b> = BTreeMap<(usize, String), Vec<&'b ConsistencyBook<'a>>>;

/// Groups of two books or more.
fn groups<'a, 'b>(books: &'b [ConsistencyBook<'a>]) -> BookGroups<'a, 'b> {
    let mut groups = BookGroups::new();
    for book in books {
        let LabellingProfile {
            template,
            producer: hand,
            works,
            ..
        } = book.profile;
        let template = (*template != Template::default())
            .then(|| (0, format!("template {:08x}", template.0 >> 32)));
        let hand = hand
            .iter()
            .map(|hand| (1, format!("the producer '{hand}'")));
        let works = works.iter().map(|work| (2, work.clone()));
        for group in template.into_iter().chain(hand).chain(works) {
            groups.entry(group).or_default().push(book);
        }
    }
    groups.retain(|_, group| group.len() > 1);
    groups
}

/// A decided book whose cuts are compared with those of similar books.
struct ConsistencyBook<'a> {
    file: &'a PathBuf,
    record: &'a Record,
    profile: &'a LabellingProfile,
}

impl ConsistencyBook<'_> {
    /// The finding that this book's record is inconsistent, at the line of `field`.
    fn make_finding(&self, field: &str, message: String) -> Vec<CheckFinding> {
        let wrong = vec![(CheckRule::Inconsistent, field.to_owned(), message)];
        locate_findings(self.file, &self.record.book, wrong)
    }
}

/// The suspected inconsistencies of each book, with the number of other books they rest on. If several groups lead to one, it is
/// reported once, for the largest group.
#[derive(Default)]
struct Suspicions<'a> {
    sides: BTreeMap<(&'a PathBuf, End, &'a str), (usize, Vec<CheckFinding>)>,
    flags: BTreeMap<&'a PathBuf, (usize, Vec<CheckFinding>)>,
}

/// Keeps the findings of a key for which the largest number of other books (`times`) speaks.
fn keep_stronger<K: Ord>(
    all: &mut BTreeMap<K, (usize, Vec<CheckFinding>)>,
    key: K,
    times: usize,
    findings: impl FnOnce() -> Vec<CheckFinding>,
) {
    if all.get(&key).is_none_or(|(known, _)| *known < times) {
        all.insert(key, (times, findings()));
    }
}

/// A book with something it has in common with others.
type SharedFeature<'a> = (&'a ConsistencyBook<'a>, &'a EdgeFeature);

/// What is suspected of the books of one group.
fn compare_group<'a>(
    name: &str,
    group: &[&'a ConsistencyBook<'a>],
    suspicions: &mut Suspicions<'a>,
) {
    // What books have in common, and who has it where: once for each book.
    let mut common: BTreeMap<(End, &str), Vec<SharedFeature<'a>>> = BTreeMap::new();
    for book in group {
        for placed in &book.profile.edge_features {
            let books = common.entry((placed.end, &placed.description)).or_default();
            if books
                .last()
                .is_none_or(|(last, _)| !std::ptr::eq(*last, *book))
            {
                books.push((book, placed));
            }
        }
    }
    for ((end, what), books) in common {
        find_side_outliers(name, end, what, &books, suspicions);
        for outside in [true, false] {
            let special = |(_, placed): &&SharedFeature<'a>| {
                placed.needs_flag && placed.is_outside == outside
            };
            let books: Vec<SharedFeature<'a>> = books.iter().filter(special).copied().collect();
            find_flag_outliers(name, end, what, &books, suspicions);
        }
    }
}

/// Books that have something on another side of the cut than most.
fn find_side_outliers<'a>(
    name: &str,
    end: End,
    what: &'a str,
    books: &[SharedFeature<'a>],
    suspicions: &mut Suspicions<'a>,
) {
    // Of two books, the one that has it in the body is named: what was left in is a slip sooner than what was cut away.
    let left_in: Vec<bool> = books.iter().map(|(_, placed)| !placed.is_outside).collect();
    let Some((usual, times)) = majority(&left_in).map(|(left_in, times)| (!left_in, times)) else {
        return;
    };
    let all = books.len();
    let (field, outside) = match end {
        End::Start => ("cuts.preamble_end", "the preamble"),
        End::End => ("cuts.epilogue_start", "the epilogue"),
    };
    let side = |is_outside: bool| if is_outside { outside } else { "the body" };
    let examples = examples(books, |placed| placed.is_outside == usual);
    for (book, placed) in books
        .iter()
        .filter(|(_, placed)| placed.is_outside != usual)
    {
        let message = || {
            let EdgeFeature { line, text, .. } = placed;
            let (here, there) = (side(placed.is_outside), side(usual));
            let others = describe_majority(times, all, name);
            let has = if all == 2 { "has" } else { "have" };
            format!(
                "line {line} ({text:?}), {what}, is in {here}, but in {there} in {others} that {has} such a block ({examples}); if one is a slip, decide it again"
            )
        };
        let findings = || book.make_finding(field, message());
        keep_stronger(
            &mut suspicions.sides,
            (book.file, end, what),
            times,
            findings,
        );
    }
}

/// Books that have something special in the same place as others, but not their flags.
fn find_flag_outliers<'a>(
    name: &str,
    end: End,
    what: &str,
    books: &[SharedFeature<'a>],
    suspicions: &mut Suspicions<'a>,
) {
    let flags = |manner: &LabellingProfile| flags_of_end(end, manner);
    let all: Vec<String> = books.iter().map(|(book, _)| flags(book.profile)).collect();
    let Some((usual, times)) = majority(&all) else {
        return;
    };
    let others = describe_majority(times, books.len(), name);
    let alike: Vec<SharedFeature<'a>> = books
        .iter()
        .zip(&all)
        .filter(|(_, flags)| **flags == usual)
        .map(|(book, _)| *book)
        .collect();
    let examples = examples(&alike, |_| true);
    for ((book, placed), flags) in books.iter().zip(&all).filter(|(_, flags)| **flags != usual) {
        let message = || {
            let EdgeFeature { line, text, .. } = placed;
            format!(
                "it is flagged {flags}, but {usual} in {others} with {what} in the same place (here line {line}, {text:?}; there {examples}); if one is a slip, flag it again"
            )
        };
        keep_stronger(&mut suspicions.flags, book.file, times, || {
            book.make_finding("flags", message())
        });
    }
}

/// The books that were decided otherwise, for a message.
fn describe_majority(times: usize, all: usize, name: &str) -> String {
    match all {
        2 => format!("the other book of {name}"),
        _ => format!("{times} of {all} books of {name}"),
    }
}

/// The first books that have the feature, with its line in each, for a message.
fn examples(books: &[SharedFeature<'_>], is_one: impl Fn(&EdgeFeature) -> bool) -> String {
    let books = books
        .iter()
        .filter(|(_, placed)| is_one(placed))
        .take(EXAMPLES);
    let names = books.map(|(book, placed)| format!("'{}' line {}", book.record.book, placed.line));
    names.collect::<Vec<_>>().join(", ")
}

/// The flags of the guide that speak of what is beside the start.
const ABOUT_START: &[&str] = &[
    "note-inside",
    "title-before-credits",
    "title-repeated",
    "credits-in-body",
    "pg-edition-note",
];
/// Those that may speak of what is beside the end.
const ABOUT_END: &[&str] = &["pg-edition-note"];

/// The flags of a labelling profile that concern this end.
fn flags_of_end(end: End, manner: &LabellingProfile) -> String {
    let about = match end {
        End::Start => ABOUT_START,
        End::End => ABOUT_END,
    };
    let flags = manner.flags.iter().map(String::as_str);
    let flags: Vec<&str> = flags.filter(|flag| about.contains(flag)).collect();
    match flags.is_empty() {
        true => "nothing of the kind".to_owned(),
        false => flags.join(", "),
    }
}

/// The most frequent value and how often it is; none if all are equal. Of equally frequent ones, the first.
fn majority<T: Clone + Ord>(values: &[T]) -> Option<(T, usize)> {
    let mut counts: BTreeMap<&T, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    if counts.len() < 2 {
        return None;
    }
    let most = counts.values().copied().max()?;
    let (value, count) = counts.into_iter().find(|(_, count)| *count == most)?;
    Some((value.clone(), count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceFacts, Verdict};
    use endpaper_detect::Cuts;
    use endpaper_text::corpus::BookText;

    const HEAD: &str = "The Project Gutenberg EBook of X\n\nTitle: X\n\nAuthor: A. N.\n\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\n\nProduced by Anna Bell\n\n\nX\n\nby A. N.\n\n\nIt was night.\n\n\n*** END OF THIS PROJECT GUTENBERG EBOOK X ***\n";

    pub(super) fn sound(
        name: &str,
        preamble_end: u32,
        flags: &[&str],
    ) -> ValidRecord<LabellingProfile> {
        decided(HEAD, name, preamble_end, flags)
    }

    /// A book with a title typed above the credits, which is cut away.
    fn typed(name: &str, flags: &[&str]) -> ValidRecord<LabellingProfile> {
        let head = HEAD.replace("\n\nProduced", "\nX by A. N.\nProduced");
        decided(&head, name, 10, flags)
    }

    fn decided(
        head: &str,
        name: &str,
        preamble_end: u32,
        flags: &[&str],
    ) -> ValidRecord<LabellingProfile> {
        let text = head
            .replace(" X", &format!(" {name}"))
            .replace("\nX", &format!("\n{name}"));
        let text = BookText::new(text.into_bytes());
        let mut record = Record::new(name, SourceFacts::of(&text));
        record.verdict = Verdict::Confirmed;
        record.cuts = Cuts {
            preamble_end,
            epilogue_start: Some(21),
        };
        record.flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        ValidRecord {
            file: format!("{name}.yaml").into(),
            answer: profile_of(&record, &text),
            record,
        }
    }

    fn told(found: &Consistency) -> Vec<(&str, &str)> {
        let told = found.findings.iter();
        let told = told.map(|finding| (finding.book.as_str(), finding.message.as_str()));
        told.collect()
    }

    #[test]
    fn who_has_on_another_side_what_most_have_is_named() {
        let books = [
            sound("One", 10, &[]),
            sound("Two", 7, &[]),
            sound("Three", 10, &["ads"]),
            sound("Four", 10, &[]),
        ];
        let found = check_consistency(&books, |manner| Some(manner));
        assert_eq!(found.groups, [1, 1, 0]);
        // Ads are a matter of the book, and a flag needs no hard case.
        let expected = [(
            "Two",
            "line 10 (\"Produced by Anna Bell\"), credits, is in the body, but in the preamble in 3 of 4 books of template NAME that have such a block ('One' line 10, 'Three' line 10); if one is a slip, decide it again",
        )];
        let name = format!("{:08x}", books[0].answer.template.0 >> 32);
        let expected = expected.map(|(book, told)| (book, told.replace("NAME", &name)));
        let found = told(&found)
            .into_iter()
            .map(|(book, told)| (book, told.to_owned()));
        assert_eq!(found.collect::<Vec<_>>(), expected);
        let alone = check_consistency(&books[..1], |manner| Some(manner));
        assert_eq!(alone, Consistency::default());
    }

    #[test]
    fn flags_are_compared_where_the_same_stands_in_the_same_place() {
        // A title typed above the credits is out, and has a flag.
        let mut books = ["One", "Two", "Three"].map(|name| typed(name, &["title-before-credits"]));
        books[1] = typed("Two", &[]);
        let found = check_consistency(&books, |manner| Some(manner));
        assert_eq!(
            (
                found.side_outliers,
                found.flag_outliers,
                found.contradictions
            ),
            (0, 1, 0)
        );
        let (book, message) = told(&found)[0];
        assert_eq!(book, "Two");
        let says = "it is flagged nothing of the kind, but title-before-credits in 2 of 3 books of";
        assert!(message.starts_with(says), "{message}");
        // Books without a typed title are not like them.
        let books = [
            typed("One", &["title-before-credits"]),
            sound("Two", 10, &[]),
        ];
        assert!(
            check_consistency(&books, |manner| Some(manner))
                .findings
                .is_empty()
        );
    }

    #[test]
    fn editions_of_one_work_are_compared_and_told_of_once() {
        let books = [sound("One", 10, &[]), sound("One", 7, &[])];
        let found = check_consistency(&books, |manner| Some(manner));
        assert_eq!(found.groups, [1, 1, 1]);
        assert_eq!(found.findings.len(), 1);
        assert!(
            found.findings[0]
                .message
                .contains("is in the body, but in the preamble in the other")
        );
    }
}
