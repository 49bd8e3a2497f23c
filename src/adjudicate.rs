//! `endpaper review --adjudicate`: shows only the books that reviewers disagree on, with the opinion of each on a digit key.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::truth::to_merge;
use endpaper_command::output::warn;
use endpaper_review::adjudication::Adjudication;
use endpaper_text::corpus::Listing;
use endpaper_truth::Store;

/// Arguments that make a sitting one of adjudication.
#[derive(Debug, clap::Args)]
pub struct AdjudicateArgs {
    /// Decide the books on which two truth folders differ, each given with --adjudicate, or, with one folder, its conflict copies.
    /// Decisions are saved in --truth, with the reviews and notes of all reviewers
    #[arg(long, value_name = "DIR", conflicts_with = "blind")]
    pub adjudicate: Vec<PathBuf>,

    /// The truth folder that all started from
    #[arg(long, value_name = "DIR", requires = "adjudicate")]
    pub base: Option<PathBuf>,

    /// Show the names of the reviewers (with --adjudicate)
    #[arg(long, requires = "adjudicate")]
    pub show_names: bool,
}

impl AdjudicateArgs {
    /// Returns the disputes between the folders that `into` does not resolve, and limits the listing to their books; `None` without
    /// `--adjudicate`.
    pub fn limit(&self, into: &Store, listing: &mut Listing) -> Result<Option<Adjudication>> {
        if self.adjudicate.is_empty() {
            return Ok(None);
        }
        let (found, base, _) = to_merge(&self.adjudicate, self.base.as_ref())?;
        ensure!(
            self.adjudicate.len() <= 2,
            "two truth folders can be compared; merge others first with `endpaper truth merge`"
        );
        for (folder, side) in self.adjudicate.iter().zip(&found) {
            let folder = folder.display();
            ensure!(
                self.adjudicate.len() < 2 || !side.books.is_empty(),
                "'{folder}' holds no records; --adjudicate names truth folders"
            );
        }
        let adjudication =
            Adjudication::find_disputes(&found, base.as_ref(), into, self.show_names)?;
        let missing = adjudication.limit(listing)?;
        if missing > 0 {
            warn(&format!(
                "{missing} books to adjudicate are not in this corpus"
            ));
        }
        Ok(Some(adjudication))
    }
}
