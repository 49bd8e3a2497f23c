//! Arguments of `endpaper strip`.

use crate::detector::DetectorArgs;
use clap::ValueEnum;
use endpaper_command::common::CorpusArgs;
use endpaper_truth::strip::{DroppedKinds, OutEncoding, OutNewline};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  endpaper strip ~/gutenberg --out bodies
  endpaper strip ~/gutenberg --truth labels --out bodies --max-doubt 0.2
  endpaper strip ~/gutenberg --out bodies --to-encoding utf-8 --newline lf
  endpaper strip ~/gutenberg --truth labels --out bodies --drop-inside licence,credits
  endpaper strip --check --out bodies
  endpaper strip --check --out bodies --include 40815.txt --suppress 'a history of printing'

A decided record takes precedence over detection. Undecidable files, files that are not books, books that changed since they
were decided and books over --max-doubt are left out and named. Without --to-encoding and --newline the bytes of the source
are written unchanged. An existing body that differs is overwritten only with --force.

The manifest is printed and, together with that of earlier runs, written to endpaper-manifest.tsv in the folder:
book, file, first, last, bytes, by (truth or detector), doubt, verdict, policy, sha256 of the body, sha256, bytes, lines,
encoding and newline of the source, encoding and newline asked for, lines dropped inside, detector, model.

--check looks for boilerplate left near the ends of bodies, for empty, tiny and oddly sized bodies, and for files that differ
from the manifest. It uses the built-in model, or the one that --model names. It writes only with --suppress: accepted
findings, with the reason, to endpaper-accepted.tsv (columns file, rule, text, why; * matches every file or text; # begins
a comment).

Exit status: 0 fine, 1 some books could not be read or written, or --check found something, 2 wrong use or nothing done.";

/// Arguments of `endpaper strip`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub(super) corpus: CorpusArgs,

    #[command(flatten)]
    pub(super) detector: DetectorArgs,

    /// The folder to write bodies to, or, with --check, to read them from
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,

    /// The truth folder [default: the setting, else endpaper-truth if it exists]
    #[arg(long, value_name = "DIR")]
    pub(super) truth: Option<PathBuf>,

    /// Leave out books whose doubt is higher than this (0 to 1)
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    pub(super) max_doubt: f32,

    /// Also remove boilerplate of these kinds between the cuts, where the record marks it or, without a decided record,
    /// the detector is sure of it: licence, metadata, marker, credits, note, typed-title, separator, list, or all (comma
    /// separated)
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(super) drop_inside: Vec<DroppedKinds>,

    /// Encoding of the bodies: keep, or utf-8 (without byte order mark)
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(super) to_encoding: OutEncoding,

    /// Line endings of the bodies: keep, lf or crlf
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(super) newline: OutNewline,

    /// Overwrite existing files
    #[arg(long)]
    pub(super) force: bool,

    /// Check the bodies in --out instead of writing them
    #[arg(long, conflicts_with_all = ["truth", "max_doubt", "drop_inside", "to_encoding", "newline", "force"])]
    pub(super) check: bool,

    /// Accept all findings of --check, with this reason
    #[arg(long, value_name = "WHY", requires = "check")]
    pub(super) suppress: Option<String>,

    /// The file of accepted findings [default: endpaper-accepted.tsv in --out]
    #[arg(long, value_name = "FILE", requires = "check")]
    pub(super) suppressions: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t, requires = "check")]
    pub(super) format: StripFormat,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum StripFormat {
    /// file:line: rule: message
    #[default]
    Text,
    /// One JSON object per finding
    Jsonl,
}
