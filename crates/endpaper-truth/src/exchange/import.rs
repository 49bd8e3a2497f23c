//! Putting a record from elsewhere into a truth folder.

use crate::check::check_record;
use crate::{Record, Store, StoredRecord};

/// Whether an imported record was new or already in the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportOutcome {
    /// There was none; it is there now.
    New,
    /// The folder says the same already.
    Unchanged,
}

/// Puts a record into a folder unless the folder has another one of its book: nothing is overwritten. `whole` records
/// must be equal to pass as unchanged; the line of a table only says the outcome. Nothing is written if not `write`.
///
/// # Errors
///
/// Why the record is refused, in one sentence.
pub fn import_record(
    store: &Store,
    record: &Record,
    whole: bool,
    write: bool,
) -> Result<ImportOutcome, String> {
    let wrong = check_record(record).into_iter();
    let wrong = wrong.filter(|(rule, ..)| rule.is_error());
    let wrong: Vec<String> = wrong.map(|(_, _, message)| message).collect();
    if !wrong.is_empty() {
        return Err(wrong.join("; "));
    }
    let (found, known) = store
        .load(&record.book)
        .map_err(|error| format!("{error:#}"))?;
    match found {
        StoredRecord::Nothing => {}
        StoredRecord::Record(there) if *there == *record => return Ok(ImportOutcome::Unchanged),
        StoredRecord::Record(there) if !whole && says_nothing_new(&there, record) => {
            return Ok(ImportOutcome::Unchanged);
        }
        StoredRecord::Record(_) => {
            return Err(format!(
                "'{}' has another record already, which stays; import into a new folder and bring both together with `endpaper truth merge`",
                record.book
            ));
        }
        StoredRecord::Broken { path, error } => {
            return Err(format!(
                "'{}' has a record that does not parse ('{}', {error}); fix it first",
                record.book,
                path.display()
            ));
        }
    }
    if write {
        store
            .save(record, &known)
            .map_err(|error| error.to_string())?;
    }
    Ok(ImportOutcome::New)
}

/// Whether a line of a table says nothing new: a table cannot tell who said it, whether cuts were corrected, and why
/// there are alternatives.
fn says_nothing_new(there: &Record, line: &Record) -> bool {
    let places = |record: &Record| {
        let places = record
            .alternatives
            .iter()
            .map(|other| (other.end, other.line));
        let mut places: Vec<_> = places.collect();
        places.sort_unstable();
        places
    };
    let same_verdict =
        there.verdict == line.verdict || (there.verdict.has_cuts() && line.verdict.has_cuts());
    let outcome = |record: &Record| {
        (
            (
                record.source.sha256.to_ascii_lowercase(),
                record.kind,
                record.cuts,
            ),
            (record.hard, record.flags.clone(), record.note.clone()),
            (record.policy.clone(), places(record)),
        )
    };
    same_verdict && outcome(there) == outcome(line)
}
