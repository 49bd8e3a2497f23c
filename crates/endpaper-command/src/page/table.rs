//! Tables with headers for screen readers.

use std::fmt::Write as _;

use super::escape::escaped;

/// A table of text and numbers. The first cell of a row names it.
pub struct HtmlTable<'a> {
    /// The caption; empty for a table below its heading.
    pub caption: &'a str,
    /// Column names.
    pub columns: &'a [String],
    /// Whether all columns but the first hold numbers.
    pub numbers: bool,
}

/// Writes a table, with all text escaped.
pub fn put_table<'a>(
    out: &mut String,
    table: &HtmlTable<'_>,
    rows: impl Iterator<Item = &'a Vec<String>>,
) {
    let class = if table.numbers {
        " class=\"numbers\""
    } else {
        ""
    };
    let _ = writeln!(out, "<div class=\"wide\"><table{class}>");
    if !table.caption.is_empty() {
        let _ = writeln!(
            out,
            "<caption><span>{}</span></caption>",
            escaped(table.caption)
        );
    }
    out.push_str("<thead><tr>");
    for column in table.columns {
        // Screen readers need a text for a header without a name.
        match column.as_str() {
            "" => out.push_str("<td></td>"),
            words => {
                let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(words));
            }
        }
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for (at, cell) in row.iter().enumerate() {
            let text = escaped(cell);
            let _ = match at {
                0 => write!(out, "<th scope=\"row\">{text}</th>"),
                _ => write!(out, "<td>{text}</td>"),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_escaped_and_headers_say_what_they_head() {
        let columns = ["", "a<b"].map(str::to_owned);
        let rows = [vec!["one".to_owned(), "\"&\"".to_owned()]];
        let mut out = String::new();
        let table = HtmlTable {
            caption: "Two > one",
            columns: &columns,
            numbers: true,
        };
        put_table(&mut out, &table, rows.iter());
        assert_eq!(
            out,
            "<div class=\"wide\"><table class=\"numbers\">\n<caption><span>Two &gt; one</span></caption>\n\
            <thead><tr><td></td><th scope=\"col\">a&lt;b</th></tr></thead>\n<tbody>\n\
            <tr><th scope=\"row\">one</th><td>&quot;&amp;&quot;</td></tr>\n</tbody></table></div>\n"
        );
    }
}
