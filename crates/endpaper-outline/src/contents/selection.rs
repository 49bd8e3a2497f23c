//! Headings that no list names, recognised by their regularity.

use std::collections::{HashMap, HashSet};

use super::candidates::HeadingCandidate;
use super::list::LinkedContents;
use super::list_headings::heads_list;
use super::numbering::find_sections;
use crate::heading::{HeadingKind, heads_cast_list};
use crate::metadata::is_town;
use crate::numbers::NumeralForm;
use crate::rows::BodyRows;

/// Fewest rows between two headings, on average; closer lines form a list.
const MIN_ROWS_BETWEEN: usize = 5;
/// Fewest headings of a kind in a chain.
const CHAIN: usize = 3;
/// Most numbers that may be missing between two of a chain: typists make mistakes.
const MISSING: u32 = 2;
/// This many numbers or more in one part, close together, count stanzas or aphorisms.
const STANZAS: usize = 8;
/// Average number of rows below which such numbers are close together.
const STANZA: usize = 36;
/// Fewest addressed letters in a book of letters.
const LETTERS: usize = 5;
/// The cast list is in the first 1/`FRONT` of the rows.
const FRONT: usize = 5;
/// A title repeated this often is a running head or a speaker.
const MIN_REPEATS: usize = 3;

/// Returns for each candidate whether it is a heading.
pub(super) fn accept_headings(
    rows: &BodyRows<'_>,
    candidates: &[HeadingCandidate],
    tables: &[LinkedContents],
    titles: &[String],
) -> Vec<bool> {
    let listed = |row: usize| tables.iter().any(|table| table.rows.contains(&row));
    let mut accepted = vec![false; candidates.len()];
    if tables.is_empty()
        && rows.is_printed()
        && let Some(sections) = find_sections(rows, candidates)
    {
        sections.into_iter().for_each(|at| accepted[at] = true);
        matter(rows, candidates, listed, &mut accepted);
        return accepted;
    }
    accept_named(candidates, listed, &mut accepted);
    bare_numbers(
        candidates,
        listed,
        &chapters(candidates, tables),
        &mut accepted,
    );
    for table in tables {
        table
            .links
            .iter()
            .flatten()
            .for_each(|&at| accepted[at] = true);
    }
    let numbered = (0..candidates.len())
        .filter(|&at| accepted[at] && candidates[at].kind.is_counted())
        .count();
    matter(rows, candidates, listed, &mut accepted);
    if tables.is_empty() {
        let named = (0..candidates.len()).any(|at| {
            accepted[at]
                && matches!(
                    candidates[at].kind,
                    HeadingKind::Volume | HeadingKind::Part | HeadingKind::Book | HeadingKind::Act
                )
        });
        accept_story_titles(rows, candidates, titles, &mut accepted);
        if numbered < 2 && letters(rows, candidates, &mut accepted) {
            return accepted;
        }
        if numbered < 2 {
            accept_titles(rows, candidates, titles, &STYLES, &mut accepted);
        } else if !named && numbers_restart(candidates, &accepted) {
            accept_titles(rows, candidates, titles, &STYLES[..3], &mut accepted);
        }
    }
    accepted
}

/// Accepts numbers with a name (`CHAPTER IV`), unless they are as close together as in a list.
fn accept_named(
    candidates: &[HeadingCandidate],
    listed: impl Fn(usize) -> bool,
    accepted: &mut [bool],
) {
    let mut kinds: HashMap<HeadingKind, Vec<usize>> = HashMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        let named = candidate.kind.is_counted() && candidate.kind != HeadingKind::Numbered;
        if named && !listed(candidate.row) {
            kinds.entry(candidate.kind).or_default().push(at);
        }
    }
    for (kind, all) in kinds {
        for run in all.chunk_by(|&a, &b| candidates[b].row - candidates[a].row <= MIN_ROWS_BETWEEN)
        {
            // A run of close rows is a list; but a part may come right before a chapter.
            if run.len() < CHAIN {
                run.iter().for_each(|&at| accepted[at] = true);
            } else if let Some(&last) = run.last() {
                accepted[last] = true;
            }
        }
        // A half-title and a title page may have the same text.
        for pair in all.windows(2) {
            let (a, b) = (&candidates[pair[0]], &candidates[pair[1]]);
            let same = (a.number, &a.folded) == (b.number, &b.folded);
            if same && b.row - a.row <= 2 * MIN_ROWS_BETWEEN {
                accepted[pair[1]] = false;
            }
        }
        // Names of sections are common words: a single one is not a heading.
        let numbers: HashSet<Option<u32>> = all.iter().map(|&at| candidates[at].number).collect();
        let weak = matches!(kind, HeadingKind::Section | HeadingKind::Letter) && numbers.len() < 2;
        if weak {
            all.iter().for_each(|&at| accepted[at] = false);
        }
    }
}

/// Accepts bare numbers that count up from one and are far enough apart.
/// A chain may be within one of the `chapters` that a list names, but may not extend over several.
fn bare_numbers(
    candidates: &[HeadingCandidate],
    listed: impl Fn(usize) -> bool,
    chapters: &[usize],
    accepted: &mut [bool],
) {
    let parts = numbering_parts(candidates, chapters, accepted);
    let mut chains: HashMap<(Option<NumeralForm>, bool), Vec<Vec<usize>>> = HashMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        let Some(number) = candidate.number else {
            continue;
        };
        if candidate.kind != HeadingKind::Numbered
            || listed(candidate.row)
            || is_sentence(candidate)
        {
            continue;
        }
        let all = chains
            .entry((candidate.form, candidate.has_no_title))
            .or_default();
        let first = all.is_empty();
        // The first number below the heading of a part may be missing.
        let second = number == 2
            && candidate.has_no_title
            && candidate.form != Some(NumeralForm::Arabic)
            && all
                .last()
                .and_then(|chain| chain.last())
                .is_some_and(|&last| {
                    parts.partition_point(|&part| part <= last)
                        < parts.partition_point(|&part| part < at)
                });
        match all.last_mut() {
            Some(chain) if number_follows(candidates, chain, number) => chain.push(at),
            // The numbers of a volume may continue those of the one before.
            _ if number <= 1
                || second
                || (first
                    && candidate.has_no_title
                    && candidate.form == Some(NumeralForm::Roman)) =>
            {
                all.push(vec![at]);
            }
            _ => {}
        }
    }
    let accepted_named: Vec<usize> = (0..candidates.len())
        .filter(|&at| accepted[at] && candidates[at].kind != HeadingKind::Matter)
        .collect();
    for ((form, alone), all) in chains {
        for chain in all {
            let (Some(&first), Some(&last)) = (chain.first(), chain.last()) else {
                continue;
            };
            let apart = (candidates[last].row - candidates[first].row)
                / chain.len().max(2).saturating_sub(1);
            // Arabic numbers before words count many other things.
            let needed = if alone && form != Some(NumeralForm::Arabic) {
                CHAIN - 1
            } else {
                CHAIN
            };
            let least = if alone {
                MIN_ROWS_BETWEEN
            } else {
                3 * MIN_ROWS_BETWEEN
            };
            let next = chapters.partition_point(|&chapter| chapter <= first);
            let within = chapters.get(next).is_none_or(|&chapter| chapter > last);
            let stanzas =
                chain.len() >= STANZAS && apart < STANZA && larger(&accepted_named, first, last);
            if chain.len() >= needed && apart > least && within && !stanzas {
                chain.iter().for_each(|&at| accepted[at] = true);
            }
        }
    }
}

/// Whether a chain lies between two named headings, or after the last of several.
fn larger(named: &[usize], first: usize, last: usize) -> bool {
    let next = named.partition_point(|&at| at < first);
    let inside = named.get(next).is_some_and(|&at| at < last);
    named.len() >= 2 && next > 0 && !inside
}

/// Candidates that a list names, except volumes, parts, books and acts: numbers may continue across those.
fn chapters(candidates: &[HeadingCandidate], tables: &[LinkedContents]) -> Vec<usize> {
    let links = tables.iter().flat_map(|table| table.links.iter().flatten());
    let mut chapters: Vec<usize> = links
        .copied()
        .filter(|&at| candidates[at].kind > HeadingKind::Act)
        .collect();
    chapters.sort_unstable();
    chapters
}

/// Candidates below which numbers may begin again: larger parts, and those that a list names.
fn numbering_parts(
    candidates: &[HeadingCandidate],
    chapters: &[usize],
    accepted: &[bool],
) -> Vec<usize> {
    let larger = |at: &usize| accepted[*at] && candidates[*at].kind <= HeadingKind::Act;
    let mut parts: Vec<usize> = (0..candidates.len()).filter(larger).collect();
    parts.extend(chapters);
    parts.sort_unstable();
    parts
}

/// Whether a number follows the last of the chain, with at most [`MISSING`] left out.
fn number_follows(candidates: &[HeadingCandidate], chain: &[usize], number: u32) -> bool {
    chain
        .last()
        .and_then(|&last| candidates[last].number)
        .is_some_and(|last| number > last && number <= last + MISSING + 1)
}

/// Whether the text after a number is a sentence or too long for a title.
fn is_sentence(candidate: &HeadingCandidate) -> bool {
    let arabic = candidate.form == Some(NumeralForm::Arabic);
    let ends = candidate.title.ends_with(['.', ',', ';', ':']);
    !candidate.has_no_title && !candidate.upper && (arabic && ends || candidate.title.len() > 90)
}

/// Accepts front and back matter: a line with nothing else, set apart.
fn matter(
    rows: &BodyRows<'_>,
    candidates: &[HeadingCandidate],
    listed: impl Fn(usize) -> bool,
    accepted: &mut [bool],
) {
    let mut often: HashMap<&str, usize> = HashMap::new();
    for candidate in candidates
        .iter()
        .filter(|candidate| candidate.kind == HeadingKind::Matter)
    {
        *often.entry(&candidate.folded).or_default() += 1;
    }
    for (at, candidate) in candidates.iter().enumerate() {
        let row = rows.all()[candidate.row];
        let persons = heads_cast_list(&candidate.folded);
        let front = candidate.row < rows.all().len() / FRONT;
        let close = candidate.upper || persons && front;
        let apart = row.before >= 2 || (close && row.before >= 1);
        // Prose about the characters of a book is not a cast list.
        let told = persons
            && candidate.folded.contains("characters")
            && is_running_text(rows, candidate.row + 1);
        let alone = rows.block_length(candidate.row, 4) <= 3 && rows.blank_after(candidate.row) > 0
            || rows.block_length(candidate.row, 3) == 2;
        let titles_a_number = at.checked_sub(1).is_some_and(|above| {
            let above = &candidates[above];
            above.kind.is_counted()
                && above.has_no_title
                && above.folded == candidate.folded
                && candidate.row - above.row <= 2
        });
        if candidate.kind == HeadingKind::Matter
            && !titles_a_number
            && apart
            && alone
            && !told
            && !listed(candidate.row)
            && often[candidate.folded.as_str()] <= MIN_REPEATS
        {
            accepted[at] = true;
        }
    }
}

/// Whether a block opens with a full line and continues: running text, unless it begins with a name in capitals.
fn is_running_text(rows: &BodyRows<'_>, at: usize) -> bool {
    let full = rows.all().get(at).is_some_and(|row| row.size >= 60);
    let line = rows.words(at);
    let first = line.split_whitespace().next().unwrap_or_default();
    let name = first.len() > 1 && !first.contains(char::is_lowercase);
    full && !name && rows.block_length(at, 2) > 1
}

/// Accepts titles of stories with numbered sections: those right above a number 1.
fn accept_story_titles(
    rows: &BodyRows<'_>,
    candidates: &[HeadingCandidate],
    titles: &[String],
    accepted: &mut [bool],
) {
    let ones: Vec<usize> = (0..candidates.len())
        .filter(|&at| {
            accepted[at]
                && candidates[at].number == Some(1)
                && candidates[at].kind == HeadingKind::Numbered
        })
        .collect();
    // Numbers that begin once count the parts of the whole book.
    if ones.len() < 2 {
        return;
    }
    for one in ones {
        let Some(above) = one.checked_sub(1).and_then(|above| candidates.get(above)) else {
            continue;
        };
        let near = candidates[one].row - above.row <= 6;
        // A motto is long and begins with a quotation mark.
        let motto = above.title.len() > 60 && above.title.starts_with(['"', '“', '«', '„']);
        let free = above.kind == HeadingKind::Title && rows.all()[above.row].before >= 2;
        if near && free && !motto && !titles.contains(&above.folded) {
            accepted[one - 1] = true;
        }
    }
}

/// Accepts letters headed by their recipient, which may repeat: `TO MISS PEABODY`. Returns whether there are any.
fn letters(rows: &BodyRows<'_>, candidates: &[HeadingCandidate], accepted: &mut [bool]) -> bool {
    const TO: &[&str] = &[
        "to ",
        "an den ",
        "an die ",
        "an herrn ",
        "an frau ",
        "a monsieur ",
        "a madame ",
        "ao ",
        "a ma ",
    ];
    let addressed = |at: &usize| {
        let candidate = &candidates[*at];
        candidate.kind == HeadingKind::Title
            && candidate.upper
            && rows.all()[candidate.row].before >= 2
            && rows.blank_after(candidate.row) > 0
            && candidate.title.len() <= 50
            && TO.iter().any(|to| candidate.folded.starts_with(to))
    };
    let all: Vec<usize> = (0..candidates.len()).filter(addressed).collect();
    // Chapters may begin with these words too, but their titles differ.
    let mut often: HashMap<&str, usize> = HashMap::new();
    for &at in &all {
        *often.entry(&candidates[at].folded).or_default() += 1;
    }
    let same: usize = often.values().filter(|count| **count >= MIN_REPEATS).sum();
    let found = all.len() >= LETTERS && same * 2 >= all.len() && is_regular(rows, candidates, &all);
    if found {
        all.iter().for_each(|&at| accepted[at] = true);
    }
    found
}

/// Styles of titles, from the clearest to the weakest: whether in capitals, and the fewest blank lines before them.
const STYLES: [(bool, u8); 5] = [(true, 4), (true, 3), (true, 2), (false, 4), (false, 3)];

/// Accepts titles without numbers: lines in capitals or far from the text above, if they form a regular series.
fn accept_titles(
    rows: &BodyRows<'_>,
    candidates: &[HeadingCandidate],
    titles: &[String],
    styles: &[(bool, u8)],
    accepted: &mut [bool],
) {
    let mut often: HashMap<&str, usize> = HashMap::new();
    for candidate in candidates {
        *often.entry(&candidate.folded).or_default() += 1;
    }
    let free = |at: &usize| {
        let candidate = &candidates[*at];
        candidate.kind == HeadingKind::Title
            && rows.blank_after(candidate.row) > 0
            && candidate.title.len() <= 70
            && often[candidate.folded.as_str()] < MIN_REPEATS
            && !titles.contains(&candidate.folded)
            && !is_end_line(&candidate.folded)
            && !heads_list(&candidate.folded)
            && !candidate.folded.starts_with("by ")
            && !is_town(&candidate.folded)
            && candidate.folded.len() > 1
    };
    let all: Vec<usize> = (0..candidates.len()).filter(free).collect();
    // The first style that yields a regular series of headings is used.
    for &(upper, before) in styles {
        let styled = |at: &&usize| {
            let candidate = &candidates[**at];
            (!upper || candidate.upper) && rows.all()[candidate.row].before >= before
        };
        let chosen: Vec<usize> = all.iter().filter(styled).copied().collect();
        if is_regular(rows, candidates, &chosen) {
            chosen.iter().for_each(|&at| accepted[at] = true);
            return;
        }
    }
}

/// Whether a line marks the end: `THE END`, `FIM DO CANTO QUINTO`, `FINIS`.
fn is_end_line(folded: &str) -> bool {
    const ENDS: &[&str] = &[
        "the end", "end of", "fim", "fin", "finis", "ende", "fine", "einde", "loppu", "wakas",
    ];
    let opens = |end: &str| {
        folded
            .strip_prefix(end)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    ENDS.iter().any(|end| opens(end))
}

/// Whether the numbers begin again, as the sections of several stories do.
fn numbers_restart(candidates: &[HeadingCandidate], accepted: &[bool]) -> bool {
    let ones = (0..candidates.len()).filter(|&at| accepted[at] && candidates[at].number == Some(1));
    ones.count() > 1
}

/// Whether there are at least three titles, most of them followed by text.
fn is_regular(rows: &BodyRows<'_>, candidates: &[HeadingCandidate], chosen: &[usize]) -> bool {
    if chosen.len() < CHAIN {
        return false;
    }
    let next = chosen.iter().skip(1).map(|&at| candidates[at].row);
    let next = next.chain([rows.all().len()]);
    let apart = chosen
        .iter()
        .zip(next)
        .filter(|(at, next)| next - candidates[**at].row > 2 * MIN_ROWS_BETWEEN);
    apart.count() * 10 >= chosen.len() * 6
}
