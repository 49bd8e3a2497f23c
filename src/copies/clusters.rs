//! Clusters of near copies, with the facts printed for each book.

use endpaper_detect::copies::ReleaseDate;
use endpaper_detect::copies::clusters::clusters as joined;
use endpaper_detect::pipeline::{BookReport, CopyLink, NearCopies};

/// A cluster of near copies.
pub(super) struct CopyCluster<'a> {
    /// In the order of their indices.
    pub members: Vec<ClusterMember<'a>>,
    /// The pairs that join its members.
    pub links: Vec<CopyLink>,
}

/// A book of a cluster.
pub(super) struct ClusterMember<'a> {
    /// Its index among all books.
    pub place: usize,
    /// Its corpus, 1 or 2.
    pub corpus: u8,
    /// The book.
    pub book: &'a BookReport,
    /// Release date.
    pub released: Option<ReleaseDate>,
    /// Of its pairs, the one with the largest overlap, then the smallest distance.
    pub best: CopyLink,
    /// Id of the book that it overlaps most.
    pub nearest: &'a str,
    /// Whether no other book of the cluster is longer.
    pub longest: bool,
    /// Whether no other book of the cluster is newer, and some are older.
    pub newest: bool,
}

/// Returns the clusters of all books. `split` is the index of the first book of the second corpus.
pub(super) fn make_clusters<'a>(
    books: &[&'a BookReport],
    split: usize,
    copies: &NearCopies,
) -> Vec<CopyCluster<'a>> {
    let groups = joined(
        books.len(),
        copies.links.iter().map(|link| (link.a, link.b)),
    );
    groups
        .iter()
        .map(|group| cluster(group, books, split, copies))
        .collect()
}

/// The cluster of the books in `group`. Books from the index `split` on are of the second corpus.
fn cluster<'a>(
    group: &[u32],
    books: &[&'a BookReport],
    split: usize,
    copies: &NearCopies,
) -> CopyCluster<'a> {
    // Pairs are sorted by their first book, and both books of a pair are in the same cluster.
    let links = group.iter().flat_map(|book| {
        let from = copies.links.partition_point(|link| link.a < *book);
        copies.links[from..]
            .iter()
            .take_while(move |link| link.a == *book)
    });
    let links: Vec<CopyLink> = links.copied().collect();
    // By date first, then by e-book number: editions of one number differ in date.
    let age = |place: usize| {
        (
            copies.release_dates.get(&(place as u32)).copied(),
            books[place].summary.header.number,
        )
    };
    let places = || group.iter().map(|&place| place as usize);
    let longest = places().map(|place| books[place].summary.bytes).max();
    let newest = places().map(age).max();
    let differ = places().map(age).min() != newest;
    let members = places().filter_map(|place| {
        let own = links
            .iter()
            .filter(|link| [link.a, link.b].contains(&(place as u32)));
        let best = *own.max_by(|a, b| {
            a.overlap
                .total_cmp(&b.overlap)
                .then(b.distance.cmp(&a.distance))
        })?;
        let other = if best.a as usize == place {
            best.b
        } else {
            best.a
        };
        let book = books[place];
        Some(ClusterMember {
            place,
            corpus: if place < split { 1 } else { 2 },
            book,
            released: age(place).0,
            best,
            nearest: books[other as usize].book.id.as_str(),
            longest: Some(book.summary.bytes) == longest,
            newest: differ && Some(age(place)) == newest,
        })
    });
    CopyCluster {
        members: members.collect(),
        links,
    }
}
