//! The title page: title, author and translator, above the table of contents or the first heading.

use super::{ValueExtractor, ValueSource};
use crate::fold::{fold, squeeze};
use crate::heading::{HeadingKind, ParsedHeading};
use crate::rows::BodyRows;

/// Most rows of a title page, including those before it.
const MAX_ROWS: usize = 90;
/// Most lines of a block of a title page.
const MAX_BLOCK_LINES: usize = 6;
/// Longest title, in bytes.
const MAX_TITLE_BYTES: usize = 300;

/// The contents of a title page.
#[derive(Clone, Debug, Default)]
pub(super) struct TitlePage {
    /// Candidates for the title: single blocks, and the first blocks joined.
    pub titles: Vec<(String, ValueSource)>,
    pub authors: Vec<(String, ValueSource)>,
    pub editors: Vec<(String, ValueSource)>,
    pub translators: Vec<(String, ValueSource)>,
    pub illustrators: Vec<(String, ValueSource)>,
    /// Indices of its rows.
    pub rows: Vec<usize>,
    /// A role whose name is expected in the next block.
    waits: Option<ContributorRole>,
}

/// The contribution of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContributorRole {
    Author,
    Editor,
    Translator,
    Illustrator,
    Other,
}

/// Openings of lines that name people, folded.
const ROLES: &[(&str, ContributorRole)] = &[
    ("by", ContributorRole::Author),
    ("par", ContributorRole::Author),
    ("von", ContributorRole::Author),
    ("por", ContributorRole::Author),
    ("written by", ContributorRole::Author),
    ("a novel by", ContributorRole::Author),
    ("translated", ContributorRole::Translator),
    ("a new translation", ContributorRole::Translator),
    ("done into english", ContributorRole::Translator),
    ("rendered into english", ContributorRole::Translator),
    ("traduit", ContributorRole::Translator),
    ("traduction", ContributorRole::Translator),
    ("ubersetzt", ContributorRole::Translator),
    ("traduzido", ContributorRole::Translator),
    ("traduccao de", ContributorRole::Translator),
    ("tradotto", ContributorRole::Translator),
    ("edited", ContributorRole::Editor),
    ("herausgegeben", ContributorRole::Editor),
    ("illustrated", ContributorRole::Illustrator),
    ("with illustrations", ContributorRole::Illustrator),
    ("pictures by", ContributorRole::Illustrator),
    ("illustrations by", ContributorRole::Illustrator),
    ("drawings by", ContributorRole::Illustrator),
    ("author of", ContributorRole::Other),
    ("published", ContributorRole::Other),
    ("printed", ContributorRole::Other),
    ("copyright", ContributorRole::Other),
    ("jacket", ContributorRole::Other),
    ("cover", ContributorRole::Other),
    ("entered", ContributorRole::Other),
    ("with an introduction", ContributorRole::Other),
    ("with notes", ContributorRole::Other),
    ("introduction by", ContributorRole::Other),
];

/// Reads the blocks at the top of the body up to the first that is no part of a title page.
pub(super) fn read(rows: &BodyRows<'_>) -> TitlePage {
    let mut page = TitlePage::default();
    let mut blocks: Vec<(String, ValueSource)> = Vec::new();
    let mut named = false;
    let mut at = 0;
    while at < rows.all().len().min(MAX_ROWS) {
        let size = rows.block_length(at, MAX_BLOCK_LINES + 1);
        let block = at..at + size;
        at = block.end;
        // The rest of a long block is skipped with it.
        while at < rows.all().len() && !rows.all()[at].is_first() && at < MAX_ROWS {
            at += 1;
        }
        if rows.all()[block.clone()]
            .iter()
            .any(|row| row.mentions_etext)
        {
            continue;
        }
        let first = rows.words(block.start);
        let label = ParsedHeading::of(&first);
        if (label.kind.is_counted()
            && !matches!(
                label.kind,
                HeadingKind::Volume | HeadingKind::Part | HeadingKind::Book
            )
            && !blocks.is_empty())
            || label.kind == HeadingKind::Matter
            || ends_page(&fold(&first))
        {
            break;
        }
        if fold(&first).starts_with("transcriber") {
            continue;
        }
        if size > MAX_BLOCK_LINES || is_prose(rows, &block) {
            // Notes may come above the title page, but not within it.
            if blocks.is_empty() {
                continue;
            }
            break;
        }
        page.rows.extend(block.clone());
        let source = ValueSource {
            extractor: ValueExtractor::TitlePage,
            line: Some(rows.all()[block.start].line),
        };
        page.block(rows, &block, source, &mut blocks, &mut named);
    }
    if page.authors.is_empty() && rows.header_end() == 0 {
        page.authors = authors_below(rows, &page.rows);
        let lines: Vec<u32> = page
            .authors
            .iter()
            .filter_map(|(_, source)| source.line)
            .collect();
        blocks.retain(|(_, source)| source.line.is_none_or(|line| !lines.contains(&line)));
    }
    page.titles(&blocks);
    page
}

/// The authors of a book without a library's header: two names or more below the title, in rows of their own or side by side.
fn authors_below(rows: &BodyRows<'_>, page: &[usize]) -> Vec<(String, ValueSource)> {
    let mut authors = Vec::new();
    let below = page
        .iter()
        .skip(1)
        .skip_while(|&&at| !rows.all()[at].is_first());
    for &at in below {
        let line = rows.words(at);
        let names = side_by_side(&line);
        if !names.is_empty() {
            let source = ValueSource {
                extractor: ValueExtractor::TitlePage,
                line: Some(rows.all()[at].line),
            };
            authors.extend(names.into_iter().map(|name| (name, source)));
        } else if authors.len() >= 2 {
            break;
        } else {
            authors.clear();
        }
    }
    if authors.len() < 2 {
        authors.clear();
    }
    authors
}

/// The names in a row with gaps between them; empty if one of them is no name.
fn side_by_side(line: &str) -> Vec<String> {
    let names: Vec<String> = line
        .split("   ")
        .map(without_marks)
        .filter(|name| !name.is_empty())
        .collect();
    if names.iter().all(|name| reads_like_name(name)) {
        names
    } else {
        Vec::new()
    }
}

/// A name without the marks of footnotes.
fn without_marks(name: &str) -> String {
    squeeze(name.trim_matches(|c: char| !c.is_alphabetic() && c != '.'))
}

/// Whether a text is the name of a person: two to four capitalised words, none of which is common in titles.
fn reads_like_name(text: &str) -> bool {
    const OTHERS: &[&str] = &[
        "a",
        "an",
        "and",
        "the",
        "of",
        "in",
        "on",
        "for",
        "to",
        "with",
        "university",
        "department",
        "institute",
        "college",
        "school",
        "laboratory",
        "press",
        "publisher",
        "publishers",
        "company",
        "guide",
        "manual",
        "handbook",
        "introduction",
        "version",
        "edition",
        "volume",
        "part",
        "series",
        "package",
        "documentation",
        "reference",
        "report",
        "thesis",
        "notes",
        "street",
        "road",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let words: Vec<&str> = text.split(' ').collect();
    let part = |word: &&str| {
        let letters = word
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | '\'' | '’'));
        let initial = word.chars().count() > 1 || word.ends_with('.');
        letters
            && initial
            && word.starts_with(char::is_uppercase)
            && !OTHERS.contains(&fold(word).as_str())
    };
    let particle =
        |word: &&str| matches!(*word, "de" | "van" | "von" | "der" | "la" | "di" | "del");
    (2..=4).contains(&words.len())
        && words.iter().all(|word| part(word) || particle(word))
        && words
            .last()
            .is_some_and(|last| part(last) && !last.ends_with('.'))
        && text.contains(char::is_lowercase)
}

/// Whether a line never occurs on a title page, and so ends it.
fn ends_page(folded: &str) -> bool {
    matches!(
        folded,
        "contents"
            | "table of contents"
            | "illustrations"
            | "list of illustrations"
            | "table des matieres"
            | "indice"
            | "inhalt"
            | "inhoud"
    )
}

/// Whether a block is running text: long rows, or two full ones.
fn is_prose(rows: &BodyRows<'_>, block: &std::ops::Range<usize>) -> bool {
    let lines = &rows.all()[block.clone()];
    let full = lines
        .iter()
        .filter(|row| row.size >= 55 && !row.upper && row.indent < 8)
        .count();
    lines.iter().any(|row| row.is_long()) || full >= 2
}

impl TitlePage {
    /// Reads a block of the title page: a title, or people with their role.
    fn block(
        &mut self,
        rows: &BodyRows<'_>,
        block: &std::ops::Range<usize>,
        source: ValueSource,
        blocks: &mut Vec<(String, ValueSource)>,
        named: &mut bool,
    ) {
        let mut title = String::new();
        let mut waiting: Option<ContributorRole> = self.waits.take();
        for at in block.clone() {
            let line = squeeze(&rows.words(at));
            if line.is_empty() || line.starts_with(['[', '{', '<']) {
                continue;
            }
            let names = side_by_side(&rows.words(at));
            let below = !title.is_empty() || !blocks.is_empty();
            if names.len() >= 2 && below && rows.header_end() == 0 && self.authors.is_empty() {
                self.authors
                    .extend(names.into_iter().map(|name| (name, source)));
                *named = true;
                continue;
            }
            if let Some(role) = waiting.take() {
                self.person(role, &line, source);
                *named |= role == ContributorRole::Author;
                continue;
            }
            match role_of(&line) {
                Some((role, "")) => {
                    waiting = Some(role);
                }
                Some((role, name)) => {
                    self.person(role, name, source);
                    *named |= role == ContributorRole::Author;
                }
                None if names_publisher(&line) => {}
                None => {
                    // `Persuasion, by Jane Austen`.
                    let (words, name) = inline_by(&line);
                    if let Some(name) = name {
                        self.person(ContributorRole::Author, name, source);
                    }
                    if !*named && title.len() + words.len() < MAX_TITLE_BYTES {
                        if !title.is_empty() {
                            title.push(' ');
                        }
                        title.push_str(words);
                    }
                    *named |= name.is_some();
                }
            }
        }
        self.waits = waiting;
        if !title.is_empty() && blocks.len() < 6 {
            blocks.push((title, source));
        }
    }

    /// Notes a person, the first for each role.
    fn person(&mut self, role: ContributorRole, name: &str, source: ValueSource) {
        let people = match role {
            ContributorRole::Author => &mut self.authors,
            ContributorRole::Editor => &mut self.editors,
            ContributorRole::Translator => &mut self.translators,
            ContributorRole::Illustrator => &mut self.illustrators,
            ContributorRole::Other => return,
        };
        let capital = name.starts_with(|c: char| c.is_uppercase());
        if people.is_empty() && capital && name.len() <= 120 {
            people.push((name.to_owned(), source));
        }
    }

    /// Adds each block, and joins of consecutive blocks, since titles are broken over several.
    fn titles(&mut self, blocks: &[(String, ValueSource)]) {
        let mut joined: Option<(String, ValueSource)> = None;
        for (title, source) in blocks {
            self.titles.push((title.clone(), *source));
            joined = match joined.take() {
                Some((before, first)) if before.len() + title.len() < MAX_TITLE_BYTES => {
                    let both = (format!("{before} {title}"), first);
                    self.titles.push(both.clone());
                    Some(both)
                }
                _ => Some((title.clone(), *source)),
            };
        }
    }
}

/// Whether a line names a publisher: `GEORGE ALLEN PUBLISHER`.
fn names_publisher(line: &str) -> bool {
    let folded = fold(line);
    let mut words = folded.split(' ');
    let last = words.next_back();
    matches!(last, Some("publisher" | "publishers")) && (1..=5).contains(&words.count())
}

/// The contribution that a line names, and the name after it.
fn role_of(line: &str) -> Option<(ContributorRole, &str)> {
    let folded = fold(line);
    let (opening, role) = ROLES.iter().find(|(opening, _)| {
        folded
            .strip_prefix(opening)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })?;
    if folded.len() == opening.len() {
        return Some((*role, ""));
    }
    if matches!(*opening, "by" | "par" | "von" | "por") {
        let name = line
            .split_once(char::is_whitespace)
            .map_or("", |(_, name)| name.trim());
        // `By the same author`, `By the Sea`.
        let person = name.starts_with(char::is_uppercase) && !fold(name).starts_with("the ");
        return person.then_some((*role, name));
    }
    let lower = line.to_lowercase();
    let by = [" by ", " par ", " von ", " por ", " da ", " di "]
        .iter()
        .filter_map(|word| lower.find(word).map(|at| at + word.len()))
        .min();
    match by {
        // Offsets into the lower-case line are valid only if both have the same length.
        Some(at) if lower.len() == line.len() => Some((*role, line.get(at..).unwrap_or("").trim())),
        _ if lower.ends_with(" by") => Some((*role, "")),
        _ => Some((ContributorRole::Other, line)),
    }
}

/// Splits a line into a title and the author after `by`.
fn inline_by(line: &str) -> (&str, Option<&str>) {
    for by in [", by ", ", By ", ", BY ", " by ", " BY "] {
        if let Some(at) = line.rfind(by) {
            let name = line[at + by.len()..].trim();
            let capitals = name
                .split_whitespace()
                .all(|word| word.starts_with(|c: char| !c.is_lowercase()));
            if capitals && name.split_whitespace().count() <= 5 && !name.is_empty() && at > 0 {
                return (line[..at].trim_end_matches([',', ' ']), Some(name));
            }
        }
    }
    (line, None)
}
