//! Votes of several sources on one value.

use serde::Serialize;

use crate::fold::fold;
use endpaper_text::named_enum;

/// The extractor of a value, from the most trusted to the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueExtractor {
    /// A field of the library's header: `Title: ...`.
    Field,
    /// The line that opens an old header: `The Project Gutenberg Etext of ..., by ...`.
    Opening,
    /// The block above the number in an old header.
    Block,
    /// The title page of the book.
    TitlePage,
    /// The marker line before or after the book.
    Marker,
    /// The line `#6 in our series by ...` in an old header.
    Series,
    /// An address in the library that contains the number.
    Address,
    /// A line in the first pages.
    Pages,
    /// The words of the body.
    Words,
    /// The [`Scan`](endpaper_text::scan::Scan) that every book gets.
    Scan,
}

named_enum!(ValueExtractor, "extractor", {
    Field => "field",
    Opening => "opening",
    Block => "block",
    TitlePage => "title-page",
    Marker => "marker",
    Series => "series",
    Address => "address",
    Pages => "pages",
    Words => "words",
    Scan => "scan",
});

/// The source of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ValueSource {
    /// The extractor that read it.
    pub extractor: ValueExtractor,
    /// The line it was read from; `None` if it is not a single one.
    pub line: Option<u32>,
}

/// A value and all sources that agree on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MetadataValue<T> {
    /// The value, as the most trusted source spells it.
    pub value: T,
    /// The sources, the most trusted first.
    pub sources: Vec<ValueSource>,
    /// Values of other sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instead: Vec<T>,
}

impl<T> MetadataValue<T> {
    /// A value with a single source.
    pub fn from_source(value: T, extractor: ValueExtractor, line: Option<u32>) -> MetadataValue<T> {
        MetadataValue {
            value,
            sources: vec![ValueSource { extractor, line }],
            instead: Vec::new(),
        }
    }
}

impl MetadataValue<String> {
    /// The value without its sources.
    pub fn text(value: Option<&MetadataValue<String>>) -> Option<&str> {
        value.map(|value| value.value.as_str())
    }

    /// The values without their sources.
    pub fn texts(values: &[MetadataValue<String>]) -> Vec<&str> {
        values.iter().map(|value| value.value.as_str()).collect()
    }
}

/// Whether two spellings mean the same title or name. Case, accents, punctuation, `&`, a leading article and words about the
/// edition are ignored, and a subtitle may be missing.
///
/// ```
/// use endpaper_outline::titles_agree;
/// assert!(titles_agree("THE ADVENTURES OF TOM SAWYER, Complete", "Adventures of Tom Sawyer"));
/// assert!(!titles_agree("Emma", "Persuasion"));
/// ```
pub fn titles_agree(a: &str, b: &str) -> bool {
    let (a, b) = (comparison_key(a), comparison_key(b));
    keys_agree(&a, &b)
}

/// Words about the edition, at the end of a title.
const EDITION: &[&str] = &[
    "complete",
    "illustrated",
    "unabridged",
    "edition",
    "editions",
    "annotated",
    "revised",
    "second",
    "third",
    "2nd",
    "3rd",
    "new",
    "ed",
    "english",
    "text",
    "version",
];

/// Articles, which may be missing at the start of a title.
const ARTICLES: &[&str] = &[
    "the", "a", "an", "le", "la", "les", "l", "der", "die", "das", "o", "os", "as", "el", "los",
    "las", "il", "de", "het",
];

/// The folded title without article and edition, for comparison.
pub(crate) fn comparison_key(title: &str) -> String {
    let folded = fold(title);
    let mut words: Vec<&str> = folded.split(' ').collect();
    while words.len() > 1 && words.last().is_some_and(|last| EDITION.contains(last)) {
        words.pop();
    }
    let article = usize::from(words.len() > 1 && ARTICLES.contains(&words[0]));
    words[article..].join(" ")
}

/// Whether two comparison keys are equal, or one is the beginning of the other.
pub(super) fn keys_agree(a: &str, b: &str) -> bool {
    if a == b {
        return !a.is_empty();
    }
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    // A short key is the beginning of too many titles.
    let distinctive = short.len() >= 4;
    distinctive
        && long
            .strip_prefix(short)
            .is_some_and(|rest| rest.starts_with(' '))
        || short.len() >= 6 && short.replace(' ', "") == long.replace(' ', "")
}

/// A spelling and its source.
#[derive(Clone, Debug)]
struct SpellingVote {
    text: String,
    key: String,
    source: ValueSource,
    /// Whether it only confirms other spellings, and is elected only without a primary one.
    is_secondary: bool,
}

/// Most votes of a ballot: each is compared with all others.
const VOICES: usize = 300;

/// All spellings of one value.
#[derive(Clone, Debug, Default)]
pub(super) struct Ballot(Vec<SpellingVote>);

impl Ballot {
    /// Whether no vote was cast.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a vote.
    pub fn cast(&mut self, text: &str, source: ValueSource) {
        self.add(text, source, false);
    }

    /// Adds a vote that confirms others, and is elected only without a primary one.
    pub fn cast_secondary(&mut self, text: &str, source: ValueSource) {
        self.add(text, source, true);
    }

    /// Casts a vote for a value; a `second` vote comes from a source that repeats another.
    fn add(&mut self, text: &str, source: ValueSource, second: bool) {
        if self.0.len() >= VOICES {
            return;
        }
        let essence = comparison_key(text);
        if !essence.is_empty() {
            self.0.push(SpellingVote {
                text: text.to_owned(),
                key: essence,
                source,
                is_secondary: second,
            });
        }
    }

    /// Returns the value with the most extractors that agree on it; of a tie, that of the most trusted one.
    pub fn elect(mut self) -> Option<MetadataValue<String>> {
        self.0
            .sort_by_key(|voice| (voice.is_secondary, voice.source.extractor));
        let support = |candidate: &SpellingVote| {
            let mut by: Vec<ValueExtractor> = self
                .0
                .iter()
                .filter(|voice| keys_agree(&voice.key, &candidate.key))
                .map(|voice| voice.source.extractor)
                .collect();
            by.sort_unstable();
            by.dedup();
            by.len()
        };
        let mut best: Option<(usize, usize)> = None;
        for (at, voice) in self.0.iter().enumerate() {
            if voice.is_secondary && best.is_some() {
                break;
            }
            let votes = support(voice);
            if best.is_none_or(|(_, most)| votes > most) {
                best = Some((at, votes));
            }
        }
        let (at, _) = best?;
        Some(self.value(at))
    }

    /// The value of one vote, with the sources of all votes that agree.
    fn value(&self, at: usize) -> MetadataValue<String> {
        let chosen = &self.0[at];
        let agrees = |voice: &&SpellingVote| keys_agree(&voice.key, &chosen.key);
        let mut sources: Vec<ValueSource> = Vec::new();
        for voice in self.0.iter().filter(agrees) {
            if !sources.contains(&voice.source) {
                sources.push(voice.source);
            }
        }
        sources.sort_by_key(|source| source.extractor);
        let mut instead: Vec<String> = Vec::new();
        for voice in self
            .0
            .iter()
            .filter(|voice| !agrees(voice) && !voice.is_secondary)
        {
            if !instead.iter().any(|other| titles_agree(other, &voice.text)) {
                instead.push(voice.text.clone());
            }
        }
        MetadataValue {
            value: self.spelling(chosen),
            sources,
            instead,
        }
    }

    /// The chosen spelling, or the same words in mixed case if it is in capitals.
    fn spelling(&self, chosen: &SpellingVote) -> String {
        let shouted = |text: &str| !text.contains(char::is_lowercase);
        if !shouted(&chosen.text) {
            return chosen.text.clone();
        }
        let calm = self
            .0
            .iter()
            .find(|voice| voice.key == chosen.key && !shouted(&voice.text));
        calm.unwrap_or(chosen).text.clone()
    }

    /// Returns each different value with its sources, the most trusted first. `same` compares two spellings.
    pub fn values(mut self, same: impl Fn(&str, &str) -> bool) -> Vec<MetadataValue<String>> {
        self.0
            .sort_by_key(|voice| (voice.is_secondary, voice.source.extractor));
        let mut values: Vec<MetadataValue<String>> = Vec::new();
        for voice in &self.0 {
            match values
                .iter_mut()
                .find(|value| same(&value.value, &voice.text))
            {
                Some(value) => {
                    if !value.sources.contains(&voice.source) {
                        value.sources.push(voice.source);
                    }
                    // A full name is better than a surname.
                    if !value.value.contains([' ', '.'])
                        && voice.text.contains(' ')
                        && is_surname_of(&voice.text, &value.value)
                    {
                        value.value.clone_from(&voice.text);
                    }
                }
                None => values.push(MetadataValue {
                    value: voice.text.clone(),
                    sources: vec![voice.source],
                    instead: Vec::new(),
                }),
            }
        }
        values
    }
}

/// Whether `word` is the last word of `name`.
fn is_surname_of(name: &str, word: &str) -> bool {
    let (name, word) = (fold(name), fold(word));
    name.strip_suffix(word.as_str())
        .is_some_and(|first| first.ends_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(extractor: ValueExtractor) -> ValueSource {
        ValueSource {
            extractor,
            line: Some(1),
        }
    }

    #[test]
    fn spellings_agree_or_not() {
        let table = [
            ("Arms & the Man", "ARMS AND THE MAN", true),
            ("The Prince", "Prince", true),
            ("Tom Sawyer, Complete", "Tom Sawyer", true),
            ("Carmen", "Carmen: a novel", true),
            ("Pollyanna Grows Up", "Pollyanna", true),
            ("Short Stories", "Ghost Stories", false),
            ("", "", false),
            ("It", "It never can be", false),
            ("Carmen", "Carmencita", false),
        ];
        for (a, b, expected) in table {
            assert_eq!(titles_agree(a, b), expected, "{a} / {b}");
            assert_eq!(titles_agree(b, a), expected, "{b} / {a}");
        }
    }

    #[test]
    fn two_places_outvote_a_more_trusted_one() {
        let mut ballot = Ballot::default();
        ballot.cast("TESTING", source(ValueExtractor::Field));
        ballot.cast("Persuasion", source(ValueExtractor::Opening));
        ballot.cast_secondary("PERSUASION", source(ValueExtractor::TitlePage));
        let value = ballot.elect().unwrap();
        assert_eq!(value.value, "Persuasion");
        assert_eq!(value.sources.len(), 2);
        assert_eq!(value.instead, ["TESTING"]);
    }

    #[test]
    fn where_all_disagree_the_most_trusted_decides() {
        let mut ballot = Ballot::default();
        ballot.cast("One", source(ValueExtractor::Marker));
        ballot.cast("Two", source(ValueExtractor::Field));
        ballot.cast_secondary("Three", source(ValueExtractor::TitlePage));
        assert_eq!(ballot.elect().unwrap().value, "Two");
        assert_eq!(Ballot::default().elect(), None);
    }

    #[test]
    fn what_is_shouted_is_spelt_as_another_spells_it() {
        let mut ballot = Ballot::default();
        ballot.cast_secondary("The Sea Wolf", source(ValueExtractor::TitlePage));
        ballot.cast("THE SEA WOLF", source(ValueExtractor::Marker));
        assert_eq!(ballot.elect().unwrap().value, "The Sea Wolf");
    }

    #[test]
    fn a_ballot_hears_no_more_voices_than_can_be_held_against_each_other() {
        let mut ballot = Ballot::default();
        for line in 0..10_000 {
            let source = ValueSource {
                extractor: ValueExtractor::Marker,
                line: Some(line),
            };
            ballot.cast("A Title", source);
        }
        let elected = ballot.elect().unwrap();
        assert_eq!(
            (elected.value.as_str(), elected.sources.len()),
            ("A Title", VOICES)
        );
    }
}
