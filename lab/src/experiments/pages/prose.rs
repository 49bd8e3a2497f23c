//! Real prose, paragraph by paragraph.

/// Length of usable paragraphs in bytes: shorter ones are headings and verse, longer ones are not like news.
const MIN_PARAGRAPH_BYTES: usize = 120;
const MAX_PARAGRAPH_BYTES: usize = 1_500;

/// Paragraphs of books, returned one after another.
#[derive(Clone, Debug)]
pub struct Prose<'a> {
    paragraphs: Vec<&'a str>,
    next: usize,
    given: usize,
}

impl<'a> Prose<'a> {
    /// Collects the paragraphs of texts, which blank lines separate.
    pub fn new(texts: impl IntoIterator<Item = &'a str>) -> Prose<'a> {
        let paragraphs = texts.into_iter().flat_map(|text| {
            let mut rest = text;
            std::iter::from_fn(move || {
                if rest.is_empty() {
                    return None;
                }
                let (paragraph, after) = split(rest);
                rest = after;
                Some(paragraph)
            })
        });
        Prose {
            paragraphs: paragraphs
                .filter(|text| (MIN_PARAGRAPH_BYTES..=MAX_PARAGRAPH_BYTES).contains(&text.len()))
                .collect(),
            next: 0,
            given: 0,
        }
    }

    /// Starts at the paragraph with this index, modulo their number.
    pub fn from(mut self, place: usize) -> Self {
        self.next = place % self.paragraphs.len().max(1);
        self
    }

    /// Number of paragraphs.
    pub fn len(&self) -> usize {
        self.paragraphs.len()
    }

    /// Whether there are no paragraphs.
    pub fn is_empty(&self) -> bool {
        self.paragraphs.is_empty()
    }

    /// Total length of all paragraphs in bytes.
    pub fn bytes(&self) -> usize {
        self.paragraphs.iter().map(|text| text.len()).sum()
    }

    /// Whether a paragraph was returned twice because there are too few.
    pub fn is_used_up(&self) -> bool {
        self.given > self.paragraphs.len()
    }

    /// Returns the next paragraph on one line, escaped for HTML; starts again after the last.
    pub(super) fn paragraph(&mut self) -> String {
        let Some(paragraph) = self.paragraphs.get(self.next) else {
            return String::new();
        };
        self.next = (self.next + 1) % self.paragraphs.len();
        self.given += 1;
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        let line = words.join(" ");
        line.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
    }
}

/// Splits off the first paragraph and the blank lines after it.
fn split(text: &str) -> (&str, &str) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            return (text[..at].trim(), &text[at + line.len()..]);
        }
        at += line.len();
    }
    (text.trim(), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_what_stands_between_blank_lines() {
        let long = "It was <a> & b. ".repeat(10);
        let text = format!(
            "HEADING\r\n\r\n\r\n{long}\r\nand on\r\n \r\n{}\r\n\r\n{long}",
            "x".repeat(2_000)
        );
        let mut prose = Prose::new([text.as_str()]);
        let expected = long
            .trim()
            .replace('&', "&amp;")
            .replace("<a>", "&lt;a&gt;");
        assert_eq!(prose.paragraph(), format!("{expected} and on"));
        assert_eq!(prose.paragraph(), expected);
        assert!(!prose.is_used_up());
        assert_eq!(prose.paragraph(), format!("{expected} and on"));
        assert!(prose.is_used_up());
        let mut second = Prose::new([text.as_str()]).from(3);
        assert_eq!(
            (second.len(), second.paragraph().as_str()),
            (2, expected.as_str())
        );
        assert_eq!(Prose::new(["", "\n\n"]).paragraph(), "");
    }
}
