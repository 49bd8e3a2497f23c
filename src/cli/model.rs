//! `endpaper model`: building a model, and looking into one.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use clap::Subcommand;

use super::Exit;
use super::common::{CorpusArgs, conclude};
use super::counting::CountingArgs;
use super::output::{Printer, complain, grouped};
use super::progress::Bar;
use crate::detect::Parameters;
use crate::frequency::{Certainty, Model, built_in};
use crate::pipeline;

const BUILD_EXAMPLES: &str = "\
Examples:
  endpaper model build ~/gutenberg --out gutenberg.model
  endpaper detect new-books/ --model gutenberg.model
  endpaper model build ~/gutenberg --out small.model --max-bytes 262144";

const INFO_EXAMPLES: &str = "\
Examples:
  endpaper model info gutenberg.model
  endpaper model info built-in";

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
    /// Print what a model is made of
    #[command(after_help = INFO_EXAMPLES)]
    Info {
        /// A model file, or the word 'built-in'
        #[arg(value_name = "FILE|built-in")]
        model: PathBuf,
    },
}

/// Arguments of `endpaper model build`.
#[derive(Debug, clap::Args)]
pub struct BuildArgs {
    #[command(flatten)]
    corpus: CorpusArgs,

    /// The model file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Leave out the rarest lines until the file is at most this long, in bytes
    #[arg(long, value_name = "N")]
    max_bytes: Option<u64>,

    #[command(flatten)]
    counting: CountingArgs,

    /// Lines of the head that are counted
    #[arg(long, value_name = "N", default_value_t = Parameters::default().head)]
    head: u32,

    /// Lines of the tail that are counted
    #[arg(long, value_name = "N", default_value_t = Parameters::default().tail)]
    tail: u32,
}

/// Runs `endpaper model`.
///
/// # Errors
///
/// Wrong use, no readable book, or a file that cannot be read or written.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.command {
        ModelCommand::Build(args) => build(args),
        ModelCommand::Info { model } => info(model),
    }
}

fn build(args: &BuildArgs) -> Result<Exit> {
    let listing = args.corpus.list(None)?;
    let mut options = args.corpus.options()?;
    options.structure = args.counting.structure()?;
    options.parameters.head = args.head;
    options.parameters.tail = args.tail;
    let bar = Bar::new(args.corpus.quiet);
    let never = AtomicBool::new(false);
    let (model, skipped) =
        pipeline::build_model(&listing, &options, &|progress| bar.show(progress), &never)?;
    drop(bar);
    let model = match args.max_bytes {
        None => model,
        Some(max) => model.fitted(max).with_context(|| {
            format!("no model fits {max} bytes; raise --max-bytes to at least 200")
        })?,
    };
    model.write(&args.out)?;
    if !args.corpus.quiet {
        complain(&format!(
            "'{}' is model {}: {} lines of {} books",
            args.out.display(),
            model.digest(),
            grouped(model.counts.len() as u64),
            grouped(model.parameters.books),
        ));
    }
    Ok(conclude(&skipped))
}

fn info(path: &Path) -> Result<Exit> {
    let model = if path == Path::new("built-in") {
        built_in().clone()
    } else {
        Model::read(path)?
    };
    let mut printer = Printer::stdout();
    for (name, value) in facts(&model) {
        printer.line(&format!("{name:<20} {value}"))?;
    }
    printer.line("")?;
    printer.line(&format!("{:<20} {:>12}", "occurrences", "lines"))?;
    for (first, last, keys) in model.counts.histogram().bins() {
        let range = if first == last {
            grouped(first)
        } else {
            format!("{} to {}", grouped(first), grouped(last))
        };
        printer.line(&format!("{range:<20} {:>12}", grouped(keys)))?;
    }
    printer.finish()?;
    Ok(Exit::Fine)
}

fn facts(model: &Model) -> Vec<(&'static str, String)> {
    let parameters = &model.parameters;
    let certainty = match model.counts.certainty() {
        Certainty::Exact => "counts are exact",
        Certainty::AtMost => "counts are upper bounds: lines with equal keys are counted together",
    };
    let pruned = match parameters.pruned_below {
        0 | 1 => "no lines".to_owned(),
        below => format!("lines that occur fewer than {} times", grouped(below)),
    };
    vec![
        ("model", model.digest()),
        ("distinct lines", grouped(model.counts.len() as u64)),
        ("lines counted", grouped(parameters.lines)),
        ("books", grouped(parameters.books)),
        ("corpus", format!("{:016x}", parameters.corpus)),
        (
            "structure",
            format!("{} ({certainty})", parameters.structure),
        ),
        ("head window", format!("{} lines", parameters.head)),
        ("tail window", format!("{} lines", parameters.tail)),
        (
            "preprocessing",
            format!("version {}", parameters.preprocessing),
        ),
        ("left out", pruned),
        ("further sections", model.sections.len().to_string()),
    ]
}
