//! endpaper finds where a book begins and ends in an e-book file, shows a curator why, and keeps what the curator
//! decides as ground truth.
//!
//! Lines that occur often across a corpus are boilerplate; where their frequency drops, the book begins (Kaser and
//! Lemire, *Removing Manually Generated Boilerplate from Electronic Texts*). The library builds that frequency model
//! and detects both cuts; `endpaper review` shows them on a terminal.
//!
//! # The way of one line
//!
//! Take line 258 of one book, `Etext prepared by Roger Squires  rsquires@unm.edu`, and follow it through the rooms.
//! Each room may use only those named before it.
//!
//! 1. [`corpus`] lists the files of a folder. [`corpus::list`] gives the book an id (`study10.zip!study10.txt`), its
//!    place and its stamp; [`corpus::Book::read`] inflates it, [`corpus::Text`] finds the lines and how they are encoded.
//! 2. [`line`] normalises the line (two spaces become one), sees that it is not trivial, and hashes it to a
//!    [`line::Key`].
//! 3. [`scan`] keeps key, line number and marks (`CREDITS`: it reads like a volunteer's signature) in a row of the
//!    book's [`scan::Scan`], reads the hand *Roger Squires* from it, and hashes its skeleton into the book's template.
//!    The file is not read again.
//! 4. [`frequency`] counts the key in the heads and tails of the corpus: nobody else wrote this line, so it is rare.
//!    The counts, with what made them, are a [`frequency::Model`].
//! 5. [`detect`] looks the row up. The line is infrequent, but it stands between a marker and a gap: the paper's
//!    Algorithm 1 proposes a cut before it, and the edge of its block is a ranked candidate for a better one. All of
//!    it is a [`detect::Detection`] with doubt and reasons.
//! 6. [`pipeline`] does 1 to 5 for the whole corpus in parallel, with a cache, and gives a [`pipeline::Survey`].
//! 7. `review` holds the sitting: the line is row 12 of the head pane, digit 2 puts the cut below it. Pure: what must
//!    happen outside comes back as an effect.
//! 8. `view` draws the row: number, shading glyph, and the text, made safe by [`sanitise`].
//! 9. `terminal` turns the key press into a message and the effect into a saved file.
//! 10. [`truth`] writes the record: the cut, three lines of context around it, and the curator's review.
//! 11. [`strip`] writes the body, byte for byte, without the line, and looks over what was written.
//! 12. [`evaluate`] says how well two curators agree on the cut.
//!
//! [`config`] knows the user's folders and settings, [`cli`] turns arguments into calls of all this.
//!
//! # Without a terminal
//!
//! `review`, `view` and `terminal` are behind the feature `tui`, the command line behind `cli`, both on by default. With
//! `default-features = false` the rest is a library that touches no terminal:
//!
//! ```
//! use endpaper::detect::{Parameters, propose};
//! use endpaper::frequency::built_in;
//! use endpaper::scan::{Options, scan};
//!
//! let text = b"*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\nX\n\nIt was a dark night.\n";
//! let scan = scan(text, Options::default());
//! let detection = propose(&scan, &built_in().frequencies, &Parameters::default());
//! assert_eq!(detection.cuts.preamble_end, 1);
//! ```

pub mod alternation;
mod atomic;
pub use atomic::Existing;
pub mod checksum;
#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
pub mod copies;
pub mod corpus;
pub mod detect;
pub mod evaluate;
mod files;
pub mod frequency;
mod lanes;
pub mod line;
mod names;
pub mod outline;
mod panics;
pub mod pipeline;
#[cfg(feature = "tui")]
pub mod review;
pub mod sanitise;
pub mod scan;
#[cfg(feature = "search")]
pub mod search;
pub mod strip;
#[cfg(feature = "tui")]
pub mod terminal;
pub mod truth;
#[cfg(feature = "tui")]
pub mod view;
pub mod words;
mod yaml_limits;
