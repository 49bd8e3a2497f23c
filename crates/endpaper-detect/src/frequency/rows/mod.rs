//! Counts as rows of text, for engines that sum by key elsewhere: a database, or a cluster.
//!
//! # The file
//!
//! Tab-separated values in gzip, six columns, no header. `key` and the numbers are signed 64-bit, since most engines have no
//! others; a key is the same 64 bits as in a model file. A shard is written in the order of this table, its own row last, so
//! that one that was cut short is noticed.
//!
//! | kind | end | key | count | books | text |
//! | --- | --- | --- | --- | --- | --- |
//! | `book` | `-` | CRC-64 of the id | bytes | digest of its lines | the id |
//! | `unreadable` | `-` | 0 | 0 | 0 | the id and why |
//! | `exact` | `both`, `head`, `tail` | of the line | occurrences | books that hold it | the line, or nothing |
//! | `shard` | `-` | books counted | sum of all counts | sum of all books | how it was counted ([`RowParameters`]) |
//!
//! A shard is the result of one run. To sum shards, add `count` and `books` of the `exact` rows of one end and key, keep any of
//! their texts, and pass all other rows on as they are: [`RowImport`] adds them up and refuses what does not fit
//! together. Rows of several shards need not be summed before.
//!
//! Most lines are rare and may be left out after summing: in their place is one row of the kind `pruned` for each
//! end, with the count below which they were left out as its key, the sum of their counts and of their books.
//!
//! Texts come with lines that are in several books of their shard, at most their first 200 characters. Tabs, line ends and
//! backslashes in them are written `\t`, `\n`, `\r`, `\\`.

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
