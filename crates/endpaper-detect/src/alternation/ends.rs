//! Derives the two cuts of a book from its useless parts: the end of the preamble and the start of the epilogue, in
//! bytes.

use super::part::DocumentPart;

/// How far from either end of a book its preamble and epilogue are searched for, in bytes: about the 300 lines of the
/// line detectors. The Project Gutenberg licence has 19 KB.
pub const END_BYTES: usize = 24 << 10;

/// One byte of useless text outweighs this many bytes of useful text outside of it.
///
/// Preambles hold useful text (titles, names, credits), and bodies hold few useless n-grams. With a weight of 1, which
/// puts as much useless text outside and useful text inside as possible, the cut is before the title in the header. Of
/// 280 labelled Project Gutenberg books, the share of starts and of ends within 10 lines is 31 and 61 % with a weight
/// of 1, 49 and 71 % with 2, 64 and 80 % with 4, 70 and 81 % with 10.
const USELESS_WEIGHT: i64 = 10;

/// The cuts of a book, in bytes of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteCuts {
    /// End of the preamble; 0 without one.
    pub preamble: usize,
    /// Start of the epilogue; the length of the source without one.
    pub epilogue: usize,
}

impl ByteCuts {
    /// The cuts of a document, given all its parts in order.
    ///
    /// Each cut is where `USELESS_WEIGHT` times the useless text outside exceeds the useful text outside by most. Cuts are
    /// at the inner edges of useless parts, or [`END_BYTES`] from the end where such a part extends further, and never
    /// cross.
    pub fn of(parts: &[DocumentPart]) -> ByteCuts {
        let len = parts.last().map_or(0, |part| part.bytes.end);
        let preamble = reach(
            parts.iter().map(|part| (part.useless, part.bytes.len())),
            len.min(END_BYTES),
        );
        let back = parts.iter().rev();
        let behind = reach(
            back.map(|part| (part.useless, part.bytes.len())),
            (len - preamble).min(END_BYTES),
        );
        ByteCuts {
            preamble,
            epilogue: len - behind,
        }
    }
}

/// The distance from an end at which useless text outweighs useful text most; nothing beyond `most` bytes is examined.
fn reach(parts: impl Iterator<Item = (bool, usize)>, most: usize) -> usize {
    let (mut at, mut weight) = (0, 0);
    let (mut best, mut best_weight) = (0, 0);
    for (useless, len) in parts {
        let len = len.min(most - at);
        at += len;
        weight += match useless {
            true => USELESS_WEIGHT * len as i64,
            false => -(len as i64),
        };
        if weight > best_weight {
            (best, best_weight) = (at, weight);
        }
        if at == most {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts of these lengths, useless and useful by turns; empty parts are skipped.
    fn parts(lengths: &[usize]) -> Vec<DocumentPart> {
        let mut start = 0;
        let mut parts = Vec::new();
        for (at, &len) in lengths.iter().enumerate() {
            if len > 0 {
                parts.push(DocumentPart {
                    useless: at % 2 == 0,
                    bytes: start..start + len,
                });
            }
            start += len;
        }
        parts
    }

    #[test]
    fn the_cuts_stand_where_useless_text_ends() {
        let table: &[(&[usize], (usize, usize))] = &[
            // Nothing at all, nothing useless, nothing useful.
            (&[], (0, 0)),
            (&[0, 900], (0, 900)),
            (&[900], (900, 900)),
            // A header, a book, a licence.
            (&[300, 20_000, 500], (300, 20_300)),
            // Title and names in the header.
            (&[300, 100, 50, 20_000, 500, 70, 900], (450, 20_450)),
            // A title page comes before the credits, and a phrase of the licence is in the text.
            (
                &[300, 900, 100, 9_000, 20, 9_000, 20, 4_000],
                (1_300, 23_340),
            ),
            // A header alone, and a licence alone.
            (&[300, 20_000], (300, 20_300)),
            (&[0, 20_000, 300], (0, 20_000)),
            // What is deep in the book is not a preamble, however long.
            (&[0, 30_000, 9_000, 30_000], (0, 69_000)),
            // Both searches meet in a short file and do not cross.
            (&[300, 100, 300], (700, 700)),
        ];
        for (lengths, (preamble, epilogue)) in table {
            let expected = ByteCuts {
                preamble: *preamble,
                epilogue: *epilogue,
            };
            assert_eq!(ByteCuts::of(&parts(lengths)), expected, "{lengths:?}");
        }
    }
}
