//! `endpaper truth merge`: merges the records of two people into one folder.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use super::folder::TruthFolders;
use endpaper_command::Exit;
use endpaper_command::output::{Printer, note, warn};
use endpaper_command::overwrite::refuse_stdout;
use endpaper_detect::Cuts;
use endpaper_text::cells::escaped;
use endpaper_text::corpus::ENCODINGS_FILE;
use endpaper_text::wording::{counted, thousands};
use endpaper_truth::Store;
use endpaper_truth::merge::{FolderMerge, MergeCounts, MergeOutcome, merge};

const EXAMPLES: &str = "\
Examples:
  endpaper truth merge --truth anna --truth ben --out both
  endpaper truth merge --truth anna --truth ben --base before --out both
  endpaper review ~/gutenberg --adjudicate anna --adjudicate ben --truth both    # decide the conflicts
  endpaper truth merge --truth labels                    # resolve the conflict copies of one folder

Records that agree are merged, with every review of both. With --base, a change made by only one side is taken. The rest are
conflicts: printed with the values of each side, tab separated, and not written. A record in --out is replaced only if it
is one of the merged ones, so that --out may be one of the folders. With a single folder, its conflict copies, made when
two people changed one record, are merged into it and removed once resolved.

Exit status: 0 fine, 1 conflicts remain or files do not parse (each is named), 2 wrong use.";

/// Arguments of `endpaper truth merge`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    folders: TruthFolders,

    /// The truth folder that all started from
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,

    /// The folder to write; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs `endpaper truth merge`.
///
/// # Errors
///
/// Wrong use, or a folder that is missing or cannot be read.
pub fn run(args: &Args) -> Result<Exit> {
    let folders = args.folders.paths()?;
    let alone = folders.len() == 1;
    ensure!(
        alone || args.out.is_some(),
        "--out names the folder that gets the result; it may be one of those that are merged"
    );
    let (sides, base, unread) = super::folder::to_merge(&folders, args.base.as_ref())?;
    let merge = merge(base.as_ref(), &sides);
    let out = args.out.as_ref().unwrap_or(&folders[0]);
    refuse_stdout(out)?;
    let into = Store::open(out)?;
    let written = merge.write(&into)?;
    if alone {
        let open = |book: &str| {
            let refused = written.refused.iter().any(|(refused, _)| refused == book);
            refused || written.conflicts.iter().any(|open| open == book)
        };
        let settled = |book: &str| merge.books.contains_key(book) && !open(book);
        into.forget_conflicts(settled)?;
        for draft in merge.overruled_drafts() {
            let Cuts {
                preamble_end,
                epilogue_start,
            } = draft.cuts;
            let end = epilogue_start.map_or("no epilogue".to_owned(), |line| {
                format!("epilogue from {line}")
            });
            note(&format!(
                "'{}': a draft (preamble to {preamble_end}, {end}) gave way to the decision",
                draft.book
            ));
        }
    }
    print(&merge, &written)?;
    let same_encodings = merge_encodings(&folders, &into);
    report_merge(&folders, out, &written);
    let whole = unread.is_empty()
        && written.conflicts.is_empty()
        && written.refused.is_empty()
        && same_encodings;
    Ok(if whole { Exit::Success } else { Exit::Partial })
}

/// Merges the chosen encodings; whether nothing contradicts. Books with several encodings are named.
fn merge_encodings(folders: &[PathBuf], into: &Store) -> bool {
    match into.merge_encodings(folders) {
        Ok(contradicted) => {
            for book in &contradicted {
                warn(&format!(
                    "'{book}' has several encodings in the {ENCODINGS_FILE} of the folders; correct the one in '{}'",
                    into.folder().display()
                ));
            }
            contradicted.is_empty()
        }
        Err(error) => {
            warn(&format!("the chosen encodings were not merged: {error}"));
            false
        }
    }
}

/// Prints the conflicts: a header line, and a line for each field that differs.
fn print(merge: &FolderMerge, written: &MergeCounts) -> Result<()> {
    if written.conflicts.is_empty() {
        return Ok(());
    }
    let mut printer = Printer::stdout();
    printer.line("book\tfield\tone\tother")?;
    for book in &written.conflicts {
        let Some(MergeOutcome::Conflict(conflict)) = merge.books.get(book) else {
            continue;
        };
        for field in &conflict.fields {
            let cells = [book, &field.field, &field.ours, &field.theirs];
            let cells = cells.map(|cell| escaped(cell));
            printer.line(&cells.join("\t"))?;
        }
    }
    Ok(printer.finish()?)
}

/// Reports what was merged.
fn report_merge(folders: &[PathBuf], out: &Path, written: &MergeCounts) {
    for (book, reason) in &written.refused {
        warn(&format!("'{book}' {reason}"));
    }
    for book in &written.left {
        warn(&format!(
            "'{book}' was removed on one side and is still in '{}'; remove it there if that is meant",
            out.display()
        ));
    }
    let number = |number: usize| thousands(number as u64);
    note(&format!(
        "{} written to '{}', {} unchanged, {} resolved before, {} unresolved",
        counted(written.written as u64, "record", "records"),
        out.display(),
        number(written.unchanged),
        counted(written.settled as u64, "conflict", "conflicts"),
        counted(written.conflicts.len() as u64, "conflict", "conflicts")
    ));
    if !written.conflicts.is_empty() {
        let folders = folders
            .iter()
            .map(|folder| format!("--adjudicate {}", folder.display()));
        let folders = folders.collect::<Vec<_>>().join(" ");
        note(&format!(
            "resolve them with `endpaper review CORPUS {folders} --truth {}`",
            out.display()
        ));
    }
}
