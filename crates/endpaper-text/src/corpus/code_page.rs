//! The DOS code pages, which the WHATWG Encoding Standard has not (but for 866 and 874).

use std::fmt;

use oem_cp::code_table::DECODING_TABLE_CP_MAP;
use oem_cp::code_table_type::TableType;

/// A code page of DOS: one byte is one character, and those under 0x80 are ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CodePage(u16);

/// All of them.
const NUMBERS: [u16; 16] = [
    437, 720, 737, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865, 869,
];

/// What comes before the number in names of code pages.
const PREFIXES: [&str; 5] = ["cp", "ibm", "dos-", "dos", "oem"];

/// Numbers that Windows gives to encodings of the WHATWG Encoding Standard, which has no such labels.
const OF_WINDOWS: [(&str, &str); 5] = [
    ("932", "shift_jis"),
    ("936", "gbk"),
    ("949", "euc-kr"),
    ("950", "big5"),
    ("65001", "utf-8"),
];

impl CodePage {
    /// All code pages.
    pub fn all() -> impl Iterator<Item = CodePage> {
        NUMBERS.into_iter().map(CodePage)
    }

    /// The code page with a name such as `cp437`, `IBM850` or `dos-852`.
    pub(super) fn named(name: &str) -> Option<CodePage> {
        let number = number_in(&name.to_ascii_lowercase())?.parse().ok()?;
        NUMBERS.contains(&number).then_some(CodePage(number))
    }

    /// The bytes as text. Bytes without a character become U+FFFD.
    pub(super) fn decode(self, bytes: &[u8]) -> String {
        bytes.iter().map(|byte| self.character(*byte)).collect()
    }

    fn character(self, byte: u8) -> char {
        let Some(high) = byte.checked_sub(0x80) else {
            return byte.into();
        };
        let found = match DECODING_TABLE_CP_MAP.get(&self.0) {
            Some(TableType::Complete(table)) => Some(table[usize::from(high)]),
            Some(TableType::Incomplete(table)) => table[usize::from(high)],
            None => None,
        };
        found.unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

impl fmt::Display for CodePage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("cp{}", self.0))
    }
}

/// The name in the WHATWG Encoding Standard of a code page of Windows, such as `cp932`.
pub(super) fn of_windows(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let number = number_in(&name)?;
    let found = OF_WINDOWS.iter().find(|(known, _)| *known == number);
    found.map(|(_, name)| *name)
}

fn number_in(name: &str) -> Option<&str> {
    PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_page_has_its_table_and_its_name() {
        for page in CodePage::all() {
            assert_eq!(CodePage::named(&page.to_string()), Some(page));
            let all: Vec<u8> = (0..=255).collect();
            let text = page.decode(&all);
            assert!(text.starts_with('\0') && text.chars().count() == 256);
            let missing = text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER);
            assert!(missing.count() < 8, "{page}");
        }
        assert_eq!(CodePage::named("IBM850"), CodePage::named("cp850"));
        for unknown in ["cp1", "cp866", "437", "cp", "ibm500"] {
            assert_eq!(CodePage::named(unknown), None, "{unknown}");
        }
    }
}
