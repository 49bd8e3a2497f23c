//! Cost of a book in keys, as in `--example keys`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use endpaper_detect::frequency::Frequencies;
use endpaper_detect::posterior::Profile;
use endpaper_detect::{Cuts, Method, Parameters};
use endpaper_review::BookPage;
use endpaper_text::corpus::{BookText, MAX_SIZE};

use super::replay::{Cost, Player};
use super::review::SittingBook;

const PLAYER: Player = Player {
    width: 80,
    height: 24,
};
/// Cost of a book for which no key sequence was found.
const UNREACHED_COST: usize = 20;

/// Keys, every Enter included: of a curator who knows the positions, and of one who searches for them.
#[derive(Clone, Copy, Default)]
pub struct KeyCosts {
    pub informed: usize,
    pub searching: usize,
}

impl std::ops::AddAssign for KeyCosts {
    fn add_assign(&mut self, other: KeyCosts) {
        self.informed += other.informed;
        self.searching += other.searching;
    }
}

impl KeyCosts {
    pub fn both(keys: usize) -> KeyCosts {
        KeyCosts {
            informed: keys,
            searching: keys,
        }
    }
}

/// Costs of the books of one corpus, each computed once per pair of shown cuts. The digits are those of the weights at the start of the sitting.
pub struct Costs<'a> {
    frequencies: &'a Frequencies,
    weights: Arc<Profile>,
    method: Method,
    cache: Mutex<HashMap<(usize, Cuts), KeyCosts>>,
}

impl<'a> Costs<'a> {
    pub fn new(frequencies: &'a Frequencies, weights: &Profile, method: Method) -> Costs<'a> {
        Costs {
            frequencies,
            weights: Arc::new(weights.clone()),
            method,
            cache: Mutex::default(),
        }
    }

    /// Returns the keys from the shown cuts to the label, and to the verdict.
    pub fn of(&self, at: usize, book: &SittingBook<'_>, shown: Cuts) -> Result<KeyCosts> {
        let known = || self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(keys) = known().get(&(at, shown)) {
            return Ok(*keys);
        }
        let parameters = Parameters {
            weights: Some(self.weights.clone()),
            method: self.method,
            ..Parameters::default()
        };
        let text = BookText::new(book.report.book.read(MAX_SIZE)?);
        let mut page = BookPage::new(text, self.frequencies, &parameters);
        page.detection.cuts = page.snap_cuts(shown);
        let played = PLAYER.play(&Arc::new(page), (book.first, book.last));
        let keys = |cost: &Cost| cost.total(true).unwrap_or(UNREACHED_COST);
        let keys = KeyCosts {
            informed: keys(&played.informed),
            searching: keys(&played.searching),
        };
        known().insert((at, shown), keys);
        Ok(keys)
    }
}
