//! Times of the pipeline as multiples of the floor: reading only the first and last 48 KB of every file; for books in archives, only inflating
//! them.
//!
//! ```text
//! cargo run --release -p lab --example floor -- FOLDER [ROUNDS]
//! ```
//!
//! All figures come from one run over one folder, each the best of several rounds, so that the machine matters little.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use endpaper_detect::pipeline::{
    AnalysisOptions, CorpusReport, ModelSize, ModelSource, analyse, build_model,
};
use endpaper_text::corpus::{
    Book, BookLocation, BookReader, Listing, ListingRequest, MAX_SIZE, list,
};
use rayon::prelude::*;

const PART: u64 = 48 << 10;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().context("usage: floor FOLDER [ROUNDS]")?;
    let rounds = arguments.next().map_or(Ok(5), |rounds| rounds.parse())?;
    let (listing, listed) = timed(|| {
        list(&ListingRequest {
            roots: vec![folder.into()],
            ..ListingRequest::default()
        })
    });
    let listing = listing?;
    let books = listing.books.len();
    let plain = |book: &Book| matches!(book.location, BookLocation::File(_));
    let floor = if listing.books.iter().all(plain) {
        best(rounds, || read_ends(&listing))?
    } else {
        best(rounds, || read_whole(&listing))?
    };
    let each = floor.as_secs_f64() * 1e6 / books as f64;
    println!("{books} books; floor {floor:.1?}, {each:.1} us a book");
    let print = |what: &str, time: Duration| {
        let ratio = time.as_secs_f64() / floor.as_secs_f64();
        println!("{what:<28} {time:>9.1?} {ratio:>6.1}x  peak {}", peak());
    };
    print("listing", listed);
    let never = AtomicBool::new(false);
    let options = AnalysisOptions {
        model: ModelSource::Corpus.into(),
        document_frequencies: false,
        ..AnalysisOptions::default()
    };
    let spread = AnalysisOptions {
        document_frequencies: true,
        ..options.clone()
    };
    let build = || build_model(&listing, &options, ModelSize::default(), &|_| {}, &never).map(drop);
    print("build_model", best(rounds, build)?);
    let detect = || analyse(&listing, &options, &|_| {}, &never).map(drop);
    print("survey, no cache", best(rounds, detect)?);
    let build = || build_model(&listing, &spread, ModelSize::default(), &|_| {}, &never).map(drop);
    print("build_model, spreads", best(rounds, build)?);
    let detect = || analyse(&listing, &spread, &|_| {}, &never).map(drop);
    print("survey, spreads, no cache", best(rounds, detect)?);
    let folder = tempfile::tempdir()?;
    let cached = AnalysisOptions {
        cache: Some(folder.path().to_owned()),
        ..options.clone()
    };
    let (result, time) = timed(|| analyse(&listing, &cached, &|_| {}, &never));
    result?;
    print("survey, cache written", time);
    let load = || {
        let report = CorpusReport::load_cached(&listing, &cached);
        report.map(drop).context("the cache was not found again")
    };
    print("survey, all cached", best(rounds, load)?);
    let mut other = cached.clone();
    other.parameters.threshold = 11;
    let (result, time) = timed(|| analyse(&listing, &other, &|_| {}, &never));
    result?;
    print("survey, scans cached", time);
    Ok(())
}

/// Reads the first and last part of every file, in parallel.
fn read_ends(listing: &Listing) -> Result<()> {
    let sizes = listing.books.par_iter().map(|book| match &book.location {
        BookLocation::File(path) => ends(path),
        _ => Ok(0),
    });
    let total: u64 = sizes.sum::<std::io::Result<u64>>()?;
    std::hint::black_box(total);
    Ok(())
}

/// Reads and inflates every book, in parallel.
fn read_whole(listing: &Listing) -> Result<()> {
    let sizes = listing
        .books
        .par_iter()
        .map_init(BookReader::default, |reader, book| {
            reader.read(book, MAX_SIZE).map_or(0, <[u8]>::len)
        });
    let total: usize = sizes.sum();
    std::hint::black_box(total);
    Ok(())
}

fn ends(path: &Path) -> std::io::Result<u64> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; PART as usize];
    let size = file.metadata()?.len();
    let mut read = fill(&mut file, &mut buffer)?;
    if size > PART {
        file.seek(SeekFrom::Start(size.saturating_sub(PART).max(PART)))?;
        read += fill(&mut file, &mut buffer)?;
    }
    Ok(read)
}

fn fill(file: &mut File, buffer: &mut [u8]) -> std::io::Result<u64> {
    let mut read = 0;
    while read < buffer.len() {
        match file.read(&mut buffer[read..])? {
            0 => break,
            bytes => read += bytes,
        }
    }
    Ok(read as u64)
}

fn timed<T>(job: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = job();
    (result, start.elapsed())
}

fn best(rounds: usize, job: impl Fn() -> Result<()>) -> Result<Duration> {
    let mut shortest = Duration::MAX;
    for _ in 0..rounds.max(1) {
        let (result, time) = timed(&job);
        result?;
        shortest = shortest.min(time);
    }
    Ok(shortest)
}

fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown", str::trim).to_owned()
}
