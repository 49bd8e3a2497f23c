//! Which boilerplate between the cuts is left out.

use std::fmt;
use std::str::FromStr;

use endpaper_detect::BlockKind;

/// Kinds of boilerplate between the cuts that are left out: those of [`BlockKind`] but for the book itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DroppedKinds {
    /// Whatever is marked.
    All,
    /// One kind.
    Kind(BlockKind),
}

impl DroppedKinds {
    /// Whether this leaves a block out, of a kind as records write it.
    pub fn drops(self, kind: &str) -> bool {
        match self {
            DroppedKinds::All => true,
            DroppedKinds::Kind(dropped) => dropped.name() == kind,
        }
    }
}

impl FromStr for DroppedKinds {
    type Err = String;

    fn from_str(word: &str) -> Result<DroppedKinds, String> {
        match word.parse() {
            Ok(kind) if kind != BlockKind::Book => Ok(DroppedKinds::Kind(kind)),
            _ if word == "all" => Ok(DroppedKinds::All),
            _ => {
                let kinds = BlockKind::ALL
                    .iter()
                    .filter(|kind| **kind != BlockKind::Book);
                let kinds: Vec<&str> = kinds.map(|kind| kind.name()).collect();
                let kinds = kinds.join(", ");
                Err(format!(
                    "unknown kind of boilerplate inside '{word}'; write all, or some of {kinds}"
                ))
            }
        }
    }
}

impl fmt::Display for DroppedKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            DroppedKinds::All => "all",
            DroppedKinds::Kind(kind) => kind.name(),
        })
    }
}
