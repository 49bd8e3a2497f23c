//! File names from ids.
//!
//! A name is derived from an id and never parsed back: a record says itself which book it is about. The name is
//! relative, has only plain components, and can be made on any common file system. Different ids get different names
//! as far as letters of another case are distinguished; where they are not, [`file_name_hashed`] tells ids apart.

use std::path::{Path, PathBuf};

use endpaper_text::line::Key;

/// Longest component of a name, in bytes: leaves room for endings below the usual limit of 255.
const MAX_COMPONENT_BYTES: usize = 180;

/// Bytes of `~` and eight digits.
const HASH: usize = 9;

/// The file of a book, relative to a folder and without the ending.
pub fn file_name(id: &str) -> PathBuf {
    components(id, false).iter().collect()
}

/// The file of a book whose plain name is equal to another's but for case: ends in `~` and a hash of the id.
pub fn file_name_hashed(id: &str) -> PathBuf {
    components(id, true).iter().collect()
}

/// The file of a book's record, relative to the truth folder: [`file_name`] with `.yaml`.
pub fn record_file(id: &str) -> PathBuf {
    with_yaml(file_name(id))
}

/// The file of a book's record where [`record_file`] is another book's.
pub(super) fn record_file_hashed(id: &str) -> PathBuf {
    with_yaml(file_name_hashed(id))
}

/// Whether a file, relative to the truth folder, is where the record of a book belongs.
pub(super) fn is_record_file(file: &Path, id: &str) -> bool {
    file == record_file(id) || file == record_file_hashed(id)
}

/// The name with `.yaml` appended.
fn with_yaml(name: PathBuf) -> PathBuf {
    let mut name = name.into_os_string();
    name.push(".yaml");
    name.into()
}

/// The folders and the file of an id, encoded; with `hashed`, the file with a hash of the id.
fn components(id: &str, hashed: bool) -> Vec<String> {
    let mut out = Vec::new();
    let mut end = 0;
    for part in id.split('/') {
        end += part.len();
        let is_last = end == id.len();
        // A folder's hash covers the id as far as the folder, so that books of one folder stay together.
        let hash = || format!("~{:08x}", short_hash(&id[..end]));
        let mut component = encode(part);
        if !is_last {
            component = apart_from_records(component);
        }
        if component.len() > MAX_COMPONENT_BYTES || (is_last && hashed) {
            cut_to(&mut component, MAX_COMPONENT_BYTES - HASH);
            component.push_str(&hash());
        } else if ends_like_hash(&component) {
            let tilde = component.len() - HASH;
            component.replace_range(tilde..=tilde, "%7E");
        }
        out.push(component);
        end += 1;
    }
    out
}

/// 32 bits of a hash.
fn short_hash(text: &str) -> u32 {
    // The low half of a CRC-64 is as good as any 32 bits of it.
    Key::of(text).0 as u32
}

/// One component with everything percent-encoded that some file system or this naming itself gives a meaning.
fn encode(part: &str) -> String {
    if part.is_empty() {
        // No other component becomes a lone percent sign.
        return "%".to_owned();
    }
    let last = part.chars().count() - 1;
    let device = is_device(part);
    let mut out = String::with_capacity(part.len());
    for (index, character) in part.chars().enumerate() {
        let at_edge = index == 0 || index == last;
        let special = matches!(
            character,
            '%' | '<' | '>' | ':' | '"' | '\\' | '|' | '?' | '*'
        ) || character.is_control()
            || (at_edge && matches!(character, '.' | ' '))
            || (device && index == 0);
        if special {
            push_encoded(&mut out, character);
        } else {
            out.push(character);
        }
    }
    out
}

/// Appends a character as `%` and hexadecimal digits, byte by byte.
fn push_encoded(out: &mut String, character: char) {
    for byte in character.encode_utf8(&mut [0; 4]).bytes() {
        out.push_str(&format!("%{byte:02X}"));
    }
}

/// Names Windows keeps for devices, with any ending and in any case.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end();
    let stem = stem.to_ascii_uppercase();
    if matches!(
        stem.as_str(),
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$"
    ) {
        return true;
    }
    let number = stem
        .strip_prefix("COM")
        .or_else(|| stem.strip_prefix("LPT"));
    number.is_some_and(|number| {
        let mut characters = number.chars();
        let digit = characters
            .next()
            .is_some_and(|c| c.is_ascii_digit() || matches!(c, '¹' | '²' | '³'));
        digit && characters.next().is_none()
    })
}

/// A folder `a.yaml` would stand where the record of a book `a` wants to be.
fn apart_from_records(mut component: String) -> String {
    let dot = component.len().checked_sub(".yaml".len());
    if let Some(dot) = dot.filter(|dot| component.is_char_boundary(*dot))
        && component[dot..].eq_ignore_ascii_case(".yaml")
    {
        component.replace_range(dot..=dot, "%2E");
    }
    component
}

/// Whether a component ends as if it had a hash, which must be escaped.
fn ends_like_hash(component: &str) -> bool {
    let bytes = component.as_bytes();
    let Some(tilde) = bytes.len().checked_sub(HASH) else {
        return false;
    };
    bytes[tilde] == b'~' && bytes[tilde + 1..].iter().all(u8::is_ascii_hexdigit)
}

/// Shortens a component, never inside a character or an encoded byte.
fn cut_to(component: &mut String, longest: usize) {
    if component.len() <= longest {
        return;
    }
    let mut end = longest;
    while !component.is_char_boundary(end) {
        end -= 1;
    }
    if let Some(percent) = component[..end].rfind('%')
        && end - percent < 3
    {
        end = percent;
    }
    component.truncate(end);
}

#[cfg(test)]
mod tests {
    use std::path::Component;

    use proptest::prelude::*;

    use super::*;

    fn name(id: &str) -> String {
        file_name(id).to_str().unwrap().to_owned()
    }

    #[test]
    fn ids_become_names_any_file_system_takes() {
        let cases = [
            ("etext98/2city12.txt", "etext98/2city12.txt"),
            ("a/b.zip!member.txt", "a/b.zip!member.txt"),
            ("50% off?.txt", "50%25 off%3F.txt"),
            ("c:\\x|<y>*\".txt", "c%3A%5Cx%7C%3Cy%3E%2A%22.txt"),
            ("../../etc/passwd", "%2E%2E/%2E%2E/etc/passwd"),
            ("/etc/passwd", "%/etc/passwd"),
            ("a//b", "a/%/b"),
            ("a/", "a/%"),
            ("", "%"),
            (".", "%2E"),
            (".hidden", "%2Ehidden"),
            ("dots..", "dots.%2E"),
            (" edge ", "%20edge%20"),
            ("CON", "%43ON"),
            ("nul.txt", "%6Eul.txt"),
            ("com1/lpt9.a.b", "%63om1/%6Cpt9.a.b"),
            ("COM¹", "%43OM¹"),
            ("console", "console"),
            ("com10", "com10"),
            ("a\u{7}b\n\u{85}", "a%07b%0A%C2%85"),
            ("x~0123abcd", "x%7E0123abcd"),
            ("a.yaml/b", "a%2Eyaml/b"),
            ("a.yaml", "a.yaml"),
            ("žluťoučký/книга.txt", "žluťoučký/книга.txt"),
        ];
        for (id, expected) in cases {
            assert_eq!(name(id), expected, "of {id:?}");
        }
    }

    #[test]
    fn a_long_component_is_cut_and_told_apart_by_a_hash() {
        let (a, b) = (name(&"é".repeat(200)), name(&"é".repeat(201)));
        assert_ne!(a, b);
        for name in [&a, &b] {
            assert!(name.len() <= MAX_COMPONENT_BYTES, "{name}");
            assert!(ends_like_hash(name), "{name}");
        }
        let question = name(&"?".repeat(100));
        assert!(!question.trim_end_matches(|c| c != '~').contains("%~"));
    }

    #[test]
    fn books_of_one_long_folder_stay_together() {
        let folder = "f".repeat(300);
        let (a, b) = (
            file_name(&format!("{folder}/a")),
            file_name(&format!("{folder}/b")),
        );
        assert_eq!(a.parent(), b.parent());
    }

    proptest! {
        #[test]
        fn names_are_relative_and_plain(id in "\\PC{0,40}|[./~%a-cA-C \\\\!]{0,200}") {
            for path in [file_name(&id), file_name_hashed(&id), record_file(&id)] {
                prop_assert!(path.is_relative());
                prop_assert!(path.components().count() >= 1);
                for component in path.components() {
                    let Component::Normal(text) = component else { panic!("{component:?}") };
                    let text = text.to_str().unwrap();
                    prop_assert!(text.len() <= MAX_COMPONENT_BYTES + 5);
                    prop_assert!(!text.starts_with(['.', ' ']) && !text.ends_with(['.', ' ']));
                }
            }
        }

        #[test]
        fn different_ids_have_different_names(
            a in "[./~%aAbC0 ]{0,12}", b in "[./~%aAbC0 ]{0,12}"
        ) {
            prop_assume!(a != b);
            prop_assert_ne!(file_name(&a), file_name(&b));
            prop_assert_ne!(file_name_hashed(&a), file_name_hashed(&b));
            prop_assert_ne!(record_file(&a), record_file(&b));
        }
    }
}
