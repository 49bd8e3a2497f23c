//! Scores of the detector over a set.

use anyhow::{Context, Result};

use super::book_bodies::DRAWS;
use endpaper_detect::alternation::{Delimiters, FoldedDocuments, LetterAgreement, Optimum, Ties};
use lab::experiments::pages::{MadePage, PageScores, PageSet, Site};

/// How a set is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// All n-grams that are as frequent as the last one of the a percent.
    Group,
    /// The first a/100 of the n-grams: `--ties first`.
    First,
    /// Like `Group`, with a cut point for each site: `--sites`.
    Sites,
}

impl Reading {
    pub const ALL: [Reading; 3] = [Reading::Group, Reading::First, Reading::Sites];

    /// The options of `endpaper alternation`.
    pub fn name(self) -> &'static str {
        match self {
            Reading::Group => "--ties group",
            Reading::First => "--ties first",
            Reading::Sites => "--sites",
        }
    }

    /// The number of draws searched; fewer of the readings that are only compared with the first.
    pub fn draws(self) -> u64 {
        match self {
            Reading::Group => DRAWS,
            Reading::First | Reading::Sites => 3,
        }
    }

    /// Searches documents.
    fn search(self, documents: &FoldedDocuments) -> Optimum<'_> {
        match self {
            Reading::Group => Optimum::find(documents, Ties::Group, |_| {}),
            Reading::First => Optimum::find(documents, Ties::First, |_| {}),
            Reading::Sites => Optimum::find(documents, Ties::Group, |_| {}).with_sites(),
        }
    }
}

/// A set, its optimum, and the scores at the optimum.
pub(super) struct SetOutcome {
    pub set: PageSet,
    pub reading: Reading,
    /// The optimal (n, a).
    pub cut: (u32, u8),
    /// By site, then all together if there is more than one site.
    pub judged: Vec<SiteScores>,
}

/// Scores of the pages of one site, or of all sites.
pub(super) struct SiteScores {
    pub site: &'static str,
    pub pages: usize,
    pub bytes: u64,
    pub agreement: LetterAgreement,
}

impl SiteScores {
    /// Accuracy, recall and precision; 0 where undefined.
    pub fn figures(&self) -> PageScores {
        let agreement = &self.agreement;
        [
            agreement.accuracy(),
            agreement.recall(),
            agreement.precision(),
        ]
        .map(Option::unwrap_or_default)
    }
}

impl SetOutcome {
    /// Finds the optimum of all pages together.
    ///
    /// # Errors
    ///
    /// Fails on more text than the detector accepts; the paper's sets are far smaller.
    pub fn of(
        set: PageSet,
        reading: Reading,
        sites: &[(Site, Vec<MadePage>)],
    ) -> Result<SetOutcome> {
        let mut documents = FoldedDocuments::default();
        for page in sites.iter().flat_map(|(_, pages)| pages) {
            documents
                .push(page.html.as_bytes())
                .with_context(|| format!("the pages of {} cannot be taken", set.name))?;
        }
        let found = reading.search(&documents);
        let mut first = 0;
        let mut judged: Vec<SiteScores> = Vec::new();
        for (site, pages) in sites {
            let pairs = site.delimiters();
            let pairs: Vec<&Delimiters> = pairs.iter().collect();
            let places = first..first + pages.len();
            first = places.end;
            judged.push(SiteScores {
                site: site.name(),
                pages: pages.len(),
                bytes: pages.iter().map(|page| page.html.len() as u64).sum(),
                agreement: places.map(|at| found.agreement(at, &pairs)).sum(),
            });
        }
        if judged.len() > 1 {
            judged.push(SiteScores {
                site: "both",
                pages: judged.iter().map(|site| site.pages).sum(),
                bytes: judged.iter().map(|site| site.bytes).sum(),
                agreement: judged.iter().map(|site| site.agreement).sum(),
            });
        }
        let best = found.best();
        Ok(SetOutcome {
            set,
            reading,
            cut: (best.n, best.a),
            judged,
        })
    }

    /// Scores of the sites, without the total.
    pub fn sites(&self) -> impl ExactSizeIterator<Item = &SiteScores> {
        self.judged.iter().take(self.set.sites.len())
    }

    /// Scores of all pages.
    pub fn all(&self) -> &SiteScores {
        // A set has at least one site.
        &self.judged[self.judged.len() - 1]
    }
}
