use super::*;
use crate::frequency::model::tests::{known, parameters};
use crate::frequency::{
    BookDigest, BookLines, Counting, Frequencies, Model, PartMerge, STRUCTURES, Structure,
    StructureVisitor,
};
use endpaper_text::atomic::Existing;
use endpaper_text::line::Key;
use endpaper_text::scan::Window;
use proptest::prelude::*;

/// A part of books with these lines, to be written.
struct PartFixture<'a> {
    path: &'a Path,
    head: &'a PartHead,
    books: &'a [Vec<u64>],
}

impl StructureVisitor for PartFixture<'_> {
    type Output = ();

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) {
        let mut tally = EndCounters::new(self.head.parameters.counting, new).unwrap();
        for book in self.books {
            let mut keyed = BookLines::default();
            for &line in book {
                let window = [Window::Head, Window::Tail, Window::Both][line as usize % 3];
                let text = format!("the line with the number {line}");
                keyed.push(Key::of(&text), window, C::WANTS_TEXT.then_some(&text));
            }
            tally.add_book(&keyed).unwrap();
        }
        let mut head = self.head.clone();
        head.parameters.lines = tally.lines();
        write_part(self.path, Existing::Replace, &head, tally).unwrap();
    }
}

fn head_of(counting: Counting, books: std::ops::Range<usize>) -> PartHead {
    let marks = books.map(|number| BookDigest::new(&format!("{number}.txt"), 100, number as u64));
    let books = BookSet::from_iter(marks);
    PartHead {
        parameters: ModelParameters {
            books: books.len() as u64,
            corpus: books.digest(),
            ..parameters(counting)
        },
        books,
        line_texts: known(&[(1, 2), (3, 4)]),
    }
}

fn write(path: &Path, counting: Counting, books: std::ops::Range<usize>, all: &[Vec<u64>]) {
    let head = head_of(counting, books.clone());
    let books = &all[books];
    counting.structure.dispatch(
        1,
        PartFixture {
            path,
            head: &head,
            books,
        },
    );
}

fn countings() -> impl Strategy<Value = Counting> {
    let structures = STRUCTURES
        .each_ref()
        .map(|entry| entry.name.parse().unwrap());
    let structures: Vec<Structure> = structures.to_vec();
    let structures = proptest::sample::select(structures);
    (structures, any::<bool>(), any::<bool>()).prop_map(
        |(structure, separate_ends, count_books)| Counting {
            structure,
            separate_ends,
            count_books,
            ..Counting::default()
        },
    )
}

fn books() -> impl Strategy<Value = Vec<Vec<u64>>> {
    proptest::collection::vec(proptest::collection::vec(0..60u64, 0..40), 1..12)
}

/// The bytes of a valid part.
fn good() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.part");
    let books: Vec<Vec<u64>> = (0..4).map(|book| (book..book + 30).collect()).collect();
    write(&path, Counting::default(), 0..4, &books);
    std::fs::read(path).unwrap()
}

/// Updates length and checksum after a change of the bytes.
fn seal(bytes: &mut [u8]) {
    let end = bytes.len() - 8;
    let mut digest = crc64fast::Digest::new();
    digest.write(&bytes[..end]);
    bytes[end..].copy_from_slice(&digest.sum64().to_le_bytes());
}

/// Reads bytes as a part, including its counts.
fn read(bytes: &[u8]) -> Result<Model> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.part");
    std::fs::write(&path, bytes).unwrap();
    PartMerge::of(&[path], false)?.into_model(0, 10)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn parts_merge_into_what_is_counted_at_once(
        counting in countings(), books in books(), cut in any::<proptest::sample::Index>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let cut = cut.index(books.len());
        write(&path("all"), counting, 0..books.len(), &books);
        write(&path("one"), counting, 0..cut, &books);
        write(&path("two"), counting, cut..books.len(), &books);
        let parts = [path("one"), path("two")];
        let all = PartMerge::of(&[path("all")], false).unwrap().into_model(0, 10).unwrap();
        let merged = PartMerge::of(&parts, false).unwrap().into_model(0, 10).unwrap();
        PartMerge::of(&parts, false).unwrap().into_part(&path("both"), Existing::Keep).unwrap();
        let again = PartMerge::of(&[path("both")], false).unwrap().into_model(0, 10).unwrap();
        prop_assert_eq!(&again, &merged);
        prop_assert_eq!(&merged.parameters, &all.parameters);
        prop_assert_eq!(&merged, &all);
        prop_assert_eq!(merged.digest(), all.digest());
    }

    #[test]
    fn a_changed_byte_is_an_error(at in any::<proptest::sample::Index>(), flip in 1..=255u8) {
        let mut bytes = good();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        prop_assert!(read(&bytes).is_err());
    }

    #[test]
    fn a_changed_byte_under_a_right_checksum_is_no_panic(at in any::<proptest::sample::Index>(), flip in 1..=255u8) {
        let mut bytes = good();
        let at = at.index(bytes.len() - 8);
        bytes[at] ^= flip;
        seal(&mut bytes);
        let _ = read(&bytes);
    }

    #[test]
    fn a_part_cut_short_is_an_error(at in any::<proptest::sample::Index>()) {
        let bytes = good();
        prop_assert!(read(&bytes[..at.index(bytes.len())]).is_err());
    }

    #[test]
    fn a_length_that_lies_takes_no_memory(at in 0..200usize) {
        let mut bytes = good();
        bytes[12 + at..20 + at].copy_from_slice(&(u64::MAX / 3).to_le_bytes());
        seal(&mut bytes);
        let _ = read(&bytes);
    }
}

#[test]
fn refusals_say_what_is_wrong_and_what_to_do() {
    let good = good();
    let changed = |at: usize, to: u8| {
        let mut bytes = good.clone();
        bytes[at] = to;
        bytes
    };
    let mut other_preprocessing = changed(HEADER as usize, 99);
    seal(&mut other_preprocessing);
    let model = Model::new(
        parameters(Counting::default()),
        Frequencies::default(),
        LineTexts::default(),
    );
    let cases = [
        (Vec::new(), "it is not a part"),
        (b"PK\x03\x04 and so on".to_vec(), "not a part"),
        (good[..5].to_vec(), "ends too early"),
        (good[..good.len() - 1].to_vec(), "ends too early"),
        (
            changed(8, 9),
            "format version 9, this program reads version 1",
        ),
        (changed(40, 7), "checksum"),
        (other_preprocessing, "preprocessed by version 99"),
        (model.to_bytes(), "count its books again as a part"),
    ];
    for (bytes, expected) in cases {
        let error = format!("{:#}", read(&bytes).unwrap_err());
        assert!(
            error.contains(expected) && error.contains("a.part"),
            "{error}"
        );
    }
}

#[test]
fn parts_that_do_not_fit_together_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let books = vec![vec![1, 2, 3]; 6];
    let path = |name: &str| folder.path().join(name);
    let with = |name: &str, counting: Counting, head: u32, books: std::ops::Range<usize>| {
        let mut part = head_of(counting, books.clone());
        part.parameters.head = head;
        let job = PartFixture {
            path: &path(name),
            head: &part,
            books: &vec![vec![1, 2, 3]; books.len()],
        };
        counting.structure.dispatch(1, job);
    };
    let plain = Counting::default();
    write(&path("plain"), plain, 0..2, &books);
    with("window", plain, 20, 2..4);
    let exact = Counting {
        structure: Structure::Exact,
        ..plain
    };
    with("exact", exact, 300, 2..4);
    let apart = Counting {
        separate_ends: true,
        ..plain
    };
    with("apart", apart, 300, 2..4);
    with("again", plain, 300, 1..4);
    let cases = [
        ("window", "the head window is '300' in the first and '20'"),
        ("exact", "the structure is 'crc64' in the first and 'exact'"),
        (
            "apart",
            "heads and tails together' in the first and 'every occurrence, heads and tails apart'",
        ),
        ("again", "1 of the 3 books of"),
    ];
    for (name, expected) in cases {
        let error = PartMerge::of(&[path("plain"), path(name)], false).unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains(expected) && error.contains(name), "{error}");
    }
    // A different amount of memory is not a difference.
    for (name, books, memory) in [("small", 0..2, 64), ("large", 2..4, 512)] {
        let structure = format!("external:memory={memory}M").parse().unwrap();
        with(name, Counting { structure, ..plain }, 300, books);
    }
    let merge = PartMerge::of(&[path("small"), path("large")], false).unwrap();
    let merge = merge.with_memory(128 << 20).unwrap();
    let model = merge.into_model(0, 10).unwrap();
    let structure = model.parameters.counting.structure.to_string();
    assert_eq!(structure, "external:memory=128M");
    assert_eq!(
        model.frequencies.head().iter().map(|(_, n)| n).max(),
        Some(4)
    );
    let repeated = PartMerge::of(&[path("plain"), path("again")], true).unwrap();
    assert_eq!(repeated.head.parameters.books, 5);
    assert!(PartMerge::of(&[], false).is_err());
}
