//! The template of a book: what volunteers put between the last marker of its head and the printed title.
//!
//! Books made by one producer in the same way have equal templates, so that decisions about one inform about the others.

use serde::{Deserialize, Serialize};

use super::lines::WindowLines;
use super::{MarkerSet, ScanRow};
use crate::line::{Key, Normaliser, skeleton};

/// Blocks after the last marker that can belong to a template.
const BLOCKS: usize = 4;
/// Lines of one block that are examined.
const LINES: usize = 8;

/// Marks of lines written by volunteers rather than printed.
const VOLUNTEER_MARKERS: MarkerSet =
    MarkerSet(MarkerSet::CREDITS.0 | MarkerSet::NOTE.0 | MarkerSet::GUTENBERG.0);

/// Hash of the skeletons of the lines between the last marker of the head and the first title line: equal for books made
/// from one template. Zero if there is no marker.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Template(pub u64);

/// The template of a head window.
pub(super) fn of(text: &WindowLines<'_>, head: &[ScanRow]) -> Template {
    let marker = MarkerSet::START | MarkerSet::SMALL_PRINT_END;
    let Some(last) = head.iter().rposition(|row| row.marks.has_any(marker)) else {
        return Template::default();
    };
    // The marker is part of the template: it changed over the years.
    let mut normaliser = Normaliser::default();
    let mut form = skeleton(
        normaliser
            .line(&text.normaliser_input(head[last].line))
            .text,
    );
    let blocks: Vec<&[ScanRow]> = ScanRow::blocks(&head[last + 1..])
        .take(BLOCKS + 1)
        .collect();
    for (at, block) in blocks.iter().take(BLOCKS).enumerate() {
        let signed = |rows: &[ScanRow]| {
            rows.iter()
                .position(|row| row.marks.has_any(VOLUNTEER_MARKERS))
        };
        match (
            signed(block),
            blocks.get(at + 1).and_then(|next| signed(next)),
        ) {
            (Some(first), _) => {
                form.push_str(if first > 0 { "\ntitle\n" } else { "\n" });
                form.push_str(&credits(text, &block[first..], &mut normaliser));
            }
            // A title typed above the credits is a habit of the producer.
            (None, Some(_)) if at == 0 => form.push_str("\ntitle"),
            (None, _) => break,
        }
    }
    Template(Key::of(&form).0)
}

/// The skeleton of the joined lines of a block: where they break depends on the names in them.
fn credits(text: &WindowLines<'_>, rows: &[ScanRow], normaliser: &mut Normaliser) -> String {
    let mut joined = String::new();
    for row in rows.iter().take(LINES) {
        joined.push(' ');
        joined.push_str(normaliser.line(&text.normaliser_input(row.line)).text);
    }
    skeleton(joined.trim_start())
}

#[cfg(test)]
mod tests {
    use crate::scan::{WindowOptions, scan};

    fn template(after_marker: &str) -> u64 {
        let text = format!("*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\n{after_marker}");
        scan(text.as_bytes(), WindowOptions::default()).template.0
    }

    #[test]
    fn books_credited_in_one_way_have_one_template() {
        let one = template("Produced by David Widger\n\n\nA TITLE\n");
        assert_eq!(
            one,
            template("Produced by Juliet Sutherland\n\n\nANOTHER\n\nBY SOMEBODY\n")
        );
        assert_ne!(
            one,
            template("E-text prepared by David Widger\n\n\nA TITLE\n")
        );
        assert_ne!(one, template("A TITLE\n\nby somebody\n"));
        let typed = template(
            "A Title by Somebody\nScanned and proofed by David Price\nccx074@coventry.ac.uk\n\n\nA TITLE\n",
        );
        assert_eq!(
            typed,
            template("Another\nScanned and proofed by Al Haines, al@haines.org\n\nANOTHER\n")
        );
        assert_ne!(
            typed,
            template("Scanned and proofed by Al Haines, al@haines.org\n\nANOTHER\n")
        );
    }

    #[test]
    fn a_text_without_marker_has_no_template() {
        let scan = scan(b"Produced by David Widger\n", WindowOptions::default());
        assert_eq!(scan.template.0, 0);
    }
}
