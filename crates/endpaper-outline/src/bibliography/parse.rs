//! Author, title, venue and year of a reference.
//!
//! One place decides where the authors end and where the title ends: every pair of such places has a score, the sum of what the
//! grammar of names, the punctuation and the text that follows say for it, and the best pair is taken. The references of one list
//! are written alike, so a list is read twice: what most of its references do counts in the second reading.

use super::author_list::{AuthorBoundary, AuthorEnd, NameForm, author_ends};
use super::author_token::QUOTES;
use super::item::{BibliographyItem, ItemDraft};
use super::marked::{before_year, dashed, italic, split_stacked};
use super::reference_cues::is_name;
use super::sentences::{sentence, text_of};
use super::title_end::{TitleBoundary, follows_imprint, quoted_end, title_ends, within};
use super::venue::venue;
use super::year::year;
use crate::metadata::years;

/// The parts of a reference before they are trimmed.
#[derive(Clone, Copy, Debug)]
struct SplitReference<'a> {
    author: &'a str,
    title: &'a str,
    behind: &'a str,
    /// How the parts are separated; `None` if a typist's marks separate them.
    format: Option<ReferenceFormat>,
}

/// How a reference separates its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReferenceFormat {
    author: AuthorBoundary,
    title: TitleBoundary,
    name: Option<NameForm>,
}

/// How the references of a list separate their parts.
#[derive(Clone, Debug, Default)]
pub(super) struct ListFormat(Vec<ReferenceFormat>);

impl ListFormat {
    /// Fewest references that say how a list is written.
    const FEWEST: usize = 4;
    /// Most references that are asked: every reference is compared with all of them.
    const MOST: usize = 200;

    pub(super) fn of(formats: impl Iterator<Item = ReferenceFormat>) -> ListFormat {
        ListFormat(formats.take(ListFormat::MOST).collect())
    }

    /// The share of references for which `test` holds; 0 for short lists.
    fn share(&self, test: impl Fn(&ReferenceFormat) -> bool) -> f32 {
        let count = self.0.len();
        if count < ListFormat::FEWEST {
            return 0.0;
        }
        self.0.iter().filter(|format| test(format)).count() as f32 / count as f32
    }
}

/// What a format that all references of a list share adds to a score.
const AUTHOR_BONUS: f32 = 2.0;
const TITLE_BONUS: f32 = 1.5;
const NAME_BONUS: f32 = 1.5;

/// The items of a list. A dash in place of an author means the author of the reference before.
pub(super) fn items(drafts: &[ItemDraft]) -> Vec<BibliographyItem> {
    let plain: Vec<(String, String)> = drafts
        .iter()
        .map(|draft| {
            let marked = draft.text();
            (super::unmarked(&marked), marked)
        })
        .collect();
    let read = |list: &ListFormat| -> Vec<SplitReference<'_>> {
        let pairs = drafts.iter().zip(&plain);
        pairs
            .map(|(draft, (text, marked))| split(text, marked, draft, list))
            .collect()
    };
    let first = read(&ListFormat::default());
    let list = ListFormat::of(first.iter().filter_map(|split| split.format));
    let mut author: Option<String> = None;
    let item =
        |((draft, (text, _)), split): ((&ItemDraft, &(String, String)), SplitReference<'_>)| {
            let quoted = split
                .format
                .is_some_and(|format| format.title == TitleBoundary::Quote);
            if !draft.same_author {
                author = text_of(before_year(split.author));
            }
            BibliographyItem {
                number: draft.number,
                line: draft.line,
                text: text.clone(),
                author: author.clone(),
                title: text_of(split.title).filter(|title| is_title(title)),
                venue: venue(split.behind, quoted),
                year: year(text),
            }
        };
    drafts
        .iter()
        .zip(&plain)
        .zip(read(&list))
        .map(item)
        .collect()
}

/// Splits a reference. `marked` is its text with the marks for italics.
fn split<'a>(
    text: &'a str,
    marked: &'a str,
    draft: &'a ItemDraft,
    list: &ListFormat,
) -> SplitReference<'a> {
    if draft.same_author {
        let rest = text.trim_start_matches(['-', '—', '–', '_', '.', ',', ' ']);
        let end = AuthorEnd::absent(text.len() - rest.len());
        return best_split(text, &[end], list);
    }
    let told = split_stacked(&draft.lines)
        .or_else(|| italic(marked))
        .or_else(|| dashed(text));
    if let Some((author, title, behind)) = told {
        return SplitReference {
            author,
            title,
            behind,
            format: None,
        };
    }
    let mut ends = author_ends(text);
    ends.extend(before_quote(text));
    ends.extend(first_sentence(text));
    if list.share(|format| format.author == AuthorBoundary::Dated) >= 0.5 {
        ends.extend(before_bracketed_year(text));
    }
    best_split(text, &ends, list)
}

/// Takes what stands before a quoted title for its author.
fn before_quote(text: &str) -> Option<AuthorEnd> {
    const LONGEST: usize = 200;
    let at = text.find(QUOTES).filter(|at| (1..=LONGEST).contains(at))?;
    let before = text[..at].trim_end();
    let closed =
        before.ends_with([',', '.', ':', ')']) && sentence(before).len() + 1 >= before.len();
    closed.then_some(AuthorEnd {
        end: before.len(),
        rest: at,
        score: 2.0,
        boundary: AuthorBoundary::Quote,
        form: None,
    })
}

/// Takes what stands before a year in brackets for the author, in a list whose references are written so: `Harrell Jr FE (2018)`.
fn before_bracketed_year(text: &str) -> Option<AuthorEnd> {
    const LONGEST: usize = 1000;
    let open = text.find('(').filter(|at| (1..=LONGEST).contains(at))?;
    let (inside, behind) = text[open + 1..].split_once(')')?;
    let year = inside.get(..4).and_then(|year| years(year).next());
    let letter = inside.get(4..).is_some_and(|rest| rest.len() <= 1);
    let author = text[..open].trim_end();
    let rest = behind.trim_start_matches(['.', ',', ':', ' ']);
    let fits = year.is_some()
        && letter
        && author.starts_with(char::is_uppercase)
        && !author.contains(QUOTES)
        && sentence(author).len() == author.len();
    fits.then_some(AuthorEnd {
        end: author.len(),
        rest: text.len() - rest.len(),
        score: 0.0,
        boundary: AuthorBoundary::Dated,
        form: None,
    })
}

/// Takes a capitalised sentence of few words for the author: `Budgett-Meakin. The Land of the Moors.`
fn first_sentence(text: &str) -> Option<AuthorEnd> {
    let first = sentence(text);
    let rest = text[first.len()..].strip_prefix(". ")?;
    is_name(first).then_some(AuthorEnd {
        end: first.len(),
        rest: text.len() - rest.len(),
        score: 0.5,
        boundary: AuthorBoundary::FullStop,
        form: None,
    })
}

/// Returns the best pair of an end of the authors and an end of the title.
fn best_split<'a>(text: &'a str, authors: &[AuthorEnd], list: &ListFormat) -> SplitReference<'a> {
    let titles = title_ends(text);
    let mut best: Option<(f32, SplitReference<'a>)> = None;
    for author in authors {
        let bonus = AUTHOR_BONUS * list.share(|format| format.author == author.boundary)
            + NAME_BONUS * list.share(|format| author.form.is_some() && format.name == author.form);
        let start = author.score + bonus + title_opening(&text[author.rest..]);
        let mut take = |score: f32, title: (usize, usize), next: usize, boundary: TitleBoundary| {
            if best.as_ref().is_none_or(|(other, _)| score > *other) {
                let split = SplitReference {
                    author: &text[..author.end],
                    title: &text[title.0..title.1],
                    behind: &text[next..],
                    format: Some(ReferenceFormat {
                        author: author.boundary,
                        title: boundary,
                        name: author.form,
                    }),
                };
                best = Some((score, split));
            }
        };
        if let Some((end, next)) = quoted_end(text, author.rest) {
            let mark = text[author.rest..].chars().next().map_or(0, char::len_utf8);
            take(
                start + 6.0,
                (author.rest + mark, end),
                next,
                TitleBoundary::Quote,
            );
            continue;
        }
        let behind = titles.partition_point(|end| end.at <= author.rest);
        let before = titles.get(behind).map_or(0.0, |end| end.passed);
        for end in &titles[behind..] {
            let share = list.share(|format| format.title == end.boundary);
            let score = start + end.score + TITLE_BONUS * share - (end.passed - before)
                + title_length(&text[author.rest..end.at]);
            take(score, (author.rest, end.at), end.next, end.boundary);
        }
    }
    best.map_or(
        SplitReference {
            author: "",
            title: text,
            behind: "",
            format: None,
        },
        |(_, split)| split,
    )
}

/// How well a text opens as a title does, rather than as another author, an imprint or a venue.
fn title_opening(text: &str) -> f32 {
    let first = text.split(' ').next().unwrap_or_default();
    let initial = first.ends_with(['.', ','])
        && first
            .trim_end_matches(',')
            .chars()
            .filter(|c| c.is_alphabetic())
            .count()
            * 2
            >= first.trim_end_matches(',').chars().count()
        && first
            .split(['.', '-', ','])
            .all(|piece| piece.chars().count() <= 1);
    if matches!(
        first,
        "and" | "&" | "Jr." | "Jr.," | "et" | "editors." | "eds."
    ) {
        -8.0
    } else if initial {
        -5.0
    } else if first.len() == 5
        && first.starts_with(['1', '2'])
        && first[..4].bytes().all(|byte| byte.is_ascii_digit())
    {
        -4.0
    } else if follows_imprint(text) || within(text).is_some_and(|rest| rest.starts_with("Proc")) {
        -5.0
    } else if text.starts_with(char::is_lowercase) {
        -1.5
    } else {
        0.0
    }
}

/// Whether a text may be a title: it has letters, and is not only the address of a page.
fn is_title(text: &str) -> bool {
    let address = ["http://", "https://", "www."]
        .iter()
        .any(|start| text.starts_with(start));
    text.contains(char::is_alphabetic) && (!address || text.contains(' '))
}

/// How well a text has the length of a title.
fn title_length(title: &str) -> f32 {
    if !title.contains(char::is_alphabetic) {
        return -10.0;
    }
    match title.split(' ').count() {
        1 => -1.0,
        2..=40 => 0.0,
        _ => -4.0,
    }
}
