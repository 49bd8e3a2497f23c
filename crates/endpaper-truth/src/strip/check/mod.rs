//! A look over a folder of bodies before it is published.
//!
//! [`select_bodies`] lists the bodies of a folder, [`check_bodies`] finds what should not be there: lines that read like
//! boilerplate near the ends, bodies that are too small or of another size than the rest, files that are not those the manifest
//! speaks of. Each is a [`LintFinding`]; what a curator examined and accepts is in a file of [`Suppressions`], with the
//! reason. Kaser & Lemire, section 5, is where the idea comes from: "seeing 'Gutenberg' in the body of an e-book is
//! typically a sign of trouble".

mod files;
mod finding;
mod leftovers;
mod sizes;
mod suppressions;
#[cfg(test)]
mod tests;

pub use files::select_bodies;
pub use finding::{LintFinding, LintRule};
pub use suppressions::{SUPPRESSIONS, Suppressions};

use std::path::Path;

use super::Manifest;
use endpaper_detect::pipeline::CorpusReport;
use endpaper_text::corpus::{BookText, Unreadable};

/// Looks over the bodies of a folder that were analysed with their Scans (`store_scans`). `whole` says that
/// they are all of the folder's, so that what is missing is missed. Findings come in the order of the files and lines.
///
/// What cannot be read is not a finding; it is in the analysis's list of skipped books, but for empty files.
pub fn check_bodies(
    folder: &Path,
    report: &CorpusReport,
    manifest: &Manifest,
    threshold: u64,
    max_size: u64,
    whole: bool,
) -> Vec<LintFinding> {
    let entries = manifest.by_file();
    let mut findings = sizes::findings(report, &entries);
    for skipped in &report.skipped {
        if skipped.reason == Unreadable::Empty {
            let file = skipped.id.as_str();
            findings.push(LintFinding::of_file(
                file,
                LintRule::Empty,
                "nothing is in it",
            ));
        }
    }
    for body in &report.books {
        // A body that went away since it was analysed is missing, which the manifest tells.
        let Ok(bytes) = body.book.read(max_size) else {
            continue;
        };
        let file = body.book.id.as_str();
        findings.extend(files::compare(file, &bytes, &entries));
        let (text, frequencies) = (
            BookText::in_encoding(bytes, body.book.encoding),
            &report.model.frequencies,
        );
        findings.extend(leftovers::findings(body, &text, frequencies, threshold));
    }
    if whole {
        findings.extend(files::missing(report, &entries));
        findings.extend(files::temporary(folder));
    }
    findings.sort_by(|a, b| (&a.file, a.line, a.rule).cmp(&(&b.file, b.line, b.rule)));
    findings
}
