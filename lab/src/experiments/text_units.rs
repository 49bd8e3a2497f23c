//! Algorithm 1 over lines, sentences or word n-grams (Kaser & Lemire, sections 2.1 and 3.1).
//!
//! The paper counts lines, since boilerplate is broken into the same lines in every book. It reports that frequent
//! sentences improved nothing and took notably longer, without saying how sentences were found, and rejects word n-grams for
//! their number. Here a sentence ends at a blank line, or at a full stop, question mark or exclamation mark before white space;
//! the lines of a sentence are joined by spaces. Short sentences are trivial as short lines are. All units are taken from the
//! same windows, the first and last 300 counted lines.

use endpaper_detect::Cuts;
use endpaper_detect::frequency::{BookLines, Counts};
use endpaper_text::corpus::BookText;
use endpaper_text::line::{Key, Normaliser};
use endpaper_text::scan::Window;

/// Counted lines of a window (p_max and e_max).
const WINDOW: usize = 300;

/// Words of an n-gram: those of the paper's example, "END OF THE PROJECT GUTENBERG".
const NGRAM: usize = 5;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// Lines, as in the paper.
    Lines,
    /// Sentences.
    Sentences,
    /// Five consecutive words.
    Ngrams,
}

impl UnitKind {
    /// All kinds.
    pub const ALL: [UnitKind; 3] = [UnitKind::Lines, UnitKind::Sentences, UnitKind::Ngrams];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            UnitKind::Lines => "lines",
            UnitKind::Sentences => "sentences",
            UnitKind::Ngrams => "word 5-grams",
        }
    }

    /// Infrequent units in a row that end a preamble or an epilogue: the paper's GAP_MAX, and for n-grams those of as many lines
    /// of ten words.
    fn gap(self) -> u32 {
        match self {
            UnitKind::Lines | UnitKind::Sentences => 10,
            UnitKind::Ngrams => 100,
        }
    }
}

/// A counted line, sentence or n-gram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextUnit {
    /// The normalised text.
    pub text: String,
    /// First line, from 1.
    pub first: u32,
    /// Last line.
    pub last: u32,
}

impl TextUnit {
    /// What is counted for it.
    pub fn key(&self) -> Key {
        Key::of(&self.text)
    }
}

/// The counted units of both windows of a book, each in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowUnits {
    kind: UnitKind,
    /// Those of the first lines.
    pub head: Vec<TextUnit>,
    /// Those of the last lines.
    pub tail: Vec<TextUnit>,
}

impl WindowUnits {
    /// Reads the units of a book.
    pub fn of(text: &BookText, kind: UnitKind) -> WindowUnits {
        let mut normaliser = Normaliser::default();
        let head = window(text, 1..=text.lines(), &mut normaliser);
        let mut tail = window(text, (1..=text.lines()).rev(), &mut normaliser);
        tail.reverse();
        let units = |lines| match kind {
            UnitKind::Lines => counted_lines(lines),
            UnitKind::Sentences => sentences(lines, &mut Normaliser::default()),
            UnitKind::Ngrams => ngrams(&lines),
        };
        WindowUnits {
            kind,
            head: units(head),
            tail: units(tail),
        }
    }

    /// Every unit once, those of both windows too.
    pub fn units(&self) -> impl Iterator<Item = &TextUnit> {
        let shared = self.head.last().map_or(0, |unit| unit.last);
        let tail = self.tail.iter().filter(move |unit| unit.first > shared);
        self.head.iter().chain(tail)
    }

    /// A batch for a counting structure.
    pub fn batch(&self) -> BookLines {
        let mut batch = BookLines::default();
        for unit in self.units() {
            batch.push(unit.key(), Window::Both, None);
        }
        batch
    }

    /// The cuts of Algorithm 1 without rules, with units being frequent that occur more than `threshold` times. In a short book the
    /// windows overlap: what the preamble has taken is not read again for the epilogue, as in the detector.
    pub fn cuts(&self, counts: &Counts, threshold: u64) -> Cuts {
        let is_frequent = |unit: &&TextUnit| counts.frequency(unit.key()) > threshold;
        let gap = self.kind.gap();
        let start = last_frequent(self.head.iter(), is_frequent, gap);
        let preamble_end = start.map_or(0, |unit| unit.last);
        let below = self.tail.iter().rev();
        let below = below.filter(|unit| unit.first > preamble_end);
        let end = last_frequent(below, is_frequent, gap);
        Cuts {
            preamble_end,
            epilogue_start: end.map(|unit| unit.first),
        }
    }
}

/// A line of a window, normalised.
struct NormalisedLine {
    line: u32,
    text: String,
    trivial: bool,
}

/// The lines up to the last of [`WINDOW`] counted ones.
fn window(
    text: &BookText,
    lines: impl Iterator<Item = u32>,
    normaliser: &mut Normaliser,
) -> Vec<NormalisedLine> {
    let mut counted = 0;
    let mut window = Vec::new();
    for line in lines {
        let raw = text.normaliser_input(line);
        let found = normaliser.line(&raw);
        counted += usize::from(!found.trivial);
        window.push(NormalisedLine {
            line,
            text: found.text.to_owned(),
            trivial: found.trivial,
        });
        if counted == WINDOW {
            break;
        }
    }
    window
}

fn counted_lines(lines: Vec<NormalisedLine>) -> Vec<TextUnit> {
    let counted = lines.into_iter().filter(|line| !line.trivial);
    counted
        .map(|line| TextUnit {
            text: line.text,
            first: line.line,
            last: line.line,
        })
        .collect()
}

fn sentences(lines: Vec<NormalisedLine>, normaliser: &mut Normaliser) -> Vec<TextUnit> {
    let mut found = Vec::new();
    let mut open = TextUnit {
        text: String::new(),
        first: 0,
        last: 0,
    };
    let mut close = |open: &mut TextUnit| {
        let text = std::mem::take(&mut open.text);
        let counted = normaliser.text(&text);
        if !counted.trivial {
            found.push(TextUnit {
                text: counted.text.to_owned(),
                ..open.clone()
            });
        }
    };
    for NormalisedLine { line, text, .. } in lines {
        if text.is_empty() {
            close(&mut open);
        }
        for word in text.split_whitespace() {
            if open.text.is_empty() {
                open.first = line;
            } else {
                open.text.push(' ');
            }
            open.text.push_str(word);
            open.last = line;
            if word.ends_with(['.', '?', '!']) {
                close(&mut open);
            }
        }
    }
    close(&mut open);
    found
}

fn ngrams(lines: &[NormalisedLine]) -> Vec<TextUnit> {
    let words = lines.iter().flat_map(|line| {
        let words = line.text.split_whitespace();
        words.map(|word| (line.line, word))
    });
    let words: Vec<(u32, &str)> = words.collect();
    let ngrams = words.windows(NGRAM).map(|ngram| TextUnit {
        text: ngram
            .iter()
            .map(|word| word.1)
            .collect::<Vec<_>>()
            .join(" "),
        first: ngram[0].0,
        last: ngram[NGRAM - 1].0,
    });
    let has_letter = |unit: &TextUnit| unit.text.contains(char::is_alphabetic);
    ngrams.filter(has_letter).collect()
}

/// The last frequent unit before `max` infrequent ones in a row; `None` if none is frequent.
fn last_frequent<'a>(
    units: impl Iterator<Item = &'a TextUnit>,
    is_frequent: impl Fn(&&TextUnit) -> bool,
    max: u32,
) -> Option<&'a TextUnit> {
    let mut last = None;
    let mut gap = 0;
    for unit in units.skip_while(|unit| !is_frequent(unit)) {
        if is_frequent(&unit) {
            (last, gap) = (Some(unit), 0);
        } else {
            gap += 1;
            if gap == max {
                break;
            }
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::super::count;
    use super::*;
    use endpaper_detect::frequency::{Frequencies, Structure};
    use endpaper_detect::{Method, Parameters, propose};
    use endpaper_text::corpus::{ListingRequest, list};
    use endpaper_text::scan::{WindowOptions, scan};

    #[test]
    fn sentences_span_lines_and_end_at_marks_and_blank_lines() {
        let text = "He said that it was\nmuch too late for that. \"Is it?\" she asked of him,\nand went on her way through\n\nthe fields. Ask Mr. Brown of the third house";
        let found = WindowUnits::of(
            &BookText::new(text.as_bytes().to_vec()),
            UnitKind::Sentences,
        );
        let found: Vec<_> = found
            .head
            .iter()
            .map(|unit| (&*unit.text, unit.first, unit.last))
            .collect();
        assert_eq!(
            found,
            [
                ("He said that it was much too late for that.", 1, 2),
                (
                    "\"Is it?\" she asked of him, and went on her way through",
                    2,
                    3
                ),
            ]
        );
    }

    #[test]
    fn ngrams_span_lines_and_have_a_letter() {
        let text = BookText::new(b"1 2 3 4 5\nEnd of\n\nthe book".to_vec());
        let found = WindowUnits::of(&text, UnitKind::Ngrams).head;
        let found: Vec<_> = found
            .iter()
            .map(|unit| (&*unit.text, unit.first, unit.last))
            .collect();
        assert_eq!(
            found,
            [
                ("2 3 4 5 End", 1, 2),
                ("3 4 5 End of", 1, 2),
                ("4 5 End of the", 1, 4),
                ("5 End of the book", 1, 4),
            ]
        );
    }

    #[test]
    fn algorithm_1_over_lines_cuts_as_the_detector_does() {
        let request = ListingRequest {
            demo: true,
            ..ListingRequest::default()
        };
        let books = list(&request).unwrap().books;
        let texts = books.iter().map(|book| book.text(1 << 24).unwrap());
        let texts: Vec<BookText> = texts.collect();
        let units = texts
            .iter()
            .map(|text| WindowUnits::of(text, UnitKind::Lines));
        let units: Vec<WindowUnits> = units.collect();
        let batches: Vec<BookLines> = units.iter().map(WindowUnits::batch).collect();
        let counts = count(Structure::Crc64, &batches).unwrap();
        let frequencies = Frequencies::from(counts.clone());
        let parameters = Parameters {
            threshold: 3,
            heuristics: false,
            method: Method::Gap,
            ..Parameters::default()
        };
        let mut cut = 0;
        for (text, units) in texts.iter().zip(&units) {
            let scan = scan(text.bytes(), WindowOptions::default());
            let expected = propose(&scan, &frequencies, &parameters).cuts;
            let found = units.cuts(&counts, 3);
            // Where nothing is left of the body, the detector lets the epilogue follow the preamble.
            if found.enclose(found.preamble_end + 1) {
                assert_eq!(found, expected);
                cut += usize::from(expected.preamble_end > 0);
            }
        }
        assert!(cut > 10, "{cut}");
    }
}
