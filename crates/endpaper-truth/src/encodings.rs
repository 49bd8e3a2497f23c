//! The encodings that curators choose, written under the lock of the records: two who choose at once lose nothing.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use endpaper_text::corpus::{ChosenEncodings, Encoding};

use super::Store;

impl Store {
    /// Stores the encoding chosen for a book, or with `None` for all books; without an encoding the choice is taken back.
    ///
    /// # Errors
    ///
    /// As [`ChosenEncodings::store`], and if the folder has vanished or another process does not stop writing to it.
    pub fn keep_encoding(&self, book: Option<&str>, chosen: Option<Encoding>) -> io::Result<()> {
        let _lock = self.lock_for_writing()?;
        ChosenEncodings::store(self.folder(), book, chosen)
    }

    /// Adds the encodings chosen in other truth folders. Returns the books with several encodings.
    ///
    /// # Errors
    ///
    /// As [`ChosenEncodings::merge`], and if the folder has vanished or another process does not stop writing to it.
    pub fn merge_encodings(&self, folders: &[PathBuf]) -> io::Result<BTreeSet<String>> {
        let _lock = self.lock_for_writing()?;
        ChosenEncodings::merge(folders, self.folder())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn two_writers_at_once_lose_no_choice() {
        const BOOKS: usize = 40;
        let folder = &tempfile::tempdir().unwrap();
        let chosen: Option<Encoding> = "cp437".parse().ok();
        let book = |writer: usize, at: usize| format!("{writer}-{at}.txt");
        thread::scope(|scope| {
            for writer in 0..2 {
                scope.spawn(move || {
                    let store = Store::open(folder.path()).unwrap();
                    for at in 0..BOOKS {
                        store
                            .keep_encoding(Some(&book(writer, at)), chosen)
                            .unwrap();
                    }
                });
            }
        });
        let kept = ChosenEncodings::read(folder.path()).unwrap();
        let books = (0..2).flat_map(|writer| (0..BOOKS).map(move |at| book(writer, at)));
        let lost: Vec<String> = books.filter(|book| kept.of(book) != chosen).collect();
        assert!(lost.is_empty(), "{lost:?}");
    }
}
