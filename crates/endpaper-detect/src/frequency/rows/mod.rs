//! Counts as rows of text, to be summed by key in another engine: a database or a cluster.
//!
//! # The file
//!
//! Tab-separated values in gzip, with six columns and no header. `key` and the numbers are signed 64-bit integers, as
//! most engines have no others; a key has the same 64 bits as in a model file. A shard is written in the order of this
//! table, its own row last, so that a truncated one is noticed.
//!
//! | kind | end | key | count | books | text |
//! | --- | --- | --- | --- | --- | --- |
//! | `book` | `-` | CRC-64 of the id | bytes | digest of its lines | the id |
//! | `unreadable` | `-` | 0 | 0 | 0 | the id and why |
//! | `exact` | `both`, `head`, `tail` | of the line | occurrences | books that contain it | the line, or empty |
//! | `shard` | `-` | books counted | sum of all counts | sum of all books | how it was counted ([`RowParameters`]) |
//!
//! A shard is the result of one run. To sum rows, add `count` and `books` of the `exact` rows with the same end and
//! key, keep any of their texts, and copy all other rows unchanged. [`RowImport`] adds rows up and rejects rows that do
//! not belong together. It also accepts the rows of several shards that were not summed before.
//!
//! Most lines are rare and may be left out after summing. They are replaced by one row of kind `pruned` per end, whose
//! key is the count below which they were left out, with the sums of their counts and of their books.
//!
//! A text is given for a line that occurs in several books of its shard: at most its first 200 characters. Tabs, line
//! ends and backslashes in it are written as `\t`, `\n`, `\r` and `\\`.

mod counter;
mod files;
mod import;
mod parameters;
mod row;
mod sum;

mod write;

pub(crate) use counter::{MOST_BOOKS, RowCounter};
pub use files::row_files;
pub use import::{ImportedRows, RowImport};
pub use parameters::RowParameters;
pub use row::{CountRow, CountRowKind, RowError};
pub(crate) use write::write_rows;

#[cfg(test)]
mod tests;
