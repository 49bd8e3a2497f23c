//! Parameters of detection.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use super::CorpusProfiles;
use super::Policy;
use endpaper_text::named_enum;

/// Everything that determines where a book is cut. Every field is part of a cache key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// A line is frequent if its frequency is greater than this (the paper's K = 10).
    pub threshold: u64,
    /// Number of infrequent lines in a row that ends a preamble or epilogue (GAP_MAX = 10).
    pub gap: u32,
    /// Size of the head window in non-trivial lines (p_max = 300).
    pub head: u32,
    /// Size of the tail window in non-trivial lines (e_max = 300).
    pub tail: u32,
    /// Whether the rules of section 3.4 are used.
    pub heuristics: bool,
    /// The detector.
    pub method: Method,
    /// Which kinds of blocks belong to the book (posterior only).
    pub policy: Policy,
    /// The profiles of the posterior; `None`: chosen by the corpus, or by each book where there is none.
    pub profiles: Option<Arc<CorpusProfiles>>,
}

impl Parameters {
    /// The profiles of the posterior in use.
    pub fn profiles(&self) -> &CorpusProfiles {
        static DEFAULT: LazyLock<CorpusProfiles> = LazyLock::new(CorpusProfiles::default);
        self.profiles.as_deref().unwrap_or(&DEFAULT)
    }
}

/// The detectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Method {
    /// Algorithm 1 of Kaser & Lemire and their markers.
    Gap,
    /// The most probable cuts, from evidence with fitted weights.
    #[default]
    Posterior,
}

named_enum!(Method, "detector", {
    Posterior => "posterior",
    Gap => "gap",
});

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            threshold: 10,
            gap: 10,
            head: 300,
            tail: 300,
            heuristics: true,
            method: Method::default(),
            policy: Policy::default(),
            profiles: None,
        }
    }
}
