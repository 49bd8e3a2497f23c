//! The lines around the cuts of a wrong book as a table: state, frequency and text of each.

use std::fmt::Write as _;

use super::excerpt::{CutOwner, ExcerptRow, LineState, excerpt};
use super::page_data::PageData;
use endpaper_command::page::clipped;
use endpaper_detect::End;
use endpaper_detect::pipeline::shade_for;
use endpaper_evaluate::BookErrors;
use endpaper_text::corpus::BookText;
use endpaper_text::line::Normaliser;
use endpaper_text::wording::{plural, thousands};

/// Most characters shown of a line.
pub(super) const LINE: usize = 160;

/// Bytes of a line decoded for display. A character takes at most four.
const DECODED: usize = 4 * (LINE + 1);

/// Longest line whose frequency is looked up, in bytes: longer ones are not boilerplate.
const COUNTED: usize = 4096;

/// The lines around the cuts at each wrong end of a book, `around` non-blank ones at both sides.
pub(super) fn excerpts(
    material: &PageData<'_>,
    errors: &BookErrors,
    text: &BookText,
    around: u32,
) -> String {
    let mut out = String::new();
    for (end, name) in [(End::Start, "Start"), (End::End, "End")] {
        if errors.ends[end as usize].defended {
            continue;
        }
        let _ = writeln!(
            out,
            "<div class=\"wide\"><table class=\"lines\"><caption><span>{name}</span></caption><thead><tr><th scope=\"col\">Line</th><th scope=\"col\">Is</th><th scope=\"col\">Seen</th><th scope=\"col\">Text</th></tr></thead><tbody>",
        );
        let mut normaliser = Normaliser::default();
        let rows = excerpt(text, end, errors.cuts, around);
        for row in rows {
            match row {
                ExcerptRow::Line(line, state) => {
                    let seen = frequency_and_shade(material, text, &mut normaliser, line, end);
                    put_line(&mut out, text, line, state, seen);
                }
                ExcerptRow::Blank(first, lines) => put_blank(&mut out, first, lines),
                ExcerptRow::Gap(lines) => {
                    let _ = writeln!(
                        out,
                        "<tr class=\"gap\"><td colspan=\"4\">{} {} not shown</td></tr>",
                        thousands(lines),
                        plural(lines as usize, "line")
                    );
                }
                ExcerptRow::Cut(end, whose) => put_cut(&mut out, end, whose),
            }
        }
        out.push_str("</tbody></table></div>\n");
    }
    out
}

/// Frequency and shade of a line; `None` for lines that are not counted.
fn frequency_and_shade(
    material: &PageData<'_>,
    text: &BookText,
    normaliser: &mut Normaliser,
    line: u32,
    end: End,
) -> Option<(u64, u8)> {
    if text.raw(line).len() > COUNTED {
        return None;
    }
    let raw = text.normaliser_input(line);
    let normalised = normaliser.line(&raw);
    if normalised.trivial {
        return None;
    }
    let frequencies = &material.survey.model.frequencies;
    let counts = match end {
        End::Start => frequencies.head(),
        End::End => frequencies.tail(),
    };
    let frequency = counts.frequency(normalised.key());
    Some((
        frequency,
        shade_for(frequency, material.parameters.threshold),
    ))
}

/// Appends a row of the table for a line.
fn put_line(
    out: &mut String,
    text: &BookText,
    line: u32,
    state: LineState,
    seen: Option<(u64, u8)>,
) {
    let (class, is) = match state {
        LineState::Book => ("", ""),
        LineState::Outside => (" class=\"out\"", ""),
        LineState::Lost => (" class=\"lost\"", "- lost"),
        LineState::Left => (" class=\"left\"", "+ left"),
    };
    let _ = write!(out, "<tr{class}><td>{line}</td><td>{is}</td>");
    let _ = match seen {
        None => write!(out, "<td></td>"),
        Some((0 | 1, _)) => write!(out, "<td>\u{b7}</td>"),
        Some((seen, shade @ 3..)) => write!(out, "<td class=\"h{shade}\">{}</td>", thousands(seen)),
        Some((seen, _)) => write!(out, "<td>{}</td>", thousands(seen)),
    };
    let shown = clipped(&text.display(line, DECODED), LINE);
    let _ = writeln!(out, "<td>{shown}</td></tr>");
}

/// Appends a row for successive blank lines.
fn put_blank(out: &mut String, first: u32, lines: u32) {
    let (numbers, words) = match lines {
        1 => (first.to_string(), "\u{a0}".to_owned()),
        _ => (
            format!("{first}\u{2013}{}", first + lines - 1),
            format!("{} blank lines", thousands(lines)),
        ),
    };
    let _ = writeln!(
        out,
        "<tr class=\"blank\"><td>{numbers}</td><td></td><td></td><td>{words}</td></tr>"
    );
}

/// Writes the rule of a cut.
fn put_cut(out: &mut String, end: End, whose: CutOwner) {
    let (class, who) = match whose {
        CutOwner::Label => ("label", "by the label"),
        CutOwner::Detector => ("found", "as detected"),
        CutOwner::Both => ("label", "by the label and as detected"),
    };
    let what = match end {
        End::Start => "\u{25BC} the book begins below",
        End::End => "\u{25B2} the book ends above",
    };
    let _ = writeln!(
        out,
        "<tr class=\"cut {class}\"><td colspan=\"4\">{what}, {who}</td></tr>"
    );
}
