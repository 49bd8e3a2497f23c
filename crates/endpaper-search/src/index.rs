//! An index of books on disk: opening and querying it.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tantivy::collector::{Count, TopDocs};
use tantivy::directory::MmapDirectory;
use tantivy::schema::Value;
use tantivy::{DocAddress, IndexReader, ReloadPolicy, Searcher, TantivyDocument, TantivyError};

use super::folder::{FolderState, IndexFolder};
use super::hits::{HitPosition, SearchHit, SearchHits};
use super::locate::locate;
use super::plan::{HighlightTerm, QueryPlan};
use super::schema::{IndexFields, register};
use super::stored::StoredBook;
use super::writer::{IndexWriter, write_problem};
use super::{HitExcerpt, IndexProblem, Query};

/// An index. It can be queried from any thread; what others write is visible after [`SearchIndex::reload`].
pub struct SearchIndex {
    folder: IndexFolder,
    index: tantivy::Index,
    reader: IndexReader,
    fields: IndexFields,
    written_by_another: bool,
}

impl SearchIndex {
    /// Opens the index in a folder.
    ///
    /// # Errors
    ///
    /// An [`IndexProblem`]; if it [is rebuildable](IndexProblem::is_rebuildable), [`SearchIndex::create`] replaces the index.
    pub fn open(folder: &Path) -> Result<SearchIndex, IndexProblem> {
        let folder = IndexFolder::new(folder);
        // First, so that no lock file is created in a foreign folder.
        folder.check()?;
        let held = folder.lock_shared();
        let mut index = SearchIndex::open_in(&folder, held.is_some())?;
        index.written_by_another = held.is_none();
        Ok(index)
    }

    /// Opens the index in a folder, or creates an empty one if there is no usable index; the returned problem says why.
    ///
    /// Processes that do so at the same time get the same index: one creates it and the others wait.
    ///
    /// # Errors
    ///
    /// An [`IndexProblem`] that a new index does not solve, and those of [`SearchIndex::create`].
    pub fn open_or_create(
        folder: &Path,
    ) -> Result<(SearchIndex, Option<IndexProblem>), IndexProblem> {
        match SearchIndex::open(folder) {
            Err(problem) if problem.is_rebuildable() => {}
            index => return index.map(|index| (index, None)),
        }
        let place = IndexFolder::new(folder);
        place.ensure_folder()?;
        let lock = match place.lock() {
            Ok(lock) => lock,
            // The process that holds the lock has created the index in the meantime.
            Err(IndexProblem::Busy(_)) => {
                return SearchIndex::open(folder).map(|index| (index, None));
            }
            Err(problem) => return Err(problem),
        };
        match SearchIndex::open_in(&place, true) {
            Err(problem) if problem.is_rebuildable() => {
                let index = SearchIndex::create_in(&place, &lock)?;
                Ok((index, Some(problem)))
            }
            index => index.map(|index| (index, None)),
        }
    }

    /// Opens the index. If `held`, no process can change its files, and they are compared with their checksums first.
    fn open_in(folder: &IndexFolder, held: bool) -> Result<SearchIndex, IndexProblem> {
        folder.check()?;
        // An index that another process is writing was verified by that process, and its files come and go.
        let state = if held {
            folder.verify()?
        } else {
            FolderState::Whole
        };
        let open = || {
            let index = SearchIndex::open_library(folder)?;
            if state == FolderState::Writing {
                check_unlisted(&index, folder)?;
            }
            SearchIndex::of(folder, index)
        };
        let index = catch_damage(folder, open)?;
        if state == FolderState::Writing {
            folder.seal();
        }
        Ok(index)
    }

    /// Creates an empty index in a folder, and the folder if needed. An existing index is removed; a folder with other
    /// files is refused.
    ///
    /// # Errors
    ///
    /// A folder that cannot be written or has other files, and an index that another process is writing.
    pub fn create(folder: &Path) -> Result<SearchIndex, IndexProblem> {
        let folder = IndexFolder::new(folder);
        folder.ensure_folder()?;
        let lock = folder.lock()?;
        SearchIndex::create_in(&folder, &lock)
    }

    /// Makes an empty index in the folder, which is emptied first.
    fn create_in(folder: &IndexFolder, lock: &File) -> Result<SearchIndex, IndexProblem> {
        folder.reset(lock)?;
        let fields = IndexFields::new();
        let directory = MmapDirectory::open(folder.files());
        let directory = directory.map_err(|error| IndexProblem::Unwritable(error.to_string()))?;
        let made = tantivy::Index::open_or_create(directory, fields.schema);
        made.map_err(|error| write_problem(folder.path(), error))?;
        folder.seal();
        SearchIndex::of(folder, SearchIndex::open_library(folder)?)
    }

    /// Opens the index with Tantivy, which reads only its lists of files.
    fn open_library(folder: &IndexFolder) -> Result<tantivy::Index, IndexProblem> {
        tantivy::Index::open_in_dir(folder.files()).map_err(unreadable)
    }

    /// Opens an index for queries and checks its fields.
    fn of(folder: &IndexFolder, index: tantivy::Index) -> Result<SearchIndex, IndexProblem> {
        let fields = IndexFields::new();
        if index.schema() != fields.schema {
            return Err(IndexProblem::Broken("it has other fields".to_owned()));
        }
        register(&index);
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual);
        Ok(SearchIndex {
            folder: folder.clone(),
            reader: reader.try_into().map_err(unreadable)?,
            index,
            fields,
            written_by_another: false,
        })
    }

    /// Whether another process was writing it when it was opened; it may then be incomplete.
    pub fn has_other_writer(&self) -> bool {
        self.written_by_another
    }

    /// Waits until no other process is writing it, or `cancel` is set. If the index was replaced by a new one, it must be
    /// opened again.
    pub fn wait_for_writer(&self, cancel: &AtomicBool) {
        while self.folder.is_locked() && !cancel.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Number of books.
    pub fn books(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// Size on disk in bytes.
    pub fn size(&self) -> u64 {
        self.folder.size()
    }

    /// Makes visible what was written since it was opened or reloaded.
    ///
    /// # Errors
    ///
    /// The index can no longer be read.
    pub fn reload(&self) -> Result<(), IndexProblem> {
        catch_damage(&self.folder, || self.reader.reload().map_err(unreadable))
    }

    /// A writer with `threads` threads (0: one per core). There can be only one at a time.
    ///
    /// # Errors
    ///
    /// [`IndexProblem::Busy`] if another process is writing the index.
    pub fn writer(&self, threads: usize) -> Result<IndexWriter, IndexProblem> {
        let lock = self.folder.lock()?;
        IndexWriter::new(&self.index, &self.fields, &self.folder, lock, threads)
    }

    /// The fingerprints of all books when they were indexed, by id.
    ///
    /// # Errors
    ///
    /// The index cannot be read.
    pub fn fingerprints(&self) -> Result<HashMap<String, u64>, IndexProblem> {
        catch_damage(&self.folder, || {
            self.read_fingerprints().map_err(unreadable)
        })
    }

    /// The fingerprint of every indexed book, by its id.
    fn read_fingerprints(&self) -> tantivy::Result<HashMap<String, u64>> {
        let searcher = self.reader.searcher();
        let mut all = HashMap::new();
        for segment in searcher.segment_readers() {
            let columns = segment.fast_fields();
            let fingerprints = columns.u64("fingerprint")?;
            let Some(ids) = columns.str("key")? else {
                continue;
            };
            for document in segment.doc_ids_alive() {
                let mut id = String::new();
                if let (Some(term), Some(fingerprint)) =
                    (ids.term_ords(document).next(), fingerprints.first(document))
                    && ids.ord_to_str(term, &mut id)?
                {
                    all.insert(id, fingerprint);
                }
            }
        }
        Ok(all)
    }

    /// The best books for a query, with their lines and chapters. No book is read: [`super::excerpt()`] does that.
    ///
    /// # Errors
    ///
    /// The index cannot be read.
    pub fn find(&self, query: &Query, limit: usize) -> Result<SearchHits, IndexProblem> {
        catch_damage(&self.folder, || {
            self.search(query, limit).map_err(unreadable)
        })
    }

    /// The `limit` best books for a query, with the number of all that match.
    fn search(&self, query: &Query, limit: usize) -> tantivy::Result<SearchHits> {
        let start = Instant::now();
        let searcher = self.reader.searcher();
        let plan = QueryPlan::of(query, &searcher, &self.fields)?;
        let top = TopDocs::with_limit(limit.max(1)).order_by_score();
        let found = (top, Count);
        let (best, total) =
            searcher.search_with_statistics_provider(&plan.query, &found, &plan.statistics)?;
        let best = best.into_iter().take(limit);
        let mut hits = best
            .map(|(score, at)| self.hit(&searcher, score, at, &plan.highlights))
            .collect::<tantivy::Result<Vec<SearchHit>>>()?;
        hits.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then_with(|| a.book.cmp(&b.book))
        });
        Ok(SearchHits {
            total,
            books: searcher.num_docs(),
            hits,
            time: start.elapsed(),
        })
    }

    /// The hit for a book: where the terms occur in it, and what is stored of it.
    fn hit(
        &self,
        searcher: &Searcher,
        score: f32,
        at: DocAddress,
        sought: &[HighlightTerm],
    ) -> tantivy::Result<SearchHit> {
        let stored = self.stored(searcher, at)?;
        let segment = searcher.segment_reader(at.segment_ord);
        let spot = locate(segment, at.doc_id, &self.fields, &stored, sought)?;
        let place = spot.and_then(|spot| {
            let line = stored.line_of(spot.part, spot.position)?;
            Some(HitPosition {
                line,
                part: spot.part,
                chapter: stored.chapter_of(line).cloned(),
            })
        });
        let terms = sought
            .iter()
            .filter_map(|sought| sought.in_language(stored.language));
        Ok(SearchHit {
            book: stored.id,
            title: stored.title,
            authors: stored.authors,
            published: stored.published,
            score,
            position: place,
            excerpt: HitExcerpt::None,
            language: stored.language,
            crc: stored.crc,
            terms: terms.flatten().cloned().collect(),
        })
    }

    /// The stored data of a book.
    fn stored(&self, searcher: &Searcher, at: DocAddress) -> tantivy::Result<StoredBook> {
        let document: TantivyDocument = searcher.doc(at)?;
        let bytes = document.get_first(self.fields.stored);
        let bytes = bytes.and_then(|value| value.as_bytes());
        let stored = bytes.and_then(|bytes| postcard::from_bytes(bytes).ok());
        stored.ok_or_else(|| {
            TantivyError::InternalError("the stored data of a book cannot be read".to_owned())
        })
    }
}

/// A problem of reading a damaged index.
fn unreadable(error: TantivyError) -> IndexProblem {
    IndexProblem::Broken(error.to_string())
}

/// Compares the unlisted files of a killed writer with the checksums at their ends.
fn check_unlisted(index: &tantivy::Index, folder: &IndexFolder) -> Result<(), IndexProblem> {
    let segments = index.searchable_segment_ids().map_err(unreadable)?;
    let segments: Vec<String> = segments
        .iter()
        .map(|segment| segment.uuid_string())
        .collect();
    for file in folder.file_names() {
        if !segments.iter().any(|segment| file.starts_with(segment)) {
            continue;
        }
        let whole = index.directory().validate_checksum(Path::new(&file));
        if !whole.map_err(|error| IndexProblem::Broken(error.to_string()))? {
            return Err(IndexProblem::Broken(format!(
                "{file} has changed since it was written"
            )));
        }
    }
    Ok(())
}

/// Runs a job that reads Tantivy's files. Damaged files can make it panic, or end the process; an index found to be
/// damaged is marked so and not queried again.
fn catch_damage<T>(
    folder: &IndexFolder,
    job: impl FnOnce() -> Result<T, IndexProblem>,
) -> Result<T, IndexProblem> {
    let _asking = folder.mark_query();
    let done = endpaper_text::panics::catch_panic_message(job);
    let done = done.unwrap_or_else(|_| Err(IndexProblem::Broken("reading it failed".to_owned())));
    if matches!(done, Err(IndexProblem::Broken(_))) {
        folder.mark_damaged();
    }
    done
}
