//! A summary of the labelling guidelines: what belongs to the book, and what was added to it.

/// The guidelines. A heading begins with `# `; an empty line separates sections.
const TEXT: &str = "\
# The question
Where does the book itself begin, and where does it end? Everything that was printed in the source edition is the book. Everything that Project Gutenberg, its volunteers or anybody who passed the file on added at the ends is not. Read; do not guess from the shading.

# Not the book
Header lines, licences and small print, requests for donations, metadata (Title:, Author:, Release Date:), START and END marker lines.
Credits: produced by, prepared by, scanned by, thanks to.
Notes of transcribers, producers and editors of the electronic text, wherever they touch the head or the tail, and their lists of corrections.
\"End of the Project Gutenberg EBook of ...\" in any wording.
Matter that the same hand adds to books of many authors: bookmarks, addenda, bibliographies.

# The book
Title page, half title, series, publisher, printer, the copyright page of the printed edition, dedication, contents, prefaces and introductions that were printed, illustrations and their placeholders.
The text, THE END or FINIS, footnotes, index, advertisements of the publisher, colophon.
A title and an author typed right before the text, with no other wording of the producers.

# Where it is close
A title inside the header, before the licence or the START marker, is preamble.
Title, then producers' matter, then the title again: the book begins at the second title. Flag title-before-credits.
A typed title, then credits, then the text: the preamble ends after the credits. Flag title-before-credits.
A note inside the book (after the title page, or in the middle) stays in it. Flag note-inside; mark licence text between the cuts as boilerplate inside.
A separator (* * *, dashes, a rule) between what was added and the book belongs to what was added, at both ends; alone it is never hard.
\"End of ...\" is the book only where it could be print: THE END, END OF VOL. I.
Nothing was added at an end: say that there is no preamble, or no epilogue.

# Hard, undecidable, no book
Hard: a sensible curator could well choose another line. Mark it, and note that line as an alternative. Flags say what is unusual, also in an easy book.
Undecidable: nobody could tell from this file.
Not a book: an index of books, a licence, a picture's wrapper. Several books, and fragments, are kinds of their own.";

/// Maximum width of the text, in columns.
const WIDEST: u16 = 76;

/// A row of a scrolled text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuidelineRow {
    /// Whether it is a heading.
    pub heading: bool,
    /// The text.
    pub text: String,
}

/// Width of the guidelines popup in columns, border included.
pub fn width(screen: u16) -> u16 {
    screen.min(WIDEST + 4)
}

/// Returns all rows for a screen size, and how many of them the box shows.
pub fn rows_and_height(screen: (u16, u16)) -> (Vec<GuidelineRow>, usize) {
    let columns = usize::from(width(screen.0).saturating_sub(4)).max(1);
    let mut rows = Vec::new();
    for line in TEXT.lines() {
        match line.strip_prefix("# ") {
            Some(heading) => rows.push(GuidelineRow {
                heading: true,
                text: heading.to_owned(),
            }),
            None => wrap(line, columns, &mut rows),
        }
    }
    // Header, status and keys stay visible, and the box has a border.
    (rows, usize::from(screen.1.saturating_sub(5)))
}

/// Breaks ASCII text, where one byte is one column, into rows; indents all but the first.
pub(super) fn wrap(line: &str, columns: usize, rows: &mut Vec<GuidelineRow>) {
    let mut text = String::new();
    for word in line.split(' ') {
        if !text.is_empty() && text.len() + 1 + word.len() > columns {
            let full = std::mem::take(&mut text);
            rows.push(GuidelineRow {
                heading: false,
                text: full,
            });
            text.push_str("  ");
        } else if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    rows.push(GuidelineRow {
        heading: false,
        text,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_fit_their_box_and_lose_no_word() {
        assert!(TEXT.is_ascii());
        for width in [40, 60, 80, 200] {
            let (rows, height) = rows_and_height((width, 24));
            assert_eq!(height, 19);
            let longest = rows.iter().map(|row| row.text.len()).max().unwrap();
            assert!(longest <= usize::from(super::width(width)) - 4, "{width}");
            let words = |text: &str| {
                text.split_whitespace()
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            let shown: Vec<String> = rows.iter().flat_map(|row| words(&row.text)).collect();
            assert_eq!(shown, words(&TEXT.replace("# ", "")), "{width}");
        }
    }

    #[test]
    fn every_flag_named_in_them_exists() {
        for flag in ["title-before-credits", "note-inside"] {
            assert!(TEXT.contains(flag) && crate::flags::flag_names().any(|known| known == flag));
        }
    }
}
