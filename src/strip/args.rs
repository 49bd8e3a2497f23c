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
  endpaper strip ~/gutenberg --out bodies --encoding utf-8 --newline lf
  endpaper strip ~/gutenberg --truth labels --out bodies --drop-inside licence,credits
  endpaper strip --check --out bodies
  endpaper strip --check --out bodies --include 40815.txt --suppress 'a history of printing'

A decided record wins over detection. Undecidable files, files that are no book, books that changed since they were
decided and books over --max-doubt are left out and named. Without --encoding and --newline the source's own bytes go
out. A body that stands there already is left as it is; one that differs is written over only with --force.

The manifest goes to standard output and, together with what earlier runs wrote, to endpaper-manifest.tsv in the folder:
book, file, first, last, bytes, by (truth or detector), doubt, verdict, policy, sha256 of the body, sha256, bytes, lines,
encoding and newline of the source, encoding and newline asked for, lines dropped inside, detector, model.

--check looks for boilerplate that was left near the ends of bodies, for empty, tiny and oddly sized bodies, and for
files that are not as the manifest says. It uses the built-in model; --model names the one the uncut books made. It
writes nothing but what --suppress asks for: accepted findings, with the
reason, in endpaper-accepted.tsv (columns file, rule, text, why; * stands for every file or text; # begins a comment).

Exit status: 0 fine, 1 some books could not be read or written, or --check found something, 2 wrong use or nothing done.";

/// Arguments of `endpaper strip`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    pub(super) corpus: CorpusArgs,

    #[command(flatten)]
    pub(super) detector: DetectorArgs,

    /// The folder the bodies go to, or, with --check, are in
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,

    /// The truth folder (default: the setting, else endpaper-truth, if there is one)
    #[arg(long, value_name = "DIR")]
    pub(super) truth: Option<PathBuf>,

    /// Leave out books whose detected cuts are more doubtful than this (0 to 1)
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    pub(super) max_doubt: f32,

    /// Leave out boilerplate between the cuts of these kinds, where the record marks it or, without a decided record, the
    /// detector is sure of it: licence, metadata, marker, credits, note, typed-title, separator, list, or all (comma
    /// separated)
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(super) drop_inside: Vec<DroppedKinds>,

    /// Encoding of the bodies: keep, or utf-8 (without a byte order mark)
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(super) encoding: OutEncoding,

    /// Line ends of the bodies: keep, lf or crlf
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(super) newline: OutNewline,

    /// Write over existing files
    #[arg(long)]
    pub(super) force: bool,

    /// Write no bodies, but look over those in --out
    #[arg(long, conflicts_with_all = ["truth", "max_doubt", "drop_inside", "encoding", "newline", "force"])]
    pub(super) check: bool,

    /// Record all that --check finds as accepted, for this reason
    #[arg(long, value_name = "WHY", requires = "check")]
    pub(super) suppress: Option<String>,

    /// The file of accepted findings (default: endpaper-accepted.tsv in --out)
    #[arg(long, value_name = "FILE", requires = "check")]
    pub(super) suppressions: Option<PathBuf>,

    /// How findings are printed
    #[arg(long, value_enum, default_value_t, requires = "check")]
    pub(super) format: StripFormat,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum StripFormat {
    /// file:line: rule: message
    #[default]
    Text,
    /// One JSON object for each finding
    Jsonl,
}
