//! Boilerplate that is not made of lines: the alternation detector.
//!
//! What many documents have in common is useless, whatever its language and its markup. Documents are strings; an n-gram is
//! useless if it is among the top a percent of all different n-grams by frequency, and so is every character that a useless
//! n-gram covers. The *alternation count* is the number of boundaries between useless and useful text in all documents; the
//! cut point (n, a) is one where it is locally least. After *Eliminating Useless Parts in Semi-structured Documents Using
//! Alternation Counts*, which calls the search FindOptimal.
//!
//! ```
//! use endpaper_detect::alternation::{FoldedDocuments, Optimum, Ties};
//!
//! let mut documents = FoldedDocuments::default();
//! for news in ["rain falls on Paris", "the king of Siam laughs", "ships are late"] {
//!     let page = format!("<html><head><body><h1>The Daily News</h1><p>{news}</p><hr>copyright</body></html>");
//!     documents.push(page.as_bytes())?;
//! }
//! let found = Optimum::find(&documents, Ties::default(), |_| {});
//! assert_eq!((found.path()[0].n, found.path()[0].a), (2, 1));
//! assert!(found.best().alternations <= found.path()[0].alternations);
//! # Ok::<(), endpaper_detect::alternation::TooMuchText>(())
//! ```
//!
//! # Decisions
//!
//! The paper's text and its printed code differ, or leave questions open:
//!
//! - **Letters are Unicode scalar values.** The paper measures n in letters of English and of Japanese alike (its cut point
//!   for Japanese is 8, its example there a phrase of 11 characters); of a byte n-gram with n = 2 not even one such letter
//!   would be whole.
//! - **An occurrence covers n letters.** The code of Fig. 2 marks `r[i..i + n]`, one more than the definition in section 2.1,
//!   whose example has the range string that n letters give.
//! - **The top a percent are the first ⌈a/100 · number of different n-grams⌉** of the sorted array, where the code says "the
//!   a/100-th".
//! - **Ties are kept together**, unless [`Ties::First`] is asked for. The sorted array leaves open which of equally frequent
//!   n-grams are among its first. [`Ties::Group`] takes all that are as frequent as the last one wanted: section 1 says that
//!   an n-gram is useless if its frequency is in the top a percent of the frequencies. The n-grams of a template occur as
//!   often as there are pages, so ties are the rule. [`Ties::First`] takes exactly as many as wanted, in the order of their
//!   first offset in the documents, which keeps the parts of a template together; the order of a hash table breaks them up.
//! - **An n-gram that occurs once is never frequent**, even if the top a percent would include it: otherwise everything
//!   would be useless, without any alternation.
//! - **Documents end.** The code joins all documents to one string; the definition adds up the counts of each. Here no
//!   n-gram spans two documents, and the end of a document is not a boundary.
//! - **A step needs fewer alternations**; where both next cut points have equally few, n increases (Fig. 3; the definition
//!   of a path asks for strictly less). The loop ends at a = 100 (Fig. 3), at the length of the longest document, at n =
//!   [`MAX_NGRAM`], and before an n at which nothing occurs twice: a minimum without useless text would be meaningless.
//!
//! A local minimum is all that the paper asks for. Its sets have 3 to 5 MB; in 100 MB of pages, the number of different
//! n-grams that repeat can be large enough for the path to increase a, not n, until everything that repeats is useless.
//!
//! # Accuracy
//!
//! [`LetterAgreement`] has the paper's accuracy, recall and precision, compared with the ranges of [`correct_ranges()`]. On
//! generated news pages of the paper's sizes (`lab figures --pages`), the accuracy is 0.975, 0.984, 0.963, 0.985 and 0.961
//! for WPOST, YOMIURI, WP-LA, SA-YO and SA-LA, where the paper has 0.975, 0.992, 0.965, 0.994 and 0.959. Other readings of
//! the paper were tried:
//!
//! - [`Ties::First`]: better on the generated sets (0.986, 0.996, 0.981, 0.995, 0.974); on real documentation worse as
//!   often as better (0.817 for 0.892 on `sqlite3-doc`, 0.777 for 0.806 on `installation-guide-amd64`; 0.936 for 0.889 on
//!   release notes, 0.815 for 0.793 on `gimp-help-en`; equal on `lilypond-doc-html`). Ties in order of a hash table are
//!   between the two.
//! - Ties excluded together: worse on WPOST, WP-LA, SA-LA and `sqlite3-doc` (0.949, 0.952, 0.940, 0.817).
//! - The top a percent of the different frequencies, or of all occurrences: 0.08 to 0.4 on the generated sets and on those of
//!   `lilypond-doc-html`; nearly nothing is useless at the optimum.
//! - n-grams that occur once may be frequent: no difference, the search never gets that far.
//! - n + 1 letters for each occurrence, as in Fig. 2: the same within 0.003, but SA-LA ends where next to nothing is useful
//!   (0.888) and `sqlite3-doc` falls to 0.807. Bytes for letters: the same in English, 0.949 for 0.984 in YOMIURI, 0.914
//!   for 0.985 in SA-YO.
//! - n-grams with a delimiter only at their ends, as the conclusion suggests: worse everywhere. With `<` and `>`, 0.812 for
//!   0.975 in WPOST, 0.967 for 0.984 in YOMIURI, 0.729 for 0.960 in SA-LA, 0.700 for 0.892 on `sqlite3-doc`, 0.966 for 0.976
//!   on `lilypond-doc-html-ja`; with `.` and `?` too, 0.827, 0.967, 0.854, 0.606 and 0.966. Short tags side by side are in
//!   no n-gram that is longer than they are, so that what is most certainly template becomes useful.
//!
//! High accuracy needs pages that are mostly template, like those of the paper's three large sites (87 to 96 % of their
//! letters). Where bodies are most of the page and have their own markup (DocBook, API documentation), that markup is
//! frequent and the text between is short.
//!
//! # Mixed sets
//!
//! In a mixed set (section 4.3), the template of a small site may be too rare. [`Optimum::with_sites`] searches documents that
//! share a template apart and takes their own cut point where they have fewer alternations there.
//!
//! # Cost
//!
//! With N characters and the optimum at (n, a): O((n + a) N) time (the paper: O(n² N + n N log N)). The offsets of n-grams
//! that occur at least twice are kept in groups. A step to n + 1 splits the groups by one character, small ones (256 at
//! most) by sorting, and drops n-grams that now occur once. A suffix array would give all n at once, but sorting by 30
//! characters is less work than sorting by all, and no LCP array is needed. Counting alternations is one pass over the
//! text.
//!
//! Memory, in bytes for each byte of folded text, at most: 2 for the text (which grows by doubling), 4 for the offsets, 2
//! for the levels at n and n + 1, and 8 for each member of the groups that are being split (about 1.5 in English, where a
//! fifth of all characters are spaces; 8 if the text is one repeated letter). That is 16 at worst; 7.5 to 9 were measured.
//! The map to the bytes of the source takes 8 for every run of more than one white space character, at worst (UTF-16) for
//! every character. Sources are not kept.
//!
//! The work is shared among the threads of the current rayon pool; the result does not depend on their number.

mod correct;
mod documents;
mod ends;
mod fold;
mod frequent;
mod grams;
mod levels;
mod part;
mod search;
mod site_cuts;
mod sites;
#[cfg(test)]
mod tests;
mod ties;

pub use correct::{Delimiters, LetterAgreement, correct_ranges};
pub use documents::{FoldedDocuments, LARGEST, TooMuchText};
pub use ends::{ByteCuts, END_BYTES};
pub use frequent::{FrequentGrams, GramListError, built_in};
pub use part::{DocumentPart, MAX_NGRAM};
pub use search::{Optimum, START_OF_BOOKS, SearchStep, StopReason};
pub use site_cuts::SiteCut;
pub use ties::Ties;
