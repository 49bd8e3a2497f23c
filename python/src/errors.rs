//! The exception of the module.

use pyo3::exceptions::PyException;
use pyo3::prelude::*;

pyo3::create_exception!(
    endpaper,
    EndpaperError,
    PyException,
    "What endpaper could not do, in the words of the program."
);

/// An error as an exception, unless it is one already (Ctrl-C).
pub fn raise(error: anyhow::Error) -> PyErr {
    match error.downcast::<PyErr>() {
        Ok(raised) => raised,
        Err(error) => EndpaperError::new_err(format!("{error:#}")),
    }
}
