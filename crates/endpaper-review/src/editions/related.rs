//! Finds editions of one work: near copies by their text ([`endpaper_detect::copies`]), and books with matching metadata.
//!
//! [`endpaper_detect::posterior::group_by_work`] also groups books by work, but deliberately merges too much: volumes, and all books of
//! a title if one of them names no author. Here a wrong edition would give wrong candidates, so missing one is preferred.

use std::collections::BTreeSet;

use crate::entry::{QueueEntry, ReviewStatus};

/// Minimum number of letters and digits of a title that identifies a work without an author (*Poems* does not).
const MIN_TITLE_LETTERS: usize = 12;

/// Words next to authors' names that are not part of the name.
const STYLES: &str = "Sir Mrs Rev and the";

/// The other editions of a book: decided ones first, then near copies, then those of its e-text number, then those nearest
/// in length.
pub fn related_editions(entries: &[QueueEntry], book: usize) -> Vec<usize> {
    let Some(entry) = entries.get(book) else {
        return Vec::new();
    };
    let name = WorkKey::of(entry);
    let others = (0..entries.len()).filter(|&other| other != book);
    let is_related = |other: &QueueEntry| other.is_copy_of(entry) || name.is_same_work(other);
    let mut found: Vec<usize> = others
        .filter(|&other| is_related(&entries[other]))
        .collect();
    found.sort_by_key(|&other| {
        let other_entry = &entries[other];
        let standing = other_entry.status;
        let cuts = matches!(standing, ReviewStatus::Decided(verdict) if standing.is_decided() && verdict.has_cuts());
        let number = entry.number.is_some() && entry.number == other_entry.number;
        let apart = entry.lines.abs_diff(other_entry.lines);
        let copy = other_entry.is_copy_of(entry);
        (!cuts, !copy, !number, apart, other)
    });
    found
}

/// Whether two books are editions of one work. They are if they share an e-text number and their titles do not contradict it
/// (numbers are mistyped); or if they share the full title and one's author is named within the other's (`Doyle`, `Sir A.
/// Conan Doyle`). If one names no author, the title must be distinctive; if neither does, the numbers must not differ
/// either (*First Folio*).
pub fn same_work(a: &QueueEntry, b: &QueueEntry) -> bool {
    WorkKey::of(a).is_same_work(b)
}

/// What identifies the work of a book: its e-book number, or its title and author.
struct WorkKey {
    /// The e-book number of the header.
    ebook_number: Option<u32>,
    /// Letters and digits of the title, without a leading article.
    title: String,
    /// Words of the title of at least four letters.
    title_words: BTreeSet<String>,
    /// Words of the author's name of at least three letters, without styles such as `Sir`.
    author_words: BTreeSet<String>,
}

impl WorkKey {
    /// The key of a book.
    fn of(entry: &QueueEntry) -> WorkKey {
        // A book without a title in its header is identified by its file name.
        let title = entry.distinct_title();
        WorkKey {
            ebook_number: entry.number,
            title: plain(title),
            title_words: words(title, 4),
            author_words: &words(&entry.author, 3) - &words(STYLES, 3),
        }
    }

    /// Whether another book is of this work.
    fn is_same_work(&self, other: &QueueEntry) -> bool {
        let numbered = self.ebook_number.is_some() && self.ebook_number == other.number;
        // Nearly every pair of books ends here, before anything is allocated.
        if !numbered && !is_plain_form(&self.title, other.distinct_title()) {
            return false;
        }
        let other = WorkKey::of(other);
        if numbered && self.titles_agree(&other) {
            return true;
        }
        !self.title.is_empty() && self.title == other.title && self.authors_agree(&other)
    }

    /// Whether the titles are compatible, given a common e-book number.
    fn titles_agree(&self, other: &WorkKey) -> bool {
        self.title == other.title
            || self.title.is_empty()
            || other.title.is_empty()
            || !self.title_words.is_disjoint(&other.title_words)
    }

    /// Whether the authors are compatible, given a common title.
    fn authors_agree(&self, other: &WorkKey) -> bool {
        let differ = self.ebook_number.is_some()
            && other.ebook_number.is_some()
            && self.ebook_number != other.ebook_number;
        match (self.author_words.is_empty(), other.author_words.is_empty()) {
            (false, false) => {
                self.author_words.is_subset(&other.author_words)
                    || other.author_words.is_subset(&self.author_words)
            }
            (true, true) if differ => false,
            _ => self.title.chars().count() >= MIN_TITLE_LETTERS,
        }
    }
}

/// Letters and digits of a title, without leading articles.
fn plain(title: &str) -> String {
    let title = title.to_lowercase();
    let words = title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words
        .skip_while(|word| ["the", "a", "an"].contains(word))
        .collect()
}

/// Whether `plain` is not empty and is the [`plain`] form of a title.
fn is_plain_form(plain: &str, title: &str) -> bool {
    let is_article = |word: &&str| {
        ["the", "a", "an"]
            .iter()
            .any(|article| word.eq_ignore_ascii_case(article))
    };
    let words = title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let letters = words.skip_while(is_article).flat_map(str::chars);
    let letters = letters.flat_map(char::to_lowercase);
    // A final sigma is lower-cased by its place in the word.
    let same = |c: char| if c == 'ς' { 'σ' } else { c };
    let letters = letters.filter(|c| c.is_alphanumeric()).map(same);
    !plain.is_empty() && letters.eq(plain.chars().map(same))
}

/// Words of at least `letters` letters.
fn words(text: &str, letters: usize) -> BTreeSet<String> {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| word.chars().count() >= letters)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::BookCopies;
    use endpaper_text::corpus::BookId;
    use endpaper_truth::Verdict;

    fn entry(title: &str, author: &str, number: u32) -> QueueEntry {
        QueueEntry {
            title: title.to_owned(),
            author: author.to_owned(),
            number: Some(number).filter(|&number| number > 0),
            ..QueueEntry::default()
        }
    }

    #[test]
    fn a_number_or_a_title_with_its_author_makes_a_work() {
        let doyle = "Arthur Conan Doyle";
        let table = [
            // The same number.
            (
                ("Emilia Galotti", "Lessing", 9108),
                ("Emilia Lagotti", "Lessing", 9108),
                true,
            ),
            (
                ("", "", 2229),
                ("Faust: Der Tragödie erster Teil", "Goethe", 2229),
                true,
            ),
            (
                ("Alice in Wonderland", "", 11),
                ("Alice's Adventures in Wonderland", "Lewis Carroll", 11),
                true,
            ),
            (
                ("Persuasion", "TESTING", 105),
                ("Persuasion", "Jane Austen", 105),
                true,
            ),
            (("She", "Haggard", 3155), ("She", "", 3155), true),
            // A mistyped number.
            (
                ("George Silverman's Explanation", "", 809),
                ("Holiday Romance", "Charles Dickens", 809),
                false,
            ),
            (("of", "", 689), ("The Kreutzer Sonata", "", 689), false),
            // A title and an author.
            (
                ("A Study in Scarlet", doyle, 244),
                ("A STUDY IN SCARLET.", "Doyle", 0),
                true,
            ),
            (
                ("Sign of the Four", doyle, 1),
                ("The Sign of the Four", "Sir A. Conan Doyle", 2),
                true,
            ),
            (
                ("A Study in Scarlet", doyle, 0),
                ("A Study in Scarlet", "William Gillette", 0),
                false,
            ),
            (
                ("Essays", "William Hazlitt", 1),
                ("Essays", "William Cobbett", 2),
                false,
            ),
            // Volumes.
            (
                ("Monte-Cristo, Tome I", "Dumas", 17989),
                ("Monte-Cristo, Tome IV", "Dumas", 17992),
                false,
            ),
            // Without an author.
            (
                ("Heart of Darkness", "", 526),
                ("Heart of Darkness", "Joseph Conrad", 219),
                true,
            ),
            (("Poems", "", 0), ("Poems", "Byron", 0), false),
            (
                ("Shakespeare's First Folio", "", 2264),
                ("Shakespeare's First Folio", "", 2265),
                false,
            ),
            (
                ("Through the Looking-Glass", "", 0),
                ("Through the Looking-Glass", "", 12),
                true,
            ),
            (("", "", 0), ("", "", 0), false),
            (("***", "", 0), ("***", "", 0), false),
        ];
        for (a, b, expected) in table {
            let [a, b] = [a, b].map(|(title, author, number)| entry(title, author, number));
            assert_eq!(same_work(&a, &b), expected, "{a:?} {b:?}");
            assert_eq!(same_work(&b, &a), expected, "{b:?} {a:?}");
        }
    }

    #[test]
    fn titles_are_compared_without_their_plain_forms() {
        let titles = [
            "A Study in Scarlet",
            "THE STUDY, in scarlet.",
            "An Study in Scarle",
            "Étude en rouge",
            "ÉTUDE en Rouge",
            "Ο ΚΟΣΜΟΣ",
            "Ο κόσμος",
            "İstanbul",
            "a the",
            "***",
            "",
        ];
        for (a, b) in titles.iter().flat_map(|a| titles.map(|b| (a, b))) {
            let expected = !plain(a).is_empty() && plain(a) == plain(b);
            assert_eq!(is_plain_form(&plain(a), b), expected, "{a} {b}");
        }
    }

    #[test]
    fn the_name_of_a_file_is_no_title() {
        let named = |folder: &str| QueueEntry {
            id: Some(BookId::new(&format!("{folder}/a-long-name.txt"))),
            ..entry("a-long-name.txt", "", 0)
        };
        assert!(!same_work(&named("a"), &named("b")));
    }

    #[test]
    fn decided_editions_come_first_then_the_most_alike() {
        let with = |number, lines, standing| QueueEntry {
            lines,
            status: standing,
            ..entry("A Study in Scarlet", "Doyle", number)
        };
        let open = ReviewStatus::Undecided;
        let entries = [
            with(244, 5000, open),
            with(0, 5001, open),
            with(244, 9000, open),
            with(244, 5100, open),
            with(0, 9000, ReviewStatus::Decided(Verdict::Confirmed)),
            with(244, 5000, ReviewStatus::Decided(Verdict::NotABook)),
            entry("Another", "Doyle", 1),
        ];
        assert_eq!(related_editions(&entries, 0), [4, 5, 3, 2, 1]);
        assert!(related_editions(&entries, 6).is_empty());
        assert!(related_editions(&entries, 7).is_empty());
    }

    #[test]
    fn near_copies_are_editions_whatever_they_are_called() {
        let copy = |title, cluster| QueueEntry {
            copies: BookCopies {
                cluster,
                is_cut_differently: false,
            },
            ..entry(title, "", 0)
        };
        let entries = [
            copy("Persuasion of a sort", 3),
            copy("Persuasion of a sort", 0),
            copy("TESTING", 3),
            copy("Another", 4),
            copy("The last", 0),
        ];
        assert_eq!(related_editions(&entries, 0), [2, 1]);
        assert_eq!(related_editions(&entries, 2), [0]);
        assert!(related_editions(&entries, 4).is_empty());
    }
}
