//! What is in a truth folder, counted: `endpaper truth status`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use super::yaml::ParseError;
use super::{Record, RecordKind, Verdict};
use endpaper_text::sanitise::sanitise;

/// A file that does not parse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenRecord {
    /// The file, relative to the truth folder.
    pub path: PathBuf,
    /// Where and why.
    pub error: ParseError,
}

/// Counts over the records of a truth folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusReport {
    /// Records that parse.
    pub records: usize,
    /// Of these, by verdict.
    pub verdicts: BTreeMap<Verdict, usize>,
    /// Of these, by kind.
    pub kinds: BTreeMap<RecordKind, usize>,
    /// Of these, by flag; a record may have several.
    pub flags: BTreeMap<String, usize>,
    /// Of these, the hard ones.
    pub hard: usize,
    /// Decisions in all reviews, by curator.
    pub curators: BTreeMap<String, usize>,
    /// Files that do not parse.
    pub broken: Vec<BrokenRecord>,
    /// Conflict copies, relative to the truth folder.
    pub conflicts: Vec<PathBuf>,
}

impl StatusReport {
    /// Counts records.
    pub(super) fn of(
        records: &[(PathBuf, Result<Record, ParseError>)],
        conflicts: Vec<PathBuf>,
    ) -> StatusReport {
        let mut report = StatusReport {
            conflicts,
            ..StatusReport::default()
        };
        for (path, record) in records {
            match record {
                Ok(record) => report.add(record),
                Err(error) => report.broken.push(BrokenRecord {
                    path: path.clone(),
                    error: error.clone(),
                }),
            }
        }
        report
    }

    /// Counts a record.
    fn add(&mut self, record: &Record) {
        self.records += 1;
        self.hard += usize::from(record.hard);
        *self.verdicts.entry(record.verdict).or_default() += 1;
        *self.kinds.entry(record.kind).or_default() += 1;
        for flag in &record.flags {
            *self.flags.entry(flag.clone()).or_default() += 1;
        }
        for review in record.reviews.iter().filter(|r| r.verdict.is_decided()) {
            *self.curators.entry(review.by.clone()).or_default() += 1;
        }
    }

    /// Records that are decided.
    pub fn decided(&self) -> usize {
        let decided = self.verdicts.iter().filter(|(v, _)| v.is_decided());
        decided.map(|(_, count)| count).sum()
    }

    /// The part of records with cuts whose proposal was corrected, 0..1; `None` where no cuts are decided.
    pub fn corrected_share(&self) -> Option<f64> {
        let count = |verdict| self.verdicts.get(&verdict).copied().unwrap_or(0);
        let (confirmed, corrected) = (count(Verdict::Confirmed), count(Verdict::Corrected));
        let both = confirmed + corrected;
        (both > 0).then(|| corrected as f64 / both as f64)
    }
}

impl fmt::Display for StatusReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        row(f, "records", self.records)?;
        row(f, "decided", self.decided())?;
        for verdict in Verdict::ALL {
            row(
                f,
                &format!("  {verdict}"),
                self.verdicts.get(verdict).copied().unwrap_or(0),
            )?;
        }
        if let Some(share) = self.corrected_share() {
            writeln!(
                f,
                "{:<28}{:>7.1} %",
                "corrected, of cuts decided",
                share * 100.0
            )?;
        }
        row(f, "hard", self.hard)?;
        let kinds = self.kinds.iter().map(|(kind, count)| (kind.name(), *count));
        group(f, "kinds", kinds)?;
        group(f, "flags", named(&self.flags))?;
        group(f, "decisions by curator", named(&self.curators))?;
        row(f, "conflicts unresolved", self.conflicts.len())?;
        for path in &self.conflicts {
            writeln!(f, "  {}", sanitise(&path.to_string_lossy()))?;
        }
        row(f, "broken files", self.broken.len())?;
        for BrokenRecord { path, error } in &self.broken {
            let text = format!("{}: {error}", path.display());
            writeln!(f, "  {}", sanitise(&text))?;
        }
        Ok(())
    }
}

/// The names with their counts.
fn named(counts: &BTreeMap<String, usize>) -> impl Iterator<Item = (&str, usize)> {
    counts.iter().map(|(name, count)| (name.as_str(), *count))
}

/// Prints a group of counts under a title, the largest first; nothing if it is empty.
fn group<'a>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    counts: impl Iterator<Item = (&'a str, usize)>,
) -> fmt::Result {
    let mut counts: Vec<_> = counts.collect();
    if counts.is_empty() {
        return Ok(());
    }
    // The most frequent first; equal counts by name.
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    writeln!(f, "{title}")?;
    for (name, count) in counts {
        row(f, &format!("  {}", sanitise(name)), count)?;
    }
    Ok(())
}

/// Prints a name with its count.
fn row(f: &mut fmt::Formatter<'_>, name: &str, count: usize) -> fmt::Result {
    writeln!(f, "{name:<28}{count:>7}")
}
