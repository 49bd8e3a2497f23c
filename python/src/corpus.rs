//! A corpus: its listing, its analysis, and the rows of both commands.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, anyhow};
use endpaper_detect::pipeline::{AnalysisOptions, BookReport, CorpusReport};
use endpaper_detect::{Method, Parameters};
use endpaper_text::corpus::{Listing, list};
use endpaper_truth::strip::{
    OutEncoding, OutForm, OutNewline, RowCutter, StripFailure, StripOptions,
};
use endpaper_truth::{DetectedRows, Store};
use pyo3::prelude::*;
use rayon::ThreadPool;

use crate::books::{analyse_detached, options, request};
use crate::errors::raise;
use crate::rows::{Row, Rows};
use crate::truth;

/// A corpus: folders, files and archives.
#[pyclass(frozen, module = "endpaper")]
pub struct Corpus {
    listing: Listing,
    options: AnalysisOptions,
    store: Option<Arc<Store>>,
    /// The analysis, kept from the first call that ended.
    report: Mutex<Option<Arc<CorpusReport>>>,
}

#[pymethods]
impl Corpus {
    #[new]
    #[pyo3(signature = (paths, *, include=Vec::new(), exclude=Vec::new(), truth=None, encoding=None, threads=0, cache=true))]
    #[expect(clippy::too_many_arguments, reason = "keywords, each with a default")]
    fn new(
        py: Python<'_>,
        paths: Paths,
        include: Vec<String>,
        exclude: Vec<String>,
        truth: Option<PathBuf>,
        encoding: Option<String>,
        threads: usize,
        cache: bool,
    ) -> PyResult<Corpus> {
        let open = || -> Result<Corpus> {
            let encoding = encoding.map(|name| name.parse().map_err(anyhow::Error::msg));
            let mut options = options(threads, cache)?;
            let mut request = request(paths.into_vec(), &options);
            request.include = include;
            request.exclude = exclude;
            request.encoding = encoding.transpose()?;
            let store = truth.as_deref().map(truth::open).transpose()?;
            if let Some(store) = &store {
                options.lessons = store.lessons()?.taught;
            }
            request.truth = truth;
            Ok(Corpus {
                listing: list(&request)?,
                options,
                store: store.map(Arc::new),
                report: Mutex::new(None),
            })
        };
        py.detach(open).map_err(raise)
    }

    /// The number of books.
    fn __len__(&self) -> usize {
        self.listing.books.len()
    }

    fn __repr__(&self) -> String {
        format!("<endpaper.Corpus of {} books>", self.listing.books.len())
    }

    /// Where the books begin and end: the rows of `endpaper detect --format jsonl`.
    fn detect(&self, py: Python<'_>) -> PyResult<Rows> {
        let report = self.report(py)?;
        let skipped = skipped(&report);
        let parameters = report.parameters(&self.options.parameters);
        let max_size = self.options.max_size;
        let pool = self.pool()?;
        let mut done = 0;
        let source = move || {
            let batch = match &report.books[done..] {
                [] => return Vec::new(),
                rest => BookReport::batch(rest),
            };
            done += batch.len();
            let rows = DetectedRows {
                method: Method::Posterior,
                parameters: &parameters,
                max_size,
            };
            let rows = pool.install(|| rows.json(batch)).into_iter();
            rows.map(|row| row.map_err(|gone| (gone.id.to_string(), gone.reason.to_string())))
                .collect()
        };
        Rows::new(py, Box::new(source), skipped)
    }

    /// The bodies: the rows that `endpaper strip --out FILE.jsonl` writes.
    #[pyo3(signature = (*, max_doubt=1.0))]
    fn strip(&self, py: Python<'_>, max_doubt: f32) -> PyResult<Rows> {
        if !(0.0..=1.0).contains(&max_doubt) {
            return Err(raise(anyhow!(
                "max_doubt {max_doubt} is no share; write a number from 0 to 1, such as 0.2"
            )));
        }
        let report = self.report(py)?;
        let pool = self.pool()?;
        let skipped = skipped(&report);
        let mut stripper = Stripper {
            parameters: report.parameters(&self.options.parameters),
            options: StripOptions {
                max_doubt,
                form: OutForm {
                    encoding: OutEncoding::Utf8,
                    newline: OutNewline::Lf,
                },
                detector: Method::Posterior.name().to_owned(),
                model: report.model_digest.clone(),
                ..StripOptions::default()
            },
            max_size: self.options.max_size,
            store: self.store.clone(),
            report,
            pool,
            done: 0,
        };
        Rows::new(py, Box::new(move || stripper.next()), skipped)
    }
}

impl Corpus {
    fn pool(&self) -> PyResult<ThreadPool> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.options.threads)
            .build()
            .map_err(|error| raise(error.into()))
    }

    /// The analysis, from the first call on the same one.
    fn report(&self, py: Python<'_>) -> PyResult<Arc<CorpusReport>> {
        let kept = || self.report.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(report) = &*kept() {
            return Ok(report.clone());
        }
        let report = analyse_detached(py, &self.listing, &self.options).map_err(raise)?;
        Ok(kept().get_or_insert(Arc::new(report)).clone())
    }
}

/// The books that could not be read, with the reasons.
fn skipped(report: &CorpusReport) -> Vec<(String, String)> {
    let skipped = report.skipped.iter();
    let skipped = skipped.map(|book| (book.id.to_string(), book.reason.to_string()));
    skipped.collect()
}

/// One path, or several.
#[derive(FromPyObject)]
enum Paths {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

impl Paths {
    fn into_vec(self) -> Vec<PathBuf> {
        match self {
            Paths::One(path) => vec![path],
            Paths::Several(paths) => paths,
        }
    }
}

/// Cuts the bodies of a corpus, batch by batch.
struct Stripper {
    report: Arc<CorpusReport>,
    store: Option<Arc<Store>>,
    parameters: Parameters,
    options: StripOptions,
    max_size: u64,
    pool: ThreadPool,
    done: usize,
}

impl Stripper {
    fn next(&mut self) -> Vec<Row> {
        let cutter = RowCutter {
            store: self.store.as_deref(),
            parameters: &self.parameters,
            options: &self.options,
            max_size: self.max_size,
        };
        if self.done == 0 {
            self.pool.install(|| cutter.build_index());
        }
        let rest = &self.report.books[self.done..];
        if rest.is_empty() {
            return Vec::new();
        }
        let batch = BookReport::batch(rest);
        self.done += batch.len();
        let rows = self.pool.install(|| cutter.cut_all(batch));
        let rows = batch.iter().zip(rows).map(|(book, row)| {
            let left_out = |why: StripFailure| (book.book.id.to_string(), why.to_string());
            row.map(|row| row.json).map_err(left_out)
        });
        rows.collect()
    }
}
