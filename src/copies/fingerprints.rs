//! `endpaper copies --fingerprints`: writes the fingerprints of a corpus for other libraries.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use rayon::prelude::*;

use super::{Args, analyse};
use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::output::{note, warn};
use endpaper_command::progress::ProgressBar;
use endpaper_detect::copies::Fingerprint;
use endpaper_detect::copies::exchange::{FingerprintKind, FingerprintRecord, header, line};
use endpaper_detect::pipeline::{
    BookReport, ComparedPart, CopyOptions, fingerprint_books, part_of,
};
use endpaper_outline::metadata;
use endpaper_text::corpus::{Skipped, Unreadable};
use endpaper_text::panics::catch_panic_message;
use endpaper_text::scan::{WindowOptions, scan};
use endpaper_text::wording::{counted, thousands};

/// Writes a line for every book of the corpus that can be read, in the order of the listing.
pub(super) fn write(args: &Args, options: &CopyOptions, out: &Path) -> Result<Exit> {
    args.force.check_output(out)?;
    let (report, mut unread) = analyse(&args.corpus, Some(out))?;
    let books: Vec<&BookReport> = report.books.iter().collect();
    let bar = ProgressBar::new(args.corpus.quiet);
    let never = AtomicBool::new(false);
    let found = fingerprint_books(
        &books,
        options,
        &|progress| bar.show_progress(progress),
        &never,
    )?;
    drop(bar);
    if !args.corpus.quiet {
        found.notes.iter().for_each(|note| warn(note));
    }
    let lost = |book: &BookReport| {
        found
            .skipped
            .iter()
            .any(|skipped| skipped.id == book.book.id)
    };
    let kept: Vec<(&BookReport, Option<Fingerprint>)> = books
        .into_iter()
        .zip(found.fingerprints.iter().copied())
        .filter(|(book, print)| print.is_some() || !lost(book))
        .collect();
    let records: Vec<Result<FingerprintRecord, Skipped>> = args.corpus.pool()?.install(|| {
        let record = |&(book, print): &(&BookReport, Option<Fingerprint>)| {
            record(book, print, options).map_err(|reason| Skipped {
                id: book.book.id.clone(),
                reason,
            })
        };
        kept.par_iter().map(record).collect()
    });
    let kind = FingerprintKind {
        shape: options.shape,
        whole_file: options.part == ComparedPart::Whole,
    };
    let (mut text, mut written, mut tiny) = (header() + "\n", 0u64, 0u64);
    for record in records {
        match record {
            Ok(record) => {
                text.push_str(&line(kind, &record));
                text.push('\n');
                written += 1;
                tiny += u64::from(record.fingerprint.is_none());
            }
            Err(skipped) => unread.push(skipped),
        }
    }
    unread.extend(found.skipped);
    args.force.write(out, text.as_bytes())?;
    if !args.corpus.quiet {
        note(&format!("{} written", counted(written, "book", "books")));
        if tiny > 0 {
            note(&format!(
                "{} of them too short to have a fingerprint",
                thousands(tiny)
            ));
        }
    }
    Ok(exit_after_skips(&unread))
}

/// The line of a book. Its text is read for the size of the part and the ISBN.
fn record(
    book: &BookReport,
    fingerprint: Option<Fingerprint>,
    options: &CopyOptions,
) -> Result<FingerprintRecord, Unreadable> {
    let read = catch_panic_message(|| {
        let text = book.book.text(options.max_size)?;
        let (first, last) = part_of(book, options.part);
        let body = if first > last {
            0
        } else {
            text.span(first, last).len()
        };
        let about = metadata(&text, &scan(text.bytes(), WindowOptions::of(&text)));
        Ok(FingerprintRecord {
            book: book.book.id.as_str().to_owned(),
            number: book.summary.header.number,
            isbn: about.isbns.first().map(|isbn| isbn.value.to_string()),
            lines: Some(book.summary.lines),
            bytes: Some(book.summary.bytes),
            body_bytes: Some(body as u64),
            fingerprint,
        })
    });
    read.unwrap_or_else(|message| Err(Unreadable::Io(message)))
}
