//! README and manual: their commands are run, their tables are compared with the program, their links are followed.
//!
//! `ENDPAPER_UPDATE=docs cargo test --test it manual` writes the output and the tables of the program into the pages.

mod blocks;
mod commands;
mod links;
mod pages;
mod schemas;
mod tables;
