//! The arguments that choose and tune a detector.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::counting::{CountingArgs, check_threshold};
use crate::detect::Parameters;
use crate::pipeline::{ModelChoice, Options};

/// The detectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Detector {
    /// Gaps between frequent lines (Kaser & Lemire, Algorithm 1) and marker lines (their section 3.4)
    #[default]
    Gap,
}

impl Detector {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Detector::Gap => "gap",
        }
    }
}

/// How cuts are found.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Detector")]
pub struct DetectorArgs {
    /// The detector
    #[arg(long, value_enum, default_value_t)]
    pub detector: Detector,

    /// How lines are counted.
    #[command(flatten)]
    pub counting: CountingArgs,

    /// Frequencies to use: auto, built-in, corpus, or a model file. auto counts the corpus itself, and uses the
    /// built-in model for a corpus too small for that
    #[arg(long, value_name = "MODEL", default_value = "auto", value_parser = model_choice)]
    pub model: ModelChoice,

    /// Do not use marker lines
    #[arg(long)]
    pub no_heuristics: bool,

    /// A line is frequent if it occurs more often than this [default: 10; 5 for --structure hot-items]
    #[arg(short = 'K', long, value_name = "N")]
    pub threshold: Option<u64>,

    /// As many infrequent lines end a preamble or epilogue
    #[arg(long, value_name = "N", default_value_t = Parameters::default().gap)]
    pub gap: u32,

    /// Lines of the head that are looked at
    #[arg(long, value_name = "N", default_value_t = Parameters::default().head)]
    pub head: u32,

    /// Lines of the tail that are looked at
    #[arg(long, value_name = "N", default_value_t = Parameters::default().tail)]
    pub tail: u32,
}

impl DetectorArgs {
    /// Puts the choices into the options of a survey.
    ///
    /// # Errors
    ///
    /// If the structure does not go with the memory or the threshold.
    pub fn apply(&self, options: &mut Options) -> Result<()> {
        let structure = self.counting.structure()?;
        let threshold = self.threshold.unwrap_or(structure.default_threshold());
        check_threshold(structure, threshold)?;
        options.structure = structure;
        options.model = self.model.clone();
        options.parameters.threshold = threshold;
        options.parameters.gap = self.gap;
        options.parameters.head = self.head;
        options.parameters.tail = self.tail;
        options.parameters.heuristics = !self.no_heuristics;
        Ok(())
    }
}

/// A word or a path. A file called like one of the words is written `./auto`.
fn model_choice(text: &str) -> Result<ModelChoice, std::convert::Infallible> {
    Ok(match text {
        "auto" => ModelChoice::Auto,
        "built-in" => ModelChoice::BuiltIn,
        "corpus" => ModelChoice::Corpus,
        path => ModelChoice::File(PathBuf::from(path)),
    })
}
