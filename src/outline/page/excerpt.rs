//! The first words of a part.

use endpaper_outline::OutlineEntry;
use endpaper_text::corpus::BookText;

/// Most characters of an excerpt that are shown.
pub(super) const CHARS: usize = 140;
/// Most lines looked at, blank ones included.
const LINES: u32 = 40;
/// Most bytes read of a line.
const LINE_BYTES: usize = 600;

/// The first words after the heading of a part, up to the line `end` of the next part, some more than [`CHARS`] characters.
/// Not sanitised. Lines that only repeat the heading are left out.
pub(super) fn first_words(text: &BookText, entry: &OutlineEntry, end: Option<u32>) -> String {
    let Some(line) = entry.line else {
        return String::new();
    };
    let heading = letters(&entry.to_string());
    let last = end.map_or(text.lines(), |end| end.saturating_sub(1));
    let mut words = String::new();
    for line in line.saturating_add(1)..=last.min(line.saturating_add(LINES)) {
        let shown = text.display(line, LINE_BYTES);
        let is_heading = words.is_empty() && heading.contains(&letters(&shown));
        if is_heading {
            continue;
        }
        for word in shown.split_whitespace() {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(word);
        }
        // One character more than is shown, so that the reader sees that there is more.
        if words.chars().nth(CHARS).is_some() {
            break;
        }
    }
    words
}

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_outline::HeadingKind;

    fn words(text: &str, end: Option<u32>) -> String {
        let entry = OutlineEntry {
            level: 1,
            kind: HeadingKind::Chapter,
            number: Some(1),
            title: "The Boat".to_owned(),
            listed: None,
            line: Some(1),
        };
        first_words(&BookText::new(text.as_bytes().to_vec()), &entry, end)
    }

    #[test]
    fn words_begin_after_the_heading_and_end_before_the_next() {
        let text = "CHAPTER I\n\nTHE BOAT\n\n  It was   late.\nNobody\ncame.\n\nCHAPTER II\n";
        assert_eq!(words(text, Some(9)), "It was late. Nobody came.");
        assert_eq!(words(text, Some(3)), "");
        assert_eq!(words("CHAPTER I", None), "");
    }

    #[test]
    fn a_long_line_is_not_read_to_its_end() {
        let text = format!("CHAPTER I\n{}\n", "word ".repeat(1_000_000));
        assert!(words(&text, None).len() <= LINE_BYTES);
        let blank = format!("CHAPTER I\n{}late\n", "\n".repeat(1_000));
        assert_eq!(words(&blank, None), "");
    }
}
