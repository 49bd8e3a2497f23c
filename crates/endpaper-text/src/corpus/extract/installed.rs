//! The installed `pdftotext`.

use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The version of poppler's `pdftotext`, if installed. It is queried once.
pub(super) fn version() -> Option<String> {
    static VERSION: OnceLock<Option<String>> = OnceLock::new();
    VERSION
        .get_or_init(|| {
            let asked = Command::new("pdftotext")
                .arg("-v")
                .stdin(Stdio::null())
                .output()
                .ok()?;
            let said = [asked.stderr, asked.stdout].concat();
            version_in(&String::from_utf8_lossy(&said))
        })
        .clone()
}

/// Parses the output of `pdftotext -v`. Programs of the same name that are not poppler's take other options.
fn version_in(said: &str) -> Option<String> {
    let poppler = said.to_lowercase().contains("poppler");
    let rest = said.split_once("pdftotext version ")?.1;
    let version = rest.split_whitespace().next()?;
    poppler.then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_popplers_own_version_counts() {
        let poppler = "pdftotext version 22.12.0\nCopyright 2005-2022 The Poppler Developers\n";
        assert_eq!(version_in(poppler).as_deref(), Some("22.12.0"));
        assert_eq!(
            version_in("pdftotext version 4.05 [www.xpdfreader.com]"),
            None
        );
        assert_eq!(version_in("sh: not found"), None);
    }
}
