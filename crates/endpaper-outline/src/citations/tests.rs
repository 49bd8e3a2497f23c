//! Citations of one work, and citations of different works.

use super::cited_titles::is_similar_title;
use super::*;
use crate::bibliography::BibliographyItem;
use crate::metadata::{Metadata, MetadataValue, ValueExtractor};
use proptest::prelude::*;

fn item(author: &str, title: &str, venue: &str) -> BibliographyItem {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    BibliographyItem {
        author: text(author),
        title: text(title),
        venue: text(venue),
        ..BibliographyItem::default()
    }
}

fn counted(books: &[&[BibliographyItem]]) -> Citations {
    let mut citations = Citations::default();
    for items in books {
        let list = Bibliography {
            line: 1,
            items: items.to_vec(),
            numbered: true,
            last: 9,
        };
        citations.add(&[list]);
    }
    citations
}

fn rows(all: &[CitedItem]) -> Vec<(u32, u32, &str)> {
    let row = |one: &'_ CitedItem| (one.cited_by, one.citations);
    all.iter()
        .map(|one| (row(one).0, row(one).1, one.name.as_str()))
        .collect()
}

#[test]
fn works_are_one_by_title_or_nearly() {
    let table: &[(&[BibliographyItem], usize)] = &[
        // Equal except for case, accents, punctuation and the author.
        (
            &[
                item("A", "The Œuvre: a tale", ""),
                item("B", "the oeuvre A TALE", ""),
            ],
            1,
        ),
        // One letter of thirty is lost, and the authors agree or are missing.
        (
            &[
                item("D. Knuth", "The Art of Computer Programming", ""),
                item("Knuth, Donald E.", "he Art of Computer Programming", ""),
                item("", "The Art of Computer Programing", ""),
            ],
            1,
        ),
        (
            &[
                item("D. Knuth", "The Art of Computer Programming", ""),
                item("E. Other", "The Art of Computer Programing", ""),
            ],
            2,
        ),
        // Venues that disagree separate works whose titles differ.
        (
            &[
                item(
                    "A. Lee",
                    "A mathematical theory of boats",
                    "Letters of Boats",
                ),
                item("A. Lee", "A mathematical theory of boat", "Review of Ships"),
            ],
            2,
        ),
        // Volumes are separate works.
        (
            &[
                item("A. Lee", "The collected letters of Ann Lee, volume 1", ""),
                item("A. Lee", "The collected letters of Ann Lee, volume 2", ""),
                item("A. Lee", "The collected letters of Ann Lee, part I", ""),
                item("A. Lee", "The collected letters of Ann Lee, part V", ""),
            ],
            4,
        ),
        // Titles too short to tolerate a wrong letter.
        (&[item("A", "The Boat", ""), item("A", "The Goat", "")], 2),
        (&[item("A", "", "Nature"), item("A", "1899", "")], 0),
    ];
    for (items, expected) in table {
        assert_eq!(counted(&[items]).works().len(), *expected, "{items:?}");
    }
}

#[test]
fn books_are_counted_once_and_citations_all() {
    let art = item("D. Knuth", "The Art of Computer Programming", "");
    let lost = item("D. Knuth", "he Art of Computer Programming", "");
    let raven = item("E. Poe", "The Raven", "");
    let works = counted(&[
        &[art.clone(), lost.clone(), raven.clone()],
        &[],
        &[lost, art, raven.clone(), raven.clone()],
        &[raven],
    ])
    .works();
    assert_eq!(
        rows(&works),
        [
            (3, 4, "The Raven"),
            (2, 4, "The Art of Computer Programming")
        ]
    );
    assert_eq!(
        (works[1].spellings, works[1].author.as_deref()),
        (2, Some("D. Knuth"))
    );
}

#[test]
fn the_year_is_the_one_most_often_told() {
    let dated = |year| BibliographyItem {
        year: Some(year),
        ..item("A", "The Boat", "")
    };
    let works = counted(&[
        &[dated(1999), dated(1987)],
        &[dated(1987), item("A", "The Boat", "")],
    ])
    .works();
    assert_eq!(works[0].year, Some(1987));
    let works = counted(&[&[dated(1999), dated(1987)]]).works();
    assert_eq!(works[0].year, Some(1987));
}

#[test]
fn venues_go_by_the_names_of_table_2() {
    let full = "IEEE Transactions on Pattern Analysis and Machine Intelligence";
    let names = [
        full,
        "IEEE Trans. on Pattern Analysis and Machine Intelligence",
        "IEEE Trans. Pattern Analysis and Machine Intelligence",
        "IEEE Trans. PAMI",
        "PAMI",
        "IEEE Trans. Pattern Anal. Machine Intell",
    ];
    let items: Vec<BibliographyItem> = names.iter().map(|name| item("", "", name)).collect();
    assert_eq!(rows(&counted(&[&items]).venues()), [(1, 6, full)]);
    let table: &[(&str, &str, usize)] = &[
        ("Communications of the ACM", "Comm. ACM", 1),
        ("The Journal of Boats", "J. Boats", 1),
        (
            "Proceedings of the 3rd Conference on Boats",
            "Proc. Conf. Boats 1999",
            1,
        ),
        ("Journal of Boats", "Review of Boats", 2),
        ("Nature", "Natural History", 2),
    ];
    for (a, b, expected) in table {
        let found = counted(&[&[item("", "", a), item("", "", b)]]).venues();
        assert_eq!(found.len(), *expected, "{a} / {b}");
    }
    // An acronym that fits two names is an alias of neither.
    let two = [
        item("", "", "Annals of Modern Boats"),
        item("", "", "Archives of Middle Birds"),
        item("", "", "AMB"),
    ];
    assert_eq!(counted(&[&two]).venues().len(), 3);
}

#[test]
fn hostile_references_are_counted_in_time() {
    // As many titles as a series may have with one beginning and one length.
    let series: Vec<BibliographyItem> = (0..20_000)
        .map(|number| {
            item(
                "A. Lee",
                &format!("The annual report of the boatmen of the river in {number:05} words"),
                "J.",
            )
        })
        .collect();
    let long = vec![item("A", &"boat ".repeat(100_000), &"B ".repeat(100_000)); 20];
    assert_eq!(counted(&[&series]).works().len(), 20_000);
    assert_eq!(counted(&[&long]).works().len(), 1);
}

proptest! {
    #[test]
    fn one_edit_is_found_as_by_comparing_all(
        titles in proptest::collection::vec("[a-d]{3,7}( [a-d]{3,7}){3,6}", 1..6),
        edits in proptest::collection::vec((0usize..6, 0usize..60, "[a-d]"), 0..12),
    ) {
        let mut all = titles.clone();
        for (which, at, letter) in edits {
            let mut title = titles[which % titles.len()].clone();
            let at = at % title.len();
            title.replace_range(at..=at, &letter);
            all.push(title);
        }
        let items: Vec<BibliographyItem> = all.iter().map(|title| item("", title, "")).collect();
        let found = counted(&[&items]).works().len();
        // The naive answer: the connected components of all pairs of similar titles.
        let folded: Vec<String> = all.iter().map(|title| crate::fold::fold(title)).collect();
        let mut sets = disjoint_sets::DisjointSets::new(folded.len());
        for a in 0..folded.len() {
            for b in 0..a {
                if folded[a] == folded[b] || is_similar_title(&folded[a], &folded[b]) && shares(&folded[a], &folded[b]) {
                    sets.join(a, b);
                }
            }
        }
        prop_assert_eq!(found, sets.all().len());
    }
}

/// Whether two titles share the beginning or end required for a comparison.
fn shares(a: &str, b: &str) -> bool {
    let bare = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
    let (a, b) = (bare(a), bare(b));
    let long = a.len().min(b.len()) >= 20;
    long && (a[..9] == b[..9] || a[a.len() - 9..] == b[b.len() - 9..])
}

/// A book by its title and author, and the references in it as author and title.
type CitingBook<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

/// The links between books: the citing and the cited one.
fn linked(books: &[CitingBook<'_>]) -> Vec<(usize, usize)> {
    let mut links = CitationLinks::default();
    for (title, author, references) in books {
        let value = |text: &&str| {
            let text = (!text.is_empty()).then(|| (*text).to_owned());
            text.map(|text| MetadataValue::from_source(text, ValueExtractor::TitlePage, None))
        };
        let metadata = Metadata {
            title: value(title),
            authors: value(author).into_iter().collect(),
            ..Metadata::default()
        };
        let items = references
            .iter()
            .map(|(author, title)| item(author, title, ""));
        let list = Bibliography {
            line: 1,
            items: items.collect(),
            numbered: true,
            last: 9,
        };
        links.add(&metadata, &[list]);
    }
    let links = links.links();
    links
        .iter()
        .map(|link| (link.reference.book, link.cited))
        .collect()
}

#[test]
fn references_are_linked_to_the_books_they_cite() {
    let table: [(&str, &str, &str, &str, bool); 13] = [
        (
            "The TeXbook",
            "Donald E. Knuth",
            "Knuth, D. E.",
            "TEXBOOK",
            true,
        ),
        (
            "The TeXbook",
            "Donald E. Knuth",
            "L. Lamport",
            "The TeXbook",
            false,
        ),
        // One side names no author: the title has to be distinctive.
        ("The TeXbook", "", "Knuth, D. E.", "The TeXbook", false),
        (
            "The Art of Computer Programming",
            "",
            "Knuth",
            "The Art of Computer Programming",
            true,
        ),
        (
            "The Art of Computer Programming",
            "D. Knuth",
            "",
            "The art of computer programming",
            true,
        ),
        // A letter is wrong.
        (
            "The Art of Computer Programming",
            "D. Knuth",
            "Knuth",
            "he Art of Computer Programming",
            true,
        ),
        // A subtitle is missing on one side.
        (
            "Design Patterns: Elements of Software",
            "Erich Gamma",
            "Gamma et al.",
            "Design Patterns",
            true,
        ),
        (
            "Design Patterns",
            "Erich Gamma",
            "Gamma et al.",
            "Design Patterns; Elements of Software",
            true,
        ),
        (
            "Design Patterns: Elements of Software",
            "",
            "Gamma et al.",
            "Design Patterns",
            false,
        ),
        (
            "Rome: Volume 1",
            "Gibbon",
            "Gibbon",
            "Rome: Volume 2",
            false,
        ),
        (
            "History of Rome: Volume 1",
            "Gibbon",
            "Gibbon",
            "History of Rome: Volume 2",
            false,
        ),
        (
            "Poems",
            "William Blake",
            "Wordsworth, William",
            "Poems",
            false,
        ),
        ("", "William Blake", "Blake, William", "", false),
    ];
    for (title, author, named, cited, expected) in table {
        let links = linked(&[("", "", &[(named, cited)]), (title, author, &[])]);
        assert_eq!(
            !links.is_empty(),
            expected,
            "{title} by {author}: {named}, {cited}"
        );
    }
}

#[test]
fn of_several_books_the_best_is_cited_and_none_cites_itself() {
    let blake: &[_] = &[("Blake", "Poems of the Night")];
    let books: &[CitingBook<'_>] = &[
        ("Poems of the Night", "", blake),
        ("Poems of the Night", "William Blake", blake),
        ("Poems of the Night: A Reader", "William Blake", blake),
    ];
    // The second is the best, also for itself, and then there is no link.
    assert_eq!(linked(books), [(0, 1), (2, 1)]);
}

#[test]
fn many_books_of_one_title_are_not_all_compared() {
    let cited: Vec<(&str, &str)> = vec![("Smith", "The Works of a Poet in Ten Volumes"); 2_000];
    let mut books: Vec<CitingBook<'_>> =
        vec![("The Works of a Poet in Ten Volumes", "Jones", &[]); 2_000];
    books[0].2 = &cited;
    assert_eq!(linked(&books), []);
}
