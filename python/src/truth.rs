//! The records of a truth folder.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use endpaper_truth::Store;
use endpaper_truth::exchange::write_jsonl;
use pyo3::prelude::*;

use crate::errors::raise;
use crate::rows::{Row, Rows};

/// The records of a truth folder, as `endpaper truth export --format jsonl` gives them.
#[pyclass(frozen, module = "endpaper")]
pub struct Truth {
    /// The folder.
    #[pyo3(get)]
    folder: PathBuf,
}

#[pymethods]
impl Truth {
    #[new]
    fn new(folder: PathBuf) -> PyResult<Truth> {
        open(&folder).map_err(raise)?;
        Ok(Truth { folder })
    }

    /// The records as dictionaries; broken ones are in `skipped` of what is returned.
    fn __iter__(&self, py: Python<'_>) -> PyResult<Rows> {
        let mut rows = Some(py.detach(|| read(&self.folder)).map_err(raise)?);
        Rows::new(
            py,
            Box::new(move || rows.take().unwrap_or_default()),
            Vec::new(),
        )
    }

    fn __repr__(&self) -> String {
        format!("Truth({:?})", self.folder.display().to_string())
    }
}

/// Opens a truth folder, which must exist.
pub fn open(folder: &Path) -> anyhow::Result<Store> {
    ensure!(
        folder.exists(),
        "the truth folder '{}' does not exist",
        folder.display()
    );
    Store::open(folder)
}

/// All records as JSON, in the order of their files.
fn read(folder: &Path) -> anyhow::Result<Vec<Row>> {
    let row = |(file, record): (PathBuf, Result<endpaper_truth::Record, _>)| match record {
        Ok(record) => write_jsonl(&record)
            .map(String::into_bytes)
            .map_err(|why| (record.book, why)),
        Err(broken) => {
            let broken: endpaper_truth::yaml::ParseError = broken;
            Err((file.display().to_string(), broken.to_string()))
        }
    };
    Ok(open(folder)?.records()?.into_iter().map(row).collect())
}
