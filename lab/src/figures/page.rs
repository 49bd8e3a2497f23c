//! The page that compares the paper's results with those measured: one self-contained file.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;

use super::report::{Figure, Section};
use endpaper_command::page::{HtmlTable, PageStyle, escaped, framed, put_table};
use endpaper_command::plot::palette::dark_counterparts;
use endpaper_text::atomic::{self, Existing};

/// Maximum number of table rows shown for a figure without a plot.
const ROWS: usize = 40;

/// The contents of the HTML page that shows the figures.
pub(super) struct FigurePage<'a> {
    /// Heading.
    pub title: &'static str,
    /// Introduction, as markup.
    pub about: String,
    /// Figures.
    pub sections: &'a [Section],
}

/// Writes a page. The error names the file.
pub(super) fn write(path: &Path, existing: Existing, page: &FigurePage<'_>) -> Result<()> {
    let page = html(page)?;
    atomic::write(path, existing, |out| out.write_all(page.as_bytes()))
}

fn html(page: &FigurePage<'_>) -> Result<String> {
    let (title, about) = (escaped(page.title), &page.about);
    let mut body = format!("<h1>{title}</h1>\n<p>{about}</p>\n");
    for section in page.sections {
        match section {
            Section::Figure(figure) => put(&mut body, figure),
            Section::LeftOut { title, why } => {
                let (title, why) = (escaped(title), escaped(why));
                let _ = write!(body, "<h2>{title}</h2>\n<p>{why}</p>\n");
            }
        }
    }
    let look = PageStyle::new(&dark_counterparts()?)?;
    Ok(framed(page.title, &look, &body))
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
            // Lets the browser break column names at spaces, to fit many columns.
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
    let table = HtmlTable {
        caption: "",
        columns,
        numbers: false,
    };
    put_table(out, &table, rows);
}

#[cfg(test)]
mod tests {
    use super::super::report::{Compared, FigureData};
    use super::*;

    #[test]
    fn nothing_in_a_book_becomes_markup() {
        let mut data = FigureData::new(["from", "line"]);
        data.row(["corpus", "<script>alert(\"&\")</script>"]);
        let figure = Figure {
            name: "figure4".to_owned(),
            title: "Lines".to_owned(),
            about: String::new(),
            svg: None,
            data,
            compared: vec![Compared::new("a", "1 < 2", "b")],
        };
        let page = html(&FigurePage {
            title: "Figures of Kaser & Lemire",
            about: String::new(),
            sections: &[Section::Figure(figure)],
        })
        .unwrap();
        assert!(
            page.contains("<td>&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;</td>"),
            "{page}"
        );
        assert!(
            page.contains("<th scope=\"row\">a</th><td>1 &lt; 2</td><td>b</td>"),
            "{page}"
        );
        assert!(!page.contains("<script"));
    }
}
