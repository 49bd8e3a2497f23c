//! The terminal's clipboard, set with the escape sequence OSC 52: it works over ssh, but the terminal may refuse it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The bytes that copy a text to the clipboard. The sequence is wrapped for tmux and screen, which then pass it on to the
/// outer terminal; tmux may also handle it itself.
pub fn sequence(text: &str, variable: impl Fn(&str) -> Option<String>) -> Vec<u8> {
    let plain = format!("\x1b]52;c;{}\x07", STANDARD.encode(text));
    let inside = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    if inside("TMUX") {
        let wrapped = plain.replace('\x1b', "\x1b\x1b");
        return format!("{plain}\x1bPtmux;{wrapped}\x1b\\").into_bytes();
    }
    if inside("STY") {
        return format!("\x1bP{plain}\x1b\\").into_bytes();
    }
    plain.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_encoded_and_wrapped_for_what_stands_between() {
        let cases = [
            (None, "\x1b]52;c;w6k=\x07"),
            (
                Some("TMUX"),
                "\x1b]52;c;w6k=\x07\x1bPtmux;\x1b\x1b]52;c;w6k=\x07\x1b\\",
            ),
            (Some("STY"), "\x1bP\x1b]52;c;w6k=\x07\x1b\\"),
        ];
        for (set, expected) in cases {
            let found = sequence("\u{e9}", |name| (Some(name) == set).then(|| "1".to_owned()));
            assert_eq!(String::from_utf8_lossy(&found), expected, "{set:?}");
        }
    }
}
