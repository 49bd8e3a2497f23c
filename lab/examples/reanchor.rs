//! Edits labelled books at random and relocates their cuts: how many are right, refused or wrong.
//!
//! ```text
//! cargo run --release -p lab --example reanchor -- LABELS.tsv BOOKS [ROUNDS] [SEED]
//! ```
//!
//! Each round edits every labelled book once: lines removed and added (new ones, and copies of lines and blocks of the book itself), anywhere and
//! right at the cuts; another encoding; other newlines. A cut is *right* only if every remaining line is on its old side and no line was added at
//! the cut itself, where the right position is undefined.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use endpaper_detect::{Cuts, End};
use endpaper_text::corpus::{BookText, ListingRequest, MAX_SIZE, list};
use endpaper_truth::{
    Alternative, InnerBoilerplate, Record, Refusal, SourceFacts, context_of_record, relocate,
};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: reanchor LABELS.tsv BOOKS [ROUNDS] [SEED]";
    let labels = std::fs::read_to_string(arguments.next().context(usage)?)?;
    let books = arguments.next().context(usage)?;
    let rounds: u32 = arguments.next().map_or(Ok(1), |word| word.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |word| word.parse())?;
    let listing = list(&ListingRequest {
        roots: vec![books.into()],
        ..ListingRequest::default()
    })?;
    let by_id: HashMap<_, _> = listing.books.iter().map(|b| (b.id.as_str(), b)).collect();
    let mut tally = AnchorTally::default();
    for (number, row) in labels.lines().skip(1).enumerate() {
        let fields: Vec<&str> = row.split('\t').collect();
        let Some(book) = fields.first().and_then(|id| by_id.get(id)) else {
            continue;
        };
        let text = BookText::new(book.read(MAX_SIZE)?);
        let Some(record) = record(&fields, &text) else {
            continue;
        };
        tally.books += 1;
        for round in 0..rounds {
            let mut dice = SplitMix(seed ^ (number as u64) << 20 ^ u64::from(round) << 40);
            edit_and_look(&record, &text, &mut dice, &mut tally);
        }
    }
    println!("{tally}");
    if tally.ends.iter().any(|end| end.wrong > 0) {
        std::process::exit(1);
    }
    Ok(())
}

/// Parses a row of labels: `book sha256 body_first body_last alt_first alt_last ...`.
fn record(fields: &[&str], text: &BookText) -> Option<Record> {
    let number = |at: usize| fields.get(at).and_then(|word| word.parse::<u32>().ok());
    let (first, last) = (number(2)?, number(3)?);
    let before = |line: u32| (1..line).rev().find(|line| !text.is_blank(*line));
    let after = |line: u32| (line + 1..=text.lines()).find(|line| !text.is_blank(*line));
    let mut record = Record::new(fields[0], SourceFacts::of(text));
    record.cuts = Cuts {
        preamble_end: before(first).unwrap_or(0),
        epilogue_start: after(last),
    };
    if let Some(line) = number(4) {
        record.alternatives.push(Alternative {
            end: End::Start,
            line: before(line).unwrap_or(0),
            why: String::new(),
        });
    }
    // Any block of the body, to test that such blocks are relocated too.
    let middle = after(first.midpoint(last))?;
    record.inside.push(InnerBoilerplate {
        first: middle,
        last: after(middle)?,
        kind: "note".to_owned(),
    });
    record.context = context_of_record(text, &record);
    Some(record)
}

#[derive(Clone)]
struct EditedLine {
    text: String,
    /// Number in the original book; `None` for an added line.
    old: Option<u32>,
}

fn edit_and_look(record: &Record, text: &BookText, dice: &mut SplitMix, tally: &mut AnchorTally) {
    let mut lines: Vec<EditedLine> = (1..=text.lines())
        .map(|line| EditedLine {
            text: text.display(line, usize::MAX).into_owned(),
            old: Some(line),
        })
        .collect();
    let cuts = record.cuts;
    let places = [
        cuts.preamble_end,
        cuts.epilogue_start.map_or(text.lines(), |line| line - 1),
    ];
    let gone = remove(&mut lines, places, dice);
    add(&mut lines, places, &gone, dice);
    let bytes = encode(&lines, dice);
    let edited = BookText::new(bytes);
    if edited.lines() as usize != lines.len() {
        // A lone CR or a form feed of the book became a newline, so lines cannot be matched.
        tally.skipped += 1;
        return;
    }
    let begun = Instant::now();
    let found = relocate(record, &edited);
    tally.time(begun.elapsed(), edited.lines());
    let start = (found.preamble_end.as_ref()).map(|place| place.line);
    let end = (found.epilogue_start.as_ref())
        .map(|place| place.line.map_or(edited.lines(), |line| line - 1));
    let old_end = cuts.epilogue_start.map_or(u32::MAX, |line| line - 1);
    for (end, (last, at)) in [(cuts.preamble_end, start), (old_end, end)]
        .into_iter()
        .enumerate()
    {
        let name = &record.book;
        if is_untouched(text, &lines, last) {
            tally.ends[end].untouched[usize::from(at.is_err())] += 1;
        }
        match at {
            Err(refusal) => {
                *tally.refusals.entry(*refusal).or_default() += 1;
                tally.ends[end].refused += 1;
                tally.ends[end].refused_sound += usize::from(is_sound(&lines, last));
            }
            Ok(at) if is_right(&lines, last, at) => tally.ends[end].right += 1,
            Ok(at) => {
                tally.ends[end].wrong += 1;
                println!("WRONG {name}: after old line {last} it is not after line {at}");
                let from = (at as usize).saturating_sub(8);
                for (index, line) in lines.iter().enumerate().skip(from).take(16) {
                    println!("  {:6} {:?} {:?}", index + 1, line.old, line.text);
                }
            }
        }
    }
    for (old, new) in record.alternatives.iter().zip(&found.alternatives) {
        tally.other(is_right(&lines, old.line, new.line));
    }
    for (old, new) in record.inside.iter().zip(&found.inside) {
        tally.other(
            is_right(&lines, old.first - 1, new.first - 1) && is_right(&lines, old.last, new.last),
        );
    }
    tally.lost += found.lost;
}

/// Whether no line was added between the last remaining line of one side and the first of the other.
fn is_sound(lines: &[EditedLine], last: u32) -> bool {
    let blank = |line: &&EditedLine| line.text.trim().is_empty();
    let before = |line: &EditedLine| line.old.is_some_and(|old| old <= last);
    let after = |line: &EditedLine| line.old.is_some_and(|old| old > last);
    let mut shown = lines.iter().filter(|line| !blank(line));
    let until = shown.clone().rposition_of(before);
    let from = shown.position(after).unwrap_or(lines.len());
    let count = lines.iter().filter(|line| !blank(line)).count();
    until.map_or(0, |at| at + 1) == from.min(count)
}

/// Whether the three lines before and after a cut are still adjacent.
fn is_untouched(text: &BookText, lines: &[EditedLine], last: u32) -> bool {
    let shown = |line: &u32| !text.is_blank(*line);
    let last = last.min(text.lines());
    let mut wanted: Vec<u32> = (1..=last).rev().filter(shown).take(3).collect();
    wanted.reverse();
    wanted.extend((last + 1..=text.lines()).filter(shown).take(3));
    let left: Vec<Option<u32>> = lines
        .iter()
        .filter(|line| !line.text.trim().is_empty())
        .map(|line| line.old)
        .collect();
    let wanted: Vec<Option<u32>> = wanted.into_iter().map(Some).collect();
    left.windows(wanted.len().max(1))
        .any(|window| window == wanted)
}

trait LastPosition: Iterator + Sized {
    fn rposition_of(self, is: impl Fn(Self::Item) -> bool) -> Option<usize> {
        let found = self
            .enumerate()
            .filter_map(|(at, item)| is(item).then_some(at));
        found.last()
    }
}

impl<I: Iterator> LastPosition for I {}

/// Whether every remaining line is on its old side of a cut after line `at`, and the right position is defined.
fn is_right(lines: &[EditedLine], last: u32, at: u32) -> bool {
    let shown = lines
        .iter()
        .zip(1..)
        .filter(|(line, _)| !line.text.trim().is_empty());
    let sides = shown.filter_map(|(line, new)| Some((line.old? <= last, new <= at)));
    sides.into_iter().all(|(old, new)| old == new) && is_sound(lines, last)
}

/// Removes lines: scattered ones, and often some right at a cut.
fn remove(lines: &mut Vec<EditedLine>, places: [u32; 2], dice: &mut SplitMix) -> HashSet<String> {
    let mut gone: Vec<(u32, u32)> = Vec::new();
    for _ in 0..dice.below(4) {
        let from = dice.below(lines.len() as u64) as u32;
        gone.push((from, from + 1 + dice.below(60) as u32));
    }
    for place in places {
        for _ in 0..dice.below(3) {
            let from = (place + 8).saturating_sub(dice.below(16) as u32);
            gone.push((from, from + dice.up_to(&[2, 3, 8, 20]) as u32));
        }
    }
    let is_gone = |line: &EditedLine| {
        let old = line.old.unwrap_or(0);
        gone.iter().any(|(from, to)| (from..to).contains(&&old))
    };
    let removed = lines.iter().filter(|line| is_gone(line));
    let texts = removed.map(|line| line.text.trim().to_owned()).collect();
    lines.retain(|line| !is_gone(line));
    texts
}

/// Adds new lines and copies of lines of the book, the hardest of which are those around a cut.
///
/// Never adds a line with the text of a removed one: it would be indistinguishable from the original put back.
fn add(lines: &mut Vec<EditedLine>, places: [u32; 2], gone: &HashSet<String>, dice: &mut SplitMix) {
    if lines.is_empty() {
        return;
    }
    let original = lines.clone();
    let near = |dice: &mut SplitMix, lines: &[EditedLine], spread: u64| {
        let place = places[dice.below(2) as usize];
        let at = lines
            .iter()
            .position(|line| line.old.is_some_and(|old| old > place))
            .unwrap_or(lines.len());
        let at = at as u64 + spread;
        (at.saturating_sub(dice.below(spread * 2 + 1)) as usize).min(lines.len())
    };
    for _ in 0..dice.below(6) {
        let count = 1 + dice.up_to(&[1, 3, 12, 50]) as usize;
        let added: Vec<EditedLine> = match dice.below(5) {
            0 => vec![String::new(); count],
            1 => (0..count)
                .map(|i| format!("A line nobody wrote, {} {i}", dice.next()))
                .collect(),
            2 => vec!["* * *".to_owned(); count],
            3 => copy(&original, dice.below(original.len() as u64) as usize, count),
            _ => copy(&original, near(dice, &original, 6), count),
        }
        .into_iter()
        .filter(|text| text.trim().is_empty() || !gone.contains(text.trim()))
        .map(|text| EditedLine { text, old: None })
        .collect();
        let at = match dice.below(3) {
            0 => dice.below(lines.len() as u64 + 1) as usize,
            1 => near(dice, lines, 30),
            _ => near(dice, lines, 4),
        };
        lines.splice(at..at, added);
    }
}

fn copy(lines: &[EditedLine], at: usize, count: usize) -> Vec<String> {
    lines
        .iter()
        .skip(at)
        .take(count)
        .map(|line| line.text.clone())
        .collect()
}

fn encode(lines: &[EditedLine], dice: &mut SplitMix) -> Vec<u8> {
    let newline = ["\n", "\r\n", "\r\r\n", "\r"][dice.below(4) as usize];
    let mut text = String::new();
    for line in lines {
        text.push_str(&line.text.replace(['\r', '\n'], " "));
        text.push_str(newline);
    }
    let latin = |text: &str| -> Vec<u8> {
        let byte = |c: char| {
            encoding_rs::WINDOWS_1252
                .encode(c.encode_utf8(&mut [0; 4]))
                .0
                .to_vec()
        };
        text.chars()
            .flat_map(|c| match byte(c) {
                one if one.len() == 1 => one,
                _ => vec![b'?'],
            })
            .collect()
    };
    match dice.below(6) {
        0 => text.into_bytes(),
        1 => [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
        2 => latin(&text),
        3 => [0xFEFF]
            .into_iter()
            .chain(text.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect(),
        4 => [0xFEFF]
            .into_iter()
            .chain(text.encode_utf16())
            .flat_map(u16::to_be_bytes)
            .collect(),
        // UTF-8 that was mistaken for Latin-1 and encoded again.
        _ => encoding_rs::WINDOWS_1252
            .decode(text.as_bytes())
            .0
            .into_owned()
            .into_bytes(),
    }
}

#[derive(Default)]
struct EndCounts {
    right: usize,
    refused: usize,
    /// Refused cuts whose position is nevertheless well defined.
    refused_sound: usize,
    wrong: usize,
    /// Cuts with unchanged context: found, refused.
    untouched: [usize; 2],
}

#[derive(Default)]
struct AnchorTally {
    books: usize,
    skipped: usize,
    ends: [EndCounts; 2],
    refusals: HashMap<Refusal, usize>,
    others: [usize; 2],
    lost: usize,
    time: Duration,
    slowest: Duration,
    lines: u64,
    edits: u32,
}

impl AnchorTally {
    fn time(&mut self, time: Duration, lines: u32) {
        self.time += time;
        self.slowest = self.slowest.max(time);
        self.lines += u64::from(lines);
        self.edits += 1;
    }

    fn other(&mut self, right: bool) {
        self.others[usize::from(!right)] += 1;
    }
}

impl std::fmt::Display for AnchorTally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "{} books, {} edited texts ({} left out)",
            self.books, self.edits, self.skipped
        )?;
        for (name, end) in ["preamble_end", "epilogue_start"].iter().zip(&self.ends) {
            let EndCounts {
                right,
                refused,
                refused_sound,
                wrong,
                untouched: [found, not],
            } = end;
            writeln!(
                f,
                "{name:<15} right {right:>6}  refused {refused:>6} (of these {refused_sound} could be known)  wrong {wrong}"
            )?;
            writeln!(f, "  context untouched: found {found}, refused {not}")?;
        }
        let mut refusals: Vec<_> = self.refusals.iter().collect();
        refusals.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (refusal, count) in refusals {
            writeln!(f, "  {count:>6} {refusal}")?;
        }
        let [right, wrong] = self.others;
        writeln!(
            f,
            "alternatives and blocks inside: right {right}, lost {}, wrong {wrong}",
            self.lost
        )?;
        let each = self.time.as_secs_f64() * 1e3 / f64::from(self.edits.max(1));
        let slowest = self.slowest.as_secs_f64() * 1e3;
        let line = self.time.as_secs_f64() * 1e9 / self.lines.max(1) as f64;
        write!(
            f,
            "{each:.2} ms a book, {slowest:.1} ms the slowest, {line:.0} ns a line"
        )
    }
}

/// Reproducible random numbers (splitmix64).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    fn up_to(&mut self, limits: &[u64]) -> u64 {
        let limit = limits[self.below(limits.len() as u64) as usize];
        self.below(limit)
    }
}
