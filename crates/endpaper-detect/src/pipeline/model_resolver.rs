//! Resolves the model of an analysis: model files are read before the books and added up after counting.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};

use super::models::STRANGE_MODEL_BOOKS;
use super::{AnalysisOptions, MODEL_BOOKS, ModelChoice, ModelSource, ModelUsed};
use crate::frequency::{Model, built_in};

/// The models that do not depend on the corpus, and the choice whether to add that of the corpus.
pub(super) struct ModelResolver<'a> {
    options: &'a AnalysisOptions,
    fixed_models: Vec<(ModelSource, Arc<Model>)>,
}

impl<'a> ModelResolver<'a> {
    /// Reads the models, so that an unusable one is reported before the books are read.
    pub fn read(options: &'a AnalysisOptions) -> Result<ModelResolver<'a>> {
        let mut others = Vec::new();
        if let ModelChoice::Sum(sources) = &options.model {
            for source in sources {
                let model = match source {
                    ModelSource::Corpus => continue,
                    ModelSource::BuiltIn => built_in().clone(),
                    ModelSource::File(path) => Model::read(path)?,
                };
                check(source, &model, options)?;
                others.push((source.clone(), Arc::new(model)));
            }
        }
        Ok(ModelResolver {
            options,
            fixed_models: others,
        })
    }

    /// Whether the corpus must be counted.
    pub fn counts_corpus(&self) -> bool {
        self.options.model.counts_corpus()
    }

    /// Lines of the corpus that occur fewer times may be left out without an effect on a detector. If its counts are
    /// added to others, every line matters.
    pub fn below(&self) -> u64 {
        if self.fixed_models.is_empty() {
            self.options.parameters.threshold.saturating_add(1).min(2)
        } else {
            0
        }
    }

    /// The model for a corpus of `books` books; `own` is the model of the corpus, if it was counted. A strange corpus holds no
    /// book of the library that the built-in model was made from.
    pub fn model(
        &self,
        books: usize,
        is_strange: bool,
        own: Option<Arc<Model>>,
    ) -> Result<(Arc<Model>, ModelUsed)> {
        let needed = if is_strange {
            STRANGE_MODEL_BOOKS
        } else {
            MODEL_BOOKS
        };
        let counted = || own.clone().context("the corpus was not counted");
        let (model, used) = match &self.options.model {
            ModelChoice::Auto if books < needed => {
                (Arc::new(built_in().clone()), ModelUsed::TooFew(books))
            }
            ModelChoice::Auto => (counted()?, ModelUsed::Sum(vec![ModelSource::Corpus])),
            ModelChoice::Sum(sources) => (self.sum(own)?, ModelUsed::Sum(sources.clone())),
        };
        let (below, threshold) = (
            model.parameters.pruned_below,
            self.options.parameters.threshold,
        );
        check_threshold(threshold, below, || used.name())?;
        let largest = model.frequencies.sets().map(|(_, counts)| counts.largest());
        let largest = largest.min().unwrap_or(u64::MAX);
        ensure!(
            threshold <= largest,
            "the counts of {} cannot tell whether a line occurs more than {threshold} times; use a threshold of at most \
             {largest}, or count with hashed:counters=morris",
            used.name()
        );
        Ok((model, used))
    }

    /// The sum of the model files and of the corpus's own model, if there is one.
    fn sum(&self, own: Option<Arc<Model>>) -> Result<Arc<Model>> {
        let own = own.map(|own| (ModelSource::Corpus, own));
        let mut sum: Option<(String, Arc<Model>)> = None;
        for (source, model) in own.iter().chain(&self.fixed_models) {
            let name = source.to_string();
            sum = Some(match sum {
                None => (name, Arc::clone(model)),
                Some((names, sum)) => {
                    let both = sum.sum(model);
                    let both =
                        both.with_context(|| format!("{name} cannot be added to {names}"))?;
                    (format!("{names} and {name}"), Arc::new(both))
                }
            });
        }
        let (_, sum) = sum.context("no model was chosen")?;
        Ok(sum)
    }

    /// Remarks for the curator on a model that was counted differently from how this run would count.
    pub fn notes(&self, model: &Model, used: &ModelUsed) -> Vec<String> {
        let (made, options) = (&model.parameters, self.options);
        let (counting, parameters) = (made.counting, &options.parameters);
        let (name, mut notes) = (used.name(), Vec::new());
        if options.counting.one_copy && matches!(used, ModelUsed::TooFew(_)) {
            notes.push(format!(
                "near copies count once in a corpus of {MODEL_BOOKS} books or more; this one has too few to be counted"
            ));
        }
        if (made.head, made.tail) != (parameters.head, parameters.tail) {
            notes.push(format!(
                "{name} was counted in the first {} and the last {} lines of its books; this run looks at the first {} \
                 and the last {}",
                made.head, made.tail, parameters.head, parameters.tail
            ));
        }
        if !counting.agrees_with(options.counting) {
            notes.push(format!(
                "{name} counts lines {}; this run would count them {}",
                counting.meaning(),
                options.counting.meaning()
            ));
        }
        notes
    }
}

/// How a model was counted that does not meet the requested counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountedOtherwise {
    /// Both ends together, but separate ends are requested.
    #[error(
        "heads and tails were counted together and are asked for apart; build a model that counts them apart"
    )]
    EndsTogether,
    /// Occurrences, but books are requested.
    #[error(
        "every occurrence was counted and books are asked for; build a model that counts books"
    )]
    EveryOccurrence,
    /// Near copies like other books, but one copy is requested.
    #[error(
        "near copies were counted like other books and one of each is asked for; build a model that counts one of each"
    )]
    EveryCopy,
}

/// Rejects a model that does not meet the requested counting.
fn check(source: &ModelSource, model: &Model, options: &AnalysisOptions) -> Result<()> {
    let (made, asked) = (model.parameters.counting, options.counting);
    // With the corpus in the sum, it is the corpus whose copies are counted once.
    let one_copy = asked.one_copy && !options.model.counts_corpus();
    for (asked, made, difference) in [
        (
            asked.separate_ends,
            made.separate_ends,
            CountedOtherwise::EndsTogether,
        ),
        (
            asked.count_books,
            made.count_books,
            CountedOtherwise::EveryOccurrence,
        ),
        (one_copy, made.one_copy, CountedOtherwise::EveryCopy),
    ] {
        if asked && !made {
            return Err(difference).with_context(|| format!("{source} does not fit"));
        }
    }
    let (below, threshold) = (model.parameters.pruned_below, options.parameters.threshold);
    check_threshold(threshold, below, || source.to_string())
}

/// Checks that a threshold does not ask for lines that a model left out (those below `below`).
fn check_threshold(threshold: u64, below: u64, model: impl FnOnce() -> String) -> Result<()> {
    if threshold >= below.saturating_sub(1) {
        return Ok(());
    }
    let model = model();
    Err(ThresholdTooLow {
        threshold,
        model,
        below,
    }
    .into())
}

/// The threshold is too low for a model that leaves out rare lines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a threshold of {threshold} is too low for {model}, which leaves out lines that occur fewer than {below} times; \
     it is at least {} with it", below.saturating_sub(1)
)]
pub struct ThresholdTooLow {
    threshold: u64,
    model: String,
    below: u64,
}
