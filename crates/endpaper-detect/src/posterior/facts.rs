//! What the posterior detector looks at: facts of blocks, and facts of places between rows.
//!
//! A fact is a number, mostly 0 or 1. What it is worth is never decided here: weights are fitted to labels.

mod block;
mod logs;
mod position_facts;
mod sparse_facts;

pub(super) use block::{BLOCK_FACTS, block_facts, block_names, forms};
pub(super) use position_facts::{PLACE_FACTS, place_facts, place_names};
pub(super) use sparse_facts::SparseFacts;

fn as_fact(held: bool) -> f32 {
    f32::from(u8::from(held))
}
