//! The texts inside an archive. Names of members only ever become ids, never paths.

use std::io::{Read, Seek};
use std::path::Path;

use zip::ZipArchive;

use super::id::text_of_member;
use super::source::zip_reason;
use super::walk::Listing;
use super::{Book, BookId, Place, Skipped, Stamp, Unreadable};

/// The text members of an archive, and, where `html` says so, those in HTML; `named` is an archive that was asked for
/// outright. `place` is `None` for the demonstration archive, whose members are named alone.
pub(super) fn members(
    archive: impl Read + Seek,
    place: Option<(&Path, Stamp)>,
    id: &str,
    (named, html): (bool, bool),
    listing: &mut Listing,
) {
    let mut archive = match ZipArchive::new(archive) {
        Ok(archive) => archive,
        Err(error) => {
            listing.skipped.push(Skipped {
                id: BookId::new(id),
                reason: zip_reason(&error),
            });
            return;
        }
    };
    let mut texts = 0;
    for index in 0..archive.len() {
        let (name, encrypted, folder) = match archive.by_index_raw(index) {
            Ok(member) => (
                text_of_member(member.name_raw()),
                member.encrypted(),
                member.is_dir(),
            ),
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
                Place::Member {
                    archive: path.to_owned(),
                    index,
                },
                stamp,
            ),
            None => (Place::Demo { index }, Stamp::default()),
        };
        listing.books.push(Book {
            id: member,
            place,
            stamp,
        });
    }
    if texts == 0 && named {
        let reason = Unreadable::Broken("it holds no .txt, .text or .asc member".to_owned());
        listing.skipped.push(Skipped {
            id: BookId::new(id),
            reason,
        });
    }
}

/// A member counts by the rule for files; without an ending it is looked at when it is read.
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
