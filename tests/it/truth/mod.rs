//! `endpaper truth` as a user runs it: records checked, exported, imported and merged by the real program.

mod check;
mod desk;
mod exchange;
mod hostile;
mod labels;
mod merge;
mod round_trip;
