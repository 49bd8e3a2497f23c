//! Writing books to an index.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use tantivy::index::Index;
use tantivy::{TantivyError, Term};

use super::byte_budget::ByteBudget;
use super::document::BudgetedDocument;
use super::folder::IndexFolder;
use super::schema::IndexFields;
use super::{IndexDocument, IndexProblem};

/// Bytes of text between commits: a killed run loses no more than this.
const COMMIT: u64 = 192 << 20;

/// Largest total size of texts that wait to be indexed, in bytes.
const MAX_PENDING_BYTES: usize = 48 << 20;

/// Memory of one writing thread, in bytes. Larger segments need fewer merges.
const MEMORY: usize = 128 << 20;

/// Most writing threads that Tantivy supports.
const MOST_THREADS: usize = 8;

/// Writes an index. All methods may be called from any thread.
pub struct IndexWriter {
    inner: RwLock<tantivy::IndexWriter<BudgetedDocument>>,
    fields: IndexFields,
    folder: IndexFolder,
    budget: Arc<ByteBudget>,
    uncommitted_bytes: AtomicU64,
    /// Held as long as the writer exists.
    _lock: File,
}

impl IndexWriter {
    pub(super) fn new(
        index: &Index,
        fields: &IndexFields,
        folder: &IndexFolder,
        lock: File,
        threads: usize,
    ) -> Result<IndexWriter, IndexProblem> {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let threads = threads.clamp(1, MOST_THREADS);
        folder.unseal()?;
        let inner = index.writer_with_num_threads(threads, threads * MEMORY);
        Ok(IndexWriter {
            inner: RwLock::new(inner.map_err(|error| write_problem(folder.path(), error))?),
            fields: fields.clone(),
            folder: folder.clone(),
            budget: ByteBudget::new(MAX_PENDING_BYTES),
            uncommitted_bytes: AtomicU64::new(0),
            _lock: lock,
        })
    }

    /// Adds a book to the index, replacing an older version of it. Blocks while too much text is waiting.
    ///
    /// # Errors
    ///
    /// The index cannot be written, for example because the disk is full.
    pub fn put(&self, document: IndexDocument) -> Result<(), IndexProblem> {
        let bytes = document.bytes();
        let place = self.budget.reserve(bytes);
        let key = Term::from_field_text(self.fields.key, &document.id);
        let values = document.into_field_values(&self.fields);
        let values = values.map_err(|error| IndexProblem::Unwritable(error.to_string()))?;
        {
            let inner = self.inner.read().unwrap_or_else(PoisonError::into_inner);
            inner.delete_term(key);
            let filled = BudgetedDocument {
                values,
                _place: place,
            };
            inner
                .add_document(filled)
                .map_err(|error| write_problem(self.folder.path(), error))?;
        }
        let since = self
            .uncommitted_bytes
            .fetch_add(bytes as u64, Ordering::Relaxed)
            + bytes as u64;
        if since >= COMMIT {
            self.commit()?;
        }
        Ok(())
    }

    /// Removes a book from the index.
    pub fn remove(&self, id: &str) {
        let inner = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        inner.delete_term(Term::from_field_text(self.fields.key, id));
    }

    /// Makes everything written so far durable.
    ///
    /// # Errors
    ///
    /// The index cannot be written, for example because the disk is full.
    pub fn commit(&self) -> Result<(), IndexProblem> {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        self.uncommitted_bytes.store(0, Ordering::Relaxed);
        let done = inner.commit();
        done.map(drop)
            .map_err(|error| write_problem(self.folder.path(), error))
    }

    /// Commits, waits for merges of small segments, and records that the index is complete.
    ///
    /// # Errors
    ///
    /// The index cannot be written, for example because the disk is full.
    pub fn finish(self) -> Result<(), IndexProblem> {
        self.commit()?;
        let inner = self
            .inner
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let merged = inner.wait_merging_threads();
        merged.map_err(|error| write_problem(self.folder.path(), error))?;
        self.folder.seal();
        Ok(())
    }
}

/// The problem to report for an error of Tantivy while writing.
pub(super) fn write_problem(folder: &Path, error: TantivyError) -> IndexProblem {
    match error {
        TantivyError::LockFailure(..) => IndexProblem::Busy(folder.to_owned()),
        TantivyError::DataCorruption(what) => IndexProblem::Broken(format!("{what:?}")),
        error => IndexProblem::Unwritable(error.to_string()),
    }
}
