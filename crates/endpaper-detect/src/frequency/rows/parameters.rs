//! Parameters with which the lines of a shard were counted.

use std::fmt;
use std::str::FromStr;

use crate::frequency::Counting;
use endpaper_text::line::PREPROCESSING_VERSION;

/// Everything that must be the same in rows that are summed, as written in the row of each shard.
///
/// ```
/// use endpaper_detect::frequency::rows::RowParameters;
/// let text = "endpaper=0.1.0 preprocessing=1 head=300 tail=300 ends=together";
/// let parameters: RowParameters = text.parse().unwrap();
/// assert!(!parameters.separate_ends);
/// assert_eq!(parameters.to_string(), text);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowParameters {
    /// Version of the program that counted the lines.
    pub program: String,
    /// [`PREPROCESSING_VERSION`] of that program.
    pub preprocessing: u32,
    /// Size of the head window in non-trivial lines.
    pub head: u32,
    /// Size of the tail window in non-trivial lines.
    pub tail: u32,
    /// Whether heads and tails were counted apart.
    pub separate_ends: bool,
}

const APART: &str = "apart";
const TOGETHER: &str = "together";

impl RowParameters {
    /// The parameters of this program.
    pub fn new(head: u32, tail: u32, separate_ends: bool) -> RowParameters {
        RowParameters {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            preprocessing: PREPROCESSING_VERSION,
            head,
            tail,
            separate_ends,
        }
    }

    /// The meaning of counts that are made from such rows.
    pub fn counting(&self, count_books: bool) -> Counting {
        Counting {
            separate_ends: self.separate_ends,
            count_books,
            ..Counting::default()
        }
    }
}

impl fmt::Display for RowParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = if self.separate_ends { APART } else { TOGETHER };
        write!(
            f,
            "endpaper={} preprocessing={} head={} tail={} ends={ends}",
            self.program, self.preprocessing, self.head, self.tail
        )
    }
}

impl FromStr for RowParameters {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<RowParameters, &'static str> {
        const DAMAGED: &str = "how its shard was counted is not what this program writes";
        let mut words = text.split(' ');
        let mut value = |name: &str| {
            let word = words.next().and_then(|word| word.strip_prefix(name));
            word.and_then(|word| word.strip_prefix('=')).ok_or(DAMAGED)
        };
        let number = |text: &str| text.parse().map_err(|_| DAMAGED);
        let parameters = RowParameters {
            program: value("endpaper")?.to_owned(),
            preprocessing: number(value("preprocessing")?)?,
            head: number(value("head")?)?,
            tail: number(value("tail")?)?,
            separate_ends: match value("ends")? {
                APART => true,
                TOGETHER => false,
                _ => return Err(DAMAGED),
            },
        };
        match words.next() {
            None => Ok(parameters),
            Some(_) => Err(DAMAGED),
        }
    }
}
