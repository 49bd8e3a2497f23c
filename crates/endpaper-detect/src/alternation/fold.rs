//! Folds documents: decodes them, folds white space, and maps offsets back to the bytes of the file.

use endpaper_text::corpus::Encoding;

/// Maps offsets of folded text to offsets of its source: one entry wherever their difference changes.
///
/// Text without runs of white space needs one entry; at worst (UTF-16) every character needs one, of 8 bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct OffsetMap {
    /// Offsets in the folded text and in the source; both ascending.
    offset_changes: Vec<(u32, u32)>,
    /// Length of the source in bytes.
    source: u32,
}

impl OffsetMap {
    /// Notes that the character at `folded` comes from the byte at `source`, if this does not follow from earlier
    /// notes.
    fn note(&mut self, folded: usize, source: usize) {
        let (folded, source) = (folded as u32, source as u32);
        let same = |&(f, s): &(u32, u32)| folded.wrapping_sub(f) == source.wrapping_sub(s);
        if !self.offset_changes.last().is_some_and(same) {
            self.offset_changes.push((folded, source));
        }
    }

    /// The source offset of the character at an offset of folded text. Bytes that folding drops (a byte order mark,
    /// further white space) belong to the character before them, those at the start to the first character.
    pub fn source_of(&self, folded: usize) -> usize {
        let folded = folded as u32;
        match self.offset_changes.partition_point(|turn| turn.0 <= folded) {
            _ if folded == 0 => 0,
            0 => 0,
            next => {
                let (from, source) = self.offset_changes[next - 1];
                (source + (folded - from)).min(self.source) as usize
            }
        }
    }

    /// Length of the source in bytes.
    pub fn source_len(&self) -> usize {
        self.source as usize
    }
}

/// Appends the folded text of a file, as UTF-8, to `text`: a run of tabs, line ends, form feeds and spaces becomes one
/// space, everything else is unchanged (section 3). An ideographic or no-break space is a character like others: it is
/// not among the paper's tabs, newlines and spaces, and in a CJK text it is part of the layout.
pub(super) fn fold(source: &[u8], encoding: Encoding, text: &mut Vec<u8>) -> OffsetMap {
    let mark = source.strip_prefix(encoding.byte_order_mark());
    let body = mark.unwrap_or(source);
    let mut at = source.len() - body.len();
    let start = text.len();
    let mut map = OffsetMap {
        offset_changes: Vec::new(),
        source: source.len() as u32,
    };
    let mut in_space = false;
    let decoded = encoding.display(body, usize::MAX);
    for c in decoded.chars() {
        let space = is_space(c);
        if !(space && in_space) {
            map.note(text.len() - start, at);
            let c = if space { ' ' } else { c };
            text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        in_space = space;
        at = (at + encoding.len_of(c)).min(source.len());
    }
    map
}

/// Whether a character is folded with its neighbours to one space.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(source: &[u8]) -> (String, OffsetMap) {
        let mut text = b"before".to_vec();
        let map = fold(source, Encoding::guess(source), &mut text);
        (String::from_utf8(text[6..].to_vec()).unwrap(), map)
    }

    #[test]
    fn white_space_is_folded_and_every_character_knows_its_bytes() {
        let wide: Vec<u8> = "\u{feff}a \r\nb\u{1F600}c"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let table: &[(&[u8], &str, &[usize])] = &[
            (b"", "", &[]),
            (b"ab", "ab", &[0, 1]),
            (b"\t\r\n a \x0B\x0C b", " a b", &[0, 4, 5, 9]),
            (
                "x\u{3000}\u{3000}y".as_bytes(),
                "x\u{3000}\u{3000}y",
                &[0, 1, 4, 7],
            ),
            (b"\xEF\xBB\xBFa  b", "a b", &[0, 4, 6]),
            (
                b"caf\xE9  \xE9!",
                "caf\u{e9} \u{e9}!",
                &[0, 1, 2, 3, 4, 6, 7],
            ),
            (&wide, "a b\u{1F600}c", &[0, 4, 10, 12, 16]),
        ];
        for (source, text, offsets) in table {
            let (found, map) = folded(source);
            assert_eq!(found, *text, "{}", source.escape_ascii());
            let found: Vec<usize> = found
                .char_indices()
                .map(|(at, _)| map.source_of(at))
                .collect();
            assert_eq!(found, *offsets, "{}", source.escape_ascii());
            assert_eq!(map.source_len(), source.len());
        }
    }

    #[test]
    fn text_without_runs_needs_no_map_to_speak_of() {
        let (text, map) = folded("word w\u{f6}rd \u{4e00}\n".repeat(100).as_bytes());
        assert_eq!((text.chars().count(), map.offset_changes.len()), (1200, 1));
    }
}
