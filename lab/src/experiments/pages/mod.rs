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
mod japanese;
mod latimes;
mod prose;
mod sankei;
mod sets;
#[cfg(test)]
mod tests;
mod wpost;
mod yomiuri;

use super::{SampleRandom, mix};
use article::Press;
use endpaper_detect::alternation::Delimiters;
use japanese::Japanese;
pub use prose::Prose;
pub use sets::{PageScores, PageSet, Reported, sets};

/// A site of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// The Washington Post.
    Wpost,
    /// Los Angeles Times, with pages as large as those mixed with WPOST: 61 kB.
    LatimesLarge,
    /// Los Angeles Times, with pages as large as those mixed with SANKEI: 30 kB.
    Latimes,
    /// Yomiuri On-Line.
    Yomiuri,
    /// The Sankei Shimbun.
    Sankei,
}

/// A synthetic page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadePage {
    /// File name.
    pub name: String,
    /// HTML source.
    pub html: String,
}

impl Site {
    /// The paper's name of the site.
    pub fn name(self) -> &'static str {
        match self {
            Site::Wpost => "WPOST",
            Site::Latimes | Site::LatimesLarge => "LATIMES",
            Site::Yomiuri => "YOMIURI",
            Site::Sankei => "SANKEI",
        }
    }

    /// The delimiters around headlines and bodies.
    pub fn delimiters(self) -> Vec<Delimiters> {
        let pairs = match self {
            Site::Wpost => wpost::DELIMITERS,
            Site::Latimes | Site::LatimesLarge => latimes::DELIMITERS,
            Site::Yomiuri => yomiuri::DELIMITERS,
            Site::Sankei => sankei::DELIMITERS,
        };
        pairs
            .iter()
            .map(|(left, right)| Delimiters::new(left, right))
            .collect()
    }

    /// Makes `count` pages, noise included.
    ///
    /// Sites in a Latin script consume `prose`. Another `draw` has other articles in the same template.
    pub fn pages(self, count: usize, draw: u64, prose: &mut Prose<'_>) -> Vec<MadePage> {
        let mut random = SampleRandom::new(mix(draw) ^ (2001 + self as u64));
        match self {
            Site::Wpost => {
                let articles = Press::english(prose, 4_700).articles(count, &mut random);
                wpost::pages(&articles, &mut random)
            }
            Site::Latimes => {
                let articles = Press::english(prose, 2_700).articles(count, &mut random);
                latimes::pages(&articles, latimes::SMALL, &mut random)
            }
            Site::LatimesLarge => {
                let articles = Press::english(prose, 6_000).articles(count, &mut random);
                latimes::pages(&articles, latimes::LARGE, &mut random)
            }
            Site::Yomiuri => {
                let mut japanese = Japanese::new(&mut random);
                let noise = count * 14 / 198;
                let articles =
                    Press::japanese(&mut japanese, 420).articles(count - noise, &mut random);
                yomiuri::pages(&articles, noise, &mut random)
            }
            Site::Sankei => {
                let mut japanese = Japanese::new(&mut random);
                let articles = Press::japanese(&mut japanese, 650).articles(count, &mut random);
                sankei::pages(&articles, &mut random)
            }
        }
    }
}

/// Returns an index below `limit`, approximately by Zipf's law with 0 the most frequent. Uses integers only, so that results are the same on every
/// machine.
fn zipf(limit: usize, random: &mut SampleRandom) -> usize {
    let scales = (usize::BITS - limit.leading_zeros()) as usize;
    loop {
        let scale = 1 << random.below(scales);
        let at = scale - 1 + random.below(scale);
        if at < limit {
            return at;
        }
    }
}

/// Returns an item by Zipf's law, the first most often.
fn often<'a, T>(of: &'a [T], random: &mut SampleRandom) -> &'a T {
    &of[zipf(of.len(), random)]
}

/// Returns an item, all equally likely.
fn any<'a, T>(of: &'a [T], random: &mut SampleRandom) -> &'a T {
    &of[random.below(of.len())]
}
