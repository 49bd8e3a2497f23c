//! Whose opinions are compared, and on which books.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use endpaper_detect::Cuts;
use endpaper_truth::{Record, Review, Verdict};

/// The outcome of a review: cuts, undecidable, or not a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReviewOutcome {
    /// A book with cuts.
    Cuts,
    /// No cut can be defended.
    Undecidable,
    /// No book.
    NotABook,
}

impl ReviewOutcome {
    /// The outcome of a verdict; `None` for a draft.
    pub fn of(verdict: Verdict) -> Option<ReviewOutcome> {
        match verdict {
            Verdict::Open => None,
            Verdict::Confirmed | Verdict::Corrected => Some(ReviewOutcome::Cuts),
            Verdict::Undecidable => Some(ReviewOutcome::Undecidable),
            Verdict::NotABook => Some(ReviewOutcome::NotABook),
        }
    }
}

/// The review of one book by one side of a comparison (a truth folder, or a curator).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideReview {
    /// What it comes to.
    pub status: ReviewOutcome,
    /// The cuts; they mean something only if there are some.
    pub cuts: Cuts,
}

impl SideReview {
    /// The review with this verdict; `None` for drafts.
    fn new(verdict: Verdict, cuts: Cuts) -> Option<SideReview> {
        let standing = ReviewOutcome::of(verdict)?;
        Some(SideReview {
            status: standing,
            cuts,
        })
    }
}

/// A book with the review of each side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedBook {
    /// The book's id, as the first side that has it calls it.
    pub book: String,
    /// SHA-256 of the text, in lower case.
    pub sha256: String,
    /// Lines of the text.
    pub lines: u32,
    /// The opinion of each side, if it has one.
    pub opinions: Vec<Option<SideReview>>,
}

/// Sides whose opinions on the same texts are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideMatching {
    /// Names of the sides.
    pub sides: Vec<String>,
    /// How many of the sides, from the first, decided for themselves; the others are adjudications, which knew what these said.
    pub independent: usize,
    /// The books at least two sides decided.
    pub cases: Vec<ComparedBook>,
    /// Books two sides decided on different texts, which cannot be compared.
    pub other_text: Vec<String>,
}

impl SideMatching {
    /// The books with opinions of at least two sides, by name.
    fn new(sides: Vec<String>, mut cases: Vec<ComparedBook>) -> SideMatching {
        cases.retain(|case| case.opinions.iter().flatten().count() > 1);
        cases.sort_by(|a, b| a.book.cmp(&b.book));
        SideMatching {
            independent: sides.len(),
            sides,
            cases,
            other_text: Vec::new(),
        }
    }
}

/// The current outcomes in several truth folders. The same text is one book, also under two names: a record is matched
/// with one of the same name first. Outcomes of an adjudication are a side of their own, since they are not what the curator
/// of the folder said.
pub fn between_folders(folders: &[(String, Vec<Record>)]) -> SideMatching {
    let mut sides: Vec<String> = folders.iter().map(|(name, _)| name.clone()).collect();
    let mut adjudicated = vec![None; folders.len()];
    for (folder, (name, records)) in folders.iter().enumerate() {
        if records.iter().any(is_adjudicated) {
            adjudicated[folder] = Some(sides.len());
            sides.push(format!("{name}, adjudicated"));
        }
    }
    let mut cases: BTreeMap<(String, String), ComparedBook> = BTreeMap::new();
    for (folder, (_, records)) in folders.iter().enumerate() {
        for record in records {
            let side = adjudicated[folder].filter(|_| is_adjudicated(record));
            let side = side.unwrap_or(folder);
            let sha256 = record.source.sha256.to_ascii_lowercase();
            let key = (sha256.clone(), record.book.clone());
            let case = cases.entry(key).or_insert_with(|| ComparedBook {
                book: record.book.clone(),
                sha256,
                lines: record.source.lines,
                opinions: vec![None; sides.len()],
            });
            case.opinions[side] = SideReview::new(record.verdict, record.cuts);
        }
    }
    cases.retain(|_, case| case.opinions.iter().any(Option::is_some));
    let mut by_text: BTreeMap<String, Vec<ComparedBook>> = BTreeMap::new();
    for case in cases.into_values() {
        join(by_text.entry(case.sha256.clone()).or_default(), case);
    }
    let cases: Vec<ComparedBook> = by_text.into_values().flatten().collect();
    let other_text = other_text(&cases);
    SideMatching {
        independent: folders.len(),
        other_text,
        ..SideMatching::new(sides, cases)
    }
}

/// Whether the current outcome is that of an adjudication.
fn is_adjudicated(record: &Record) -> bool {
    let is_current = |review: &Review| {
        review.is_adjudication() && (review.verdict, review.cuts) == (record.verdict, record.cuts)
    };
    record.reviews.iter().any(is_current)
}

/// Joins a book with the first one of the same text that none of its sides has reviewed.
fn join(cases: &mut Vec<ComparedBook>, case: ComparedBook) {
    let apart = |other: &&mut ComparedBook| {
        let mut both = other.opinions.iter().zip(&case.opinions);
        both.all(|(a, b)| a.is_none() || b.is_none())
    };
    match cases.iter_mut().find(apart) {
        Some(other) => {
            for (to, from) in other.opinions.iter_mut().zip(case.opinions) {
                *to = to.or(from);
            }
        }
        None => cases.push(case),
    }
}

/// The names under which the sides decided texts that all differ.
fn other_text(cases: &[ComparedBook]) -> Vec<String> {
    let mut by_name: HashMap<&str, (usize, bool)> = HashMap::new();
    for case in cases {
        let shared = case.opinions.iter().flatten().count() > 1;
        let name = by_name.entry(&case.book).or_default();
        *name = (name.0 + 1, name.1 | shared);
    }
    let names = by_name.into_iter();
    let others = names.filter(|(_, (texts, shared))| *texts > 1 && !shared);
    let mut others: Vec<String> = others.map(|(name, _)| name.to_owned()).collect();
    others.sort();
    others
}

/// The last decisions of each curator, in the reviews of one folder. A user who decided later may have seen what the first
/// one decided, unless the review was blind. Adjudications do not count: see [`with_adjudicators`].
pub fn between_curators(records: &[Record]) -> SideMatching {
    let decided = || records.iter().flat_map(in_order).filter(is_independent);
    let names: BTreeSet<&str> = decided().map(|review| review.by.as_str()).collect();
    let sides: Vec<String> = names.into_iter().map(str::to_owned).collect();
    let mut cases = Vec::new();
    for record in records {
        let mut opinions = vec![None; sides.len()];
        for review in in_order(record).into_iter().filter(is_independent) {
            if let Ok(side) = sides.binary_search(&review.by) {
                opinions[side] = SideReview::new(review.verdict, review.cuts);
            }
        }
        cases.push(case(record, opinions));
    }
    SideMatching::new(sides, cases)
}

/// Each curator against each adjudicator of books they decided: one match for each such pair. The adjudicator knew what the
/// curator had said, so that this tells who was found right, not how well people agree.
pub fn with_adjudicators(records: &[Record]) -> Vec<SideMatching> {
    let mut cases: BTreeMap<(&str, &str), Vec<ComparedBook>> = BTreeMap::new();
    for record in records {
        let [mut settled, mut own] = [BTreeMap::new(), BTreeMap::new()];
        for review in in_order(record).into_iter().filter(is_decided) {
            let side = match review.is_adjudication() {
                true => &mut settled,
                false => &mut own,
            };
            side.insert(&*review.by, SideReview::new(review.verdict, review.cuts));
        }
        for (curator, said) in &own {
            for (adjudicator, decided) in &settled {
                let compared = case(record, vec![*said, *decided]);
                cases
                    .entry((curator, adjudicator))
                    .or_default()
                    .push(compared);
            }
        }
    }
    let matches = cases.into_iter().map(|((curator, adjudicator), cases)| {
        let sides = vec![curator.to_owned(), format!("{adjudicator}, adjudicating")];
        SideMatching {
            independent: 1,
            ..SideMatching::new(sides, cases)
        }
    });
    matches.collect()
}

/// Each curator against the same curator's blind reviews of books that they had decided before: one match for each curator
/// who has any.
pub fn within_curators(records: &[Record]) -> Vec<SideMatching> {
    let mut cases: BTreeMap<String, Vec<ComparedBook>> = BTreeMap::new();
    for record in records {
        let mut before: HashMap<&str, &Review> = HashMap::new();
        for review in in_order(record).into_iter().filter(is_decided) {
            let earlier = before.insert(&review.by, review);
            if let Some(earlier) = earlier.filter(|_| review.blind) {
                let both =
                    [earlier, review].map(|review| SideReview::new(review.verdict, review.cuts));
                let case = case(record, both.to_vec());
                cases.entry(review.by.clone()).or_default().push(case);
            }
        }
    }
    let matches = cases.into_iter().map(|(name, cases)| {
        let again = format!("{name} again, blind");
        SideMatching::new(vec![name, again], cases)
    });
    matches.collect()
}

/// The book of a record with the opinions on it, one for each side.
fn case(record: &Record, opinions: Vec<Option<SideReview>>) -> ComparedBook {
    ComparedBook {
        book: record.book.clone(),
        sha256: record.source.sha256.to_ascii_lowercase(),
        lines: record.source.lines,
        opinions,
    }
}

/// Reviews by time; those of one second in the order they stand.
fn in_order(record: &Record) -> Vec<&Review> {
    let mut reviews: Vec<&Review> = record.reviews.iter().collect();
    reviews.sort_by_key(|review| review.at.parse::<jiff::Timestamp>().ok());
    reviews
}

fn is_decided(review: &&Review) -> bool {
    review.verdict.is_decided()
}

fn is_independent(review: &&Review) -> bool {
    is_decided(review) && !review.is_adjudication()
}
