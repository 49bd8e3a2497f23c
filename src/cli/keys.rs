//! `endpaper keys`: the keys of the review screen, from the one table of actions.

use std::fmt::Write;

use anyhow::Result;

use super::Exit;
use super::output::Printer;
use crate::review::action::{ACTIONS, Facts, Group};

/// Arguments of `endpaper keys`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print a Markdown table
    #[arg(long)]
    markdown: bool,
}

/// Runs `endpaper keys`.
///
/// # Errors
///
/// A reader that stopped reading.
pub fn run(args: &Args) -> Result<Exit> {
    let text = if args.markdown { markdown() } else { plain() };
    let mut printer = Printer::stdout();
    for line in text.lines() {
        printer.line(line)?;
    }
    printer.finish()?;
    Ok(Exit::Fine)
}

fn of(group: Group) -> impl Iterator<Item = &'static Facts> {
    ACTIONS.iter().filter(move |facts| facts.group == group)
}

fn plain() -> String {
    let mut out = String::new();
    for group in Group::ALL {
        let _ = writeln!(out, "{}", group.title());
        for facts in of(group) {
            let _ = writeln!(
                out,
                "  {:<22} {:<20} {}",
                facts.keys.join(" "),
                facts.id,
                facts.doc
            );
        }
    }
    out
}

/// The table of the README.
pub fn markdown() -> String {
    let mut out = String::from(
        "| keys | what they do |\n| --- | --- |\n| `1`-`9` | Put the cut of the active end at the candidate with this digit |\n",
    );
    for group in Group::ALL {
        let _ = writeln!(out, "| | **{}** |", group.title());
        for facts in of(group) {
            let keys: Vec<String> = facts.keys.iter().map(|keys| code(keys)).collect();
            let _ = writeln!(out, "| {} | {} |", keys.join(" "), facts.doc);
        }
    }
    out
}

/// A key as Markdown code: `<lt>` is shown as what it is.
fn code(keys: &str) -> String {
    match keys {
        "<lt>" => "`<`".to_owned(),
        keys => format!("`{keys}`"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_in_the_readme_is_this_one() {
        let readme = include_str!("../../README.md");
        let inside = readme
            .split_once("<!-- keys -->\n")
            .and_then(|(_, rest)| rest.split_once("<!-- /keys -->"));
        let (table, _) = inside.expect("README.md has a place for the keys");
        assert_eq!(
            table,
            super::markdown(),
            "run `endpaper keys --markdown` and put it into README.md"
        );
    }
}
