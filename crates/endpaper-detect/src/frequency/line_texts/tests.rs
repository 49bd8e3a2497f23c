use super::*;
use crate::frequency::{Certainty, Counts};
use endpaper_text::scan::Window;

fn sample(lines: &[(u64, &str)]) -> TextSampler {
    let (mut sample, mut book) = (TextSampler::default(), BookLines::default());
    for &(key, text) in lines {
        book.push(Key(key), Window::Head, Some(text));
    }
    sample.add(0, &book);
    sample
}

#[test]
fn text_of_the_first_book_is_kept_whoever_read_it() {
    let of = |place, text| {
        let (mut sample, mut book) = (TextSampler::default(), BookLines::default());
        book.push(Key(1), Window::Head, Some(text));
        sample.add(place, &book);
        sample
    };
    let known = [
        of(7, "late").merge(of(2, "first")),
        of(2, "first").merge(of(7, "late")),
    ];
    for known in known.map(TextSampler::all) {
        assert_eq!(known.get(Key(1)), Some("first"));
    }
}

#[test]
fn the_most_frequent_lines_of_a_sample_are_kept() {
    let first = sample(&[(3, "three"), (1, "one"), (3, "three")]);
    let second = sample(&[(2, "two"), (1, "one"), (3, "three")]);
    let known = first.merge(second).most_frequent(2);
    assert_eq!(known.keys().collect::<Vec<_>>(), [Key(1), Key(3)]);
    assert_eq!(known.get(Key(3)), Some("three"));
    assert_eq!(known.get(Key(2)), None);
}

#[test]
fn a_long_text_is_shortened() {
    let long = "é".repeat(1000);
    let known = sample(&[(1, &long)]).all();
    assert_eq!(known.get(Key(1)), Some(&long[..2 * MOST_CHARACTERS]));
}

#[test]
fn trimming_keeps_the_most_frequent_of_each_end() {
    let counts = |pairs: &[(u64, u64)]| {
        let pairs = pairs.iter().map(|&(key, n)| (Key(key), n));
        Counts::from_pairs(pairs, Certainty::Exact)
    };
    let known = sample(&[(1, "one"), (2, "two"), (3, "three"), (4, "four")]).all();
    let head = counts(&[(1, 9), (2, 8), (4, 1)]);
    let apart = Frequencies::separate(head.clone(), counts(&[(3, 5), (4, 4)]));
    let kept = |frequencies: &Frequencies, most, below| -> Vec<u64> {
        let kept = known.trimmed(frequencies, most, below);
        kept.keys().map(|key| key.0).collect()
    };
    assert_eq!(kept(&apart, 1, 0), [1, 3]);
    let together = Frequencies::from(head);
    assert_eq!(kept(&together, 9, 0), [1, 2, 4]);
    assert_eq!(kept(&together, 9, 2), [1, 2]);
    assert_eq!(kept(&together, 0, 0), [0; 0]);
}
