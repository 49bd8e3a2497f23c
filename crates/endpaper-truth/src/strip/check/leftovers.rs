//! Boilerplate that was left in a body.

use super::{LintFinding, LintRule};
use endpaper_detect::frequency::Frequencies;
use endpaper_detect::pipeline::BookReport;
use endpaper_text::corpus::BookText;
use endpaper_text::scan::{MarkerSet, Scan, ScanRow};

/// Non-blank lines at each end of a body where credits, notes and frequent lines are suspicious; farther in they are the
/// book's own. Markers and the library's name are suspicious anywhere.
const EDGE_LINES: usize = 40;

/// At least one in this many lines of a block must be frequent.
const PART: usize = 3;

/// Characters of a line that are shown.
const WIDTH: usize = 80;

/// Leftovers of one body: of each block what speaks against it most, and lines between the windows that name the library.
pub(super) fn findings(
    body: &BookReport,
    text: &BookText,
    frequencies: &Frequencies,
    threshold: u64,
) -> Vec<LintFinding> {
    let Some(scan) = &body.scan else {
        return Vec::new();
    };
    let lint = BodyLint {
        scan,
        text,
        frequencies,
        threshold,
    };
    let mut at = 0;
    let mut found = Vec::new();
    for block in ScanRow::blocks(&scan.rows) {
        found.extend(lint.block(at, block));
        at += block.len();
    }
    let named = scan.mentions.iter();
    found.extend(named.map(|&line| (LintRule::Gutenberg, line, NAMES.to_owned())));
    let finding = |(rule, line, message)| LintFinding {
        file: body.book.id.as_str().to_owned(),
        line,
        rule,
        message,
        text: lint.shown(line),
    };
    found.into_iter().map(finding).collect()
}

/// The message for a line with the library's name.
const NAMES: &str = "names the library";

/// Rules about marks of lines, the strongest first: the marks, whether the rule holds near the ends only, and its message.
const BY_MARKS: &[(LintRule, MarkerSet, bool, &str)] = &[
    (LintRule::Marker, MARKERS, false, "a marker line"),
    (
        LintRule::Credits,
        MarkerSet::CREDITS,
        true,
        "reads like credits",
    ),
    (
        LintRule::Note,
        MarkerSet::NOTE,
        true,
        "reads like a note on the file",
    ),
    (LintRule::Gutenberg, MarkerSet::GUTENBERG, false, NAMES),
];

const MARKERS: MarkerSet =
    MarkerSet(MarkerSet::START.0 | MarkerSet::SMALL_PRINT_END.0 | MarkerSet::END.0);

/// A close check of one body.
struct BodyLint<'a> {
    scan: &'a Scan,
    text: &'a BookText,
    frequencies: &'a Frequencies,
    threshold: u64,
}

impl BodyLint<'_> {
    /// The finding against a block whose first row is row `at`.
    fn block(&self, at: usize, block: &[ScanRow]) -> Option<(LintRule, u32, String)> {
        for &(rule, marks, near, message) in BY_MARKS {
            let mut rows = (at..).zip(block);
            let speaks = |(at, row): &(usize, &ScanRow)| {
                row.marks.has_any(marks)
                    && (!near || self.is_near(*at))
                    && (rule != LintRule::Credits || !self.is_printed_credit(row.line))
            };
            if let Some((_, row)) = rows.find(speaks) {
                return Some((rule, row.line, message.to_owned()));
            }
        }
        self.frequent(at, block)
    }

    /// A block of which a good part is frequent: single lines of a work of which there are many editions are too.
    fn frequent(&self, at: usize, block: &[ScanRow]) -> Option<(LintRule, u32, String)> {
        let near = (at..).zip(block).filter(|(at, _)| self.is_near(*at));
        let counted = near.filter(|(_, row)| !row.marks.has(MarkerSet::TRIVIAL));
        let counts: Vec<(u32, u64)> = counted
            .map(|(at, row)| (row.line, self.frequency(at, row)))
            .collect();
        let frequent = |(_, count): &&(u32, u64)| *count > self.threshold;
        let number = counts.iter().filter(frequent).count();
        let (line, count) = counts.iter().find(frequent)?;
        let all = counts.len();
        let message =
            format!("{number} of {all} lines are frequent, this one occurs {count} times");
        (number * PART >= all).then_some((LintRule::Frequent, *line, message))
    }

    /// Whether a row is near the start or end of the body.
    fn is_near(&self, at: usize) -> bool {
        at < EDGE_LINES || at + EDGE_LINES >= self.scan.rows.len()
    }

    /// The number of books or occurrences that a row's line has in the corpus.
    fn frequency(&self, at: usize, row: &ScanRow) -> u64 {
        let counts = if at < self.scan.head as usize {
            self.frequencies.head()
        } else {
            self.frequencies.tail()
        };
        counts.frequency(row.key)
    }

    /// Credits of the printed book: its editor, and thanks within a sentence. No one signs a file like that.
    fn is_printed_credit(&self, line: u32) -> bool {
        let text = self.shown(line).to_lowercase();
        text.starts_with("edited")
            || (text.starts_with("thanks") && self.shown(line).starts_with('t'))
    }

    /// The start of a line, as it is quoted in findings.
    fn shown(&self, line: u32) -> String {
        // No character of any encoding takes more than four bytes.
        let shown = self.text.display(line, WIDTH * 4);
        shown.trim().chars().take(WIDTH).collect()
    }
}
