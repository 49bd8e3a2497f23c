//! `endpaper keys`: prints the keys of the review screen, from the table of actions and the user's settings.

use std::fmt::Write;

use anyhow::Result;

use endpaper_command::Exit;
use endpaper_command::output::Printer;
use endpaper_command::user::UserFolders;
use endpaper_review::action::{ACTIONS, ActionInfo, HelpGroup};
use endpaper_review::keymap::Keymap;

const ABOUT: &str = "\
A * marks keys of your own. To change some, write into config.yaml:

  keys:
    hard: \"!\"                  one key
    redo: [\"<C-y>\", \"gr\"]      several; gr is g and then r
    mouse: []                  none

`endpaper keys --default` prints the keys without your changes.";

/// Arguments of `endpaper keys`.
#[derive(Debug, clap::Args)]
#[command(after_help = ABOUT)]
pub struct Args {
    /// Print the default keys, ignoring your settings
    #[arg(long)]
    default: bool,

    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    format: KeysFormat,
}

/// How keys are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum KeysFormat {
    /// A table for reading
    #[default]
    Table,
    /// The default keys as a Markdown table
    Markdown,
}

/// Runs `endpaper keys`.
///
/// # Errors
///
/// A broken pipe, or a system without a home folder.
pub fn run(args: &Args) -> Result<Exit> {
    let text = match (args.format, args.default) {
        (KeysFormat::Markdown, _) => markdown(),
        (_, true) => plain(&Keymap::defaults()),
        _ => plain(&UserFolders::read()?.keymap),
    };
    let mut printer = Printer::stdout();
    for line in text.lines() {
        printer.line(line)?;
    }
    printer.finish()?;
    Ok(Exit::Success)
}

/// The actions of a group of the help.
fn of(group: HelpGroup) -> impl Iterator<Item = &'static ActionInfo> {
    ACTIONS.iter().filter(move |facts| facts.group == group)
}

/// The keys as plain text.
fn plain(keymap: &Keymap) -> String {
    let mut out = String::new();
    for group in HelpGroup::ALL {
        let _ = writeln!(out, "{}", group.title());
        for facts in of(group) {
            let changed = keymap.is_changed(facts.action);
            let keys = keymap.notation(facts.action);
            let default = match changed {
                true if facts.keys.is_empty() => String::new(),
                true => format!(" (default {})", facts.keys.join(" ")),
                false => String::new(),
            };
            let _ = writeln!(
                out,
                "{} {:<22} {:<20} {}{default}",
                if changed { '*' } else { ' ' },
                keys.join(" "),
                facts.id,
                facts.doc
            );
        }
    }
    out
}

/// The table of keys for the manual.
fn markdown() -> String {
    let mut out = String::from(
        "| keys | action | what it does |\n| --- | --- | --- |\n| `1`-`9` | | Put the cut of the active end at the candidate with this digit |\n",
    );
    for group in HelpGroup::ALL {
        let _ = writeln!(out, "| | | **{}** |", group.title());
        for facts in of(group) {
            let keys: Vec<String> = facts.keys.iter().map(|keys| code(keys)).collect();
            let _ = writeln!(out, "| {} | {} | {} |", keys.join(" "), facts.id, facts.doc);
        }
    }
    out
}

/// A key as Markdown code, with `<lt>` shown as `<`.
fn code(keys: &str) -> String {
    match keys {
        "<lt>" => "`<`".to_owned(),
        keys => format!("`{keys}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::config::Config;

    #[test]
    fn changed_keys_are_marked_with_what_they_were() {
        let (config, _) = Config::parse("keys: {hard: [\"!\", \"gh\"], note: []}");
        let text = plain(&Keymap::with(&config.keys).0);
        let row = |id: &str| {
            let mut rows = text.lines();
            let found = rows.find(|row| row.split_whitespace().any(|word| word == id));
            found.unwrap_or_else(|| panic!("{id}")).to_owned()
        };
        let hard = row("hard");
        assert!(
            hard.starts_with("* ! gh ") && hard.ends_with(" (default h)"),
            "{hard}"
        );
        assert!(row("note").starts_with("*  ") && row("note").ends_with(" (default n)"));
        assert!(row("undo").starts_with("  u "));
        assert_eq!(text.lines().filter(|row| row.starts_with('*')).count(), 2);
    }
}
