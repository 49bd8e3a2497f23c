//! The encodings of a collection: what someone chose for its books, else what most of them surely are.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::guess::{GUESS_BYTES, vote};
use super::{Book, BookLocation, BookReader, Encoding, EncodingChoice, ListingRequest};
use crate::atomic::{self, Existing};
use crate::cells::{escaped, unescaped};
use crate::files::{is_absent, read_text, refuse_link};

/// The name of the file with the chosen encodings, in the truth folder.
pub const ENCODINGS_FILE: &str = "encodings.tsv";

const HEADER: &str = "book\tencoding";

/// The id that stands for all books.
const ALL_BOOKS: &str = "*";

/// Most bytes of that file.
const LIMIT: u64 = 64 << 20;

/// How many books, evenly spread over a corpus, say what it is in.
const SAMPLE: usize = 48;

/// Fewest of them that must be of one encoding.
const MIN_VOTES: usize = 3;

/// The encodings that curators chose for single books and for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChosenEncodings {
    by_book: BTreeMap<String, Encoding>,
}

impl ChosenEncodings {
    /// Reads those of a truth folder; none if the file is missing.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or names an unknown encoding.
    pub fn read(folder: &Path) -> io::Result<ChosenEncodings> {
        let path = folder.join(ENCODINGS_FILE);
        ChosenEncodings::parse(&path, &read_file(&path)?)
    }

    /// Reads the text of a file.
    fn parse(path: &Path, text: &str) -> io::Result<ChosenEncodings> {
        let in_file = |at: usize, why: String| {
            let text = format!("{}:{at}: {why}", path.display());
            io::Error::new(io::ErrorKind::InvalidData, text)
        };
        let mut by_book = BTreeMap::new();
        for (at, line) in (1..).zip(text.lines().map(without_edges)) {
            match book_and_encoding(line) {
                Some((book, encoding)) => match encoding.parse() {
                    Ok(encoding) => {
                        by_book.insert(book.into_owned(), encoding);
                    }
                    // A comment with a tab.
                    Err(_) if line.starts_with('#') => {}
                    Err(why) => return Err(in_file(at, why)),
                },
                None if line.is_empty() || line.starts_with('#') || line == HEADER => {}
                None => {
                    let why = "write a book's id, a tab and an encoding";
                    return Err(in_file(at, why.to_owned()));
                }
            }
        }
        Ok(ChosenEncodings { by_book })
    }

    /// The encoding chosen for a book, by itself or with all others.
    pub fn of(&self, book: &str) -> Option<Encoding> {
        let found = self
            .by_book
            .get(book)
            .or_else(|| self.by_book.get(ALL_BOOKS));
        found.copied()
    }

    /// Stores the choice for a book, or with `None` for all books, in a truth folder; without an encoding it is taken back.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or is a link.
    pub fn store(folder: &Path, book: Option<&str>, chosen: Option<Encoding>) -> io::Result<()> {
        let path = folder.join(ENCODINGS_FILE);
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("'{}': {error}", path.display()))
        };
        refuse_link(&path).map_err(named)?;
        let text = read_file(&path)?;
        // What cannot be read is not written over.
        ChosenEncodings::parse(&path, &text)?;
        let changed = with_choice(&text, book.unwrap_or(ALL_BOOKS), chosen);
        if changed == text {
            return Ok(());
        }
        atomic::write_bytes(&path, Existing::Replace, changed.as_bytes()).map_err(named)
    }

    /// Adds the choices of other truth folders to those of the folder `into`. Books with several encodings are returned; what
    /// `into` says of them stays.
    ///
    /// # Errors
    ///
    /// A file cannot be read or written, or is a link.
    pub fn merge(folders: &[PathBuf], into: &Path) -> io::Result<BTreeSet<String>> {
        let path = into.join(ENCODINGS_FILE);
        let mut others = Vec::new();
        for folder in folders {
            others.push(ChosenEncodings::read(folder)?);
        }
        let mut text = read_file(&path)?;
        let known = ChosenEncodings::parse(&path, &text)?.by_book;
        let mut all = known.clone();
        let mut contradicted = BTreeSet::new();
        for (book, encoding) in others.into_iter().flat_map(|other| other.by_book) {
            if *all.entry(book.clone()).or_insert(encoding) != encoding {
                contradicted.insert(book);
            }
        }
        all.retain(|book, _| !known.contains_key(book) && !contradicted.contains(book));
        if !all.is_empty() {
            refuse_link(&path)?;
            for (book, encoding) in &all {
                append(&mut text, &written(book, *encoding));
            }
            atomic::write_bytes(&path, Existing::Replace, text.as_bytes())?;
        }
        Ok(contradicted)
    }
}

/// The text of a file of choices; empty if it is missing.
fn read_file(path: &Path) -> io::Result<String> {
    match read_text(path, LIMIT) {
        Err(error) if is_absent(&error) => Ok(String::new()),
        Err(error) => Err(io::Error::new(
            error.kind(),
            format!("{}: {error}", path.display()),
        )),
        text => text,
    }
}

/// What a line says; `None` for the header and lines without a tab. A line that begins with `#` is a comment only without a tab:
/// ids may begin so too.
fn book_and_encoding(line: &str) -> Option<(Cow<'_, str>, &str)> {
    let line = without_edges(line);
    if line == HEADER {
        return None;
    }
    let (book, encoding) = line.rsplit_once('\t')?;
    Some((unescaped(book), encoding))
}

/// A line without what editors add: a byte order mark, blanks and the line end.
fn without_edges(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').trim_end()
}

/// The line of a choice.
fn written(book: &str, encoding: Encoding) -> String {
    format!("{}\t{encoding}\n", escaped(book))
}

/// Appends a line to the text of a file of choices.
fn append(text: &mut String, line: &str) {
    if text.is_empty() {
        text.push_str(HEADER);
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(line);
}

/// The text of a file of choices with another choice for one book; all other lines stay as they are.
fn with_choice(text: &str, book: &str, chosen: Option<Encoding>) -> String {
    let mut row = chosen.map(|encoding| written(book, encoding));
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match book_and_encoding(line) {
            Some((of, _)) if *of == *book => out.extend(row.take()),
            _ => out.push_str(line),
        }
    }
    if let Some(row) = row {
        append(&mut out, &row);
    }
    out
}

impl ListingRequest {
    /// Sets how the encodings of the listed books are found, and returns how those are found that nothing was chosen for by
    /// themselves. The order of the books must not depend on chance.
    ///
    /// # Errors
    ///
    /// As [`ChosenEncodings::read`], and if the threads cannot be started.
    pub fn set_encodings(&self, books: &mut [Book]) -> io::Result<EncodingChoice> {
        self.pool()?.install(|| self.set_encodings_here(books))
    }

    /// [`ListingRequest::set_encodings`] on the threads of the current pool.
    pub(super) fn set_encodings_here(&self, books: &mut [Book]) -> io::Result<EncodingChoice> {
        let chosen = match &self.truth {
            Some(folder) if self.encoding.is_none() => ChosenEncodings::read(folder)?,
            _ => ChosenEncodings::default(),
        };
        let forced = self.encoding.or_else(|| chosen.of(ALL_BOOKS));
        let usual = match forced.or(self.usual_encoding) {
            Some(encoding) => EncodingChoice::Forced(encoding),
            None => settled(books).map_or(EncodingChoice::Guessed, EncodingChoice::Settled),
        };
        for book in books {
            let own = chosen.by_book.get(book.id.as_str());
            let choice = own.map_or(usual, |encoding| EncodingChoice::Forced(*encoding));
            book.encoding = match (&book.location, choice) {
                // What is extracted from other formats is UTF-8.
                (BookLocation::Document { .. }, EncodingChoice::Forced(_)) => {
                    EncodingChoice::Guessed
                }
                _ => choice,
            };
        }
        Ok(usual)
    }
}

/// The encoding that most books surely are in, of those that are not ASCII; `None` if it is one that needs no settling.
fn settled(books: &[Book]) -> Option<Encoding> {
    let texts: Vec<&Book> = (books.iter())
        .filter(|book| {
            !matches!(
                book.location,
                BookLocation::Document { .. } | BookLocation::Demo { .. }
            )
        })
        .collect();
    let sample = SAMPLE.min(texts.len());
    let votes: Vec<Encoding> = (0..sample)
        .into_par_iter()
        .map_init(BookReader::default, |reader, at| {
            let book = texts[at * texts.len() / sample];
            vote(reader.read_start(book, GUESS_BYTES)?)
        })
        .flatten()
        .collect();
    let mut counts: HashMap<Encoding, usize> = HashMap::new();
    for vote in &votes {
        *counts.entry(*vote).or_default() += 1;
    }
    let (encoding, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let is_most = count >= MIN_VOTES && 2 * count > votes.len();
    (is_most && !encoding.is_utf8_or_latin() && !encoding.is_utf16()).then_some(encoding)
}

#[cfg(test)]
mod tests {
    use super::super::{Listing, list};
    use super::*;
    use encoding_rs::{EUC_JP, SHIFT_JIS, WINDOWS_1250};

    const JAPANESE: &str = "\u{543e}\u{8f29}\u{306f}\u{732b}\u{3067}\u{3042}\u{308b}\u{3002}\u{540d}\u{524d}\u{306f}\u{307e}\u{3060}\u{7121}\u{3044}\u{3002}\n";
    const POLISH: &str = "Litwo! Ojczyzno moja! ty jeste\u{15b} jak zdrowie. Ile ci\u{119} trzeba ceni\u{107}, ten tylko si\u{119} dowie, kto ci\u{119} straci\u{142}. Dzi\u{15b} pi\u{119}kno\u{15b}\u{107} tw\u{105} w ca\u{142}ej ozdobie widz\u{119} i opisuj\u{119}, bo t\u{119}skni\u{119} po tobie.\n";

    fn corpus(books: &[(&str, &[u8])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in books {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        folder
    }

    fn listed(folder: &Path, change: impl FnOnce(&mut ListingRequest)) -> Listing {
        let mut request = ListingRequest {
            roots: vec![folder.to_owned()],
            ..ListingRequest::default()
        };
        change(&mut request);
        list(&request).unwrap()
    }

    /// The encodings in which the books are read.
    fn found(listing: &Listing) -> Vec<String> {
        let texts = listing.books.iter().map(|book| book.text(1 << 20).unwrap());
        texts.map(|text| text.encoding().to_string()).collect()
    }

    #[test]
    fn doubtful_books_are_in_the_encoding_of_most_books_unless_invalid_there() {
        let sure = SHIFT_JIS.encode(&JAPANESE.repeat(30)).0.into_owned();
        let few = "a book that is in English, but for one line\n".repeat(30);
        let few = [few.as_bytes(), &SHIFT_JIS.encode(JAPANESE).0[..10], b"\n"].concat();
        // A lead byte at the end of the line, and one that begins no character.
        let invalid = [&b"caf\xE9\nna\xEFve\n"[..], b"\xFF\xFF\n"].concat();
        let books: [(&str, &[u8]); 8] = [
            ("a.txt", b"plain text"),
            ("b.txt", &sure),
            ("c.txt", &sure),
            ("d.txt", &few),
            ("e.txt", &sure),
            ("f.txt", &invalid),
            ("g.txt", &sure),
            ("h.txt", JAPANESE.as_bytes()),
        ];
        let folder = corpus(&books);
        let jis = "shift_jis";
        let expected = ["ascii", jis, jis, jis, jis, "windows-1252", jis, "utf-8"];
        assert_eq!(found(&listed(folder.path(), |_| ())), expected);
        // The books that are left out speak for the collection too.
        let one = listed(folder.path(), |request| {
            request.include = vec!["d.txt".to_owned()]
        });
        assert_eq!(found(&one), [jis]);
        let mut piece = listed(folder.path(), |_| ());
        piece.settle_nothing();
        assert_eq!(found(&piece)[3], "windows-1252");
        let alone = corpus(&books[3..4]);
        assert_eq!(found(&listed(alone.path(), |_| ())), ["windows-1252"]);
    }

    #[test]
    fn a_character_that_is_cut_in_two_does_not_hide_the_encoding() {
        for ascii in ["", "x", "xx"] {
            for line_end in ["\n", "\r"] {
                let text = format!("{ascii}{}", JAPANESE.replace('\n', line_end).repeat(4000));
                let found = Encoding::guess(&SHIFT_JIS.encode(&text).0);
                assert_eq!(found, Encoding::Other(SHIFT_JIS), "{ascii} {line_end:?}");
            }
        }
    }

    #[test]
    fn a_collection_of_mixed_encodings_settles_nothing() {
        let jis = SHIFT_JIS.encode(&JAPANESE.repeat(30)).0.into_owned();
        let euc = EUC_JP.encode(&JAPANESE.repeat(30)).0.into_owned();
        // The ends of a short file are both the whole of it: fewer than half of the bytes that a guess needs.
        let few = SHIFT_JIS.encode(JAPANESE).0[..16].to_vec();
        let folder = corpus(&[
            ("a.txt", &jis),
            ("b.txt", &jis),
            ("c.txt", &jis),
            ("d.txt", &euc),
            ("e.txt", &euc),
            ("f.txt", &euc),
            ("g.txt", &few),
        ]);
        let (jis, euc) = ("shift_jis", "euc-jp");
        let expected = [jis, jis, jis, euc, euc, euc, "windows-1252"];
        assert_eq!(found(&listed(folder.path(), |_| ())), expected);
    }

    #[test]
    fn an_encoding_of_a_latin_script_is_known_by_the_collection_only() {
        let polish = WINDOWS_1250.encode(&POLISH.repeat(20)).0.into_owned();
        let names = ["a.txt", "b.txt", "c.txt", "d.txt"];
        let books = names.map(|name| (name, &polish[..]));
        let folder = corpus(&books);
        assert_eq!(found(&listed(folder.path(), |_| ())), ["windows-1250"; 4]);
        let alone = corpus(&books[..1]);
        assert_eq!(found(&listed(alone.path(), |_| ())), ["windows-1252"]);
    }

    #[test]
    fn the_argument_goes_before_the_truth_folder_and_that_before_the_setting() {
        let folder = corpus(&[
            ("a.txt", b"\x80\n"),
            ("b.txt", b"\x80\n"),
            ("c.txt", b"\x80\n"),
        ]);
        let truth = tempfile::tempdir().unwrap();
        let named = |name: &str| Some(name.parse().unwrap());
        let of = |argument: Option<&str>, setting: Option<&str>| {
            found(&listed(folder.path(), |request| {
                request.truth = Some(truth.path().to_owned());
                request.encoding = argument.map(|name| name.parse().unwrap());
                request.usual_encoding = setting.map(|name| name.parse().unwrap());
            }))
        };
        assert_eq!(of(None, Some("cp852")), ["cp852"; 3]);
        ChosenEncodings::store(truth.path(), Some("a.txt"), named("cp437")).unwrap();
        assert_eq!(of(None, Some("cp852")), ["cp437", "cp852", "cp852"]);
        ChosenEncodings::store(truth.path(), None, named("koi8-r")).unwrap();
        assert_eq!(of(None, Some("cp852")), ["cp437", "koi8-r", "koi8-r"]);
        assert_eq!(of(Some("gbk"), Some("cp852")), ["gbk"; 3]);
        ChosenEncodings::store(truth.path(), Some("a.txt"), None).unwrap();
        assert_eq!(of(None, None), ["koi8-r"; 3]);
    }

    #[test]
    fn a_file_of_choices_with_a_mistake_is_refused_with_its_line() {
        let truth = corpus(&[(
            ENCODINGS_FILE,
            b"book\tencoding\r\na.txt\tcp437\r\nb.txt\tutf-7\r\n",
        )]);
        let error = ChosenEncodings::read(truth.path()).unwrap_err().to_string();
        assert!(
            error.contains("encodings.tsv:3: 'utf-7' cannot be read"),
            "{error}"
        );
        let stored = ChosenEncodings::store(truth.path(), Some("c.txt"), Some(Encoding::Utf8));
        assert!(stored.is_err(), "what cannot be read is not written over");
        let odd = tempfile::tempdir().unwrap();
        ChosenEncodings::store(odd.path(), Some("a\tb\n.txt"), Some(Encoding::Utf8)).unwrap();
        let read = ChosenEncodings::read(odd.path()).unwrap();
        assert_eq!(read.of("a\tb\n.txt"), Some(Encoding::Utf8));
        assert_eq!(read.of("c.txt"), None);
    }

    #[test]
    fn what_editors_add_does_no_harm() {
        for text in [
            "\u{feff}book\tencoding\nb.txt\tcp437\n",
            "book\tencoding  \r\n \r\nb.txt\tcp437 \r\n",
            "\u{feff}# my\tcomment\nb.txt\tcp437",
        ] {
            let chosen = ChosenEncodings::parse(Path::new("x"), text).unwrap();
            assert_eq!(chosen.of("b.txt").unwrap().to_string(), "cp437", "{text:?}");
            assert_eq!(chosen.by_book.len(), 1, "{text:?}");
        }
    }

    #[test]
    fn other_lines_and_ids_that_begin_as_comments_are_kept() {
        let file = "# by Anna\nbook\tencoding\r\n#1 Title.txt\tcp437\r\n# the rest\nb.txt\tgbk";
        let truth = corpus(&[(ENCODINGS_FILE, file.as_bytes())]);
        let of = |book: &str| ChosenEncodings::read(truth.path()).unwrap().of(book);
        let text = || std::fs::read_to_string(truth.path().join(ENCODINGS_FILE)).unwrap();
        assert_eq!(of("#1 Title.txt"), "cp437".parse().ok());
        ChosenEncodings::store(truth.path(), Some("a.txt"), Some(Encoding::Utf8)).unwrap();
        assert_eq!(text(), format!("{file}\na.txt\tutf-8\n"));
        ChosenEncodings::store(truth.path(), Some("b.txt"), Some(Encoding::Utf8)).unwrap();
        ChosenEncodings::store(truth.path(), Some("#1 Title.txt"), None).unwrap();
        assert_eq!(
            text(),
            "# by Anna\nbook\tencoding\r\n# the rest\nb.txt\tutf-8\na.txt\tutf-8\n"
        );
        assert_eq!(of("#1 Title.txt"), None);
    }

    #[test]
    fn folders_are_merged_but_for_books_with_two_encodings() {
        let rows = |rows: &str| corpus(&[(ENCODINGS_FILE, rows.as_bytes())]);
        let anna = rows("a.txt\tgbk\nb.txt\tgbk\nc.txt\tgbk\n");
        let ben = rows("a.txt\tgbk\nb.txt\tbig5\nd.txt\tbig5\n");
        let into = rows("# both\nc.txt\tbig5\n");
        let folders = [anna.path().to_owned(), ben.path().to_owned()];
        let contradicted = ChosenEncodings::merge(&folders, into.path()).unwrap();
        let books: Vec<&str> = contradicted.iter().map(String::as_str).collect();
        assert_eq!(books, ["b.txt", "c.txt"]);
        let text = std::fs::read_to_string(into.path().join(ENCODINGS_FILE)).unwrap();
        assert_eq!(text, "# both\nc.txt\tbig5\na.txt\tgbk\nd.txt\tbig5\n");
    }

    #[test]
    fn utf_16_without_a_mark_is_read_if_it_is_said_to_be() {
        let wide: Vec<u8> = JAPANESE
            .repeat(9)
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let folder = corpus(&[("a.txt", &wide)]);
        let forced = listed(folder.path(), |request| {
            request.encoding = Some(Encoding::Utf16Le)
        });
        let text = forced.books[0].text(1 << 20).unwrap();
        assert_eq!(
            (text.lines(), text.display(9, 200).as_ref()),
            (9, JAPANESE.trim())
        );
    }
}
