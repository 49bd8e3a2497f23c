//! What a later run can use again, below the user's cache folder.
//!
//! Up to eight files for each corpus, named by a hash of the folder that holds it:
//!
//! | file | what | valid as long as |
//! | --- | --- | --- |
//! | `.scans` | the Scan of every book | windows and program are the same; each Scan by the state of its file |
//! | `.model` | the counts, an ordinary model file | its parameters, corpus digest included, are the ones wanted |
//! | `.survey` | what [`super::CorpusReport`] holds but for the model | listing, options and program are the same |
//! | `.once.model`, `.once.survey` | the same where near copies count once | the same |
//! | `.prints` | fingerprints of bodies ([`crate::copies`]) | program is the same; each by the digest of its book, its lines and its shape |
//! | `.clusters` | clusters of near copies ([`super::CopyClusters`]) | program, books, cuts and options are the same |
//! | `.grams` | frequent n-grams and the cuts they call for ([`super::GramCuts`]) | program and listing are the same |
//!
//! Beside them are the texts of PDF and EPUB files (`.text`, [`endpaper_text::corpus::extract`]), one per file.
//!
//! Every file is written whole or not at all and carries checksums; whatever is wrong with one, it is as if it were not
//! there. Programs running at once may overwrite each other's files and never mix them: an analysis names its model.
//! A new run replaces its corpus's files, and the oldest files go when all take more than [`LIMIT`].

mod clusters;
mod fingerprints;
mod grams;
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

/// Changes with every change of what is in the files.
const CACHE_VERSION: u32 = 4;

/// Largest size of all files together, in bytes.
const LIMIT: u64 = 2 << 30;

/// The files of one corpus.
#[derive(Clone, Debug)]
pub(super) struct CorpusCache {
    folder: PathBuf,
    /// The folder of the corpus, absolute.
    corpus: PathBuf,
}

impl CorpusCache {
    /// The files of a corpus in the cache folder. `None` where there is nothing to gain: without a folder, for the
    /// demonstration, and for a corpus without books.
    pub fn of(folder: Option<&Path>, books: &[Book]) -> Option<CorpusCache> {
        let paths: Option<Vec<&Path>> = books.iter().map(|book| book.location.path()).collect();
        Some(CorpusCache {
            folder: folder?.to_owned(),
            corpus: std::path::absolute(common_folder(&paths?)?).ok()?,
        })
    }

    /// The file of one kind.
    fn file(&self, extension: &str) -> PathBuf {
        let name = crc64(self.corpus.as_os_str().as_encoded_bytes());
        self.folder.join(format!("{name:016x}.{extension}"))
    }

    /// The counts of the corpus.
    pub fn model_file(&self, options: &AnalysisOptions) -> PathBuf {
        self.model_dependent_file(options, "model")
    }

    /// A file that depends on whether near copies are counted: one of each, so that a run of one kind leaves alone what a
    /// run of the other kind needs, which is its own first round.
    fn model_dependent_file(&self, options: &AnalysisOptions, extension: &str) -> PathBuf {
        match options.counting.one_copy {
            true => self.file(&format!("once.{extension}")),
            false => self.file(extension),
        }
    }

    /// Hashes what must be the same for a file to be used again.
    fn fingerprint(&self, what: &impl Serialize) -> Option<u64> {
        let program = program();
        let corpus = self.corpus.as_os_str().as_encoded_bytes();
        let all = (CACHE_VERSION, PREPROCESSING_VERSION, program, corpus, what);
        postcard::to_allocvec(&all).ok().map(|bytes| crc64(&bytes))
    }

    /// Makes the folder.
    pub fn prepare(&self) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.folder)
    }

    /// Keeps what belongs to no analysis in a file of its own.
    fn store(&self, extension: &str, what: &impl Serialize) -> anyhow::Result<()> {
        self.prepare()?;
        write_checksummed(&self.file(extension), what)?;
        self.remove_oldest();
        Ok(())
    }

    /// Removes the oldest files while all together are larger than the limit.
    pub fn remove_oldest(&self) {
        remove_oldest_in(&self.folder, LIMIT);
    }
}

/// What a file holds before its checksum; `None` if there is no such file or something is wrong with it.
fn read_checksummed<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let bytes = read_at_most(path, LIMIT).ok()?;
    let (bytes, crc) = bytes.split_last_chunk()?;
    let whole = crc64(bytes) == u64::from_le_bytes(*crc);
    whole.then(|| postcard::from_bytes(bytes).ok()).flatten()
}

/// Writes a file with its checksum, as it goes: in a sitting there is no room for a second copy of what is known of every
/// book.
fn write_checksummed(path: &Path, what: &impl Serialize) -> anyhow::Result<()> {
    endpaper_text::atomic::write(path, endpaper_text::atomic::Existing::Replace, |out| {
        let summed = postcard::to_io(what, ChecksumWriter::new(out));
        let (out, crc) = summed.map_err(std::io::Error::other)?.end();
        out.write_all(&crc.to_le_bytes())
    })
}

/// The state of this very program: another build may scan or detect differently without a change of version.
fn program() -> FileStamp {
    let stamp = std::env::current_exe().ok();
    stamp.and_then(|path| stamp_of(&path)).unwrap_or_default()
}

/// The state of a file.
pub(super) fn stamp_of(path: &Path) -> Option<FileStamp> {
    let metadata = std::fs::metadata(path).ok()?;
    let modified = metadata.modified().ok();
    let since = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    Some(FileStamp {
        size: metadata.len(),
        modified: since.map_or(0, |since| since.as_nanos() as i128),
    })
}

/// The deepest folder (or the only file) that holds all paths.
fn common_folder(paths: &[&Path]) -> Option<PathBuf> {
    let (first, rest) = paths.split_first()?;
    let mut common = first.to_path_buf();
    for path in rest {
        while !path.starts_with(&common) && common.pop() {}
    }
    Some(common)
}

/// Whether a file of the cache folder, which others may use too, is one that this program made: its name is 16 hexadecimal
/// digits and a known ending, and it begins as such files do.
fn is_cache_file(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    let Some((number, ending)) = name.and_then(|name| name.split_once('.')) else {
        return false;
    };
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let magic: &[u8] = match ending {
        "model" | "once.model" => crate::frequency::magic::MODEL,
        "text" => b"\x1f\x8b",
        "scans" | "survey" | "once.survey" | "prints" | "clusters" | "grams" => b"",
        _ => return false,
    };
    let mut begin = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(magic.len() as u64).read_to_end(&mut begin));
    number.len() == 16 && number.bytes().all(is_digit) && read.is_ok() && begin == magic
}

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
        // A file that another process or user removed first is as well gone.
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
            // Of others, in a folder that they use too.
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
