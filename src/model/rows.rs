//! `endpaper model count --rows` and `endpaper model import`: write and read counts as rows of text.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, ensure};

use super::counted::{ReadArgs, SizeArgs, report_duplicates, tell_part};
use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::output::{note, warn};
use endpaper_command::overwrite::{ForceArgs, refuse_book};
use endpaper_command::progress::ProgressBar;
use endpaper_detect::frequency::rows::{RowImport, row_files};
use endpaper_detect::frequency::{ByteSize, CountMeasure};
use endpaper_detect::pipeline;
use endpaper_text::atomic::{self, Existing};
use endpaper_text::wording::thousands;

pub(super) const EXAMPLES: &str = "\
Examples:
  endpaper model import one.tsv.gz two.tsv.gz --out gutenberg.model
  endpaper model import summed/ --part --out gutenberg.part

Rows are refused, by name, if their shards were counted in different ways or by different versions of the program, if any
shard is missing or given twice, or if a book is in two shards. Books that a shard could not read are named.";

/// Default memory for counting: the paper's setting for `sort`.
const MEMORY: ByteSize = ByteSize(512 << 20);

/// Arguments of `endpaper model import`.
#[derive(Debug, clap::Args)]
pub struct ImportArgs {
    /// Files of rows, gzipped or not, and folders of such files; files whose names begin with . or _ are left out
    #[arg(value_name = "ROWS", required = true)]
    rows: Vec<PathBuf>,

    /// The model or part file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,

    /// Write a part file instead of a model
    #[arg(long, conflicts_with_all = ["min_count", "texts", "scale_to", "max_bytes"])]
    part: bool,

    /// Count each line at most once per book
    #[arg(long)]
    count_books: bool,

    /// Allow books that occur twice; they are counted twice
    #[arg(long)]
    allow_repeats: bool,

    /// Print no progress bar and no notes, only errors, warnings and skipped books
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    size: SizeArgs,

    #[command(flatten)]
    force: ForceArgs,
}

/// Counts books into rows.
pub(super) fn count(args: &ReadArgs, out: Option<&Path>, existing: Existing) -> Result<Exit> {
    let listing = args.corpus.list_piece()?;
    if let Some(out) = out {
        refuse_book(&listing, out)?;
    }
    // Here the memory limit applies to the sorting of rows, whatever structure they are imported into.
    let mut counting = args.counting.clone();
    let memory = counting.memory.take().unwrap_or(MEMORY);
    let mut options = args.corpus.options()?;
    options.counting = counting.counting()?;
    options.document_frequencies = false;
    args.windows.apply(&mut options.parameters);
    let bar = ProgressBar::new(args.corpus.quiet);
    let never = AtomicBool::new(false);
    let show = |progress| bar.show_progress(progress);
    let (books, skipped) = match out {
        None => {
            let mut out = std::io::stdout();
            pipeline::count_rows(&listing, &options, memory, &mut out, &show, &never)?
        }
        Some(path) => {
            let named = || format!("'{}' cannot be written", path.display());
            let mut file = atomic::create_temporary_beside(path).with_context(named)?;
            let counted =
                pipeline::count_rows(&listing, &options, memory, &mut file, &show, &never)?;
            atomic::publish(file, path, existing).with_context(named)?;
            counted
        }
    };
    drop(bar);
    if let (Some(path), false) = (out, args.corpus.quiet) {
        note(&format!(
            "'{}' has the rows of {} books",
            path.display(),
            thousands(books as u64)
        ));
    }
    Ok(exit_after_skips(&skipped))
}

/// Imports rows.
pub(super) fn import(args: &ImportArgs) -> Result<Exit> {
    match args.part {
        true => args.force.check(&args.out)?,
        false => args.force.check_binary_output(&args.out)?,
    }
    let measure = match args.count_books {
        true => CountMeasure::Books,
        false => CountMeasure::Occurrences,
    };
    let mut rows = RowImport::new(measure, args.allow_repeats);
    let files = row_files(&args.rows)?;
    ensure!(
        !files.contains(&args.out),
        "'{}' is one of the files of rows, and would be written over; name another --out",
        args.out.display()
    );
    for file in files {
        rows.add_file(&file)?;
    }
    let rows = rows.finish()?;
    for book in &rows.unreadable {
        warn(&format!("skipped by its shard: {book}"));
    }
    let exit = match rows.unreadable.is_empty() {
        true => Exit::Success,
        false => Exit::Partial,
    };
    report_duplicates(rows.head.books.count_duplicates(), args.quiet);
    let (lines, books) = (rows.head.parameters.lines, rows.head.parameters.books);
    ensure!(books > 0, "the rows hold no book that could be read");
    if args.part {
        rows.into_part(&args.out, args.force.existing())?;
        if !args.quiet {
            tell_part(&args.out, lines, books);
        }
    } else {
        let model = rows.into_model(args.size.min_count, args.size.texts)?;
        args.size.write(model, &args.out, args.force, args.quiet)?;
    }
    Ok(exit)
}
