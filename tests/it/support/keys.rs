//! Key names: `j`, `<Enter>`, `<C-c>`, `<S-Tab>`, `<lt>` become the bytes a terminal sends.

/// Names between `<` and `>`, and what xterm sends for them.
const NAMED: &[(&str, &str)] = &[
    ("Enter", "\r"),
    ("Esc", "\x1b"),
    ("Tab", "\t"),
    ("S-Tab", "\x1b[Z"),
    ("Space", " "),
    ("BS", "\x7f"),
    ("Del", "\x1b[3~"),
    ("Up", "\x1b[A"),
    ("Down", "\x1b[B"),
    ("Right", "\x1b[C"),
    ("Left", "\x1b[D"),
    ("Home", "\x1b[H"),
    ("End", "\x1b[F"),
    ("PageUp", "\x1b[5~"),
    ("PageDown", "\x1b[6~"),
    ("F1", "\x1bOP"),
    ("F5", "\x1b[15~"),
    ("lt", "<"),
];

/// Returns the bytes of a text with key names.
///
/// # Panics
///
/// On an unknown key name.
pub fn bytes(keys: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = keys;
    while let Some(open) = rest.find('<') {
        let close = rest[open..].find('>').map(|length| open + length);
        let close =
            close.unwrap_or_else(|| panic!("'{keys}': '<' without '>'; write <lt> for '<'"));
        out.extend_from_slice(&rest.as_bytes()[..open]);
        out.extend(named(&rest[open + 1..close]));
        rest = &rest[close + 1..];
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

fn named(name: &str) -> Vec<u8> {
    if let Some((_, bytes)) = NAMED.iter().find(|(known, _)| *known == name) {
        return bytes.as_bytes().to_vec();
    }
    match (name.strip_prefix("C-"), name.strip_prefix("M-")) {
        (Some(letter), _) if letter.len() == 1 => vec![letter.as_bytes()[0] & 0x1f],
        (_, Some(letter)) => [b"\x1b", letter.as_bytes()].concat(),
        _ => panic!("unknown key '<{name}>'; known are C-x, M-x and {NAMED:?}"),
    }
}
