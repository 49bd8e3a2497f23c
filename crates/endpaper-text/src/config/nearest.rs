//! Finding the valid word nearest to a misspelt one.

use strsim::levenshtein;

/// Longest word that is compared, in bytes.
const MAX_WORD_BYTES: usize = 80;

/// The candidate nearest to a misspelt word, by characters changed, added and removed; `None` if more than half of
/// the characters differ.
///
/// ```
/// use endpaper_text::config::nearest;
/// assert_eq!(nearest("theem", ["theme", "truth"]), Some("theme"));
/// assert_eq!(nearest("colour", ["theme", "truth"]), None);
/// ```
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > MAX_WORD_BYTES {
        return None;
    }
    let word = word.to_lowercase();
    let distances = candidates.into_iter().map(|candidate| {
        let longest = word.chars().count().max(candidate.chars().count());
        (
            levenshtein(&word, &candidate.to_lowercase()),
            longest,
            candidate,
        )
    });
    let near = distances.filter(|(distance, longest, _)| distance * 2 <= *longest);
    near.min_by_key(|(distance, ..)| *distance)
        .map(|(_, _, candidate)| candidate)
}

/// What to write instead of a misspelt word: the nearest of `words`, else all of them.
pub fn suggestion(word: &str, words: &[&str]) -> String {
    match nearest(word, words.iter().copied()) {
        Some(meant) => format!("did you mean '{meant}'?"),
        None => format!("use one of {}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_levenshteins() {
        let cases = [
            ("", "", 0),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("theme", "theme", 0),
            ("é", "e", 1),
        ];
        for (a, b, expected) in cases {
            assert_eq!(levenshtein(a, b), expected, "{a} {b}");
            assert_eq!(levenshtein(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn the_nearest_word_wins_and_far_ones_do_not() {
        let words = ["truth", "curator", "theme", "order", "editor"];
        let cases = [
            ("Theme", Some("theme")),
            ("curater", Some("curator")),
            ("odrer", Some("order")),
            ("zzzz", None),
            ("", None),
        ];
        for (word, expected) in cases {
            assert_eq!(nearest(word, words), expected, "{word}");
        }
    }
}
