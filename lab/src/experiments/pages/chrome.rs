//! Page furniture around articles: menus, scripts and tables of spacers, identical wherever a site shows them.

use super::article::SECTIONS;
use super::draw::any;
use crate::experiments::{SampleRandom, mix};

/// Words of names and paths.
const WORDS: [&str; 48] = [
    "news",
    "sports",
    "business",
    "metro",
    "style",
    "travel",
    "opinion",
    "weather",
    "markets",
    "columns",
    "politics",
    "nation",
    "world",
    "health",
    "science",
    "education",
    "religion",
    "books",
    "movies",
    "music",
    "theater",
    "dining",
    "home",
    "garden",
    "autos",
    "jobs",
    "realestate",
    "rentals",
    "classifieds",
    "archives",
    "photos",
    "video",
    "live",
    "discussion",
    "email",
    "wireless",
    "shopping",
    "personals",
    "comics",
    "crosswords",
    "horoscopes",
    "lottery",
    "traffic",
    "schools",
    "community",
    "guide",
    "calendar",
    "contact",
];

/// Words of Japanese names.
const NAMES: [&str; 24] = [
    "社会",
    "経済",
    "政治",
    "国際",
    "スポーツ",
    "文化",
    "科学",
    "教育",
    "医療",
    "暮らし",
    "天気",
    "地域",
    "社説",
    "コラム",
    "写真",
    "特集",
    "連載",
    "求人",
    "不動産",
    "旅行",
    "本",
    "音楽",
    "映画",
    "お知らせ",
];

/// Section names in paths and fields.
pub(super) const PATHS: [&str; SECTIONS] =
    ["nation", "metro", "business", "world", "sports", "style"];

/// Returns a menu of `entries` names and paths; the same seed gives the same menu.
pub(super) fn menu(seed: u64, entries: usize, entry: impl Fn(&str, &str) -> String) -> String {
    made(seed, entries, &WORDS, entry)
}

/// Returns a menu with Japanese names.
pub(super) fn japanese_menu(
    seed: u64,
    entries: usize,
    entry: impl Fn(&str, &str) -> String,
) -> String {
    made(seed, entries, &NAMES, entry)
}

fn made(seed: u64, entries: usize, names: &[&str], entry: impl Fn(&str, &str) -> String) -> String {
    let mut random = SampleRandom::new(mix(seed));
    let one = |_| {
        let (name, more) = (any(names, &mut random), any(names, &mut random));
        let path = format!(
            "{}/{}{}",
            any(&WORDS, &mut random),
            any(&WORDS, &mut random),
            random.below(90)
        );
        entry(&format!("{name} {more}"), &path)
    };
    (0..entries).map(one).collect()
}

/// Returns a script of `lines` lines.
pub(super) fn script(seed: u64, lines: usize) -> String {
    let mut random = SampleRandom::new(mix(seed));
    let line = |at| {
        let (one, other) = (any(&WORDS, &mut random), any(&WORDS, &mut random));
        match random.below(4) {
            0 => format!(
                "function {one}{at}({other}) {{ document.{one}_{at}.submit(); return {other}; }}\n"
            ),
            1 => format!(
                "if (navigator.appVersion.indexOf(\"{one}\") != -1) {{ var {other}{at} = new Image({at}, 16); }}\n"
            ),
            2 => format!(
                "var {one}{at} = \"http://ads.example.com/{other}/{}\";\n",
                random.below(9_000)
            ),
            _ => format!("  {one}.src = \"/images/{other}_{at}_on.gif\";\n"),
        }
    };
    (0..lines).map(line).collect()
}

/// Returns one of a few dozen advertisements, with a number unique to the page.
pub(super) fn advertisement(random: &mut SampleRandom) -> String {
    let one = random.below(30);
    let (client, copy) = (any(&WORDS, &mut SampleRandom::new(one as u64)), one % 7);
    format!(
        "<A HREF=\"http://ads.example.com/click.ng/site={client}&amp;copy={copy}&amp;ord={}\"><IMG SRC=\"http://ads.example.com/\
        image.ng/{client}{one}.gif\" WIDTH=\"468\" HEIGHT=\"60\" BORDER=\"0\" ALT=\"Click here for {client}\"></A>\n",
        random.below(100_000_000)
    )
}
