//! Arguments that select and tune a detector.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

use crate::counting::{CopiesArgs, CountingArgs, check_threshold};
use endpaper_command::user::{UserFolders, resolve_policy};
use endpaper_command::values::whole;
use endpaper_detect::pipeline::{AnalysisOptions, ModelChoice, ModelSource};
use endpaper_detect::posterior::Profile;
use endpaper_detect::{CorpusProfiles, Method, Parameters, Policy};
use endpaper_text::files::read_input;
use endpaper_truth::Store;

/// The profile that is chosen by the corpus.
const AUTO: &str = "auto";

/// The detectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DetectorChoice {
    /// The most probable cuts given words, layout, line frequencies and producers, with weights fitted to labelled books
    #[default]
    Posterior,
    /// Gaps between frequent lines (Kaser & Lemire, Algorithm 1) and marker lines (section 3.4)
    Gap,
}

impl DetectorChoice {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            DetectorChoice::Gap => "gap",
            DetectorChoice::Posterior => "posterior",
        }
    }

    /// The library's method for it.
    pub fn method(self) -> Method {
        match self {
            DetectorChoice::Gap => Method::Gap,
            DetectorChoice::Posterior => Method::Posterior,
        }
    }
}

/// How cuts are found.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Detector")]
pub struct DetectorArgs {
    /// The detector
    #[arg(long, value_enum, default_value_t)]
    pub detector: DetectorChoice,

    /// How lines are counted
    #[command(flatten)]
    pub counting: CountingArgs,

    /// Which books are counted
    #[command(flatten)]
    pub copies: CopiesArgs,

    /// Line frequencies to use: auto, built-in, corpus, a model file, or a sum such as corpus+built-in.
    /// auto counts the corpus, or uses the built-in model if the corpus is too small
    #[arg(long, value_name = "MODEL", default_value = "auto", value_parser = model_choice)]
    pub model: ModelChoice,

    /// Which kinds of blocks belong to the body: guide, keep-credits, keep-notes, or a YAML file with a `name` and a list
    /// `keep` of kinds (posterior only) [default: the setting, else guide]
    #[arg(long, value_name = "NAME|FILE", value_parser = policy, hide_short_help = true)]
    pub policy: Option<Policy>,

    /// What the detector knows of the collection: gutenberg, generic, or a file written by `endpaper model fit`. auto decides by
    /// the lines of all books, never by one word
    #[arg(long, value_name = "NAME|FILE", default_value = "auto")]
    pub profile: String,

    /// Leave out second opinions: near copies cut at other words, the alternation detector, and tables of contents outside
    /// the cuts. They enter reasons and doubt, never the cuts
    #[arg(long, hide_short_help = true)]
    pub no_opinions: bool,

    /// Do not learn from decided books: the profile is used as it is
    #[arg(long, hide_short_help = true)]
    pub no_learning: bool,

    /// Do not use marker lines (gap only)
    #[arg(long, hide_short_help = true)]
    pub no_heuristics: bool,

    /// A line is frequent if it occurs more often than this [default: 10; 5 for --structure hot-items]
    #[arg(short = 'K', long, value_name = "N", value_parser = whole::<u64>(1..), hide_short_help = true)]
    pub threshold: Option<u64>,

    /// A preamble or epilogue ends at this many infrequent lines in a row
    #[arg(long, value_name = "N", default_value_t = Parameters::default().gap)]
    #[arg(value_parser = whole::<u32>(1..), hide_short_help = true)]
    pub gap: u32,

    /// How far books are looked into
    #[command(flatten)]
    pub windows: WindowArgs,
}

/// How far books are looked into from both ends.
#[derive(Clone, Copy, Debug, Args)]
pub struct WindowArgs {
    /// Number of lines at the beginning of a book that are counted and searched for cuts
    #[arg(long, value_name = "N", default_value_t = Parameters::default().head)]
    #[arg(value_parser = whole::<u32>(1..), hide_short_help = true)]
    pub head: u32,

    /// Number of lines at the end of a book that are counted and searched for cuts
    #[arg(long, value_name = "N", default_value_t = Parameters::default().tail)]
    #[arg(value_parser = whole::<u32>(1..), hide_short_help = true)]
    pub tail: u32,
}

impl WindowArgs {
    /// Sets the windows in the parameters.
    pub fn apply(self, parameters: &mut Parameters) {
        parameters.head = self.head;
        parameters.tail = self.tail;
    }
}

impl DetectorArgs {
    /// Returns the threshold: a line is frequent if it occurs more often than this.
    ///
    /// # Errors
    ///
    /// The structure cannot use the memory limit.
    pub fn threshold(&self) -> Result<u64> {
        let structure = self.counting.counting()?.structure;
        Ok(self.threshold.unwrap_or(structure.default_threshold()))
    }

    /// The profile that the user named, for all books; `None` if each book gets the one that fits.
    fn profiles(&self) -> Result<Option<Arc<CorpusProfiles>>> {
        let profile = match self.profile.as_str() {
            AUTO => return Ok(None),
            "gutenberg" => Profile::gutenberg().clone(),
            "generic" => Profile::generic().clone(),
            file => {
                let read = || Profile::parse(&read_input(Path::new(file))?);
                let known = "write auto, gutenberg, generic or the name of a profile file";
                let read =
                    read().with_context(|| format!("cannot use the profile '{file}'; {known}"));
                Arc::new(read?)
            }
        };
        Ok(Some(Arc::new(CorpusProfiles::one(profile))))
    }

    /// Makes an analysis learn from the decided books of a truth folder, unless `--no-learning` is given. Returns the files that
    /// something is wrong with, with the reason.
    ///
    /// # Errors
    ///
    /// The folder cannot be listed.
    pub fn learn_from(
        &self,
        store: &Store,
        options: &mut AnalysisOptions,
    ) -> Result<Vec<(PathBuf, String)>> {
        if self.no_learning || self.detector != DetectorChoice::Posterior {
            return Ok(Vec::new());
        }
        let lessons = store.lessons()?;
        options.lessons = lessons.taught;
        Ok(lessons.unsound)
    }

    /// Sets the options of an analysis. Without `--policy` the policy of the user's settings is used.
    ///
    /// # Errors
    ///
    /// The structure cannot use the memory limit, or cannot represent the threshold.
    pub fn apply(&self, options: &mut AnalysisOptions) -> Result<()> {
        let counting = self.counting.counting()?;
        let structure = counting.structure;
        let threshold = self.threshold()?;
        check_threshold(structure, threshold)?;
        options.counting = counting;
        options.counting.one_copy = self.copies.one_copy;
        options.model = self.model.clone();
        options.parameters.threshold = threshold;
        options.parameters.gap = self.gap;
        self.windows.apply(&mut options.parameters);
        options.parameters.heuristics = !self.no_heuristics;
        ensure!(
            self.detector == DetectorChoice::Gap || !self.no_heuristics,
            "--no-heuristics goes with --detector gap; the posterior has no rules to leave out"
        );
        ensure!(
            self.detector == DetectorChoice::Posterior
                || (self.profile == AUTO && self.policy.is_none()),
            "--policy and --profile go with --detector posterior; the gap detector knows no kinds of blocks"
        );
        options.opinions = !self.no_opinions;
        options.parameters.method = self.detector.method();
        options.document_frequencies = self.detector == DetectorChoice::Posterior;
        options.parameters.policy = match &self.policy {
            Some(policy) => policy.clone(),
            None if self.detector == DetectorChoice::Gap => Policy::default(),
            // A system without a home folder has no settings.
            None => UserFolders::read().map_or_else(|_| Policy::default(), |user| user.policy),
        };
        options.parameters.profiles = self.profiles()?;
        Ok(())
    }
}

/// Parses the name of a policy or the path of one.
fn policy(text: &str) -> Result<Policy, String> {
    resolve_policy(Path::new(""), text)
}

/// Parses words and paths joined by `+`. A file with the name of a keyword is written `./auto`; an existing file whose name contains
/// a `+` is used as one path.
pub(super) fn model_choice(text: &str) -> Result<ModelChoice, String> {
    if text == "auto" {
        return Ok(ModelChoice::Auto);
    }
    if Path::new(text).is_file() && !["corpus", "built-in"].contains(&text) {
        return Ok(ModelSource::File(PathBuf::from(text)).into());
    }
    let mut sources = Vec::new();
    for name in text.split('+') {
        let source = match name {
            "auto" => return Err("'auto' cannot be added to others; name 'corpus'".to_owned()),
            "" => return Err("a name is missing beside '+'".to_owned()),
            "built-in" => ModelSource::BuiltIn,
            "corpus" => ModelSource::Corpus,
            path => ModelSource::File(PathBuf::from(path)),
        };
        if sources.contains(&source) {
            return Err(format!("'{name}' is there twice and would count twice"));
        }
        sources.push(source);
    }
    Ok(ModelChoice::Sum(sources))
}
