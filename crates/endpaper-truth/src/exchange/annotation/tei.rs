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

/// Code points before a place, and how many of them are not white space: only these make a part, as elements may be empty.
#[derive(Clone, Copy, Default)]
struct Passed {
    all: usize,
    solid: usize,
}

/// What an open element of a file is to the reader.
enum OpenElement {
    Part(PartLabel, Passed),
    Block,
    Record,
    Identifier(String),
    Other,
}

/// The item of a file. Text is what is in `ab`.
pub(super) fn read(xml: &str) -> Result<AnnotatedItem, String> {
    let mut open: Vec<OpenElement> = Vec::new();
    let (mut text, mut passed, mut blocks) = (String::new(), Passed::default(), 0);
    let (mut record, mut spans) = (String::new(), Vec::new());
    let (mut book, mut sha256) = (String::new(), String::new());
    let mut told = None;
    read_pieces(xml, |piece| {
        match piece {
            XmlPiece::Start(element) => {
                let kind = attribute(element, "type")?.unwrap_or_default();
                open.push(match name_of(element).as_str() {
                    "front" => OpenElement::Part(PartLabel::Preamble, passed),
                    "body" => OpenElement::Part(PartLabel::Body, passed),
                    "back" => OpenElement::Part(PartLabel::Epilogue, passed),
                    "seg" if kind == "inside" => OpenElement::Part(PartLabel::Inside, passed),
                    "ab" => {
                        blocks += 1;
                        OpenElement::Block
                    }
                    "xenoData" => OpenElement::Record,
                    "idno" => OpenElement::Identifier(kind),
                    "text" => {
                        let verdict = kind.parse::<Verdict>().ok();
                        told = verdict.filter(|verdict| !verdict.has_cuts());
                        OpenElement::Other
                    }
                    _ => OpenElement::Other,
                });
            }
            XmlPiece::End => match open.pop() {
                Some(OpenElement::Part(part, from)) if passed.solid > from.solid => {
                    spans.push(LabelledSpan {
                        part,
                        start: from.all,
                        end: passed.all,
                    });
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
                    for character in piece.chars() {
                        passed.all += 1;
                        passed.solid += usize::from(!character.is_whitespace());
                    }
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
    if let Some(verdict) = told {
        if spans.iter().any(|span| span.part != PartLabel::Body) {
            return Err(format!(
                "has parts of a book and the verdict '{verdict}', which has none; delete one of them"
            ));
        }
        spans.clear();
    }
    item.opinions.push(LabelOpinion {
        spans,
        verdict: told,
        ..LabelOpinion::default()
    });
    item.text = Some(text);
    Ok(item)
}
