//! The module `endpaper._native`: what the program does, for Python.
//!
//! Everything that takes time releases the interpreter's lock. Errors are `EndpaperError` with the sentence that the program
//! prints.

mod books;
mod corpus;
mod detection;
mod errors;
mod rows;
mod truth;

use std::path::PathBuf;

use pyo3::prelude::*;

/// What the program does, for Python.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::corpus::Corpus;
    #[pymodule_export]
    use super::detection::{Detection, detect, strip_headers};
    #[pymodule_export]
    use super::errors::EndpaperError;
    #[pymodule_export]
    use super::rows::Rows;
    #[pymodule_export]
    use super::set_program;
    #[pymodule_export]
    use super::truth::Truth;
}

/// Names the program of this package: it reads PDF and EPUB files in a process of its own, and caches name it.
#[pyfunction]
fn set_program(program: PathBuf) {
    endpaper_text::program::set(program);
}
