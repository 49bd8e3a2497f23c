//! The venue of a reference: a journal, a series, proceedings.

use super::sentences::{sentence, text_of};
use super::title_end::{names_release, numbered_name, opens_number};
use crate::fold::fold;
use crate::metadata::{is_imprint, is_month, is_town};

/// Returns the venue: text that contains a word of journal or series names, is followed by a number, or comes after `In` or in
/// brackets. `article`: the title was quoted, as titles of articles are. A town or publisher is not a venue.
pub(super) fn venue(behind: &str, article: bool) -> Option<String> {
    let open = behind.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '(');
    if behind.trim_start().starts_with([',', ' '])
        && behind
            .trim_start_matches([',', ' '])
            .starts_with(['"', '“', '«'])
    {
        return None;
    }
    let bracketed = open.starts_with('(');
    let open = open.trim_start_matches(|c: char| !c.is_alphanumeric());
    let within = ["In: ", "In ", "in: ", "in "]
        .iter()
        .find_map(|word| open.strip_prefix(word));
    let open = within.unwrap_or(open);
    let numbered = numbered_name(open);
    let name = numbered.unwrap_or_else(|| {
        let sentence = sentence(open);
        let end = sentence.find([',', ';', '(', ')', '"', '”', ':']);
        let sentence = &sentence[..end.unwrap_or(sentence.len())];
        // `Letters 12`, but `Proc. 3rd Symposium` and `the 6th Conference`
        let end = (0..sentence.len()).find(|&at| opens_number(sentence, at));
        &sentence[..end.unwrap_or(sentence.len())]
    });
    let behind = open[name.len()..].trim_start_matches([',', ' ', '.', '(', ';']);
    let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
    let counted = numbered.is_some() || (1..=3).contains(&digits) || behind.starts_with("vol");
    let venue = text_of(name)?;
    let folded = fold(&venue);
    let count = folded.split(' ').count();
    let named = folded.split(' ').any(names_venue);
    let told = (named || counted || within.is_some() || bracketed || article)
        && venue.chars().filter(|c| c.is_alphabetic()).count() >= 3
        && venue.starts_with(char::is_uppercase)
        && count <= 14
        && (named && !is_town(&folded) || !is_imprint(&folded))
        && !is_address(&venue)
        && !names_release(open)
        && !is_edition_or_volume(&folded);
    told.then_some(venue)
}

/// Words in the names of journals, series and proceedings, folded.
const VENUES: &[&str] = &[
    "journal",
    "j",
    "transactions",
    "trans",
    "proceedings",
    "proc",
    "review",
    "letters",
    "archives",
    "archiv",
    "annals",
    "annales",
    "annalen",
    "bulletin",
    "notes",
    "conference",
    "conf",
    "symposium",
    "workshop",
    "magazine",
    "revue",
    "rivista",
    "gazette",
    "news",
    "communications",
    "comm",
    "zeitschrift",
    "jahrbuch",
    "jahrbucher",
    "quarterly",
    "monthly",
    "memoirs",
    "acta",
    "advances",
    "studies",
    "series",
    "revista",
    "archivio",
    "archivo",
    "tidsskrift",
    "tijdschrift",
    "mitteilungen",
    "abhandlungen",
    "comptes",
    "newsletter",
    "bulletins",
    "encyclopedia",
    "spectator",
];

/// Whether a folded word occurs in the names of journals, series and proceedings.
pub(super) fn names_venue(word: &str) -> bool {
    VENUES.contains(&word)
}

/// Whether the text after a title is an edition, a volume or a month, and so not a venue.
fn is_edition_or_volume(folded: &str) -> bool {
    const WORDS: &[&str] = &[
        "version",
        "vol",
        "volume",
        "vols",
        "edition",
        "ed",
        "eds",
        "pp",
        "page",
        "pages",
        "available",
        "translated",
        "edited",
        "second",
        "third",
        "accessed",
        "see",
        "published",
        "rev",
        "illustrated",
        "contains",
        "phd",
        "section",
        "sections",
        "chapter",
        "chapters",
        "for",
        "especially",
        "technical",
        "rfc",
        "doi",
        "url",
        "with",
    ];
    let mut words = folded.split(' ');
    words
        .next()
        .is_some_and(|first| WORDS.contains(&first) || is_month(first))
}

/// Whether the text is or holds a web address.
fn is_address(text: &str) -> bool {
    text.contains("://")
        || text.starts_with("www.")
        || text.starts_with("http")
        || text.starts_with("CTAN")
}
