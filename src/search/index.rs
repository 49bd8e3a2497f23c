//! An index of books on disk: opening, asking, and what it holds.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use tantivy::collector::{Count, TopDocs};
use tantivy::directory::MmapDirectory;
use tantivy::schema::Value;
use tantivy::{DocAddress, IndexReader, ReloadPolicy, Searcher, TantivyDocument, TantivyError};

use super::folder::Folder;
use super::hits::{Hit, Hits, Place};
use super::locate::locate;
use super::plan::{Plan, Sought};
use super::schema::{Fields, register};
use super::stored::Stored;
use super::writer::{Writer, refused};
use super::{Excerpt, Problem, Query};

/// An index. Cheap to ask from any thread; what others write is seen after [`Index::reload`].
pub struct Index {
    folder: Folder,
    index: tantivy::Index,
    reader: IndexReader,
    fields: Fields,
    written_by_another: bool,
}

impl Index {
    /// Opens the index in a folder.
    ///
    /// # Errors
    ///
    /// A [`Problem`]; where it [is curable](Problem::is_curable), [`Index::create`] makes a new one in its place.
    pub fn open(folder: &Path) -> Result<Index, Problem> {
        let folder = Folder::new(folder);
        folder.check()?;
        let held = folder.hold();
        let mut index = guarded(|| Index::of(&folder))?;
        index.written_by_another = held.is_none();
        // While another process writes, files come and go: what it has made last can be read all the same.
        if held.is_some() && !folder.is_sealed() {
            guarded(|| index.check())?;
            folder.seal();
        }
        Ok(index)
    }

    /// Makes an empty index in a folder, and the folder. An index that is there is removed; a folder with anything else in
    /// it is refused.
    ///
    /// # Errors
    ///
    /// A folder that cannot be written or is not ours, and an index that another process is writing.
    pub fn create(folder: &Path) -> Result<Index, Problem> {
        let folder = Folder::new(folder);
        folder.claim()?;
        let lock = folder.lock()?;
        folder.clear(&lock)?;
        let fields = Fields::new();
        let directory = MmapDirectory::open(folder.files());
        let directory = directory.map_err(|error| Problem::Unwritable(error.to_string()))?;
        let made = tantivy::Index::open_or_create(directory, fields.schema);
        made.map_err(|error| refused(folder.path(), error))?;
        folder.seal();
        Index::of(&folder)
    }

    fn of(folder: &Folder) -> Result<Index, Problem> {
        let fields = Fields::new();
        let index = tantivy::Index::open_in_dir(folder.files()).map_err(unreadable)?;
        if index.schema() != fields.schema {
            return Err(Problem::Broken("it has other fields".to_owned()));
        }
        register(&index);
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual);
        Ok(Index {
            folder: folder.clone(),
            reader: reader.try_into().map_err(unreadable)?,
            index,
            fields,
            written_by_another: false,
        })
    }

    /// Looks at the checksums of all files.
    fn check(&self) -> Result<(), Problem> {
        let damaged = self.index.validate_checksum().map_err(unreadable)?;
        match damaged.iter().next() {
            Some(file) => Err(Problem::Broken(format!(
                "{} is not as it was written",
                file.display()
            ))),
            None => Ok(()),
        }
    }

    /// Whether another process was writing it when it was opened: then it may be incomplete.
    pub fn is_written_by_another(&self) -> bool {
        self.written_by_another
    }

    /// Number of books.
    pub fn books(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// Size on disk in bytes.
    pub fn size(&self) -> u64 {
        self.folder.size()
    }

    /// Sees what was written since.
    ///
    /// # Errors
    ///
    /// An index that cannot be read any more.
    pub fn reload(&self) -> Result<(), Problem> {
        guarded(|| self.reader.reload().map_err(unreadable))
    }

    /// A writer, with so many threads of its own (0: one for each core). There is one at a time.
    ///
    /// # Errors
    ///
    /// [`Problem::Busy`] if another process has it.
    pub fn writer(&self, threads: usize) -> Result<Writer, Problem> {
        let lock = self.folder.lock()?;
        Writer::new(&self.index, &self.fields, &self.folder, lock, threads)
    }

    /// What each book was made of when it was indexed, by id.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn fingerprints(&self) -> Result<HashMap<String, u64>, Problem> {
        guarded(|| self.read_fingerprints().map_err(unreadable))
    }

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

    /// The best books for a query, with their lines and chapters. Reads no book: [`super::excerpt`] does.
    ///
    /// # Errors
    ///
    /// An index that cannot be read.
    pub fn find(&self, query: &Query, limit: usize) -> Result<Hits, Problem> {
        guarded(|| self.search(query, limit).map_err(unreadable))
    }

    fn search(&self, query: &Query, limit: usize) -> tantivy::Result<Hits> {
        let start = Instant::now();
        let searcher = self.reader.searcher();
        let plan = Plan::of(query, &searcher, &self.fields)?;
        let top = TopDocs::with_limit(limit.max(1)).order_by_score();
        let found = (top, Count);
        let (best, total) =
            searcher.search_with_statistics_provider(&plan.query, &found, &plan.statistics)?;
        let best = best.into_iter().take(limit);
        let mut hits = best
            .map(|(score, at)| self.hit(&searcher, score, at, &plan.sought))
            .collect::<tantivy::Result<Vec<Hit>>>()?;
        hits.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then_with(|| a.book.cmp(&b.book))
        });
        Ok(Hits {
            total,
            books: searcher.num_docs(),
            hits,
            time: start.elapsed(),
        })
    }

    fn hit(
        &self,
        searcher: &Searcher,
        score: f32,
        at: DocAddress,
        sought: &[Sought],
    ) -> tantivy::Result<Hit> {
        let stored = self.stored(searcher, at)?;
        let segment = searcher.segment_reader(at.segment_ord);
        let spot = locate(segment, at.doc_id, &self.fields, &stored, sought)?;
        let place = spot.and_then(|spot| {
            let line = stored.line_of(spot.part, spot.position)?;
            Some(Place {
                line,
                part: spot.part,
                chapter: stored.chapter_of(line).cloned(),
            })
        });
        let terms = sought
            .iter()
            .filter_map(|sought| sought.in_language(stored.language));
        Ok(Hit {
            book: stored.id,
            title: stored.title,
            authors: stored.authors,
            score,
            place,
            excerpt: Excerpt::None,
            language: stored.language,
            crc: stored.crc,
            terms: terms.flatten().cloned().collect(),
        })
    }

    fn stored(&self, searcher: &Searcher, at: DocAddress) -> tantivy::Result<Stored> {
        let document: TantivyDocument = searcher.doc(at)?;
        let bytes = document.get_first(self.fields.stored);
        let bytes = bytes.and_then(|value| value.as_bytes());
        let stored = bytes.and_then(|bytes| postcard::from_bytes(bytes).ok());
        stored.ok_or_else(|| {
            TantivyError::InternalError("what is kept of a book is not readable".to_owned())
        })
    }
}

fn unreadable(error: TantivyError) -> Problem {
    Problem::Broken(error.to_string())
}

/// Damaged files can make the index panic.
fn guarded<T>(job: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    let done = catch_unwind(AssertUnwindSafe(job));
    done.unwrap_or_else(|_| Err(Problem::Broken("reading it failed".to_owned())))
}
