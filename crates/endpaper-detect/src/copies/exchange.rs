//! Fingerprints as a file that libraries can share: no text, one line a book.
//!
//! A tab-separated table with a header, cells escaped as in every table of endpaper, `-` for what is unknown. How the
//! fingerprints were computed is on every line, so that a line means the same in whatever file it ends up. Vladimir et al.,
//! section 6, imagine such an identifier: "comprised of both metadata (ISBN) and identifiers derived from content".
//!
//! The files of others are not trusted: the reader holds one line at a time, a line has a greatest length, and what is wrong is
//! an error with its line and its value.

use std::io::{self, BufRead};
use std::str::FromStr;

use endpaper_text::cells::{from_cell, to_cell};

use super::{Fingerprint, FingerprintBits, FingerprintShape, HASH, NGRAMS};

/// The columns, in the order they are written. All but the last are needed; others may follow, and their order is free.
const COLUMNS: [&str; 12] = [
    "fingerprint",
    "book",
    "number",
    "isbn",
    "lines",
    "bytes",
    "body_bytes",
    "bits",
    "ngram",
    "part",
    "hash",
    "endpaper",
];

/// Number of columns that are needed.
const NEEDED: usize = COLUMNS.len() - 1;

/// Most bytes of a line.
const LONGEST_LINE: u64 = 64 << 10;

/// Begins every gzip file.
const GZIP: &[u8] = b"\x1f\x8b";

/// What the fingerprints of a file were computed from and how. Only those of one kind can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FingerprintKind {
    /// Their length, and that of n-grams.
    pub shape: FingerprintShape,
    /// Whether they are of whole files instead of bodies.
    pub whole_file: bool,
}

/// A book of a file of fingerprints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FingerprintRecord {
    /// Its id in the corpus of its library.
    pub book: String,
    /// Number of the e-book in its header.
    pub number: Option<u32>,
    /// Its ISBN, or the first of several.
    pub isbn: Option<String>,
    /// Lines of the file.
    pub lines: Option<u32>,
    /// Size of the file in bytes.
    pub bytes: Option<u64>,
    /// Size of the part that was compared, in bytes.
    pub body_bytes: Option<u64>,
    /// The fingerprint; `None` for a text that is too short to have one.
    pub fingerprint: Option<Fingerprint>,
}

/// Why a file of fingerprints cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FingerprintFileError {
    /// It cannot be read at all.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not as it has to be.
    #[error("line {line}: {message}")]
    Line {
        /// The number of the line, from 1.
        line: u64,
        /// What is wrong with which value, and what to do.
        message: String,
    },
}

/// The header line of a file.
pub fn header() -> String {
    COLUMNS.join("\t")
}

/// The line of a book.
pub fn line(kind: FingerprintKind, record: &FingerprintRecord) -> String {
    fn known<T: ToString>(value: &Option<T>) -> String {
        value.as_ref().map_or_else(|| "-".to_owned(), T::to_string)
    }
    let part = if kind.whole_file { WHOLE_FILE } else { BODY };
    let cells = [
        known(&record.fingerprint),
        to_cell(&record.book),
        known(&record.number),
        record.isbn.as_deref().map_or("-".to_owned(), to_cell),
        known(&record.lines),
        known(&record.bytes),
        known(&record.body_bytes),
        kind.shape.bits.to_string(),
        kind.shape.ngram.to_string(),
        part.to_owned(),
        HASH.to_owned(),
        env!("CARGO_PKG_VERSION").to_owned(),
    ];
    cells.join("\t")
}

/// The words of the column `part`.
const BODY: &str = "body";
const WHOLE_FILE: &str = "whole-file";

/// Reads a file of fingerprints, one book at a time. After an error it ends.
#[derive(Debug)]
pub struct FingerprintReader<R> {
    source: R,
    /// The first line, which tables that were concatenated have again.
    header: String,
    /// Where each of [`COLUMNS`] that is needed is.
    places: [usize; NEEDED],
    /// Number of cells of a line.
    width: usize,
    /// That of the first book, and its line.
    kind: Option<(FingerprintKind, u64)>,
    line: u64,
    ended: bool,
}

impl<R: BufRead> FingerprintReader<R> {
    /// A reader that has read the header.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is compressed, or lacks a column.
    pub fn new(source: R) -> Result<FingerprintReader<R>, FingerprintFileError> {
        let mut reader = FingerprintReader {
            source,
            header: String::new(),
            places: [0; NEEDED],
            width: 0,
            kind: None,
            line: 0,
            ended: false,
        };
        if reader.source.fill_buf()?.starts_with(GZIP) {
            return Err(reader.wrong("is compressed; unpack the file with gunzip".to_owned()));
        }
        let Some(header) = reader.next_line()? else {
            return Err(reader.wrong(format!("the file is empty; {REMEDY}")));
        };
        let names: Vec<&str> = header.split('\t').collect();
        for (place, column) in reader.places.iter_mut().zip(COLUMNS) {
            let mut found = names
                .iter()
                .enumerate()
                .filter(|(_, name)| **name == column);
            *place = match (found.next(), found.next()) {
                (Some((at, _)), None) => at,
                (first, _) => {
                    let many = if first.is_some() {
                        "two columns"
                    } else {
                        "no column"
                    };
                    let message = format!("the header has {many} '{column}'; {REMEDY}");
                    return Err(FingerprintFileError::Line { line: 1, message });
                }
            };
        }
        reader.width = names.len();
        reader.header = header;
        Ok(reader)
    }

    /// The kind of all fingerprints that were read so far; `None` before the first.
    pub fn kind(&self) -> Option<FingerprintKind> {
        self.kind.map(|(kind, _)| kind)
    }

    /// Whether there is no more book, after the last or an error.
    pub fn is_at_end(&self) -> bool {
        self.ended
    }

    /// The next line without its end; `None` at the end of the file.
    fn next_line(&mut self) -> Result<Option<String>, FingerprintFileError> {
        let mut bytes = Vec::new();
        let mut limited = io::Read::take(&mut self.source, LONGEST_LINE + 1);
        if limited.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.line += 1;
        if bytes.len() as u64 > LONGEST_LINE {
            return Err(self.wrong(format!("is longer than {LONGEST_LINE} bytes; {REMEDY}")));
        }
        let bytes = match self.line {
            1 => bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes),
            _ => &bytes,
        };
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(line) => Ok(Some(line.to_owned())),
            Err(_) => {
                let start = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]);
                Err(self.wrong(format!("'{start}' is not UTF-8; {REMEDY}")))
            }
        }
    }

    /// An error about the current line.
    fn wrong(&self, message: String) -> FingerprintFileError {
        FingerprintFileError::Line {
            line: self.line.max(1),
            message,
        }
    }

    /// The next book; `None` at the end of the file.
    fn next_record(&mut self) -> Result<Option<FingerprintRecord>, FingerprintFileError> {
        loop {
            let Some(line) = self.next_line()? else {
                return Ok(None);
            };
            if !line.is_empty() && line != self.header {
                let (kind, record) = self.record(&line).map_err(|message| self.wrong(message))?;
                match self.kind {
                    Some((first, at)) if first != kind => {
                        let message = format!(
                            "is of {}, and line {at} of {}; write one file for each",
                            in_words(kind),
                            in_words(first)
                        );
                        return Err(self.wrong(message));
                    }
                    Some(_) => {}
                    None => self.kind = Some((kind, self.line)),
                }
                return Ok(Some(record));
            }
        }
    }

    /// The book of a line, and the kind of its fingerprint. The error is the message.
    fn record(&self, line: &str) -> Result<(FingerprintKind, FingerprintRecord), String> {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells.len() != self.width {
            return Err(format!(
                "'{:.40}' has {} cells, and the header {}; {REMEDY}",
                line,
                cells.len(),
                self.width
            ));
        }
        let [
            fingerprint,
            book,
            number,
            isbn,
            lines,
            bytes,
            body_bytes,
            bits,
            ngram,
            part,
            hash,
        ] = self.places.map(|place| cells[place]);
        if hash != HASH {
            return Err(format!(
                "hash '{hash:.40}' is not '{HASH}', which endpaper {} computes; have the file written again by this version",
                env!("CARGO_PKG_VERSION")
            ));
        }
        let bits: FingerprintBits = bits.parse()?;
        let ngram = number_in::<usize>("ngram", ngram)?
            .filter(|ngram| NGRAMS.contains(ngram))
            .ok_or_else(|| {
                let (least, most) = NGRAMS.into_inner();
                format!("ngram '{ngram:.40}' is not a whole number from {least} to {most}")
            })?;
        let whole_file = match part {
            BODY => false,
            WHOLE_FILE => true,
            other => {
                return Err(format!(
                    "part '{other:.40}' is neither '{BODY}' nor '{WHOLE_FILE}'"
                ));
            }
        };
        let digits = fingerprint;
        let fingerprint = match digits {
            "-" => None,
            _ => Some(digits.parse::<Fingerprint>()?),
        };
        if let Some(print) = fingerprint.filter(|print| print.bits() != bits) {
            return Err(format!(
                "fingerprint '{digits}' has {} bits, and the column bits {bits}",
                print.bits()
            ));
        }
        let kind = FingerprintKind {
            shape: FingerprintShape { bits, ngram },
            whole_file,
        };
        let record = FingerprintRecord {
            book: from_cell(book),
            number: number_in("number", number)?,
            isbn: (isbn != "-").then(|| from_cell(isbn)),
            lines: number_in("lines", lines)?,
            bytes: number_in("bytes", bytes)?,
            body_bytes: number_in("body_bytes", body_bytes)?,
            fingerprint,
        };
        Ok((kind, record))
    }
}

/// What to do about most mistakes.
const REMEDY: &str = "write the file with 'endpaper copies --fingerprints'";

/// The kind of fingerprints, for messages.
fn in_words(kind: FingerprintKind) -> String {
    let part = if kind.whole_file { WHOLE_FILE } else { BODY };
    format!(
        "{} bits, {}-grams, part {part}",
        kind.shape.bits, kind.shape.ngram
    )
}

/// The number in a cell, `None` for a dash.
fn number_in<T: FromStr>(column: &str, cell: &str) -> Result<Option<T>, String> {
    if cell == "-" {
        return Ok(None);
    }
    let number = cell
        .bytes()
        .all(|digit| digit.is_ascii_digit())
        .then(|| cell.parse().ok());
    match number.flatten() {
        Some(number) => Ok(Some(number)),
        None => Err(format!(
            "{column} '{cell:.40}' is not a whole number; write it in digits, or '-'"
        )),
    }
}

impl<R: BufRead> Iterator for FingerprintReader<R> {
    type Item = Result<FingerprintRecord, FingerprintFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.next_record().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor, Read};

    use super::*;

    fn kind() -> FingerprintKind {
        FingerprintKind {
            shape: FingerprintShape::default(),
            whole_file: false,
        }
    }

    fn record(book: &str, print: Option<u64>) -> FingerprintRecord {
        FingerprintRecord {
            book: book.to_owned(),
            number: Some(7),
            isbn: None,
            lines: Some(9),
            bytes: Some(u64::MAX),
            body_bytes: None,
            fingerprint: print
                .map(|word| Fingerprint::from_words([word; 4], FingerprintBits::default())),
        }
    }

    fn file() -> String {
        let books = [record("a\tb\\.txt", Some(3)), record("-", None)];
        let lines = books.iter().map(|book| line(kind(), book));
        std::iter::once(header())
            .chain(lines)
            .map(|line| line + "\n")
            .collect()
    }

    fn read(bytes: &[u8]) -> Result<(Vec<FingerprintRecord>, Option<FingerprintKind>), String> {
        let mut reader = FingerprintReader::new(bytes).map_err(|error| error.to_string())?;
        let records: Result<Vec<_>, _> = reader.by_ref().collect();
        let records = records.map_err(|error| error.to_string())?;
        Ok((records, reader.kind()))
    }

    #[test]
    fn files_are_read_as_they_are_written_whoever_edited_them() {
        let expected = vec![record("a\tb\\.txt", Some(3)), record("-", None)];
        let mut turned: Vec<String> = Vec::new();
        for line in file().lines() {
            let mut cells: Vec<&str> = line.split('\t').collect();
            cells.reverse();
            turned.push(cells.join("\t"));
        }
        for text in [
            file(),
            file().replace('\n', "\r\n"),
            format!("\u{feff}{}", file()),
            file().replace('\n', "\n\n"),
            file().trim_end().to_owned(),
            turned.join("\n"),
        ] {
            assert_eq!(
                read(text.as_bytes()),
                Ok((expected.clone(), Some(kind()))),
                "{text}"
            );
        }
        assert_eq!(read(header().as_bytes()), Ok((Vec::new(), None)));
        let (both, _) = read(file().repeat(2).as_bytes()).unwrap();
        assert_eq!(both, [expected.clone(), expected].concat());
    }

    #[test]
    fn what_is_wrong_is_named_with_line_and_value() {
        let good = file();
        let table = [
            (
                good.replace("00000003", "0000000g"),
                "line 2: '000000000000000g000000000000000g' is not a fingerprint",
            ),
            (
                good.replace("\t9\t", "\tNaN\t"),
                "line 2: lines 'NaN' is not a whole number",
            ),
            (good.replace("\t7\t", "\t-7\t"), "line 2: number '-7'"),
            (
                good.replace("18446744073709551615", "18446744073709551616"),
                "line 2: bytes '18446744073709551616'",
            ),
            (
                good.replace("\t128\t", "\t64\t"),
                "has 128 bits, and the column bits 64",
            ),
            (
                good.replace("\t128\t", "\t100\t"),
                "a fingerprint cannot have 100 bits",
            ),
            (
                good.replace("\t4\t", "\t99\t"),
                "ngram '99' is not a whole number from 2 to 16",
            ),
            (
                good.replace("\tbody\t", "\tsoul\t"),
                "part 'soul' is neither 'body' nor 'whole-file'",
            ),
            (good.replace(HASH, "md5/1"), "line 2: hash 'md5/1' is not"),
            (
                good.replace("\tisbn", ""),
                "line 1: the header has no column 'isbn'",
            ),
            (
                good.replace("\tendpaper", "\tbook"),
                "line 1: the header has two columns 'book'",
            ),
            (
                good.replacen("\tbody\t", "\t", 1),
                "has 11 cells, and the header 12",
            ),
            (
                format!(
                    "{good}{}",
                    line(
                        FingerprintKind {
                            whole_file: true,
                            ..kind()
                        },
                        &record("c", None)
                    )
                ),
                "line 4: is of 128 bits, 4-grams, part whole-file, and line 2 of 128 bits, 4-grams, part body",
            ),
            (String::new(), "line 1: the file is empty"),
            (
                good.replace("a\\tb", &"x".repeat(70_000)),
                "line 2: is longer than 65536 bytes",
            ),
        ];
        for (text, message) in table {
            let said = read(text.as_bytes()).unwrap_err();
            assert!(said.contains(message), "{message}: {said}");
        }
        let mut bytes = good.clone().into_bytes();
        bytes[header().len() + 40] = 0xFF;
        assert!(read(&bytes).unwrap_err().contains("line 2: '"));
        let packed = read(b"\x1f\x8b\x08\x00").unwrap_err();
        assert!(
            packed.contains("is compressed; unpack the file with gunzip"),
            "{packed}"
        );
    }

    #[test]
    fn a_line_without_end_is_not_read_to_its_end() {
        // Memory would not hold this line.
        let endless = io::repeat(b'a').take(1 << 50);
        let source = BufReader::new(Cursor::new(file()).chain(endless));
        let read: Vec<_> = FingerprintReader::new(source).unwrap().collect();
        assert_eq!(read.len(), 3);
        let said = read[2].as_ref().unwrap_err().to_string();
        assert!(
            said.starts_with("line 4: is longer than 65536 bytes"),
            "{said}"
        );
    }
}
