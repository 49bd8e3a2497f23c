//! Lines above the first cut that read like the title or the author: a cut below them may have cut the book's title page away.

use super::decision::BookState;
use super::entry::QueueEntry;
use endpaper_detect::End;

/// Number of non-blank lines above the cut that are compared.
const ABOVE: usize = 12;
/// Words of a title page beside the title and the author.
const CONNECTING: [&str; 7] = ["by", "the", "a", "an", "of", "and", "or"];

/// The lines just above the cut of the start that consist of words of the title or of the author, in line order.
pub fn title_lines_above(book: &BookState, entry: &QueueEntry) -> Vec<u32> {
    if book.decision.unplaced[End::Start as usize] {
        return Vec::new();
    }
    let names = [&entry.title, &entry.author].map(|name| words(name));
    let page = &book.page;
    let mut lines = Vec::new();
    let mut line = book.decision.cuts.preamble_end;
    for _ in 0..ABOVE {
        line = page.non_blank_at_or_before(line);
        if line == 0 {
            break;
        }
        let text = words(&page.text.display(line, 400));
        if names.iter().any(|name| is_of(&text, name)) {
            lines.push(line);
        }
        line -= 1;
    }
    lines.reverse();
    lines
}

/// The words in lower case, without punctuation, initials and connecting words.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 1)
        .map(str::to_lowercase)
        .filter(|word| !CONNECTING.contains(&word.as_str()))
        .collect()
}

/// Whether a line has only words of a name, and at least half of them.
fn is_of(line: &[String], name: &[String]) -> bool {
    !line.is_empty() && 2 * line.len() >= name.len() && line.iter().all(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_title_or_the_author_is_recognised() {
        let table = [
            ("A STUDY IN SCARLET.", "A Study in Scarlet", true),
            ("By A. CONAN DOYLE", "Arthur Conan Doyle", true),
            (
                "by Sir Arthur Conan Doyle, M.D.",
                "Arthur Conan Doyle",
                false,
            ),
            ("Title: A Study in Scarlet", "A Study in Scarlet", false),
            ("THE", "The Wonderful Wizard of Oz", false),
            ("OZ", "The Wonderful Wizard of Oz", false),
            ("", "", false),
        ];
        for (line, name, expected) in table {
            assert_eq!(is_of(&words(line), &words(name)), expected, "{line}");
        }
    }
}
