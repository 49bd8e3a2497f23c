//! The commands in the order and the groups of `endpaper --help`: by what people do.

use clap::Command;

/// The groups, with the names of their commands.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Review", &["review"]),
    ("Detect and clean", &["detect", "strip", "outline", "text"]),
    ("Ground truth", &["truth"]),
    ("Judge", &["evaluate", "sample"]),
    (
        "Corpus",
        &["model", "copies", "alternation", "catalog", "search"],
    ),
    (
        "Program",
        &[
            "demo",
            "keys",
            "themes",
            "paths",
            "completions",
            "man",
            "help",
        ],
    ),
];

/// Sets the help of the whole program, with its commands in groups.
pub fn grouped(command: Command) -> Command {
    let groups: Vec<String> = GROUPS
        .iter()
        .map(|(title, names)| group(&command, title, names))
        .collect();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}\n\nOptions:\n{{options}}{{after-help}}",
        groups.join("\n\n")
    );
    command.help_template(template)
}

/// A group as text.
fn group(command: &Command, title: &str, names: &[&str]) -> String {
    let mut text = format!("{title}:");
    for name in names {
        let about = match command.find_subcommand(name) {
            Some(found) => found.get_about().map(ToString::to_string),
            None if *name == "help" => Some("Print the help of a command".to_owned()),
            // Left out when the program was built.
            None => None,
        };
        if let Some(about) = about {
            text.push_str(&format!("\n  {name:<12} {about}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_command_is_in_one_group_and_its_line_fits() {
        let command = crate::Cli::command();
        let grouped = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
        let grouped: Vec<&str> = grouped.collect();
        for below in command.get_subcommands() {
            let name = below.get_name();
            let count = grouped.iter().filter(|known| **known == name).count();
            assert_eq!(count, 1, "{name}");
        }
        for (title, names) in GROUPS {
            for line in group(&command, title, names).lines() {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }
}
