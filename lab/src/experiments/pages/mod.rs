//! News pages as *Eliminating Useless Parts in Semi-structured Documents Using Alternation Counts* had them in 2001, made up:
//! its own are gone. [`sets`] has its five sets in their sizes; [`Site`] makes the pages of one.
//!
//! What is made up follows what the paper tells and shows (sections 4.2 to 4.4, Figures 4 and 5), so that its difficulties
//! are there too:
//!
//! | what the paper has | here |
//! | --- | --- |
//! | pages of 31 to 65 kB with an article each; 13 kB; 3.7 kB | so large, with the share of correct letters that follows from its three figures: with accuracy A, recall R and precision P it is (1 - A) / (1 - R + R (1 / P - 1)): 13, 4, 11 and 33 % |
//! | a template with navigation, categories, file names, dates, page numbers | a template for each site, navigation for each section, such fields in every page |
//! | unique substrings in the header cost precision | they are there, and captions, links to other articles and numbers of advertisements |
//! | the headline also in the title (WPOST), one title for all (YOMIURI) | so |
//! | beginnings and ends of sentences that are frequent cost recall | persons, agencies and phrases by Zipf's law; endings of Japanese sentences |
//! | stories with several articles, with one long phrase ("Mr. Tsuta's death") | every fourth article is of a story that others are of too |
//! | 14 pages of YOMIURI that are no articles, 297 bytes the shortest | so |
//!
//! English prose is real, from books; Japanese is a grammar of news sentences over a vocabulary by Zipf's law, since there are
//! no Japanese books to take it from: it repeats its words as news do, and its sentences are nonsense.
//!
//! Nothing here knows of the detector, and nothing was fitted to it. The same prose and draw give the same pages.

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

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadePage {
    /// Its file name.
    pub name: String,
    /// Its source.
    pub html: String,
}

impl Site {
    /// As the paper calls it.
    pub fn name(self) -> &'static str {
        match self {
            Site::Wpost => "WPOST",
            Site::Latimes | Site::LatimesLarge => "LATIMES",
            Site::Yomiuri => "YOMIURI",
            Site::Sankei => "SANKEI",
        }
    }

    /// Between what headlines and bodies stand.
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

    /// So many pages, noise among them; `prose` is used up by sites in a Latin script. Another draw has other articles in the
    /// same template.
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

/// A place from 0 on below `limit`, the first most often: about by Zipf's law, in whole numbers so that it is the same on
/// every machine.
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

/// One of these, the first most often.
fn often<'a, T>(of: &'a [T], random: &mut SampleRandom) -> &'a T {
    &of[zipf(of.len(), random)]
}

/// One of these.
fn any<'a, T>(of: &'a [T], random: &mut SampleRandom) -> &'a T {
    &of[random.below(of.len())]
}
