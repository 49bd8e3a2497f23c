//! Facts of the share of the books that hold the lines beside a cut position, at the same end: what every library
//! repeats, whatever its words. Shares, not counts: a threshold of a count means another thing in every corpus.

use super::logs::ln_1p;
use super::{DenseFacts, FORM_COUNT, as_fact, forms};
use crate::frequency::document_frequency::{DocumentFrequencies, DocumentFrequency};
use crate::posterior::end_region::EndRegion;

/// The forms whose shares are facts: the exact line, and the most frequent of its forms.
const FORMS: [&str; 2] = ["exact", "any"];

/// Shares of the books from which on a line is common, in percent.
const PERCENTS: [u32; 4] = [2, 10, 30, 60];

/// Facts for each form and share.
const FACTS: [&str; 8] = [
    "cut",
    "kept",
    "inwards",
    "none-inwards",
    "none-outwards",
    "last",
    "within-5",
    "within-20",
];

/// Rows inwards of a position that the last two of [`FACTS`] look at.
const NEAR: [usize; 2] = [5, 20];

/// Number of facts of a position.
pub(in crate::posterior) const SHARE_FACTS: usize = FORMS.len() * PERCENTS.len() * FACTS.len();

/// Names of the facts.
pub(in crate::posterior) fn share_names() -> impl Iterator<Item = String> {
    FORMS.iter().flat_map(|form| {
        PERCENTS.iter().flat_map(move |percent| {
            let name = move |fact| format!("share-{form}-{percent}%:{fact}");
            FACTS.iter().map(name)
        })
    })
}

/// Computes the facts of every position of a region, numbered from `first` on.
pub(in crate::posterior) fn share_facts(
    region: &EndRegion<'_>,
    document_frequencies: &DocumentFrequencies,
    first: usize,
) -> DenseFacts {
    let shares = shares(region, document_frequencies);
    let positions = region.positions();
    let mut facts = vec![[0.0; SHARE_FACTS]; positions];
    for (form, shares) in shares.iter().enumerate() {
        for (at, percent) in PERCENTS.iter().enumerate() {
            let least = *percent as f32 / 100.0;
            let common: Vec<bool> = shares.iter().map(|share| *share >= least).collect();
            let start = (form * PERCENTS.len() + at) * FACTS.len();
            put_common(&common, start, &mut facts);
        }
    }
    let mut all = DenseFacts::new(first, SHARE_FACTS, positions);
    for (position, facts) in facts.into_iter().enumerate() {
        all.put_all(position, 0, facts);
    }
    all
}

/// The facts of all positions for one form and share, given which rows are common.
fn put_common(common: &[bool], start: usize, facts: &mut [[f32; SHARE_FACTS]]) {
    let before: Vec<usize> = std::iter::once(0)
        .chain(common.iter().scan(0, |sum, &is_common| {
            *sum += usize::from(is_common);
            Some(*sum)
        }))
        .collect();
    let total = before[common.len()];
    for (position, facts) in facts.iter_mut().enumerate() {
        let inwards = total - before[position];
        let within = |rows: usize| before[(position + rows).min(common.len())] - before[position];
        let cut = position.checked_sub(1).is_some_and(|row| common[row]);
        let values = [
            as_fact(cut),
            as_fact(common.get(position).copied().unwrap_or(false)),
            ln_1p(inwards),
            as_fact(inwards == 0),
            as_fact(before[position] == 0),
            as_fact(inwards == 0 && cut),
            as_fact(within(NEAR[0]) > 0),
            as_fact(within(NEAR[1]) > 0),
        ];
        facts[start..start + FACTS.len()].copy_from_slice(&values);
    }
}

/// For each of [`FORMS`], the share of the books that hold each row. A form that is in no other book has the share 0.
fn shares(
    region: &EndRegion<'_>,
    document_frequencies: &DocumentFrequencies,
) -> [Vec<f32>; FORMS.len()] {
    let books = document_frequencies.books().max(1) as f32;
    let share = |found: &DocumentFrequency| match found.books {
        0 | 1 => 0.0,
        known => known as f32 / books,
    };
    let found =
        document_frequencies.get_all(region.rows.iter().flat_map(|row| forms(row, region.end)));
    let each = found.chunks_exact(FORM_COUNT);
    let each = each.map(|forms| {
        let most = forms.iter().map(share).fold(0.0, f32::max);
        (share(&forms[0]), most)
    });
    let (exact, any) = each.unzip();
    [exact, any]
}
