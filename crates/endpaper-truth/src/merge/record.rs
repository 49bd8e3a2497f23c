//! Two records of one book.

use std::collections::BTreeSet;

use serde_yaml::Value;

use crate::record::end_word;
use crate::{Record, Verdict};

/// A field in which two records differ, with the value of each in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDifference {
    /// The field: `cuts` represents source, kind, verdict and cuts together.
    pub field: String,
    /// What the first record says.
    pub ours: String,
    /// What the second record says.
    pub theirs: String,
}

/// Brings two records of one book together. What only one side changed since `base` is taken from that side; without a
/// base, from the side that has every review of the other and more. The fields that are left are what both differ in;
/// in these the record is `ours`. Every review of both is kept.
pub fn merge_two(
    base: Option<&Record>,
    ours: &Record,
    theirs: &Record,
) -> (Record, Vec<FieldDifference>) {
    let mut merged = ours.clone();
    let mut differing = Vec::new();
    let same_text = ours.is_decided_on(&theirs.source.sha256);
    for field in FIELDS {
        // Other lines of another text are not a disagreement: they go with the cuts.
        let (part, whole) = (field.is_of_lines(), !same_text);
        if part && whole {
            continue;
        }
        let parts: &[MergeField] = match field {
            MergeField::Cuts if whole => &[
                MergeField::Cuts,
                MergeField::Alternatives,
                MergeField::Inside,
            ],
            _ => std::slice::from_ref(field),
        };
        let same = |a: &Record, b: &Record| parts.iter().all(|field| field.same(a, b));
        match choose(*field, base, ours, theirs, same) {
            MergeChoice::Ours => {}
            MergeChoice::Theirs => parts
                .iter()
                .for_each(|field| field.copy_field(&mut merged, theirs)),
            MergeChoice::Neither => differing.push(FieldDifference {
                field: field.name().to_owned(),
                ours: field.show(ours),
                theirs: field.show(theirs),
            }),
        }
    }
    unknown(base, theirs, &mut merged, &mut differing);
    add_reviews(&mut merged, theirs);
    (merged, differing)
}

/// Adds the reviews of another record that are not there, in the order of their times.
pub fn add_reviews(record: &mut Record, other: &Record) {
    let before = record.reviews.len();
    record.add_opinions(other);
    if record.reviews.len() == before {
        return;
    }
    // A time no one can read stays at the end. The order of equal times is kept.
    let time = |at: &str| {
        at.parse::<jiff::Timestamp>()
            .unwrap_or(jiff::Timestamp::MAX)
    };
    record.reviews.sort_by_key(|review| time(&review.at));
}

/// Separates notes of several people in one line.
const BETWEEN_NOTES: &str = " / ";

/// Several notes in one line, in their order; what is in two of them is there once.
pub fn joined_notes<'a>(all: impl IntoIterator<Item = &'a str>) -> String {
    let mut notes: Vec<&str> = Vec::new();
    for joined in all {
        for note in joined.split(BETWEEN_NOTES).map(str::trim) {
            if !note.is_empty() && !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    notes.join(BETWEEN_NOTES)
}

/// Copies the disputed fields of a version. Lines of another text go with its cuts.
pub(super) fn copy_disputed(to: &mut Record, from: &Record, is_disputed: impl Fn(&str) -> bool) {
    let other_lines =
        is_disputed(MergeField::Cuts.name()) && !to.is_decided_on(&from.source.sha256);
    for field in FIELDS {
        if is_disputed(field.name()) || (other_lines && field.is_of_lines()) {
            field.copy_field(to, from);
        }
    }
    for (key, value) in &from.unknown {
        if is_disputed(key) {
            to.unknown.insert(key.clone(), value.clone());
        }
    }
}

/// Which of two records holds the value that the merged record takes; neither if they conflict.
enum MergeChoice {
    Ours,
    Theirs,
    Neither,
}

/// Which of two records has the value of a field that the merged record takes, given their common ancestor `base`.
fn choose(
    field: MergeField,
    base: Option<&Record>,
    ours: &Record,
    theirs: &Record,
    same: impl Fn(&Record, &Record) -> bool,
) -> MergeChoice {
    if same(ours, theirs) {
        return MergeChoice::Ours;
    }
    if let Some(base) = base {
        return match (same(base, ours), same(base, theirs)) {
            (_, true) => MergeChoice::Ours,
            (true, _) => MergeChoice::Theirs,
            _ => MergeChoice::Neither,
        };
    }
    // A draft that says nothing but where the cuts happened to stand gives way.
    match (is_empty_draft(ours), is_empty_draft(theirs)) {
        (true, false) => return MergeChoice::Theirs,
        (false, true) => return MergeChoice::Ours,
        _ => {}
    }
    if !matches!(field, MergeField::Cuts) {
        return MergeChoice::Neither;
    }
    match (
        knows_all_reviews(ours, theirs),
        knows_all_reviews(theirs, ours),
    ) {
        (true, _) => MergeChoice::Ours,
        (_, true) => MergeChoice::Theirs,
        _ => MergeChoice::Neither,
    }
}

/// Whether a record is a draft without any annotation.
fn is_empty_draft(record: &Record) -> bool {
    let Record {
        verdict,
        alternatives,
        inside,
        hard,
        flags,
        note,
        reviews,
        ..
    } = record;
    *verdict == Verdict::Open
        && alternatives.is_empty()
        && inside.is_empty()
        && !hard
        && flags.is_empty()
        && note.is_empty()
        && reviews.is_empty()
}

/// Whether a decision was made by someone who knew every review of the other: it came after, not beside it.
fn knows_all_reviews(later: &Record, earlier: &Record) -> bool {
    let stands = |record: &Record| {
        let last = record.reviews.last();
        last.is_some_and(|last| last.cuts == record.cuts && last.verdict == record.verdict)
    };
    later.reviews.len() > earlier.reviews.len()
        && later.extends_opinions_of(earlier)
        && stands(later)
        && stands(earlier)
}

/// The parts a record is merged by.
#[derive(Clone, Copy)]
enum MergeField {
    Cuts,
    Alternatives,
    Inside,
    Hard,
    Flags,
    Note,
    Policy,
}

const FIELDS: &[MergeField] = &[
    MergeField::Cuts,
    MergeField::Alternatives,
    MergeField::Inside,
    MergeField::Hard,
    MergeField::Flags,
    MergeField::Note,
    MergeField::Policy,
];

impl MergeField {
    /// The name of the field in lists of conflicts.
    fn name(self) -> &'static str {
        match self {
            MergeField::Cuts => "cuts",
            MergeField::Alternatives => "alternatives",
            MergeField::Inside => "inside",
            MergeField::Hard => "hard",
            MergeField::Flags => "flags",
            MergeField::Note => "note",
            MergeField::Policy => "policy",
        }
    }

    /// Whether the field refers to lines of the text, so that it is only comparable for one text.
    fn is_of_lines(self) -> bool {
        matches!(self, MergeField::Alternatives | MergeField::Inside)
    }

    /// Whether two records agree in the field.
    fn same(self, a: &Record, b: &Record) -> bool {
        match self {
            // Whether cuts were confirmed or corrected depends on what had been proposed.
            MergeField::Cuts => {
                let verdict =
                    a.verdict == b.verdict || (a.verdict.has_cuts() && b.verdict.has_cuts());
                let matters = a.verdict.has_cuts() || a.verdict == Verdict::Open;
                let cuts = !matters || a.cuts == b.cuts;
                verdict && cuts && a.kind == b.kind && a.is_decided_on(&b.source.sha256)
            }
            MergeField::Alternatives => a.alternatives == b.alternatives,
            MergeField::Inside => a.inside == b.inside,
            MergeField::Hard => a.hard == b.hard,
            MergeField::Flags => set(&a.flags) == set(&b.flags),
            MergeField::Note => a.note == b.note,
            MergeField::Policy => a.policy == b.policy,
        }
    }

    /// Copies the field from one record to another.
    fn copy_field(self, to: &mut Record, from: &Record) {
        match self {
            MergeField::Cuts => {
                to.set_source(from.source.clone());
                (to.kind, to.verdict, to.cuts) = (from.kind, from.verdict, from.cuts);
                to.context = from.context.clone();
            }
            MergeField::Alternatives => to.alternatives.clone_from(&from.alternatives),
            MergeField::Inside => to.inside.clone_from(&from.inside),
            MergeField::Hard => to.hard = from.hard,
            MergeField::Flags => to.flags.clone_from(&from.flags),
            MergeField::Note => to.note.clone_from(&from.note),
            MergeField::Policy => to.policy.clone_from(&from.policy),
        }
    }

    /// What a record says here, in a few words.
    fn show(self, record: &Record) -> String {
        let list = |items: Vec<String>| match items.is_empty() {
            true => "none".to_owned(),
            false => items.join(", "),
        };
        match self {
            MergeField::Cuts => {
                let end = record.cuts.epilogue_start;
                let end = end.map_or_else(|| "none".to_owned(), |line| line.to_string());
                let (kind, verdict) = (record.kind, record.verdict);
                let digest = record.source.sha256.get(..8).unwrap_or_default();
                format!(
                    "{kind} {verdict}, preamble {}, epilogue {end}, of {digest}",
                    record.cuts.preamble_end
                )
            }
            MergeField::Alternatives => {
                let items = record.alternatives.iter();
                list(
                    items
                        .map(|other| format!("{} {}", end_word(other.end), other.line))
                        .collect(),
                )
            }
            MergeField::Inside => {
                let items = record.inside.iter();
                list(
                    items
                        .map(|part| format!("{}-{} {}", part.first, part.last, part.kind))
                        .collect(),
                )
            }
            MergeField::Hard => record.hard.to_string(),
            MergeField::Flags => list(record.flags.clone()),
            MergeField::Note => format!("{:?}", record.note),
            MergeField::Policy => record.policy.clone(),
        }
    }
}

/// The flags without order.
fn set(flags: &[String]) -> BTreeSet<&String> {
    flags.iter().collect()
}

/// Keys of other tools, each by itself: a key only one side has is taken.
fn unknown(
    base: Option<&Record>,
    theirs: &Record,
    merged: &mut Record,
    differing: &mut Vec<FieldDifference>,
) {
    let keys = merged.unknown.keys().chain(theirs.unknown.keys());
    let keys: BTreeSet<String> = keys.cloned().collect();
    for key in keys {
        let (mine, other) = (merged.unknown.get(&key), theirs.unknown.get(&key));
        let before = base.map(|base| base.unknown.get(&key));
        let chosen = match (mine, other, before) {
            (mine, other, _) if mine == other => continue,
            (mine, other, Some(before)) if mine == before => other.cloned(),
            (_, other, Some(before)) if other == before => continue,
            (Some(_), None, None) => continue,
            (None, Some(other), None) => Some(other.clone()),
            (mine, other, _) => {
                let show = |value: Option<&Value>| {
                    let text = value.map(|value| serde_yaml::to_string(value).unwrap_or_default());
                    text.map_or_else(|| "none".to_owned(), |text| text.trim_end().to_owned())
                };
                differing.push(FieldDifference {
                    ours: show(mine),
                    theirs: show(other),
                    field: key,
                });
                continue;
            }
        };
        match chosen {
            Some(value) => merged.unknown.insert(key, value),
            None => merged.unknown.remove(&key),
        };
    }
}
