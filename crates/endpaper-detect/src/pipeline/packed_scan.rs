//! Scans as bytes: between the two passes, in the temporary file and in the cache.
//!
//! A row takes half of its size in memory, and is written and read without a branch for every byte, unlike a format of
//! varints: most bytes of a row are hashes.

use serde::{Deserialize, Serialize};

use endpaper_text::corpus::Encoding;
use endpaper_text::line::Key;
use endpaper_text::scan::{CueSet, Header, LineFeatures, MarkerSet, Scan, ScanRow, Template};

/// A bit of the marks of a row that says whether features follow.
const HAS_FEATURES: u16 = 1 << 15;

/// A distance or a length that does not fit a byte follows in four.
const LONG: u8 = u8::MAX;

/// What a Scan holds besides its rows; borrowed for packing.
#[derive(Serialize, Deserialize)]
struct ScanHead<M, H> {
    lines: u32,
    bytes: u64,
    crc: u64,
    encoding: Encoding,
    head: u32,
    tail: u32,
    mentions: M,
    header: H,
    template: Template,
    rows: u32,
}

/// Appends a Scan to `out`.
///
/// # Errors
///
/// Facts that cannot be encoded.
pub(super) fn pack(scan: &Scan, out: &mut Vec<u8>) -> postcard::Result<()> {
    let head = ScanHead {
        lines: scan.lines,
        bytes: scan.bytes,
        crc: scan.crc,
        encoding: scan.encoding,
        head: scan.head,
        tail: scan.tail,
        mentions: scan.mentions.as_slice(),
        header: &scan.header,
        template: scan.template,
        rows: scan.rows.len() as u32,
    };
    postcard::to_io(&head, &mut *out)?;
    let mut before = 0;
    for row in &scan.rows {
        let has_features = row.features != LineFeatures::default();
        let flag = if has_features { HAS_FEATURES } else { 0 };
        out.extend_from_slice(&row.key.0.to_le_bytes());
        out.extend_from_slice(&(row.marks.0 | flag).to_le_bytes());
        put_number(row.line.wrapping_sub(before), out);
        put_number(row.characters.into(), out);
        if has_features {
            let LineFeatures {
                cues,
                skeleton,
                opening,
                indent,
            } = row.features;
            out.extend_from_slice(&cues.0.to_le_bytes());
            out.extend_from_slice(&skeleton.to_le_bytes());
            out.extend_from_slice(&opening.to_le_bytes());
            out.push(indent);
        }
        before = row.line;
    }
    Ok(())
}

/// The Scan of some bytes; `None` if they are not what [`pack`] writes.
pub(super) fn unpack(bytes: &[u8]) -> Option<Scan> {
    let (scan, mut rest) = postcard::take_from_bytes::<ScanHead<Vec<u32>, Header>>(bytes).ok()?;
    // A row takes at least twelve bytes.
    let mut rows = Vec::with_capacity((rest.len() / 12).min(scan.rows as usize));
    let mut line = 0_u32;
    for _ in 0..scan.rows {
        let key = Key(u64::from_le_bytes(take(&mut rest)?));
        let marks = u16::from_le_bytes(take(&mut rest)?);
        line = line.wrapping_add(take_number(&mut rest)?);
        let characters = u16::try_from(take_number(&mut rest)?).ok()?;
        let features = match marks & HAS_FEATURES {
            0 => LineFeatures::default(),
            _ => LineFeatures {
                cues: CueSet(u64::from_le_bytes(take(&mut rest)?)),
                skeleton: u32::from_le_bytes(take(&mut rest)?),
                opening: u32::from_le_bytes(take(&mut rest)?),
                indent: u8::from_le_bytes(take(&mut rest)?),
            },
        };
        rows.push(ScanRow {
            key,
            line,
            marks: MarkerSet(marks & !HAS_FEATURES),
            characters,
            features,
        });
    }
    let is_sound = scan.head as usize <= rows.len() && scan.tail as usize <= rows.len();
    (rest.is_empty() && is_sound).then_some(Scan {
        lines: scan.lines,
        bytes: scan.bytes,
        crc: scan.crc,
        encoding: scan.encoding,
        rows,
        head: scan.head,
        tail: scan.tail,
        mentions: scan.mentions,
        header: scan.header,
        template: scan.template,
    })
}

/// Appends a number that is mostly small.
fn put_number(number: u32, out: &mut Vec<u8>) {
    match u8::try_from(number) {
        Ok(small) if small != LONG => out.push(small),
        _ => {
            out.push(LONG);
            out.extend_from_slice(&number.to_le_bytes());
        }
    }
}

/// Takes a number from the front.
fn take_number(bytes: &mut &[u8]) -> Option<u32> {
    match take::<1>(bytes)? {
        [LONG] => Some(u32::from_le_bytes(take(bytes)?)),
        [small] => Some(small.into()),
    }
}

/// Takes `N` bytes from the front.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::scan::{WindowOptions, scan};
    use proptest::prelude::*;

    fn packed(scan: &Scan) -> Vec<u8> {
        let mut bytes = Vec::new();
        pack(scan, &mut bytes).unwrap();
        bytes
    }

    proptest! {
        #[test]
        fn a_scan_is_the_same_after_packing(
            lines in proptest::collection::vec("[ a-zA-Z*]{0,300}|Title: [a-z]{1,9}|\n{300}|Gutenberg", 0..40),
        ) {
            let scan = scan(lines.join("\n").as_bytes(), WindowOptions::default());
            prop_assert_eq!(unpack(&packed(&scan)), Some(scan));
        }

        #[test]
        fn damaged_bytes_are_never_more_than_a_scan(
            at in any::<proptest::sample::Index>(),
            byte in any::<u8>(),
            end in any::<proptest::sample::Index>(),
        ) {
            let text = b"Title: A Book\n\n*** START OF THIS PROJECT GUTENBERG EBOOK ***\n\nA line of some length.\n";
            let mut bytes = packed(&scan(text, WindowOptions::default()));
            prop_assert!(unpack(&bytes[..end.index(bytes.len())]).is_none());
            let at = at.index(bytes.len());
            bytes[at] = byte;
            if let Some(scan) = unpack(&bytes) {
                prop_assert!(scan.head as usize <= scan.rows.len());
                prop_assert!(scan.tail as usize <= scan.rows.len());
                prop_assert_eq!(unpack(&packed(&scan)), Some(scan));
            }
        }
    }
}
