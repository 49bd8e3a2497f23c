//! Lines below a heading, or after the book, that are not titles.

use super::list_headings::heads_list;
use crate::fold::fold;
use crate::heading::HeadingKind;
use crate::metadata::{is_imprint, is_month};
use crate::rows::BodyRows;

/// First words of stage directions, folded.
const ENTRANCES: &[&str] = &[
    "enter", "enters", "exit", "exeunt", "reenter", "re", "flourish", "alarum", "alarums", "manet",
];

/// Whether the words below a number are not its title: a stage direction, a publisher's line or the heading of a list.
pub(super) fn is_foreign(kind: HeadingKind, title: &str) -> bool {
    let folded = fold(title);
    let first = folded.split(' ').next().unwrap_or_default();
    let staged =
        matches!(kind, HeadingKind::Act | HeadingKind::Scene) && ENTRANCES.contains(&first);
    staged || heads_list(&folded) || kind == HeadingKind::Volume && is_imprint(&folded)
}

/// Whether a printed line is the caption of a figure or a table: `Figure 2: Boxes`, `Table 3.1. Shelves`.
pub(super) fn is_caption(line: &str) -> bool {
    const WORDS: &[&str] = &["Figure", "Fig.", "Table", "Listing", "Algorithm"];
    WORDS
        .iter()
        .filter_map(|word| line.strip_prefix(word))
        .any(|rest| {
            let rest = rest.trim_start();
            let number = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            number.len() < rest.len()
                && (number.starts_with(':') || rest[..rest.len() - number.len()].ends_with('.'))
        })
}

/// Whether a text is the place and date that a letter begins with: `Boston, Mass., May 16, 1915` has a comma, a month, a day and,
/// at the end, a year.
pub(super) fn is_date(title: &str, folded: &str) -> bool {
    let words: Vec<&str> = folded.split(' ').collect();
    let [_, words @ .., year] = words.as_slice() else {
        return false;
    };
    let figures = |word: &&str| word.len() <= 4 && word.starts_with(|c: char| c.is_ascii_digit());
    title.contains(',')
        && title.len() <= 60
        && is_year(year)
        && words.iter().any(|word| is_month(word))
        && words.iter().any(figures)
}

/// Whether a word is a year from 1000 to 1999.
fn is_year(word: &str) -> bool {
    word.len() == 4 && word.starts_with('1') && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a row heads the transcriber's notes: `[Transcriber's Note:`.
pub(super) fn is_note_of_transcriber(rows: &BodyRows<'_>, at: usize) -> bool {
    let row = rows.all()[at];
    if !row.is_first() || row.size > 40 {
        return false;
    }
    let folded = fold(&rows.words(at));
    let mut words = folded.split(' ');
    let who = words
        .next()
        .is_some_and(|word| word.starts_with("transcri"));
    who && words.next().is_some_and(|word| word.starts_with("note")) && words.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_title_is_told() {
        let table = [
            (HeadingKind::Scene, "Enter two Boatmen.", true),
            (HeadingKind::Act, "Exeunt.", true),
            (HeadingKind::Chapter, "Enter the Stranger", false),
            (HeadingKind::Volume, "CONTENTS", true),
            (
                HeadingKind::Volume,
                "LONDON: SMITH AND SONS, PUBLISHERS",
                true,
            ),
            (HeadingKind::Part, "London", false),
        ];
        for (kind, title, expected) in table {
            assert_eq!(is_foreign(kind, title), expected, "{title}");
        }
    }

    #[test]
    fn a_place_and_a_day_are_no_title() {
        let table = [
            ("River City, Ohio, May 16, 1915", true),
            ("THE BOATHOUSE, 3rd April, 1881.", true),
            ("May 16, 1915", false),
            ("The Battle of the Boats, June 1815", false),
            ("Boats", false),
            ("", false),
        ];
        for (title, expected) in table {
            assert_eq!(is_date(title, &fold(title)), expected, "{title}");
        }
    }

    #[test]
    fn captions_have_a_number_and_a_mark() {
        for line in [
            "Figure 2: Boxes",
            "Table 3.1. Shelves",
            "Fig. 4: A",
            "Algorithm 1: Count",
        ] {
            assert!(is_caption(line), "{line}");
        }
        for line in [
            "Figures of speech",
            "Table talk",
            "Figure 2",
            "Tables 3: all",
            "1 Figure 2: a",
        ] {
            assert!(!is_caption(line), "{line}");
        }
    }
}
