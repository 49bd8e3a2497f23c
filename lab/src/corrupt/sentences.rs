//! Splits text of any script into approximate sentences.

/// A sentence without an end is cut at the first white space after this many bytes, and after twice as many at the latest.
const MAX_SENTENCE_BYTES: usize = 600;

/// Returns the sentences of a text, each with the white space after it. Concatenated they are the text.
pub(super) fn of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (sentence, after) = rest.split_at(end(rest));
        rest = after;
        Some(sentence)
    })
}

/// Returns the end of the first sentence: after sentence-ending punctuation, closing quotation marks and brackets, and the white space that must
/// follow (optional after the full stops of Chinese and Japanese); or after a blank line.
fn end(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    // Whether only closing punctuation has followed the last full stop.
    let mut stopped = false;
    while let Some((at, char)) = chars.next() {
        let after = at + char.len_utf8();
        if char.is_whitespace() {
            let mut lines = usize::from(char == '\n');
            let mut after = after;
            while let Some((at, white)) = chars.next_if(|(_, char)| char.is_whitespace()) {
                lines += usize::from(white == '\n');
                after = at + white.len_utf8();
            }
            if stopped || lines > 1 || at >= MAX_SENTENCE_BYTES {
                return after;
            }
        } else if matches!(char, '。' | '！' | '？') || at >= 2 * MAX_SENTENCE_BYTES {
            return after;
        }
        stopped = match char {
            '.' | '!' | '?' | '…' => true,
            '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '_' => stopped,
            _ => false,
        };
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_falls_into_sentences() {
        let table: [(&str, &[&str]); 7] = [
            ("", &[]),
            ("no end", &["no end"]),
            (
                "It rained.  \"Did it?\"\nIt did!",
                &["It rained.  ", "\"Did it?\"\n", "It did!"],
            ),
            ("3.14 is (nearly.) pi", &["3.14 is (nearly.) ", "pi"]),
            (
                "A Title\r\n\r\nIt was\nnight.\n",
                &["A Title\r\n\r\n", "It was\nnight.\n"],
            ),
            (
                "吾輩は猫である。名前はまだ無い。",
                &["吾輩は猫である。", "名前はまだ無い。"],
            ),
            ("  \n\n  x", &["  \n\n  ", "x"]),
        ];
        for (text, expected) in table {
            assert_eq!(of(text).collect::<Vec<_>>(), expected);
        }
    }

    proptest! {
        #[test]
        fn sentences_are_the_text_and_none_is_endless(text in "([a-zé漢]{1,9}[ .\n]{0,2}){0,600}") {
            let sentences: Vec<&str> = of(&text).collect();
            prop_assert_eq!(sentences.concat(), text.as_str());
            prop_assert!(sentences.iter().all(|sentence| (1..=2 * MAX_SENTENCE_BYTES + 4).contains(&sentence.len())));
        }
    }
}
