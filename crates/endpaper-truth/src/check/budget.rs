//! What errors a detector may make: one line for each labelled book, in a file that is kept with the labels.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::{CheckFinding, CheckRule, CutErrors};
use endpaper_text::cells::{from_cell, to_first_cell};

/// The line that begins the table.
const HEADER: &str = "book\tstart\tend";

/// Allowed errors by book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorBudget {
    books: BTreeMap<String, (CutErrors, usize)>,
}

/// A budget that does not parse.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    /// Nothing but comments.
    #[error("line 1: is not a budget")]
    Empty,
    /// Something else, from this line on.
    #[error("line {0}: is not a budget")]
    NoHeader(usize),
    /// A line that is not a line of a budget.
    #[error("line {line}: {message}")]
    Line {
        /// Line, from 1.
        line: usize,
        /// What is wrong and how to fix it.
        message: String,
    },
}

/// The comparison of a detector's errors with a budget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BudgetResult {
    /// Books that got worse, have no budget, or have no label.
    pub findings: Vec<CheckFinding>,
    /// Books that got better and none of whose ends got worse.
    pub better: usize,
}

impl FromIterator<(String, CutErrors)> for ErrorBudget {
    fn from_iter<I: IntoIterator<Item = (String, CutErrors)>>(books: I) -> ErrorBudget {
        let books = books.into_iter().map(|(book, errors)| (book, (errors, 0)));
        ErrorBudget {
            books: books.collect(),
        }
    }
}

impl ErrorBudget {
    /// The file: two lines of comment, a header, and a line for each book in the order of ids. `made` says by what the
    /// errors were made.
    pub fn write(&self, made: &str) -> String {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "# Errors of the detector that `endpaper truth check` allows, in non-blank lines (+ body lost, - boilerplate left)."
        );
        let _ = writeln!(out, "# Made with {}.", made.replace(['\n', '\r'], " "));
        let _ = writeln!(out, "{HEADER}");
        for (book, (CutErrors { start, end }, _)) in &self.books {
            let _ = writeln!(out, "{}\t{start}\t{end}", to_first_cell(book));
        }
        out
    }

    /// Reads the file again.
    ///
    /// # Errors
    ///
    /// The line that is not a line of a budget.
    pub fn read(text: &str) -> Result<ErrorBudget, BudgetError> {
        let mut budget = ErrorBudget::default();
        let mut seen_header = false;
        for (at, line) in text.lines().enumerate() {
            let error = |message: String| BudgetError::Line {
                line: at + 1,
                message,
            };
            match line {
                line if line.starts_with('#') || line.trim().is_empty() => {}
                HEADER if !seen_header => seen_header = true,
                _ if !seen_header => return Err(BudgetError::NoHeader(at + 1)),
                line => {
                    let (book, errors) = row(line).map_err(error)?;
                    if budget.books.contains_key(&book) {
                        return Err(error(format!("'{book}' is there twice; remove one line")));
                    }
                    budget.books.insert(book, (errors, at + 1));
                }
            }
        }
        if !seen_header {
            return Err(BudgetError::Empty);
        }
        Ok(budget)
    }

    /// Books with a budget.
    pub fn len(&self) -> usize {
        self.books.len()
    }

    /// Whether no book has a budget.
    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }

    /// Holds errors against the budget. `file` is where it was read from; `labels` gives for each book the file of its
    /// record and the errors of now.
    pub fn hold(&self, file: &Path, labels: &[(&str, &Path, CutErrors)]) -> BudgetResult {
        let mut held = BudgetResult::default();
        for &(book, label, now) in labels {
            let finding = |line, rule, message| CheckFinding {
                file: file.to_owned(),
                line,
                column: 1,
                rule,
                book: book.to_owned(),
                message,
            };
            let Some(&(budget, line)) = self.books.get(book) else {
                let message = format!(
                    "'{book}' is labelled in '{}' and has no budget (its errors now: start {:+}, end {:+})",
                    label.display(),
                    now.start,
                    now.end
                );
                held.findings.push(finding(1, CheckRule::NoBudget, message));
                continue;
            };
            let worse = [
                ("start", now.start, budget.start),
                ("end", now.end, budget.end),
            ];
            let worse = worse
                .into_iter()
                .filter(|(_, now, budget)| now.abs() > budget.abs());
            let worse: Vec<String> = worse
                .map(|(end, now, budget)| format!("{end} {now:+} lines, {budget:+} allowed"))
                .collect();
            if !worse.is_empty() {
                let message = format!("'{book}' got worse: {}", worse.join("; "));
                held.findings.push(finding(line, CheckRule::Worse, message));
            } else if now.start.abs() + now.end.abs() < budget.start.abs() + budget.end.abs() {
                held.better += 1;
            }
        }
        held.findings.extend(self.stale(file, labels));
        held
    }

    /// Findings for the rows of books that are not labelled (any more).
    fn stale<'a>(
        &'a self,
        file: &'a Path,
        labels: &[(&str, &Path, CutErrors)],
    ) -> impl Iterator<Item = CheckFinding> + 'a {
        let labelled: std::collections::HashSet<String> =
            labels.iter().map(|(book, ..)| (*book).to_owned()).collect();
        let stale = self
            .books
            .iter()
            .filter(move |(book, _)| !labelled.contains(*book));
        stale.map(|(book, (_, line))| CheckFinding {
            file: file.to_owned(),
            line: *line,
            column: 1,
            rule: CheckRule::StaleBudget,
            book: book.clone(),
            message: format!("'{book}' has a budget, but no sound record with cuts"),
        })
    }
}

/// The book of a row, and the errors that the detector may make at its start and end.
fn row(line: &str) -> Result<(String, CutErrors), String> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [book, start, end] = cells[..] else {
        return Err(format!(
            "has {} cells instead of 3; columns are separated by tabs",
            cells.len()
        ));
    };
    let number = |text: &str| {
        let number = text.strip_prefix('+').unwrap_or(text).parse::<i64>();
        // Its size must be a number too.
        let number = number.ok().filter(|number| *number != i64::MIN);
        number.ok_or_else(|| format!("'{text}' is not a number of lines"))
    };
    let errors = CutErrors {
        start: number(start)?,
        end: number(end)?,
    };
    Ok((from_cell(book), errors))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(start: i64, end: i64) -> CutErrors {
        CutErrors { start, end }
    }

    fn budget() -> ErrorBudget {
        let books = [
            ("a\tb", errors(0, -3)),
            ("b", errors(2, 0)),
            ("gone", errors(0, 0)),
        ];
        books.into_iter().map(|(b, e)| (b.to_owned(), e)).collect()
    }

    #[test]
    fn a_budget_comes_back_as_it_was_written() {
        let text = budget().write("gap\nand more");
        let again = ErrorBudget::read(&text).unwrap();
        assert_eq!(again.write("gap and more"), text);
        assert_eq!(again.len(), 3);
        assert!(text.contains("\na\\tb\t0\t-3\n"), "{text}");
    }

    #[test]
    fn a_book_that_begins_like_a_comment_keeps_its_budget() {
        let names = ["#1.txt", "\\#1.txt", "-", "\\", "# a\tb"];
        let books = names.map(|name| (name.to_owned(), errors(1, 0)));
        let written: ErrorBudget = books.into_iter().collect();
        let again = ErrorBudget::read(&written.write("gap")).unwrap();
        let found: Vec<&str> = again.books.keys().map(String::as_str).collect();
        let mut expected = names;
        expected.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_no_budget_is_refused_with_its_line() {
        let table = [
            ("", 1, "not a budget"),
            ("a\t1\t2\n", 1, "not a budget"),
            ("book\tstart\tend\na\t1\n", 2, "2 cells"),
            ("book\tstart\tend\n\na\t1\tx\n", 3, "'x' is not a number"),
            (
                "book\tstart\tend\na\t-9223372036854775808\t0\n",
                2,
                "not a number",
            ),
            ("book\tstart\tend\na\t1\t2\na\t1\t2\n", 3, "twice"),
        ];
        for (text, line, message) in table {
            let error = ErrorBudget::read(text).unwrap_err();
            let error = error.to_string();
            assert!(
                error.starts_with(&format!("line {line}: ")),
                "{text}: {error}"
            );
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn each_end_is_held_against_its_own_budget() {
        let budget = ErrorBudget::read(&budget().write("x")).unwrap();
        let label = Path::new("l.yaml");
        let held = |a: CutErrors, b: CutErrors| {
            let labels = [
                ("a\tb", label, a),
                ("b", label, b),
                ("new", label, errors(0, 1)),
            ];
            budget.hold(Path::new("budget.tsv"), &labels)
        };
        let rules = |held: &BudgetResult| held.findings.iter().map(|f| f.rule).collect::<Vec<_>>();
        let same = held(errors(0, 3), errors(-2, 0));
        assert_eq!(rules(&same), [CheckRule::NoBudget, CheckRule::StaleBudget]);
        assert_eq!(same.better, 0);
        // A better start does not pay for a worse end.
        let worse = held(errors(0, 0), errors(0, 1));
        assert_eq!(
            rules(&worse),
            [
                CheckRule::Worse,
                CheckRule::NoBudget,
                CheckRule::StaleBudget
            ]
        );
        assert_eq!(worse.better, 1);
        assert_eq!(worse.findings[0].line, 5);
        assert!(
            worse.findings[0]
                .message
                .contains("end +1 lines, +0 allowed")
        );
    }
}
