//! `endpaper alternation --out`: writes the useful text of each document to its own file.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::args::Args;
use endpaper_command::output::{note, warn};
use endpaper_detect::alternation::{DocumentPart, FoldedDocuments, Optimum};
use endpaper_text::atomic::{self, Existing};
use endpaper_text::corpus::{Book, Encoding, Skipped, Unreadable};
use endpaper_text::files::{holds, refuse_links_below};
use endpaper_text::wording::{plural, thousands};
use endpaper_truth::strip::{StripOptions, Stripper};

/// What writing the useful texts left out.
pub(super) struct ExtractReport {
    /// Documents that disappeared or changed since they were read.
    pub skipped: Vec<Skipped>,
    /// Number of files that could not be written; each was named.
    pub failures: usize,
}

/// Writes the useful text of all documents. Files are named as by `endpaper strip`.
pub(super) fn extract(
    args: &Args,
    folder: &Path,
    books: &[Book],
    documents: &FoldedDocuments,
    found: &Optimum<'_>,
) -> Result<ExtractReport> {
    fs::create_dir_all(folder).with_context(|| format!("'{}' cannot be made", folder.display()))?;
    let ids = books.iter().map(|book| &book.id);
    let names = Stripper::new(folder, ids, StripOptions::default());
    let mut extracted = ExtractReport {
        skipped: Vec::new(),
        failures: 0,
    };
    let mut written = 0;
    let max_size = args.search.corpus.max_size.0;
    for (at, book) in books.iter().enumerate() {
        let reason = match book.read(max_size) {
            Ok(source) if documents.is_of(at, &source, book.encoding.of(&source)) => {
                let file = names.file(&book.id);
                let text = useful(&source, book.encoding.of(&source), &found.parts(at));
                let existing = args.force.existing();
                match write(folder, &file, text.as_bytes(), existing) {
                    Ok(()) => written += 1,
                    Err(error) => {
                        warn(&format!("{error:#}"));
                        extracted.failures += 1;
                    }
                }
                continue;
            }
            Ok(_) => Unreadable::Io("it changed while it was read".to_owned()),
            Err(reason) => reason,
        };
        extracted.skipped.push(Skipped {
            id: book.id.clone(),
            reason,
        });
    }
    if !args.search.corpus.quiet {
        note(&format!(
            "the useful text of {} {} is in '{}'",
            thousands(written as u64),
            plural(written, "document"),
            folder.display()
        ));
    }
    Ok(extracted)
}

/// Joins the useful parts of a file as UTF-8, with a line end in place of the parts between them.
fn useful(source: &[u8], encoding: Encoding, parts: &[DocumentPart]) -> String {
    let mut text = String::new();
    for part in parts.iter().filter(|part| !part.useless) {
        let mut bytes = &source[part.bytes.clone()];
        if part.bytes.start == 0 {
            bytes = bytes
                .strip_prefix(encoding.byte_order_mark())
                .unwrap_or(bytes);
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text += &encoding.display(bytes, usize::MAX);
    }
    text
}

/// Writes a file below the folder, unless it has these bytes already.
fn write(folder: &Path, file: &Path, bytes: &[u8], existing: Existing) -> Result<()> {
    let path = &folder.join(file);
    refuse_links_below(folder, file).with_context(|| atomic::write_error_prefix(path))?;
    // An identical file is not written again.
    if holds(path, bytes) {
        return Ok(());
    }
    let written = atomic::write_bytes(path, existing, bytes);
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => anyhow::anyhow!(
            "'{}' exists and differs; --force writes over it",
            path.display()
        ),
        _ => anyhow::Error::from(error).context(atomic::write_error_prefix(path)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn useful_parts_are_decoded_and_kept_apart() {
        let part = |useless, bytes| DocumentPart { useless, bytes };
        let parts = [part(false, 0..6), part(true, 6..8), part(false, 8..12)];
        let wide: Vec<u8> = "\u{feff}abcde"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(useful(&wide, Encoding::guess(&wide), &parts), "ab\nde");
        let parts = [part(true, 0..2), part(false, 2..4)];
        assert_eq!(useful(b"xxx\xE9", Encoding::Windows1252, &parts), "x\u{e9}");
        assert_eq!(useful(b"xx", Encoding::Ascii, &parts[..1]), "");
    }
}
