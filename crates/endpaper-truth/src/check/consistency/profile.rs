//! How a book was decided: the pieces that are beside its cuts, and on which side of them.

use std::collections::BTreeSet;

use super::boundary::{
    BoundaryBlock, BoundaryKind, at_end, at_start, has_boilerplate_inside, normalise_name,
};
use crate::Record;
use endpaper_detect::End;
use endpaper_text::corpus::BookText;
use endpaper_text::scan::{self, Template};

/// How a book was decided, comparable with books that are alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabellingProfile {
    pub(super) template: Template,
    pub(super) producer: Option<String>,
    /// What tells editions of one work: its number, its title with its author.
    pub(super) works: Vec<String>,
    /// What is beside the cuts and could stand on either side of them.
    pub(super) edge_features: Vec<EdgeFeature>,
    pub(super) flags: BTreeSet<String>,
    /// The book has a preamble, an epilogue.
    pub(super) has_end: [bool; 2],
    /// A line between the cuts could be of the library's, or the record marks one.
    pub(super) may_contain_boilerplate: bool,
    /// The line of the preamble where the title is below the last marker.
    pub(super) title_line_outside: Option<u32>,
    /// Something is between the last marker and the body.
    pub(super) has_additions: bool,
}

/// Something beside a cut that books may have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EdgeFeature {
    pub end: End,
    /// What it is, in words that are equal in books that have the like.
    pub description: String,
    /// It is in the preamble or in the epilogue, not in the body.
    pub is_outside: bool,
    pub line: u32,
    /// The first line of it.
    pub text: String,
    /// The guide has a flag for books that have this on this side.
    pub needs_flag: bool,
}

/// How a record with cuts was decided.
pub fn profile_of(record: &Record, text: &BookText) -> LabellingProfile {
    let scan = scan::scan(text.bytes(), scan::WindowOptions::of(text));
    let (start, end) = (
        at_start(text, &scan, record.cuts),
        at_end(text, &scan, record.cuts),
    );
    let header = &scan.header;
    let plain = |text: &Option<String>| normalise_name(text.as_deref().unwrap_or_default());
    let (title, author) = (plain(&header.title), plain(&header.author));
    let title = (!title.is_empty() && !author.is_empty()).then(|| format!("'{title}' by {author}"));
    let number = header.number.map(|number| format!("e-book {number}"));
    let mut titles = start.iter().filter(|piece| {
        let named = piece.kind == BoundaryKind::Title || piece.opens_with_title;
        piece.is_outside && piece.kind != BoundaryKind::Library && named
    });
    LabellingProfile {
        template: scan.template,
        producer: header.producer.clone(),
        works: number.into_iter().chain(title).collect(),
        may_contain_boilerplate: !record.inside.is_empty()
            || has_boilerplate_inside(&scan, record.cuts),
        has_additions: start
            .iter()
            .any(|piece| piece.is_outside && piece.kind != BoundaryKind::Library),
        title_line_outside: titles.next().map(|piece| piece.first),
        edge_features: edge_features(End::Start, &start)
            .chain(edge_features(End::End, &end))
            .collect(),
        flags: record.flags.iter().cloned().collect(),
        has_end: [
            record.cuts.preamble_end > 0,
            record.cuts.epilogue_start.is_some(),
        ],
    }
}

/// Names what could stand on either side of a cut.
///
/// Where a note or credits belong depends on the title (a note below the title page stays in the body, one between a
/// typed title and the title again does not), so the place of the title is part of the name.
fn edge_features(end: End, pieces: &[BoundaryBlock]) -> impl Iterator<Item = EdgeFeature> {
    let title = |piece: &BoundaryBlock| piece.kind == BoundaryKind::Title;
    let inside = |piece: &BoundaryBlock| !piece.is_outside;
    let name = move |(at, piece): (usize, &BoundaryBlock)| {
        let (before, after) = (&pieces[..at], &pieces[at + 1..]);
        // What the body begins with is its title page, also where no one can read the title in it.
        let below = before.iter().any(|piece| title(piece) || inside(piece));
        let where_ = match (below, after.iter().any(title)) {
            _ if end == End::End => "",
            (true, true) => " between the title and the title again",
            (true, false) => " below the title",
            (false, _) => "",
        };
        // A title above a note or credits is out, wherever most titles stand.
        let at_cut = after.first().is_none_or(inside);
        let what = match piece.kind {
            BoundaryKind::Note | BoundaryKind::Credits if piece.opens_with_title => {
                format!("{} that open with the title", piece.kind)
            }
            BoundaryKind::Note | BoundaryKind::Credits => format!("{}{where_}", piece.kind),
            // A title that comes again below credits is out, wherever most titles stand.
            BoundaryKind::Title if inside(piece) || at_cut && !after.iter().any(title) => {
                piece.kind.to_string()
            }
            BoundaryKind::Title if piece.is_outside => format!("{}, to come again,", piece.kind),
            BoundaryKind::Plain if is_heading(&piece.text) => {
                format!("{:?}{where_}", normalise_name(&piece.text))
            }
            _ => return None,
        };
        let is_special = match piece.kind {
            BoundaryKind::Note | BoundaryKind::Credits => {
                !piece.is_outside || piece.opens_with_title || !where_.is_empty()
            }
            _ => piece.is_outside,
        };
        Some(EdgeFeature {
            end,
            description: what,
            is_outside: piece.is_outside,
            line: piece.first,
            text: piece.text.clone(),
            needs_flag: is_special,
        })
    };
    pieces.iter().enumerate().filter_map(name)
}

/// Longest heading, in characters.
const HEADING: usize = 50;
/// Fewest letters of a heading that tells anything.
const LETTERS: usize = 4;

/// Whether a line could name what follows it, and not only open a sentence.
fn is_heading(line: &str) -> bool {
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    let is_sentence = line.ends_with([',', ';']) || line.chars().any(char::is_lowercase);
    letters >= LETTERS && line.chars().count() <= HEADING && !is_sentence
}

#[cfg(test)]
mod tests {
    use super::super::tests::sound;
    use super::*;
    use crate::SourceFacts;
    use endpaper_detect::Cuts;

    fn named(manner: &LabellingProfile) -> Vec<(&str, u32, bool)> {
        let placed = manner.edge_features.iter();
        let placed =
            placed.map(|placed| (placed.description.as_str(), placed.line, placed.is_outside));
        placed.collect()
    }

    #[test]
    fn what_stands_beside_the_cuts_is_named_with_its_side() {
        let table = [
            (7, [("credits", 10, false), ("the title", 13, false)]),
            (10, [("credits", 10, true), ("the title", 13, false)]),
        ];
        for (cut, expected) in table {
            let manner = sound("Night", cut, &[]).answer;
            assert_eq!(named(&manner)[..2], expected, "{cut}");
            assert_eq!(manner.works, ["'night' by a n"]);
        }
    }

    #[test]
    fn where_a_note_belongs_depends_on_the_title() {
        let head = "Title: Night\n\nAuthor: Ann Bell\n\n*** START OF THIS PROJECT GUTENBERG EBOOK NIGHT ***\n\n";
        let note = "[Transcriber's note: this was scanned.]\n\n";
        let (title, text) = ("NIGHT\n\n", "They went out and came back late.\n");
        let table = [
            (format!("{head}{note}{title}{text}"), 7, ("a note", true)),
            (
                format!("{head}{title}{note}{text}"),
                6,
                ("a note below the title", false),
            ),
            (
                format!("{head}{title}{note}{title}{text}"),
                9,
                ("a note between the title and the title again", true),
            ),
        ];
        for (text, preamble_end, expected) in table {
            let text = BookText::new(text.into_bytes());
            let mut record = Record::new("a", SourceFacts::of(&text));
            record.cuts = Cuts {
                preamble_end,
                epilogue_start: None,
            };
            let manner = profile_of(&record, &text);
            let named = named(&manner);
            let note = named.iter().find(|(what, ..)| what.contains("note"));
            assert_eq!(
                note.map(|(what, _, outside)| (*what, *outside)),
                Some(expected)
            );
        }
    }
}
