//! Whether the records of a truth folder can be relied on: `endpaper truth check`.
//!
//! [`check_records`] looks at every record alone, at all of them together, and at the books they speak of. It changes nothing.
//! What the detector makes of the labelled books is compared with a [`ErrorBudget`].

mod books;
mod budget;
mod consistency;
mod copies;
mod cut_errors;
mod finding;
mod junit;
mod locate;
mod records;
mod source;
#[cfg(test)]
mod tests;

pub use books::{BookFinder, ListedBooks};
pub use budget::{BudgetError, BudgetResult, ErrorBudget};
pub use consistency::{Consistency, LabellingProfile, check_consistency, profile_of};
pub use copies::{body_lines, check_copies};
pub use cut_errors::{CutErrors, cut_errors};
pub use finding::{CheckFinding, CheckRule, RuleViolation};
pub use junit::junit;
pub use records::{CheckReport, ValidRecord, check_record, check_records};
pub use source::check_against_text;
