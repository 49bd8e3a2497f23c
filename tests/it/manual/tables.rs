//! Tables that are generated from what the program knows, between `<!-- generated: NAME -->` and `<!-- /generated -->`.

use std::collections::BTreeSet;
use std::fmt::Write;

use endpaper_text::config::SETTINGS;

use super::pages::{Page, is_updating, pages, rewrite};
use crate::support::{Home, fine};

const OPENS: &str = "<!-- generated: ";
const CLOSES: &str = "<!-- /generated -->";

/// The keys to begin with, as names of actions; that of the digits is empty.
const FIRST_KEYS: [&str; 10] = [
    "",
    "keep",
    "other-end",
    "cut-here",
    "cut-nothing",
    "hard",
    "note",
    "undo",
    "queue",
    "help",
];

/// The names of all tables.
const NAMES: [&str; 5] = ["first-keys", "keys", "commands", "settings", "themes"];

/// The table of that name.
fn table(name: &str) -> Option<String> {
    Some(match name {
        "first-keys" => first_keys(),
        "keys" => printed(&["keys", "--format", "markdown"]),
        "commands" => commands(),
        "settings" => settings(),
        "themes" => themes(),
        _ => return None,
    })
}

fn printed(arguments: &[&str]) -> String {
    fine(&Home::new().endpaper(arguments).output().expect("a run"))
}

/// Rows of the table of all keys, without the names of actions.
fn first_keys() -> String {
    let all = table("keys").expect("the table of keys");
    let rows: Vec<Vec<&str>> = all
        .lines()
        .map(|row| row.split('|').skip(1).map(str::trim).collect())
        .collect();
    let mut table = "| key | what it does |\n| --- | --- |\n".to_owned();
    for id in FIRST_KEYS {
        let row = rows.iter().find(|row| row[1] == id);
        let row = row.unwrap_or_else(|| panic!("no action {id}"));
        let _ = writeln!(table, "| {} | {} |", row[0], row[2]);
    }
    table
}

/// The commands as `endpaper --help` lists them.
fn commands() -> String {
    let help = printed(&["--help"]);
    let mut table = "| command | what it does |\n| --- | --- |\n".to_owned();
    let groups = help.lines().skip_while(|line| *line != "Review:");
    for line in groups.take_while(|line| *line != "Options:") {
        match line.strip_prefix("  ").and_then(|row| row.split_once(' ')) {
            Some((name, about)) => {
                let _ = writeln!(table, "| `endpaper {name}` | {} |", about.trim());
            }
            None if line.is_empty() => {}
            None => {
                let _ = writeln!(table, "| **{}** | |", line.trim_end_matches(':'));
            }
        }
    }
    table
}

fn settings() -> String {
    let mut table = "| setting | what it sets | without it |\n| --- | --- | --- |\n".to_owned();
    for (name, default, about) in SETTINGS {
        let _ = writeln!(table, "| `{name}` | {about} | {default} |");
    }
    table
}

/// The themes with the sentence their files begin with.
fn themes() -> String {
    let mut table = "| theme | in its own words |\n| --- | --- |\n".to_owned();
    for (name, file) in endpaper_themes::BUILT_IN {
        let about = file.lines().next().unwrap_or_default();
        let _ = writeln!(table, "| `{name}` | {} |", about.trim_start_matches("# "));
    }
    table
}

/// The page with its tables as they should be, and their names.
fn generated(page: &Page) -> Result<(String, Vec<String>), String> {
    let mut parts = page.text.split(OPENS);
    let mut new = parts.next().unwrap_or_default().to_owned();
    let mut names = Vec::new();
    for part in parts {
        let (name, rest) = part.split_once(" -->\n").ok_or("a marker has no end")?;
        let (_, after) = rest
            .split_once(CLOSES)
            .ok_or_else(|| format!("the table '{name}' has no end"))?;
        let table = table(name).ok_or_else(|| format!("no table is called '{name}'"))?;
        new.push_str(&format!("{OPENS}{name} -->\n{table}{CLOSES}{after}"));
        names.push(name.to_owned());
    }
    Ok((new, names))
}

#[test]
fn generated_tables_are_up_to_date() {
    let mut used = BTreeSet::new();
    for page in pages() {
        let made = generated(&page);
        let (new, names) = made.unwrap_or_else(|problem| panic!("{}: {problem}", page.name));
        used.extend(names);
        if is_updating() {
            let again = |page: &Page| generated(page).expect("made before").0;
            rewrite(&page.name, again);
        } else {
            assert!(
                page.text == new,
                "{}: a table is out of date; ENDPAPER_UPDATE=docs writes it",
                page.name
            );
        }
    }
    for name in NAMES {
        assert!(used.contains(name), "no page has the table '{name}'");
    }
}
