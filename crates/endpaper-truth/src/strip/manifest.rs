//! What is in a folder of bodies: one line for each, with where it came from and on whose word.
//!
//! A tab-separated table with a header line, in the order of the books' ids, so that the same bodies give the same bytes.
//! A run adds the bodies it wrote, or found written already, to what other runs wrote; it forgets nothing.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, Read, Seek, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::NamedTempFile;

use super::StrippedBook;
use endpaper_text::atomic::{self, Existing};
use endpaper_text::cells::unescaped_any;
use endpaper_text::corpus::{BookId, Encoding};
use endpaper_text::files::{holds, is_absent, read_text, refuse_irregular};

/// Longest manifest or file of accepted findings that is read, in bytes: 75,000 bodies take a quarter of it.
pub(super) const MAX_FILE_BYTES: u64 = 64 << 20;

/// Name of the manifest in the folder of bodies.
pub const MANIFEST: &str = "endpaper-manifest.tsv";

/// The columns. They are a contract with scripts: they may grow at the end, never change.
pub const COLUMNS: &[&str] = &[
    "book",
    "file",
    "first",
    "last",
    "bytes",
    "by",
    "doubt",
    "verdict",
    "policy",
    "sha256",
    "source_sha256",
    "source_bytes",
    "source_lines",
    "source_encoding",
    "source_newline",
    "encoding",
    "newline",
    "dropped",
    "detector",
    "model",
];

/// Bytes reserved for a line of a manifest, apart from the names in it.
const LINE_BYTES: usize = 512;

/// Bytes reserved for each byte of the book's id, which is in a line twice: escaped, and as a name with percent signs.
const NAME_BYTES: usize = 5;

/// Lines of a manifest by book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    lines: BTreeMap<String, String>,
}

/// Space for a manifest on the disk, taken before the bodies are written: if these fill the disk, the manifest still says which
/// of them are there.
#[derive(Debug)]
pub struct ManifestSpace {
    folder: PathBuf,
    file: NamedTempFile,
}

impl ManifestSpace {
    /// Takes the space for the manifest of a folder with the bodies of these books added. Creates the folder.
    ///
    /// # Errors
    ///
    /// There is no space, or something else than a file is in the place of the manifest.
    pub fn reserve<'a>(
        folder: &Path,
        books: impl IntoIterator<Item = &'a BookId>,
    ) -> Result<ManifestSpace> {
        let path = folder.join(MANIFEST);
        let lines = books
            .into_iter()
            .map(|book| LINE_BYTES + NAME_BYTES * book.as_str().len());
        let header = Manifest::header().len() as u64;
        let earlier = fs::metadata(&path).map_or(header, |found| found.len().max(header));
        let bytes = earlier + lines.sum::<usize>() as u64;
        let reserve = || {
            refuse_irregular(&path)?;
            atomic::make_folder(folder)?;
            let mut file = atomic::create_temporary_beside(&path)?;
            io::copy(&mut io::repeat(0).take(bytes), &mut file)?;
            Ok(file)
        };
        let file: io::Result<_> = reserve();
        Ok(ManifestSpace {
            folder: folder.to_owned(),
            file: file.with_context(|| atomic::write_error_prefix(&path))?,
        })
    }

    /// Writes the manifest, at once; not if it is there so already.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn write(mut self, manifest: &Manifest) -> Result<()> {
        let path = self.folder.join(MANIFEST);
        let header = Manifest::header();
        let lines = std::iter::once(&header).chain(manifest.lines.values());
        let text: String = lines.flat_map(|line| [line.as_str(), "\n"]).collect();
        if holds(&path, text.as_bytes()) {
            return Ok(());
        }
        let attempt = || {
            self.file.rewind()?;
            self.file.write_all(text.as_bytes())?;
            self.file.as_file().set_len(text.len() as u64)?;
            atomic::publish(self.file, &path, Existing::Replace)
        };
        attempt().with_context(|| atomic::write_error_prefix(&path))
    }
}

/// The row of a body in a manifest, as far as a check needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestEntry {
    /// The book's id.
    pub book: String,
    /// The file, relative to the folder, with `/`.
    pub file: String,
    /// First line of the body in the source.
    pub first: u32,
    /// Last line of the body in the source.
    pub last: u32,
    /// SHA-256 of the body.
    pub sha256: String,
    /// Lines of the source.
    pub source_lines: u32,
    /// The encoding of the body; `None` if it is not known.
    pub encoding: Option<Encoding>,
}

impl ManifestEntry {
    /// Whether its file is below the folder: the user who wrote the manifest may have named any other.
    pub fn is_inside(&self) -> bool {
        let mut parts = Path::new(&self.file).components();
        !self.file.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
    }
}

impl Manifest {
    /// The header line.
    pub fn header() -> String {
        COLUMNS.join("\t")
    }

    /// Reads the manifest of a folder; empty where there is none.
    ///
    /// # Errors
    ///
    /// A file of that name that is something else, or cannot be read.
    pub fn read(folder: &Path) -> Result<Manifest> {
        let path = folder.join(MANIFEST);
        let text = match read_text(&path, MAX_FILE_BYTES) {
            Ok(text) => text,
            Err(error) if is_absent(&error) => return Ok(Manifest::default()),
            Err(error) => {
                return Err(error).with_context(|| format!("'{}' cannot be read", path.display()));
            }
        };
        let mut lines = text.lines();
        if lines.next() != Some(Manifest::header().as_str()) {
            bail!(
                "'{}' is not a manifest of this version; move it away, or name another folder",
                path.display()
            );
        }
        let mut manifest = Manifest::default();
        for (number, line) in (2..).zip(lines) {
            let book = line.split('\t').next().unwrap_or_default();
            if line.split('\t').count() != COLUMNS.len() {
                bail!(
                    "'{}', line {number}: not {} columns; correct the line or remove it",
                    path.display(),
                    COLUMNS.len()
                );
            }
            manifest
                .lines
                .insert(unescaped_any(book).into_owned(), line.to_owned());
        }
        Ok(manifest)
    }

    /// Takes a body in, in the place of what was known of its book.
    pub fn put(&mut self, body: &StrippedBook) {
        let book = body.book.as_str().to_owned();
        self.lines.insert(book, body.to_string());
    }

    /// Takes all bodies of another in, in the place of what was known of their books.
    pub fn extend(&mut self, other: Manifest) {
        self.lines.extend(other.lines);
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// What it says of each file.
    pub fn by_file(&self) -> HashMap<String, ManifestEntry> {
        let entries = self.entries();
        entries.map(|entry| (entry.file.clone(), entry)).collect()
    }

    /// The row of each body, in the order of the books. Cells that are not numbers are 0.
    pub fn entries(&self) -> impl Iterator<Item = ManifestEntry> {
        self.lines.values().map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let cell = |name: &str| {
                let at = COLUMNS.iter().position(|column| *column == name);
                at.and_then(|at| cells.get(at)).copied().unwrap_or_default()
            };
            ManifestEntry {
                book: unescaped_any(cell("book")).into_owned(),
                file: unescaped_any(cell("file")).into_owned(),
                first: cell("first").parse().unwrap_or(0),
                last: cell("last").parse().unwrap_or(0),
                sha256: cell("sha256").to_owned(),
                source_lines: cell("source_lines").parse().unwrap_or(0),
                encoding: cell("encoding").parse().ok(),
            }
        })
    }
}
