//! Which books, and how they are analysed: as the commands do it without options.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use endpaper_detect::pipeline::{AnalysisOptions, CorpusReport, analyse};
use endpaper_text::config::Paths;
use endpaper_text::corpus::extract::DocumentOptions;
use endpaper_text::corpus::{
    Book, BookId, BookLocation, EncodingChoice, FileStamp, Listing, ListingRequest,
};
use endpaper_text::program;
use pyo3::prelude::*;

/// Memory for what is known of each book between counting and detecting, in bytes, as in the commands.
const SCAN_MEMORY: usize = 128 << 20;

/// How often a long analysis looks for Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(50);

/// The options of an analysis. Without the program of the package nothing is cached: caches name the program that wrote them.
pub fn options(threads: usize, cache: bool) -> Result<AnalysisOptions> {
    let cached = cache && program::is_named();
    Ok(AnalysisOptions {
        threads,
        cache: cached
            .then(Paths::new)
            .transpose()?
            .map(|paths| paths.cache),
        scan_memory: SCAN_MEMORY,
        opinions: true,
        ..AnalysisOptions::default()
    })
}

/// A request for the books at some paths. Documents are read by the program of the package, within its limits, or not at all.
pub fn request(roots: Vec<PathBuf>, options: &AnalysisOptions) -> ListingRequest {
    let documents = DocumentOptions {
        cache_folder: options.cache.clone(),
        program: program::path(),
        ..DocumentOptions::default()
    };
    ListingRequest {
        roots,
        documents: program::is_named().then_some(documents),
        threads: options.threads,
        ..ListingRequest::default()
    }
}

/// A text as a corpus of one book, as standard input is one.
pub fn one_text(bytes: &[u8], encoding: EncodingChoice) -> Listing {
    let stamp = FileStamp {
        size: bytes.len() as u64,
        ..FileStamp::default()
    };
    Listing {
        books: vec![Book {
            id: BookId::new("stdin"),
            location: BookLocation::Given(bytes.to_vec().into()),
            stamp,
            encoding,
        }],
        ..Listing::default()
    }
}

/// Analyses books without holding the interpreter's lock. Ctrl-C ends it.
///
/// # Errors
///
/// Those of [`analyse`], and the exception that a signal raised.
pub fn analyse_detached(
    py: Python<'_>,
    listing: &Listing,
    options: &AnalysisOptions,
) -> Result<CorpusReport> {
    let cancel = AtomicBool::new(false);
    let work = &|| analyse(listing, options, &|_| (), &cancel);
    py.detach(|| {
        let (done, wait) = channel();
        thread::scope(|scope| {
            let working = scope.spawn(move || {
                // Nobody waits after Ctrl-C.
                let _ = done.send(work());
            });
            loop {
                match wait.recv_timeout(SIGNALS) {
                    Ok(report) => return report,
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(raised) = Python::attach(|py| py.check_signals()) {
                            cancel.store(true, Ordering::Relaxed);
                            return Err(raised.into());
                        }
                    }
                    // Only a panic ends the thread without a report.
                    Err(RecvTimeoutError::Disconnected) => {
                        if let Err(panic) = working.join() {
                            resume_unwind(panic);
                        }
                        bail!("the analysis ended without a result");
                    }
                }
            }
        })
    })
}
