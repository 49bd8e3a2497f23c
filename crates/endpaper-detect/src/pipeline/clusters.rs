//! Clusters of near copies in an analysis, and the books whose cuts are at other words than those of a copy.
//!
//! Books with identical contents are compared once. The result is cached as long as no book, cut or option changes.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::cache::CorpusCache;
use super::copies::{
    ComparedPart, CopyOptions, TextVisitor, find_copies, find_copies_cached, part_of, read,
};
use super::parallel::{RunContext, catch_panic};
use super::{AnalysisProgress, AnalysisStep, BookReport, CopyLink, NearCopies};
use crate::Cuts;
use crate::copies::clusters::clusters;
use crate::copies::{BodyRange, WordIndex, cuts_differ, transfer_cuts};
use endpaper_text::corpus::{BookText, EncodingChoice, Unreadable};

/// Changes whenever the same books may give other clusters.
const VERSION: u32 = 3;

/// Number of copies that a book is compared with: those of its cluster that it has most in common with.
pub const MAX_COPIES: usize = 8;

/// The cluster of each book of an analysis, by index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyClusters {
    /// The number of its cluster, from 1 in the order of their first books; 0: the book has no copy.
    pub cluster_of: Vec<u32>,
    /// Whether its near copies are cut at the same words: no part of its body is cut away in one of them, nor the reverse.
    /// `None` without a copy that has other bytes.
    pub agree: Vec<Option<bool>>,
}

/// What is read in a book: checksum and size of its bytes, and how they are decoded.
pub(super) type TextContent = (u64, u64, EncodingChoice);

/// What is read in a book: equal texts are examined once.
pub(super) fn text_content(book: &BookReport) -> TextContent {
    (book.summary.crc, book.summary.bytes, book.book.encoding)
}

/// Everything that determines a part of a book: equal parts are compared once.
type PartContent = (TextContent, (u32, u32), Cuts);

/// What the clusters depend on in a book: its bytes, the part that is compared, and its cuts.
fn content_of(book: &BookReport, options: &CopyOptions) -> PartContent {
    let (part, cuts) = (part_of(book, options.part), book.summary.detection.cuts);
    (text_content(book), part, cuts)
}

/// The clusters of near copies in an analysis.
///
/// # Errors
///
/// As [`super::find_copies`].
pub fn find_clusters(
    books: &[&BookReport],
    options: &CopyOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<CopyClusters> {
    find_clusters_visiting(books, options, &|_, _| {}, progress, cancel)
}

/// Like [`find_clusters`], with a visitor of every text that is read for its fingerprint: books with identical contents are
/// read once.
pub(super) fn find_clusters_visiting(
    books: &[&BookReport],
    options: &CopyOptions,
    visit: &TextVisitor<'_>,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<CopyClusters> {
    let contents = contents_of(books, options);
    let cache = cache_of(books, options);
    let key = key(&contents, options);
    if let Some(known) = load(cache.as_ref(), books, &key) {
        return Ok(known);
    }
    let (different, different_of) = distinct(books, &contents);
    let caches = [cache.clone(), None];
    let copies = find_copies_cached(&caches, &different, None, options, visit, progress, cancel)?;
    let agree = find_agreements(&different, &copies.links, options, progress, cancel)?;
    let agree = different_of.iter().map(|&place| agree[place as usize]);
    let found = CopyClusters {
        cluster_of: numbered(&different_of, &copies),
        agree: agree.collect(),
    };
    if let Some(cache) = cache.filter(|_| copies.skipped.is_empty()) {
        // If this fails, the next run compares the books again, which is not worth a note.
        let _ = cache.store_keyed("clusters", VERSION, &key, &found);
    }
    Ok(found)
}

/// The clusters that an earlier run found for the same books, cuts and options; `None` if they are not cached.
pub(super) fn cached_clusters(
    books: &[&BookReport],
    options: &CopyOptions,
) -> Option<CopyClusters> {
    let contents = contents_of(books, options);
    let key = key(&contents, options);
    load(cache_of(books, options).as_ref(), books, &key)
}

/// [`content_of`] every book.
fn contents_of(books: &[&BookReport], options: &CopyOptions) -> Vec<PartContent> {
    books.iter().map(|book| content_of(book, options)).collect()
}

/// The cache of the corpus of these books.
fn cache_of(books: &[&BookReport], options: &CopyOptions) -> Option<CorpusCache> {
    let listed = books.iter().map(|book| &book.book);
    CorpusCache::of(options.cache.as_deref(), listed)
}

/// The key of cached clusters: everything that determines them.
fn key<'a>(contents: &'a [PartContent], options: &CopyOptions) -> impl Serialize + use<'a> {
    let key = (contents, options.shape, options.distance, options.bands);
    (key, options.overlap.to_bits())
}

/// The cached clusters, if they were made with this key and these books.
fn load(
    cache: Option<&CorpusCache>,
    books: &[&BookReport],
    key: &impl Serialize,
) -> Option<CopyClusters> {
    let known = cache?.load_keyed::<CopyClusters>("clusters", VERSION, key)?;
    let fits = known.cluster_of.len() == books.len() && known.agree.len() == books.len();
    fits.then_some(known)
}

/// The books with distinct contents, and for each book the index of the one with its contents.
fn distinct<'a>(
    books: &[&'a BookReport],
    contents: &[PartContent],
) -> (Vec<&'a BookReport>, Vec<u32>) {
    let mut first: HashMap<PartContent, u32> = HashMap::new();
    let mut different: Vec<&BookReport> = Vec::new();
    let mut different_of = Vec::with_capacity(books.len());
    for (book, content) in books.iter().zip(contents) {
        let place = *first.entry(*content).or_insert_with(|| {
            different.push(book);
            different.len() as u32 - 1
        });
        different_of.push(place);
    }
    (different, different_of)
}

/// The cluster number of each book, as in [`CopyClusters::cluster_of`].
fn numbered(different_of: &[u32], copies: &NearCopies) -> Vec<u32> {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut index_of: HashMap<u32, u32> = HashMap::new();
    for (place, &content) in (0u32..).zip(different_of) {
        // Two empty books are not copies of each other.
        if copies.fingerprints[content as usize].is_some() {
            pairs.push((*index_of.entry(content).or_insert(place), place));
        }
    }
    let links = copies.links.iter();
    pairs.extend(links.filter_map(|link| Some((*index_of.get(&link.a)?, *index_of.get(&link.b)?))));
    let pairs = pairs.into_iter().filter(|(a, b)| a != b);
    let mut of = vec![0; different_of.len()];
    for (number, group) in (1..).zip(clusters(different_of.len(), pairs)) {
        for place in group {
            of[place as usize] = number;
        }
    }
    of
}

/// Whether each book is cut at the same words as the copies that it has most in common with; `None` if it was compared with
/// none.
fn find_agreements(
    books: &[&BookReport],
    links: &[CopyLink],
    options: &CopyOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<Vec<Option<bool>>> {
    let mut agree = vec![None; books.len()];
    let bodies = books.iter().map(|book| part_of(book, ComparedPart::Body));
    let bodies: Vec<BodyRange> = bodies.collect();
    for pair in compare_links(books, &bodies, links, options, progress, cancel)? {
        for book in pair.books {
            let known = &mut agree[book as usize];
            *known = Some(known.unwrap_or(true) && pair.differ == [false; 2]);
        }
    }
    Ok(agree)
}

/// Two near copies that were compared, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedCopies {
    /// The two books.
    pub books: [u32; 2],
    /// Whether they are cut at other words, at the start and at the end of their bodies.
    pub differ: [bool; 2],
}

/// Finds the near copies among books, by the bodies that were detected, and compares the words at the ends of `bodies`, the ones
/// that were decided (first and last line, one for each book): each book with those it has most in common with. A body that was
/// decided wrongly may have too little in common with its copies to be found by it.
///
/// # Errors
///
/// As [`super::find_copies`].
pub fn compare_copies(
    books: &[&BookReport],
    bodies: &[BodyRange],
    options: &CopyOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<Vec<ComparedCopies>> {
    // The books may be a few of a corpus, whose cached fingerprints would be replaced by theirs.
    let options = &CopyOptions {
        cache: None,
        ..options.clone()
    };
    let copies = find_copies(books, None, options, progress, cancel)?;
    compare_links(books, bodies, &copies.links, options, progress, cancel)
}

/// Compares the pairs of books that have most in common, by the ends of these bodies; pairs with an unreadable book are left out.
fn compare_links(
    books: &[&BookReport],
    bodies: &[BodyRange],
    links: &[CopyLink],
    options: &CopyOptions,
    progress: &(dyn Fn(AnalysisProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<Vec<ComparedCopies>> {
    let mut order: Vec<&CopyLink> = links.iter().collect();
    order.sort_by(|a, b| {
        b.overlap
            .total_cmp(&a.overlap)
            .then((a.a, a.b).cmp(&(b.a, b.b)))
    });
    let mut seen = vec![0; books.len()];
    order.retain(|link| {
        let ends = [link.a, link.b].map(|place| place as usize);
        let wanted = ends.iter().any(|&end| seen[end] < MAX_COPIES);
        ends.iter().for_each(|&end| seen[end] += 1);
        wanted
    });
    // Sorted, so that a book of consecutive pairs is read once.
    order.sort_by_key(|link| (link.a, link.b));
    let run = RunContext::new(options.threads, progress, cancel)?;
    let each = |last: &mut Option<(u32, Arc<WordIndex>)>, at: usize| {
        let link = order[at];
        catch_panic(|| differ(books, bodies, link, options.max_size, last)).map_err(Unreadable::Io)
    };
    let (_, found) = run.par_map(AnalysisStep::Comparing, order.len(), || None, each)?;
    let pairs = order.iter().zip(found);
    let compared = pairs.filter_map(|(link, found)| {
        Some(ComparedCopies {
            books: [link.a, link.b],
            differ: found.flatten().ok()?,
        })
    });
    Ok(compared.collect())
}

/// Whether two copies are cut at other words, at each end. `last` keeps the first book of the previous pair.
fn differ(
    books: &[&BookReport],
    bodies: &[BodyRange],
    link: &CopyLink,
    max_size: u64,
    last: &mut Option<(u32, Arc<WordIndex>)>,
) -> Result<[bool; 2], Unreadable> {
    let word_index = |place: u32| {
        let text = read(&books[place as usize].book, max_size)?;
        Ok(Arc::new(WordIndex::of(&text)))
    };
    let ours = match last.take().filter(|(place, _)| *place == link.a) {
        Some((_, word_index)) => word_index,
        None => word_index(link.a)?,
    };
    *last = Some((link.a, ours.clone()));
    let theirs = word_index(link.b)?;
    let body = |place: u32| bodies[place as usize];
    Ok(cuts_differ((&ours, body(link.a)), (&theirs, body(link.b))))
}

/// The cuts of a copy (`text`, cut at `cuts` so far), moved to the words at which a decided book, `ours`, is cut. An end that is
/// at these words already, or for which no line corresponds, stays as it is.
/// `None` if nothing confirms that they are right ([`transfer_cuts`]).
pub fn transfer_cuts_to_copy(
    ours: (&WordIndex, Cuts),
    text: &BookText,
    cuts: Cuts,
) -> Option<Cuts> {
    let (word_index, decided) = ours;
    let body = cuts.body(text.lines());
    let ours = (word_index, decided.body(word_index.lines()));
    let (first, last) = transfer_cuts(ours, (&WordIndex::of(text), body))?;
    let mut moved = cuts;
    if first != body.0 {
        moved.preamble_end = text.non_blank_to(first - 1).unwrap_or(0);
    }
    if last != body.1 {
        moved.epilogue_start = text.non_blank_from(last + 1);
    }
    Some(moved)
}
