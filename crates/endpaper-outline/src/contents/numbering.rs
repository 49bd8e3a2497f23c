//! The numbered sections of a printed document without a table of contents: `1 Introduction`, `2 Methods`, `2.1 Data`.
//!
//! Items of lists, notes and the ticks of plots are numbered as well. The numbers of sections go on through the whole document, so
//! of all ways to count through its lines the one with the most steps is taken.

use std::collections::HashMap;

use super::candidates::HeadingCandidate;
use super::section_heading::{opens_section, split_number};
use crate::fold::fold;
use crate::numbers::section_depth;
use crate::rows::BodyRows;

/// Most numbers of a path: `3.1.2` has three.
const MAX_DEPTH: usize = 4;
/// Fewest lines from one section to the next of the same depth; items of lists are closer.
const MIN_LINES: u32 = 4;
/// Fewest sections, and fewest of the first depth.
const MIN_SECTIONS: usize = 3;
const MIN_CHAPTERS: usize = 2;
/// The sections extend over at least a quarter of the lines.
const MIN_EXTENT: u32 = 4;
/// What it costs to leave out a number, whose heading may be unreadable; a step gains 1.
const MISSING_COST: f32 = 0.7;
/// What the usual names of first and last sections gain.
const NAME_GAIN: f32 = 0.5;
/// What a line costs that reads like a sentence, as items of lists do.
const SENTENCE_COST: f32 = 0.3;
/// Letters of appendices count from here.
const APPENDIX: u16 = 1000;

/// The numbers of a section: 3, 1 and 2 for `3.1.2`.
type SectionPath = Vec<u16>;

/// A heading with a number.
struct NumberedLine {
    candidate: usize,
    line: u32,
    path: SectionPath,
    /// Whether a full stop follows a single number: all sections of a document are written alike.
    closed: bool,
    gain: f32,
}

/// The best way to count up to a heading.
#[derive(Clone, Copy)]
struct Count {
    at: usize,
    score: f32,
}

/// The candidates that are the numbered sections of a document, in line order; `None` if it has none.
pub(super) fn find_sections(
    rows: &BodyRows<'_>,
    candidates: &[HeadingCandidate],
) -> Option<Vec<usize>> {
    let lines: Vec<NumberedLine> = (0..candidates.len())
        .filter_map(|at| read(rows, candidates, at))
        .collect();
    let counted = [false, true].map(|closed| count(&lines, closed));
    let best = counted.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let mut sections: Vec<&NumberedLine> = best.1.iter().map(|&at| &lines[at]).collect();
    // A single letter may be the first word of a title.
    let letters = sections
        .iter()
        .filter(|section| section.path[0] >= APPENDIX);
    if letters.count() == 1 {
        sections.retain(|section| section.path[0] < APPENDIX);
    }
    let chapters = sections.iter().filter(|section| section.path.len() == 1);
    let enough = sections.len() >= MIN_SECTIONS && chapters.count() >= MIN_CHAPTERS;
    let (first, last) = (sections.first()?, sections.last()?);
    let all = rows.all().last()?.line;
    let extends = (last.line - first.line) * MIN_EXTENT >= all;
    (enough && extends).then(|| sections.iter().map(|section| section.candidate).collect())
}

/// Reads a candidate as the heading of a section.
fn read(
    rows: &BodyRows<'_>,
    candidates: &[HeadingCandidate],
    candidate: usize,
) -> Option<NumberedLine> {
    let row = candidates[candidate].row;
    let words = rows.words(row);
    if !opens_section(&words) || candidates[candidate].title.is_empty() {
        return None;
    }
    let (first, title) = words.split_once(char::is_whitespace)?;
    let closed = first.ends_with(['.', ':']);
    let path = match section_depth(&words) {
        Some(_) => path_of(first.trim_end_matches('.'))?,
        None => path_of(split_number(&words)?.0)?,
    };
    let folded = fold(title);
    let opening = ["introduction", "overview", "background", "motivation"];
    let closing = [
        "conclusion",
        "discussion",
        "summary",
        "references",
        "acknowledg",
    ];
    let usual = |names: &[&str]| names.iter().any(|name| folded.starts_with(name));
    let named = path == [1] && usual(&opening) || path.len() == 1 && usual(&closing);
    const VERBS: &[&str] = &[
        "is", "are", "was", "were", "has", "have", "can", "will", "we",
    ];
    let sentence = folded.split(' ').any(|word| VERBS.contains(&word));
    Some(NumberedLine {
        candidate,
        line: rows.all()[row].line,
        path,
        closed,
        gain: if named { NAME_GAIN } else { 0.0 } - if sentence { SENTENCE_COST } else { 0.0 },
    })
}

/// The numbers of `3.1.2`, or of an appendix: `B`, `B.1`.
fn path_of(text: &str) -> Option<SectionPath> {
    let part = |(at, part): (usize, &str)| match part.as_bytes() {
        [letter @ b'A'..=b'Z'] if at == 0 => Some(APPENDIX + u16::from(letter - b'A')),
        _ => part.parse().ok().filter(|number| *number < APPENDIX),
    };
    let path: Option<SectionPath> = text.split('.').enumerate().map(part).collect();
    path.filter(|path| path.len() <= MAX_DEPTH)
}

/// The best way to count through the lines: its score, and the indices of its lines. `closed`: how chapters are written.
fn count(lines: &[NumberedLine], closed: bool) -> (f32, Vec<usize>) {
    let mut before: Vec<Option<usize>> = vec![None; lines.len()];
    // The best way to be in a section or one of its own, and to be at its heading.
    let mut within: HashMap<&[u16], Count> = HashMap::new();
    let mut exactly: HashMap<&[u16], Count> = HashMap::new();
    let mut best: Option<Count> = None;
    for (at, line) in lines.iter().enumerate() {
        let path = line.path.as_slice();
        if path.len() == 1 && line.closed != closed {
            continue;
        }
        let Some((&number, parent)) = path.split_last() else {
            continue;
        };
        let first = number == 1 && !parent.is_empty();
        let sibling = |left_out: u16| {
            let mut other = path.to_vec();
            *other.last_mut()? = number
                .checked_sub(1 + left_out)
                .filter(|number| *number > 0)?;
            let count = within.get(other.as_slice())?;
            let apart = line.line - lines[count.at].line >= MIN_LINES;
            let score = count.score - MISSING_COST * f32::from(left_out);
            apart.then_some(Count { score, ..*count })
        };
        let previous = if first {
            exactly.get(parent).copied()
        } else if path == [APPENDIX] {
            best
        } else {
            let siblings = [sibling(0), sibling(1)].into_iter().flatten();
            siblings.max_by(|a, b| a.score.total_cmp(&b.score))
        };
        if previous.is_none() && path != [1] {
            continue;
        }
        let score = previous.map_or(0.0, |count| count.score) + 1.0 + line.gain;
        before[at] = previous.map(|count| count.at);
        let count = Count { at, score };
        let better = |known: Option<&Count>| known.is_none_or(|known| score >= known.score);
        if better(exactly.get(path)) {
            exactly.insert(path, count);
        }
        for depth in 1..=path.len() {
            if better(within.get(&path[..depth])) {
                within.insert(&path[..depth], count);
            }
        }
        if better(best.as_ref()) {
            best = Some(count);
        }
    }
    let mut way = Vec::new();
    let mut next = best.map(|count| count.at);
    while let Some(at) = next {
        way.push(at);
        next = before[at];
    }
    way.reverse();
    (best.map_or(0.0, |count| count.score), way)
}

#[cfg(test)]
mod tests {
    use crate::Outline;
    use crate::outline;
    use endpaper_text::corpus::BookText;
    use endpaper_text::scan::{WindowOptions, scan};

    fn outlined(source: &str) -> Outline {
        let text = BookText::new(source.as_bytes().to_vec());
        outline(&text, &scan(text.bytes(), WindowOptions::default()))
    }

    fn titles(source: &str) -> Vec<String> {
        let entries = outlined(source).entries;
        entries
            .iter()
            .map(|entry| format!("{} {entry}", entry.level))
            .collect()
    }

    /// Prose of ten lines.
    fn prose(what: &str) -> String {
        format!("The {what} of books is told in these lines, which nobody needs\nto read twice, as they say the same.\n").repeat(5)
    }

    fn printed(sections: &[(&str, &str)]) -> String {
        let parts: Vec<String> = sections
            .iter()
            .map(|(heading, inside)| format!("{heading}\n\n{}{inside}\n\n", prose("story")))
            .collect();
        format!("A Manual\n\nAda Able\n\n{}\u{c}\n", parts.join("\u{c}"))
    }

    #[test]
    fn numbers_are_followed_through_the_document() {
        let source = printed(&[
            (
                "1 Introduction",
                "\n1. Boxes are open\n2. Books are closed\n3. Shelves are long\n",
            ),
            (
                "2 Methods\n\n2.1 Data",
                "\n1 12.3 6.2 7.9 9.2\n\n2 10.1 11.0 4.4\n",
            ),
            ("2.2 Models of books", "\n\u{2212}4\n\n0\n\n4\n"),
            ("2.2.1 Small ones", "\n[1] 1 2 4\n"),
            (
                "3 Results",
                "\n1 Department of Books, University of Boxes\n",
            ),
            (
                "5 A Long Title that goes on\n  over the next line",
                "\n    The paragraph begins here.\n",
            ),
        ]);
        let expected = [
            "1 1. Introduction",
            "1 2. Methods",
            "2 2.1 Data",
            "2 2.2 Models of books",
            "3 2.2.1 Small ones",
            "1 3. Results",
            "1 5. A Long Title that goes on over the next line",
        ];
        assert_eq!(titles(&source), expected, "{source}");
    }

    #[test]
    fn paragraph_is_not_part_of_the_title_above_it() {
        let names = ["Boxes", "Shelves", "Covers", "Spines"];
        let section = |(number, name): (u32, &str)| {
            format!(
                "{number}    {name}\n   A paragraph is here, and it\ngoes on for long.\n{}\n\u{c}\n{}\n",
                prose("box"),
                prose("page")
            )
        };
        let sections: Vec<String> = (1..).zip(names).map(section).collect();
        let found = titles(&format!("Boxes\n\n{}", sections.join("\u{c}\n")));
        assert_eq!(
            found,
            ["1 1. Boxes", "1 2. Shelves", "1 3. Covers", "1 4. Spines"]
        );
    }

    #[test]
    fn list_in_one_place_is_no_numbering() {
        let list = "\n1. One book\n\n2. Two books\n\n3. Three books\n\n4. Four books\n";
        let source = format!("\u{c}{}{list}{}\u{c}", prose("a"), prose("b").repeat(20));
        assert_eq!(titles(&source), [""; 0]);
    }
}
