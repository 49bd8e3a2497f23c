//! Weights that never saw the book they judge.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use endpaper_detect::frequency::Frequencies;
use endpaper_detect::pipeline::Surveyed;
use endpaper_detect::posterior::{Example, Penalty, Weights, fit};
use endpaper_text::line::Key;
use endpaper_text::scan::Scan;
use rayon::prelude::*;

const FOLDS: u64 = 5;

/// A labelled book.
pub struct Labelled<'a> {
    pub surveyed: &'a Surveyed,
    pub scan: &'a Scan,
    pub sha256: &'a str,
    /// First line of the body.
    pub first: u32,
    /// Last line of the body.
    pub last: u32,
}

impl Labelled<'_> {
    /// Books of one title fall into one fold.
    fn fold(&self) -> u64 {
        let title = self.surveyed.summary.header.title.as_deref();
        let title = title.unwrap_or(self.surveyed.book.id.name()).to_lowercase();
        let letters: String = title
            .chars()
            .filter(|c| c.is_alphanumeric())
            .take(20)
            .collect();
        (Key::of(&letters).0 >> 33) % FOLDS
    }
}

/// Where weights come from.
pub enum Source {
    /// Fitted.
    Fit,
    /// Fitted, unless an earlier run kept them in the folder.
    Kept(PathBuf),
    /// The shipped ones.
    Shipped,
}

/// The weights for each book.
pub enum Weigh {
    Shipped,
    Folds(Vec<Arc<Weights>>),
}

impl Weigh {
    pub fn new(
        books: &[Labelled<'_>],
        frequencies: &Frequencies,
        source: &Source,
    ) -> Result<Weigh> {
        let folder = match source {
            Source::Shipped => return Ok(Weigh::Shipped),
            Source::Fit => None,
            Source::Kept(folder) => Some(folder),
        };
        if let Some(folds) = folder.and_then(|folder| kept(folder)) {
            return Ok(Weigh::Folds(folds));
        }
        let example = |book: &Labelled<'_>| {
            let example = Example::new(book.scan, frequencies, book.first, book.last);
            (book.fold(), example)
        };
        let examples: Vec<(u64, Example)> = books.par_iter().map(example).collect();
        let fold = |fold: u64| {
            let others = examples.iter().filter(|(of, _)| *of != fold);
            let others: Vec<&Example> = others.map(|(_, example)| example).collect();
            fit(&others, &Penalty::default()).map(Arc::new)
        };
        let folds: Vec<Arc<Weights>> = (0..FOLDS).map(fold).collect::<Result<_>>()?;
        if let Some(folder) = folder {
            keep(folder, &folds)?;
        }
        Ok(Weigh::Folds(folds))
    }

    pub fn of(&self, book: &Labelled<'_>) -> Option<Arc<Weights>> {
        match self {
            Weigh::Shipped => None,
            Weigh::Folds(folds) => Some(Arc::clone(&folds[book.fold() as usize])),
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Weigh::Shipped => "as shipped: IN SAMPLE, they were fitted to these labels",
            Weigh::Folds(_) => "of five folds: no book is judged by weights that saw its title",
        }
    }
}

fn file(folder: &Path, fold: usize) -> PathBuf {
    folder.join(format!("fold-{fold}.tsv"))
}

fn kept(folder: &Path) -> Option<Vec<Arc<Weights>>> {
    let read = |fold: u64| {
        let text = std::fs::read_to_string(file(folder, fold as usize)).ok()?;
        Weights::parse(&text).ok().map(Arc::new)
    };
    (0..FOLDS).map(read).collect()
}

fn keep(folder: &Path, folds: &[Arc<Weights>]) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for (number, weights) in folds.iter().enumerate() {
        let path = file(folder, number);
        std::fs::write(&path, weights.to_tsv()).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
