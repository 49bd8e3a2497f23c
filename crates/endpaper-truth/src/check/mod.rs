//! Whether the records of a truth folder can be relied on: `endpaper truth check`.
//!
//! [`check`] looks at every record alone, at all of them together, and at the books they speak of. It changes nothing.
//! What the detector makes of the labelled books is held against a [`ErrorBudget`].

mod books;
mod budget;
mod consistency;
mod detector;
mod finding;
mod junit;
mod locate;
mod records;
mod source;
#[cfg(test)]
mod tests;

pub use books::{BookFinder, ListedBooks};
pub use budget::{BudgetError, BudgetResult, ErrorBudget};
pub use consistency::{Consistency, LabellingProfile, consistency, manner_of};
pub use detector::{CutErrors, errors_of};
pub use finding::{CheckFinding, CheckRule, RuleViolation};
pub use junit::junit;
pub use records::{CheckReport, ValidRecord, check, of_record};
pub use source::of_source;
