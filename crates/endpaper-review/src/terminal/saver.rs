//! One thread that writes: records are saved and restored in the order of the requests.
//!
//! [`Saver::finish`] waits until everything requested is on disk.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, RwLock};
use std::thread::JoinHandle;

use super::guard::panic_text;
use super::library::{Library, Records};
use super::sitting::RememberBook;
use crate::{Message, SaveRequest};
use endpaper_text::corpus::BookId;
use endpaper_truth::{SaveError, SavedRecord, Snapshot};

/// A write to the disk.
pub enum SaveJob {
    /// Saves a record.
    Save(SaveRequest),
    /// Restores the previous contents of a file.
    Restore {
        /// Returned in the answer.
        ticket: u64,
        /// The book's id.
        id: String,
        /// The contents to restore.
        previous: Snapshot,
        /// The expected current contents.
        expected: Snapshot,
    },
    /// Remembers the book on screen for the next sitting.
    Remember(BookId),
}

/// The writing thread.
pub struct Saver {
    jobs: Sender<SaveJob>,
    thread: JoinHandle<()>,
}

/// Starts the thread. `remember` stores the last book reviewed.
pub fn start(
    library: Arc<RwLock<Library>>,
    answers: Sender<Message>,
    mut remember: Option<RememberBook>,
) -> Saver {
    let (jobs, waiting): (Sender<SaveJob>, Receiver<SaveJob>) = channel();
    let thread = std::thread::spawn(move || {
        for job in waiting {
            let records = Library::current(&library).records;
            let Some((ticket, result)) = run_job(job, &*records, &mut remember) else {
                continue;
            };
            // Continue even if the receiver is gone: the remaining jobs must be written.
            let _ = answers.send(Message::Saved { ticket, result });
        }
    });
    Saver { jobs, thread }
}

impl Saver {
    /// Adds a job.
    pub fn ask(&self, job: SaveJob) {
        // The thread ends only when this sender is dropped.
        let _ = self.jobs.send(job);
    }

    /// Waits until everything is written.
    pub fn finish(self) {
        drop(self.jobs);
        let _ = self.thread.join();
    }
}

/// Runs a job; a panic fails only that job.
fn run_job(
    job: SaveJob,
    records: &dyn Records,
    remember: &mut Option<RememberBook>,
) -> Option<(u64, Result<SavedRecord, SaveError>)> {
    let (ticket, book, work): (u64, String, Box<dyn FnOnce() -> _ + '_>) = match job {
        SaveJob::Remember(id) => {
            let note = AssertUnwindSafe(|| {
                if let Some(remember) = remember {
                    remember(&id);
                }
            });
            // Failing to remember the book is not worth a message.
            let _ = catch_unwind(note);
            return None;
        }
        SaveJob::Save(request) => (
            request.ticket,
            request.record.book.clone(),
            Box::new(move || match request.settles.as_slice() {
                [] => records.save(&request.record, &request.expected),
                conflict_copies => {
                    records.save_settled(&request.record, &request.expected, conflict_copies)
                }
            }),
        ),
        SaveJob::Restore {
            ticket,
            id,
            previous,
            expected: known,
        } => (
            ticket,
            id.clone(),
            Box::new(move || records.restore(&id, &previous, &known)),
        ),
    };
    let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        Err(SaveError::Io {
            path: PathBuf::from(book),
            reason: panic_text(&*panic),
        })
    });
    Some((ticket, result))
}
