use proptest::prelude::*;

use super::*;

/// Returns the edit distance: insertions, removals and replacements.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (line, from) in from.chars().enumerate() {
        let mut corner = row[0];
        row[0] = line + 1;
        for (at, to) in to.iter().enumerate() {
            let least = (row[at] + 1)
                .min(row[at + 1] + 1)
                .min(corner + usize::from(from != *to));
            corner = std::mem::replace(&mut row[at + 1], least);
        }
    }
    row[to.len()]
}

/// Strategy for arbitrary text and for prose.
fn texts() -> impl Strategy<Value = String> {
    let prose = "([a-zA-Z]{1,9}[ ,\n]){0,6}[a-z]{1,9}[.!?]\"? ";
    prop_oneof![
        ".{0,60}",
        "[漢字。 \n]{0,300}",
        "a{0,2000}",
        prop::collection::vec(prose, 0..80).prop_map(|sentences| sentences.concat()),
    ]
}

/// Returns prose with sentences of every length, long enough for shares to be meaningful.
fn book(seed: u64, sentences: usize) -> String {
    let mut random = SampleRandom::new(seed);
    let mut out = String::new();
    for _ in 0..sentences {
        for _ in 0..3 + random.below(20) {
            for _ in 0..1 + random.below(9) {
                out.push(char::from(b'a' + random.below(26) as u8));
            }
            out.push(' ');
        }
        out.pop();
        out.push_str(". ");
    }
    out
}

proptest! {
    #[test]
    fn no_text_and_no_rate_panics_and_the_length_is_kept(
        text in texts(),
        other in texts(),
        rate in prop_oneof![0.0..0.3f64, any::<f64>()],
        seed in any::<u64>(),
    ) {
        let (text, other) = (Original::new(&text), Original::new(&other));
        for other in [None, Some(&other)] {
            let done = text.corrupted(other, rate, &mut SampleRandom::new(seed));
            let again = text.corrupted(other, rate, &mut SampleRandom::new(seed));
            prop_assert_eq!(&done, &again);
            // An error changes the length by one character at most; a removed sentence's excess and what cannot be filled again is less than two of
            // the longest sentences.
            let length = done.text.chars().count();
            let sentences = 4 * 600;
            prop_assert!(length.abs_diff(text.characters()) <= done.errors + sentences);
            prop_assert!(done.errors <= text.characters());
            prop_assert!(done.removed <= text.characters());
            if other.is_none() {
                prop_assert_eq!((done.removed, done.inserted), (0, 0));
            }
        }
    }

    #[test]
    fn nothing_changes_at_0(text in texts(), other in texts(), seed in any::<u64>()) {
        for rate in [0.0, -1.0, f64::NAN] {
            let done = Original::new(&text).corrupted(Some(&Original::new(&other)), rate, &mut SampleRandom::new(seed));
            prop_assert_eq!((done.errors, done.removed, done.inserted), (0, 0, 0));
            prop_assert_eq!(&done.text, &text);
        }
    }

    #[test]
    fn the_rate_is_the_one_asked_for(seed in any::<u64>(), rate in 0.0..0.2f64) {
        let (ours, theirs) = (book(seed, 400), book(!seed, 50));
        let (text, other) = (Original::new(&ours), Original::new(&theirs));
        let done = text.corrupted(Some(&other), rate, &mut SampleRandom::new(seed));
        let all = text.characters() as f64;
        let share = |number: usize| number as f64 / all;
        prop_assert!((share(done.errors) - rate).abs() < 0.0001);
        // Tolerance: half a sentence of up to 200 characters in 40,000.
        prop_assert!((share(done.removed) - rate).abs() < 0.005, "{} {rate}", share(done.removed));
        prop_assert!((share(done.text.chars().count()) - 1.0).abs() < 0.005);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn errors_are_edits(seed in any::<u64>(), rate in 0.01..0.1f64) {
        let book = book(seed, 25);
        let text = Original::new(&book);
        let done = text.corrupted(None, rate, &mut SampleRandom::new(seed));
        // An error is one edit or two; some cancel out.
        let edits = edits(&book, &done.text);
        prop_assert!(edits <= 2 * done.errors && edits * 10 >= 9 * done.errors, "{edits} {}", done.errors);
    }
}

#[test]
fn sentences_come_from_the_other_book_whole() {
    let (ours, theirs) = (book(1, 200), "A SENTENCE OF ANOTHER BOOK. ".repeat(20));
    let (text, other) = (Original::new(&ours), Original::new(&theirs));
    let done = text.corrupted(Some(&other), 0.1, &mut SampleRandom::new(5));
    let found = done.text.matches("A SENTENCE OF ANOTHER BOOK. ").count();
    assert!(found > 10);
    assert_eq!(found * 28, done.inserted);
    // Two versions are corrupted at different positions.
    let mut random = SampleRandom::new(5);
    let versions = [0; 2].map(|_| text.corrupted(Some(&other), 0.1, &mut random).text);
    assert_ne!(versions[0], versions[1]);
}
