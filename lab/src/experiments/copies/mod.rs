//! The experiments of Vladimir et al. (*A preliminary study on similarity-preserving digital book identifiers*): sets of [corrupted](crate::corrupt)
//! books are clustered and searched by their fingerprints, and the results are scored.
//!
//! Gaps in the paper and how they are filled:
//!
//! | paper | here |
//! | --- | --- |
//! | section 4.2 mentions rates of 1 to 10 %, the axis of Figure 1 extends to 20 % | 0 to 20 % |
//! | section 5.1 mentions "standard accuracy measures" of a clustering without naming them | [`pairwise`]: precision and recall over pairs of books |
//! | the initialisation and the number of starts of k-means are not stated | [`plus_plus`] with 20 candidates; the best of ten starts by inertia |
//! | 9k originals with 1 to 15 versions each are 72k books, 81k with the originals; the set has 75k | [`VersionSet::large`]: versions only, of as many originals as needed |
//! | section 5.2 has precision and recall per query, does not state how they are averaged, and divides by zero if nothing is returned | `retrieval`: means over the queries for which they are defined, F1 of these means; and over pairs |
//! | section 5.1 evaluated "different n-gram lengths", of characters and words, and does not tell which | characters 2 to 10, words 1 to 3 ([`FEATURE_CHOICES`]) |
//! | section 4.1 has "an arbitrary (cryptographic) hash function" | nine of them compared ([`HASH_FUNCTIONS`]) |
//! | five bands of 24 bits leave 8 of 128 | these bits are in no band ([`endpaper_detect::copies::bands`]) |

mod features;
mod grouping;
mod kmeans;
mod pieces;
mod retrieval;
mod set;

pub use features::{
    FEATURE_CHOICES, FeatureChoice, HASH_FUNCTIONS, HashFunction, MeanRemover, balances, signs,
};
pub use grouping::{Score, pairwise};
pub use kmeans::{Clustering, k_means, plus_plus};
pub use pieces::{cut, pieces};
pub use retrieval::{PairSelection, QueryFingerprint, RetrievalScore, retrieval};
pub use set::{Version, VersionSet};
