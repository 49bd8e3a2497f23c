//! The facts that the posterior detector uses: of blocks, and of cut positions between rows.
//!
//! A fact is a number, mostly 0 or 1. Its weight is never set here: weights are fitted to labels.

mod block;
mod dense_facts;
mod landmark_facts;
mod logs;
mod position_facts;
mod share_facts;
mod sparse_facts;

pub(super) use block::{BLOCK_FACTS, FORM_COUNT, block_facts, block_names, forms};
pub(super) use dense_facts::{DenseFacts, DenseParts};
pub(super) use landmark_facts::landmark_facts;
use landmark_facts::{LANDMARK_FACTS, landmark_names};
pub(super) use position_facts::position_facts;
use position_facts::{POSITION_FACTS, position_names};
pub(super) use share_facts::share_facts;
use share_facts::{SHARE_FACTS, share_names};
pub(super) use sparse_facts::SparseFacts;

/// Number of the first fact of the shares of a position.
pub(super) const FIRST_SHARE_FACT: usize = POSITION_FACTS;

/// Number of the first fact of the landmarks of a position.
pub(super) const FIRST_LANDMARK_FACT: usize = FIRST_SHARE_FACT + SHARE_FACTS;

/// Number of facts of a position.
pub(super) const PLACE_FACTS: usize = FIRST_LANDMARK_FACT + LANDMARK_FACTS;

/// Names of the facts of a position.
pub(super) fn place_names() -> impl Iterator<Item = String> {
    position_names()
        .chain(share_names())
        .chain(landmark_names())
}

/// 1 if the fact holds, else 0.
fn as_fact(held: bool) -> f32 {
    f32::from(u8::from(held))
}
