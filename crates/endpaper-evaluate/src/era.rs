//! When a file was made, as its markers tell: figures differ most between these.

use serde::Serialize;

use endpaper_text::named_enum;
use endpaper_text::scan::{MarkerSet, Scan};

/// The forms that Project Gutenberg's own text took over the years.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Era {
    /// The small print before the book (until about 2003).
    SmallPrint,
    /// `*** START OF` before the book and the licence after it (since about 2003).
    StartMarker,
    /// Neither in the head.
    NoMarker,
}

named_enum!(Era, "era", {
    SmallPrint => "small-print",
    StartMarker => "start-marker",
    NoMarker => "no-marker",
});

impl Era {
    /// What the markers in the head of a book say. A file with both was brought into the later form.
    pub fn of(scan: &Scan) -> Era {
        let has = |marks: MarkerSet| scan.head_rows().iter().any(|row| row.marks.has_any(marks));
        match () {
            () if has(MarkerSet::START) => Era::StartMarker,
            () if has(MarkerSet::SMALL_PRINT_END) => Era::SmallPrint,
            () => Era::NoMarker,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::scan::{WindowOptions, scan};

    #[test]
    fn markers_tell_the_era() {
        let small = "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\n";
        let start = "*** START OF THE PROJECT GUTENBERG EBOOK EMMA ***\n";
        let table = [
            (format!("a\n{small}b\n"), Era::SmallPrint),
            (format!("a\n{start}b\n"), Era::StartMarker),
            (format!("a\n{small}{start}b\n"), Era::StartMarker),
            ("a\nb\n".to_owned(), Era::NoMarker),
        ];
        for (text, era) in table {
            let scan = scan(text.as_bytes(), WindowOptions::default());
            assert_eq!(Era::of(&scan), era, "{text}");
        }
    }
}
