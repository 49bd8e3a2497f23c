//! The producer of a file: the first name in its credits.
//!
//! A name is reduced to the part that is the same in all files: e-mail addresses, "with help from ..." and teams after
//! the first name are dropped. It is a label for grouping files by producer, not an attribution.

use std::sync::LazyLock;

use regex::Regex;

use super::cues::languages::{CueKind, Cues};
use super::lines::WindowLines;
use super::{MarkerSet, ScanRow};

/// Rows above the end of the file that are searched for credits if the head has none.
const TAIL_ROWS: usize = 60;
/// Lines of a credits block that are read for one name.
const LINES: usize = 4;

/// The first name in the credits: in the head window, else near the end.
pub(super) fn read(text: &WindowLines<'_>, rows: &[ScanRow], head: usize) -> Option<String> {
    let patterns = PATTERNS.as_ref()?;
    let tail = rows.len().saturating_sub(TAIL_ROWS).max(head);
    (0..head)
        .chain(tail..rows.len())
        .filter(|&index| rows[index].marks.has(MarkerSet::CREDITS))
        .map(|index| credits(text, &rows[index..]))
        .filter(|credits| !is_donor(credits, Cues::all()))
        .find_map(|credits| name_in(&credits, patterns))
}

/// A credits line, joined with the lines of its block below it.
fn credits(text: &WindowLines<'_>, rows: &[ScanRow]) -> String {
    let mut joined = squeeze(&text.display(rows[0].line, 1000));
    for pair in rows.windows(2).take(LINES - 1) {
        let next = squeeze(&text.display(pair[1].line, 1000));
        if pair[1].line != pair[0].line + 1 || next.starts_with('*') {
            break;
        }
        joined = format!("{joined} {next}");
    }
    joined
}

/// Whether credits name a donor of software or of the paper book, who did not produce the file.
pub(super) fn is_donor(text: &str, cues: &Cues) -> bool {
    cues.of(CueKind::Donor).any(|word| {
        let start = text.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    })
}

/// The regular expressions that find a producer's name: what is before it (`by`), and where it ends.
pub(super) struct ProducerPatterns {
    by: Regex,
    end: Regex,
    honorifics: Vec<&'static str>,
}

static PATTERNS: LazyLock<Option<ProducerPatterns>> =
    LazyLock::new(|| ProducerPatterns::new(Cues::all()));

impl ProducerPatterns {
    /// `None` if an expression of the cues is invalid.
    pub fn new(cues: &Cues) -> Option<ProducerPatterns> {
        let compile = |pattern: String| Regex::new(&pattern).ok();
        Some(ProducerPatterns {
            by: compile(format!(
                r"(?i)^.*?\b(?:{})(?: and (?:for|copyright) [^,]*?by)?:?\s+(.+)$|^(?:{}): (.+)$",
                cues.expression(CueKind::BeforeProducer),
                cues.expression(CueKind::CreditsField),
            ))?,
            // What ends a name.
            end: compile(format!(
                r"(?i)\s*(?:[,;:(<\[{{=/]|\s-|--|\.\s|\.$|\s(?:{})\s|\s\S+@|\s+\d)",
                cues.expression(CueKind::AfterProducer),
            ))?,
            honorifics: cues.of(CueKind::Honorific).collect(),
        })
    }

    /// Whether the dot at `at` belongs to an initial or a title: `D. Widger`, `Dr. Smith`.
    fn is_initial(&self, name: &str, at: usize, end: &str) -> bool {
        let word = name[..at].rsplit([' ', '.']).next().unwrap_or_default();
        end.starts_with('.')
            && end.len() > 1
            && (word.chars().count() == 1 || self.honorifics.contains(&word))
    }
}

/// The first name in a text of credits.
pub(super) fn name_in(credits: &str, patterns: &ProducerPatterns) -> Option<String> {
    let found = patterns.by.captures(credits)?;
    let name = found.get(1).or(found.get(2))?.as_str();
    let name = name.trim_start_matches(['*', ' ', '"', ':']);
    // Initials end in a dot too; the name continues after them.
    let cut = patterns
        .end
        .find_iter(name)
        .find(|end| !patterns.is_initial(name, end.start(), end.as_str()))
        .map_or(name.len(), |end| end.start());
    let name = squeeze(name[..cut].trim_matches(['*', ' ', '.', ',', '"', '\'', '_', '>', ')']));
    // The text after "Credits:" may be "This eBook was prepared by ...": the name comes later.
    if patterns.by.is_match(&name) && name.len() < credits.len() {
        return name_in(&name, patterns);
    }
    // A name begins with a capital; "our volunteer" is not a name.
    let plausible =
        name.starts_with(|c: char| c.is_uppercase() || !c.is_ascii()) && name.chars().count() <= 60;
    plausible.then_some(name)
}

/// The text with each run of white space as one blank.
pub(super) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_name_is_the_hand() {
        let table = [
            (
                "Produced by Juliet Sutherland, Charles Franks and the Online",
                Some("Juliet Sutherland"),
            ),
            (
                "Produced by Al Haines and the Online Distributed Team",
                Some("Al Haines"),
            ),
            (
                "This etext was prepared by David Price, email ccx074@coventry.ac.uk",
                Some("David Price"),
            ),
            (
                "Scanned and proofed by David Price email ccx074@coventry.ac.uk",
                Some("David Price"),
            ),
            (
                "Prepared by Douglas B. Killings (DeTroyes@EnterAct.COM)",
                Some("Douglas B. Killings"),
            ),
            (
                "Credits: This eBook was produced by Dr. J. Smith.",
                Some("Dr. J. Smith"),
            ),
            (
                "Produced by Pedro Saborano (Este ficheiro foi produzido",
                Some("Pedro Saborano"),
            ),
            ("scanned by our volunteer", None),
            ("no name in here", None),
        ];
        let patterns = PATTERNS.as_ref().expect("the patterns compile");
        for (credits, name) in table {
            assert_eq!(name_in(credits, patterns).as_deref(), name, "{credits}");
        }
    }
}
