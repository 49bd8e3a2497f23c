//! How a book was decided: what stands at the edges of its body.

use std::collections::BTreeSet;

use crate::corpus::Text;
use crate::line::Normaliser;
use crate::scan::{self, Marks, Template};
use crate::truth::Record;
use crate::truth::body::{non_blank_from, non_blank_to};

/// Lines of a block that are looked at.
const LINES: u32 = 60;
/// How a book was decided, comparable with books that are alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    pub(super) template: Template,
    /// What tells editions of one work: its number, its title with its author.
    pub(super) works: Vec<String>,
    pub(super) start: Edge,
    pub(super) end: Edge,
    pub(super) flags: BTreeSet<String>,
}

/// What stands on both sides of a cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Edge {
    /// Kinds of the blocks outside and inside.
    pub(super) kinds: String,
    /// The first line of the block outside.
    pub(super) line: String,
}

/// How a record with cuts was decided.
pub fn manner_of(record: &Record, text: &Text) -> Manner {
    let scan = scan::scan(text.bytes(), scan::Options::default());
    let header = &scan.header;
    let plain = |text: &Option<String>| plain(text.as_deref().unwrap_or_default());
    let (title, author) = (plain(&header.title), plain(&header.author));
    let title = (!title.is_empty() && !author.is_empty()).then(|| format!("'{title}' by {author}"));
    let number = header.number.map(|number| format!("e-book {number}"));
    let blocks = Blocks::of(text, record);
    let mut flags: BTreeSet<String> = record.flags.iter().cloned().collect();
    if record.hard {
        flags.insert("hard".to_owned());
    }
    Manner {
        template: scan.template,
        works: number.into_iter().chain(title).collect(),
        start: blocks.start(),
        end: blocks.end(),
        flags,
    }
}

/// Letters and digits of a name, so that editions are not told apart by a comma.
fn plain(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// First and last line of a block.
type Block = (u32, u32);

/// The blocks of a text beside the cuts of a record.
struct Blocks<'a> {
    text: &'a Text,
    /// First line after the preamble, first line of the epilogue.
    body: (u32, u32),
}

impl<'a> Blocks<'a> {
    fn of(text: &'a Text, record: &Record) -> Blocks<'a> {
        let first = record.cuts.preamble_end.saturating_add(1);
        let end = record.cuts.epilogue_start.unwrap_or(text.lines() + 1);
        Blocks {
            text,
            body: (first, end),
        }
    }

    fn start(&self) -> Edge {
        let (first, end) = self.body;
        let outside = self.skipping(|from| self.above(from, 1), first);
        self.edge("no preamble", outside, self.below(first, end))
    }

    fn end(&self) -> Edge {
        let (first, end) = self.body;
        let end = end.min(self.text.lines() + 1);
        let outside = self.skipping(|from| self.below(from, self.text.lines() + 1), end);
        self.edge("no epilogue", outside, self.above(end, first))
    }

    fn edge(&self, none: &str, outside: Option<Block>, inside: Option<Block>) -> Edge {
        let kind = |block| kind(self.text, block);
        let mut kinds = outside.map_or(none, kind).to_owned();
        // A body is plain text; what else stands at its edge is worth a word.
        match inside.map(kind) {
            Some(PLAIN) => {}
            Some(inside) => kinds.push_str(&format!(" with {inside} in the body beside it")),
            None => kinds.push_str(" with no body beside it"),
        }
        let line = outside.map(|(first, _)| self.text.display(first, 200));
        let line = line.map(|line| line.trim().chars().take(60).collect());
        Edge {
            kinds,
            line: line.unwrap_or_default(),
        }
    }

    /// The first block outside that is more than a separator, which belongs to whatever it touches.
    fn skipping(&self, next: impl Fn(u32) -> Option<Block>, from: u32) -> Option<Block> {
        let nearest = next(from)?;
        if kind(self.text, nearest) != SEPARATOR {
            return Some(nearest);
        }
        let beyond = if nearest.0 < from {
            nearest.0
        } else {
            nearest.1 + 1
        };
        next(beyond).or(Some(nearest))
    }

    /// The block that ends just above a line, down to a first one.
    fn above(&self, line: u32, least: u32) -> Option<Block> {
        let last = non_blank_to(self.text, line.saturating_sub(1))?;
        let mut first = last;
        while first > least && last - first < LINES && !self.text.is_blank(first - 1) {
            first -= 1;
        }
        (last >= least).then_some((first, last))
    }

    /// The block that begins at a line or just below, up to an end.
    fn below(&self, line: u32, end: u32) -> Option<Block> {
        let first = non_blank_from(self.text, line)?;
        let mut last = first;
        while last + 1 < end && last - first < LINES && !self.text.is_blank(last + 1) {
            last += 1;
        }
        (first < end).then_some((first, last))
    }
}

const SEPARATOR: &str = "a separator";
const PLAIN: &str = "plain text";

/// What a block is, by the marks of its lines: one signed line signs it all.
fn kind(text: &Text, (first, last): Block) -> &'static str {
    let mut normaliser = Normaliser::default();
    let (mut all, mut only_separators) = (Marks::default(), true);
    for line in first..=last.min(text.lines()) {
        let marks = Marks::of(&normaliser.line(&text.countable(line)));
        only_separators &= marks.has(Marks::SEPARATOR);
        all |= marks;
    }
    let ours = Marks::START | Marks::SMALL_PRINT_END | Marks::END | Marks::ETEXT | Marks::GUTENBERG;
    match all {
        marks if marks.any(Marks::NOTE) => "a note",
        marks if marks.any(Marks::CREDITS) => "credits",
        marks if marks.any(ours) => "a marker or licence",
        _ if only_separators => SEPARATOR,
        _ => PLAIN,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sound;
    use super::*;
    use crate::truth::SourceFacts;

    #[test]
    fn edges_have_kinds() {
        let manner = sound("Y", 10, &[]).answer;
        assert_eq!(manner.start.kinds, "credits");
        assert_eq!(manner.start.line, "Produced by Anna Bell");
        assert_eq!(manner.end.kinds, "a marker or licence");
        assert_eq!(manner.works, ["'y' by a n"]);
        let table = [
            (7, "a marker or licence with credits in the body beside it"),
            (
                0,
                "no preamble with a marker or licence in the body beside it",
            ),
            (21, "a marker or licence with no body beside it"),
        ];
        for (cut, kinds) in table {
            assert_eq!(sound("Y", cut, &[]).answer.start.kinds, kinds);
        }
    }

    #[test]
    fn a_separator_belongs_to_what_it_touches() {
        let text = Text::new(b"Produced by Anna Bell\n\n* * *\n\nText.\n\n* * *\n".to_vec());
        let mut record = Record::new("a", SourceFacts::of(&text));
        record.cuts.preamble_end = 3;
        let manner = manner_of(&record, &text);
        assert_eq!(manner.start.kinds, "credits");
        assert_eq!(
            manner.end.kinds,
            "no epilogue with a separator in the body beside it"
        );
        record.cuts.epilogue_start = Some(7);
        assert_eq!(manner_of(&record, &text).end.kinds, SEPARATOR);
    }
}
