//! The help of commands: short with `-h`, long with `--help`, and as wide as the terminal.

use clap::{Arg, Command};

/// Lines longer than this are hard to read, however wide the terminal is.
const WIDEST: usize = 100;

/// Values that may begin with a hyphen without being a plain number, such as `-2%`: the answer must be about the value.
const SIGNED: [&str; 2] = ["SHARE", "SIZE"];

/// Prepares a command and those below it. Text after the options is wrapped to the terminal's width, and only its examples
/// are shown with `-h`. Options may have negative numbers as values, so that errors are about the number and not an unknown
/// option.
pub fn prepare(command: Command) -> Command {
    let text = command.get_after_help().map(ToString::to_string);
    let command = match text.as_deref().map(reflowed) {
        Some(text) => command.after_help(examples(&text)).after_long_help(text),
        None => command,
    };
    command
        .max_term_width(WIDEST)
        .mut_args(with_negative_numbers)
        .mut_subcommands(prepare)
}

/// Lets an option have negative numbers as values.
fn with_negative_numbers(argument: Arg) -> Arg {
    let takes = argument.get_action().takes_values() && !argument.is_positional();
    let names = argument.get_value_names().unwrap_or_default();
    let signed = takes && names.iter().any(|name| SIGNED.contains(&name.as_str()));
    argument
        .allow_negative_numbers(takes && !signed)
        .allow_hyphen_values(signed)
}

/// The first paragraph of a text, which holds the examples.
fn examples(text: &str) -> String {
    let first = text.split("\n\n").next();
    first.unwrap_or_default().trim_end().to_owned()
}

/// Joins the lines of paragraphs, which are broken for readers of the source. Indented lines stay as they are.
fn reflowed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut joins = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        match (joins && is_prose, out.is_empty()) {
            (true, _) => out.push(' '),
            (false, false) => out.push('\n'),
            (false, true) => {}
        }
        out.push_str(line);
        joins = is_prose;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_joined_and_examples_keep_their_lines() {
        let text = "Examples:\n  one\n  two\n\nA text that is\nbroken twice\nby hand.\n\nExit status: 0 fine,\n2 not.";
        let expected = "Examples:\n  one\n  two\n\nA text that is broken twice by hand.\n\nExit status: 0 fine, 2 not.";
        assert_eq!(reflowed(text), expected);
        assert_eq!(examples(expected), "Examples:\n  one\n  two");
    }
}
