//! From files to books: each file is looked at, on all cores, while folders are still read.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;

use super::find::find;
use super::{Listing, Request};
use crate::corpus::members::members;
use crate::corpus::source::binary;
use crate::corpus::{Book, BookId, Place, Skipped, Stamp, Unreadable};

/// A file that is or may hold books.
pub(super) struct Found {
    pub id: String,
    pub path: PathBuf,
    /// Named outright: counts whatever its name.
    pub named: bool,
}

/// Files are handed to other threads by so many: folders are read on while each file is looked at.
const BATCH: usize = 256;

/// Files on their way to become books.
pub(super) struct Look<'a, 'scope> {
    scope: &'a rayon::Scope<'scope>,
    done: &'scope Mutex<Vec<(usize, Listing)>>,
    batch: Vec<Found>,
    batches: usize,
    /// What could not even be found.
    pub skipped: Vec<Skipped>,
    /// HTML files are wanted.
    pub html: bool,
}

impl Look<'_, '_> {
    /// The books of everything that is asked for, in the order found.
    pub fn at_all_of(request: &Request) -> Result<Listing> {
        let done = Mutex::new(Vec::new());
        let skipped = rayon::in_place_scope(|scope| {
            let mut look = Look {
                scope,
                done: &done,
                batch: Vec::new(),
                batches: 0,
                skipped: Vec::new(),
                html: request.html,
            };
            find(request, &mut look)?;
            look.hand_over();
            Ok::<_, anyhow::Error>(look.skipped)
        })?;
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(batch, _)| *batch);
        let mut listing = Listing {
            books: Vec::new(),
            skipped,
        };
        for (_, part) in done {
            listing.books.extend(part.books);
            listing.skipped.extend(part.skipped);
        }
        Ok(listing)
    }

    /// Takes a file, to be looked at soon.
    pub fn at(&mut self, file: Found) {
        self.batch.push(file);
        if self.batch.len() >= BATCH {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        let (files, batch, done) = (std::mem::take(&mut self.batch), self.batches, self.done);
        let html = self.html;
        self.batches += 1;
        self.scope.spawn(move |_| {
            let mut listing = Listing::default();
            for file in &files {
                books_of(file, html, &mut listing);
            }
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((batch, listing));
        });
    }
}

/// Whether a file that was not named outright may hold books.
pub(super) fn is_wanted(path: &Path, html: bool) -> bool {
    match Ending::of(path) {
        Ending::Text | Ending::Zip | Ending::Gzip => true,
        Ending::Html => html,
        Ending::Other => false,
        Ending::None => holds_text(path),
    }
}

/// What the ending of a file's name tells, in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Text,
    Html,
    Zip,
    Gzip,
    Other,
    None,
}

impl Ending {
    fn of(path: &Path) -> Ending {
        let Some(ending) = path.extension() else {
            return Ending::None;
        };
        let is = |word: &str| ending.eq_ignore_ascii_case(word);
        match () {
            () if is("txt") || is("text") || is("asc") => Ending::Text,
            () if is("html") || is("htm") => Ending::Html,
            () if is("zip") => Ending::Zip,
            () if is("gz") => Ending::Gzip,
            () => Ending::Other,
        }
    }
}

/// The first 4 KiB of a file without an ending read like text.
fn holds_text(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4096).read_to_end(&mut start));
    read.is_ok() && !start.is_empty() && binary(&start).is_none()
}

/// Adds the books of one file.
fn books_of(file: &Found, html: bool, listing: &mut Listing) {
    let skip = |listing: &mut Listing, error: io::Error| {
        listing.skipped.push(Skipped {
            id: BookId::new(&file.id),
            reason: Unreadable::Io(error.to_string()),
        });
    };
    let stamp = match Stamp::of(&file.path) {
        Ok(stamp) => stamp,
        Err(error) => return skip(listing, error),
    };
    match Ending::of(&file.path) {
        Ending::Zip => match File::open(&file.path) {
            Ok(open) => {
                let place = Some((file.path.as_path(), stamp));
                let open = io::BufReader::new(open);
                members(open, place, &file.id, (file.named, html), listing);
            }
            Err(error) => skip(listing, error),
        },
        Ending::Gzip => {
            let inner = file.path.file_stem().map(Path::new);
            let inner = inner.map(Ending::of);
            // `books.tar.gz` is an archive of another kind, `book.html.gz` no text: they count only if named outright.
            let wanted = match inner {
                Some(Ending::None | Ending::Text) => true,
                Some(Ending::Html) => html,
                _ => false,
            };
            if file.named || wanted {
                let place = Place::Gzip(file.path.clone());
                listing.books.push(Book {
                    id: BookId::new(&file.id),
                    place,
                    stamp,
                });
            }
        }
        _ => {
            let place = Place::File(file.path.clone());
            listing.books.push(Book {
                id: BookId::new(&file.id),
                place,
                stamp,
            });
        }
    }
}
