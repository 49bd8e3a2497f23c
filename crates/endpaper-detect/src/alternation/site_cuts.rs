//! Cut points of single sites in a mixed set.

use rayon::prelude::*;

use super::search::{Optimum, SearchStep};
use super::sites::sites;

/// A site with a cut point of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteCut {
    /// Its documents, ascending.
    pub documents: Vec<usize>,
    /// Its optimal cut point.
    pub best: SearchStep,
}

impl Optimum<'_> {
    /// Searches the documents of each site for a cut point of their own, and takes it where they have fewer alternations
    /// at it than at the one of all documents.
    ///
    /// Sites are 5 documents or more that share a template. Takes at most about as long as the search of all, and
    /// memory for the text of one site at a time.
    pub fn with_sites(mut self) -> Self {
        let mut found = sites(self.documents);
        // A search of all documents again would find the same.
        found.retain(|site| site.len() < self.documents.len());
        self.site_of = vec![None; self.documents.len()];
        for site in found {
            let texts = self.documents.texts_of(&site);
            let own = Optimum::find(&texts, self.ties, |_| {});
            let cut = (self.best().n, self.best().a);
            let before = site.par_iter().map(|document| {
                let levels = &self.levels;
                levels.alternations_in(self.documents, *document, cut)
            });
            if own.best().alternations >= before.sum() {
                continue;
            }
            for (at, document) in site.iter().enumerate() {
                let (to, from) = (self.documents.span(*document), texts.span(at));
                self.levels.copy(to, &own.levels, from);
                self.site_of[*document] = Some(self.sites.len());
            }
            self.sites.push(SiteCut {
                documents: site,
                best: own.best(),
            });
        }
        self
    }

    /// The sites with a cut point of their own; none before [`Optimum::with_sites`].
    pub fn sites(&self) -> &[SiteCut] {
        &self.sites
    }

    /// The index of the site of a document in [`Optimum::sites`].
    pub fn site_of(&self, document: usize) -> Option<usize> {
        self.site_of.get(document).copied().flatten()
    }
}
