//! A data card: what is in a set of labels, in Markdown, from the records alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::{Record, Review};
use endpaper_text::sanitise::sanitise;

/// Describes a set of records: how many, decided how, by whom and when, on what kind of files, and what to mind when
/// using them. The same records give the same card.
pub fn card(records: &[Record]) -> String {
    let mut out = String::new();
    let decided = records.iter().filter(|record| record.verdict.is_decided());
    let decided: Vec<&Record> = decided.collect();
    line(&mut out, "# Data card: where these books begin and end");
    line(&mut out, "");
    line(&mut out, &summary(records, &decided));
    section(&mut out, "What was decided");
    table(
        &mut out,
        "verdict",
        counts(records, |record| vec![record.verdict.to_string()]),
    );
    table(
        &mut out,
        "kind",
        counts(records, |record| vec![record.kind.to_string()]),
    );
    table(
        &mut out,
        "flag",
        counts(records, |record| record.flags.clone()),
    );
    table(
        &mut out,
        "policy",
        counts(records, |record| vec![record.policy.clone()]),
    );
    section(&mut out, "The cuts");
    sizes(&mut out, &decided);
    section(&mut out, "Who decided");
    opinions(&mut out, records);
    section(&mut out, "The files");
    files(&mut out, records);
    section(&mut out, "How to use it");
    line(&mut out, USE.trim());
    out
}

const USE: &str = "
- `preamble_end` is the last non-blank line of the preamble (0: none), `epilogue_start` the first non-blank line of the
  epilogue (none: no epilogue). Lines end at LF and count from 1. Blank lines around a cut carry no meaning: measure
  errors in non-blank lines.
- A record holds for the bytes with its `sha256` only.
- `open` is a draft and `undecidable` no cut: leave both out of an evaluation. `hard` and `alternatives` mark cuts that
  a second curator could well put elsewhere; report figures with and without them.
- Cuts that were decided with a proposal in sight lean towards it. `blind` tells which were not.
- Books of one template or one work are alike: split by these, not by book, where something is learned from the labels.";

/// Appends a line.
fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// Begins a section.
fn section(out: &mut String, title: &str) {
    out.truncate(out.trim_end().len());
    let _ = writeln!(out, "\n\n## {title}\n");
}

/// The figures at the top of the card.
fn summary(records: &[Record], decided: &[&Record]) -> String {
    let hard = records.iter().filter(|record| record.hard).count();
    let several = records
        .iter()
        .filter(|record| opinions_of(record).count() > 1);
    format!(
        "{} records, {} decided, {hard} hard; {} have more than one review.",
        records.len(),
        decided.len(),
        several.count()
    )
}

/// The decided reviews of a record.
fn opinions_of(record: &Record) -> impl Iterator<Item = &Review> {
    record
        .reviews
        .iter()
        .filter(|review| review.verdict.is_decided())
}

type CardCounts = BTreeMap<String, usize>;

/// The number of records for each of the values.
fn counts(records: &[Record], values: impl Fn(&Record) -> Vec<String>) -> CardCounts {
    let mut counts = CardCounts::new();
    for record in records {
        // The column says records: two reviews of one do not make two.
        for value in values(record).into_iter().collect::<BTreeSet<String>>() {
            *counts.entry(value).or_default() += 1;
        }
    }
    counts
}

/// Appends a table of counts, the largest first.
fn table(out: &mut String, title: &str, counts: CardCounts) {
    if counts.is_empty() {
        return;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    // The most frequent first; equal counts by name.
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let _ = writeln!(out, "| {title} | records |\n| --- | ---: |");
    for (name, count) in counts {
        let _ = writeln!(out, "| {} | {count} |", safe(&name));
    }
    line(out, "");
}

/// Lines of preamble and epilogue over the records with cuts.
fn sizes(out: &mut String, decided: &[&Record]) {
    let with_cuts = decided.iter().filter(|record| record.verdict.has_cuts());
    let with_cuts: Vec<&&Record> = with_cuts.collect();
    let before = with_cuts.iter().map(|record| record.cuts.preamble_end);
    let after = with_cuts.iter().map(|record| {
        let end = record.cuts.epilogue_start;
        end.map_or(0, |end| (record.source.lines + 1).saturating_sub(end))
    });
    line(out, "| lines | none | least | median | most |");
    line(out, "| --- | ---: | ---: | ---: | ---: |");
    for (name, sizes) in [
        ("preamble", before.collect::<Vec<u32>>()),
        ("epilogue", after.collect()),
    ] {
        let none = sizes.iter().filter(|size| **size == 0).count();
        let mut some: Vec<u32> = sizes.into_iter().filter(|size| *size > 0).collect();
        some.sort_unstable();
        let at = |index: usize| some.get(index).map_or("-".to_owned(), u32::to_string);
        let (least, median) = (at(0), at(some.len() / 2));
        let most = at(some.len().saturating_sub(1));
        let _ = writeln!(out, "| {name} | {none} | {least} | {median} | {most} |");
    }
    let _ = writeln!(
        out,
        "\nOver {} records with cuts; blank lines beside a cut count here.",
        with_cuts.len()
    );
}

/// Reviews by curator: how many, how many of them blind, and from when to when.
fn opinions(out: &mut String, records: &[Record]) {
    let mut curators: BTreeMap<&str, Vec<&Review>> = BTreeMap::new();
    for review in records.iter().flat_map(opinions_of) {
        curators.entry(&review.by).or_default().push(review);
    }
    line(
        out,
        "| curator | decisions | blind | corrected | first | last |",
    );
    line(out, "| --- | ---: | ---: | ---: | --- | --- |");
    for (name, reviews) in &curators {
        let count = |yes: fn(&Review) -> bool| reviews.iter().filter(|review| yes(review)).count();
        let blind = count(|review| review.blind);
        let corrected = count(|review| review.verdict == crate::Verdict::Corrected);
        let days = reviews
            .iter()
            .map(|review| review.at.get(..10).unwrap_or(&review.at));
        let (first, last) = (days.clone().min(), days.max());
        let _ = writeln!(
            out,
            "| {} | {} | {blind} | {corrected} | {} | {} |",
            safe(name),
            reviews.len(),
            safe(first.unwrap_or_default()),
            safe(last.unwrap_or_default())
        );
    }
    line(out, "");
    let drawn = |record: &Record| {
        // What was drawn is one of a few words; what follows names a sample or a book.
        let word = |review: &Review| {
            review
                .drawn
                .split(':')
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        opinions_of(record)
            .map(word)
            .filter(|word| !word.is_empty())
            .collect()
    };
    table(out, "drawn by", counts(records, drawn));
    let detector = |record: &Record| {
        let detected = opinions_of(record).filter_map(|review| review.detected.as_ref());
        detected.map(|detected| detected.detector.clone()).collect()
    };
    table(out, "proposed by", counts(records, detector));
}

/// Appends the section on the files: bytes, lines, encodings.
fn files(out: &mut String, records: &[Record]) {
    let sum = |of: fn(&Record) -> u64| records.iter().map(of).fold(0, u64::saturating_add);
    let (bytes, lines) = (
        sum(|record| record.source.bytes),
        sum(|record| record.source.lines.into()),
    );
    let _ = writeln!(out, "{bytes} bytes in {lines} lines.\n");
    table(
        out,
        "encoding",
        counts(records, |record| vec![record.source.encoding.clone()]),
    );
    table(
        out,
        "newline",
        counts(records, |record| vec![record.source.newline.clone()]),
    );
}

/// A text in a cell of a Markdown table: names come from strangers.
fn safe(text: &str) -> String {
    let mut out = String::new();
    for character in sanitise(text).chars() {
        if matches!(
            character,
            '|' | '\\' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '&'
        ) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
