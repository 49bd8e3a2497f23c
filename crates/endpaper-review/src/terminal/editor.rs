//! The user's editor: which one to run, and with which arguments.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use endpaper_text::corpus::{Book, BookLocation};

/// Opens a file at a line and waits until the editor exits.
pub fn edit(configured: Option<&str>, file: &Path, line: u32) -> anyhow::Result<()> {
    let variable = |name: &str| std::env::var(name).ok();
    let command = editor_command(configured, variable);
    let words = arguments(&command, file, line);
    let Some((program, arguments)) = words.split_first() else {
        bail!("$EDITOR is empty; set it to the editor to use");
    };
    let status = Command::new(program)
        .args(arguments)
        .status()
        .with_context(|| format!("the editor '{command}' cannot be started; set $EDITOR"))?;
    if !status.success() {
        bail!("the editor '{command}' ended with {status}");
    }
    Ok(())
}

/// The configured editor, else `$VISUAL`, else `$EDITOR`, else `vi` (`notepad` on Windows).
fn editor_command(configured: Option<&str>, variable: impl Fn(&str) -> Option<String>) -> String {
    let set = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
    let default = if cfg!(windows) { "notepad" } else { "vi" };
    configured
        .map(ToOwned::to_owned)
        .or_else(|| set("VISUAL"))
        .or_else(|| set("EDITOR"))
        .unwrap_or_else(|| default.to_owned())
}

/// The words of the command with the file and, if the editor is known, the line to go to.
fn arguments(command: &str, file: &Path, line: u32) -> Vec<String> {
    let mut words = split(command);
    let name = words.first().map_or("", |word| stem(word)).to_owned();
    // A relative name that begins with a dash or a plus would be parsed as an option.
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let file = file.to_string_lossy().into_owned();
    match name.as_str() {
        "code" | "codium" | "code-insiders" => {
            words.extend(["--wait".to_owned(), "--goto".to_owned()]);
            words.push(format!("{file}:{line}"));
        }
        "subl" | "zed" => words.extend(["--wait".to_owned(), format!("{file}:{line}")]),
        "notepad" => words.push(file),
        _ => words.extend([format!("+{line}"), file]),
    }
    words
}

/// The name of a program without folder and `.exe`.
fn stem(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Splits a command into words; quotes keep words together.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// A file that an editor can open: the book's own, or a read-only copy if it is inside an archive or another format.
pub struct OnDisk {
    /// Path of the file.
    pub path: PathBuf,
    /// Keeps the copy until the editor exits.
    _folder: Option<tempfile::TempDir>,
}

/// Returns a file with the text of a book, extracting it if necessary.
pub fn on_disk(book: &Book, max_size: u64) -> anyhow::Result<OnDisk> {
    if let BookLocation::File(path) = &book.location {
        return Ok(OnDisk {
            path: path.clone(),
            _folder: None,
        });
    }
    let bytes = book
        .read(max_size)
        .map_err(|error| anyhow::anyhow!("'{}' {error}", book.id))?;
    let folder = tempfile::Builder::new().prefix("endpaper-").tempdir()?;
    let mut name = copy_name(book.id.name());
    if let BookLocation::Document { .. } = book.location {
        // Editors derive the file type from the name: `book.pdf` would not be opened as text.
        name.push_str(".txt");
    }
    let path = folder.path().join(name);
    let mut file = std::fs::File::create(&path)?;
    file.write_all(&bytes)?;
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions)?;
    Ok(OnDisk {
        path,
        _folder: Some(folder),
    })
}

/// A safe file name for a copy: the original name comes from an archive.
fn copy_name(name: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name: String = name
        .chars()
        .map(|c| if harmless(c) { c } else { '_' })
        .take(100)
        .collect();
    format!("copy-{name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::corpus::{BookId, EncodingChoice, FileStamp};

    #[test]
    fn the_editor_is_the_first_that_is_set() {
        let variable = |name: &str| match name {
            "VISUAL" => Some(" ".to_owned()),
            "EDITOR" => Some("nano".to_owned()),
            _ => None,
        };
        assert_eq!(editor_command(Some("hx"), variable), "hx");
        assert_eq!(editor_command(None, variable), "nano");
        assert!(!editor_command(None, |_| None).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn editors_are_told_the_line_in_their_own_way() {
        let cases: [(&str, &[&str]); 4] = [
            ("vim", &["vim", "+7", "/b/x y.txt"]),
            ("emacs -nw", &["emacs", "-nw", "+7", "/b/x y.txt"]),
            (
                "'/opt/my code/code' -n",
                &[
                    "/opt/my code/code",
                    "-n",
                    "--wait",
                    "--goto",
                    "/b/x y.txt:7",
                ],
            ),
            ("", &["+7", "/b/x y.txt"]),
        ];
        for (command, expected) in cases {
            assert_eq!(arguments(command, Path::new("/b/x y.txt"), 7), expected);
        }
    }

    #[test]
    fn a_book_in_an_archive_is_opened_as_a_read_only_copy() {
        let mut archive = tempfile::Builder::new().suffix(".gz").tempfile().unwrap();
        let mut gzip = flate2::write::GzEncoder::new(&mut archive, flate2::Compression::fast());
        gzip.write_all(b"a book\n").unwrap();
        gzip.finish().unwrap();
        let book = Book {
            id: BookId::new("../odd name.txt"),
            location: BookLocation::Gzip(archive.path().to_owned()),
            stamp: FileStamp::default(),
            encoding: EncodingChoice::Guessed,
        };
        let copy = on_disk(&book, 1 << 20).unwrap();
        assert_eq!(std::fs::read(&copy.path).unwrap(), b"a book\n");
        assert!(
            std::fs::metadata(&copy.path)
                .unwrap()
                .permissions()
                .readonly()
        );
        assert!(copy.path.ends_with("copy-odd_name.txt"));
        let folder = copy.path.parent().unwrap().to_owned();
        drop(copy);
        assert!(!folder.exists());
    }
}
