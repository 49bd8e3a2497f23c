//! Results that later runs reuse, in the user's cache folder.
//!
//! Up to eight files per corpus, named by a hash of the folder that contains it:
//!
//! | file | contents | valid while |
//! | --- | --- | --- |
//! | `.scans` | the Scan of every book | windows and program are the same; each Scan by the state of its file |
//! | `.model` | the counts, an ordinary model file | its parameters, corpus digest included, are the wanted ones |
//! | `.survey` | [`super::CorpusReport`] without the model | listing, options and program are the same |
//! | `.once.model`, `.once.survey` | the same with near copies counted once | the same |
//! | `.prints` | fingerprints of bodies ([`crate::copies`]) | program is the same; each by the digest of its book, its lines and its shape |
//! | `.clusters` | clusters of near copies ([`super::CopyClusters`]) | program, books, cuts and options are the same |
//! | `.opinions` | frequent n-grams, and what they and the tables of contents say of each text (the part of [`super::CorpusOpinions`] without near copies) | program, listing and windows are the same |
//!
//! The folder also contains the texts of PDF and EPUB files (`.text`, [`endpaper_text::corpus::extract`]), one file
//! each.
//!
//! Every file is written atomically and has checksums; a damaged file is treated as missing. Programs that run at the
//! same time may replace each other's files but never mix them, as a report records the digest of its model. A new run
//! replaces the files of its corpus, and the oldest files are removed when all together exceed [`LIMIT`].

mod fingerprints;
mod keyed;
mod reports;
mod scans;

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::AnalysisOptions;
use endpaper_text::checksum::{ChecksumWriter, crc64};
use endpaper_text::corpus::{Book, FileStamp};
use endpaper_text::files::read_at_most;
use endpaper_text::line::PREPROCESSING_VERSION;

pub(super) use fingerprints::{FingerprintCache, FingerprintKey};
pub(super) use scans::{CachedScans, ScanEntry};

/// Changes with every change of the format of the files.
const CACHE_VERSION: u32 = 7;

/// Largest total size of the files in bytes.
const LIMIT: u64 = 2 << 30;

/// The cache files of one corpus, in the user's cache folder.
#[derive(Clone, Debug)]
pub(super) struct CorpusCache {
    folder: PathBuf,
    /// The folder of the corpus, absolute.
    corpus: PathBuf,
}

impl CorpusCache {
    /// The cache files of a corpus. `None` without a cache folder, for the demonstration, and for a corpus without
    /// books.
    pub fn of<'a>(
        folder: Option<&Path>,
        books: impl IntoIterator<Item = &'a Book>,
    ) -> Option<CorpusCache> {
        let paths = books.into_iter().map(|book| book.location.path());
        let paths: Option<Vec<&Path>> = paths.collect();
        Some(CorpusCache {
            folder: folder?.to_owned(),
            corpus: std::path::absolute(common_folder(&paths?)?).ok()?,
        })
    }

    /// The path of the file with this extension.
    fn file(&self, extension: &str) -> PathBuf {
        let name = crc64(self.corpus.as_os_str().as_encoded_bytes());
        self.folder.join(format!("{name:016x}.{extension}"))
    }

    /// The path of the model file.
    pub fn model_file(&self, options: &AnalysisOptions) -> PathBuf {
        self.model_dependent_file(options, "model")
    }

    /// The path of a file that depends on whether near copies are counted. The two variants have separate files, as a
    /// run that counts copies once needs the files of the other variant for its first round.
    fn model_dependent_file(&self, options: &AnalysisOptions, extension: &str) -> PathBuf {
        match options.counting.one_copy {
            true => self.file(&format!("once.{extension}")),
            false => self.file(extension),
        }
    }

    /// A hash of what must be unchanged for a file to be used again.
    fn fingerprint(&self, what: &impl Serialize) -> Option<u64> {
        let program = program();
        let corpus = self.corpus.as_os_str().as_encoded_bytes();
        let all = (CACHE_VERSION, PREPROCESSING_VERSION, program, corpus, what);
        postcard::to_allocvec(&all).ok().map(|bytes| crc64(&bytes))
    }

    /// Creates the cache folder.
    pub fn prepare(&self) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.folder)
    }

    /// Stores something that does not belong to a particular analysis.
    fn store(&self, extension: &str, what: &impl Serialize) -> anyhow::Result<()> {
        self.prepare()?;
        write_checksummed(&self.file(extension), what)?;
        self.remove_oldest();
        Ok(())
    }

    /// Removes the oldest files until the total size is within [`LIMIT`].
    pub fn remove_oldest(&self) {
        remove_oldest_in(&self.folder, LIMIT);
    }
}

/// Decodes a file with a checksum; `None` if it does not exist or is damaged.
fn read_checksummed<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let bytes = read_at_most(path, LIMIT).ok()?;
    let (bytes, crc) = bytes.split_last_chunk()?;
    let whole = crc64(bytes) == u64::from_le_bytes(*crc);
    whole.then(|| postcard::from_bytes(bytes).ok()).flatten()
}

/// Writes a file with its checksum while it is encoded, as a review session may not have the memory for a second copy
/// of the data of every book.
fn write_checksummed(path: &Path, what: &impl Serialize) -> anyhow::Result<()> {
    endpaper_text::atomic::write_cache(path, |out| {
        let summed = postcard::to_io(what, ChecksumWriter::new(out));
        let (out, crc) = summed.map_err(std::io::Error::other)?.end();
        out.write_all(&crc.to_le_bytes())
    })
}

/// The stamp of the running program: another build may scan or detect differently without a change of version.
fn program() -> FileStamp {
    let stamp = endpaper_text::program::path();
    stamp.and_then(|path| stamp_of(&path)).unwrap_or_default()
}

/// Size and modification time of a file.
pub(super) fn stamp_of(path: &Path) -> Option<FileStamp> {
    let metadata = std::fs::metadata(path).ok()?;
    let modified = metadata.modified().ok();
    let since = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    Some(FileStamp {
        size: metadata.len(),
        modified: since.map_or(0, |since| since.as_nanos() as i128),
    })
}

/// The deepest folder (or the only file) that contains all paths.
fn common_folder(paths: &[&Path]) -> Option<PathBuf> {
    let (first, rest) = paths.split_first()?;
    let mut common = first.to_path_buf();
    for path in rest {
        while !path.starts_with(&common) && common.pop() {}
    }
    Some(common)
}

/// Whether a file of the cache folder, which other programs may use too, is one of ours: its name is 16 hexadecimal
/// digits with a known extension, and it begins with the right magic.
fn is_cache_file(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    let Some((number, ending)) = name.and_then(|name| name.split_once('.')) else {
        return false;
    };
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let magic: &[u8] = match ending {
        "model" | "once.model" => crate::frequency::magic::MODEL,
        "text" => b"\x1f\x8b",
        "scans" | "survey" | "once.survey" | "prints" | "clusters" | "opinions" => b"",
        _ => return false,
    };
    let mut begin = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(magic.len() as u64).read_to_end(&mut begin));
    number.len() == 16 && number.bytes().all(is_digit) && read.is_ok() && begin == magic
}

/// Removes the files used longest ago, until the folder has at most `limit` bytes.
fn remove_oldest_in(folder: &Path, limit: u64) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let files = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let path = entry.path();
        let metadata = entry.metadata().ok().filter(|facts| facts.is_file())?;
        is_cache_file(&path).then_some((metadata.modified().ok()?, metadata.len(), path))
    });
    let mut files: Vec<(SystemTime, u64, PathBuf)> = files.collect();
    files.sort();
    let mut total: u64 = files.iter().map(|file| file.1).sum();
    for (_, size, path) in files {
        if total <= limit {
            return;
        }
        // Removing fails if another process removed the file first.
        let _ = std::fs::remove_file(path);
        total = total.saturating_sub(size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corpus_is_named_by_the_folder_that_holds_it() {
        let cases: &[(&[&str], Option<&str>)] = &[
            (&[], None),
            (&["a/b.txt"], Some("a/b.txt")),
            (&["a/b.txt", "a/c/d.txt"], Some("a")),
            (&["/x/ab/c.txt", "/x/abc/c.txt"], Some("/x")),
            (&["a.txt", "b.txt"], Some("")),
        ];
        for (paths, expected) in cases {
            let paths: Vec<&Path> = paths.iter().map(Path::new).collect();
            assert_eq!(common_folder(&paths), expected.map(PathBuf::from));
        }
    }

    #[test]
    fn tidying_takes_the_oldest_of_our_files_only() {
        let folder = tempfile::tempdir().unwrap();
        let model = [&crate::frequency::magic::MODEL[..], &[0; 92]].concat();
        let zeros = vec![0; 100];
        let ours = "0123456789abcdef";
        let files = [
            (4, format!("{ours}.prints"), &zeros, false),
            (3, format!("{ours}.scans"), &zeros, false),
            (2, format!("{ours}.once.model"), &model, true),
            (1, format!("{ours}.survey"), &zeros, true),
            // Files of other programs in the same folder.
            (9, "notes.txt".to_owned(), &zeros, true),
            (9, "atoms.model".to_owned(), &zeros, true),
            (9, "letter.text".to_owned(), &zeros, true),
            (9, "land.survey".to_owned(), &zeros, true),
            (9, ".other.tmp".to_owned(), &zeros, true),
            (9, format!("{ours}.text"), &zeros, true),
            (9, "0123456789ABCDEF.scans".to_owned(), &zeros, true),
        ];
        for (age, name, bytes, _) in &files {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            let time = SystemTime::now() - std::time::Duration::from_secs(age * 100);
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(time).unwrap();
        }
        remove_oldest_in(folder.path(), 250);
        for (_, name, _, stays) in &files {
            assert_eq!(folder.path().join(name).exists(), *stays, "{name}");
        }
    }
}
