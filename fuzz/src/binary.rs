//! Readers of the program's own files: models, parts, profiles and caches. Their checksums are put right again after the
//! damage, as whoever sends a file would do.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use endpaper_detect::alternation::FrequentGrams;
use endpaper_detect::frequency::{EndCounters, Exact, Model, ModelPart};
use endpaper_detect::pipeline::{
    AnalysisOptions, ModelChoice, ModelSize, ModelSource, analyse, build_model, count_part,
};
use endpaper_detect::posterior::Profile;
use endpaper_text::atomic::Existing;
use endpaper_text::checksum::crc64;
use endpaper_text::corpus::{Listing, ListingRequest, list};
use tempfile::TempDir;

use crate::books::write;
use crate::damaged::damaged;

/// A small corpus.
struct SmallCorpus {
    /// Removed when it is dropped.
    _folder: TempDir,
    listing: Listing,
}

static CORPUS: LazyLock<SmallCorpus> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a temporary folder");
    for (at, body) in [
        "It was a dark night.",
        "Call me Ishmael.",
        "All happy families.",
    ]
    .iter()
    .enumerate()
    {
        let text = format!(
            "The Project Gutenberg EBook of Book {at}\n\n*** START OF THIS PROJECT GUTENBERG EBOOK ***\n\nCHAPTER I\n\n\
             {body}\n\nEnd of the Project Gutenberg EBook of Book {at}\n\nThis file should be named {at}.txt\n"
        );
        write(&folder.path().join(format!("{at}.txt")), text.as_bytes());
    }
    let listing = listing(folder.path().to_owned());
    SmallCorpus {
        _folder: folder,
        listing,
    }
});

/// Analyses the small corpus with a cache; the cuts of its books.
fn cuts_with(cache: &Path) -> Vec<(u32, u32)> {
    let options = AnalysisOptions {
        cache: Some(cache.to_owned()),
        ..options()
    };
    let report = analyse(&CORPUS.listing, &options, &|_| {}, &NEVER).expect("readable books");
    report.books.iter().map(|book| book.cut_lines()).collect()
}

static NEVER: AtomicBool = AtomicBool::new(false);

/// Options that count the corpus itself, on one thread.
fn options() -> AnalysisOptions {
    AnalysisOptions {
        threads: 1,
        model: ModelChoice::from(ModelSource::Corpus),
        opinions: true,
        ..AnalysisOptions::default()
    }
}

/// Writes the checksum of all that comes before the last eight bytes into these.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some((contents, trailer)) = bytes.split_last_chunk_mut::<8>() {
        *trailer = crc64(contents).to_le_bytes();
    }
    bytes
}

/// A model: what is read can be written, and is the same when it is read again.
pub fn model(bytes: &[u8]) {
    static MODEL: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let size = ModelSize {
            min_count: 1,
            ..ModelSize::default()
        };
        let built = build_model(&CORPUS.listing, &options(), size, &|_| {}, &NEVER);
        built.expect("a model").model.to_bytes()
    });
    let bytes = resealed_model(damaged(&MODEL, bytes));
    if let Ok(read) = Model::from_bytes(&bytes) {
        let written = read.to_bytes();
        let again = Model::from_bytes(&written).expect("what was written can be read");
        assert_eq!(again.to_bytes(), written);
    }
}

/// A model has a checksum of its counts too, before its texts, whose position is in its header.
fn resealed_model(mut bytes: Vec<u8>) -> Vec<u8> {
    const HEADER: usize = 28;
    let texts = bytes
        .get(HEADER - 8..HEADER)
        .and_then(|texts| texts.first_chunk().copied());
    let texts = texts.and_then(|texts| usize::try_from(u64::from_le_bytes(texts)).ok());
    if let Some(counts) = texts.and_then(|texts| bytes.get_mut(HEADER..texts))
        && let Some((counts, digest)) = counts.split_last_chunk_mut::<8>()
    {
        *digest = crc64(counts).to_le_bytes();
    }
    resealed(bytes)
}

/// A part of a model: its head, and its counts.
pub fn part(bytes: &[u8]) {
    static PART: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let folder = TempDir::new().expect("a temporary folder");
        let path = folder.path().join("a.part");
        count_part(
            &CORPUS.listing,
            &options(),
            &path,
            Existing::Keep,
            &|_| {},
            &NEVER,
        )
        .expect("a part");
        std::fs::read(&path).expect("a part")
    });
    let mut bytes = damaged(&PART, bytes);
    let length = bytes.len() as u64;
    if let Some(at) = bytes.len().checked_sub(16) {
        bytes[at..at + 8].copy_from_slice(&length.to_le_bytes());
    }
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("a.part");
    write(&path, &resealed(bytes));
    if let Ok(part) = ModelPart::open(&path) {
        let counting = part.head.parameters.counting;
        let tally = EndCounters::new(counting, |_| Ok(Exact::default()));
        let _ = part.load(&mut tally.expect("an empty tally"));
    }
}

/// A profile and a list of n-grams: what is read is written, and is the same when it is read again.
pub fn profile(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(profile) = Profile::parse(&text) {
        let written = profile.to_tsv();
        let again = Profile::parse(&written).expect("what was written can be read");
        assert_eq!(again.to_tsv(), written);
    }
    if let Ok(grams) = FrequentGrams::from_text(&text) {
        let written = grams.to_text();
        let again = FrequentGrams::from_text(&written).expect("what was written can be read");
        assert_eq!(again.to_text(), written);
    }
}

/// The cuts of a run, and the files of its cache.
type CachedRun = (Vec<(u32, u32)>, Vec<(OsString, Vec<u8>)>);

/// A damaged cache changes no cut. One whose checksum was forged may, but stops nothing.
pub fn cache(bytes: &[u8]) {
    static CACHE: LazyLock<CachedRun> = LazyLock::new(|| {
        let folder = TempDir::new().expect("a temporary folder");
        let cuts = cuts_with(folder.path());
        let entries = std::fs::read_dir(folder.path()).expect("a folder");
        let file = |entry: std::io::Result<std::fs::DirEntry>| {
            let entry = entry.expect("an entry");
            (
                entry.file_name(),
                std::fs::read(entry.path()).expect("a file"),
            )
        };
        let mut files: Vec<_> = entries.map(file).collect();
        files.sort();
        (cuts, files)
    });
    let Some((&which, changes)) = bytes.split_first() else {
        return;
    };
    let (cuts, files) = &*CACHE;
    let is_forged = which >= 128;
    let folder = TempDir::new().expect("a temporary folder");
    for (at, (name, valid)) in files.iter().enumerate() {
        let damaged = match (at == usize::from(which % 128) % files.len(), is_forged) {
            (false, _) => valid.clone(),
            (true, false) => damaged(valid, changes),
            (true, true) => resealed(damaged(valid, changes)),
        };
        write(&folder.path().join(name), &damaged);
    }
    let found = cuts_with(folder.path());
    assert!(is_forged || found == *cuts, "a damaged cache moved a cut");
}

fn listing(root: PathBuf) -> Listing {
    let request = ListingRequest {
        roots: vec![root],
        threads: 1,
        ..ListingRequest::default()
    };
    list(&request).expect("a corpus")
}
