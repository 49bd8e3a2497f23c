//! `evaluate --html`: writes one page with curves, heat maps, tables and every wrong book.

mod books;
mod curves;
mod excerpt;
mod heat;
mod lines;
mod page_data;

pub(in crate::evaluate) use page_data::PageData;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;

use super::table::{notes, tables};
use endpaper_command::page::{HtmlTable, PageStyle, clipped, escaped, framed, put_table};
use endpaper_command::plot::palette::dark_counterparts;
use endpaper_text::atomic::{self, Existing};
use endpaper_text::wording::{plural, thousands};

const TITLE: &str = "How right detected cuts are";

const STYLE: &str = include_str!("style.css");

/// Most findings about records that are listed; the rest is counted.
const COMPLAINTS: usize = 100;

/// Most characters shown of a finding.
const COMPLAINT: usize = 500;

/// Writes the page.
///
/// # Errors
///
/// Names the file that cannot be written, or the book that changed in the meantime.
pub(super) fn write(path: &Path, existing: Existing, material: &PageData<'_>) -> Result<()> {
    let page = page(material)?;
    atomic::write(path, existing, |out| out.write_all(page.as_bytes()))
}

/// The page as HTML.
fn page(material: &PageData<'_>) -> Result<String> {
    let report = material.report;
    let first = report.systems.first();
    let name = first.map_or("", |first| &first.name);
    let wrong = books::wrong_books(material);
    let mut out = format!("<header><h1>{TITLE}: {}</h1>\n", escaped(name));
    let (caption, draws) = (report.caption(), report.draws.in_words());
    let _ = writeln!(
        out,
        "<p>{}. {}</p></header>",
        escaped(&caption),
        escaped(&draws)
    );
    put_contents(&mut out, report.left_out.is_wrong());
    out.push_str("<main>\n<h2 id=\"figures\">Figures</h2>\n");
    for table in tables(report) {
        let shown = HtmlTable {
            caption: &table.title,
            columns: &table.columns,
            numbers: true,
        };
        put_table(&mut out, &shown, table.rows.iter());
    }
    for note in notes(report) {
        let _ = writeln!(out, "<p>{}</p>", escaped(&note));
    }
    out.push_str(
        "<p>Lines are non-blank lines. 'or defended' also counts a line that a record names as an alternative.</p>\n\
        <h2 id=\"curves\">Errors, sorted</h2>\n<p>Each curve is sorted for itself. Below zero, text of the book is removed; above zero, \
        boilerplate is left (Kaser &amp; Lemire, Figure 8).</p>\n",
    );
    curves::put(&mut out, report)?;
    let _ = writeln!(
        out,
        "<h2 id=\"heat\">Heat map</h2>\n<p>Each column is a labelled book, each row one of its counted lines (30 characters or more, \
        a wide one counting as two, with a letter), shaded by how often it occurs; the blue line is the labelled cut, marks are wrong cuts of {} and link to the book \
        (Kaser &amp; Lemire, Figure 2).</p>",
        escaped(name)
    );
    heat::put(&mut out, material, &books::shown(&wrong))?;
    let books = wrong.len();
    let _ = writeln!(
        out,
        "<h2 id=\"wrong\">Wrong books</h2>\n<p>{}</p>",
        match (books, first.map_or(0, |first| first.errors.len())) {
            (0, _) => format!("{} has both cuts right in every book.", escaped(name)),
            (_, of) => format!(
                "In {} {} of {} a cut of {} is neither where the label has it nor at an alternative that the label defends.",
                thousands(books as u64),
                plural(books, "book"),
                thousands(of as u64),
                escaped(name)
            ),
        }
    );
    if books > 0 {
        books::put(&mut out, material, &wrong)?;
    }
    put_left_out(&mut out, material);
    put_making(&mut out, material);
    out.push_str("</main>\n");
    let look = PageStyle::new(&dark_counterparts()?)?.with(STYLE);
    Ok(framed(&format!("{TITLE}: {name}"), &look, &out))
}

/// Appends the links to the sections.
fn put_contents(out: &mut String, left_out: bool) {
    let mut parts = vec![
        ("figures", "Figures"),
        ("curves", "Errors, sorted"),
        ("heat", "Heat map"),
        ("wrong", "Wrong books"),
    ];
    parts.extend(left_out.then_some(("left-out", "Left out")));
    parts.push(("making", "How this page was made"));
    out.push_str("<nav aria-label=\"Contents\"><ul>");
    for (id, name) in parts {
        let _ = write!(out, "<li><a href=\"#{id}\">{name}</a></li>");
    }
    out.push_str("</ul></nav>\n");
}

/// Writes the records that are in no figure because something is wrong with them.
fn put_left_out(out: &mut String, material: &PageData<'_>) {
    let left_out = &material.report.left_out;
    if !left_out.is_wrong() {
        return;
    }
    let told: Vec<String> = left_out.findings_in_words().collect();
    out.push_str("<h2 id=\"left-out\">Left out</h2>\n<ul>");
    for words in told.iter().take(COMPLAINTS) {
        let _ = writeln!(out, "<li>{}</li>", clipped(words, COMPLAINT));
    }
    if told.len() > COMPLAINTS {
        let more = told.len() - COMPLAINTS;
        let _ = writeln!(out, "<li>and {} more</li>", thousands(more as u64));
    }
    out.push_str("</ul>\n");
}

/// Appends what the figures were made with: detector, model, versions.
fn put_making(out: &mut String, material: &PageData<'_>) {
    let PageData {
        survey, parameters, ..
    } = material;
    let skipped = match survey.skipped.len() {
        0 => String::new(),
        books => format!(
            "; {} {} could not be read",
            thousands(books as u64),
            plural(books, "file")
        ),
    };
    let _ = writeln!(
        out,
        "<h2 id=\"making\">How this page was made</h2>\n<p>By <code>endpaper evaluate --html</code> {} over a corpus of {} {}{skipped} \
        (digest <code>{}</code>), with line frequencies of digest <code>{}</code>, K = {} and policy {}.</p>",
        env!("CARGO_PKG_VERSION"),
        thousands(survey.books.len() as u64),
        plural(survey.books.len(), "book"),
        escaped(&survey.corpus_digest),
        escaped(&survey.model_digest),
        thousands(parameters.threshold),
        escaped(&parameters.policy.name),
    );
}

#[cfg(test)]
mod tests {
    use super::page_data::{cut_in_words, off};
    use endpaper_detect::{Cuts, End};

    #[test]
    fn cuts_and_errors_are_told_in_words() {
        let cuts = |preamble_end, epilogue_start| Cuts {
            preamble_end,
            epilogue_start,
        };
        let table = [
            (End::Start, cuts(0, None), "no preamble"),
            (End::Start, cuts(1262, None), "preamble to line 1,262"),
            (End::End, cuts(0, None), "no epilogue"),
            (End::End, cuts(0, Some(9)), "epilogue from line 9"),
        ];
        for (end, cuts, expected) in table {
            assert_eq!(cut_in_words(end, cuts), expected);
        }
        assert_eq!(off(0), None);
        assert_eq!(off(1).unwrap(), "1 line of boilerplate left");
        assert_eq!(off(-1200).unwrap(), "1,200 lines of the book lost");
        assert!(off(i64::MIN).is_some());
    }
}
