//! The texts inside an archive. Names of members only ever become ids, never paths.

use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use zip::ZipArchive;

use super::id::member_name_to_id;
use super::source::zip_reason;
use super::walk::request::Listing;
use super::{Book, BookId, BookLocation, FileStamp, Skipped, Unreadable};

/// Most members of an archive: as many as its end can tell in the usual format.
const MEMBERS: usize = 65_534;

/// All texts of an archive together are at most so long, and ...
const TOTAL: u64 = 1 << 30;
/// ... N times as long as the archive, in bytes. Books are packed to a third of their size.
const RATIO: u64 = 32;

/// The text members of an archive, and, where `html` says so, those in HTML; `named` is an archive that was asked for
/// outright. `place` is `None` for the demonstration archive, whose members are named alone.
pub(super) fn list_members(
    mut archive: impl Read + Seek,
    place: Option<(&Path, FileStamp)>,
    id: &str,
    (named, html): (bool, bool),
    listing: &mut Listing,
) {
    let refuse = |listing: &mut Listing, reason| {
        listing.skipped.push(Skipped {
            id: BookId::new(id),
            reason,
        });
    };
    let looked = size_of(&mut archive).and_then(|size| {
        let archive = ZipArchive::new(archive).map_err(|error| zip_reason(&error))?;
        Ok((size, archive))
    });
    let (size, mut archive) = match looked {
        Ok((_, archive)) if archive.len() > MEMBERS => {
            return refuse(listing, too_many());
        }
        Ok(looked) => looked,
        Err(reason) => return refuse(listing, reason),
    };
    let before = (listing.books.len(), listing.skipped.len());
    let mut totals = ArchiveTotals::default();
    let mut texts = 0;
    for index in 0..archive.len() {
        let (name, encrypted, folder) = match archive.by_index_raw(index) {
            Ok(member) => {
                let name = member_name_to_id(member.name_raw());
                if !member.is_dir() && is_wanted_member(&name, html) {
                    let end = member.data_start().unwrap_or(0) + member.compressed_size();
                    totals.add(member.header_start()..end, member.size());
                }
                (name, member.encrypted(), member.is_dir())
            }
            Err(error) => {
                let id = BookId::new(&format!("{id}!{index}"));
                listing.skipped.push(Skipped {
                    id,
                    reason: zip_reason(&error),
                });
                continue;
            }
        };
        if folder || !is_wanted_member(&name, html) {
            continue;
        }
        texts += 1;
        let member = place.map_or_else(
            || BookId::new(&name),
            |_| BookId::new(&format!("{id}!{name}")),
        );
        if encrypted {
            listing.skipped.push(Skipped {
                id: member,
                reason: Unreadable::Encrypted,
            });
            continue;
        }
        let (place, stamp) = match place {
            Some((path, stamp)) => (
                BookLocation::Member {
                    archive: path.to_owned(),
                    index,
                },
                stamp,
            ),
            None => (BookLocation::Demo { index }, FileStamp::default()),
        };
        listing.books.push(Book {
            id: member,
            location: place,
            stamp,
        });
    }
    if let Some(reason) = totals.refusal(size) {
        listing.books.truncate(before.0);
        listing.skipped.truncate(before.1);
        return refuse(listing, reason);
    }
    if archive.has_duplicate_names() {
        let start = archive.central_directory_start();
        let hidden = shadowed_names(archive.into_inner(), start).unwrap_or_default();
        let hidden = hidden
            .iter()
            .filter(|(name, _)| is_wanted_member(name, html));
        listing.skipped.extend(hidden.map(|(name, number)| Skipped {
            id: BookId::new(&format!("{id}!{name}~{number}")),
            reason: Unreadable::Broken(HIDDEN.to_owned()),
        }));
    }
    if texts == 0 && named {
        let reason = Unreadable::Broken("it holds no .txt, .text or .asc member".to_owned());
        refuse(listing, reason);
    }
}

const HIDDEN: &str =
    "another member of the archive has this name and is read in its place; rename one of the two";

/// What the texts of an archive take.
#[derive(Default)]
struct ArchiveTotals {
    /// Where each member is in the archive.
    spans: Vec<Range<u64>>,
    /// Bytes of all texts, inflated.
    size: u64,
}

impl ArchiveTotals {
    fn add(&mut self, span: Range<u64>, size: u64) {
        self.spans.push(span);
        self.size = self.size.saturating_add(size);
    }

    /// Why an archive of N bytes is refused as a whole.
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

fn too_many() -> Unreadable {
    Unreadable::Broken(format!(
        "it holds more than the limit of {MEMBERS} members; unpack it and name the folder"
    ))
}

/// How much of the end of an archive may hold the record of its end, in bytes.
const END: u64 = 22 + 0xFFFF;

/// The size of an archive in bytes, unless it holds very many members: their list alone would fill the memory.
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
        // As many as the field can tell, and perhaps more.
        Some([0xFF, 0xFF]) => Err(too_many()),
        _ => Ok(size),
    }
}

/// Names that more than one member has, each with the numbers 2, 3 and so on of those that cannot be read.
fn shadowed_names(mut archive: impl Read + Seek, start: u64) -> io::Result<Vec<(String, usize)>> {
    archive.seek(SeekFrom::Start(start))?;
    let mut archive = io::BufReader::new(archive);
    let mut seen: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut hidden = Vec::new();
    let mut head = [0; 46];
    for _ in 0..2 * MEMBERS {
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

/// A member counts by the rule for files; without an ending it is examined when it is read.
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
