//! The sites of the paper.

use super::article::Press;
use super::japanese::Japanese;
use super::page::MadePage;
use super::prose::Prose;
use super::{latimes, sankei, wpost, yomiuri};
use crate::experiments::{SampleRandom, mix};
use endpaper_detect::alternation::Delimiters;

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
