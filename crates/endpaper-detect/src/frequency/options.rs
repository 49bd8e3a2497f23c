//! The syntax `NAME[:OPTION=VALUE,...]` for a counting structure and its options, and its errors.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// An invalid counting structure or an option that does not apply to it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StructureError {
    /// No structure has that name.
    #[error("no counting structure is called '{name}'; there are {known}")]
    Name {
        /// The name.
        name: String,
        /// The existing names.
        known: String,
    },
    /// The text after the name is not an option.
    #[error(
        "'{text}' is not an option of the form OPTION=VALUE of the counting structure '{name}'"
    )]
    Form {
        /// The structure.
        name: &'static str,
        /// The invalid text.
        text: String,
    },
    /// The structure has no such option.
    #[error("the counting structure '{name}' has no option '{option}'; {known}")]
    Option {
        /// The structure.
        name: &'static str,
        /// The option.
        option: String,
        /// Half a sentence with the options that the structure has.
        known: String,
    },
    /// An option is given twice.
    #[error(
        "the option '{option}' of the counting structure '{name}' is given twice; leave one out"
    )]
    Twice {
        /// The structure.
        name: &'static str,
        /// The option.
        option: String,
    },
    /// An option has an invalid value.
    #[error(
        "the option '{option}' of the counting structure '{name}' cannot be '{value}'; it takes {allowed}"
    )]
    Value {
        /// The structure.
        name: &'static str,
        /// The option.
        option: &'static str,
        /// The value.
        value: String,
        /// The valid values.
        allowed: String,
    },
    /// A memory limit for a structure that has none.
    #[error("the counting structure '{name}' takes no limit of memory: {because}")]
    Memory {
        /// The structure.
        name: &'static str,
        /// What its memory use depends on.
        because: &'static str,
    },
}

/// The options after the name of a structure, each at most once.
#[derive(Debug)]
pub(super) struct StructureOptions<'a> {
    name: &'static str,
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> StructureOptions<'a> {
    /// Parses `OPTION=VALUE,...`; `known` are the options of the structure.
    pub fn parse(
        name: &'static str,
        known: &[&str],
        text: Option<&'a str>,
    ) -> Result<StructureOptions<'a>, StructureError> {
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in text.into_iter().flat_map(|text| text.split(',')) {
            let (option, value) = part.split_once('=').ok_or_else(|| StructureError::Form {
                name,
                text: part.to_owned(),
            })?;
            if !known.contains(&option) {
                let known = match known {
                    [] => "it has none".to_owned(),
                    [one] => format!("it has '{one}' only"),
                    known => format!("it has '{}'", known.join("' and '")),
                };
                let option = option.to_owned();
                return Err(StructureError::Option {
                    name,
                    option,
                    known,
                });
            }
            if given.iter().any(|&(other, _)| other == option) {
                let option = option.to_owned();
                return Err(StructureError::Twice { name, option });
            }
            given.push((option, value));
        }
        Ok(StructureOptions { name, given })
    }

    /// The value given for an option.
    fn value(&self, option: &str) -> Option<&'a str> {
        let found = self.given.iter().find(|&&(name, _)| name == option);
        found.map(|&(_, value)| value)
    }

    /// The value of an option with a range, or `default` if it is not given.
    pub fn ranged<T>(
        &self,
        option: &'static str,
        range: RangeInclusive<T>,
        default: T,
    ) -> Result<T, StructureError>
    where
        T: FromStr + PartialOrd + Display + Copy,
    {
        let Some(text) = self.value(option) else {
            return Ok(default);
        };
        let value = text.parse().ok().filter(|value| range.contains(value));
        value.ok_or_else(|| StructureError::Value {
            name: self.name,
            option,
            value: text.to_owned(),
            allowed: format!("{} to {}", range.start(), range.end()),
        })
    }

    /// The value of an option with a few possible words, or the first of them if it is not given.
    pub fn word<T: Copy>(
        &self,
        option: &'static str,
        words: &[(T, &str)],
    ) -> Result<T, StructureError> {
        let text = self.value(option).unwrap_or(words[0].1);
        let found = words.iter().find(|&&(_, word)| word == text);
        found
            .map(|&(value, _)| value)
            .ok_or_else(|| StructureError::Value {
                name: self.name,
                option,
                value: text.to_owned(),
                allowed: words
                    .iter()
                    .map(|&(_, word)| word)
                    .collect::<Vec<_>>()
                    .join(" or "),
            })
    }
}
