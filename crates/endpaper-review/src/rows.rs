//! The rows of a book on screen: lines, folded blanks, folded blocks and the rules of the cuts.
//!
//! Both panes show the same list, so a cut moved in one moves in the other. A changed cut or fold rebuilds the list in one
//! pass over the blocks.

use std::collections::BTreeSet;

use super::decision::BookState;
use super::page::BookPage;
use endpaper_detect::{Cuts, End};
use endpaper_text::scan::MarkerSet;

/// Parts of blocks with more lines than this are folded.
pub const FOLD_OVER: u32 = 6;

/// One row of a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaneRow {
    /// A line of the book.
    Line(u32),
    /// Adjacent blank lines: the first line and their number.
    Blanks(u32, u32),
    /// The folded part of a block: first and last line.
    Fold(u32, u32),
    /// The rule of a current cut, before this line (`lines + 1`: at the end of the book).
    Rule(End, u32),
    /// The rule of a cut in opinions to choose from, before this line.
    OpinionRule(End, u32),
    /// The rule of a proposed cut that the curator moved, before this line.
    ProposedRule(End, u32),
}

impl PaneRow {
    /// First line of the row; for a rule, the line below it.
    pub fn first(self) -> u32 {
        match self {
            PaneRow::Line(line) | PaneRow::Blanks(line, _) | PaneRow::Fold(line, _) => line,
            PaneRow::Rule(_, place)
            | PaneRow::OpinionRule(_, place)
            | PaneRow::ProposedRule(_, place) => place,
        }
    }

    /// Last line of the row; for a rule, which has no line, the one before it.
    pub fn last(self) -> u32 {
        match self {
            PaneRow::Line(line) => line,
            PaneRow::Blanks(line, count) => line + count - 1,
            PaneRow::Fold(_, last) => last,
            PaneRow::Rule(_, place)
            | PaneRow::OpinionRule(_, place)
            | PaneRow::ProposedRule(_, place) => place.saturating_sub(1),
        }
    }

    /// Whether the row shows lines of the book, that is, is not a rule.
    pub fn is_text(self) -> bool {
        matches!(
            self,
            PaneRow::Line(_) | PaneRow::Blanks(..) | PaneRow::Fold(..)
        )
    }
}

/// Which blocks are folded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folding {
    /// Whether blocks are shown unfolded by default.
    pub open: bool,
    /// First lines of the blocks that differ from `open`.
    pub toggled: BTreeSet<u32>,
}

impl Folding {
    /// Whether the block that begins at this line is folded.
    fn folds(&self, block_first: u32) -> bool {
        self.open == self.toggled.contains(&block_first)
    }
}

/// Returns the rows of the open book. In a blind review, unplaced cuts and proposals have no row.
pub fn rows_of(book: &BookState, folding: &Folding) -> Vec<PaneRow> {
    let [start, end] = book.decision.unplaced;
    let mut rules = rules(&book.page, book.decision.cuts);
    if book.dispute.is_some() {
        put_opinion_rules(book, &mut rules);
    }
    rules.retain(|rule| match rule {
        PaneRow::Rule(End::Start, _) => !start,
        PaneRow::Rule(End::End, _) => !end,
        _ => !book.hides_proposal(),
    });
    let offers = book.offers.iter().map(|offer| offer.position);
    let places = match book.hides_proposal() {
        true => Vec::new(),
        false => book.page.all_positions().chain(offers).collect(),
    };
    rows_with_rules(&book.page, &rules, folding, &places)
}

/// Returns the rows of a book with its current cuts and the proposed ones.
pub fn rows(page: &BookPage, cuts: Cuts, folding: &Folding) -> Vec<PaneRow> {
    let places: Vec<u32> = page.all_positions().collect();
    rows_with_rules(page, &rules(page, cuts), folding, &places)
}

/// Lines in `places`, where a candidate cuts, are never folded.
fn rows_with_rules(
    page: &BookPage,
    rules: &[PaneRow],
    folding: &Folding,
    places: &[u32],
) -> Vec<PaneRow> {
    let mut out = Vec::with_capacity(page.blocks().len() * 4 + 8);
    let mut next = 1;
    for &(first, last) in page.blocks() {
        if next < first {
            out.push(PaneRow::Blanks(next, first - next));
        }
        let fold = folding.folds(first).then_some(FoldState { places });
        block(page, (first, last), rules, fold, &mut out);
        next = last + 1;
    }
    if next <= page.lines() {
        out.push(PaneRow::Blanks(next, page.lines() + 1 - next));
    }
    out.extend(rules.iter().filter(|rule| rule.first() > page.lines()));
    out
}

/// The rules in line order: the current cuts, and the proposed cuts where they differ.
fn rules(page: &BookPage, cuts: Cuts) -> Vec<PaneRow> {
    let mut rules = Vec::with_capacity(4);
    for end in [End::Start, End::End] {
        let here = page.cut_position(cuts, end);
        let detected = page.cut_position(page.detection.cuts, end);
        rules.push(PaneRow::Rule(end, here));
        if detected != here {
            rules.push(PaneRow::ProposedRule(end, detected));
        }
    }
    rules.sort_by_key(|rule| rule.first());
    rules
}

/// Replaces the proposed cuts by those of the opinions. A cut on screen that opinions share has only its own rule.
fn put_opinion_rules(book: &BookState, rules: &mut Vec<PaneRow>) {
    rules.retain(|rule| !matches!(rule, PaneRow::ProposedRule(..)));
    for end in [End::Start, End::End] {
        let opinions = book.curator_opinions().iter();
        let mut places: Vec<u32> = opinions
            .filter_map(|opinion| opinion.position(&book.page, end))
            .collect();
        places.sort_unstable();
        places.dedup();
        let cut = book.page.cut_position(book.decision.cuts, end);
        places.retain(|&place| book.decision.unplaced[end as usize] || place != cut);
        rules.extend(
            places
                .into_iter()
                .map(|place| PaneRow::OpinionRule(end, place)),
        );
    }
    rules.sort_by_key(|rule| rule.first());
}

/// Decides, line by line, what is folded away.
#[derive(Clone, Copy)]
struct FoldState<'a> {
    /// Lines where a candidate cuts, which stay visible.
    places: &'a [u32],
}

/// The rows of one block, split where a rule is inside it.
fn block(
    page: &BookPage,
    (first, last): (u32, u32),
    rules: &[PaneRow],
    fold: Option<FoldState<'_>>,
    out: &mut Vec<PaneRow>,
) {
    let mut start = first;
    for rule in rules
        .iter()
        .filter(|rule| (first..=last).contains(&rule.first()))
    {
        if rule.first() > start {
            part(page, (start, rule.first() - 1), fold, out);
            start = rule.first();
        }
        out.push(*rule);
    }
    part(page, (start, last), fold, out);
}

/// The rows of a part of a block, folded to its first, last, signature and marked lines if it is long.
fn part(
    page: &BookPage,
    (first, last): (u32, u32),
    fold: Option<FoldState<'_>>,
    out: &mut Vec<PaneRow>,
) {
    let Some(fold) = fold.filter(|_| last - first >= FOLD_OVER) else {
        out.extend((first..=last).map(PaneRow::Line));
        return;
    };
    let distinctive = MarkerSet::START
        | MarkerSet::SMALL_PRINT_END
        | MarkerSet::END
        | MarkerSet::ETEXT
        | MarkerSet::CREDITS
        | MarkerSet::NOTE;
    let keep = |line: u32| {
        let place = fold.places.contains(&line);
        place || page.is_signature(line) || page.markers(line).has_any(distinctive)
    };
    out.push(PaneRow::Line(first));
    let mut hidden = first + 1;
    for line in (first + 1..=last).filter(|&line| line == last || keep(line)) {
        // A fold row in place of a single line would save no space.
        match line - hidden {
            0 => {}
            1 => out.push(PaneRow::Line(hidden)),
            _ => out.push(PaneRow::Fold(hidden, line - 1)),
        }
        out.push(PaneRow::Line(line));
        hidden = line + 1;
    }
}

/// Returns the index of the row that shows a line: the line itself, or the fold or blank row that hides it.
pub fn row_of(rows: &[PaneRow], line: u32) -> usize {
    let after = rows.partition_point(|row| row.first() <= line);
    // A rule comes before the line whose number it has.
    let found = rows[..after].iter().rposition(|row| row.is_text());
    found.unwrap_or(0)
}

/// Returns the index of the rule of a cut.
pub fn rule_of(rows: &[PaneRow], end: End) -> Option<usize> {
    rows.iter()
        .position(|row| matches!(row, PaneRow::Rule(e, _) if *e == end))
}

/// Returns the index of the first rule of an opinion at an end.
pub fn opinion_rule_of(rows: &[PaneRow], end: End) -> Option<usize> {
    rows.iter()
        .position(|row| matches!(row, PaneRow::OpinionRule(e, _) if *e == end))
}

/// Returns the index of the last rule of an opinion at an end.
pub fn last_opinion_rule_of(rows: &[PaneRow], end: End) -> Option<usize> {
    rows.iter()
        .rposition(|row| matches!(row, PaneRow::OpinionRule(e, _) if *e == end))
}
