//! Rows that mention electronic texts and their makers, as no printed book does.

use super::{CueSet, LexicalCue, MarkerSet, ScanRow};

/// Cues of electronic texts and their makers. Cues of editors and publishers are not included: printed books have them too.
const MODERN: CueSet = CueSet::all_of(&[
    LexicalCue::Etext,
    LexicalCue::Transcribe,
    LexicalCue::Scan,
    LexicalCue::Proof,
    LexicalCue::Team,
    LexicalCue::Contact,
    LexicalCue::Url,
    LexicalCue::Html,
]);

impl ScanRow {
    /// Whether the line mentions electronic texts, their library or their makers.
    pub fn mentions_etext(&self) -> bool {
        let ours = MarkerSet::START
            | MarkerSet::SMALL_PRINT_END
            | MarkerSet::END
            | MarkerSet::ETEXT
            | MarkerSet::GUTENBERG;
        self.marks.has_any(ours) || self.features.cues.shared(MODERN) > 0
    }
}

#[cfg(test)]
mod tests {
    use crate::scan::{WindowOptions, scan};

    #[test]
    fn what_could_be_printed_is_not_modern() {
        let table = [
            ("[Transcriber's Note: This etext was produced from", true),
            (
                "Produced by Greg Weeks and the Online Distributed Proofreading Team",
                true,
            ),
            (
                "1.E.1. With this Project Gutenberg-tm electronic work you may",
                true,
            ),
            ("*** START OF THIS PROJECT GUTENBERG EBOOK EMMA ***", true),
            ("EDITED AND ARRANGED BY A. CONAN DOYLE", false),
            ("EDITOR'S NOTE", false),
            (
                "created by these extraordinary statements, for into my humdrum",
                false,
            ),
            (
                "Copyright, 1911, by Susan Paxson. All Rights Reserved",
                false,
            ),
        ];
        for (line, expected) in table {
            let scan = scan(line.as_bytes(), WindowOptions::default());
            let found = scan.rows.iter().any(|row| row.mentions_etext());
            assert_eq!(found, expected, "{line}");
        }
    }
}
