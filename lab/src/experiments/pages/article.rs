//! Articles, before a site's template is applied.

use super::draw::{any, often, zipf};
use super::japanese::Japanese;
use super::prose::Prose;
use crate::experiments::SampleRandom;

/// Number of sections of every site.
pub(super) const SECTIONS: usize = 6;

/// A newspaper article, invented, with what a site's template prints around it.
#[derive(Clone, Debug)]
pub(super) struct Article {
    pub headline: String,
    pub author: String,
    pub section: usize,
    /// Day of January 2001.
    pub day: usize,
    /// Minute of the day.
    pub minute: usize,
    /// Unique number.
    pub number: usize,
    pub paragraphs: Vec<String>,
    /// Caption of the picture, if there is one.
    pub caption: Option<String>,
}

impl Article {
    /// Hour and minute.
    pub fn time(&self) -> (usize, usize) {
        (self.minute / 60, self.minute % 60)
    }
}

/// A writer of articles in one language; the number is their mean length (bytes, or characters in Japanese).
pub(super) enum Press<'a, 'b> {
    English(&'a mut Prose<'b>, usize),
    Japanese(&'a mut Japanese, usize),
}

impl<'a, 'b> Press<'a, 'b> {
    /// Writes articles of `length` bytes on average, of real prose.
    pub fn english(prose: &'a mut Prose<'b>, length: usize) -> Press<'a, 'b> {
        Press::English(prose, length)
    }

    /// Writes articles of `length` characters on average.
    pub fn japanese(japanese: &'a mut Japanese, length: usize) -> Press<'a, 'b> {
        Press::Japanese(japanese, length)
    }

    /// Returns `count` articles. Every fourth belongs to a story shared with others, with the same person and phrase.
    pub fn articles(&mut self, count: usize, random: &mut SampleRandom) -> Vec<Article> {
        let stories: Vec<String> = (0..count / 16 + 1).map(|_| self.phrase(random)).collect();
        let mut number = 31_000;
        let article = |at| {
            number += 1 + random.below(60);
            let story = (at % 4 == 0).then(|| often(&stories, random).clone());
            let phrase = story.unwrap_or_else(|| self.phrase(random));
            self.article(number, &phrase, random)
        };
        (0..count).map(article).collect()
    }

    fn article(&mut self, number: usize, phrase: &str, random: &mut SampleRandom) -> Article {
        let share = 40 + random.below(60) + random.below(60);
        let (headline, author, paragraphs, caption) = match self {
            Press::English(prose, length) => {
                let paragraphs = english(prose, *length * share / 100, phrase, random);
                let headline = title(
                    paragraphs.last().map_or("", String::as_str),
                    4 + random.below(6),
                );
                let caption = title(paragraphs.first().map_or("", String::as_str), 14);
                (headline, name(random), paragraphs, caption)
            }
            Press::Japanese(japanese, length) => (
                japanese.headline(random),
                japanese.person(random),
                japanese.paragraphs(*length * share / 100, phrase, random),
                japanese.headline(random),
            ),
        };
        Article {
            headline,
            author,
            section: zipf(SECTIONS, random),
            day: 1 + random.below(28),
            minute: random.below(24 * 60),
            number,
            paragraphs,
            caption: random.chance(0.3).then_some(caption),
        }
    }

    fn phrase(&self, random: &mut SampleRandom) -> String {
        match self {
            Press::English(..) => format!(
                "{}, {} {}",
                name(random),
                often(&ROLES, random),
                any(&OFFICES, random)
            ),
            Press::Japanese(japanese, _) => japanese.phrase(random),
        }
    }
}

const FIRST: [&str; 16] = [
    "George", "John", "Kathleen", "David", "Mary", "Robert", "William", "Susan", "James", "Linda",
    "Peter", "Edward", "Glenn", "Helen", "Walter", "Ruth",
];

const LAST: [&str; 24] = [
    "Bush",
    "Day",
    "McColl",
    "Powell",
    "Ashcroft",
    "Davis",
    "Johnson",
    "Miller",
    "Crutchfield",
    "Mackin",
    "Norton",
    "Baker",
    "Thompson",
    "Greenspan",
    "Harris",
    "Wolfowitz",
    "Sanchez",
    "Whitman",
    "Allen",
    "Murray",
    "Kim",
    "Feinstein",
    "Brown",
    "Lott",
];

const ROLES: [&str; 8] = [
    "a spokesman for",
    "a former member of",
    "the chairman of",
    "who until a few years ago worked at",
    "a senior analyst with",
    "the deputy director of",
    "an attorney for",
    "a longtime friend of",
];

const OFFICES: [&str; 10] = [
    "the Senate Judiciary Committee",
    "First Union",
    "the Department of Energy",
    "Bank of America",
    "the Pacific Gas and Electric Co.",
    "the Los Angeles County Board of Supervisors",
    "the Federal Reserve Board",
    "the National Transportation Safety Board",
    "the University of Maryland",
    "the Metropolitan Police Department",
];

const CITIES: [&str; 10] = [
    "WASHINGTON",
    "SACRAMENTO",
    "LOS ANGELES",
    "NEW YORK",
    "CHARLOTTE, N.C.",
    "LONDON",
    "JERUSALEM",
    "MOSCOW",
    "TOKYO",
    "RICHMOND",
];

const SAID: [&str; 8] = [
    "said in a statement released yesterday.",
    "said in a telephone interview.",
    "told reporters at a news conference Monday.",
    "declined to comment on the matter.",
    "said yesterday.",
    "could not be reached for comment.",
    "said he was not surprised.",
    "told the Associated Press.",
];

fn name(random: &mut SampleRandom) -> String {
    format!("{} {}", often(&FIRST, random), often(&LAST, random))
}

/// Paragraphs of real prose with the features of news: place, quoted person and agency.
fn english(
    prose: &mut Prose<'_>,
    length: usize,
    phrase: &str,
    random: &mut SampleRandom,
) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut written = 0;
    while written < length {
        let mut paragraph = prose.paragraph();
        if paragraph.is_empty() {
            break;
        }
        if paragraphs.is_empty() {
            paragraph = format!(
                "{}, Jan. {} -- {paragraph}",
                often(&CITIES, random),
                1 + random.below(28)
            );
        }
        match random.below(6) {
            0 => paragraph += &format!(" {phrase}, {}", often(&SAID, random)),
            1 => paragraph += &format!(" {} {}", name(random), often(&SAID, random)),
            _ => {}
        }
        written += paragraph.len();
        paragraphs.push(paragraph);
    }
    if random.chance(0.2) {
        paragraphs.push("The Associated Press contributed to this report.".to_owned());
    }
    paragraphs
}

/// The first `words` words, in capitals.
fn title(text: &str, words: usize) -> String {
    let words = text.split(' ').take(words).map(|word| {
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).collect::<String>()
    });
    let title = words.collect::<Vec<_>>().join(" ");
    title
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_owned()
}
