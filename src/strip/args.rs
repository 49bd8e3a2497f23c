//! Arguments of `endpaper strip`.

use super::check;
use crate::detector::DetectorArgs;
use endpaper_command::common::CorpusArgs;
use endpaper_command::overwrite::ForceArgs;
use endpaper_command::values::share;
use endpaper_detect::frequency::ByteSize;
use endpaper_truth::strip::{DroppedKinds, OutEncoding, OutNewline};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  endpaper strip ~/gutenberg --out bodies
  endpaper strip ~/gutenberg --truth labels --out bodies --max-doubt 20%
  endpaper strip ~/gutenberg --out bodies --to-encoding utf-8 --newline lf
  endpaper strip ~/gutenberg --truth labels --out bodies --drop-inside licence,credits
  endpaper strip ~/gutenberg --out shelf.jsonl.gz --shard-size 256M
  cat book.txt | endpaper strip - -o - > body.txt
  endpaper strip check bodies

A decided record takes precedence over detection. Undecidable files, files that are not books, books that changed since they
were decided and books over --max-doubt are left out and named. Without --to-encoding and --newline the bytes of the source
are written unchanged. An existing body that differs is overwritten only with --force.

The manifest is printed (not on a terminal) and, together with that of earlier runs, written to endpaper-manifest.tsv in the folder:
book, file, first, last, bytes, by (truth or detector), doubt, verdict, policy, sha256 of the body, sha256, bytes, lines,
encoding and newline of the source, encoding and newline asked for, lines dropped inside, detector, model.

With --out ending in .jsonl or .jsonl.gz each body is a line of JSON in the order of the ids: id, text, and metadata with title,
people, language (ISO 639), dates, number, lines, doubt, verdict, checksums, profile and version; the manifest is only printed.
Files of JSON lines that are whole and would be the same again are kept, so a run that was ended goes on.

With --out - the body of one book is printed, and nothing else. A corpus called check is written ./check.

Exit status: 0 fine, 1 some books could not be read or written, 2 wrong use or no body was written or there already.";

/// Arguments of `endpaper strip`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Args {
    #[command(subcommand)]
    pub(super) mode: Option<StripMode>,

    /// The folder to write bodies to, a file of JSON lines (.jsonl or .jsonl.gz), or '-' to print one body
    #[arg(short, long, value_name = "PATH", required = true)]
    pub(super) out: Option<PathBuf>,

    /// Write JSON lines into several files of at most this size before compression, such as 256M: shelf.jsonl.gz becomes
    /// shelf-00000.jsonl.gz, shelf-00001.jsonl.gz, ...
    #[arg(long, value_name = "SIZE")]
    pub(super) shard_size: Option<ByteSize>,

    #[command(flatten)]
    pub(super) force: ForceArgs,

    /// The truth folder [default: the setting, else endpaper-truth if it exists]
    #[arg(long, value_name = "DIR")]
    pub(super) truth: Option<PathBuf>,

    /// Leave out books whose doubt is higher than this
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share)]
    pub(super) max_doubt: f64,

    /// Also remove boilerplate of these kinds between the cuts, where the record marks it or, without a decided record,
    /// the detector is sure of it: licence, metadata, marker, credits, note, typed-title, separator, list, or all (comma
    /// separated)
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(super) drop_inside: Vec<DroppedKinds>,

    /// Encoding of the bodies in a folder: keep, or utf-8 (without byte order mark). JSON lines are UTF-8
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(super) to_encoding: OutEncoding,

    /// Line endings of the bodies: keep, lf or crlf [default: keep in a folder, lf in JSON lines]
    #[arg(long, value_name = "NAME")]
    pub(super) newline: Option<OutNewline>,

    #[command(flatten)]
    pub(super) corpus: CorpusArgs,

    #[command(flatten)]
    pub(super) detector: DetectorArgs,
}

/// What is done with bodies that were written before.
#[derive(Debug, clap::Subcommand)]
pub(super) enum StripMode {
    /// Look over a folder of bodies before they are published
    Check(Box<check::Args>),
}
