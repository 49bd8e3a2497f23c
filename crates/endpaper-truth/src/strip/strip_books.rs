//! Stripping many books: prepared on many threads, named in groups, reported in the order of the books.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::{panic, thread};

use super::{PreparedBody, StripFailure, StrippedBook};
use endpaper_detect::pipeline::{RunContext, catch_panic};
use endpaper_text::atomic::group::{GroupCommit, open_file_limit};
use endpaper_text::corpus::Unreadable;

/// Most bodies that are named together, and most that wait for it. Each keeps its temporary file open.
const GROUP: usize = 64;

/// Files that are open in any case: the streams, the manifest, those of the runtime.
const OTHER_FILES: usize = 16;

/// Files that a thread has open while it prepares a body: the book or its archive, its record, the body.
const FILES_OF_THREAD: usize = 4;

/// Strips books 0 to `books - 1` into a folder. Calls `prepare` on the threads of `run`, and `each` on this thread in the order
/// of the books, when the body of the book is on disk and has its name. A panic of `prepare` makes that book unreadable. When
/// this returns, the names are on disk too.
///
/// # Errors
///
/// The run was cancelled, or the folders cannot be flushed.
pub fn strip_books(
    run: &RunContext<'_>,
    folder: &Path,
    books: usize,
    prepare: impl Fn(usize) -> Result<PreparedBody, StripFailure> + Sync,
    each: impl FnMut(usize, Result<StrippedBook, StripFailure>),
) -> anyhow::Result<()> {
    let other_files = OTHER_FILES + FILES_OF_THREAD * run.pool.current_num_threads();
    let group = open_file_limit().saturating_sub(other_files) / 2;
    let group = group.clamp(1, GROUP);
    let (sender, prepared) = sync_channel(group);
    let mut namer = BodyNamer::new(folder, each);
    thread::scope(|scope| {
        // Moved here, so that a panic below ends the threads that wait to send.
        let prepared = prepared;
        let preparing = scope.spawn(|| {
            // Moved here, so that the channel closes when all books are prepared.
            let sender = sender;
            let each = |(): &mut (), index| {
                let unreadable = |why| Err(StripFailure::Unreadable(Unreadable::Io(why)));
                let body = catch_panic(|| prepare(index)).unwrap_or_else(unreadable);
                // This fails only if the other side panicked.
                let _ = sender.send((index, body));
            };
            run.par_map_with_progress(books, |_| (), || (), each)
        });
        while let Ok(first) = prepared.recv() {
            // Those that were prepared while the last group was flushed.
            let bodies = [first].into_iter().chain(prepared.try_iter());
            namer.publish(bodies.take(group));
        }
        let done = preparing.join();
        done.unwrap_or_else(|payload| panic::resume_unwind(payload))
    })?;
    Ok(namer.finish()?)
}

/// Gives bodies their names and reports them in order.
struct BodyNamer<'a, F> {
    folder: &'a Path,
    each: F,
    commit: GroupCommit,
    /// Books whose predecessors are not prepared yet.
    waiting: BTreeMap<usize, Result<StrippedBook, StripFailure>>,
    /// The next book to report.
    next: usize,
}

impl<'a, F: FnMut(usize, Result<StrippedBook, StripFailure>)> BodyNamer<'a, F> {
    fn new(folder: &'a Path, each: F) -> BodyNamer<'a, F> {
        BodyNamer {
            folder,
            each,
            commit: GroupCommit::default(),
            waiting: BTreeMap::new(),
            next: 0,
        }
    }

    /// Flushes and names the bodies of a group, and reports all books whose turn it is.
    fn publish(
        &mut self,
        group: impl Iterator<Item = (usize, Result<PreparedBody, StripFailure>)>,
    ) {
        let (mut unnamed, mut bodies) = (Vec::new(), Vec::new());
        for (index, prepared) in group {
            let outcome = match prepared {
                Ok(PreparedBody {
                    stripped,
                    unnamed: Some(file),
                }) => {
                    unnamed.push(file);
                    bodies.push((index, stripped));
                    continue;
                }
                Ok(PreparedBody { stripped, .. }) => {
                    self.commit.add_existing(&self.folder.join(&stripped.file));
                    Ok(stripped)
                }
                Err(failure) => Err(failure),
            };
            self.waiting.insert(index, outcome);
        }
        for (named, (index, stripped)) in self.commit.publish(unnamed).into_iter().zip(bodies) {
            let path = || self.folder.join(&stripped.file);
            let named = named.map_err(|error| StripFailure::of_write(path(), &error));
            self.waiting.insert(index, named.map(|()| stripped));
        }
        while let Some(outcome) = self.waiting.remove(&self.next) {
            (self.each)(self.next, outcome);
            self.next += 1;
        }
    }

    /// Flushes the names.
    fn finish(self) -> Result<(), StripFailure> {
        let flushed = self.commit.finish();
        flushed.map_err(|error| StripFailure::of_write(self.folder.to_owned(), &error))
    }
}
