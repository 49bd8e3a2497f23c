//! TEI P5: preamble, body and epilogue are `front`, `body` and `back`, blocks inside are `seg`. The record is in `xenoData`.

use std::fmt::Write;

use super::labels::signing_review;
use super::xml::{XmlPiece, attribute, escaped, name_of, quoted, read_pieces};
use super::{AnnotatedItem, ExportedBook, LabelOpinion, LabelledSpan, PartLabel};
use crate::Verdict;

/// The file of a book.
pub(super) fn write(book: &ExportedBook<'_>) -> String {
    let record = book.record;
    let mut out = String::with_capacity(book.text.as_str().len() * 9 / 8 + 4096);
    header(&mut out, book);
    let text = &book.text;
    let (from, to, kind) = match record.verdict.has_cuts() {
        true => (
            record.cuts.preamble_end,
            record.cuts.epilogue_start.unwrap_or(text.lines() + 1),
            String::new(),
        ),
        // Without cuts all of the text stands in the body.
        false => (0, text.lines() + 1, format!(" type=\"{}\"", record.verdict)),
    };
    let _ = writeln!(out, "  <text{kind}>");
    let parts = [
        ("front", PartLabel::Preamble, 1, from + 1),
        ("body", PartLabel::Body, from + 1, to),
        ("back", PartLabel::Epilogue, to, text.lines() + 1),
    ];
    for (element, part, first, end) in parts {
        if first >= end && part != PartLabel::Body {
            continue;
        }
        let _ = write!(
            out,
            "    <{element}><div type=\"{part}\"><ab xml:space=\"preserve\">"
        );
        let (mut at, end) = (text.start_of(first), text.start_of(end.max(first)));
        let inside = book
            .spans
            .iter()
            .filter(|span| part == PartLabel::Body && span.part == PartLabel::Inside);
        for span in inside {
            out.push_str(&escaped(text.slice(at, span.start)));
            let words = escaped(text.slice(span.start, span.end));
            let _ = write!(out, "<seg type=\"inside\">{words}</seg>");
            at = span.end;
        }
        out.push_str(&escaped(text.slice(at, end)));
        let _ = writeln!(out, "</ab></div></{element}>");
    }
    out.push_str("  </text>\n</TEI>\n");
    out
}

/// Everything before the text.
fn header(out: &mut String, book: &ExportedBook<'_>) {
    let record = book.record;
    // Controls in ids and names of curators cannot be in XML; in the record they are escaped by JSON.
    let clean = |text: &str| {
        escaped(&text.replace(
            |c: char| c.is_control() || c > '\u{fffd}' && c < '\u{10000}',
            "\u{fffd}",
        ))
    };
    let _ = write!(
        out,
        r#"<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0">
  <teiHeader>
    <fileDesc>
      <titleStmt><title>{title}</title></titleStmt>
      <publicationStmt><p>Ground truth of where the text of a book begins and ends.</p></publicationStmt>
      <sourceDesc><bibl><idno type="book">{title}</idno><idno type="sha256">{sha256}</idno></bibl></sourceDesc>
    </fileDesc>
    <xenoData type="application/json">{json}</xenoData>
"#,
        title = clean(&record.book),
        sha256 = record.source.sha256,
        json = escaped(&book.json),
    );
    if let Some(review) = signing_review(record) {
        let _ = writeln!(
            out,
            "    <revisionDesc><change when={}><name>{}</name>: {}</change></revisionDesc>",
            quoted(&clean(&review.at)),
            clean(&review.by),
            review.verdict
        );
    }
    out.push_str("  </teiHeader>\n");
}

/// What an open element of a file is to the reader.
enum OpenElement {
    Part(PartLabel, usize),
    Inside(usize),
    Block,
    Record,
    Identifier(String),
    Other,
}

/// The item of a file. Text is what is in `ab`.
pub(super) fn read(xml: &str) -> Result<AnnotatedItem, String> {
    let mut open: Vec<OpenElement> = Vec::new();
    let (mut text, mut characters, mut blocks) = (String::new(), 0, 0);
    let (mut record, mut spans) = (String::new(), Vec::new());
    let (mut book, mut sha256) = (String::new(), String::new());
    let mut has_cuts = true;
    read_pieces(xml, |piece| {
        match piece {
            XmlPiece::Start(element) => {
                let kind = attribute(element, "type")?.unwrap_or_default();
                open.push(match name_of(element).as_str() {
                    "front" => OpenElement::Part(PartLabel::Preamble, characters),
                    "body" => OpenElement::Part(PartLabel::Body, characters),
                    "back" => OpenElement::Part(PartLabel::Epilogue, characters),
                    "seg" if kind == "inside" => OpenElement::Inside(characters),
                    "ab" => {
                        blocks += 1;
                        OpenElement::Block
                    }
                    "xenoData" => OpenElement::Record,
                    "idno" => OpenElement::Identifier(kind),
                    "text" => {
                        let verdict = kind.parse::<Verdict>();
                        has_cuts = verdict.map_or(true, Verdict::has_cuts);
                        OpenElement::Other
                    }
                    _ => OpenElement::Other,
                });
            }
            XmlPiece::End => match open.pop() {
                Some(OpenElement::Part(part, start)) => spans.push((part, start, characters)),
                Some(OpenElement::Inside(start)) => {
                    spans.push((PartLabel::Inside, start, characters));
                }
                Some(OpenElement::Block) => blocks -= 1,
                _ => {}
            },
            XmlPiece::Text(piece) => match open.last() {
                Some(OpenElement::Record) => record.push_str(&piece),
                Some(OpenElement::Identifier(kind)) if kind == "book" => book.push_str(&piece),
                Some(OpenElement::Identifier(kind)) if kind == "sha256" => {
                    sha256.push_str(&piece);
                }
                _ if blocks > 0 => {
                    characters += piece.chars().count();
                    text.push_str(&piece);
                }
                _ => {}
            },
        }
        Ok(())
    })?;
    let mut item = AnnotatedItem::default();
    item.carry(Some(record.trim()))?;
    if item.record.is_none() {
        item.book = Some(book.trim().to_owned()).filter(|book| !book.is_empty());
        item.sha256 = Some(sha256.trim().to_owned()).filter(|sha256| !sha256.is_empty());
    }
    item.opinions.push(LabelOpinion {
        spans: match has_cuts {
            true => with_text(&text, spans),
            false => Vec::new(),
        },
        ..LabelOpinion::default()
    });
    item.text = Some(text);
    Ok(item)
}

/// The spans that hold more than white space: elements may be empty.
fn with_text(text: &str, spans: Vec<(PartLabel, usize, usize)>) -> Vec<LabelledSpan> {
    let has_text = |start: usize, end: usize| {
        let mut within = text.chars().skip(start).take(end - start);
        within.any(|character| !character.is_whitespace())
    };
    let spans = spans.into_iter();
    spans
        .filter(|&(_, start, end)| has_text(start, end))
        .map(|(part, start, end)| LabelledSpan { part, start, end })
        .collect()
}
