//! INCEpTION: a UIMA CAS as XMI. Offsets in the file are UTF-16 code units, as UIMA counts; readers give code points.

use std::collections::HashMap;

use super::labels::span_of;
use super::xml::{XmlPiece, attribute, name_of, quoted, read_pieces};
use super::{AnnotatedItem, ExportedBook, LabelOpinion};

/// The types of the labels and of the record, for all files of a folder.
pub(super) const TYPE_SYSTEM: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier">
  <types>
    <typeDescription>
      <name>webanno.custom.BookPart</name>
      <description>preamble, body, epilogue, or inside: boilerplate within the body</description>
      <supertypeName>uima.tcas.Annotation</supertypeName>
      <features>
        <featureDescription>
          <name>part</name>
          <description/>
          <rangeTypeName>uima.cas.String</rangeTypeName>
        </featureDescription>
      </features>
    </typeDescription>
    <typeDescription>
      <name>endpaper.GroundTruth</name>
      <description>the record of ground truth, as endpaper exported it</description>
      <supertypeName>uima.tcas.Annotation</supertypeName>
      <features>
        <featureDescription>
          <name>record</name>
          <description/>
          <rangeTypeName>uima.cas.String</rangeTypeName>
        </featureDescription>
      </features>
    </typeDescription>
  </types>
</typeSystemDescription>
"#;

/// The CAS of a book.
pub(super) fn write(book: &ExportedBook<'_>) -> String {
    let text = book.text.as_str();
    let units = |offset: usize| {
        text.chars()
            .take(offset)
            .map(char::len_utf16)
            .sum::<usize>()
    };
    let end = units(usize::MAX);
    let mut out = String::from(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:tcas="http:///uima/tcas.ecore" xmlns:custom="http:///webanno/custom.ecore" xmlns:endpaper="http:///endpaper.ecore" xmi:version="2.0">
  <cas:NULL xmi:id="0"/>
"#,
    );
    out.push_str(&format!(
        "  <tcas:DocumentAnnotation xmi:id=\"2\" sofa=\"1\" begin=\"0\" end=\"{end}\" language=\"x-unspecified\"/>\n"
    ));
    let mut members = "2 3".to_owned();
    out.push_str(&format!(
        "  <endpaper:GroundTruth xmi:id=\"3\" sofa=\"1\" begin=\"0\" end=\"{end}\" record={}/>\n",
        quoted(&book.json)
    ));
    for (number, span) in book.spans.iter().enumerate() {
        let id = number + 4;
        members.push_str(&format!(" {id}"));
        out.push_str(&format!(
            "  <custom:BookPart xmi:id=\"{id}\" sofa=\"1\" begin=\"{}\" end=\"{}\" part=\"{}\"/>\n",
            units(span.start),
            units(span.end),
            span.part
        ));
    }
    out.push_str(&format!(
        "  <cas:Sofa xmi:id=\"1\" sofaNum=\"1\" sofaID=\"_InitialView\" mimeType=\"text/plain\" sofaString={}/>\n",
        quoted(text)
    ));
    out.push_str(&format!(
        "  <cas:View sofa=\"1\" members=\"{members}\"/>\n</xmi:XMI>\n"
    ));
    out
}

/// The item of a CAS. Annotations of other layers are passed over.
pub(super) fn read(xmi: &str) -> Result<AnnotatedItem, String> {
    let mut item = AnnotatedItem::default();
    let mut parts = Vec::new();
    let (mut record, mut text) = (None, None);
    read_pieces(xmi, |piece| {
        let XmlPiece::Start(element) = piece else {
            return Ok(());
        };
        match name_of(element).as_str() {
            "Sofa" if text.is_none() => text = attribute(element, "sofaString")?,
            "Sofa" => return Err("has more than one text".to_owned()),
            "GroundTruth" => record = attribute(element, "record")?,
            "BookPart" => {
                let offset = |name: &str| {
                    let found = attribute(element, name)?;
                    let parsed = found.as_deref().and_then(|found| found.parse().ok());
                    parsed.ok_or_else(|| format!("has a BookPart without '{name}'"))
                };
                let (begin, end): (usize, usize) = (offset("begin")?, offset("end")?);
                let part = attribute(element, "part")?;
                parts.push((part.unwrap_or_default(), begin, end));
            }
            _ => {}
        }
        Ok(())
    })?;
    let text = text.ok_or("has no text (cas:Sofa with a sofaString)")?;
    let offsets = parts.iter().flat_map(|&(_, begin, end)| [begin, end]);
    let code_points = code_points(&text, offsets.collect())?;
    let spans = parts
        .into_iter()
        .map(|(part, begin, end)| span_of(&part, code_points[&begin], code_points[&end]));
    item.opinions.push(LabelOpinion {
        spans: spans.collect::<Result<_, _>>()?,
        ..LabelOpinion::default()
    });
    item.text = Some(text);
    item.carry(record.as_deref())?;
    Ok(item)
}

/// Offsets in code points by those in UTF-16 code units. The text is walked once: it may be long, and labels many.
fn code_points(text: &str, mut offsets: Vec<usize>) -> Result<HashMap<usize, usize>, String> {
    offsets.sort_unstable();
    let mut left = text.chars();
    let (mut passed, mut characters) = (0, 0);
    let mut found = HashMap::new();
    for units in offsets {
        while passed < units
            && let Some(character) = left.next()
        {
            passed += character.len_utf16();
            characters += 1;
        }
        if passed > units {
            return Err(format!(
                "the offset {units} is within a character (between two surrogates)"
            ));
        }
        if passed < units {
            return Err(format!(
                "the offset {units} is outside the {passed} UTF-16 code units of the text"
            ));
        }
        found.insert(units, characters);
    }
    Ok(found)
}
