use std::io::Write;

use super::*;
use crate::frequency::document_frequency::{DocumentFrequencyBuilder, LineForm};
use crate::frequency::{BookLines, Certainty, Counting, TextSampler};
use endpaper_text::line::{Key, KeyKind, PREPROCESSING_VERSION};
use endpaper_text::scan::Window;
use proptest::prelude::*;

/// Texts of the first few keys.
pub(in crate::frequency) fn known(pairs: &[(u64, u64)]) -> LineTexts {
    let (mut sample, mut book) = (TextSampler::default(), BookLines::default());
    for (key, count) in pairs.iter().take(20) {
        let text = format!("a line that occurs {count} times, não é?");
        book.push(Key(*key), Window::Head, Some(&text));
    }
    sample.add(0, &book);
    sample.all()
}

pub(in crate::frequency) fn parameters(counting: Counting) -> ModelParameters {
    ModelParameters {
        head: 300,
        tail: 200,
        preprocessing: PREPROCESSING_VERSION,
        counting,
        books: 12,
        lines: 3456,
        corpus: 0xfeed,
        pruned_below: 0,
        scaled_to: 0,
    }
}

/// Document frequencies of two books that contain a form for each key, and of a few more that contain some of them.
fn spreads_of(pairs: &[(u64, u64)]) -> DocumentFrequencies {
    let mut builder = DocumentFrequencyBuilder::default();
    for book in [1, 1, 2, 3, 5] {
        let keys = pairs.iter().step_by(book).map(|pair| pair.0 as u32);
        let forms = keys.map(|half| LineForm::new(KeyKind::Opening, half % 2 == 0, half));
        builder.add(Some("A Hand"), None, forms);
    }
    DocumentFrequencyBuilder::finish(vec![builder]).unwrap()
}

/// A model of these pairs; with pairs of tails, heads and tails are counted apart.
fn model_of(pairs: &[(u64, u64)], tails: Option<&[(u64, u64)]>) -> Model {
    let counts = |pairs: &[(u64, u64)]| {
        let pairs = pairs.iter().map(|&(key, n)| (Key(key), n));
        Counts::from_pairs(pairs, Certainty::AtMost)
    };
    let apart = tails.is_some();
    let counting = Counting {
        separate_ends: apart,
        count_books: apart,
        one_copy: apart,
        ..Counting::default()
    };
    let frequencies = match tails {
        Some(tails) => Frequencies::separate(counts(pairs), counts(tails)),
        None => counts(pairs).into(),
    };
    Model {
        frequencies: frequencies.with_document_frequencies(spreads_of(pairs)),
        parameters: parameters(counting),
        line_texts: known(pairs),
    }
}

fn pairs() -> impl Strategy<Value = Vec<(u64, u64)>> {
    proptest::collection::vec((any::<u64>(), 1..5000u64), 0..60)
}

/// Updates digest and checksum after a change of the bytes.
fn seal(bytes: &mut [u8]) {
    let texts = u64::from_le_bytes(*bytes[HEADER - 8..].first_chunk().unwrap()) as usize;
    let end = bytes.len() - TRAILER;
    if (HEADER + 8..=end).contains(&texts) {
        let digest = crc64(&bytes[HEADER..texts - 8]);
        bytes[texts - 8..texts].copy_from_slice(&digest.to_le_bytes());
    }
    let checksum = crc64(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
}

proptest! {
    #[test]
    fn a_model_survives_its_file(pairs in pairs(), tails in proptest::option::of(pairs())) {
        let model = model_of(&pairs, tails.as_deref());
        let bytes = model.to_bytes();
        let read = Model::from_bytes(&bytes).unwrap();
        prop_assert_eq!(&read, &model);
        prop_assert_eq!(read.digest(), model.digest());
        prop_assert_eq!(Model::digest_of(&bytes), Some(model.digest()));
    }

    #[test]
    fn texts_do_not_change_the_digest(pairs in pairs()) {
        let model = model_of(&pairs, None);
        let silent = Model { line_texts: LineTexts::default(), ..model.clone() };
        prop_assert_eq!(silent.digest(), model.digest());
        prop_assert_eq!(Model::digest_of(&silent.to_bytes()), Some(model.digest()));
    }

    #[test]
    fn a_changed_byte_is_an_error(pairs in pairs(), at in any::<proptest::sample::Index>(), flip in 1..=255u8) {
        let mut bytes = model_of(&pairs, None).to_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        prop_assert!(Model::from_bytes(&bytes).is_err());
    }

    #[test]
    fn a_changed_byte_under_right_checksums_is_no_panic(
        pairs in pairs(), at in any::<proptest::sample::Index>(), flip in 1..=255u8,
    ) {
        let mut bytes = model_of(&pairs, Some(&pairs)).to_bytes();
        let end = bytes.len() - TRAILER;
        bytes[at.index(end)] ^= flip;
        seal(&mut bytes);
        let _ = Model::digest_of(&bytes);
        if let Ok(model) = Model::from_bytes(&bytes) {
            // The changed bytes are valid too: the model that they encode must round-trip.
            prop_assert_eq!(Model::from_bytes(&model.to_bytes()).unwrap(), model);
        }
    }

    #[test]
    fn a_model_cut_short_is_an_error(pairs in pairs(), at in any::<proptest::sample::Index>()) {
        let bytes = model_of(&pairs, None).to_bytes();
        prop_assert!(Model::from_bytes(&bytes[..at.index(bytes.len())]).is_err());
    }

    #[test]
    fn a_sum_holds_what_both_hold(a in pairs(), b in pairs(), below in 0..5u64) {
        let (a, b) = (model_of(&a, None), model_of(&b, None).pruned(below));
        let sum = a.sum(&b).unwrap();
        let keys = a.frequencies.head().iter().chain(b.frequencies.head().iter());
        for (key, _) in keys {
            let of = |model: &Model| model.frequencies.head().frequency(key);
            prop_assert_eq!(of(&sum), of(&a) + of(&b));
            let at_most = |model: &Model| model.frequencies.head().bounds(key).at_most;
            prop_assert!(at_most(&sum) >= of(&a) + at_most(&b));
        }
        prop_assert_eq!(sum.parameters.books, 24);
        prop_assert!(sum.digest() != a.digest());
    }
}

#[test]
fn refusals_say_what_is_wrong_and_what_to_do() {
    let good = model_of(&[(1, 2), (900, 3)], None).to_bytes();
    let changed = |at: usize, to: u8| {
        let mut bytes = good.clone();
        bytes[at] = to;
        bytes
    };
    let mut other_preprocessing = changed(HEADER, 99);
    seal(&mut other_preprocessing);
    // After the windows, the structure, the flags and five numbers.
    let sections = HEADER + 12 + (1 + "crc64".len()) + 1 + 40;
    let with_section = |at: usize, to: u8| {
        let mut bytes = changed(at, to);
        seal(&mut bytes);
        bytes
    };
    let cases = [
        (Vec::new(), "not a model file"),
        (b"PK\x03\x04 and so on".to_vec(), "not a model file"),
        (good[..5].to_vec(), "ends too early"),
        (good[..good.len() - 1].to_vec(), "ends too early"),
        (
            changed(8, 1),
            "format version 1, this program reads version 3",
        ),
        (changed(40, 7), "checksum"),
        (other_preprocessing, "preprocessed by version 99"),
        (b"EPPART\0\0and so on".to_vec(), "it is a part, not a model"),
        (with_section(sections, 2), "one too many"),
        (with_section(sections, 0), "a section is missing"),
        (with_section(sections + 4, 1), "not what was counted"),
    ];
    for (bytes, expected) in cases {
        let error = Model::from_bytes(&bytes).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_file_of_the_version_before_is_a_model_without_spreads() {
    let model = model_of(&[(1, 2), (900, 3)], None);
    let old = Model {
        frequencies: model
            .frequencies
            .clone()
            .with_document_frequencies(DocumentFrequencies::default()),
        ..model
    };
    let mut bytes = old.to_bytes();
    // The document frequencies are two numbers before the digest and the texts.
    let texts = u64::from_le_bytes(*bytes[HEADER - 8..].first_chunk().unwrap());
    let digest = texts as usize - 8;
    bytes.drain(digest - 16..digest);
    bytes[8..12].copy_from_slice(&2u32.to_le_bytes());
    let len = bytes.len() as u64;
    bytes[HEADER - 16..HEADER - 8].copy_from_slice(&len.to_le_bytes());
    bytes[HEADER - 8..HEADER].copy_from_slice(&(texts - 16).to_le_bytes());
    seal(&mut bytes);
    assert_eq!(Model::from_bytes(&bytes).unwrap(), old);
    // The same bytes are not a valid file of the present version.
    bytes[8] = 3;
    seal(&mut bytes);
    assert!(Model::from_bytes(&bytes).is_err());
}

#[test]
fn what_is_counted_otherwise_cannot_be_added() {
    let model = model_of(&[(1, 2)], None);
    let with = |change: fn(&mut ModelParameters)| {
        let mut other = model.clone();
        change(&mut other.parameters);
        other
    };
    let cases = [
        (
            with(|p| p.head = 5),
            "the head window is '300' in one and '5'",
        ),
        (
            with(|p| p.tail = 5),
            "the tail window is '200' in one and '5'",
        ),
        (
            with(|p| p.counting.count_books = true),
            "'every occurrence, heads and tails together' in one and 'once for each book,",
        ),
    ];
    for (other, expected) in cases {
        let error = model.sum(&other).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn fitting_leaves_out_the_rarest_and_says_so() {
    let pairs: Vec<(u64, u64)> = (0..1000).map(|n| (n << 50, 1 + n % 10)).collect();
    let model = model_of(&pairs, None);
    let fitted = model.pruned_to_size(3000).unwrap();
    assert!(fitted.to_bytes().len() <= 3000);
    let below = fitted.parameters.pruned_below;
    let counts = fitted.frequencies.head();
    assert!(counts.iter().all(|(_, count)| count >= below));
    assert!(
        fitted
            .line_texts
            .keys()
            .all(|key| counts.frequency(key) > 0)
    );
    let looser = model.pruned(below - 1);
    assert!(looser.to_bytes().len() > 3000);
    assert_eq!(counts.bounds(Key(0)).at_most, below - 1);
    assert_eq!(model.pruned_to_size(10), None);
}

#[test]
fn a_model_is_written_and_read_back_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.model");
    let model = model_of(&[(1, 2), (3, 4)], Some(&[(5, 6)]));
    model
        .write(&path, endpaper_text::atomic::Existing::Replace)
        .unwrap();
    assert_eq!(Model::read(&path).unwrap(), model);
    std::fs::write(&path, "text").unwrap();
    let error = format!("{:#}", Model::read(&path).unwrap_err());
    assert!(
        error.contains("x.model") && error.contains("not a model file"),
        "{error}"
    );
}

#[test]
fn a_file_is_not_read_that_is_no_model_or_longer_than_any() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, begin: &[u8]| {
        let path = folder.path().join(name);
        let mut file = std::fs::File::create(&path).unwrap();
        file.write_all(begin).unwrap();
        // It takes no room on the disk.
        file.set_len(MOST_BYTES + 1).unwrap();
        format!("{:#}", Model::read(&path).unwrap_err())
    };
    let said = refused("another", b"%PDF-1.7");
    assert!(said.contains("not a model file"), "{said}");
    let said = refused("model", magic::MODEL);
    assert!(said.contains("is longer than the 1073741824"), "{said}");
}

#[test]
fn the_most_frequent_lines_come_first_with_the_texts_that_are_known() {
    let pairs: Vec<(u64, u64)> = (1..=30).map(|n| (n, 100 - n)).collect();
    let model = model_of(&pairs, Some(&[(7, 3), (99, 5)]));
    let top = model.top(3);
    let lines = |set: usize| -> Vec<(u64, u64, bool)> {
        let lines = top[set].1.iter();
        lines
            .map(|line| (line.key.0, line.count, line.text.is_some()))
            .collect()
    };
    assert_eq!(top[0].0, CountedEnds::Head);
    assert_eq!(lines(0), [(1, 99, true), (2, 98, true), (3, 97, true)]);
    assert_eq!(lines(1), [(99, 5, false), (7, 3, true)]);
}
