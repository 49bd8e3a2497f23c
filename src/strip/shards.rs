//! Bodies as rows of JSON lines: `strip --out shelf.jsonl.gz`.

use std::path::Path;

use anyhow::{Result, bail, ensure};

use super::analysis::prepare_analysis;
use super::manifest_printer::ManifestPrinter;
use super::{Args, open_store, strip_options, warn_of_left_out};
use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::output::{note, warn};
use endpaper_command::overwrite::refuse_book;
use endpaper_command::progress::ProgressBar;
use endpaper_detect::pipeline::{AnalysisProgress, AnalysisStep, BookReport};
use endpaper_text::corpus::Skipped;
use endpaper_text::wording::{counted, thousands};
use endpaper_truth::strip::{
    OutEncoding, OutForm, OutNewline, RowCutter, ShardNames, ShardWriter, StripFailure,
    StripOptions,
};

/// Endings of files that somebody may expect bodies in.
const FILES: [&str; 15] = [
    ".json",
    ".json.gz",
    ".ndjson",
    ".ndjson.gz",
    ".csv",
    ".csv.gz",
    ".tsv",
    ".tsv.gz",
    ".parquet",
    ".arrow",
    ".zip",
    ".tar.gz",
    ".bz2",
    ".xz",
    ".zst",
];

/// The shards that `--out` asks for; `None` if it asks for a folder.
///
/// # Errors
///
/// An ending that is no folder's, or `--shard-size` with a folder.
pub(super) fn asked(args: &Args, out: &Path) -> Result<Option<ShardNames>> {
    let size = args.shard_size.map(|size| size.0);
    ensure!(
        size != Some(0),
        "--shard-size 0 leaves no room for a body; write a size such as 256M"
    );
    if let Some(names) = ShardNames::of(out, size).filter(|_| !out.is_dir()) {
        ensure!(
            args.newline != Some(OutNewline::Keep),
            "--newline keep goes with a folder; the text in JSON lines has lf or crlf"
        );
        return Ok(Some(names));
    }
    let name = out.file_name().filter(|_| !out.is_dir());
    let name = name.unwrap_or_default().to_string_lossy().to_lowercase();
    if let Some(ending) = FILES.iter().find(|ending| name.ends_with(*ending)) {
        bail!(
            "strip writes no {ending} files; end '{}' in .jsonl or .jsonl.gz, or name a folder",
            out.display()
        );
    }
    ensure!(
        size.is_none(),
        "--shard-size goes with --out FILE.jsonl or FILE.jsonl.gz; '{}' is a folder",
        out.display()
    );
    Ok(None)
}

/// Writes all bodies into shards.
pub(super) fn to_shards(args: &Args, names: ShardNames) -> Result<Exit> {
    let store = open_store(args)?;
    if args.shard_size.is_none() {
        args.force.check(&names.path(0))?;
    }
    let listing = args.corpus.list(Some(store.folder().to_owned()))?;
    refuse_book(&listing, &names.path(0))?;
    let mut options = args.corpus.options()?;
    prepare_analysis(&args.detector, Some(&store), &mut options)?;
    let report = args.corpus.analyse(&listing, &options)?;
    let parameters = report.parameters(&options.parameters);
    let strip = StripOptions {
        form: OutForm {
            encoding: OutEncoding::Utf8,
            newline: args.newline.unwrap_or(OutNewline::Lf),
        },
        ..strip_options(args, &report)
    };
    let cutter = RowCutter {
        store: Some(&store),
        parameters: &parameters,
        options: &strip,
        max_size: args.corpus.max_size.0,
    };
    let mut skipped = report.skipped.clone();
    let written = write(&report.books, &cutter, names, args, &mut skipped);
    // Skipped books are named even if a shard cannot be written.
    let exit = exit_after_skips(&skipped);
    Ok(match written? {
        (0, _) => Exit::Failed,
        (_, true) => exit,
        (_, false) => Exit::Partial,
    })
}

/// Writes all rows and returns their number, and whether all is as it was wanted. Books that disappeared since the analysis are
/// added to `skipped`.
fn write(
    books: &[BookReport],
    cutter: &RowCutter<'_>,
    names: ShardNames,
    args: &Args,
    skipped: &mut Vec<Skipped>,
) -> Result<(usize, bool)> {
    let corpus = &args.corpus;
    let pool = corpus.pool()?;
    pool.install(|| cutter.build_index());
    let mut printer = ManifestPrinter::new();
    let mut writer = ShardWriter::new(names, args.force.existing());
    let bar = ProgressBar::new(corpus.quiet);
    let (mut done, mut bodies, mut left_out, mut is_sound) = (0, 0, 0, true);
    while done < books.len() {
        bar.show_progress(AnalysisProgress {
            step: AnalysisStep::Reading,
            done,
            total: books.len(),
        });
        let batch = BookReport::batch(&books[done..]);
        done += batch.len();
        let rows = pool.install(|| cutter.cut_all(batch));
        let mut prepared = Vec::with_capacity(rows.len());
        for (book, row) in batch.iter().zip(rows) {
            let id = &book.book.id;
            match row {
                Ok(row) => prepared.push(row),
                Err(StripFailure::Unreadable(reason)) => skipped.push(Skipped {
                    id: id.clone(),
                    reason,
                }),
                Err(failure) => {
                    left_out += 1;
                    is_sound &= failure.is_intended();
                    warn_of_left_out(id, &failure);
                }
            }
        }
        let json: Vec<&[u8]> = prepared.iter().map(|row| row.json.as_slice()).collect();
        let paths = pool.install(|| writer.write(&json))?;
        bodies += prepared.len();
        for (mut row, path) in prepared.into_iter().zip(paths) {
            row.stripped.file = path.file_name().unwrap_or_default().into();
            printer.print(&row.stripped);
        }
    }
    drop(bar);
    let (shards, written, left) = writer.finish()?;
    for path in &left {
        warn(&format!(
            "'{}' is there from an earlier run; remove it",
            path.display()
        ));
    }
    if !corpus.quiet {
        let standing = shards - written;
        note(&format!(
            "{} in {} ({} there already), {} skipped",
            counted(bodies as u64, "body", "bodies"),
            counted(shards as u64, "file", "files"),
            thousands(standing as u64),
            counted(left_out, "book", "books")
        ));
    }
    printer.finish()?;
    Ok((bodies, is_sound && left.is_empty()))
}
