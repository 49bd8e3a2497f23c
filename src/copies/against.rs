//! `endpaper copies --against`: books of a corpus among those of a file of fingerprints.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::clusters::{ClusterLink, CopyBook, CopyCluster, make_clusters};
use super::{Args, analyse, print, report_clusters};
use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::output::{note, warn};
use endpaper_command::progress::ProgressBar;
use endpaper_detect::copies::exchange::{FingerprintKind, FingerprintReader, FingerprintRecord};
use endpaper_detect::copies::{Fingerprint, pairs};
use endpaper_detect::pipeline::{BookReport, ComparedPart, CopyOptions, fingerprint_books};

/// Books of the file in memory at a time, and books of the corpus that they are compared with at a time: all pairs of these
/// are few enough for the memory, if all are alike.
const CHUNK: usize = 8192;
const ROWS: usize = 1024;

/// Most pairs that are found.
const MOST_PAIRS: usize = 1_000_000;

/// The kind of the fingerprints of a file, of which every line has been read.
///
/// # Errors
///
/// The file is damaged or has no fingerprint; the message names it, the line and the value. Or the kind is not that of the
/// arguments.
pub(super) fn checked_kind(args: &Args, path: &Path) -> Result<FingerprintKind> {
    let mut reader = open(path)?;
    for record in reader.by_ref() {
        record.map_err(|error| damaged(path, &error))?;
    }
    let Some(kind) = reader.kind() else {
        bail!(
            "'{}' has no fingerprint; name a file with at least one book",
            path.display()
        );
    };
    let (bits, ngram) = (kind.shape.bits, kind.shape.ngram);
    let wanted = [
        args.bits
            .filter(|wanted| *wanted != bits)
            .map(|wanted| format!("--bits {wanted}")),
        args.ngram
            .filter(|wanted| *wanted != ngram)
            .map(|wanted| format!("--ngram {wanted}")),
        (args.whole_file && !kind.whole_file).then(|| "--whole-file".to_owned()),
    ];
    if let Some(flag) = wanted.into_iter().flatten().next() {
        bail!(
            "{flag} does not fit '{}', whose fingerprints are of {bits} bits, {ngram}-grams and {}; leave {} out, or name a file \
             that was written with {flag}",
            path.display(),
            if kind.whole_file {
                "whole files"
            } else {
                "bodies"
            },
            flag.split(' ').next().unwrap_or(&flag),
        );
    }
    Ok(kind)
}

/// Opens a file of fingerprints and reads its header.
fn open(path: &Path) -> Result<FingerprintReader<BufReader<File>>> {
    let unreadable = || format!("'{}' cannot be read", path.display());
    let file = File::open(path).with_context(unreadable)?;
    let regular = file.metadata().with_context(unreadable)?.is_file();
    ensure!(
        regular,
        "'{}' is not a file, and it is read twice; write it to a file",
        path.display()
    );
    FingerprintReader::new(BufReader::with_capacity(1 << 16, file))
        .map_err(|error| damaged(path, &error))
}

/// An error of a file, with its name.
fn damaged(path: &Path, error: &dyn std::fmt::Display) -> anyhow::Error {
    anyhow!("'{}' {error}", path.display())
}

/// Prints the books of the corpus that have near fingerprints in the file.
pub(super) fn run(args: &Args, options: &CopyOptions, path: &Path) -> Result<Exit> {
    let (report, mut unread) = analyse(&args.corpus, None)?;
    let ours: Vec<&BookReport> = report.books.iter().collect();
    let bar = ProgressBar::new(args.corpus.quiet);
    let never = AtomicBool::new(false);
    let found = fingerprint_books(
        &ours,
        options,
        &|progress| bar.show_progress(progress),
        &never,
    )?;
    drop(bar);
    let kind = FingerprintKind {
        shape: options.shape,
        whole_file: options.part == ComparedPart::Whole,
    };
    let matched = args
        .corpus
        .pool()?
        .install(|| Matches::find(&found.fingerprints, path, kind, options.distance))?;
    let ours = ours.iter().map(|book| CopyBook::of_report(book, None));
    let split = ours.len();
    let books: Vec<CopyBook<'_>> = ours
        .chain(matched.records.iter().map(CopyBook::of_record))
        .collect();
    let clusters: Vec<CopyCluster<'_>> = make_clusters(&books, split, &matched.links);
    if !args.corpus.quiet {
        let tiny = found
            .fingerprints
            .iter()
            .filter(|print| print.is_none())
            .count();
        let tiny = tiny.saturating_sub(found.skipped.len());
        let all = split as u64 + matched.compared;
        report_clusters(&clusters, options, all, tiny, 0);
        if !clusters.is_empty() {
            note(
                "no text confirms these pairs; the more bits, the more are of different books (--distance)",
            );
        }
        found.notes.iter().for_each(|note| warn(note));
    }
    unread.extend(found.skipped);
    let exit = exit_after_skips(&unread);
    print::clusters(&clusters, args.format)?;
    Ok(exit)
}

/// Books of a file that are near books of the corpus.
struct Matches {
    /// Each once, however often it is in the file.
    records: Vec<FingerprintRecord>,
    /// Pairs of a book of the corpus and one of the records, which are numbered from the end of the corpus on; in the order of
    /// the corpus.
    links: Vec<ClusterLink>,
    /// Number of books of the file that have a fingerprint.
    compared: u64,
}

impl Matches {
    /// Compares every fingerprint of the corpus with every one of the file.
    fn find(
        ours: &[Option<Fingerprint>],
        path: &Path,
        kind: FingerprintKind,
        distance: u32,
    ) -> Result<Matches> {
        let (places, prints): (Vec<u32>, Vec<Fingerprint>) = (0..)
            .zip(ours)
            .filter_map(|(place, print)| Some((place, (*print)?)))
            .unzip();
        let mut all = Matches {
            records: Vec::new(),
            links: Vec::new(),
            compared: 0,
        };
        let mut known: HashMap<(String, Fingerprint), u32> = HashMap::new();
        let mut reader = open(path)?;
        loop {
            let mut chunk: Vec<(Fingerprint, FingerprintRecord)> = Vec::new();
            for record in reader.by_ref().take(CHUNK) {
                let record = record.map_err(|error| damaged(path, &error))?;
                chunk.extend(record.fingerprint.map(|print| (print, record)));
            }
            // The file may have become another since it was checked.
            ensure!(
                reader.kind() == Some(kind),
                "'{}' has changed since it was checked; run the command again",
                path.display()
            );
            let theirs: Vec<Fingerprint> = chunk.iter().map(|(print, _)| *print).collect();
            all.compared += theirs.len() as u64;
            for first in (0..prints.len()).step_by(ROWS) {
                let rows = &prints[first..prints.len().min(first + ROWS)];
                for pair in pairs::between(rows, &theirs, distance) {
                    let (print, record) = &chunk[pair.b as usize];
                    let next = (ours.len() + all.records.len()) as u32;
                    let at = *known.entry((record.book.clone(), *print)).or_insert(next);
                    if at == next {
                        all.records.push(record.clone());
                    }
                    all.links.push(ClusterLink {
                        a: places[first + pair.a as usize],
                        b: at,
                        distance: pair.distance,
                        overlap: None,
                    });
                    ensure!(
                        all.links.len() <= MOST_PAIRS,
                        "'{}' has more than {MOST_PAIRS} pairs within {distance} bits; lower --distance",
                        path.display()
                    );
                }
            }
            if reader.is_at_end() {
                break;
            }
        }
        all.links.sort_unstable_by_key(|link| (link.a, link.b));
        all.links.dedup();
        Ok(all)
    }
}
