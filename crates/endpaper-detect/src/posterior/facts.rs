//! What the posterior detector looks at: facts of blocks, and facts of places between rows.
//!
//! A fact is a number, mostly 0 or 1. What it is worth is never decided here: weights are fitted to labels.

mod block;
mod lists;
mod logs;
mod place;

pub(super) use block::{BLOCK_FACTS, block_facts, block_names, forms};
pub(super) use lists::SparseFacts;
pub(super) use place::{PLACE_FACTS, place_facts, place_names};

fn flag(held: bool) -> f32 {
    f32::from(u8::from(held))
}
