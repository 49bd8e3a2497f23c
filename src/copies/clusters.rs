//! Clusters of books, with what is reported of each book.

use endpaper_detect::copies::ReleaseDate;
use endpaper_detect::copies::clusters::clusters as joined;
use endpaper_detect::pipeline::{BookReport, CopyLink, NearCopies};

/// Books that are joined.
pub(super) struct CopyCluster<'a> {
    /// In the order of their places.
    pub members: Vec<ClusterMember<'a>>,
    /// The pairs that join them.
    pub links: Vec<CopyLink>,
}

/// A book of a cluster.
pub(super) struct ClusterMember<'a> {
    /// Its place among all books.
    pub place: usize,
    /// 1, or 2 for a book of the second corpus.
    pub corpus: u8,
    /// The book.
    pub book: &'a BookReport,
    /// When it was released.
    pub released: Option<ReleaseDate>,
    /// Of the pairs that join it, the one with the largest overlap, then the least distance.
    pub best: CopyLink,
    /// The book it has most in common with.
    pub nearest: &'a str,
    /// No other book of the cluster is longer.
    pub longest: bool,
    /// No other book of the cluster is newer, and some are older.
    pub newest: bool,
}

/// The clusters of all books. `split`: where those of the second corpus begin.
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

fn cluster<'a>(
    group: &[u32],
    books: &[&'a BookReport],
    split: usize,
    copies: &NearCopies,
) -> CopyCluster<'a> {
    // Pairs are in the order of their first books, and a pair is in the cluster of both its books.
    let links = group.iter().flat_map(|book| {
        let from = copies.links.partition_point(|link| link.a < *book);
        copies.links[from..]
            .iter()
            .take_while(move |link| link.a == *book)
    });
    let links: Vec<CopyLink> = links.copied().collect();
    // Age goes by the date, and where none is said by the number of the e-book: editions of one number differ in date.
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
