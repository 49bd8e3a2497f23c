//! Whether output is coloured: `--color`, else `NO_COLOR`, else whether it goes to a terminal.

use std::ffi::OsStr;
use std::sync::OnceLock;

use clap::ValueEnum;

/// When output is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColourChoice {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl From<ColourChoice> for clap::ColorChoice {
    fn from(choice: ColourChoice) -> clap::ColorChoice {
        match choice {
            ColourChoice::Auto => clap::ColorChoice::Auto,
            ColourChoice::Always => clap::ColorChoice::Always,
            ColourChoice::Never => clap::ColorChoice::Never,
        }
    }
}

static CHOICE: OnceLock<ColourChoice> = OnceLock::new();

/// Sets the choice of this process; the first one counts.
pub fn set(choice: ColourChoice) {
    let _ = CHOICE.set(choice);
}

/// The choice of this process.
pub fn choice() -> ColourChoice {
    CHOICE.get().copied().unwrap_or_default()
}

/// Whether output is coloured that goes to a terminal or not.
pub fn is_on(terminal: bool) -> bool {
    match choice() {
        ColourChoice::Auto => {
            terminal && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
        }
        ColourChoice::Always => true,
        ColourChoice::Never => false,
    }
}

/// The choice among the arguments, for messages about arguments that cannot be parsed.
pub fn among<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> ColourChoice {
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let Some(word) = argument.as_ref().to_str() else {
            continue;
        };
        let value = match word.split_once('=') {
            Some(("--color" | "--colour", value)) => Some(value.to_owned()),
            None if matches!(word, "--color" | "--colour") => {
                let next = arguments.next();
                next.and_then(|next| Some(next.as_ref().to_str()?.to_owned()))
            }
            _ => None,
        };
        if let Some(choice) = value.and_then(|value| ColourChoice::from_str(&value, false).ok()) {
            return choice;
        }
    }
    ColourChoice::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_is_found_among_the_arguments() {
        let cases: [(&[&str], ColourChoice); 5] = [
            (&["detect", "--color", "never"], ColourChoice::Never),
            (&["--colour=always", "detect"], ColourChoice::Always),
            (&["detect", "--color"], ColourChoice::Auto),
            (&["detect", "--color", "red"], ColourChoice::Auto),
            (&["detect"], ColourChoice::Auto),
        ];
        for (arguments, expected) in cases {
            assert_eq!(among(arguments), expected, "{arguments:?}");
        }
    }
}
