//! What the tables and figures need of the outline of every document.

use anyhow::{Result, ensure};
use rayon::prelude::*;

use endpaper_command::common::CorpusArgs;
use endpaper_command::progress::ProgressBar;
use endpaper_detect::pipeline::{AnalysisProgress, AnalysisStep};
use endpaper_outline::{BookOutline, CitationLinks, Citations, FilterStatus, Outline};
use endpaper_text::corpus::{Listing, Skipped};
use lab::experiments::outlines::{FIELDS, OutlineTally, TrueValues, judge};

/// Documents whose outlines are in memory at the same time.
const CHUNK: usize = 64;

/// Facts of one document.
pub(super) struct OutlinedBook {
    pub filter: FilterStatus,
    pub pages: u32,
    pub has_contents: bool,
    /// References in each of its lists.
    pub lists: Vec<usize>,
}

impl OutlinedBook {
    /// References in all lists.
    pub fn references(&self) -> usize {
        self.lists.iter().sum()
    }
}

/// The outlines of a corpus.
pub(super) struct OutlinedCorpus {
    pub books: Vec<OutlinedBook>,
    pub citations: Citations,
    /// Years of all references that have one, with the number of references.
    pub years: std::collections::BTreeMap<u32, usize>,
    /// Pairs of a citing and a cited document of the corpus, by references.
    pub links: Vec<(usize, usize)>,
    /// Right and wrong values by field of the manifest.
    pub tallies: [OutlineTally; FIELDS.len()],
    pub skipped: Vec<Skipped>,
}

impl OutlinedCorpus {
    /// Reads all documents. Fails if none can be read.
    pub fn read(
        listing: &Listing,
        manifest: Option<&TrueValues>,
        args: &CorpusArgs,
    ) -> Result<OutlinedCorpus> {
        let total = listing.books.len();
        let bar = ProgressBar::new(args.quiet);
        let mut links = CitationLinks::default();
        let mut corpus = OutlinedCorpus {
            books: Vec::with_capacity(total),
            citations: Citations::default(),
            years: Default::default(),
            links: Vec::new(),
            tallies: Default::default(),
            skipped: listing.skipped.clone(),
        };
        for chunk in listing.books.chunks(CHUNK) {
            bar.show_progress(AnalysisProgress {
                step: AnalysisStep::Reading,
                done: corpus.books.len(),
                total,
            });
            let read = chunk.par_iter();
            let read = read.map(|book| BookOutline::read(book, args.max_size.0));
            let read: Vec<_> = read.collect();
            for (book, read) in chunk.iter().zip(read) {
                match read {
                    Ok(outlined) => {
                        let facts = manifest.and_then(|all| all.get(book.id.as_str()));
                        if let Some(facts) = facts {
                            judge(facts, &outlined.outline, &mut corpus.tallies);
                        }
                        corpus.add(&outlined.outline, &mut links);
                    }
                    Err(reason) => corpus.skipped.push(Skipped {
                        id: book.id.clone(),
                        reason,
                    }),
                }
            }
        }
        ensure!(
            !corpus.books.is_empty(),
            "none of the {total} documents can be read"
        );
        let links = links.links();
        corpus.links = links
            .iter()
            .map(|link| (link.reference.book, link.cited))
            .collect();
        Ok(corpus)
    }

    fn add(&mut self, outline: &Outline, links: &mut CitationLinks) {
        let lists = &outline.bibliographies;
        self.citations.add(lists);
        links.add(&outline.metadata, lists);
        let items = lists.iter().flat_map(|list| &list.items);
        for year in items.filter_map(|item| item.year) {
            *self.years.entry(year).or_default() += 1;
        }
        self.books.push(OutlinedBook {
            filter: outline.filter.book,
            pages: outline.filter.pages,
            has_contents: !outline.lists.is_empty(),
            lists: lists.iter().map(|list| list.items.len()).collect(),
        });
    }
}
