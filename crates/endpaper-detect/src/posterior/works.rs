//! Groups books by work: weights must not be evaluated on a book if they were fitted to another edition of it.

use std::collections::{BTreeSet, HashMap};

use sha2::{Digest, Sha256};

use crate::copies::clusters::clusters;
use endpaper_text::scan::Header;

/// Letters of a title that are compared: editions differ in subtitles.
const TITLE: usize = 20;

/// The work of each book, from its header and the checksum of its bytes: a number that is the same for books of one
/// work, whatever their order, and as good as random otherwise.
///
/// Two books are one work if their titles begin with the same 20 letters and digits (leading articles ignored) and
/// their authors share a word of more than two letters, or if a book of that title names no author. A book without a
/// title is one work with files of the same bytes only. Grouping too much does no harm; grouping too little would.
pub fn group_by_work<'a>(books: impl IntoIterator<Item = (&'a Header, u64)>) -> Vec<u64> {
    let keys = books.into_iter().map(|(header, crc)| {
        let title = header.title.as_deref().map(title).unwrap_or_default();
        match title.is_empty() {
            true => (format!("{crc:016x}"), BTreeSet::new()),
            false => (title, words(header.author.as_deref().unwrap_or_default())),
        }
    });
    let keys: Vec<(String, BTreeSet<String>)> = keys.collect();
    let mut titles: HashMap<&str, Vec<usize>> = HashMap::new();
    for (book, (title, _)) in keys.iter().enumerate() {
        titles.entry(title).or_default().push(book);
    }
    let mut works = vec![0; keys.len()];
    for (title, books) in titles {
        let authors: Vec<_> = books.iter().map(|&book| &keys[book].1).collect();
        for (book, name) in books.iter().zip(names(&authors)) {
            works[*book] = number(title, &name);
        }
    }
    works
}

/// For each book of one title, a name that all books by one author share.
fn names(authors: &[&BTreeSet<String>]) -> Vec<String> {
    if authors.iter().any(|words| words.is_empty()) {
        return vec![String::new(); authors.len()];
    }
    let mut first: HashMap<&str, u32> = HashMap::new();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (book, words) in (0..).zip(authors) {
        for word in *words {
            pairs.push((*first.entry(word).or_insert(book), book));
        }
    }
    let least = |book: usize| authors[book].first().cloned().unwrap_or_default();
    let mut names: Vec<String> = (0..authors.len()).map(least).collect();
    for group in clusters(authors.len(), pairs) {
        let words = group.iter().map(|&book| names[book as usize].clone());
        let name = words.min().unwrap_or_default();
        for book in group {
            names[book as usize].clone_from(&name);
        }
    }
    names
}

/// Letters and digits of a title, without leading articles.
fn title(title: &str) -> String {
    let title = title.to_lowercase();
    let mut words = title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .peekable();
    while words
        .next_if(|word| ["the", "a", "an"].contains(word))
        .is_some()
    {}
    words.flat_map(str::chars).take(TITLE).collect()
}

/// Words of an author's name of more than two letters.
fn words(author: &str) -> BTreeSet<String> {
    let author = author.to_lowercase();
    let words = author.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| word.chars().count() > 2)
        .map(str::to_owned)
        .collect()
}

/// A stable number: SHA-256 does not depend on versions or machines.
fn number(title: &str, name: &str) -> u64 {
    let digest = Sha256::digest(format!("{title}\n{name}"));
    digest
        .iter()
        .take(8)
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(books: &[(&str, &str)]) -> Vec<u64> {
        let name = |name: &str| Some(name.to_owned()).filter(|name| !name.is_empty());
        let headers: Vec<Header> = books
            .iter()
            .map(|(title, author)| Header {
                title: name(title),
                author: name(author),
                ..Header::default()
            })
            .collect();
        group_by_work(headers.iter().zip(0..))
    }

    #[test]
    fn editions_are_one_work() {
        let found = of(&[
            ("The Adventures of Sherlock Holmes", "Arthur Conan Doyle"),
            (
                "ADVENTURES OF SHERLOCK HOLMES, Illustrated",
                "Sir A. Conan Doyle",
            ),
            ("Adventures of Sherlock Holmes", "Doyle"),
            ("The Adventures of Sherlock Holmes", "William Gillette"),
            ("A Study in Scarlet", "Arthur Conan Doyle"),
        ]);
        assert!(found[0] == found[1] && found[0] == found[2], "{found:?}");
        assert!(found[0] != found[3] && found[0] != found[4], "{found:?}");
    }

    #[test]
    fn a_book_without_author_holds_its_title_together() {
        let found = of(&[("Poems", "Byron"), ("Poems", ""), ("Poems", "Shelley")]);
        assert!(found.iter().all(|work| *work == found[0]), "{found:?}");
    }

    #[test]
    fn authors_are_joined_through_others() {
        let found = of(&[
            ("Faust", "Goethe"),
            ("Faust", "Bayard Taylor"),
            ("Faust", "Johann Goethe; translated by Bayard Taylor"),
        ]);
        assert!(found.iter().all(|work| *work == found[0]), "{found:?}");
    }

    #[test]
    fn without_a_title_only_the_same_bytes_are_one_work() {
        let header = Header::default();
        let found = group_by_work([(&header, 7), (&header, 8), (&header, 7)]);
        assert!(found[0] == found[2] && found[0] != found[1]);
    }

    #[test]
    fn the_order_of_books_changes_nothing() {
        let books = [
            ("Faust", "Goethe"),
            ("Faust", "Marlowe"),
            ("Poems", "Byron"),
        ];
        let reversed: Vec<_> = books.iter().copied().rev().collect();
        let mut found = of(&reversed);
        found.reverse();
        assert_eq!(of(&books), found);
    }
}
