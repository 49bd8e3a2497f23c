//! Readers of the search index and of queries.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use endpaper_search::{IndexDocument, Query, QueryOptions, SearchIndex};
use endpaper_text::corpus::BookText;
use tempfile::TempDir;

use crate::books::write;
use crate::damaged::damaged;

/// The words of the query grammar are read, or refused with a place in the query.
pub fn query(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for any in [false, true] {
        let options = QueryOptions {
            any,
            ..QueryOptions::default()
        };
        if let Ok(query) = Query::read(&text, &options) {
            let index = SearchIndex::open(INDEX.0.path()).expect("a whole index");
            let _ = index.find(&query, 3);
        }
    }
}

/// Files with their paths.
type Files = Vec<(PathBuf, Vec<u8>)>;

/// An index of one book, and its files.
static INDEX: LazyLock<(TempDir, Files)> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a temporary folder");
    let index = SearchIndex::create(folder.path()).expect("an index");
    let text = b"CHAPTER I\n\nCall me Ishmael. The white whale.\n".to_vec();
    let writer = index.writer(1).expect("a writer");
    writer
        .put(IndexDocument::new("a.txt", BookText::new(text)))
        .expect("a document");
    writer.finish().expect("an index");
    drop(index);
    let files = files(folder.path(), folder.path());
    (folder, files)
});

/// The files below a folder, with their paths from `root`.
fn files(folder: &Path, root: &Path) -> Files {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path, root));
        } else {
            let name = path.strip_prefix(root).expect("a path below the root");
            found.push((name.to_owned(), std::fs::read(&path).expect("a file")));
        }
    }
    found.sort();
    found
}

/// An index with a damaged file gives what the whole one gives, or is refused and made anew.
pub fn index(bytes: &[u8]) {
    let Some((&which, changes)) = bytes.split_first() else {
        return;
    };
    let files = &INDEX.1;
    let folder = TempDir::new().expect("a temporary folder");
    for (at, (name, valid)) in files.iter().enumerate() {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        match at == usize::from(which) % files.len() {
            true => write(&path, &damaged(valid, changes)),
            false => write(&path, valid),
        }
    }
    let query = Query::read("whale", &QueryOptions::default()).expect("a query");
    if let Ok(index) = SearchIndex::open(folder.path())
        && let Ok(hits) = index.find(&query, 3)
    {
        assert_eq!(hits.total, 1, "a damaged index lost a book in silence");
    }
    if let Ok((index, _)) = SearchIndex::open_or_create(folder.path()) {
        assert!(index.find(&query, 3).is_ok());
    }
}
