//! Synthetic news pages like those of 2001 in *Eliminating Useless Parts in Semi-structured Documents Using Alternation Counts*, whose pages are
//! lost. `sets` returns its five sets in their sizes; [`Site`] makes the pages of one site.
//!
//! The pages follow what the paper states and shows (sections 4.2 to 4.4, Figures 4 and 5), so that they are as difficult:
//!
//! | the paper's pages | here |
//! | --- | --- |
//! | 31 to 65 kB with an article each; 13 kB; 3.7 kB | the same sizes, and the share of correct letters that follows from the paper's three figures: with accuracy A, recall R and precision P it is (1 - A) / (1 - R + R (1 / P - 1)): 13, 4, 11 and 33 % |
//! | a template with navigation, categories, file names, dates, page numbers | a template per site, navigation per section, such fields in every page |
//! | unique substrings in the header cost precision | included, with captions, links to other articles and numbers of advertisements |
//! | the headline also in the title (WPOST), one title for all (YOMIURI) | the same |
//! | frequent beginnings and ends of sentences cost recall | persons, agencies and phrases by Zipf's law; endings of Japanese sentences |
//! | stories with several articles that share a long phrase ("Mr. Tsuta's death") | every fourth article belongs to a shared story |
//! | 14 pages of YOMIURI that are not articles, the shortest of 297 bytes | the same |
//!
//! English prose is real, from books. Japanese is a grammar of news sentences over a vocabulary by Zipf's law, since there are no Japanese books to
//! take it from: words repeat as in news, and the sentences are nonsense.
//!
//! This module does not use the detector, and nothing was fitted to it. The same prose and draw give the same pages.

mod article;
mod chrome;
mod draw;
mod japanese;
mod latimes;
mod page;
mod prose;
mod sankei;
mod sets;
mod site;
#[cfg(test)]
mod tests;
mod wpost;
mod yomiuri;

pub use page::MadePage;
pub use prose::Prose;
pub use sets::{PageScores, PageSet, Reported, sets};
pub use site::Site;
