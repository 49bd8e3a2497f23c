//! Texts of a given size, cut from books.

/// Returns the beginning of a text, at most `bytes` bytes, cut at white space if there is any in the last eighth.
pub fn cut(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let mut end = bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let whole = &text[..end];
    let least = whole.len() - whole.len() / 8;
    match whole.rfind(char::is_whitespace) {
        Some(at) if at >= least && at > 0 => &whole[..at],
        _ => whole,
    }
}

/// Splits a text into pieces of about `bytes` bytes; a shorter rest is dropped.
pub fn pieces(text: &str, bytes: usize) -> Vec<&str> {
    let mut rest = text;
    let mut all = Vec::new();
    // A character has at most four bytes, so no piece is empty.
    let bytes = bytes.max(4);
    while rest.len() >= bytes {
        let piece = cut(rest, bytes);
        all.push(piece);
        rest = &rest[piece.len()..];
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_stay_whole_where_they_can() {
        let table: [(&str, usize, &str); 6] = [
            ("the immortality of the soul", 19, "the immortality of"),
            ("the immortality of the soul", 12, "the immortal"),
            ("short", 5, "short"),
            ("漢字漢字", 7, "漢字"),
            ("", 0, ""),
            ("abc", 0, ""),
        ];
        for (text, bytes, expected) in table {
            assert_eq!(cut(text, bytes), expected);
        }
    }

    proptest! {
        #[test]
        fn pieces_are_the_beginning_of_the_text(text in "([a-zé漢]{1,9}[ \n]?){0,99}", bytes in 0..200usize) {
            let pieces = pieces(&text, bytes);
            prop_assert!(text.starts_with(&pieces.concat()));
            let bytes = bytes.max(4);
            prop_assert!(text.len() - pieces.concat().len() < bytes);
            for piece in pieces {
                prop_assert!(piece.len() <= bytes && piece.len() > bytes / 2 - 2, "{piece:?}");
            }
        }
    }
}
