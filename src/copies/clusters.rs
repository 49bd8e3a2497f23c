//! Clusters of near copies, with the facts printed for each book.

use endpaper_detect::copies::ReleaseDate;
use endpaper_detect::copies::clusters::clusters as joined;
use endpaper_detect::copies::exchange::FingerprintRecord;
use endpaper_detect::pipeline::{BookReport, CopyLink};

/// What is known of a book, of which perhaps only a line of a file of fingerprints is known.
#[derive(Clone, Copy)]
pub(super) struct CopyBook<'a> {
    /// Its id in its corpus.
    pub id: &'a str,
    /// Lines of its file.
    pub lines: Option<u32>,
    /// Size of its file in bytes.
    pub bytes: Option<u64>,
    /// Number of the e-book.
    pub number: Option<u32>,
    /// Title.
    pub title: Option<&'a str>,
    /// Author.
    pub author: Option<&'a str>,
    /// Release date.
    pub released: Option<ReleaseDate>,
}

impl<'a> CopyBook<'a> {
    /// A book of a corpus.
    pub fn of_report(report: &'a BookReport, released: Option<ReleaseDate>) -> CopyBook<'a> {
        let (summary, header) = (&report.summary, &report.summary.header);
        CopyBook {
            id: report.book.id.as_str(),
            lines: Some(summary.lines),
            bytes: Some(summary.bytes),
            number: header.number,
            title: header.title.as_deref(),
            author: header.author.as_deref(),
            released,
        }
    }

    /// A book of a file of fingerprints.
    pub fn of_record(record: &'a FingerprintRecord) -> CopyBook<'a> {
        CopyBook {
            id: &record.book,
            lines: record.lines,
            bytes: record.bytes,
            number: record.number,
            title: None,
            author: None,
            released: None,
        }
    }
}

/// Two books of one cluster, by their indices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClusterLink {
    /// The first book.
    pub a: u32,
    /// The second book.
    pub b: u32,
    /// Number of bits in which their fingerprints differ.
    pub distance: u32,
    /// The share of common phrases; `None` where the text of one cannot be read.
    pub overlap: Option<f64>,
}

impl From<CopyLink> for ClusterLink {
    fn from(link: CopyLink) -> ClusterLink {
        ClusterLink {
            a: link.a,
            b: link.b,
            distance: link.distance,
            overlap: Some(link.overlap),
        }
    }
}

/// A cluster of near copies.
pub(super) struct CopyCluster<'a> {
    /// In the order of their indices.
    pub members: Vec<ClusterMember<'a>>,
    /// The pairs that join its members.
    pub links: Vec<ClusterLink>,
}

/// A book of a cluster.
pub(super) struct ClusterMember<'a> {
    /// Its index among all books.
    pub place: usize,
    /// Its corpus, 1 or 2.
    pub corpus: u8,
    /// The book.
    pub book: CopyBook<'a>,
    /// Of its pairs, the one with the largest overlap, then the smallest distance.
    pub best: ClusterLink,
    /// Id of the other book of that pair.
    pub nearest: &'a str,
    /// Whether no other book of the cluster is longer.
    pub longest: bool,
    /// Whether no other book of the cluster is newer, and some are older. Always false where dates are unknown because the
    /// texts of some books cannot be read.
    pub newest: bool,
}

/// Returns the clusters of all books. `split` is the index of the first book of the second corpus; `links` are in the order of
/// their first books.
pub(super) fn make_clusters<'a>(
    books: &[CopyBook<'a>],
    split: usize,
    links: &[ClusterLink],
) -> Vec<CopyCluster<'a>> {
    let groups = joined(books.len(), links.iter().map(|link| (link.a, link.b)));
    groups
        .iter()
        .map(|group| cluster(group, books, split, links))
        .collect()
}

/// The cluster of the books in `group`. Books from the index `split` on are of the second corpus.
fn cluster<'a>(
    group: &[u32],
    books: &[CopyBook<'a>],
    split: usize,
    links: &[ClusterLink],
) -> CopyCluster<'a> {
    // Pairs are sorted by their first book, and both books of a pair are in the same cluster.
    let own = group.iter().flat_map(|book| {
        let from = links.partition_point(|link| link.a < *book);
        links[from..].iter().take_while(move |link| link.a == *book)
    });
    let links: Vec<ClusterLink> = own.copied().collect();
    // A cluster may have thousands of pairs: the best of every book is found in one pass over them.
    let better = |a: &ClusterLink, b: &ClusterLink| {
        let overlap = |link: &ClusterLink| link.overlap.unwrap_or(0.0);
        let order = overlap(a).total_cmp(&overlap(b));
        order.then(b.distance.cmp(&a.distance)).is_ge()
    };
    let mut best: Vec<Option<ClusterLink>> = vec![None; group.len()];
    for link in &links {
        for place in [link.a, link.b] {
            if let Ok(at) = group.binary_search(&place)
                && best[at].as_ref().is_none_or(|known| better(link, known))
            {
                best[at] = Some(*link);
            }
        }
    }
    // By date first, then by e-book number: editions of one number differ in date.
    let age = |place: usize| (books[place].released, books[place].number);
    let places = || group.iter().map(|&place| place as usize);
    let longest = places().map(|place| books[place].bytes).max().flatten();
    let newest = places().map(age).max();
    let known = links.iter().all(|link| link.overlap.is_some());
    let differ = known && places().map(age).min() != newest;
    let members = places().zip(&best).filter_map(|(place, best)| {
        let best = (*best)?;
        let other = if best.a as usize == place {
            best.b
        } else {
            best.a
        };
        Some(ClusterMember {
            place,
            corpus: if place < split { 1 } else { 2 },
            book: books[place],
            best,
            nearest: books[other as usize].id,
            longest: longest.is_some() && books[place].bytes == longest,
            newest: differ && Some(age(place)) == newest,
        })
    });
    CopyCluster {
        members: members.collect(),
        links,
    }
}
