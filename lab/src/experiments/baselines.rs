//! Cuts by the rules of other tools, to be compared with (Kaser & Lemire, section 4.3 and Figure 10).
//!
//! They are written from what these tools are documented to do, and are no copies of them:
//!
//! | baseline | the tool |
//! | --- | --- |
//! | [`headings`] | GutenMark, as the paper describes it: the body begins at the first heading such as "Chapter I." |
//! | [`marker_lines`] | the Python package `gutenberg` and its descendants: lines that begin with one of a list of phrases |
//! | [`marker_paragraphs`] | the R package `gutenbergr`: a start line and an end line, and paragraphs of credits below the start line |
//!
//! The paper used the last production release of GutenMark of 2002, of which only the start can be compared.

use std::sync::LazyLock;

use regex::Regex;

use endpaper_detect::Cuts;
use endpaper_text::corpus::BookText;

/// Bytes of a line that are compared.
const MAX_LINE_BYTES: usize = 400;

/// Heading words with a number, or a number alone.
const HEADING: &str = r"(?ix)^ (?:
    (?: chapter | chap\. | book | part | section | canto | act | scene | letter | lecture | volume | stave
      | chapitre | livre | kapitel | buch | capitulo | capítulo )
    \s+ (?: the \s+ )? (?: [ivxlc]+ | \d+ | one | two | three | first | second | i?er | premier )
  | (?: i | 1 ) \.?
  ) (?: \b | $ ) [^a-z]{0,3} .{0,50} $";

/// Longest heading in capitals, in characters.
const LONGEST_CAPITALS: usize = 60;

/// The end of a file header, and where it is looked for.
const HEADER_END: &str =
    r"(?i)START\s+OF\s+(?:THE|THIS)\s+PROJECT\s+GUTENBERG|END[\s*]+THE\s+SMALL\s+PRINT";
const HEADER_LINES: u32 = 600;

/// Lines of a paragraph of prose.
const PROSE: u32 = 3;

/// Lines below a heading in which its prose begins; in a table of contents another heading comes sooner.
const BELOW_HEADING: u32 = 16;

/// The phrases after which the body begins, at the start of a line.
const START_LINES: &str = r"^(?:
    \*END\*?\ ?THE\ SMALL\ PRINT | \*SMALL\ PRINT! | \*{4}\ {5}SMALL\ PRINT!
  | \ ?\*\*\*\ ?START\ OF\ TH(?:E|IS)\ PROJECT\ GUTENBERG | \*\*\*\ START\ OF\ THE\ COPYRIGHTED
  | This\ [Ee]text\ was\ prepared\ by | This\ etext\ was\ produced\ by | This\ eBook\ was\ prepared\ by
  | This\ Project\ Gutenberg\ Etext\ was\ prepared\ by | E-text\ prepared\ by | Produced\ by
  | \[\x22Small\ Print\x22\ V\. | \ {16}this\ Project\ Gutenberg\ edition\. | \ {6}\(http://www\.ibiblio\.org/gutenberg/
  | Project\ Runeberg\ publishes | http://gutenberg(?:\.spiegel|2000)\.de | l'authorization\ à\ les\ utilizer
  | (?:and\ the\ |the\ )?(?:Project\ )?Gutenberg\ Online\ Distributed | (?:Project\ )?Gutenberg\ Distributed\ Proofreaders
  | Distributed\ Proofreading\ Team | (?:Proofreading\ Team\ at\ )?http://www\.pgdp\.net
  | by\ The\ Internet\ Archive[)] | (?:by\ The\ )?Internet\ Archive/(?:Canadian|American)\ Libraries
  | Internet\ Archive[)] | public\ domain\ material\ from\ the\ Internet\ Archive
  | material\ from\ the\ Google\ Print\ project | http://gallica\.bnf\.fr[)] | \ {6}http://archive\.org/details/
  | (?:\*\*)?The\ Project\ Gutenberg | Beginning\ of\ this\ Project\ Gutenberg | Project\ Gutenberg\ TEI
  | More\ information\ about\ this\ book\ is\ at\ the\ top\ of\ this\ file\.
  | tells\ you\ about\ restrictions\ in\ how\ the\ file\ may\ be\ used\.
  | of\ the\ etext\ through\ OCR\. | \*{5}These\ eBooks\ Were\ Prepared\ By\ Thousands\ of\ Volunteers!\*{5}
  | We\ need\ your\ donations\ more\ than\ ever!
)";

/// The phrases at which the body ends, at the start of a line.
const END_LINES: &str = r"^(?:
    \ {0,8}\*\*\*\ ?END\ OF\ TH(?:E|IS)\ PROJECT\ GUTENBERG | \*\*\*\ END\ OF\ THE\ COPYRIGHTED
  | \ ?End\ of\ (?:the\ |The\ |this\ )?Project\ Gutenberg | END\ OF\ PROJECT\ GUTENBERG | by\ Project\ Gutenberg
  | Ende\ diese[s]?\ Proje[ck]t\ Gutenber | Ende\ dieses\ Etextes\  | Fin\ de\ Project\ Gutenberg
  | End\ of\ this\ is\ COPYRIGHTED | \*\*This\ is\ a\ COPYRIGHTED\ Project\ Gutenberg\ Etext,\ Details\ Above\*\*
  | The\ Project\ Gutenberg\ Etext\ of\  | Ce\ document\ fut\ pr[ée]sent[ée]\ en\ lecture
  | More\ information\ about\ this\ book\ is\ at\ the\ top\ of\ this\ file\.
  | We\ need\ your\ donations\ more\ than\ ever!
)";

/// Start lines are looked for while at most this number of lines is kept, end lines from [`END_FROM`] on.
const START_TO: u32 = 600;
const END_FROM: u32 = 100;

/// A line after which the body begins, and one at which it ends.
const START_LINE: &str = r"^\*\*\*.*PROJECT GUTENBERG|END.*SMALL PRINT";
const END_LINE: &str = r"^End of .*Project Gutenberg|\*\*\*.*END OF.*PROJECT GUTENBERG";

/// First lines of paragraphs that are taken away below the start line.
const CREDITS: &str =
    r"(?i)produced by|prepared by|transcribed from|project gutenberg|^special thanks|^note: ";

/// The expressions of all baselines.
struct BaselinePatterns {
    heading: Regex,
    header_end: Regex,
    start_lines: Regex,
    end_lines: Regex,
    start_line: Regex,
    end_line: Regex,
    credits: Regex,
}

static PATTERNS: LazyLock<Option<BaselinePatterns>> = LazyLock::new(|| {
    let compile = |pattern: &str| Regex::new(pattern).ok();
    Some(BaselinePatterns {
        heading: compile(HEADING)?,
        header_end: compile(HEADER_END)?,
        start_lines: compile(&format!("(?x){START_LINES}"))?,
        end_lines: compile(&format!("(?x){END_LINES}"))?,
        start_line: compile(START_LINE)?,
        end_line: compile(END_LINE)?,
        credits: compile(CREDITS)?,
    })
});

/// A baseline: its name, and its cuts of a book.
pub type Baseline = (&'static str, fn(&BookText) -> Cuts);

/// The name of [`headings`].
pub const HEADINGS: &str = "headings, as GutenMark";

/// All baselines.
pub const BASELINES: [Baseline; 3] = [
    (HEADINGS, headings),
    ("marker lines, as gutenberg (Python)", marker_lines),
    ("marker paragraphs, as gutenbergr (R)", marker_paragraphs),
];

/// Everything above the first heading below the file header that prose follows is preamble; there is no epilogue. Headings are
/// chapters with their numbers, and lines in capitals. Without one the whole file is prefatory material, as a diary is in the
/// paper.
pub fn headings(text: &BookText) -> Cuts {
    let Some(patterns) = &*PATTERNS else {
        return Cuts::default();
    };
    let last = text.lines();
    let is_end = |&line: &u32| {
        patterns
            .header_end
            .is_match(&text.display(line, MAX_LINE_BYTES))
    };
    let header = (1..=last.min(HEADER_LINES)).rfind(is_end).unwrap_or(0);
    let is_blank = |line: u32| line == 0 || line > last || text.is_blank(line);
    let is_heading = |line: u32| {
        if is_blank(line) || !is_blank(line - 1) || !is_blank(line + 1) {
            return false;
        }
        let words = text.display(line, MAX_LINE_BYTES);
        let words = words.trim();
        patterns.heading.is_match(words) || is_in_capitals(words)
    };
    let heads_prose = |heading: u32| {
        let mut paragraph = 0;
        for line in heading + 1..=last.min(heading + BELOW_HEADING) {
            if is_heading(line) {
                return false;
            }
            paragraph = if is_blank(line) { 0 } else { paragraph + 1 };
            if paragraph == PROSE {
                return true;
            }
        }
        false
    };
    let body = (header + 1..=last).find(|&line| is_heading(line) && heads_prose(line));
    Cuts {
        preamble_end: body.map_or(last, |line| line - 1),
        epilogue_start: None,
    }
}

/// Whether a line is short and has letters, all of them capitals.
fn is_in_capitals(line: &str) -> bool {
    line.chars().count() <= LONGEST_CAPITALS
        && line.contains(char::is_alphabetic)
        && !line.contains(char::is_lowercase)
}

/// The preamble ends at the last of the start lines near the head, and the epilogue starts at the first end line.
pub fn marker_lines(text: &BookText) -> Cuts {
    let mut cuts = Cuts::default();
    let Some(patterns) = &*PATTERNS else {
        return cuts;
    };
    let mut kept = 0;
    for line in 1..=text.lines() {
        let words = text.display(line, MAX_LINE_BYTES);
        if kept <= START_TO && patterns.start_lines.is_match(&words) {
            cuts.preamble_end = line;
            continue;
        }
        if kept >= END_FROM && patterns.end_lines.is_match(&words) {
            cuts.epilogue_start = Some(line);
            break;
        }
        kept += 1;
    }
    cuts
}

/// The preamble ends with the paragraph of the start line and the paragraphs of credits below it, and the epilogue starts at the
/// first end line.
pub fn marker_paragraphs(text: &BookText) -> Cuts {
    let Some(patterns) = &*PATTERNS else {
        return Cuts::default();
    };
    let words = |line| text.display(line, MAX_LINE_BYTES);
    // Only a line without any character separates paragraphs.
    let is_empty = |line| text.raw(line).is_empty();
    let next = |from: u32, is: &dyn Fn(u32) -> bool| (from..=text.lines()).find(|&line| is(line));
    let start = next(1, &|line| patterns.start_line.is_match(&words(line))).unwrap_or(1);
    let rest = next(start + 1, &is_empty).unwrap_or(start + 1);
    let end = next(rest, &|line| patterns.end_line.is_match(&words(line)));
    let last = end.map_or(text.lines(), |line| line - 1);
    let not_empty = |line| !is_empty(line);
    let mut body = next(rest, &not_empty).unwrap_or(rest);
    while body <= last && patterns.credits.is_match(&words(body)) {
        let Some(paragraph_end) = next(body, &is_empty).filter(|&line| line <= last) else {
            break;
        };
        body = next(paragraph_end, &not_empty).unwrap_or(last + 1);
    }
    Cuts {
        preamble_end: (body - 1).min(last),
        epilogue_start: end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts_of(baseline: fn(&BookText) -> Cuts, text: &str) -> (u32, Option<u32>) {
        let cuts = baseline(&BookText::new(text.as_bytes().to_vec()));
        (cuts.preamble_end, cuts.epilogue_start)
    }

    /// A paragraph of 120 lines.
    fn prose() -> String {
        (1..=120)
            .map(|line| format!("Line {line} of the story.\n"))
            .collect()
    }

    #[test]
    fn every_pattern_compiles() {
        assert!(PATTERNS.is_some());
    }

    #[test]
    fn headings_are_those_with_prose_below_them() {
        let prose = prose();
        let contents = "A Title\n\nContents\n\nChapter I. The Start\n\nChapter II. The End\n\n";
        let table = [
            (format!("{contents}Chapter I\n\n{prose}"), 8),
            (
                format!("A TITLE\n\nBook the First\n\nA subtitle\n\n{prose}"),
                2,
            ),
            (format!("A Title\n\nI.\n\n{prose}"), 2),
            // The capitals of the small print are in the file header.
            (
                format!(
                    "LIMITED WARRANTY\n\n{prose}\n*END*THE SMALL PRINT*\n\nA TITLE\n\nPREFACE\n\n{prose}"
                ),
                127,
            ),
            // A mention in prose is no heading, and neither is a word without a number.
            (
                format!(
                    "Chapter I. is above\n{prose}\nChapter\n\n{prose}\n\nChapter I.\n\n{prose}"
                ),
                246,
            ),
            // As Pepys's diary in the paper.
            (format!("October 1666\n\n{prose}"), 122),
            (String::new(), 0),
        ];
        for (text, expected) in table {
            assert_eq!(cuts_of(headings, &text), (expected, None), "{text:.60}");
        }
    }

    #[test]
    fn marker_lines_begin_and_end_the_body() {
        let prose = prose();
        let text = format!(
            "The Project Gutenberg EBook of Nothing\n\n*** START OF THIS PROJECT GUTENBERG EBOOK ***\n\nProduced by Nobody\n\n{prose}\
            End of Project Gutenberg's Nothing\n\nProduced by Nobody\n"
        );
        assert_eq!(cuts_of(marker_lines, &text), (5, Some(127)));
        // An end line is believed after 100 lines only, and a phrase must begin its line.
        let early = format!("End of Project Gutenberg\nnot Produced by me\n{prose}");
        assert_eq!(cuts_of(marker_lines, &early), (0, None));
        assert_eq!(cuts_of(marker_lines, ""), (0, None));
    }

    #[test]
    fn marker_paragraphs_end_with_the_credits() {
        let prose = prose();
        let text = format!(
            "Head\n\n***START OF THE PROJECT GUTENBERG EBOOK***\nstill the start\n\n\nProduced by Nobody\nand Somebody\n\nNote: none\n\n\
            A TITLE\n\n{prose}\n*** END OF THE PROJECT GUTENBERG EBOOK ***\nmore\n"
        );
        assert_eq!(cuts_of(marker_paragraphs, &text), (11, Some(135)));
        // Without a start line only the first line is taken away, and what stands below it as if it were its paragraph.
        assert_eq!(cuts_of(marker_paragraphs, "one\ntwo\n\nthree\n"), (3, None));
        assert_eq!(cuts_of(marker_paragraphs, "one"), (1, None));
        assert_eq!(cuts_of(marker_paragraphs, ""), (0, None));
    }
}
