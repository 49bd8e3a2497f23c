//! Which files are books, in which order, under which ids.
//!
//! Folders are walked recursively. Books are `.txt`, `.text` and `.asc` files, files without an extension that hold text, and
//! members of `.zip` and `.gz` files by the same rule; also `.html` and `.htm` files if the request includes them, and `.pdf`
//! and `.epub` files if it says how to read them. A PDF or EPUB file next to a text file of the same name is taken for the same
//! book and counts only if named outright, and so does a PDF file next to an EPUB file. Files named outright always count.
//! Hidden files, folders that hold `.endpaper` and the truth folder never do.

mod classify;
mod find;
mod given;
mod member;
pub(super) mod request;
mod wildcards;

use std::collections::HashSet;
use std::io::Cursor;

use anyhow::{Context, Result, bail};
use globset::{Glob, GlobSet, GlobSetBuilder};

use self::classify::FileClassifier;
use self::find::find;
use self::member::MemberFilter;
pub use self::request::{Listing, ListingRequest};
use super::members::list_members;
use super::{Book, BookId, demo};
use crate::wording::{plural, thousands};

/// Lists the books of a corpus.
///
/// # Errors
///
/// Only for wrong use: a root that does not exist, an invalid glob, a list that cannot be read, no books at all. And if the
/// threads cannot be started.
pub fn list(request: &ListingRequest) -> Result<Listing> {
    // One of the threads walks, so that a request for one thread takes no more.
    request.pool()?.install(|| list_here(request))
}

/// Lists the books of a corpus on the threads of the current pool.
fn list_here(request: &ListingRequest) -> Result<Listing> {
    let filter = IdFilter::new(&request.include, &request.exclude)?;
    let mut listing = Listing::default();
    if request.demo {
        list_members(
            Cursor::new(demo::ARCHIVE),
            None,
            "demo",
            (false, false),
            &mut listing,
        );
    } else if request.is_standard_input() {
        listing
            .books
            .push(given::standard_input(request.standard_input_limit)?);
    } else {
        let (request, members) = MemberFilter::of(request);
        listing = FileClassifier::list_all(&request, find)?;
        members.retain(&mut listing);
    }
    listing.books.sort_by(|a, b| a.id.cmp(&b.id));
    // The books that are left out speak for the collection too.
    listing.usual_encoding = request.set_encodings_here(&mut listing.books)?;
    let found = listing.books.len() + listing.skipped.len();
    let example = listing.books.first().map(|book| book.id.clone());
    listing
        .books
        .retain(|book| filter.accepts(book.id.as_str()));
    listing
        .skipped
        .retain(|skipped| filter.accepts(skipped.id.as_str()));
    listing.skipped.sort_by(|a, b| a.id.cmp(&b.id));
    make_unique(&mut listing.books);
    if listing.books.is_empty() && listing.skipped.is_empty() {
        if found > 0 {
            bail!(filtered(request, found, example));
        }
        bail!(NoBooks(format!(
            "no books in {}: looked for .txt, .text, .asc, {}{}.zip and .gz files; name a file outright to take it \
             whatever its name",
            where_looked(request),
            if request.html { ".html, .htm, " } else { "" },
            if request.documents.is_some() {
                ".pdf, .epub, "
            } else {
                ""
            }
        )));
    }
    Ok(listing)
}

/// There is no book in a corpus, with or without globs.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoBooks(String);

/// The message when the globs of the request leave none of the `found` books.
fn filtered(request: &ListingRequest, found: usize, example: Option<BookId>) -> String {
    let quoted = |globs: &[String]| {
        let globs: Vec<String> = globs.iter().map(|glob| format!("'{glob}'")).collect();
        globs.join(", ")
    };
    let searched = where_looked(request);
    let example = example.map_or_else(String::new, |id| format!(", such as '{id}'"));
    let (count, noun) = (thousands(found), plural(found, "book"));
    match (request.include.is_empty(), request.exclude.is_empty()) {
        (true, _) => format!(
            "all of the {count} {noun} in {searched} are left out by {}; exclude fewer",
            quoted(&request.exclude)
        ),
        (false, true) => format!(
            "none of the {count} {noun} in {searched} has an id that matches {}; ids are paths below the corpus{example}, and * \
             matches any part of one",
            quoted(&request.include)
        ),
        (false, false) => format!(
            "none of the {count} {noun} in {searched} matches {} and is not left out by {}; ids are paths below the \
             corpus{example}",
            quoted(&request.include),
            quoted(&request.exclude)
        ),
    }
}

/// The folders that were searched, for a message.
fn where_looked(request: &ListingRequest) -> String {
    let names: Vec<String> = request
        .roots
        .iter()
        .map(|root| format!("'{}'", root.display()))
        .collect();
    match (&request.files_from, names.is_empty()) {
        (None, false) if request.is_standard_input() => "standard input".to_owned(),
        (Some(list), _) => format!("the list '{}'", list.display()),
        (None, true) => "the current folder".to_owned(),
        (None, false) => names.join(", "),
    }
}

/// Which ids the globs of a request leave.
#[derive(Debug)]
pub struct IdFilter {
    /// `None` includes all.
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl IdFilter {
    /// A filter of the globs of [`ListingRequest::include`] and [`ListingRequest::exclude`].
    ///
    /// # Errors
    ///
    /// An invalid glob.
    pub fn new(include: &[String], exclude: &[String]) -> Result<IdFilter> {
        let included = (!include.is_empty()).then(|| globs(include));
        Ok(IdFilter {
            include: included.transpose()?,
            exclude: globs(exclude)?,
        })
    }

    /// Whether a book with this id is left.
    pub fn accepts(&self, id: &str) -> bool {
        let include = self.include.as_ref();
        include.is_none_or(|include| include.is_match(id)) && !self.exclude.is_match(id)
    }
}

/// Compiles globs.
fn globs(patterns: &[String]) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(pattern).with_context(|| format!("'{pattern}' is not a valid glob"))?);
    }
    set.build().context("the globs are too many or too large")
}

/// Makes ids unique. A book listed twice (same id and location) is dropped; otherwise the first book keeps its id and
/// later ones get `~2`, `~3`, ...
fn make_unique(books: &mut Vec<Book>) {
    books.dedup_by(|a, b| a.id == b.id && a.location == b.location);
    if books.windows(2).all(|pair| pair[0].id != pair[1].id) {
        return;
    }
    let mut taken: HashSet<BookId> = HashSet::with_capacity(books.len());
    let mut renamed = false;
    for book in books.iter_mut() {
        if taken.contains(&book.id) {
            let free = (2..)
                .map(|n| BookId::new(&format!("{}~{n}", book.id)))
                .find(|id| !taken.contains(id));
            book.id = free.unwrap_or_else(|| book.id.clone());
            renamed = true;
        }
        taken.insert(book.id.clone());
    }
    if renamed {
        books.sort_by(|a, b| a.id.cmp(&b.id));
    }
}

#[cfg(test)]
mod tests;
