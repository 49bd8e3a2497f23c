//! The language: as stated in the header, else from the commonest words of the body.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use foldhash::fast::FixedState;

use super::fields::{FieldName, HeaderFields};
use super::{MetadataValue, ValueExtractor};
use crate::rows::BodyRows;
use endpaper_text::scan::Scan;

/// Most rows whose words are counted.
const ROWS: usize = 800;
/// Least percentage of the words that must be common words of the language.
const SHARE: usize = 8;

/// Least number of different common words of the language. A few short syllables are common in many languages: Pali has the `na`,
/// `sa` and `ni` of Tagalog.
const DIFFERENT: usize = 7;

/// Words common in one language and rare in the others.
const WORDS: &[(&str, &[&str])] = &[
    (
        "English",
        &[
            "the", "and", "of", "that", "was", "with", "his", "had", "for", "not", "this", "which",
            "is", "it",
        ],
    ),
    (
        "French",
        &[
            "les", "des", "est", "dans", "une", "qui", "pour", "pas", "sur", "vous", "avec", "ce",
            "il", "du", "et",
        ],
    ),
    (
        "German",
        &[
            "und", "der", "die", "das", "ist", "nicht", "ich", "den", "sie", "mit", "ein", "sich",
            "auf", "dem", "zu",
        ],
    ),
    (
        "Spanish",
        &[
            "el", "los", "las", "y", "del", "una", "con", "por", "lo", "su", "es", "pero", "más",
            "muy", "al",
        ],
    ),
    (
        "Portuguese",
        &[
            "não", "uma", "os", "em", "com", "do", "da", "ao", "um", "mais", "na", "seu", "foi",
            "pelo", "e",
        ],
    ),
    (
        "Italian",
        &[
            "che", "il", "di", "non", "della", "gli", "una", "per", "era", "con", "più", "nel",
            "sono", "e", "ma",
        ],
    ),
    (
        "Dutch",
        &[
            "het", "een", "van", "de", "niet", "dat", "zijn", "hij", "met", "voor", "ik", "te",
            "en", "op", "was",
        ],
    ),
    (
        "Latin",
        &[
            "et", "non", "est", "cum", "sed", "quod", "ad", "qui", "ut", "esse", "sunt", "nec",
            "quam", "ex", "per",
        ],
    ),
    (
        "Finnish",
        &[
            "ja", "on", "ei", "hän", "oli", "että", "niin", "kuin", "mutta", "se", "joka", "ne",
            "minä", "nyt", "vaan",
        ],
    ),
    (
        "Swedish",
        &[
            "och", "att", "det", "som", "en", "var", "icke", "hon", "på", "med", "av", "han",
            "för", "jag", "den",
        ],
    ),
    (
        "Danish",
        &[
            "og", "at", "det", "som", "en", "var", "ikke", "hun", "paa", "med", "af", "han", "for",
            "jeg", "den",
        ],
    ),
    (
        "Tagalog",
        &[
            "ang", "ng", "sa", "mga", "na", "ay", "at", "hindi", "ni", "si", "kung", "kay", "siya",
            "niya", "nang",
        ],
    ),
];

/// For each word, a bit for each language that has it.
static COMMON: LazyLock<HashMap<&str, u16, FixedState>> = LazyLock::new(|| {
    let mut common = HashMap::default();
    for (at, (_, words)) in WORDS.iter().enumerate() {
        for word in *words {
            *common.entry(*word).or_default() |= 1 << at;
        }
    }
    common
});

/// The language that the header states, with that of the body's words as support or as another value; if none is
/// stated, that of the words.
pub(super) fn read(
    rows: &BodyRows<'_>,
    fields: &HeaderFields,
    scan: &Scan,
) -> Option<MetadataValue<String>> {
    let words = by_words(rows);
    let stated = fields.first(FieldName::Language).or_else(|| {
        scan.header
            .language
            .clone()
            .map(|name| MetadataValue::from_source(name, ValueExtractor::Scan, None))
    });
    let Some(mut stated) = stated else {
        return words
            .map(|name| MetadataValue::from_source(name.to_owned(), ValueExtractor::Words, None));
    };
    match words {
        Some(name) if stated.value.contains(name) => {
            let words = MetadataValue::from_source((), ValueExtractor::Words, None);
            stated.sources.extend(words.sources);
        }
        Some(name) => stated.instead.push(name.to_owned()),
        None => {}
    }
    Some(stated)
}

/// The language with by far the most common words, counted in rows spread over the body.
fn by_words(rows: &BodyRows<'_>) -> Option<&'static str> {
    let all = rows.all().len();
    let start = all / 10;
    let step = ((all - start) / ROWS).max(1);
    let mut counts = [0_usize; WORDS.len()];
    let mut words = 0_usize;
    let mut seen = HashSet::new();
    for at in (start..all).step_by(step).take(ROWS) {
        let line = rows.words(at).to_lowercase();
        for word in line
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty())
        {
            words += 1;
            let Some((word, of)) = COMMON.get_key_value(word) else {
                continue;
            };
            seen.insert(*word);
            for (at, count) in counts.iter_mut().enumerate() {
                *count += usize::from(of >> at & 1);
            }
        }
    }
    let (best, most) = counts.iter().enumerate().max_by_key(|(_, count)| **count)?;
    let second = counts
        .iter()
        .enumerate()
        .filter(|(at, _)| *at != best)
        .map(|(_, count)| *count)
        .max()?;
    let different = WORDS[best].1.iter().filter(|word| seen.contains(*word));
    let enough = *most * 100 >= words * SHARE && *most >= 20 && different.count() >= DIFFERENT;
    (enough && *most * 10 >= second * 12).then_some(WORDS[best].0)
}
