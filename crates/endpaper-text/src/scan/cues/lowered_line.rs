//! A line prepared for the search for cues: in lower case, with the offsets where words begin.

/// An ASCII letter or digit, or a byte of another character.
pub(super) const WORD: u8 = 1;
pub(super) const LOWER: u8 = 2;
pub(super) const UPPER: u8 = 4;
pub(super) const DIGIT: u8 = 8;
/// The ASCII quotation mark.
pub(super) const QUOTE: u8 = 16;
/// A byte of a character outside ASCII.
pub(super) const WIDE: u8 = 32;
/// A punctuation character that words of cues begin with.
pub(super) const MARK: u8 = 64;

/// The classes of each byte.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        classes[at] = match byte {
            b'a'..=b'z' => WORD | LOWER,
            b'A'..=b'Z' => WORD | UPPER,
            b'0'..=b'9' => WORD | DIGIT,
            0x80.. => WORD | WIDE,
            b'"' => QUOTE,
            b'@' | b'.' | b'(' | b'[' | b'&' => MARK,
            _ => 0,
        };
        at += 1;
    }
    classes
};

/// Zeros after a line, so that eight bytes can be read at any offset in it.
const PADDING: usize = 8;

/// Buffers that are reused for each line.
#[derive(Clone, Debug, Default)]
pub(in crate::scan) struct CueBuffers {
    lower: Vec<u8>,
    starts: Vec<u16>,
}

/// A line with its ASCII letters in lower case, prepared for the search for cues.
pub(super) struct LoweredLine<'a> {
    /// The line, followed by zeros.
    pub lower: &'a [u8],
    /// Offsets where words and punctuation marks begin, within the first 65,536 bytes.
    pub starts: &'a [u16],
    /// Bitwise or of the byte classes of all its bytes.
    pub classes: u8,
}

impl LoweredLine<'_> {
    /// The offset of the first word; the length of `lower` if there is none.
    pub fn opening(&self) -> usize {
        let word = |&&at: &&u16| in_word(self.lower[usize::from(at)]);
        let first = self.starts.iter().find(word);
        first.map_or(self.lower.len(), |&at| usize::from(at))
    }
}

impl CueBuffers {
    /// Prepares a line.
    pub(super) fn of(&mut self, line: &str) -> LoweredLine<'_> {
        let line = line.as_bytes();
        self.lower.clear();
        self.lower.extend_from_slice(line);
        self.lower.make_ascii_lowercase();
        self.lower.resize(line.len() + PADDING, 0);
        if self.starts.len() < line.len() {
            self.starts.resize(line.len(), 0);
        }
        let (mut classes, mut before, mut count) = (0, 0, 0);
        let reach = &line[..line.len().min(1 << 16)];
        for (at, &byte) in reach.iter().enumerate() {
            let class = CLASSES[usize::from(byte)];
            classes |= class;
            self.starts[count] = at as u16;
            // Branchless, since the branch would be unpredictable.
            count += usize::from((class & WORD & !before) | (class & MARK) != 0);
            before = class;
        }
        let rest = line[reach.len()..].iter();
        LoweredLine {
            lower: &self.lower,
            starts: &self.starts[..count],
            classes: rest.fold(classes, |all, &byte| all | CLASSES[usize::from(byte)]),
        }
    }
}

/// Whether a byte belongs to a word: an ASCII letter or digit, or not ASCII.
pub(super) fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}
