//! Comma separated values as RFC 4180 says, with LF or CRLF, and read with other separators too.

use crate::yaml::ParseError;

/// One line of a table.
pub(super) fn write<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let quoted = |cell: &str| {
        let plain = !cell.contains(['"', ',', '\n', '\r']) && cell.trim() == cell;
        if plain {
            cell.to_owned()
        } else {
            format!("\"{}\"", cell.replace('"', "\"\""))
        }
    };
    let cells = cells.into_iter().map(quoted);
    cells.collect::<Vec<_>>().join(",")
}

/// All lines of a table with this separator, each with the line of the file it begins in. Empty lines are not lines of the table.
///
/// # Errors
///
/// A quotation mark that does not end, or ends in the middle of a cell.
pub(super) fn read(text: &str, separator: char) -> Result<Vec<(usize, Vec<String>)>, ParseError> {
    let mut rows = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while !rest.is_empty() {
        let begins = line;
        let mut cells = Vec::new();
        loop {
            let (cell, after) = match rest.strip_prefix('"') {
                Some(quoted) => quoted_cell(quoted, separator, line)?,
                None => {
                    let end = rest.find([separator, '\n']).unwrap_or(rest.len());
                    let bare = &rest[..end];
                    let is_last = !rest[end..].starts_with(separator);
                    let bare = if is_last {
                        bare.trim_end_matches('\r')
                    } else {
                        bare
                    };
                    (bare.to_owned(), &rest[end..])
                }
            };
            line += cell.matches('\n').count();
            cells.push(cell);
            match after.strip_prefix(separator) {
                Some(next) => rest = next,
                None => {
                    let after = after.strip_prefix('\r').unwrap_or(after);
                    rest = after.strip_prefix('\n').unwrap_or(after);
                    line += 1;
                    break;
                }
            }
        }
        if cells.iter().any(|cell| !cell.is_empty()) {
            rows.push((begins, cells));
        }
    }
    Ok(rows)
}

/// The text of a cell after its opening quotation mark, and what follows the closing one.
fn quoted_cell(text: &str, separator: char, line: usize) -> Result<(String, &str), ParseError> {
    let error = |message: &str| ParseError {
        line,
        column: 1,
        message: message.to_owned(),
    };
    let mut cell = String::new();
    let mut rest = text;
    loop {
        let Some(end) = rest.find('"') else {
            return Err(error(
                "has a quotation mark that does not end; double it where it is meant",
            ));
        };
        cell.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(after) => {
                cell.push('"');
                rest = after;
            }
            None if rest.is_empty() || rest.starts_with([separator, '\n', '\r']) => {
                return Ok((cell, rest));
            }
            None => {
                return Err(error(
                    "has text after a closing quotation mark; double the marks inside of a cell",
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_counted_through_cells() {
        let rows = read("a,b\r\n\"x\ny\",\"\"\"\"\n\n,last\n\"end\"", ',').unwrap();
        let expected: [(usize, &[&str]); 4] = [
            (1, &["a", "b"]),
            (2, &["x\ny", "\""]),
            (5, &["", "last"]),
            (6, &["end"]),
        ];
        assert_eq!(rows.len(), expected.len());
        for ((line, cells), (expected_line, expected)) in rows.iter().zip(expected) {
            assert_eq!(*line, expected_line);
            assert_eq!(cells, expected);
        }
    }

    #[test]
    fn broken_quotation_is_named_with_its_line() {
        assert_eq!(read("a\n\"b", ',').unwrap_err().line, 2);
        assert_eq!(read("a\nb\n\"c\"d,e\n", ',').unwrap_err().line, 3);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(rows in prop::collection::vec(prop::collection::vec(any::<String>(), 1..4), 0..4)) {
            let rows: Vec<_> = rows.into_iter().filter(|row| row.iter().any(|cell| !cell.is_empty())).collect();
            let text: String = rows.iter().map(|row| write(row.iter().map(String::as_str)) + "\n").collect();
            let again: Vec<_> = read(&text, ',').unwrap().into_iter().map(|(_, cells)| cells).collect();
            prop_assert_eq!(again, rows);
        }

        #[test]
        fn no_text_makes_it_panic(text in "[a\",\r\n]{0,20}") {
            let _ = read(&text, ',');
        }
    }
}
