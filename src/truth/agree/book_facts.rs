//! Facts about the texts that were reviewed.

use std::collections::{HashMap, HashSet};

use anyhow::Result;

use endpaper_command::common::CorpusArgs;
use endpaper_evaluate::agree::{BodyRuler, BookFacts, SideMatching};
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::{Book, BookReader, BookText};
use endpaper_text::scan::{WindowOptions, scan};

/// Reads the texts of a match: first books of the same name, then, if texts are still missing, all others.
pub(super) fn read_book_facts(
    corpus: &CorpusArgs,
    matches: &[SideMatching],
) -> Result<HashMap<String, BookFacts>> {
    let mut known = HashMap::new();
    if !corpus.is_named() {
        return Ok(known);
    }
    let listing = corpus.list(None)?;
    let max_size = corpus.max_size.0;
    let cases = || matches.iter().flat_map(|found| &found.cases);
    let wanted: HashSet<&str> = cases().map(|case| case.sha256.as_str()).collect();
    let names: HashSet<&str> = cases().map(|case| case.book.as_str()).collect();
    let (mut first, mut rest): (Vec<&Book>, Vec<&Book>) = (Vec::new(), Vec::new());
    for book in &listing.books {
        let named = names.contains(book.id.as_str());
        if named { &mut first } else { &mut rest }.push(book);
    }
    let mut reader = BookReader::default();
    for book in first.into_iter().chain(rest) {
        if known.len() == wanted.len() {
            break;
        }
        // The text of a book that cannot be read is not available.
        let Ok(bytes) = reader.read(book, max_size) else {
            continue;
        };
        let digest = sha256(bytes);
        if wanted.contains(digest.as_str()) && !known.contains_key(&digest) {
            let text = BookText::in_encoding(bytes.to_vec(), book.encoding);
            let scan = scan(bytes, WindowOptions::of(&text));
            known.insert(
                digest,
                BookFacts {
                    ruler: BodyRuler::of(&text),
                    template: scan.template,
                    producer: scan.header.producer,
                },
            );
        }
    }
    Ok(known)
}
