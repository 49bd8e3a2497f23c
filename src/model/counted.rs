//! Arguments for counting books into a model, and the report on the result.

use crate::counting::CountingArgs;
use crate::detector::WindowArgs;
use anyhow::{Context, Result};
use endpaper_command::common::{CorpusArgs, SCAN_MEMORY};
use endpaper_command::output::{note, warn};
use endpaper_command::overwrite::{ForceArgs, is_stdout};
use endpaper_command::values::{ByteSize, whole};
use endpaper_detect::frequency::Model;
use endpaper_detect::pipeline::{self, ModelSize};
use endpaper_text::wording::thousands;
use std::path::Path;

/// How books are counted.
#[derive(Debug, clap::Args)]
pub(super) struct ReadArgs {
    #[command(flatten)]
    pub(super) corpus: CorpusArgs,

    #[command(flatten)]
    pub(super) counting: CountingArgs,

    #[command(flatten)]
    pub(super) windows: WindowArgs,
}

impl ReadArgs {
    /// The options of an analysis that only counts.
    pub(super) fn options(&self) -> Result<pipeline::AnalysisOptions> {
        let mut options = self.corpus.options()?;
        options.scan_memory = SCAN_MEMORY;
        options.counting = self.counting.counting()?;
        self.windows.apply(&mut options.parameters);
        Ok(options)
    }
}

/// What of the counts goes into a model.
#[derive(Debug, clap::Args)]
pub(super) struct SizeArgs {
    /// Leave out lines that occur fewer times than this (1: keep all lines)
    #[arg(long, value_name = "N", default_value_t = ModelSize::default().min_count)]
    #[arg(value_parser = whole::<u64>(1..))]
    pub(super) min_count: u64,

    /// Store the text of the N most frequent lines, for `model info --top`; part files have at most 4,000
    #[arg(long, value_name = "N", default_value_t = ModelSize::default().texts, value_parser = whole::<usize>(..))]
    pub(super) texts: usize,

    /// Scale the counts as if N books had been counted: for a model of few books used for a larger corpus
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    pub(super) scale_to: Option<u64>,

    /// Leave out the rarest lines until the file is at most this large, such as 500K or 2M
    #[arg(long, value_name = "SIZE")]
    pub(super) max_bytes: Option<ByteSize>,
}

impl SizeArgs {
    /// Writes a model no larger than requested, and reports its size.
    pub(super) fn write(
        &self,
        model: Model,
        out: &Path,
        force: ForceArgs,
        quiet: bool,
    ) -> Result<()> {
        let model = match self.scale_to {
            None => model,
            Some(books) => model.scaled_to(books)?,
        };
        let model = match self.max_bytes {
            None => model,
            Some(ByteSize(max)) => model.pruned_to_size(max).with_context(|| {
                format!(
                    "no model fits {max} bytes; raise --max-bytes to at least 200, or lower --texts"
                )
            })?,
        };
        match is_stdout(out) {
            true => force.write(out, &model.to_bytes())?,
            false => model.write(out, force.existing())?,
        }
        if !quiet {
            let lines = model.frequencies.sets().map(|(_, counts)| counts.len());
            let name = match is_stdout(out) {
                true => "standard output".to_owned(),
                false => format!("'{}'", out.display()),
            };
            note(&format!(
                "{name} is model {}: {} lines of {} books",
                model.digest(),
                thousands(lines.sum::<usize>() as u64),
                thousands(model.parameters.books),
            ));
        }
        Ok(())
    }
}

/// Warns of books with equal contents.
pub(super) fn report_duplicates(twins: usize, quiet: bool) {
    if twins > 0 && !quiet {
        warn(&format!(
            "{} books have the same size and lines as another one and count like any other",
            thousands(twins as u64)
        ));
    }
}

/// Reports a written part, and what can be done with it.
pub(super) fn tell_part(path: &Path, lines: u64, books: u64) {
    note(&format!(
        "'{}' is a part: {} lines of {} books, counted",
        path.display(),
        thousands(lines),
        thousands(books)
    ));
}
