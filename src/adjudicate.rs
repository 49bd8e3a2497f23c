//! `endpaper review --adjudicate`: only the books people differ in, with every opinion on the digits.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail, ensure};

use super::output::complain;
use super::truth::to_merge;
use endpaper_review::opinion::{Opinion, opinions};
use endpaper_review::terminal::Records;
use endpaper_text::corpus::Listing;
use endpaper_truth::merge::merge;
use endpaper_truth::{Found, Record, SaveError, Saved, Snapshot, Store, Verdict};

/// Arguments that make a sitting one of adjudication.
#[derive(Debug, clap::Args)]
pub struct AdjudicateArgs {
    /// Settle what two truth folders differ in; of one folder, the versions that were kept aside in it. What is decided
    /// goes to --truth and keeps all opinions
    #[arg(long, value_name = "DIR", num_args = 1..=2)]
    pub adjudicate: Vec<PathBuf>,

    /// What both folders were before (with --adjudicate)
    #[arg(long, value_name = "DIR", requires = "adjudicate")]
    pub base: Option<PathBuf>,

    /// Show whose opinions they are (with --adjudicate)
    #[arg(long, requires = "adjudicate")]
    pub show_names: bool,
}

/// The books to settle.
pub(super) struct Adjudication {
    drafts: HashMap<String, Record>,
    pub opinions: HashMap<String, Vec<Opinion>>,
}

impl Adjudication {
    /// What the folders differ in and `into` does not settle; `None` if nothing is to be adjudicated.
    pub fn of(args: &AdjudicateArgs, into: &Store) -> Result<Option<Adjudication>> {
        if args.adjudicate.is_empty() {
            return Ok(None);
        }
        let (found, base, _) = to_merge(&args.adjudicate, args.base.as_ref())?;
        if let [first, corpus] = &args.adjudicate[..] {
            let (first, corpus) = (first.display(), corpus.display());
            ensure!(
                !found[1].books.is_empty(),
                "'{corpus}' holds no records, and was taken for the second truth folder of --adjudicate; if it is the corpus, \
                 name it first: endpaper review '{corpus}' --adjudicate '{first}'"
            );
        }
        let merge = merge(base.as_ref(), &found);
        let (mut drafts, mut all) = (HashMap::new(), HashMap::new());
        for (book, conflict) in merge.open_conflicts(into)? {
            let opinions = opinions(conflict.opinions.clone(), args.show_names);
            drafts.insert(book.to_owned(), draft(&conflict.draft, &opinions));
            all.insert(book.to_owned(), opinions);
        }
        if all.is_empty() {
            bail!("there is nothing to settle: no two records differ, or all are settled");
        }
        Ok(Some(Adjudication {
            drafts,
            opinions: all,
        }))
    }

    /// Leaves only these books in a listing.
    pub fn limit(&self, listing: &mut Listing) -> Result<()> {
        listing
            .books
            .retain(|book| self.drafts.contains_key(book.id.as_str()));
        listing
            .skipped
            .retain(|book| self.drafts.contains_key(book.id.as_str()));
        let missing = self.drafts.len() - listing.books.len() - listing.skipped.len();
        if listing.books.is_empty() {
            bail!(
                "none of the {} books to settle is in the corpus; name the folder they are below",
                self.drafts.len()
            );
        }
        if missing > 0 {
            complain(&format!("{missing} books to settle are not in this corpus"));
        }
        Ok(())
    }

    /// The records of the sitting.
    pub fn records(&self, store: Arc<Store>) -> Settling {
        Settling {
            store,
            drafts: self.drafts.clone(),
        }
    }
}

/// Where settling begins: at the cuts of the first opinion on the screen, and not always the first folder's.
fn draft(agreed: &Record, opinions: &[Opinion]) -> Record {
    let mut draft = agreed.clone();
    let with_cuts = opinions
        .iter()
        .find(|opinion| opinion.record.verdict.has_cuts());
    if let Some(Opinion { record, .. }) = with_cuts {
        draft.source = record.source.clone();
        draft.cuts = record.cuts;
        draft.context = record.context.clone();
    }
    draft
}

/// The truth folder as this sitting sees it: a book that is not settled yet has a draft with every review.
pub(super) struct Settling {
    store: Arc<Store>,
    drafts: HashMap<String, Record>,
}

impl Records for Settling {
    fn load(&self, id: &str) -> Result<(Found, Snapshot)> {
        let (found, known) = self.store.load(id)?;
        let Some(draft) = self.drafts.get(id) else {
            return Ok((found, known));
        };
        let found = match found {
            Found::Record(there) if is_further(&there, draft) => Found::Record(there),
            Found::Record(_) | Found::Nothing => Found::Record(Box::new(draft.clone())),
            broken => broken,
        };
        Ok((found, known))
    }

    fn save(&self, record: &Record, known: &Snapshot) -> Result<Saved, SaveError> {
        self.store.save(record, known)
    }

    fn restore(&self, id: &str, previous: &Snapshot, known: &Snapshot) -> Result<Saved, SaveError> {
        self.store.restore(id, previous, known)
    }

    fn elsewhere(&self, sha256: &str, id: &str) -> Option<Box<Record>> {
        Records::elsewhere(&*self.store, sha256, id)
    }

    fn prepare(&self) {
        self.store.build_index();
    }
}

/// Whether a record was made in a sitting like this: it keeps every review, and is a draft or has one more.
fn is_further(there: &Record, draft: &Record) -> bool {
    let more = there.reviews.len() > draft.reviews.len();
    there.keeps_opinions_of(draft) && (more || there.verdict == Verdict::Open)
}
