//! The facts that the posterior detector uses: of blocks, and of cut positions between rows.
//!
//! A fact is a number, mostly 0 or 1. Its weight is never set here: weights are fitted to labels.

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
