//! One text: where its body begins and ends.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use endpaper_detect::pipeline::{AnalysisOptions, BookReport, analyse};
use endpaper_detect::{Parameters, ProfileName};
use endpaper_text::corpus::{BookText, Encoding, EncodingChoice, Listing, list};
use endpaper_text::wording::thousands;
use endpaper_truth::strip::{OutEncoding, OutForm, OutNewline};
use endpaper_truth::{body_bytes, body_lines};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::sync::atomic::AtomicBool;

use crate::books::{one_text, options, request};
use crate::errors::raise;

/// UTF-8 with the line ends of the source: the text as Python decodes it.
const DECODED: OutForm = OutForm {
    encoding: OutEncoding::Utf8,
    newline: OutNewline::Keep,
};

/// Where the body of a text begins and ends.
#[pyclass(frozen, get_all, module = "endpaper")]
pub struct Detection {
    /// First line of the body, from 1; None if there is no body.
    first: Option<u32>,
    /// Last line of the body.
    last: Option<u32>,
    /// Offset of the body in code points of the decoded text, as `text[start:end]`.
    start: usize,
    /// End of the body in code points of the decoded text.
    end: usize,
    /// Offset of the body in bytes of the source (of a str: of its UTF-8).
    start_byte: usize,
    /// End of the body in bytes.
    end_byte: usize,
    /// Number of lines.
    lines: u32,
    /// Last line of the preamble; 0: there is none.
    preamble_end: u32,
    /// First line of the epilogue; one past the last line: there is none.
    epilogue_start: u32,
    /// How doubtful the cuts are, from 0 to 1.
    doubt: f32,
    /// Why they are doubtful, in words for machines.
    reasons: Vec<&'static str>,
    /// The profile that the text was cut by: gutenberg, or generic.
    profile: Option<String>,
    /// The encoding of the source.
    encoding: String,
    /// The text between the cuts, without blank lines around it.
    body: String,
}

#[pymethods]
impl Detection {
    fn __repr__(&self) -> String {
        let line = |line: Option<u32>| line.map_or("None".to_owned(), |line| line.to_string());
        format!(
            "<endpaper.Detection first={} last={} doubt={:.3}>",
            line(self.first),
            line(self.last),
            self.doubt
        )
    }
}

/// Finds where the body of a text begins and ends, as `endpaper detect` does for one file.
///
/// A str is the text itself, bytes are a file's contents, and an `os.PathLike` names a file.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub fn detect(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Detection> {
    let source = source(text)?;
    py.detach(|| source.detection()).map_err(raise)
}

/// The body of a text, without what was added before and after it: str from str, bytes from bytes.
///
/// Replaces the functions of this name in the packages `gutenberg` and `gutenbergpy`. A blank text is returned as it is.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub fn strip_headers<'py>(text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = text.py();
    let body = |bytes: &[u8], encoding| -> PyResult<Option<std::ops::Range<usize>>> {
        py.detach(|| body_of(bytes, encoding)).map_err(raise)
    };
    if let Ok(text) = text.cast::<PyString>() {
        let utf8 = text.to_cow()?;
        let range = body(utf8.as_bytes(), EncodingChoice::Forced(Encoding::Utf8))?;
        let stripped = range.map(|range| PyString::new(py, &utf8[range]));
        return Ok(stripped.unwrap_or_else(|| text.clone()).into_any());
    }
    let bytes = text.cast::<PyBytes>()?;
    let range = body(bytes.as_bytes(), EncodingChoice::Guessed)?;
    let stripped = range.map(|range| PyBytes::new(py, &bytes.as_bytes()[range]));
    Ok(stripped.unwrap_or_else(|| bytes.clone()).into_any())
}

/// The bytes of the body of a text; `None` if it is blank. Second opinions change no cut, and are left out.
fn body_of(bytes: &[u8], encoding: EncodingChoice) -> Result<Option<std::ops::Range<usize>>> {
    let text = BookText::in_encoding(bytes.to_vec(), encoding);
    if text.non_blank_from(1).is_none() {
        return Ok(None);
    }
    let options = AnalysisOptions {
        opinions: false,
        ..options(1, false)?
    };
    let (book, _) = analysed(&one_text(bytes, encoding), &options)?;
    let body = body_bytes(&text, book.summary.detection.cuts);
    ensure!(
        body.is_some(),
        "nothing of the text is the body of a book; endpaper.detect(text) tells why"
    );
    Ok(body)
}

/// What a caller gave.
enum Source {
    Text(String),
    Bytes(Vec<u8>),
    File(PathBuf),
}

/// Tells a text, bytes and a path apart by their types.
fn source(given: &Bound<'_, PyAny>) -> PyResult<Source> {
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(Source::Text(text.to_cow()?.into_owned()));
    }
    if let Ok(bytes) = given.cast::<PyBytes>() {
        return Ok(Source::Bytes(bytes.as_bytes().to_vec()));
    }
    Ok(Source::File(given.extract()?))
}

impl Source {
    fn detection(self) -> Result<Detection> {
        let options = options(1, false)?;
        match self {
            Source::Text(text) => {
                let utf8 = EncodingChoice::Forced(Encoding::Utf8);
                let (book, parameters) = analysed(&one_text(text.as_bytes(), utf8), &options)?;
                let lines = BookText::in_encoding(text.clone().into_bytes(), utf8);
                let place = |from, to| text[from..to].to_owned();
                Ok(Detection::of(&book, &parameters, &lines, &place))
            }
            Source::Bytes(bytes) => {
                let listing = one_text(&bytes, EncodingChoice::Guessed);
                let (book, parameters) = analysed(&listing, &options)?;
                Ok(Detection::of_decoded(
                    &book,
                    &parameters,
                    &BookText::new(bytes),
                ))
            }
            Source::File(path) => {
                let listing = list(&request(vec![path.clone()], &options))?;
                let books = listing.books.len() + listing.skipped.len();
                ensure!(
                    books == 1,
                    "'{}' holds {} books; endpaper.Corpus detects many",
                    path.display(),
                    thousands(books)
                );
                let (book, parameters) = analysed(&listing, &options)?;
                let text = book
                    .book
                    .text(options.max_size)
                    .map_err(anyhow::Error::new)?;
                Ok(Detection::of_decoded(&book, &parameters, &text))
            }
        }
    }
}

/// The analysis of one book, with the parameters of its detection.
fn analysed(listing: &Listing, options: &AnalysisOptions) -> Result<(BookReport, Parameters)> {
    let options = AnalysisOptions {
        keep_scans: true,
        ..options.clone()
    };
    let report = analyse(listing, &options, &|_| (), &AtomicBool::new(false))?;
    let parameters = report.parameters(&options.parameters);
    let skipped = report.skipped.into_iter().next();
    match (report.books.into_iter().next(), skipped) {
        (Some(book), _) => Ok((book, parameters)),
        (None, Some(skipped)) => bail!("skipped '{}': {}", skipped.id, skipped.reason),
        (None, None) => bail!("no books"),
    }
}

impl Detection {
    /// A detection in a source whose decoded text Python does not have yet.
    fn of_decoded(book: &BookReport, parameters: &Parameters, text: &BookText) -> Detection {
        let decoded = |from, to| {
            let range = from..to;
            let bytes = DECODED.bytes(text, &[range]);
            String::from_utf8_lossy(&bytes).into_owned()
        };
        Detection::of(book, parameters, text, &decoded)
    }

    /// A detection; `decoded` gives the text of a range of bytes.
    fn of(
        book: &BookReport,
        parameters: &Parameters,
        text: &BookText,
        decoded: &dyn Fn(usize, usize) -> String,
    ) -> Detection {
        let found = &book.summary.detection;
        let (preamble_end, epilogue_start) = book.cut_lines();
        let body = body_lines(text, found.cuts);
        let bytes = body.map_or(0..0, |(first, last)| text.span(first, last));
        let before = decoded(0, bytes.start).chars().count();
        let between = decoded(bytes.start, bytes.end);
        let scan = book.scan.as_deref();
        let profile = scan.and_then(|scan| ProfileName::of(scan, parameters));
        Detection {
            first: body.map(|(first, _)| first),
            last: body.map(|(_, last)| last),
            start: before,
            end: before + between.chars().count(),
            start_byte: bytes.start,
            end_byte: bytes.end,
            lines: book.summary.lines,
            preamble_end,
            epilogue_start,
            doubt: found.doubt,
            reasons: found.reasons.iter().map(|reason| reason.name()).collect(),
            profile: profile.map(|profile| profile.word()),
            encoding: book.summary.encoding.to_string(),
            body: between,
        }
    }
}
