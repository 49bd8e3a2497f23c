//! `endpaper model`: builds models, at once or in parts, prints their contents, and fits weights.

use counted::{ReadArgs, SizeArgs, report_duplicates, tell_part};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, ensure};
use clap::Subcommand;

use crate::counting::CopiesArgs;
use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::output::warn;
use endpaper_command::overwrite::{ForceArgs, is_stdout, refuse_book};
use endpaper_command::progress::ProgressBar;
use endpaper_detect::frequency::{ByteSize, PartMerge};
use endpaper_detect::pipeline::{self, ModelSize};

mod counted;
mod fit;
mod info;
mod rows;

const BUILD_EXAMPLES: &str = "\
Examples:
  endpaper model build ~/gutenberg --out gutenberg.model
  endpaper detect new-books/ --model gutenberg.model
  endpaper model build ~/gutenberg --out small.model --max-bytes 262144
  endpaper model build ~/gutenberg --out once.model --one-copy           # editions of one book count once";

const COUNT_EXAMPLES: &str = "\
Examples:
  endpaper model count /disk1/gutenberg --out one.part
  endpaper model count /disk2/gutenberg --out two.part
  endpaper model merge one.part two.part --out gutenberg.model

A part keeps every line, the rare ones too, so that parts can be added: made on several machines, or year by year. It does
not know the copies in other parts: where near copies are to count once, build the model of all books at once.

With --rows counts are written as rows of text in gzip (kind, end, key, count, books, text; keys as signed 64-bit), for
engines that sum by key, such as a cluster; --memory bounds what counting takes (default 512M):

  find ~/gutenberg -name '*.zip' | endpaper model count --files-from - --rows --out one.tsv.gz
  endpaper model import one.tsv.gz two.tsv.gz --out gutenberg.model";

const MERGE_EXAMPLES: &str = "\
Examples:
  endpaper model merge one.part two.part --out gutenberg.model
  endpaper model merge year-1.part year-2.part --part --out both.part";

const INFO_EXAMPLES: &str = "\
Examples:
  endpaper model info gutenberg.model
  endpaper model info gutenberg.model --top 50
  endpaper model info one.part
  endpaper model info built-in
  endpaper model info my.profile                # weights, temperature, what it was fitted to
  endpaper model info generic";

/// Arguments of `endpaper model`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to do with models.
    #[command(subcommand)]
    pub command: ModelCommand,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum ModelCommand {
    /// Count the lines of a corpus and write the model
    #[command(after_help = BUILD_EXAMPLES)]
    Build(BuildArgs),
    /// Count the lines of some books and write a part file, to be merged with others
    #[command(after_help = COUNT_EXAMPLES)]
    Count(CountArgs),
    /// Add up part files and write the model of all their books
    #[command(after_help = MERGE_EXAMPLES)]
    Merge(MergeArgs),
    /// Add up rows of 'model count --rows' and write a part file or a model
    #[command(after_help = rows::EXAMPLES)]
    Import(rows::ImportArgs),
    /// Fit the weights of the posterior detector to labelled books and evaluate them
    #[command(after_help = fit::EXAMPLES)]
    Fit(fit::FitArgs),
    /// Print the contents of a model, a part file or a profile
    #[command(after_help = INFO_EXAMPLES)]
    Info(info::InfoArgs),
}

/// Arguments of `endpaper model build`.
#[derive(Debug, clap::Args)]
pub struct BuildArgs {
    /// The model file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,

    /// Also count in how many books, by how many producers and authors, each line occurs, for the posterior detector.
    /// Books are then read whole, which takes several times as long
    #[arg(long)]
    spreads: bool,

    #[command(flatten)]
    size: SizeArgs,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    copies: CopiesArgs,

    #[command(flatten)]
    read: ReadArgs,
}

/// Arguments of `endpaper model count`.
#[derive(Debug, clap::Args)]
pub struct CountArgs {
    /// The part file to write [with --rows, default: standard output]
    #[arg(short, long, value_name = "PART", required_unless_present = "rows")]
    out: Option<PathBuf>,

    /// Write rows of text instead of a part file, for 'model import'
    #[arg(long, conflicts_with_all = ["structure", "count_books"])]
    rows: bool,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    read: ReadArgs,
}

/// Arguments of `endpaper model merge`.
#[derive(Debug, clap::Args)]
pub struct MergeArgs {
    /// Part files, made by `endpaper model count`
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,

    /// The model or part file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,

    /// Write a part file instead of a model
    #[arg(long, conflicts_with_all = ["min_count", "texts", "scale_to", "max_bytes"])]
    part: bool,

    /// Allow books that occur twice; they are counted twice
    #[arg(long)]
    allow_repeats: bool,

    /// Memory limit, such as 512M or 2G (for --structure external)
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,

    /// Print no progress bar and no notes, only errors, warnings and skipped books
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    size: SizeArgs,

    #[command(flatten)]
    force: ForceArgs,
}

/// Runs `endpaper model`.
///
/// # Errors
///
/// Wrong use, no readable book, or a file that cannot be read or written.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.command {
        ModelCommand::Build(args) => build(args),
        ModelCommand::Count(args) => count(args),
        ModelCommand::Merge(args) => merge(args),
        ModelCommand::Import(args) => rows::import(args),
        ModelCommand::Fit(args) => fit::run(args),
        ModelCommand::Info(args) => info::run(args),
    }
}

/// Runs `model build`.
fn build(args: &BuildArgs) -> Result<Exit> {
    args.force.check_binary_output(&args.out)?;
    let corpus = &args.read.corpus;
    let listing = corpus.list(None)?;
    refuse_book(&listing, &args.out)?;
    let mut options = args.read.options()?;
    options.document_frequencies = args.spreads;
    options.counting.one_copy = args.copies.one_copy;
    let size = ModelSize {
        min_count: args.size.min_count,
        texts: args.size.texts,
    };
    let bar = ProgressBar::new(corpus.quiet);
    let never = AtomicBool::new(false);
    let show = |progress| bar.show_progress(progress);
    let built = pipeline::build_model(&listing, &options, size, &show, &never)?;
    drop(bar);
    if !corpus.quiet {
        built.notes.iter().for_each(|note| warn(note));
    }
    args.size
        .write(built.model, &args.out, args.force, corpus.quiet)?;
    Ok(exit_after_skips(&built.skipped))
}

/// Runs `model count`.
fn count(args: &CountArgs) -> Result<Exit> {
    let existing = args.force.existing();
    let out = match &args.out {
        Some(out) if !args.rows => out,
        out => {
            let out = out.as_deref().unwrap_or("-".as_ref());
            args.force.check_binary_output(out)?;
            let file = Some(out).filter(|path| !is_stdout(path));
            return rows::count(&args.read, file, existing);
        }
    };
    args.force.check(out)?;
    let corpus = &args.read.corpus;
    let listing = corpus.list_piece()?;
    refuse_book(&listing, out)?;
    let options = args.read.options()?;
    let bar = ProgressBar::new(corpus.quiet);
    let never = AtomicBool::new(false);
    let show = |progress| bar.show_progress(progress);
    let (made, skipped) = pipeline::count_part(&listing, &options, out, existing, &show, &never)?;
    drop(bar);
    if !corpus.quiet {
        tell_part(out, made.lines, made.books);
    }
    Ok(exit_after_skips(&skipped))
}

/// Runs `model merge`.
fn merge(args: &MergeArgs) -> Result<Exit> {
    ensure!(
        !args.parts.contains(&args.out),
        "'{}' is one of the parts, and would be written over; name another --out",
        args.out.display()
    );
    match args.part {
        true => args.force.check(&args.out)?,
        false => args.force.check_binary_output(&args.out)?,
    }
    let mut merge = PartMerge::of(&args.parts, args.allow_repeats)?;
    if let Some(ByteSize(bytes)) = args.memory {
        merge = merge.with_memory(bytes)?;
    }
    let books = merge.head.parameters.books;
    report_duplicates(merge.head.books.count_duplicates(), args.quiet);
    if args.part {
        let lines = merge.head.parameters.lines;
        merge.into_part(&args.out, args.force.existing())?;
        if !args.quiet {
            tell_part(&args.out, lines, books);
        }
    } else {
        let model = merge.into_model(args.size.min_count, args.size.texts)?;
        args.size.write(model, &args.out, args.force, args.quiet)?;
    }
    Ok(Exit::Success)
}
