//! A thread that searches all books. The newest query replaces one that is still being worked on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use super::desk::Front;
use super::guard::panic_text;
use crate::Message;
use crate::corpus_search::FoundBooks;

/// Searches: the query, where to tell how indexing goes on, and a flag that ends it.
pub type Search =
    Box<dyn FnMut(&str, &Sender<Message>, &AtomicBool) -> Result<FoundBooks, String> + Send>;

/// The newest query with its number.
#[derive(Default)]
struct Wanted {
    query: Option<(u64, String)>,
    /// Ends the one that is worked on.
    cancel: Arc<AtomicBool>,
}

/// The thread. It ends when this is dropped, at the next book it indexes.
pub struct Searcher {
    desk: Front<Wanted>,
}

/// Starts the thread.
pub fn start(mut search: Search, answers: Sender<Message>) -> Searcher {
    let desk = Front::<Wanted>::new();
    let back = desk.back();
    std::thread::spawn(move || {
        let take = |wanted: &mut Wanted| Some((wanted.query.take()?, wanted.cancel.clone()));
        while let Some(((epoch, text), cancel)) = back.wait(take) {
            let work = AssertUnwindSafe(|| search(&text, &answers, &cancel));
            let result = catch_unwind(work).unwrap_or_else(|panic| Err(panic_text(&*panic)));
            if cancel.load(Ordering::Relaxed) {
                continue;
            }
            if answers.send(Message::FoundBooks { epoch, result }).is_err() {
                return;
            }
        }
    });
    Searcher { desk }
}

impl Searcher {
    /// Searches for this from now on.
    pub fn ask(&self, epoch: u64, text: String) {
        self.desk.put(|wanted| {
            wanted.cancel.store(true, Ordering::Relaxed);
            wanted.cancel = Arc::default();
            wanted.query = Some((epoch, text));
        });
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        self.desk
            .with(|wanted| wanted.cancel.store(true, Ordering::Relaxed));
    }
}
