//! `endpaper truth agree`: measures how well reviewers agree on where books begin and end.

mod book_facts;
mod jsonl;
mod pair;
mod table;

use pair::SidePair;
use std::path::Path;

use anyhow::{Result, bail, ensure};
use clap::ValueEnum;

use super::folder::TruthFolders;
use book_facts::read_book_facts;
use jsonl::all_sides;

use endpaper_command::Exit;
use endpaper_command::common::CorpusArgs;
use endpaper_command::output::{Printer, warn};
use endpaper_command::values::whole;
use endpaper_evaluate::agree::{
    NEAR, between_curators, between_folders, compare, with_adjudicators, within_curators,
};
use endpaper_truth::{Record, Store};

const EXAMPLES: &str = "\
Examples:
  endpaper truth agree ~/gutenberg --truth ann --truth ben
  endpaper truth agree --truth ann --truth ben --truth eve --list
  endpaper truth agree ~/gutenberg --format jsonl

Several folders: their decisions are compared, two folders at a time; equal texts are one book under any name. One folder:
its curators are compared by their last reviews, and each curator with the same curator's blind reviews of books decided
before. Adjudications (review --adjudicate) never count as a curator's reviews, also if the same person made both, nor as the
decisions of a folder: they are compared in rows of their own.

With a corpus, distances are counted in non-blank lines, and figures are also printed by template; for books that are not in
it all lines are counted, so that distances are never too small. Brackets are 95 % Wilson intervals. Boundary similarity
(Fournier 2013) is 1 for equal cuts and 0 for cuts that are not near each other. Kappa and alpha are in jsonl only, with
a note on why they are inflated here.

Exit status: 0 fine, 1 some records are broken or wrong (each was named), 2 wrong use or nothing to compare.";

/// Arguments of `endpaper truth agree`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    folders: TruthFolders,

    /// Cuts up to N lines apart count as near misses in the boundary similarity
    #[arg(long, value_name = "N", default_value_t = NEAR, value_parser = whole::<u64>(..))]
    near: u64,

    /// List every book that was decided differently
    #[arg(long)]
    list: bool,

    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    format: AgreeFormat,

    #[command(flatten)]
    corpus: CorpusArgs,
}

/// How figures are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum AgreeFormat {
    /// Tables for reading
    #[default]
    Table,
    /// One JSON object per line, of the kinds pair, template, book (decided differently) and all (all sides together)
    Jsonl,
}

/// Runs `endpaper truth agree`.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let mut wrong = false;
    let mut folders = Vec::new();
    for folder in &args.folders.paths()? {
        ensure!(
            folder.is_dir(),
            "'{}' is not a truth folder",
            folder.display()
        );
        let records = records(folder, &mut wrong)?;
        folders.push((folder.display().to_string(), records));
    }
    let matches = match &folders[..] {
        [(_, records)] => {
            let mut matches = vec![between_curators(records)];
            matches.extend(with_adjudicators(records));
            matches.extend(within_curators(records));
            matches
        }
        _ => vec![between_folders(&folders)],
    };
    let known = read_book_facts(&args.corpus, &matches)?;
    let mut printer = Printer::stdout();
    let mut compared = 0;
    for found in &matches {
        for book in &found.other_text {
            warn(&format!(
                "'{book}' is another text in another folder and is not compared"
            ));
        }
        for (a, b) in pairs(found.sides.len()) {
            let agreement = compare(found, (a, b), &known, args.near);
            if agreement.status.total == 0 {
                continue;
            }
            if compared > 0 && args.format == AgreeFormat::Table {
                printer.line("")?;
            }
            compared += 1;
            let pair = SidePair {
                sides: [&found.sides[a], &found.sides[b]],
                agreement: &agreement,
            };
            match args.format {
                AgreeFormat::Table => pair.print_table(&mut printer, args.list)?,
                AgreeFormat::Jsonl => pair.print_jsonl(&mut printer, args.near)?,
            }
        }
        if args.format == AgreeFormat::Jsonl && !found.cases.is_empty() && found.independent > 1 {
            printer.line(&all_sides(found, &known).to_string())?;
        }
    }
    printer.finish()?;
    if compared == 0 {
        bail!("{}", nothing(folders.len()));
    }
    Ok(if wrong { Exit::Partial } else { Exit::Success })
}

/// Why there is nothing to compare, and what to do.
fn nothing(folders: usize) -> &'static str {
    match folders {
        1 => {
            "no book is decided by two curators, or again and blind by one; name several truth folders, each with --truth, to compare them"
        }
        _ => "no text is decided in two of the folders",
    }
}

/// The valid records of a folder; the others are named.
fn records(folder: &Path, wrong: &mut bool) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for (file, record) in Store::open(folder)?.valid_records()? {
        match record {
            Ok(record) => records.push(record),
            Err(mistake) => {
                *wrong = true;
                let file = folder.join(file);
                warn(&format!("'{}': {mistake}; skipping it", file.display()));
            }
        }
    }
    Ok(records)
}

/// Every pair of sides.
fn pairs(sides: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..sides).flat_map(move |a| (a + 1..sides).map(move |b| (a, b)))
}
