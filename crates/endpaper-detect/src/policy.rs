//! Policies: which kinds of blocks belong to the book.
//!
//! Cuts are found according to the labelling guide. Cuts for another policy are derived from the kinds of the blocks
//! next to them, so that no book needs a second label.

use std::fmt;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::BlockKind;
use endpaper_text::yaml_limits::{self, Limits};

/// Limits of a policy file.
const LIMITS: Limits = Limits {
    bytes: 1 << 16,
    values: 1000,
};

/// Which kinds of blocks belong to the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// The name, as stored in records.
    pub name: String,
    /// Kinds of blocks that the guide cuts away and this policy keeps if they are next to the body.
    pub keep: Vec<BlockKind>,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            name: "guide".to_owned(),
            keep: Vec::new(),
        }
    }
}

impl Policy {
    /// The named policies, with the kinds that they keep.
    pub const NAMED: [(&str, &[BlockKind]); 3] = [
        ("guide", &[]),
        ("keep-credits", &[BlockKind::Credits]),
        ("keep-notes", &[BlockKind::Note, BlockKind::List]),
    ];

    /// A policy by its name.
    pub fn named(name: &str) -> Option<Policy> {
        let (name, keep) = Policy::NAMED.iter().find(|(known, _)| *known == name)?;
        Some(Policy {
            name: (*name).to_owned(),
            keep: keep.to_vec(),
        })
    }

    /// Parses a policy from YAML: `name`, and a list `keep` of kinds that belong to the book.
    ///
    /// # Errors
    ///
    /// Invalid YAML, another structure, or a kind that does not exist or that no policy may name.
    pub fn parse(text: &str) -> Result<Policy> {
        /// A policy as its YAML file states it: its name, and the names of the kinds of blocks that belong to the book.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct PolicyFile {
            name: String,
            keep: Vec<String>,
        }
        let file: PolicyFile = yaml_limits::read(text, LIMITS)
            .context("a policy has the keys `name` (a word) and `keep` (a list of kinds)")?;
        let mut policy = Policy {
            name: file.name,
            keep: Vec::new(),
        };
        for word in file.keep {
            let kind: BlockKind = word.parse().map_err(|error| anyhow::anyhow!("{error}"))?;
            if kind == BlockKind::Book {
                bail!("`keep` names 'book', which always belongs to the book; take it out");
            }
            policy.keep.push(kind);
        }
        Ok(policy)
    }

    /// Whether blocks of this kind belong to the book although the guide cuts them away.
    pub fn keeps(&self, kind: BlockKind) -> bool {
        self.keep.contains(&kind)
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_named_or_read() {
        assert_eq!(Policy::named("guide"), Some(Policy::default()));
        assert!(
            Policy::named("keep-credits")
                .unwrap()
                .keeps(BlockKind::Credits)
        );
        assert_eq!(Policy::named("other"), None);
        let read = Policy::parse("name: mine\nkeep: [credits, typed-title]\n").unwrap();
        assert!(read.keeps(BlockKind::TypedTitle) && !read.keeps(BlockKind::Note));
    }

    #[test]
    fn a_bad_policy_is_named() {
        for (text, part) in [
            ("name: x\nkeep: [footnotes]\n", "footnotes"),
            ("name: x\nkeep: [book]\n", "always belongs"),
            ("keep: []\n", "name"),
            ("name: x\nkeep: []\ndrop: []\n", "drop"),
        ] {
            let error = format!("{:#}", Policy::parse(text).unwrap_err());
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
