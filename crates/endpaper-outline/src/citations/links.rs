//! Which books of a corpus cite which (Wu et al., section 6: the citation graph, "using citations to and from books").
//!
//! A reference cites a book of the corpus if their titles agree and one of the authors is named in it. Titles agree if they are
//! equal without case, accents, punctuation, article and words about the edition, if they are nearly equal, or if one of them
//! lacks the subtitle. Where one side names no author, a whole title of some length decides.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::cited_titles::{BLOCKS, MAX_TITLE_BYTES, digits, is_similar_title};
use crate::bibliography::{Bibliography, BibliographyItem};
use crate::fold::fold;
use crate::metadata::{Metadata, MetadataValue, comparison_key};

/// Most books of the same title, or of the same beginning or end, that a reference is compared with.
const COMPARED: usize = 50;
/// Fewest words and letters of a title that decides without an author.
const DISTINCTIVE: (usize, usize) = (3, 16);
/// Fewest letters of a title without its subtitle.
const MIN_MAIN_LETTERS: usize = 6;

/// A reference with a title, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitingReference {
    /// The book that it is in, by its position among those added, from 0.
    pub book: usize,
    /// The list that it is in, by its position in the book, from 0.
    pub list: usize,
    /// Its position in the list, from 0.
    pub item: usize,
    /// Its number in the list.
    pub number: u32,
    /// The line it begins in.
    pub line: u32,
    /// Its author.
    pub author: Option<String>,
    /// Its title.
    pub title: String,
    /// The year of publication.
    pub year: Option<u32>,
}

/// A reference of one book of a corpus to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CitationLink<'a> {
    /// The reference.
    pub reference: &'a CitingReference,
    /// The book it cites, by its position among those added.
    pub cited: usize,
}

/// Title and authors of a book, folded.
#[derive(Clone, Debug)]
struct CitableBook {
    title: TitleKeys,
    /// Surnames of authors and editors.
    surnames: Vec<String>,
    published: Option<u32>,
}

/// A title as it is compared.
#[derive(Clone, Debug)]
struct TitleKeys {
    /// The title, folded.
    folded: String,
    /// The same without article and words about the edition.
    whole: String,
    /// The title without its subtitle, if that is long enough to mean one work.
    main: Option<String>,
}

/// How well a book fits a reference; the last is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TitleAgreement {
    /// One of them lacks the subtitle.
    Main,
    /// They are nearly equal.
    Similar,
    Equal,
}

/// The books of a corpus and their references, for the links between them.
#[derive(Clone, Debug, Default)]
pub struct CitationLinks {
    books: Vec<Option<CitableBook>>,
    references: Vec<CitingReference>,
}

impl CitationLinks {
    /// Adds a book: what it is, and its reference lists.
    pub fn add(&mut self, metadata: &Metadata, lists: &[Bibliography]) {
        let book = self.books.len();
        self.books.push(CitableBook::of(metadata));
        for (list, bibliography) in lists.iter().enumerate() {
            let items = bibliography.items.iter().enumerate();
            self.references
                .extend(items.filter_map(|(item, of)| CitingReference::of(of, book, list, item)));
        }
    }

    /// Returns all links, in the order of the citing books and their references. No book cites itself.
    pub fn links(&self) -> Vec<CitationLink<'_>> {
        let index = TitleIndex::of(&self.books);
        let cited = |reference: &CitingReference| self.cited(reference, &index);
        let references = self.references.iter();
        references
            .filter_map(|reference| {
                let cited = cited(reference).filter(|cited| *cited != reference.book)?;
                Some(CitationLink { reference, cited })
            })
            .collect()
    }

    /// The book that a reference cites: of several, the one whose title fits best, then that of the same year, then the first.
    fn cited(&self, reference: &CitingReference, index: &TitleIndex<'_>) -> Option<usize> {
        let title = TitleKeys::of(&reference.title)?;
        let candidates = index.candidates(&title);
        let author = reference.author.as_deref().map(fold);
        let fits = candidates.into_iter().filter_map(|at| {
            let book = self.books[at].as_ref()?;
            let agreement = book.title.agreement(&title)?;
            let is_named = book.is_author_in(author.as_deref());
            let accepted =
                is_named.unwrap_or(agreement > TitleAgreement::Main && title.is_distinctive());
            let same_year = reference.year.is_some() && reference.year == book.published;
            accepted.then_some((is_named, agreement, same_year, Reverse(at)))
        });
        fits.max().map(|(_, _, _, Reverse(at))| at)
    }
}

impl CitingReference {
    /// A reference of a book; `None` without a title.
    fn of(
        item: &BibliographyItem,
        book: usize,
        list: usize,
        position: usize,
    ) -> Option<CitingReference> {
        let title = item.title.as_ref()?;
        Some(CitingReference {
            book,
            list,
            item: position,
            number: item.number,
            line: item.line,
            author: item.author.clone(),
            title: title.clone(),
            year: item.year,
        })
    }
}

impl CitableBook {
    /// What references can name of a book; `None` without a title.
    fn of(metadata: &Metadata) -> Option<CitableBook> {
        let title = MetadataValue::text(metadata.title.as_ref())?;
        let people = metadata.authors.iter().chain(&metadata.editors);
        let published = metadata.published.as_ref().map(|year| year.value);
        Some(CitableBook {
            title: TitleKeys::of(title)?,
            surnames: people.filter_map(|name| surname(&name.value)).collect(),
            published,
        })
    }

    /// Whether an author of the book is named in the folded author of a reference; `None` if one of them is unknown.
    fn is_author_in(&self, author: Option<&str>) -> Option<bool> {
        let names = author.filter(|_| !self.surnames.is_empty())?;
        let named = |surname: &String| names.split(' ').any(|word| word == surname);
        Some(self.surnames.iter().any(named))
    }
}

impl TitleKeys {
    /// The keys of a title; `None` for one without a letter, and one too long to be a title.
    fn of(title: &str) -> Option<TitleKeys> {
        let whole = comparison_key(title);
        let is_title = whole.contains(char::is_alphabetic) && title.len() <= MAX_TITLE_BYTES;
        let main = title
            .split_once([':', ';'])
            .map(|(main, _)| comparison_key(main))
            .filter(|main| letters(main) >= MIN_MAIN_LETTERS);
        is_title.then(|| TitleKeys {
            folded: fold(title),
            whole,
            main,
        })
    }

    /// The keys by which a title is found.
    fn all(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.whole.as_str()).chain(self.main.as_deref())
    }

    /// How two titles agree; `None` if they do not.
    fn agreement(&self, other: &TitleKeys) -> Option<TitleAgreement> {
        if self.whole == other.whole {
            return Some(TitleAgreement::Equal);
        }
        if is_similar_title(&self.folded, &other.folded) {
            return Some(TitleAgreement::Similar);
        }
        // `Volume 1` and `Volume 2` in subtitles are two works.
        let (mine, theirs) = (digits(&self.whole), digits(&other.whole));
        let same_volume = mine == theirs || mine.is_empty() || theirs.is_empty();
        let lacks = |main: &Option<String>, whole: &str| main.as_deref() == Some(whole);
        let agree = lacks(&self.main, &other.whole) || lacks(&other.main, &self.whole);
        (same_volume && agree).then_some(TitleAgreement::Main)
    }

    /// Whether the title is long enough to decide alone.
    fn is_distinctive(&self) -> bool {
        let (words, least) = DISTINCTIVE;
        self.whole.split(' ').count() >= words && letters(&self.whole) >= least
    }
}

/// The titles of the books of a corpus, by what a reference to them has in common with them.
struct TitleIndex<'a> {
    by_key: HashMap<&'a str, Vec<usize>>,
    /// By the first or last letters of the folded title.
    by_end: HashMap<(SharedTitleEnd, String), Vec<usize>>,
}

/// The end of a title, and how many of its letters.
type SharedTitleEnd = (bool, usize);

impl<'a> TitleIndex<'a> {
    fn of(books: &'a [Option<CitableBook>]) -> TitleIndex<'a> {
        let mut index = TitleIndex {
            by_key: HashMap::new(),
            by_end: HashMap::new(),
        };
        for (at, book) in books.iter().enumerate() {
            let Some(CitableBook { title, .. }) = book else {
                continue;
            };
            for key in title.all() {
                add_book(index.by_key.entry(key).or_default(), at);
            }
            for end in ends(&title.folded) {
                add_book(index.by_end.entry(end).or_default(), at);
            }
        }
        index
    }

    /// The books whose titles may agree with that of a reference, each once.
    fn candidates(&self, title: &TitleKeys) -> HashSet<usize> {
        let equal = title.all().filter_map(|key| self.by_key.get(key));
        let ends = ends(&title.folded);
        let similar = ends.filter_map(|end| self.by_end.get(&end));
        equal.chain(similar).flatten().copied().collect()
    }
}

/// Adds a book to those of a key, unless there are too many to be compared.
fn add_book(books: &mut Vec<usize>, at: usize) {
    if books.len() < COMPARED {
        books.push(at);
    }
}

/// The first and last letters of a folded title, as many as nearly equal titles share at one of the ends.
fn ends(title: &str) -> impl Iterator<Item = (SharedTitleEnd, String)> {
    let bare: Vec<char> = title.chars().filter(|c| *c != ' ').collect();
    let all = BLOCKS
        .into_iter()
        .flat_map(|(letters, least)| [false, true].map(|from_end| (from_end, letters, least)));
    all.filter_map(move |(from_end, letters, least)| {
        let from = if from_end {
            bare.len().checked_sub(letters)?
        } else {
            0
        };
        let end = bare.get(from..from + letters)?;
        (bare.len() >= least).then(|| ((from_end, letters), end.iter().collect()))
    })
}

/// The surname of a person, folded: the last word, or the last before a comma.
fn surname(name: &str) -> Option<String> {
    let folded = fold(name.split(',').next().unwrap_or_default());
    let last = folded.rsplit(' ').find(|word| word.chars().count() > 1)?;
    Some(last.to_owned())
}

fn letters(folded: &str) -> usize {
    folded.chars().filter(|c| *c != ' ').count()
}
