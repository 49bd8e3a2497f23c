//! Entries of the review queue, from a listing, an analysis and the records.

use std::collections::HashMap;

use endpaper_detect::pipeline::{BookReport, CorpusReport};
use endpaper_detect::{Detection, Reason, SecondOpinions};
use endpaper_review::entry::{EntryOpinions, labelling_signature, rank_templates};
use endpaper_review::{BookCopies, QueueEntry, ReviewStatus};
use endpaper_text::corpus::{Listing, Skipped};
use endpaper_truth::{Record, Store, StoredRecord, Verdict};

/// Entries with names only. Books come first, in listing order, then the files that could not be listed: the screen requests books by
/// index.
pub(super) fn entries_of_listing(listing: &Listing) -> Vec<QueueEntry> {
    let entry = |book: &endpaper_text::corpus::Book| QueueEntry {
        title: book.id.name().to_owned(),
        id: Some(book.id.clone()),
        ..QueueEntry::default()
    };
    let mut entries: Vec<QueueEntry> = listing.books.iter().map(entry).collect();
    entries.extend(listing.skipped.iter().map(unreadable));
    entries
}

/// Entries with the results of the analysis.
pub(super) fn entries_of_report(listing: &Listing, report: &CorpusReport) -> Vec<QueueEntry> {
    let mut entries = entries_of_listing(listing);
    let mut opinions = report.opinions.iter().flat_map(|found| &found.books);
    let mut surveyed = report.books.iter().peekable();
    let skipped: HashMap<&str, &Skipped> = report
        .skipped
        .iter()
        .map(|book| (book.id.as_str(), book))
        .collect();
    for entry in entries.iter_mut().take(listing.books.len()) {
        match surveyed.next_if(|book| book.book.id.as_str() == entry.id()) {
            Some(book) => {
                fill(entry, book);
                if let Some(opinions) = opinions.next() {
                    let found = entry_opinions(&book.summary.detection, opinions);
                    (entry.copies, entry.is_contested) = (found.copies, found.is_contested);
                }
            }
            None => {
                if let Some(skipped) = skipped.get(entry.id()) {
                    *entry = unreadable(skipped);
                }
            }
        }
    }
    for (rank, &at) in (1..).zip(&report.exemplars) {
        let id = report.books[at].book.id.as_str();
        // Books of the listing are in the order of their ids.
        let books = &mut entries[..listing.books.len()];
        if let Ok(entry) = books.binary_search_by(|entry| entry.id().cmp(id)) {
            books[entry].exemplar = rank;
        }
    }
    rank_templates(&mut entries);
    entries
}

/// What second opinions, which the books contain, change in each entry.
pub(super) fn opinions_of_entries(
    entries: &[QueueEntry],
    books: &[BookReport],
    opinions: &[SecondOpinions],
) -> Vec<EntryOpinions> {
    let known = books.iter().zip(opinions).map(|(book, opinions)| {
        let found = entry_opinions(&book.summary.detection, opinions);
        (book.book.id.as_str(), found)
    });
    let known: HashMap<&str, EntryOpinions> = known.collect();
    let of = |entry: &QueueEntry| known.get(entry.id()).copied().unwrap_or_default();
    entries.iter().map(of).collect()
}

/// The opinions in the order of the listing; none on a book that the analysis could not read.
pub(super) fn opinions_of_listing(
    listing: &Listing,
    books: &[BookReport],
    opinions: &[SecondOpinions],
) -> Vec<SecondOpinions> {
    let mut known = books.iter().zip(opinions).peekable();
    let of = |book: &endpaper_text::corpus::Book| {
        let found = known.next_if(|(report, _)| report.book.id == book.id);
        found.map_or_else(SecondOpinions::default, |(_, opinions)| opinions.clone())
    };
    listing.books.iter().map(of).collect()
}

/// What opinions that `detection` contains change in an entry.
fn entry_opinions(detection: &Detection, opinions: &SecondOpinions) -> EntryOpinions {
    let has = |reason| detection.reasons.contains(&reason);
    EntryOpinions {
        copies: BookCopies {
            cluster: opinions.cluster,
            is_cut_differently: has(Reason::CopiesDiffer),
        },
        is_contested: has(Reason::AlternationDiffers),
        doubt: Some(detection.doubt),
        reason: detection.reasons.first().copied(),
    }
}

/// The entry of a book that cannot be read.
fn unreadable(skipped: &Skipped) -> QueueEntry {
    QueueEntry {
        id: Some(skipped.id.clone()),
        title: skipped.id.name().to_owned(),
        status: ReviewStatus::Unreadable,
        unreadable: Some(skipped.reason.to_string()),
        ..QueueEntry::default()
    }
}

/// Fills an entry with what the analysis found.
fn fill(entry: &mut QueueEntry, book: &BookReport) {
    let (header, detection) = (&book.summary.header, &book.summary.detection);
    if let Some(title) = &header.title {
        entry.title.clone_from(title);
    }
    entry.author = header.author.clone().unwrap_or_default();
    entry.producer = header.producer.clone().unwrap_or_default();
    entry.number = header.number;
    entry.template = book.summary.template;
    entry.doubt = Some(detection.doubt);
    entry.reason = detection.reasons.first().copied();
    (entry.cuts, entry.lines) = (Some(detection.cuts), book.summary.lines);
}

/// Marks the books that have a record file. No record is read.
pub(super) fn mark_recorded(entries: &mut [QueueEntry], store: &Store) {
    let Ok(existing) = store.existing() else {
        return;
    };
    if existing.is_empty() {
        return;
    }
    for entry in entries
        .iter_mut()
        .filter(|entry| entry.status == ReviewStatus::Undecided)
    {
        if Store::is_among(&existing, entry.id()) {
            entry.status = ReviewStatus::Recorded;
        }
    }
}

/// Reads the record of one book and sets its status: the start of the sitting is chosen before all records are read, and after a crash
/// the last book on screen may already be decided.
pub(super) fn read_status(entries: &mut [QueueEntry], store: &Store, id: &str) {
    let recorded = |entry: &&mut QueueEntry| entry.status == ReviewStatus::Recorded;
    let entry = entries
        .iter_mut()
        .filter(recorded)
        .find(|entry| entry.id() == id);
    if let Some(entry) = entry
        && let Ok((StoredRecord::Record(record), _)) = store.load(id)
    {
        apply_record(entry, &record);
    }
}

/// Sets the status of an entry from its record.
fn apply_record(entry: &mut QueueEntry, record: &Record) {
    entry.status = match record.verdict {
        Verdict::Open => ReviewStatus::Draft,
        verdict => ReviewStatus::Decided(verdict),
    };
    (entry.hard, entry.kind, entry.labelling_signature) =
        (record.hard, record.kind, labelling_signature(record));
    entry.flags.clone_from(&record.flags);
    // After the length of the file changed, line numbers mean other lines.
    let known = record.source.lines == entry.lines;
    if known && (record.verdict.has_cuts() || record.verdict == Verdict::Open) {
        entry.cuts = Some(record.cuts);
    }
}

/// Reads all records and sets the status of each book; returns the number of records.
pub(super) fn read_statuses(entries: &mut [QueueEntry], store: &Store) -> usize {
    let Ok(records) = store.records() else {
        return 0;
    };
    let read: HashMap<&str, &Record> = records
        .iter()
        .filter_map(|(_, record)| record.as_ref().ok())
        .map(|record| (record.book.as_str(), record))
        .collect();
    for entry in entries
        .iter_mut()
        .filter(|entry| entry.status == ReviewStatus::Recorded)
    {
        match read.get(entry.id()) {
            Some(record) => apply_record(entry, record),
            // The record file exists, but no record of this book could be read from it.
            None => entry.status = ReviewStatus::Broken,
        }
    }
    records.len()
}
