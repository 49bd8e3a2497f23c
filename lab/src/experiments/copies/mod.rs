//! The experiments of Vladimir et al. (*A preliminary study on similarity-preserving digital book identifiers*): sets of
//! [corrupted](crate::corrupt) books, clustered and searched by their fingerprints, and how right that is.
//!
//! The paper's defects, and what is done about them:
//!
//! | what | here |
//! | --- | --- |
//! | section 4.2 tells of rates of 1 to 10 %, the axis of Figure 1 goes to 20 % | 0 to 20 % |
//! | section 5.1 has "standard accuracy measures" of a clustering and names none | [`pairwise`]: precision and recall over pairs of books |
//! | how k-means starts, and how often, is not told | [`plus_plus`] with 20 candidates, and of ten starts the one with the least inertia |
//! | 9k originals with 1 to 15 versions each are 72k books, with the originals 81k; the set has 75k | [`VersionSet::large`]: versions only, of as many originals as it takes |
//! | section 5.2 has precision and recall of every query, not how they become one number, and divides by nothing where nothing is returned | [`retrieval`]: means over the queries for which they are defined, F1 of these means; and over pairs |
//! | five bands of 24 bits leave 8 of 128 | they are in no band ([`endpaper_detect::copies::bands`]) |

mod grouping;
mod kmeans;
mod pieces;
mod retrieval;
mod set;

pub use grouping::{Score, pairwise};
pub use kmeans::{Clustering, k_means, plus_plus};
pub use pieces::{cut, pieces};
pub use retrieval::{PairSelection, QueryFingerprint, RetrievalScore, retrieval};
pub use set::{Version, VersionSet};
