//! A thread that searches all books. A new query replaces the one in progress.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;

use super::worker::{LatestWorker, WorkTurn};
use crate::Message;
use crate::corpus_search::FoundBooks;

/// Searches all books. Arguments: the query, a channel for indexing progress, and a flag that cancels the search.
pub type SearchFunction =
    Box<dyn FnMut(&str, &Sender<Message>, &AtomicBool) -> Result<FoundBooks, String> + Send>;

/// A query.
pub struct CorpusQuery {
    /// Returned in the answer.
    pub epoch: u64,
    /// The text to search for.
    pub text: String,
}

/// The thread. It ends when this is dropped, at the next book it indexes.
pub type SearchWorker = LatestWorker<CorpusQuery>;

/// Starts the thread.
pub fn start(mut search: SearchFunction, answers: Sender<Message>) -> SearchWorker {
    let work = move |query: &CorpusQuery, turn: &WorkTurn<'_, CorpusQuery>| {
        let result = search(&query.text, turn.answers(), turn.cancelled());
        if turn.is_wanted() {
            turn.answer(found(query, result));
        }
    };
    LatestWorker::start(answers, work, |query, why| found(query, Err(why)))
}

/// The message with the result of a query.
fn found(query: &CorpusQuery, result: Result<FoundBooks, String>) -> Message {
    Message::FoundBooks {
        epoch: query.epoch,
        result,
    }
}
