//! Two records of one book.

use std::collections::BTreeSet;

use serde_yaml::Value;

use crate::record::end_word;
use crate::{Record, Verdict};

/// A field two records differ in, and what each says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    /// The field: `cuts` stands for source, kind, verdict and cuts together.
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
) -> (Record, Vec<Differing>) {
    let mut merged = ours.clone();
    let mut differing = Vec::new();
    let same_text = ours.is_about(&theirs.source.sha256);
    for field in FIELDS {
        // Other lines of another text are no reason to differ: they go with the cuts.
        let (part, whole) = (field.is_of_lines(), !same_text);
        if part && whole {
            continue;
        }
        let parts: &[Field] = match field {
            Field::Cuts if whole => &[Field::Cuts, Field::Alternatives, Field::Inside],
            _ => std::slice::from_ref(field),
        };
        let same = |a: &Record, b: &Record| parts.iter().all(|field| field.same(a, b));
        match choose(*field, base, ours, theirs, same) {
            Choice::Ours => {}
            Choice::Theirs => parts
                .iter()
                .for_each(|field| field.take(&mut merged, theirs)),
            Choice::Neither => differing.push(Differing {
                field: field.name().to_owned(),
                ours: field.show(ours),
                theirs: field.show(theirs),
            }),
        }
    }
    unknown(base, theirs, &mut merged, &mut differing);
    with_all_reviews(&mut merged, theirs);
    (merged, differing)
}

/// Adds the reviews of another record that are not there, in the order of their times.
pub fn with_all_reviews(record: &mut Record, other: &Record) {
    let before = record.reviews.len();
    record.take_opinions(other);
    if record.reviews.len() == before {
        return;
    }
    // A time nobody can read stays at the end. The order of equal times is kept.
    let time = |at: &str| {
        at.parse::<jiff::Timestamp>()
            .unwrap_or(jiff::Timestamp::MAX)
    };
    record.reviews.sort_by_key(|review| time(&review.at));
}

enum Choice {
    Ours,
    Theirs,
    Neither,
}

fn choose(
    field: Field,
    base: Option<&Record>,
    ours: &Record,
    theirs: &Record,
    same: impl Fn(&Record, &Record) -> bool,
) -> Choice {
    if same(ours, theirs) {
        return Choice::Ours;
    }
    if let Some(base) = base {
        return match (same(base, ours), same(base, theirs)) {
            (_, true) => Choice::Ours,
            (true, _) => Choice::Theirs,
            _ => Choice::Neither,
        };
    }
    // A draft that says nothing but where the cuts happened to stand gives way.
    match (says_nothing(ours), says_nothing(theirs)) {
        (true, false) => return Choice::Theirs,
        (false, true) => return Choice::Ours,
        _ => {}
    }
    if !matches!(field, Field::Cuts) {
        return Choice::Neither;
    }
    match (follows(ours, theirs), follows(theirs, ours)) {
        (true, _) => Choice::Ours,
        (_, true) => Choice::Theirs,
        _ => Choice::Neither,
    }
}

fn says_nothing(record: &Record) -> bool {
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
fn follows(later: &Record, earlier: &Record) -> bool {
    let stands = |record: &Record| {
        let last = record.reviews.last();
        last.is_some_and(|last| last.cuts == record.cuts && last.verdict == record.verdict)
    };
    later.reviews.len() > earlier.reviews.len()
        && later.continues(earlier)
        && stands(later)
        && stands(earlier)
}

/// The parts a record is merged by.
#[derive(Clone, Copy)]
enum Field {
    Cuts,
    Alternatives,
    Inside,
    Hard,
    Flags,
    Note,
    Policy,
}

const FIELDS: &[Field] = &[
    Field::Cuts,
    Field::Alternatives,
    Field::Inside,
    Field::Hard,
    Field::Flags,
    Field::Note,
    Field::Policy,
];

impl Field {
    fn name(self) -> &'static str {
        match self {
            Field::Cuts => "cuts",
            Field::Alternatives => "alternatives",
            Field::Inside => "inside",
            Field::Hard => "hard",
            Field::Flags => "flags",
            Field::Note => "note",
            Field::Policy => "policy",
        }
    }

    fn is_of_lines(self) -> bool {
        matches!(self, Field::Alternatives | Field::Inside)
    }

    fn same(self, a: &Record, b: &Record) -> bool {
        match self {
            // Whether cuts were confirmed or corrected depends on what had been proposed.
            Field::Cuts => {
                let verdict =
                    a.verdict == b.verdict || (a.verdict.has_cuts() && b.verdict.has_cuts());
                let matters = a.verdict.has_cuts() || a.verdict == Verdict::Open;
                let cuts = !matters || a.cuts == b.cuts;
                verdict && cuts && a.kind == b.kind && a.is_about(&b.source.sha256)
            }
            Field::Alternatives => a.alternatives == b.alternatives,
            Field::Inside => a.inside == b.inside,
            Field::Hard => a.hard == b.hard,
            Field::Flags => set(&a.flags) == set(&b.flags),
            Field::Note => a.note == b.note,
            Field::Policy => a.policy == b.policy,
        }
    }

    fn take(self, to: &mut Record, from: &Record) {
        match self {
            Field::Cuts => {
                to.move_to(from.source.clone());
                (to.kind, to.verdict, to.cuts) = (from.kind, from.verdict, from.cuts);
                to.context = from.context.clone();
            }
            Field::Alternatives => to.alternatives.clone_from(&from.alternatives),
            Field::Inside => to.inside.clone_from(&from.inside),
            Field::Hard => to.hard = from.hard,
            Field::Flags => to.flags.clone_from(&from.flags),
            Field::Note => to.note.clone_from(&from.note),
            Field::Policy => to.policy.clone_from(&from.policy),
        }
    }

    /// What a record says here, in a few words.
    fn show(self, record: &Record) -> String {
        let list = |items: Vec<String>| match items.is_empty() {
            true => "none".to_owned(),
            false => items.join(", "),
        };
        match self {
            Field::Cuts => {
                let end = record.cuts.epilogue_start;
                let end = end.map_or_else(|| "none".to_owned(), |line| line.to_string());
                let (kind, verdict) = (record.kind, record.verdict);
                let digest = record.source.sha256.get(..8).unwrap_or_default();
                format!(
                    "{kind} {verdict}, preamble {}, epilogue {end}, of {digest}",
                    record.cuts.preamble_end
                )
            }
            Field::Alternatives => {
                let items = record.alternatives.iter();
                list(
                    items
                        .map(|other| format!("{} {}", end_word(other.end), other.line))
                        .collect(),
                )
            }
            Field::Inside => {
                let items = record.inside.iter();
                list(
                    items
                        .map(|part| format!("{}-{} {}", part.first, part.last, part.kind))
                        .collect(),
                )
            }
            Field::Hard => record.hard.to_string(),
            Field::Flags => list(record.flags.clone()),
            Field::Note => format!("{:?}", record.note),
            Field::Policy => record.policy.clone(),
        }
    }
}

fn set(flags: &[String]) -> BTreeSet<&String> {
    flags.iter().collect()
}

/// Keys of other tools, each by itself: a key only one side has is taken.
fn unknown(
    base: Option<&Record>,
    theirs: &Record,
    merged: &mut Record,
    differing: &mut Vec<Differing>,
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
                differing.push(Differing {
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
