//! Weights that were not fitted to the book they are applied to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use endpaper_detect::frequency::Frequencies;
use endpaper_detect::pipeline::BookReport;
use endpaper_detect::posterior::{Example, FactScope, Penalty, Profile, fit};
use endpaper_text::line::Key;
use endpaper_text::scan::Scan;
use rayon::prelude::*;

const FOLDS: u64 = 5;

pub struct KeysBook<'a> {
    pub report: &'a BookReport,
    pub scan: &'a Scan,
    pub sha256: &'a str,
    pub first: u32,
    pub last: u32,
}

impl KeysBook<'_> {
    /// Returns the fold of the book; books of one title are in the same fold.
    fn fold(&self) -> u64 {
        let title = self.report.summary.header.title.as_deref();
        let title = title.unwrap_or(self.report.book.id.name()).to_lowercase();
        let letters: String = title
            .chars()
            .filter(|c| c.is_alphanumeric())
            .take(20)
            .collect();
        (Key::of(&letters).0 >> 33) % FOLDS
    }
}

pub enum WeightsSource {
    /// Fitted.
    Fit,
    /// Fitted, or read from the folder if an earlier run stored them.
    Cached(PathBuf),
    /// The shipped weights.
    Shipped,
}

pub enum FoldWeights {
    Shipped,
    Folds(Vec<Arc<Profile>>),
}

impl FoldWeights {
    pub fn new(
        books: &[KeysBook<'_>],
        frequencies: &Frequencies,
        source: &WeightsSource,
    ) -> Result<FoldWeights> {
        let folder = match source {
            WeightsSource::Shipped => return Ok(FoldWeights::Shipped),
            WeightsSource::Fit => None,
            WeightsSource::Cached(folder) => Some(folder),
        };
        if let Some(folds) = folder.and_then(|folder| read_cached(folder)) {
            return Ok(FoldWeights::Folds(folds));
        }
        let example = |book: &KeysBook<'_>| {
            let example = Example::new(
                book.scan,
                frequencies,
                FactScope::OneLibrary,
                book.first,
                book.last,
            );
            (book.fold(), example)
        };
        let examples: Vec<(u64, Example)> = books.par_iter().map(example).collect();
        let fold = |fold: u64| {
            let others = examples.iter().filter(|(of, _)| *of != fold);
            let others: Vec<&Example> = others.map(|(_, example)| example).collect();
            fit(&others, &Penalty::default()).map(Arc::new)
        };
        let folds: Vec<Arc<Profile>> = (0..FOLDS).map(fold).collect::<Result<_>>()?;
        if let Some(folder) = folder {
            write_cached(folder, &folds)?;
        }
        Ok(FoldWeights::Folds(folds))
    }

    pub fn of(&self, book: &KeysBook<'_>) -> Option<Arc<Profile>> {
        match self {
            FoldWeights::Shipped => None,
            FoldWeights::Folds(folds) => Some(Arc::clone(&folds[book.fold() as usize])),
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            FoldWeights::Shipped => "as shipped: IN SAMPLE, they were fitted to these labels",
            FoldWeights::Folds(_) => {
                "of five folds: no book is judged by weights that saw its title"
            }
        }
    }
}

fn file(folder: &Path, fold: usize) -> PathBuf {
    folder.join(format!("fold-{fold}.tsv"))
}

fn read_cached(folder: &Path) -> Option<Vec<Arc<Profile>>> {
    let read = |fold: u64| {
        let text = std::fs::read_to_string(file(folder, fold as usize)).ok()?;
        Profile::parse(&text).ok().map(Arc::new)
    };
    (0..FOLDS).map(read).collect()
}

fn write_cached(folder: &Path, folds: &[Arc<Profile>]) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for (number, weights) in folds.iter().enumerate() {
        let path = file(folder, number);
        std::fs::write(&path, weights.to_tsv()).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
