//! Counting lines and finding cuts.
//!
//! [`frequency`] counts the lines of a corpus, and [`propose()`] finds where a book begins and ends. [`pipeline`] does
//! both for a whole corpus, in parallel and with a cache. [`alternation`] finds text that documents share without using
//! lines, and [`copies`] finds books with the same text.
//!
//! Cuts are proposed by [`propose()`] only: by Algorithm 1 of Kaser & Lemire (`gap`) with the markers of their section
//! 3.4, or by the posterior. It returns ranked candidates for both ends, and a doubt with named reasons. It takes
//! microseconds, so candidates, what-if and counterfactuals are the same call with other [`Parameters`]:
//!
//! ```
//! use endpaper_detect::frequency::built_in;
//! use endpaper_detect::{Parameters, propose};
//! use endpaper_text::scan::{WindowOptions, scan};
//!
//! let text = b"*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\nX\n\nIt was a dark night.\n";
//! let scan = scan(text, WindowOptions::default());
//! let detection = propose(&scan, &built_in().frequencies, &Parameters::default());
//! assert_eq!(detection.cuts.preamble_end, 1);
//! ```

pub mod alternation;
mod calibration;
mod candidates;
mod change;
pub mod copies;
mod corpus_profiles;
mod cuts;
mod detection;
mod doubt;
mod doubt_reasons;
#[cfg(test)]
mod drawn_book;
mod edges;
mod evidence;
mod evidence_fact;
mod evidence_list;
mod evidence_text;
mod findings;
pub mod frequency;
mod gap;
mod kind;
mod markers;
mod minimise;
mod parameters;
pub mod pipeline;
mod policy;
pub mod posterior;
mod profile_name;
mod propose;
mod reason;
mod row_counts;
mod second_opinions;
#[cfg(test)]
mod tests;
mod view;

pub use change::Correction;
pub use corpus_profiles::{CorpusProfiles, ProfileAssignment, has_known_lines};
pub use cuts::{Cuts, End};
pub use detection::{Candidate, CandidateSource, Detection, InsideBlock};
pub use evidence_fact::{Evidence, Fact};
pub use evidence_list::EvidenceList;
pub use kind::BlockKind;
pub use parameters::{Method, Parameters};
pub use policy::Policy;
pub use profile_name::ProfileName;
pub use propose::propose;
pub use reason::{Reason, UnknownReason};
pub use second_opinions::SecondOpinions;
