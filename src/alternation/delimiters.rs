//! The table of delimiters: the sites of pages, and the delimiters around their text.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use globset::{Glob, GlobMatcher};

use endpaper_detect::alternation::Delimiters;
use endpaper_text::cells::from_cell;
use endpaper_text::corpus::BookId;

/// Name of the total row; no site may have it.
pub(super) const TOTAL: &str = "total";

/// Largest table, in bytes: tables are written by hand.
const MAX_TABLE_BYTES: u64 = 1 << 20;

const COLUMNS: [&str; 4] = ["site", "pages", "left", "right"];

/// The table of the sites and of the delimiters around the text of their pages.
#[derive(Debug)]
pub(super) struct DelimiterTable {
    /// Site names in order of first occurrence.
    pub names: Vec<String>,
    pub rows: Vec<DelimiterRow>,
}

/// A pair of delimiters and the pages it is for.
#[derive(Debug)]
pub(super) struct DelimiterRow {
    /// Its line in the table, from 1.
    pub line: usize,
    /// Index of its site in [`DelimiterTable::names`].
    pub site: usize,
    /// Matches the pages of this row.
    pub glob: GlobMatcher,
    /// `None`: these pages have no useful text.
    pub pair: Option<Delimiters>,
}

impl DelimiterTable {
    /// Reads a table.
    ///
    /// # Errors
    ///
    /// Names the file, the line and the invalid value.
    pub fn read(path: &Path) -> Result<DelimiterTable> {
        let name = path.display();
        let mut text = String::new();
        let file = File::open(path).with_context(|| format!("'{name}' cannot be read"))?;
        let read = file.take(MAX_TABLE_BYTES + 1).read_to_string(&mut text);
        read.with_context(|| format!("'{name}' cannot be read; delimiters are a table in UTF-8"))?;
        ensure!(
            text.len() as u64 <= MAX_TABLE_BYTES,
            "'{name}' is larger than {} MiB; a table of delimiters has a few lines",
            MAX_TABLE_BYTES >> 20
        );
        DelimiterTable::parse(&text)
            .with_context(|| format!("'{name}' is not a table of delimiters"))
    }

    /// Parses a table of delimiters.
    fn parse(text: &str) -> Result<DelimiterTable> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = (1..).zip(text.lines());
        let mut lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let Some((at, header)) = lines.next() else {
            bail!(
                "it is empty; its first line is the header {}, with tabs",
                COLUMNS.join(", ")
            );
        };
        let header: Vec<&str> = header.split('\t').map(str::trim).collect();
        let mut places = [0; COLUMNS.len()];
        for (place, column) in places.iter_mut().zip(COLUMNS) {
            let found = header.iter().position(|name| *name == column);
            *place = found.with_context(|| {
                format!(
                    "line {at} has no column '{column}'; the header is {}, with tabs",
                    COLUMNS.join(", ")
                )
            })?;
        }
        let mut sites = DelimiterTable {
            names: Vec::new(),
            rows: Vec::new(),
        };
        for (at, line) in lines {
            sites
                .take(at, line, places)
                .with_context(|| format!("line {at}"))?;
        }
        ensure!(
            !sites.rows.is_empty(),
            "there is no line below the header; each has {}",
            COLUMNS.join(", ")
        );
        Ok(sites)
    }

    /// Adds a line of the table; `places` are the columns of the cells.
    fn take(&mut self, line: usize, text: &str, places: [usize; COLUMNS.len()]) -> Result<()> {
        let cells: Vec<&str> = text.split('\t').collect();
        let mut values = places.map(|_| String::new());
        for ((value, place), column) in values.iter_mut().zip(places).zip(COLUMNS) {
            let cell = cells.get(place).with_context(|| {
                format!("no cell for '{column}'; cells are separated by one tab, and '-' is an empty one")
            })?;
            *value = from_cell(cell);
        }
        let [site, pages, left, right] = values;
        ensure!(!site.is_empty(), "the site has no name; give it one");
        ensure!(
            site != TOTAL,
            "no site can be called '{TOTAL}', as the sum of all is; give it another name"
        );
        let glob = Glob::new(&pages)
            .with_context(|| {
                format!("'{pages}' is not a valid glob; * stands for any characters, [*] for an asterisk")
            })?
            .compile_matcher();
        let pair = match (left.is_empty(), right.is_empty()) {
            (false, false) => Some(Delimiters::new(&left, &right)),
            (true, true) => None,
            (is_left, _) => bail!(
                "the {} delimiter is empty and the other is not; give both, or none ('-') for pages without anything useful",
                if is_left { "left" } else { "right" }
            ),
        };
        let known = self.names.iter().position(|name| *name == site);
        let site = known.unwrap_or_else(|| {
            self.names.push(site);
            self.names.len() - 1
        });
        self.rows.push(DelimiterRow {
            line,
            site,
            glob,
            pair,
        });
        Ok(())
    }

    /// Returns the site of a page and the indices of its rows: the first row that matches decides the site, and all matching rows of
    /// that site are used.
    pub fn of(&self, page: &BookId) -> Option<(usize, Vec<usize>)> {
        let matches = |row: &DelimiterRow| row.glob.is_match(page.as_str());
        let site = self.rows.iter().find(|row| matches(row))?.site;
        let rows = self.rows.iter().enumerate();
        let rows = rows.filter(|(_, row)| row.site == site && matches(row));
        Some((site, rows.map(|(at, _)| at).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_with_their_lines() {
        let text = "\u{feff}# two sites\r\n\r\nleft\tsite\tright\tpages\tnote\r\n<b>\tNews\t</b>\tn/*.html\tx\r\n\
            \\t<p>\tNews\t\\-\tn/1*\r\n-\tOther\t-\to/*\r\n";
        let sites = DelimiterTable::parse(text).unwrap();
        assert_eq!(sites.names, ["News", "Other"]);
        let rows = sites.rows.iter().map(|row| {
            let pair = row.pair.as_ref().map(|pair| (pair.left(), pair.right()));
            (row.line, row.site, row.glob.glob().glob(), pair)
        });
        let expected = [
            (4, 0, "n/*.html", Some(("<b>", "</b>"))),
            (5, 0, "n/1*", Some((" <p>", "-"))),
            (6, 1, "o/*", None),
        ];
        assert_eq!(rows.collect::<Vec<_>>(), expected);
        let of = |id: &str| sites.of(&BookId::new(id));
        assert_eq!(of("n/12.html"), Some((0, vec![0, 1])));
        assert_eq!(of("n/2.html"), Some((0, vec![0])));
        assert_eq!(of("o/n/1.html"), Some((1, vec![2])));
        assert_eq!(of("p/1.html"), None);
    }

    #[test]
    fn what_is_no_table_is_named() {
        let head = "site\tpages\tleft\tright\n";
        let table = [
            (String::new(), "it is empty"),
            ("# nothing\n\n".to_owned(), "it is empty"),
            (
                "site,pages,left,right\n".to_owned(),
                "line 1 has no column 'site'",
            ),
            (
                "site\tpages\tleft\n".to_owned(),
                "line 1 has no column 'right'",
            ),
            (head.to_owned(), "no line below the header"),
            (
                format!("{head}News\t*\t<b>\n"),
                "line 2: no cell for 'right'",
            ),
            (
                format!("{head}News\t*\t<b>\t-\n"),
                "line 2: the right delimiter is empty",
            ),
            (
                format!("{head}News\t*\t\t</b>\n"),
                "line 2: the left delimiter is empty",
            ),
            (
                format!("{head}-\t*\t<b>\t</b>\n"),
                "line 2: the site has no name",
            ),
            (
                format!("{head}#\ntotal\t*\t<b>\t</b>\n"),
                "line 3: no site can be called 'total'",
            ),
            (
                format!("{head}News\t[a\t<b>\t</b>\n"),
                "line 2: '[a' is not a valid glob",
            ),
            ("\0\0\t\u{7f}".repeat(999), "line 1 has no column 'site'"),
        ];
        for (text, message) in table {
            let error = format!("{:#}", DelimiterTable::parse(&text).unwrap_err());
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn what_is_no_text_or_too_large_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let large = "#\n".repeat(MAX_TABLE_BYTES as usize / 2 + 1);
        let table: [(&[u8], &str); 2] = [
            (b"site\xFF\tpages", "in UTF-8"),
            (large.as_bytes(), "larger than 1 MiB"),
        ];
        for (bytes, message) in table {
            std::fs::write(&path, bytes).unwrap();
            let error = format!("{:#}", DelimiterTable::read(&path).unwrap_err());
            assert!(
                error.contains(message) && error.contains("table'"),
                "{error}"
            );
        }
        assert!(DelimiterTable::read(&folder.path().join("none")).is_err());
    }
}
