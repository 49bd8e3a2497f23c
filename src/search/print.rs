//! Prints hits to stdout.

use std::ops::Range;

use anyhow::Result;
use serde::Serialize;

use endpaper_command::output::{Printer, StyledText, clipped};
use endpaper_search::{BookPart, HitExcerpt, SearchHit, SearchHits};
use endpaper_text::cells::escaped;
use endpaper_text::wording::thousands;

/// Columns of the table.
const WIDTH: usize = 80;

/// Columns before the text of a hit.
const INDENT: usize = 4;
/// Fewest columns for a chapter beside an id; otherwise it is on the next line.
const LEAST_CHAPTER: usize = 20;

/// Lines of an excerpt in the table.
const LINES: usize = 2;

/// Prints a table. `hint` suggests a query that has hits.
pub(super) fn table(query: &str, found: &SearchHits, hint: Option<&str>) -> Result<()> {
    let mut printer = Printer::stdout();
    let seconds = found.time.as_secs_f64();
    if found.hits.is_empty() {
        let books = thousands(found.books);
        printer.line(&format!(
            "No results in {books} books for {query} in {seconds:.3} seconds"
        ))?;
        if let Some(hint) = hint {
            printer.line(hint)?;
        }
        return Ok(printer.finish()?);
    }
    let total = thousands(found.total);
    let last = thousands(found.hits.len());
    printer.line(&format!(
        "Results 1 - {last} of {total} for {query} in {seconds:.3} seconds"
    ))?;
    for (rank, hit) in (1..).zip(&found.hits) {
        printer.line("")?;
        title(&mut printer, rank, hit)?;
        place(&mut printer, hit)?;
        excerpt(&mut printer, hit)?;
    }
    Ok(printer.finish()?)
}

/// Prints rank, title and authors of a hit.
fn title(printer: &mut Printer, rank: usize, hit: &SearchHit) -> Result<()> {
    let room = WIDTH - INDENT;
    let authors = match hit.authors.as_slice() {
        [] => String::new(),
        [one] => format!(", {one}"),
        [one, ..] => format!(", {one} and others"),
    };
    let title = one_line(hit.title.as_deref().unwrap_or("(no title)"));
    let year = hit
        .published
        .map_or(String::new(), |year| format!(" ({year})"));
    let authors = clipped(&one_line(&authors), room / 2) + &year;
    let title = clipped(&title, room - authors.chars().count());
    let rank = format!("{rank:>2}. ");
    printer.styled_line(&[
        StyledText::plain(&rank),
        StyledText::bold(&title),
        StyledText::plain(&authors),
    ])?;
    Ok(())
}

/// Prints the position of a hit. The id is never cut: other commands need it.
fn place(printer: &mut Printer, hit: &SearchHit) -> Result<()> {
    let room = WIDTH - INDENT;
    let Some(place) = &hit.position else {
        printer.line(&format!("    {}", hit.book))?;
        return Ok(());
    };
    let at = format!("{}:{}", hit.book, place.line);
    let what = match (place.part, &place.chapter) {
        (BookPart::Body, Some(chapter)) => one_line(&chapter.title),
        (BookPart::Body, None) => String::new(),
        (part, _) => format!("in the {part}"),
    };
    let left = room.saturating_sub(at.chars().count() + 2);
    if left < LEAST_CHAPTER && what.chars().count() > left {
        printer.line(&format!("    {at}"))?;
        printer.line(&format!("    {}", clipped(&what, room)))?;
    } else {
        printer.line(format!("    {at}  {}", clipped(&what, left)).trim_end())?;
    }
    Ok(())
}

/// Prints the excerpt of a hit.
fn excerpt(printer: &mut Printer, hit: &SearchHit) -> Result<()> {
    match &hit.excerpt {
        HitExcerpt::None => {}
        HitExcerpt::Text { text, marks } => {
            for line in wrapped(text, WIDTH - INDENT, LINES) {
                let mut pieces = vec![StyledText::plain("    ")];
                let mut at = line.start;
                for mark in marks
                    .iter()
                    .filter(|mark| mark.start >= line.start && mark.end <= line.end)
                {
                    pieces.push(StyledText::plain(&text[at..mark.start]));
                    pieces.push(StyledText::bold(&text[mark.clone()]));
                    at = mark.end;
                }
                pieces.push(StyledText::plain(&text[at..line.end]));
                printer.styled_line(&pieces)?;
            }
        }
        HitExcerpt::Changed => printer.line(&format!("    ({CHANGED})"))?,
        HitExcerpt::Unreadable(why) => {
            printer.line(&format!("    (the book cannot be read: {why})"))?
        }
    }
    Ok(())
}

const CHANGED: &str = "the book changed since it was indexed; search again for its lines";

/// Breaks a text into at most `lines` lines.
fn wrapped(text: &str, width: usize, lines: usize) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    while start < text.len() && all.len() < lines {
        let rest = &text[start..];
        let end = match rest.char_indices().nth(width) {
            None => rest.len(),
            Some((end, _)) => {
                let fits = &rest[..end];
                let space = fits.rfind(' ').filter(|_| !rest[end..].starts_with(' '));
                space.unwrap_or(end)
            }
        };
        all.push(start..start + end);
        let skipped = rest[end..].len() - rest[end..].trim_start().len();
        start += end + skipped;
    }
    all
}

/// The first line of TSV.
const HEADER: &str =
    "rank\tbook\tline\tpart\ttitle\tauthors\tchapter_line\tchapter\tscore\texcerpt\tpublished";

/// Prints TSV.
pub(super) fn tsv(found: &SearchHits) -> Result<()> {
    let mut printer = Printer::stdout();
    printer.line(HEADER)?;
    for (rank, hit) in (1..).zip(&found.hits) {
        let row = HitRow::of(rank, hit);
        let number =
            |number: Option<u32>| number.map_or(String::new(), |number| number.to_string());
        let text = |text: Option<&str>| escaped(text.unwrap_or_default()).into_owned();
        let cells = [
            rank.to_string(),
            escaped(row.book).into_owned(),
            number(row.line),
            row.part.unwrap_or_default().to_owned(),
            text(row.title),
            escaped(&row.authors.join("; ")).into_owned(),
            number(row.chapter_line),
            text(row.chapter),
            format!("{:.3}", row.score),
            text(row.excerpt),
            number(row.published),
        ];
        printer.line(&cells.join("\t"))?;
    }
    Ok(printer.finish()?)
}

/// Prints JSON lines with all fields.
pub(super) fn jsonl(found: &SearchHits) -> Result<()> {
    let mut printer = Printer::stdout();
    for (rank, hit) in (1..).zip(&found.hits) {
        printer.line(&serde_json::to_string(&HitRow::of(rank, hit))?)?;
    }
    Ok(printer.finish()?)
}

/// A hit, as a JSON object.
#[derive(Serialize)]
struct HitRow<'a> {
    rank: usize,
    book: &'a str,
    line: Option<u32>,
    part: Option<&'static str>,
    title: Option<&'a str>,
    authors: &'a [String],
    chapter_line: Option<u32>,
    chapter: Option<&'a str>,
    score: f32,
    excerpt: Option<&'a str>,
    marks: Vec<(usize, usize)>,
    note: Option<String>,
    published: Option<u32>,
}

impl<'a> HitRow<'a> {
    /// A hit as a row; `rank` counts from 1.
    fn of(rank: usize, hit: &'a SearchHit) -> HitRow<'a> {
        // The lines of a book that changed are not those indexed.
        let note = match &hit.excerpt {
            HitExcerpt::Changed => Some(CHANGED.to_owned()),
            HitExcerpt::Unreadable(why) => Some(format!("the book cannot be read: {why}")),
            _ => None,
        };
        let place = hit
            .position
            .as_ref()
            .filter(|_| hit.excerpt != HitExcerpt::Changed);
        let chapter = place.and_then(|place| place.chapter.as_ref());
        let (excerpt, marks) = match &hit.excerpt {
            HitExcerpt::Text { text, marks } => (Some(text.as_str()), in_characters(text, marks)),
            _ => (None, Vec::new()),
        };
        HitRow {
            rank,
            book: &hit.book,
            line: place.map(|place| place.line),
            part: place.map(|place| place.part.name()),
            title: hit.title.as_deref(),
            authors: &hit.authors,
            chapter_line: chapter.map(|chapter| chapter.line),
            chapter: chapter.map(|chapter| chapter.title.as_str()),
            score: hit.score,
            excerpt,
            marks,
            note,
            published: hit.published,
        }
    }
}

/// The byte ranges as ranges of characters.
fn in_characters(text: &str, marks: &[Range<usize>]) -> Vec<(usize, usize)> {
    let before = |at: usize| text[..at].chars().count();
    marks
        .iter()
        .map(|mark| (before(mark.start), before(mark.end)))
        .collect()
}

/// The text with each run of white space as one blank.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces() {
        let table: &[(&str, &[&str])] = &[
            ("", &[]),
            ("one two", &["one two"]),
            ("one two three four five", &["one two", "three four"]),
            ("abcdefghijklmnop", &["abcdefghij", "klmnop"]),
            ("one two thr and", &["one two", "thr and"]),
            ("one two ab cd", &["one two ab", "cd"]),
        ];
        for (text, expected) in table {
            let lines: Vec<&str> = wrapped(text, 10, 2)
                .into_iter()
                .map(|line| &text[line])
                .collect();
            assert_eq!(lines, *expected, "{text}");
        }
    }

    #[test]
    fn what_is_too_long_loses_its_end() {
        assert_eq!(clipped("abcdef", 4), "abc\u{2026}");
        assert_eq!(clipped("abcd", 4), "abcd");
    }
}
