//! Rows for Python, made while they are asked for.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

/// A row in JSON, or a book that has none, with the reason.
pub type Row = Result<Vec<u8>, (String, String)>;

/// Makes the next rows; none at the end.
pub type Source = Box<dyn FnMut() -> Vec<Row> + Send>;

/// Rows as dictionaries, in the order of the ids.
#[pyclass(frozen, module = "endpaper")]
pub struct Rows {
    state: Mutex<State>,
    /// `json.loads`.
    loads: Py<PyAny>,
}

struct State {
    source: Source,
    ready: VecDeque<Vec<u8>>,
    skipped: Vec<(String, String)>,
}

impl State {
    /// The next row, made now if none is ready.
    fn next(&mut self) -> Option<Vec<u8>> {
        while self.ready.is_empty() {
            let made = (self.source)();
            if made.is_empty() {
                return None;
            }
            for row in made {
                match row {
                    Ok(json) => self.ready.push_back(json),
                    Err(left_out) => self.skipped.push(left_out),
                }
            }
        }
        self.ready.pop_front()
    }
}

impl Rows {
    /// Rows of a source. `skipped` are books that have none.
    pub fn new(py: Python<'_>, source: Source, skipped: Vec<(String, String)>) -> PyResult<Rows> {
        Ok(Rows {
            state: Mutex::new(State {
                source,
                ready: VecDeque::new(),
                skipped,
            }),
            loads: py.import("json")?.getattr("loads")?.unbind(),
        })
    }

    /// Runs something on the state without holding the interpreter's lock, also while waiting for another thread.
    fn with<T: Send>(&self, py: Python<'_>, run: impl FnOnce(&mut State) -> T + Send) -> T {
        py.detach(|| run(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

#[pymethods]
impl Rows {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let Some(json) = self.with(py, State::next) else {
            return Ok(None);
        };
        // A str spares `loads` the guess of an encoding.
        let json = PyString::from_bytes(py, &json)?;
        self.loads.call1(py, (json,)).map(Some)
    }

    /// The books without a row so far, each with the reason.
    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let skipped = self.with(py, |state| state.skipped.clone());
        PyList::new(py, skipped)
    }
}
