//! The terms typed into the queue's list: words for fuzzy matching, and `name:value` terms that narrow it.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::entry::QueueEntry;
use super::filter::QueueFilter;
use super::flags::flag_names;
use endpaper_text::config::nearest;

/// The example terms in the hint below the list.
pub const HINT: &str =
    "words doubt>0.5 flag:ads producer:squires in:etext98 is:hard template:7 -is:draft";

/// The names of `name:value` terms.
const NAMES: [&str; 5] = ["flag", "in", "is", "producer", "template"];

/// The typed text, parsed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueueTerms {
    /// The typed text.
    pub typed: String,
    /// The plain words, for fuzzy matching in id, title and author.
    words: String,
    /// The other terms; a book must meet all of them.
    terms: Vec<QueueTerm>,
}

/// A term that tests a property, such as `in:etext98` or `-is:draft`, not a plain word; a negated one (`-`) matches the books
/// that fail its test.
#[derive(Clone, Debug, PartialEq)]
struct QueueTerm {
    is_negated: bool,
    test: TermTest,
}

/// A typed term such as `doubt>0.5` or `is:draft`: the property of a book that it tests, and the value.
#[derive(Clone, Debug, PartialEq)]
enum TermTest {
    Doubt(Comparison, f32),
    Flag(String),
    Producer(String),
    Folder(String),
    Is(QueueFilter),
    Template(u32),
}

/// How a number of a book is compared with that of a term.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Comparison {
    More,
    Less,
    AtLeast,
    AtMost,
}

impl QueueTerms {
    /// Parses the typed text. An invalid term is ignored; the second value names it and suggests a correction.
    pub fn read(typed: &str, entries: &[QueueEntry]) -> (QueueTerms, Option<String>) {
        let mut terms = QueueTerms {
            typed: typed.trim().to_owned(),
            ..QueueTerms::default()
        };
        let mut problem = None;
        for part in parts(typed) {
            let (part, renamed) = present_names(part);
            problem = problem.or(renamed);
            match term(&part, entries) {
                Ok(Some(term)) => terms.terms.push(term),
                Ok(None) => {
                    if !terms.words.is_empty() {
                        terms.words.push(' ');
                    }
                    terms.words.push_str(&part);
                }
                Err(why) => problem = problem.or(Some(why)),
            }
        }
        (terms, problem)
    }

    /// Whether the terms exclude no book.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.terms.is_empty()
    }

    /// Retains the books that meet all terms and match all words, in their order.
    pub fn keep(&self, entries: &[QueueEntry], books: &mut Vec<usize>) {
        if self.is_empty() {
            return;
        }
        let mut search = TermSearch::new(&self.words);
        books.retain(|&book| {
            let entry = &entries[book];
            self.matches(entry) && search.score(entry).is_some()
        });
    }

    /// Indices in `books` of those that meet all terms and match all words, the best match of the words first.
    pub fn find(&self, entries: &[QueueEntry], books: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut search = TermSearch::new(&self.words);
        let mut found: Vec<(u32, usize)> = Vec::new();
        for (at, book) in books.enumerate() {
            let entry = &entries[book];
            if self.matches(entry)
                && let Some(score) = search.score(entry)
            {
                found.push((score, at));
            }
        }
        // A stable sort: equally good matches keep the order of the queue.
        found.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
        found.into_iter().map(|(_, at)| at).collect()
    }

    /// Whether a book meets all terms that are not fuzzy words.
    fn matches(&self, entry: &QueueEntry) -> bool {
        let holds = |text: &str, part: &str| text.to_lowercase().contains(part);
        self.terms.iter().all(|term| {
            let meets = match &term.test {
                TermTest::Doubt(compare, than) => {
                    entry.doubt.is_some_and(|doubt| compare.holds(doubt, *than))
                }
                TermTest::Flag(flag) => entry.flags.iter().any(|own| own.starts_with(flag)),
                TermTest::Producer(hand) => holds(&entry.producer, hand),
                TermTest::Folder(folder) => {
                    let id = entry.id();
                    let end = id.rfind(['/', '!']).map_or(0, |at| at + 1);
                    holds(&id[..end], folder)
                }
                TermTest::Is(filter) => filter.passes(entry),
                TermTest::Template(rank) => entry.template_rank == *rank,
            };
            meets != term.is_negated
        })
    }
}

impl Comparison {
    /// Whether `a` is more (less, ...) than `b`.
    fn holds(self, a: f32, b: f32) -> bool {
        match self {
            Comparison::More => a > b,
            Comparison::Less => a < b,
            Comparison::AtLeast => a >= b,
            Comparison::AtMost => a <= b,
        }
    }
}

/// The words, prepared for matching many books.
struct TermSearch {
    pattern: Pattern,
    matcher: Matcher,
    text: String,
    characters: Vec<char>,
}

impl TermSearch {
    /// A fuzzy search for words.
    fn new(words: &str) -> TermSearch {
        use nucleo_matcher::pattern::AtomKind::Fuzzy;
        TermSearch {
            pattern: Pattern::new(words, CaseMatching::Ignore, Normalization::Smart, Fuzzy),
            matcher: Matcher::new(Config::DEFAULT),
            text: String::new(),
            characters: Vec::new(),
        }
    }

    /// How well id, title and author of a book match the words; `None` if they do not.
    fn score(&mut self, entry: &QueueEntry) -> Option<u32> {
        self.text.clear();
        for part in [entry.id(), " ", &entry.title, " ", &entry.author] {
            self.text.push_str(part);
        }
        let text = Utf32Str::new(&self.text, &mut self.characters);
        self.pattern.score(text, &mut self.matcher)
    }
}

/// Splits at white space outside double quotes.
fn parts(typed: &str) -> Vec<String> {
    let (mut parts, mut part, mut quoted) = (Vec::new(), String::new(), false);
    for c in typed.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => {
                if !part.is_empty() {
                    parts.push(std::mem::take(&mut part));
                }
            }
            c => part.push(c),
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

/// Former names of terms, which are still accepted, and the present ones.
const RENAMED: [(&str, &str); 3] = [
    ("hand:", "producer:"),
    ("is:odd", "is:unusual"),
    ("is:contested", "is:opinions-differ"),
];

/// Replaces a former name of a term by the present one, with a notice.
fn present_names(part: String) -> (String, Option<String>) {
    let (sign, bare) = match part.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", part.as_str()),
    };
    for (old, new) in RENAMED {
        let begins = bare.get(..old.len());
        let rest = bare.get(old.len()..).unwrap_or_default();
        if begins.is_some_and(|begin| begin.eq_ignore_ascii_case(old))
            && (old.ends_with(':') || rest.is_empty())
        {
            let notice = format!("'{old}' is now called '{new}'");
            return (format!("{sign}{new}{rest}"), Some(notice));
        }
    }
    (part, None)
}

/// Parses a part; `None` if it is a word to search for.
fn term(part: &str, entries: &[QueueEntry]) -> Result<Option<QueueTerm>, String> {
    let (not, bare) = match part.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, part),
    };
    let lower = bare.to_lowercase();
    if let Some(rest) = lower.strip_prefix("doubt")
        && rest.starts_with(['<', '>', '=', ':'])
    {
        let test = doubt(rest).ok_or_else(|| {
            format!("'{part}' is not a doubt; write doubt>0.5 or doubt<=0.1, from 0 to 1")
        })?;
        return Ok(Some(QueueTerm {
            is_negated: not,
            test,
        }));
    }
    let Some((name, value)) = lower.split_once(':') else {
        return Ok(None);
    };
    if !NAMES.contains(&name) {
        // A title may contain a colon, so only a name close to that of a term is an error.
        return match nearest(name, NAMES).filter(|_| !value.is_empty()) {
            Some(meant) => Err(format!("unknown term '{name}:'; did you mean '{meant}:'?")),
            None => Ok(None),
        };
    }
    if value.is_empty() {
        return Err(format!("'{part}' says nothing after the colon"));
    }
    let test = match name {
        "flag" => flag(value, entries)?,
        "producer" => TermTest::Producer(value.to_owned()),
        "in" => TermTest::Folder(value.to_owned()),
        "template" => TermTest::Template(value.parse().map_err(|_| {
            format!("'{value}' is not a template; write its number, as in template:7")
        })?),
        _ => status(value)?,
    };
    Ok(Some(QueueTerm {
        is_negated: not,
        test,
    }))
}

/// The test of a term such as `doubt>0.5`.
fn doubt(text: &str) -> Option<TermTest> {
    let comparisons = [
        (">=", Comparison::AtLeast),
        ("<=", Comparison::AtMost),
        (">", Comparison::More),
        ("<", Comparison::Less),
    ];
    let (number, compare) = comparisons
        .iter()
        .find_map(|(sign, compare)| Some((text.strip_prefix(sign)?, *compare)))?;
    let number: f32 = number.parse().ok()?;
    (0.0..=1.0)
        .contains(&number)
        .then_some(TermTest::Doubt(compare, number))
}

/// The test of a `flag:` term; an error if no flag begins with its value.
fn flag(value: &str, entries: &[QueueEntry]) -> Result<TermTest, String> {
    let known = flag_names().any(|flag| flag.starts_with(value));
    let used = |entry: &QueueEntry| entry.flags.iter().any(|flag| flag.starts_with(value));
    if known || entries.iter().any(used) {
        return Ok(TermTest::Flag(value.to_owned()));
    }
    Err(match nearest(value, flag_names()) {
        Some(meant) => format!("no flag is '{value}'; did you mean '{meant}'?"),
        None => {
            let all: Vec<&str> = flag_names().collect();
            format!("no flag is '{value}'; the flags are {}", all.join(", "))
        }
    })
}

/// The test of an `is:` term; an error if no status begins with its value.
fn status(value: &str) -> Result<TermTest, String> {
    let names = || QueueFilter::ALL.iter().map(|filter| filter.name());
    let begins = |filter: &&QueueFilter| filter.name().starts_with(value);
    if let Some(filter) = QueueFilter::ALL.iter().find(begins) {
        return Ok(TermTest::Is(*filter));
    }
    Err(match nearest(value, names()) {
        Some(meant) => format!("unknown status 'is:{value}'; did you mean 'is:{meant}'?"),
        None => {
            let all: Vec<&str> = names().collect();
            format!("unknown status 'is:{value}'; use one of {}", all.join(", "))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReviewStatus;
    use endpaper_text::corpus::BookId;
    use endpaper_truth::Verdict;

    fn entries() -> Vec<QueueEntry> {
        let entry = |id: &str, title: &str, author: &str, producer: &str, doubt: f32| QueueEntry {
            id: Some(BookId::new(id)),
            title: title.into(),
            author: author.into(),
            producer: producer.into(),
            doubt: Some(doubt),
            ..QueueEntry::default()
        };
        let mut all = vec![
            entry(
                "etext95/study10.txt",
                "A Study in Scarlet",
                "Arthur Conan Doyle",
                "Roger Squires",
                0.3,
            ),
            entry(
                "etext98/2city12.txt",
                "A Tale of Two Cities",
                "Charles Dickens",
                "Judith Boss",
                0.9,
            ),
            entry(
                "etext98/rgain10.txt",
                "Rain: Études",
                "Zoë Akins",
                "David Widger",
                0.05,
            ),
        ];
        all[0].flags = vec!["ads".into(), "title-repeated".into()];
        all[0].status = ReviewStatus::Decided(Verdict::Corrected);
        all[1].status = ReviewStatus::Decided(Verdict::Confirmed);
        all[1].hard = true;
        all[1].template_rank = 7;
        all
    }

    #[test]
    fn former_names_of_terms_are_read_with_a_notice() {
        let entries = entries();
        for (old, new) in [
            ("hand:widger", "producer:widger"),
            ("-Hand:widger", "-producer:widger"),
            ("is:odd", "is:unusual"),
            ("is:contested", "is:opinions-differ"),
        ] {
            let (terms, notice) = QueueTerms::read(old, &entries);
            assert!(
                notice.is_some_and(|text| text.contains("is now called")),
                "{old}"
            );
            assert_eq!(
                terms.terms,
                QueueTerms::read(new, &entries).0.terms,
                "{old}"
            );
        }
        assert_eq!(QueueTerms::read("is:oddish", &entries).0.terms, []);
    }

    #[test]
    fn words_are_found_fuzzily_and_terms_narrow() {
        let table: &[(&str, &[usize])] = &[
            ("", &[0, 1, 2]),
            ("   ", &[0, 1, 2]),
            ("scarlet", &[0]),
            ("SCRLT", &[0]),
            ("dickns", &[1]),
            ("zoe etud", &[2]),
            ("etext98 tale", &[1]),
            ("nothing of the sort", &[]),
            ("doubt>0.3", &[1]),
            ("doubt>=0.3", &[0, 1]),
            ("doubt<0.3", &[2]),
            ("doubt<=0.3", &[0, 2]),
            ("-doubt>0.5", &[0, 2]),
            ("doubt>0.1 doubt<0.5", &[0]),
            ("flag:ads", &[0]),
            ("flag:title", &[0]),
            ("-flag:ads", &[1, 2]),
            ("producer:widger", &[2]),
            ("producer:\"judith boss\"", &[1]),
            ("PRODUCER:Squires", &[0]),
            ("in:etext98", &[1, 2]),
            ("in:2city", &[]),
            ("is:undecided", &[2]),
            ("is:und", &[2]),
            ("is:hard", &[1]),
            ("-is:decided", &[2]),
            ("template:7", &[1]),
            ("in:etext98 is:decided cities", &[1]),
            // A colon alone makes no term of a word.
            ("rain:", &[2]),
        ];
        let entries = entries();
        for (typed, expected) in table {
            let (terms, problem) = QueueTerms::read(typed, &entries);
            assert_eq!(problem, None, "{typed}");
            let mut found = terms.find(&entries, 0..entries.len());
            found.sort_unstable();
            assert_eq!(found, *expected, "{typed}");
            let mut kept = vec![0, 1, 2];
            terms.keep(&entries, &mut kept);
            assert_eq!(kept, *expected, "{typed}");
        }
    }

    #[test]
    fn a_term_that_means_nothing_is_named_and_the_others_hold() {
        let table = [
            ("doubt>x", "'doubt>x' is not a doubt; write doubt>0.5"),
            ("doubt>7", "'doubt>7' is not a doubt"),
            ("doubt:0.5", "'doubt:0.5' is not a doubt"),
            ("flag:adz", "no flag is 'adz'; did you mean 'ads'?"),
            ("flag:", "'flag:' says nothing after the colon"),
            ("is:undecidet", "did you mean 'is:undecided'?"),
            ("is:xyzzy", "use one of all, undecided"),
            ("template:x", "'x' is not a template"),
            ("falg:ads", "did you mean 'flag:'?"),
        ];
        let entries = entries();
        for (typed, expected) in table {
            let (terms, problem) = QueueTerms::read(&format!("{typed} in:etext95"), &entries);
            let problem = problem.unwrap_or_default();
            assert!(problem.contains(expected), "{typed}: {problem}");
            assert_eq!(terms.find(&entries, 0..3), [0], "{typed}");
        }
    }

    #[test]
    fn the_best_fit_comes_first_and_equals_stay_in_order() {
        let entries = entries();
        let (terms, _) = QueueTerms::read("tale", &entries);
        assert_eq!(
            terms.find(&entries, [2, 1, 0].into_iter()).first(),
            Some(&1)
        );
        let (terms, _) = QueueTerms::read("doubt<1", &entries);
        assert_eq!(terms.find(&entries, [2, 1, 0].into_iter()), [0, 1, 2]);
    }
}
