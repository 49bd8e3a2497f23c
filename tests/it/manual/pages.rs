//! The pages: README.md and the chapters of the manual.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The manual's chapters, below the folder of the package.
pub const CHAPTERS: &str = "docs/src";

/// Held while a page is rewritten: tests of one binary share the pages.
static REWRITING: Mutex<()> = Mutex::new(());

/// A page of Markdown.
#[derive(Clone)]
pub struct Page {
    /// The path below the folder of the package, with `/`.
    pub name: String,
    pub text: String,
}

/// The folder of the package.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README.md, then the chapters by name.
pub fn pages() -> Vec<Page> {
    let chapters = fs::read_dir(root().join(CHAPTERS)).expect("the chapters of the manual");
    let chapters = chapters.map(|entry| entry.expect("a chapter").file_name());
    let mut names: Vec<String> = chapters
        .map(|name| format!("{CHAPTERS}/{}", name.to_string_lossy()))
        .filter(|name| name.ends_with(".md"))
        .collect();
    names.sort();
    names.insert(0, "README.md".to_owned());
    names.into_iter().map(read).collect()
}

fn read(name: String) -> Page {
    let text =
        fs::read_to_string(root().join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    Page { name, text }
}

/// Whether the pages are to be rewritten rather than compared.
pub fn is_updating() -> bool {
    std::env::var("ENDPAPER_UPDATE").is_ok_and(|what| what == "docs")
}

/// Changes a page on disk.
pub fn rewrite(name: &str, change: impl FnOnce(&Page) -> String) {
    let guard = REWRITING.lock();
    let page = read(name.to_owned());
    let changed = change(&page);
    let path: PathBuf = root().join(name);
    fs::write(&path, changed).unwrap_or_else(|error| panic!("{name}: {error}"));
    drop(guard);
}
