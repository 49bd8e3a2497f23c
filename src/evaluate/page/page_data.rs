//! Inputs of the page, and cuts as text.

use endpaper_detect::pipeline::CorpusReport;
use endpaper_detect::{Cuts, End, Parameters};
use endpaper_evaluate::BookErrors;
use endpaper_evaluate::report::{EvaluationReport, LabelledBook};
use endpaper_text::wording::{plural, thousands};
use endpaper_truth::check::ListedBooks;

/// Most characters shown of a book's id.
pub(in crate::evaluate) const NAME: usize = 120;

/// The inputs of the page.
pub(in crate::evaluate) struct PageData<'a> {
    pub report: &'a EvaluationReport,
    /// The labelled books of the report.
    pub labelled: &'a [LabelledBook],
    pub survey: &'a CorpusReport,
    pub listed_books: &'a ListedBooks<'a>,
    pub parameters: &'a Parameters,
}

impl<'a> PageData<'a> {
    /// The errors that the first detector made in a labelled book.
    pub(in crate::evaluate) fn errors(&self, book: usize) -> Option<&'a BookErrors> {
        let errors = &self.report.systems.first()?.errors;
        // They are sorted by book.
        let at = errors.binary_search_by_key(&book, |(book, _)| *book);
        at.ok().map(|at| &errors[at].1)
    }
}

/// The position of a cut as text.
pub(in crate::evaluate) fn cut_in_words(end: End, cuts: Cuts) -> String {
    match (end, cuts.preamble_end, cuts.epilogue_start) {
        (End::Start, 0, _) => "no preamble".to_owned(),
        (End::Start, line, _) => format!("preamble to line {}", thousands(line)),
        (End::End, _, None) => "no epilogue".to_owned(),
        (End::End, _, Some(line)) => format!("epilogue from line {}", thousands(line)),
    }
}

/// The effect of an error of `lines` lines as text; `None` if it is zero.
pub(in crate::evaluate) fn off(lines: i64) -> Option<String> {
    let count = lines.unsigned_abs();
    let words = format!(
        "{} {}",
        thousands(count),
        plural(usize::try_from(count).unwrap_or(usize::MAX), "line")
    );
    match lines {
        0 => None,
        1.. => Some(format!("{words} of boilerplate left")),
        _ => Some(format!("{words} of the book lost")),
    }
}
