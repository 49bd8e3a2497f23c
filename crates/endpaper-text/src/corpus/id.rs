//! Names of files and members as text for ids.

use std::ffi::OsStr;

/// Text of a file name; bytes that are no UTF-8 become `%XX`, and so does a percent sign next to them.
pub(super) fn text_of(name: &OsStr) -> String {
    match name.to_str() {
        Some(name) => name.to_owned(),
        None => escape(name.as_encoded_bytes()),
    }
}

/// The name of a member: UTF-8, else bytes escaped.
pub(super) fn text_of_member(name: &[u8]) -> String {
    match std::str::from_utf8(name) {
        Ok(name) => name.to_owned(),
        Err(_) => escape(name),
    }
}

fn escape(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        out.push_str(&chunk.valid().replace('%', "%25"));
        for byte in chunk.invalid() {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
