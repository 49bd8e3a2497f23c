//! The texts inside a zip archive. Names of members become ids, never paths.

use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use zip::ZipArchive;
use zip::read::ZipFileEntry;

use super::id::member_name_to_id;
use super::source::zip_reason;
use super::walk::request::Listing;
use super::{Book, BookId, BookLocation, EncodingChoice, FileStamp, Skipped, Unreadable};

/// Most members of an archive: one less than the largest count in a classic (not ZIP64) end record.
const MAX_MEMBERS: usize = 65_534;

/// The texts of an archive together may have at most `TOTAL + RATIO * size of the archive` bytes.
const TOTAL: u64 = 1 << 30;
/// Part of the limit that grows with the archive. Typical books compress to a third of their size.
const RATIO: u64 = 32;

/// Length of the header in front of a member's bytes without its name, in bytes.
const LOCAL_HEADER: u64 = 30;

/// Lists the text members of an archive, and HTML members if `html` is set. `named` says that the archive was named
/// outright. `place` is `None` for the demonstration archive, whose members are listed without the archive's name.
pub(super) fn list_members(
    archive: impl Read + Seek,
    place: Option<(&Path, FileStamp)>,
    id: &str,
    (named, html): (bool, bool),
    listing: &mut Listing,
) {
    let mut members = MemberListing {
        place,
        id,
        html,
        ..MemberListing::default()
    };
    match members.read(archive) {
        Ok(()) if members.texts == 0 && named => {
            let reason = Unreadable::Broken("it holds no .txt, .text or .asc member".to_owned());
            members.skip(BookId::new(id), reason);
        }
        Ok(()) => {}
        Err(reason) => {
            members.books.clear();
            members.skipped.clear();
            members.skip(BookId::new(id), reason);
        }
    }
    listing.books.append(&mut members.books);
    listing.skipped.append(&mut members.skipped);
}

/// The listing of one archive.
#[derive(Default)]
struct MemberListing<'a> {
    place: Option<(&'a Path, FileStamp)>,
    id: &'a str,
    html: bool,
    books: Vec<Book>,
    skipped: Vec<Skipped>,
    totals: ArchiveTotals,
    /// Number of text members, including those that cannot be read.
    texts: usize,
}

impl MemberListing<'_> {
    /// Reads the list of members.
    ///
    /// # Errors
    ///
    /// The archive is broken, or too large in bytes or members.
    fn read(&mut self, mut archive: impl Read + Seek) -> Result<(), Unreadable> {
        let size = size_of(&mut archive)?;
        let archive = ZipArchive::new(archive).map_err(|error| zip_reason(&error))?;
        if archive.len() > MAX_MEMBERS {
            return Err(too_many());
        }
        for index in 0..archive.len() {
            match archive.by_index_data(index) {
                Ok(member) => self.add(index, &member),
                Err(error) => {
                    let id = BookId::new(&format!("{}!{index}", self.id));
                    self.skip(id, zip_reason(&error));
                }
            }
        }
        if let Some(reason) = self.totals.refusal(size) {
            return Err(reason);
        }
        if archive.has_duplicate_names() {
            let start = archive.central_directory_start();
            self.skip_shadowed(&shadowed_names(archive.into_inner(), start).unwrap_or_default());
        }
        Ok(())
    }

    /// Adds a member as a book, or as skipped; folders and other files are left out.
    fn add(&mut self, index: usize, member: &ZipFileEntry<'_>) {
        let name = member_name_to_id(member.name_raw());
        if member.is_dir() || !is_wanted_member(&name, self.html) {
            return;
        }
        let start = member.header_start();
        // At least: the header in the archive may be longer than the directory says. Reading it would take a seek for each
        // member, all over the archive.
        let header = LOCAL_HEADER + member.name_raw().len() as u64;
        let end = start
            .saturating_add(header)
            .saturating_add(member.compressed_size());
        self.totals.add(start..end, member.size());
        self.texts += 1;
        let id = match self.place {
            Some(_) => BookId::new(&format!("{}!{name}", self.id)),
            None => BookId::new(&name),
        };
        if member.encrypted() {
            self.skip(id, Unreadable::Encrypted);
            return;
        }
        let (location, stamp) = match self.place {
            Some((path, stamp)) => {
                let archive = path.to_owned();
                (BookLocation::Member { archive, index }, stamp)
            }
            None => (BookLocation::Demo { index }, FileStamp::default()),
        };
        self.books.push(Book {
            id,
            location,
            stamp,
            encoding: EncodingChoice::Guessed,
        });
    }

    /// Adds a member that cannot be read.
    fn skip(&mut self, id: BookId, reason: Unreadable) {
        self.skipped.push(Skipped { id, reason });
    }

    /// Adds as skipped those members that have the name of another.
    fn skip_shadowed(&mut self, names: &[(String, usize)]) {
        for (name, number) in names {
            if is_wanted_member(name, self.html) {
                let id = BookId::new(&format!("{}!{name}~{number}", self.id));
                self.skip(id, Unreadable::Broken(SHADOWED.to_owned()));
            }
        }
    }
}

const SHADOWED: &str =
    "another member of the archive has this name and is read in its place; rename one of the two";

/// The sizes and byte ranges of the texts of an archive.
#[derive(Default)]
struct ArchiveTotals {
    spans: Vec<Range<u64>>,
    /// Total size of the texts in bytes, inflated.
    size: u64,
}

impl ArchiveTotals {
    /// Adds a member: the bytes that it has in the archive, and its inflated size.
    fn add(&mut self, span: Range<u64>, size: u64) {
        self.spans.push(span);
        self.size = self.size.saturating_add(size);
    }

    /// Why an archive of `archive` bytes is refused as a whole.
    fn refusal(&mut self, archive: u64) -> Option<Unreadable> {
        self.spans
            .sort_unstable_by_key(|span| (span.start, span.end));
        let overlap = |pair: &[Range<u64>]| pair[0].end > pair[1].start;
        if self.spans.windows(2).any(overlap) {
            let reason = "members of it share the same bytes; pack it again";
            return Some(Unreadable::Broken(reason.to_owned()));
        }
        let limit = TOTAL.saturating_add(archive.saturating_mul(RATIO));
        (self.size > limit).then(|| {
            Unreadable::Broken(format!(
                "its texts are {} MiB together, more than the limit of {} MiB for an archive of its size; unpack it \
                 and name the folder",
                self.size >> 20,
                limit >> 20
            ))
        })
    }
}

/// The archive has too many members.
fn too_many() -> Unreadable {
    Unreadable::Broken(format!(
        "it holds more than the limit of {MAX_MEMBERS} members; unpack it and name the folder"
    ))
}

/// Longest end record of an archive with its comment, in bytes.
const END: u64 = 22 + 0xFFFF;

/// The size of an archive in bytes; refuses archives with too many members, whose list alone would fill the memory.
fn size_of(archive: &mut (impl Read + Seek)) -> Result<u64, Unreadable> {
    let mut look = || -> io::Result<(u64, Vec<u8>)> {
        let size = archive.seek(SeekFrom::End(0))?;
        archive.seek(SeekFrom::Start(size.saturating_sub(END)))?;
        let mut end = Vec::new();
        archive.by_ref().take(END).read_to_end(&mut end)?;
        archive.rewind()?;
        Ok((size, end))
    };
    let (size, end) = look().map_err(|error| Unreadable::Io(error.to_string()))?;
    let record =
        memchr::memmem::rfind(&end, b"PK\x05\x06").and_then(|at| end.get(at + 10..at + 12));
    match record {
        // The field is at its maximum: there may be more members.
        Some([0xFF, 0xFF]) => Err(too_many()),
        _ => Ok(size),
    }
}

/// Names shared by several members, with the numbers 2, 3, ... of the members that cannot be read.
fn shadowed_names(mut archive: impl Read + Seek, start: u64) -> io::Result<Vec<(String, usize)>> {
    archive.seek(SeekFrom::Start(start))?;
    let mut archive = io::BufReader::new(archive);
    let mut seen: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut hidden = Vec::new();
    let mut head = [0; 46];
    for _ in 0..2 * MAX_MEMBERS {
        if archive.read_exact(&mut head).is_err() || !head.starts_with(b"PK\x01\x02") {
            break;
        }
        let length = |at: usize| usize::from(u16::from_le_bytes([head[at], head[at + 1]]));
        let mut name = vec![0; length(28)];
        archive.read_exact(&mut name)?;
        archive.seek_relative((length(30) + length(32)) as i64)?;
        let number = seen.entry(name.clone()).or_default();
        *number += 1;
        if *number > 1 {
            hidden.push((member_name_to_id(&name), *number));
        }
    }
    Ok(hidden)
}

/// Whether a member counts, by the rule for files; one without an extension is examined when it is read.
fn is_wanted_member(name: &str, html: bool) -> bool {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let hidden = name
        .split(['/', '\\'])
        .any(|part| part.starts_with('.') && part.len() > 1 && part != "..");
    if file.is_empty() || hidden || name.starts_with("__MACOSX") {
        return false;
    }
    match file.rsplit_once('.') {
        Some((_, extension)) => match extension.to_lowercase().as_str() {
            "txt" | "text" | "asc" => true,
            "html" | "htm" => html,
            _ => false,
        },
        None => true,
    }
}
