//! A line as its cues are searched for: in lower case, with the places where words begin.

/// A letter or a digit of ASCII, or a byte of another character.
pub(super) const WORD: u8 = 1;
/// A small letter of ASCII.
pub(super) const LOWER: u8 = 2;
/// A capital letter of ASCII.
pub(super) const UPPER: u8 = 4;
/// A digit of ASCII.
pub(super) const DIGIT: u8 = 8;
/// A quotation mark of ASCII.
pub(super) const QUOTE: u8 = 16;
/// A byte of a character that is not of ASCII.
pub(super) const WIDE: u8 = 32;
/// A mark that words of cues begin with.
pub(super) const MARK: u8 = 64;

/// What each byte is.
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

/// Zeros after a line, so that eight bytes can be taken from everywhere in it.
const PADDING: usize = 8;

/// Memory for lines, used again for each.
#[derive(Clone, Debug, Default)]
pub(in crate::scan) struct CueBuffers {
    lower: Vec<u8>,
    starts: Vec<u16>,
}

/// A line in lower case (that of ASCII) and what is where in it.
pub(super) struct LoweredLine<'a> {
    /// Padded with zeros.
    pub lower: &'a [u8],
    /// Where words and marks begin. What begins beyond the first 65,536 bytes is left out.
    pub starts: &'a [u16],
    /// What all bytes are, together.
    pub classes: u8,
}

impl LoweredLine<'_> {
    /// Where the first word begins; the length of the line, if it has none.
    pub fn opening(&self) -> usize {
        let word = |&&at: &&u16| in_word(self.lower[usize::from(at)]);
        let first = self.starts.iter().find(word);
        first.map_or(self.lower.len(), |&at| usize::from(at))
    }
}

impl CueBuffers {
    /// The letters of a line.
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
            // Branch-free, since the branch would be unpredictable.
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

/// Letters, digits and everything that is not ASCII.
pub(super) fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}
