//! `endpaper truth` as a user runs it: records checked, exported, imported and merged by the real program.

mod annotations;
mod check;
mod exchange;
mod hostile;
mod labels;
mod merge;
mod records;
mod round_trip;
