//! A thread that learns from the verdicts of the sitting and proposes new cuts for books without a record.
//!
//! It uses all cores but one. A newer request, forgetting and the end of the program cancel a request between two books. A
//! failure becomes a notice.

use std::sync::mpsc::Sender;
use std::sync::{Arc, PoisonError, RwLock};

use super::library::Library;
use super::worker::{LatestWorker, WorkTurn};
use crate::message::LearningSummary;
use crate::{Message, learning};
use endpaper_detect::Parameters;
use endpaper_detect::pipeline::{self, Cancelled, Lesson};
use endpaper_truth::StoredRecord;

/// A request to learn.
pub struct LearnRequest {
    /// Returned in the answer.
    pub epoch: u64,
    /// Books with a verdict.
    pub decided: Vec<usize>,
    /// Books for which new cuts are proposed.
    pub undecided: Vec<usize>,
}

/// The thread. It ends between two books when this is dropped.
pub struct LearnWorker {
    worker: LatestWorker<LearnRequest>,
    library: Arc<RwLock<Library>>,
}

/// Starts the thread.
pub fn start(library: Arc<RwLock<Library>>, answers: Sender<Message>) -> LearnWorker {
    let learned = |request: &LearnRequest, result| {
        let epoch = request.epoch;
        Message::Learned { epoch, result }
    };
    let books = library.clone();
    let work = move |request: &LearnRequest, turn: &WorkTurn<'_, LearnRequest>| {
        while turn.is_wanted() {
            if let Some(result) = learn(&books, request, turn) {
                turn.answer(learned(request, result));
                break;
            }
        }
    };
    let worker = LatestWorker::start(answers, work, move |request, why| {
        learned(request, Err(why))
    });
    LearnWorker { worker, library }
}

impl LearnWorker {
    /// Requests weights learned from some books, and their proposals for other books.
    pub fn ask(&self, request: LearnRequest) {
        self.worker.ask(request);
    }

    /// Cancels all requests and restores the weights from the start of the sitting.
    pub fn forget(&self) {
        let mut library = self.library.write().unwrap_or_else(PoisonError::into_inner);
        self.worker.ask(None);
        library.forget();
    }
}

/// Learns and activates the weights; `None` if the request was cancelled, or if counts or second opinions were replaced
/// in the meantime, with which it must be done again.
fn learn(
    library: &RwLock<Library>,
    request: &LearnRequest,
    turn: &WorkTurn<'_, LearnRequest>,
) -> Option<Result<Box<LearningSummary>, String>> {
    let begun = Library::current(library);
    let lessons: Vec<Lesson> = request
        .decided
        .iter()
        .take_while(|_| turn.is_wanted())
        .filter_map(|&book| training_example(&begun, book))
        .collect();
    let (frequencies, options) = (begun.frequencies(), &begun.analysis_options);
    let cancelled = turn.cancelled();
    let learn = || {
        let prior = begun.profiles();
        let learned = pipeline::learn(
            &begun.books,
            &lessons,
            prior,
            frequencies,
            options,
            cancelled,
        )?;
        let parameters = Parameters {
            profiles: Some(learned.profiles.clone()),
            ..begun.parameters.clone()
        };
        let proposals = pipeline::propose_again(
            &begun.books,
            &request.undecided,
            frequencies,
            begun.opinions(),
            &parameters,
            options,
            cancelled,
        )?;
        anyhow::Ok((learned, proposals))
    };
    let (learned, proposals) = match learn() {
        Ok(learned) => learned,
        Err(error) if error.is::<Cancelled>() => return None,
        Err(error) => return Some(Err(format!("{error:#}"))),
    };
    {
        let mut library = library.write().unwrap_or_else(PoisonError::into_inner);
        if !turn.is_wanted() || library.generation() != begun.generation() {
            return None;
        }
        library.learn(learned.profiles);
    }
    let proposals = proposals.into_iter().map(|(book, found)| {
        let proposal = learning::BookProposal {
            cuts: Some(found.cuts),
            doubt: Some(found.doubt),
            reason: found.reason,
        };
        (book, proposal)
    });
    Some(Ok(Box::new(LearningSummary {
        verdicts: learned.verdicts,
        has_opinions: !begun.opinions().is_empty(),
        proposals: proposals.collect(),
    })))
}

/// What the record of a book teaches, if it is decided.
fn training_example(library: &Library, book: usize) -> Option<Lesson> {
    let id = library.books.get(book)?.id.as_str();
    match library.records.load(id) {
        Ok((StoredRecord::Record(record), _)) => record.lesson(),
        _ => None,
    }
}
