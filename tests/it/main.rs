//! Integration tests of the program, in one binary: each suite is a module.

// Helpers of tests may unwrap as the tests themselves do.
#![allow(clippy::unwrap_used)]

mod agree;
mod alternation;
mod cache;
mod cluster;
mod collections;
mod command_line;
mod copies;
mod corpus;
mod counting;
mod crash_points;
mod demo;
mod detect;
mod documents;
mod evaluate;
mod fit;
mod harness;
mod hostile;
mod limits;
mod links;
mod manual;
mod model;
mod outline;
mod outline_page;
mod page;
mod python;
mod refusals;
mod review;
mod rewrapped;
mod rows;
mod sample;
mod search;
mod shards;
mod strip;
mod support;
mod truth;
