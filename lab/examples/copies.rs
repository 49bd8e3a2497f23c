//! Speed of making and comparing fingerprints.
//!
//! ```text
//! cargo run --release -p lab --example copies -- CORPUS [BOOKS]
//! ```
//!
//! Books (the first 500, or BOOKS) are held in memory, so that the disk is not measured. Fingerprints are made on one core, and compared with one
//! pass over every byte. Then 75,000 fingerprints, drawn at random near 9,000 others, are compared on all cores: every pair, and the pairs that
//! share a band.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use endpaper_detect::copies::{
    Fingerprint, FingerprintBits, FingerprintShape, Fingerprinter, bands, fingerprint_lines, pairs,
};
use endpaper_text::corpus::{BookText, ListingRequest, MAX_SIZE, list};

/// As many as Vladimir et al. compare.
const PRINTS: usize = 75_000;
const SEEDS: usize = 9_000;
const DISTANCE: u32 = 7;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let corpus = PathBuf::from(arguments.next().context("usage: copies CORPUS [BOOKS]")?);
    let most: usize = arguments.next().map_or(Ok(500), |books| books.parse())?;
    let listing = list(&ListingRequest {
        roots: vec![corpus],
        ..ListingRequest::default()
    })?;
    let books = listing.books.iter().take(most);
    let texts: Vec<BookText> = books
        .filter_map(|book| book.read(MAX_SIZE).ok().map(BookText::new))
        .collect();
    let bytes: usize = texts.iter().map(|text| text.bytes().len()).sum();
    println!("{} books, {:.1} MB", texts.len(), bytes as f64 / 1e6);
    let look = |text: &BookText| {
        let sum = text.bytes().iter().map(|&byte| u64::from(byte));
        black_box(sum.sum::<u64>());
    };
    let floor = best_of_three(|| texts.iter().for_each(look));
    say_speed("every byte once", bytes, floor, floor);
    for (bits, ngram) in [(64, 4), (128, 4), (256, 4), (128, 5)] {
        let bits = FingerprintBits::new(bits).map_err(anyhow::Error::msg)?;
        let mut printer = Fingerprinter::new(FingerprintShape { bits, ngram });
        let seconds = best_of_three(|| {
            for text in &texts {
                black_box(fingerprint_lines(&mut printer, text, 1, text.lines()));
            }
        });
        let what = format!("{bits} bits, {ngram}-grams");
        say_speed(&what, bytes, seconds, floor);
    }
    for bits in [64, 128, 256] {
        compare(FingerprintBits::new(bits).map_err(anyhow::Error::msg)?);
    }
    Ok(())
}

fn best_of_three(mut work: impl FnMut()) -> f64 {
    let runs = (0..3).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    runs.fold(f64::INFINITY, f64::min)
}

fn say_speed(what: &str, bytes: usize, seconds: f64, floor: f64) {
    let speed = bytes as f64 / seconds / 1e6;
    println!(
        "{what:<20} {speed:>8.0} MB/s on one core, {:>5.1} times the bytes",
        seconds / floor
    );
}

fn compare(bits: FingerprintBits) {
    let prints = prints(bits);
    let all = (PRINTS * (PRINTS - 1) / 2) as f64;
    let start = Instant::now();
    let exact = pairs::within(&prints, DISTANCE).len();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{bits} bits, all pairs: {seconds:>7.3} s, {:.2} G pairs/s, {exact} within {DISTANCE}",
        all / seconds / 1e9
    );
    for width in [24, 32] {
        let start = Instant::now();
        let found = bands::within(&prints, width, DISTANCE).len();
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{bits} bits, bands of {width}: {seconds:>6.3} s, {:.1} % of them (expected at {DISTANCE}: {:.1} %)",
            100.0 * found as f64 / exact as f64,
            100.0 * bands::recall(bits, width, DISTANCE)
        );
    }
}

/// Returns fingerprints near a few others, in scattered order.
fn prints(bits: FingerprintBits) -> Vec<Fingerprint> {
    let mut state = 7u64;
    let mut random = move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ mixed >> 29
    };
    let seeds: Vec<[u64; 4]> = (0..SEEDS)
        .map(|_| std::array::from_fn(|_| random()))
        .collect();
    let print = |at: usize| {
        let mut words = seeds[at * 7919 % SEEDS];
        for _ in 0..random() % 8 {
            let bit = (random() % u64::from(bits.count())) as usize;
            words[bit / 64] ^= 1 << (bit % 64);
        }
        Fingerprint::from_words(words, bits)
    };
    (0..PRINTS).map(print).collect()
}
