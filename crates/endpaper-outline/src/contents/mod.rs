//! The parts of a book: its table of contents, linked to the headings in the body, and headings that no list names.
//!
//! A table of contents is found by the rules of Wu et al., *Searching Online Book Documents and Analyzing Book Citations*,
//! section 3.2.2: it is near the front (or the end, as in French books), its entries are numbered and indented regularly, stand
//! together (*contiguity*), and refer to headings in order (*ordering*), each to a different one (*distinctness*), and never to
//! each other (*no self-reference*). Only plain text is available: no fonts or type sizes.

mod candidates;
mod columns;
mod entry;
mod entry_reader;
mod levels;
mod link;
mod list;
mod list_headings;
mod merge;
mod non_titles;
mod numbering;
mod page_number;
mod reference;
mod section_heading;
mod selection;

pub use entry::{ContentsList, OutlineEntry};

use super::bibliography::Bibliography;
use super::rows::BodyRows;

/// Returns the parts of the book and the tables of contents that list them. No heading is inside one of the `bibliographies`.
pub(super) fn read(
    rows: &BodyRows<'_>,
    titles: &[String],
    bibliographies: &[Bibliography],
) -> (Vec<OutlineEntry>, Vec<ContentsList>) {
    let candidates = candidates::find_candidates(rows, bibliographies);
    let lists = list::find_lists(rows, &candidates);
    let headings = selection::accept_headings(rows, &candidates, &lists, titles);
    let mut entries = merge::merge(rows, &candidates, &lists, &headings);
    levels::assign(&mut entries);
    let lists = lists.iter().map(|list| list.summary(rows)).collect();
    let entries = entries.into_iter().map(|part| part.entry).collect();
    (entries, lists)
}
