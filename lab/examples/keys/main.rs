//! Number of keys that the labels cost on the review screen: opens every labelled book in a session of the program, and searches for the shortest key
//! sequence that puts both cuts at the label and on the screen.
//!
//! ```text
//! cargo run --release -p lab --example keys -- LABELS.tsv CORPUS [--size 80x24] [--folds DIR | --shipped] [--list]
//! ```
//!
//! `LABELS.tsv` has a header line and the columns book, sha256, body_first, body_last, and last the kind: only rows of kind `book` are played.
//! Each book's weights were fitted to neither that book nor another of its title; with `--folds` they are stored in a folder for the next run.
//! `--shipped` uses the shipped weights, which were fitted to the same labels: those figures are in sample. `--list` prints every book that needs
//! a key.
//!
//! Two curators are simulated. One knows the right position beforehand: the fewest keys possible. The other uses a digit, or the line of the
//! cursor, only when its line is on the screen, and scrolls there first. For both, a cut has been seen when its rule and a line on each side of
//! it were on the screen.

mod folds;
mod labels;
mod replay;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use endpaper_detect::pipeline::{BookReport, CorpusReport};
use endpaper_detect::{CorpusProfiles, Parameters};
use endpaper_review::BookPage;
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::{BookText, MAX_SIZE};
use rayon::prelude::*;

use self::folds::{FoldWeights, KeysBook};
use self::labels::{DigestLabel, analyse_corpus, labels, name, with_document_frequencies};
use self::replay::{Cost, Played, Player};

const USAGE: &str =
    "usage: keys LABELS.tsv CORPUS [--size 80x24] [--folds DIR | --shipped] [--list]";

fn main() -> Result<()> {
    let arguments = KeysArguments::parse(std::env::args().skip(1))?;
    let labels = labels(&arguments.labels)?;
    let survey = analyse_corpus(&arguments.corpus)?;
    let frequencies = with_document_frequencies(&survey)?;
    let books = labelled(&survey, &labels)?;
    let weights = FoldWeights::new(&books, &frequencies, &arguments.weights)?;
    let (width, height) = arguments.size;
    println!(
        "{} of {} labelled books at {width}x{height}, weights {}",
        books.len(),
        labels.len(),
        weights.name()
    );
    let player = Player { width, height };
    let play = |book: &KeysBook<'_>| -> Result<Played> {
        let bytes = book.report.book.read(MAX_SIZE)?;
        let digest = sha256(&bytes);
        ensure!(
            digest == book.sha256,
            "'{}' is not the text that was labelled: its SHA-256 is {digest}; label it again",
            book.report.book.id.as_str()
        );
        let parameters = Parameters {
            profiles: weights
                .of(book)
                .map(|profile| Arc::new(CorpusProfiles::one(profile))),
            ..Parameters::default()
        };
        let page = BookPage::new(BookText::new(bytes), &frequencies, &parameters);
        Ok(player.play(&Arc::new(page), (book.first, book.last)))
    };
    let played: Vec<Played> = books.par_iter().map(play).collect::<Result<_>>()?;
    let known = |played: &Played| played.informed.clone();
    let sighted = |played: &Played| played.searching.clone();
    report("knowing the place", &books, &played, known, arguments.list);
    report("looking for it", &books, &played, sighted, arguments.list);
    Ok(())
}

struct KeysArguments {
    labels: PathBuf,
    corpus: PathBuf,
    size: (u16, u16),
    weights: folds::WeightsSource,
    list: bool,
}

impl KeysArguments {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<KeysArguments> {
        let mut parsed = KeysArguments {
            labels: arguments.next().context(USAGE)?.into(),
            corpus: arguments.next().context(USAGE)?.into(),
            size: (80, 24),
            weights: folds::WeightsSource::Fit,
            list: false,
        };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--size" => parsed.size = size(&arguments.next().context(USAGE)?)?,
                "--folds" => {
                    parsed.weights =
                        folds::WeightsSource::Cached(arguments.next().context(USAGE)?.into());
                }
                "--shipped" => parsed.weights = folds::WeightsSource::Shipped,
                "--list" => parsed.list = true,
                other => bail!("'{other}' is unknown; {USAGE}"),
            }
        }
        Ok(parsed)
    }
}

fn size(text: &str) -> Result<(u16, u16)> {
    let bad = || format!("'{text}' is not a size of a screen; write columns x rows, such as 80x24");
    let (width, height) = text.split_once('x').with_context(bad)?;
    Ok((
        width.parse().with_context(bad)?,
        height.parse().with_context(bad)?,
    ))
}

fn labelled<'a>(
    survey: &'a CorpusReport,
    labels: &'a HashMap<String, DigestLabel>,
) -> Result<Vec<KeysBook<'a>>> {
    let known = |surveyed: &'a BookReport| {
        let label = labels.get(name(surveyed.book.id.as_str()))?;
        Some((surveyed, label))
    };
    let all = survey.books.iter().filter_map(known);
    let books = all.map(|(surveyed, label)| {
        Ok(KeysBook {
            report: surveyed,
            scan: surveyed.scan.as_deref().context("the Scan was kept")?,
            sha256: &label.sha256,
            first: label.first,
            last: label.last,
        })
    });
    books.collect()
}

fn report(
    title: &str,
    books: &[KeysBook<'_>],
    played: &[Played],
    cost: impl Fn(&Played) -> Cost,
    list: bool,
) {
    let costs: Vec<Cost> = played.iter().map(cost).collect();
    let within = |most: usize, enters: bool| {
        let fits = |cost: &&Cost| matches!(cost.total(enters), Some(keys) if keys <= most);
        100.0 * costs.iter().filter(fits).count() as f64 / costs.len().max(1) as f64
    };
    println!("\n{title}");
    for enters in [false, true] {
        println!(
            "  {} Enter: at most 3 keys {:.1} %, at most 6 keys {:.1} %",
            if enters { "with" } else { "without" },
            within(3, enters),
            within(6, enters),
        );
    }
    let mut counts: HashMap<Option<usize>, usize> = HashMap::new();
    for cost in &costs {
        *counts.entry(cost.total(false)).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(keys, _)| keys.unwrap_or(usize::MAX));
    let word = |&(keys, books): &(Option<usize>, usize)| match keys {
        Some(keys) => format!("{keys}: {books}"),
        None => format!("not found: {books}"),
    };
    let words: Vec<String> = counts.iter().map(word).collect();
    println!("  books by keys: {}", words.join(", "));
    let mut rows: Vec<_> = books.iter().zip(played).zip(&costs).collect();
    rows.sort_by_key(|(_, cost)| std::cmp::Reverse(cost.total(false).unwrap_or(usize::MAX)));
    let least = if list { 1 } else { 4 };
    for ((book, played), cost) in rows {
        if cost.total(false).is_none_or(|keys| keys >= least) {
            println!(
                "  {:>3}  {:<16} {}  ({})",
                cost.total(false)
                    .map_or("-".to_owned(), |keys| keys.to_string()),
                name(book.report.book.id.as_str()),
                cost,
                played.wrong,
            );
        }
    }
}
