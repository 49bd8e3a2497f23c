//! Near copies: books that are one text, found by short fingerprints and confirmed by their phrases.
//!
//! A [`Fingerprint`] is a simhash of 64 to 256 bits over the character n-grams of a body (Vladimir et al., *A
//! preliminary study on similarity-preserving digital book identifiers*, section 4). Bodies that differ little have
//! fingerprints that differ in few bits: [`pairs`] finds all pairs within a distance, [`bands`] nearly all of them
//! among millions. Where both texts can be read, every pair is confirmed by the phrases that both bodies have
//! ([`Phrases`]), and confirmed pairs are joined to [`clusters`]. Fingerprints can be shared without the texts
//! ([`exchange`]).
//!
//! This module reads no files: [`crate::pipeline::find_copies`] does all this for a corpus.
//!
//! ```
//! use endpaper_detect::copies::{Fingerprinter, FingerprintShape};
//!
//! let poem = "Hear the sledges with the bells, silver bells! What a world of merriment their melody foretells! \
//!     How they tinkle, tinkle, tinkle, in the icy air of night, while the stars that oversprinkle all the heavens \
//!     seem to twinkle with a crystalline delight; keeping time, time, time, in a sort of Runic rhyme";
//! let mut printer = Fingerprinter::new(FingerprintShape::default());
//! let broken = poem.replace(", ", ",\r\n").to_uppercase();
//! assert_eq!(printer.of(&poem.repeat(2)), printer.of(&broken.repeat(2)));
//! assert_eq!(printer.of("Too short to be like anything."), None);
//! ```

mod alignment;
pub mod bands;
mod bit_sliced;
pub mod clusters;
pub mod exchange;
mod fingerprint;
mod grams;
mod language_means;
mod means;
pub mod pairs;
mod part;
mod phrases;
mod release_date;
mod shape;
mod words;

pub use alignment::{BodyRange, CutAlignment, WordIndex, align_cuts, cuts_differ, transfer_cuts};
pub use fingerprint::{Fingerprint, Fingerprinter, HASH, LEAST_GRAMS};
pub use pairs::FingerprintPair;
pub use part::{fingerprint_lines, folded, text_of_lines};
pub use phrases::Phrases;
pub use release_date::{ReleaseDate, release_date};
pub use shape::{FingerprintBits, FingerprintShape, NGRAM, NGRAMS};
