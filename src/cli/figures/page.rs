//! The page that sets what the paper reports beside what was measured: one file that needs no other.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;

use super::corpus::Read;
use super::report::{Figure, Section};
use crate::atomic;
use crate::words::thousands;

/// Rows of a figure without a picture that are shown.
const ROWS: usize = 40;

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;background:#fbfaf6;color:#1f2328}\
svg{max-width:100%;height:auto}table{border-collapse:collapse;width:100%;margin:1rem 0}\
th,td{border-bottom:1px solid #cfccc2;padding:.3rem .6rem;text-align:left;vertical-align:top}";

/// Writes the page.
///
/// # Errors
///
/// Names the file if it cannot be written.
pub(super) fn write(path: &Path, sections: &[Section], read: &Read) -> Result<()> {
    let page = page(sections, read.books.len(), read.lines);
    atomic::write(path, |out| out.write_all(page.as_bytes()))
}

fn page(sections: &[Section], books: usize, lines: u64) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Figures of Kaser &amp; Lemire</title>\n<style>{STYLE}</style></head><body>\n\
        <h1>Figures of Kaser &amp; Lemire</h1>\n<p>What <em>Removing Manually Generated Boilerplate from Electronic Texts</em> reports, beside what \
        endpaper {} measured over {} books ({} counted lines). The paper's corpus was the first Project Gutenberg DVD, about 11,000 books.</p>\n",
        env!("CARGO_PKG_VERSION"),
        thousands(books as u64),
        thousands(lines),
    );
    for section in sections {
        match section {
            Section::Figure(figure) => put(&mut out, figure),
            Section::LeftOut { title, why } => {
                let _ = write!(out, "<h2>{title}</h2>\n<p>{why}</p>\n");
            }
        }
    }
    out.push_str("</body></html>\n");
    out
}

fn put(out: &mut String, figure: &Figure) {
    // Writing to a string does not fail.
    let _ = write!(
        out,
        "<h2>{}</h2>\n<p>{}</p>\n",
        escaped(&figure.title),
        escaped(&figure.about)
    );
    match &figure.svg {
        Some(svg) => out.push_str(svg),
        None => {
            let columns = figure.data.columns.iter();
            // So that many of them find room: words are broken into lines, names are not.
            let columns: Vec<String> = columns.map(|name| name.replace('_', " ")).collect();
            table(out, &columns, figure.data.rows.iter().take(ROWS));
        }
    }
    let columns = ["", "The paper", "Here"].map(str::to_owned);
    let rows: Vec<Vec<String>> = figure
        .compared
        .iter()
        .map(|row| vec![row.what.clone(), row.paper.clone(), row.here.clone()])
        .collect();
    table(out, &columns, rows.iter());
    let name = escaped(&figure.name);
    let _ = writeln!(out, "<p>Numbers: <a href=\"{name}.tsv\">{name}.tsv</a></p>");
}

fn table<'a>(out: &mut String, columns: &[String], rows: impl Iterator<Item = &'a Vec<String>>) {
    let line = |out: &mut String, cell: &str, cells: &[String]| {
        out.push_str("<tr>");
        for text in cells {
            let _ = write!(out, "<{cell}>{}</{cell}>", escaped(text));
        }
        out.push_str("</tr>\n");
    };
    out.push_str("<table>\n");
    line(out, "th", columns);
    rows.for_each(|row| line(out, "td", row));
    out.push_str("</table>\n");
}

/// Text that strangers wrote, harmless in HTML.
fn escaped(text: &str) -> String {
    let text = crate::sanitise::sanitise(text);
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::report::{Compared, Data};
    use super::*;

    #[test]
    fn nothing_in_a_book_becomes_markup() {
        let mut data = Data::new(["line"]);
        data.row(["<script>alert(\"&\")</script>"]);
        let figure = Figure {
            name: "figure4".to_owned(),
            title: "Lines".to_owned(),
            about: String::new(),
            svg: None,
            data,
            compared: vec![Compared::new("a", "1 < 2", "b")],
        };
        let page = page(&[Section::Figure(figure)], 3, 1800);
        assert!(
            page.contains("<td>&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;</td>"),
            "{page}"
        );
        assert!(
            page.contains("<td>a</td><td>1 &lt; 2</td><td>b</td>"),
            "{page}"
        );
        assert!(!page.contains("<script"));
    }
}
