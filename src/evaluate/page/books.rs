//! All wrong books of the selected detector, with the lines around both cuts.

use std::collections::HashSet;
use std::fmt::Write as _;

use anyhow::{Context, Result};
use rayon::prelude::*;

use super::lines::{LINE, excerpts};
use super::page_data::{NAME, PageData, cut_in_words, off};
use endpaper_command::page::{anchor, clipped};
use endpaper_detect::End;
use endpaper_evaluate::BookErrors;
use endpaper_text::corpus::BookText;
use endpaper_text::wording::{plural, thousands};
use endpaper_truth::check::BookFinder as _;

/// Non-blank lines shown at each side of a cut. The smaller numbers apply if the page would exceed [`MAX_PAGE_BYTES`].
const CONTEXT_LINES: [u32; 4] = [12, 8, 5, 3];

/// Longest page up to the end of its books, in bytes, so that a page of 1,000 books stays below 5 MB.
const MAX_PAGE_BYTES: usize = 4_700_000;

/// Bytes reserved for the books, however long the page is above them.
const RESERVED_BYTES: usize = 1 << 20;

/// Most wrong books shown; the rest is counted.
const MAX_BOOKS: usize = 2_000;

/// Most characters shown of a note, a title and the like.
const NOTE: usize = 300;

/// A book whose cuts match neither its label nor an alternative that the label defends.
pub(super) struct WrongBook<'a> {
    /// Its index among the labelled books.
    book: usize,
    name: &'a str,
    errors: &'a BookErrors,
}

/// The wrong books of the first system, those with most wrong lines first.
pub(super) fn wrong_books<'a>(material: &PageData<'a>) -> Vec<WrongBook<'a>> {
    let first = material.report.systems.first();
    let errors = first.map_or(&[][..], |first| &first.errors);
    let wrong = errors.iter().filter(|(_, errors)| !errors.is_defended());
    let mut wrong: Vec<WrongBook<'_>> = wrong
        .map(|(book, errors)| WrongBook {
            book: *book,
            name: &material.labelled[*book].record.book,
            errors,
        })
        .collect();
    wrong.sort_by_key(|wrong| {
        let lines = wrong.errors.loss.lines + wrong.errors.leak.lines;
        (std::cmp::Reverse(lines), wrong.name)
    });
    wrong
}

/// Indices of the wrong books shown on the page.
pub(super) fn shown(wrong: &[WrongBook<'_>]) -> HashSet<usize> {
    wrong
        .iter()
        .take(MAX_BOOKS)
        .map(|wrong| wrong.book)
        .collect()
}

/// Writes the list of wrong books with links, then each of them.
pub(super) fn put(
    out: &mut String,
    material: &PageData<'_>,
    wrong: &[WrongBook<'_>],
) -> Result<()> {
    let shown = &wrong[..wrong.len().min(MAX_BOOKS)];
    put_list(out, shown);
    let room = MAX_PAGE_BYTES.saturating_sub(out.len()).max(RESERVED_BYTES);
    let (around, books) = rendered(material, shown, room)?;
    let mut words = format!(
        "Shown are {around} lines that are not blank at each side of both cuts; at most {LINE} characters of a line. \
        <b>lost</b> lines belong to the book by the label and were removed, <b>left</b> lines do not and were not. \
        <em>Seen</em> is how often a line occurs in the books that the frequencies are from; a dot is once or never, and lines that are \
        too short to be counted have nothing there."
    );
    if wrong.len() > shown.len() {
        let _ = write!(
            words,
            " {} more wrong books are not on this page; <code>--format jsonl</code> has them all.",
            thousands((wrong.len() - shown.len()) as u64)
        );
    }
    let heads: usize = books.iter().map(|(head, _)| head.len()).sum();
    let mut room = room.saturating_sub(heads);
    let mut without = 0;
    let mut all = String::new();
    for (head, lines) in &books {
        all.push_str(head);
        match room.checked_sub(lines.len()) {
            Some(left) => {
                room = left;
                all.push_str(lines);
            }
            None => without += 1,
        }
        all.push_str("</article>\n");
    }
    if without > 0 {
        let _ = write!(
            words,
            " The lines of {} {} did not find room on this page.",
            thousands(without as u64),
            plural(without, "book")
        );
    }
    let _ = writeln!(
        out,
        "<h2 id=\"books\">Lines around their cuts</h2>\n<p>{words}</p>\n{all}"
    );
    Ok(())
}

/// Writes the names of the wrong books with links.
fn put_list(out: &mut String, wrong: &[WrongBook<'_>]) {
    out.push_str(
        "<div class=\"wide\"><table class=\"numbers\"><caption><span>Those with most lines lost and left first; signed errors and lines are non-blank lines</span></caption>\
        <thead><tr><th scope=\"col\">book</th><th scope=\"col\">start</th><th scope=\"col\">end</th><th scope=\"col\">lost</th><th scope=\"col\">left</th><th scope=\"col\">doubt</th></tr></thead>\n<tbody>\n",
    );
    for wrong in wrong {
        let errors = wrong.errors;
        let [start, end] = errors.ends.map(|end| signed(end.lines));
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\"><a href=\"#{}\">{}</a></th><td>{start}</td><td>{end}</td><td>{}</td><td>{}</td><td>{:.2}</td></tr>",
            anchor("book", wrong.name),
            clipped(wrong.name, NAME),
            thousands(errors.loss.lines),
            thousands(errors.leak.lines),
            errors.doubt,
        );
    }
    out.push_str("</tbody></table></div>\n");
}

/// The number with its sign.
fn signed(lines: i64) -> String {
    let sign = match lines {
        0 => "",
        1.. => "+",
        _ => "-",
    };
    format!("{sign}{}", thousands(lines.unsigned_abs()))
}

/// Returns head and excerpts of every book, with as many lines around each cut as fit into `room` bytes.
fn rendered(
    material: &PageData<'_>,
    wrong: &[WrongBook<'_>],
    room: usize,
) -> Result<(u32, Vec<(String, String)>)> {
    let mut books = Vec::new();
    for around in CONTEXT_LINES {
        let each = wrong.par_iter().map(|wrong| {
            let text = read(material, wrong.name)?;
            let excerpts = excerpts(material, wrong.errors, &text, around);
            Ok((head(material, wrong), excerpts))
        });
        books = each.collect::<Result<Vec<(String, String)>>>()?;
        let bytes: usize = books
            .iter()
            .map(|(head, lines)| head.len() + lines.len())
            .sum();
        if bytes <= room {
            return Ok((around, books));
        }
    }
    Ok((CONTEXT_LINES[CONTEXT_LINES.len() - 1], books))
}

/// The text of a book; an error if it changed.
fn read(material: &PageData<'_>, name: &str) -> Result<BookText> {
    let text = material.listed_books.read(name).and_then(Result::ok);
    text.with_context(|| format!("'{name}' changed while it was evaluated; run it again"))
}

/// Name, title, errors and the contents of the record.
fn head(material: &PageData<'_>, wrong: &WrongBook<'_>) -> String {
    let label = &material.labelled[wrong.book];
    let header = &material.survey.books[label.book].summary.header;
    let id = anchor("book", wrong.name);
    let mut out = format!(
        "<article id=\"{id}\" aria-label=\"{0}\"><h3><a href=\"#{id}\">{0}</a></h3>\n",
        clipped(wrong.name, NAME)
    );
    let names = [&header.title, &header.author].into_iter().flatten();
    let names: Vec<String> = names.map(|name| clipped(name, NOTE)).collect();
    if !names.is_empty() {
        let _ = writeln!(out, "<p class=\"soft\">{}</p>", names.join(", by "));
    }
    out.push_str("<ul>");
    for (end, name) in [(End::Start, "Start"), (End::End, "End")] {
        let [labelled, found] = wrong.errors.cuts.map(|cuts| cut_in_words(end, cuts));
        let at = &wrong.errors.ends[end as usize];
        let words = match off(at.lines) {
            None => format!("right: {labelled}"),
            Some(off) if at.defended => {
                format!("{off}, which the label defends; labelled: {labelled}; detected: {found}")
            }
            Some(off) => format!("{off}; labelled: {labelled}; detected: {found}"),
        };
        let _ = write!(out, "<li>{name}: {words}.</li>");
    }
    let _ = write!(out, "<li>Doubt {:.2}.</li>", wrong.errors.doubt);
    let record = &label.record;
    let hard = record.hard.then(|| "hard".to_owned());
    let flags: Vec<String> = hard
        .into_iter()
        .chain(record.flags.iter().cloned())
        .collect();
    if !flags.is_empty() {
        let flags = clipped(&flags.join(", "), NOTE);
        let _ = write!(out, "<li>Flags: {flags}.</li>");
    }
    if !record.note.is_empty() {
        let _ = write!(out, "<li>Note: {}</li>", clipped(&record.note, NOTE));
    }
    out.push_str("</ul>\n<p class=\"top\"><a href=\"#wrong\">All wrong books</a></p>\n");
    out
}
