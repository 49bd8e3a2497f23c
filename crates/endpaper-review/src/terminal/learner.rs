//! A thread that learns from the verdicts of the sitting, and proposes cuts for the books that have none anew.
//!
//! It works on one core fewer than there are. A newer request, or a word to forget, makes an older one count for nothing;
//! the end of the program ends it between two books. A failure is a notice.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, PoisonError, RwLock};

use super::desk::{Desk, Front};
use super::guard::panic_text;
use super::library::Library;
use crate::message::Learned;
use crate::{Message, learning};
use endpaper_detect::Policy;
use endpaper_detect::pipeline::{self, Cancelled, Lesson};
use endpaper_truth::{Found, Kind, Record, SAMPLE, Verdict};

/// What is asked for.
struct Task {
    epoch: u64,
    decided: Vec<usize>,
    undecided: Vec<usize>,
}

/// The newest request.
#[derive(Default)]
struct Wanted {
    task: Option<Task>,
    /// The request whose answer counts.
    epoch: Option<u64>,
}

/// The thread. It ends when this is dropped, after what it is at.
pub struct Learner {
    desk: Front<Wanted>,
    library: Arc<RwLock<Library>>,
}

/// Starts the thread. Setting `cancel` ends what it is at.
pub fn start(
    library: Arc<RwLock<Library>>,
    answers: Sender<Message>,
    cancel: Arc<AtomicBool>,
) -> Learner {
    let desk = Front::<Wanted>::new();
    let (back, books) = (desk.back(), library.clone());
    std::thread::spawn(move || {
        while let Some(task) = back.wait(|wanted| wanted.task.take()) {
            let epoch = task.epoch;
            let work = AssertUnwindSafe(|| work(&back, &books, &task, &cancel));
            let result = catch_unwind(work).unwrap_or_else(|panic| Some(Err(panic_text(&*panic))));
            let Some(result) = result else { continue };
            let message = Message::Learned { epoch, result };
            if answers.send(message).is_err() {
                return;
            }
        }
    });
    Learner { desk, library }
}

impl Learner {
    /// Asks for weights learnt from some books, and for what they propose for others.
    pub fn ask(&self, epoch: u64, decided: Vec<usize>, undecided: Vec<usize>) {
        self.desk.put(|wanted| {
            wanted.epoch = Some(epoch);
            wanted.task = Some(Task {
                epoch,
                decided,
                undecided,
            });
        });
    }

    /// Nothing that was asked for counts, and the weights are those that the sitting began with.
    pub fn forget(&self) {
        let mut library = self.library.write().unwrap_or_else(PoisonError::into_inner);
        self.desk.with(|wanted| *wanted = Wanted::default());
        library.forget();
    }
}

/// Learns, and puts the weights in force; `None` if nobody wants them any more.
fn work(
    desk: &Desk<Wanted>,
    library: &RwLock<Library>,
    task: &Task,
    cancel: &AtomicBool,
) -> Option<Result<Box<Learned>, String>> {
    let begun = Library::now(library);
    let lessons: Vec<Lesson> = task
        .decided
        .iter()
        .take_while(|_| !cancel.load(Ordering::Relaxed))
        .filter_map(|&book| lesson(&begun, book))
        .collect();
    let learned = pipeline::learn(
        &begun.books,
        &lessons,
        &task.undecided,
        begun.frequencies(),
        &begun.survey,
        cancel,
    );
    let learned = match learned {
        Ok(learned) => learned,
        Err(error) if error.is::<Cancelled>() => return None,
        Err(error) => return Some(Err(format!("{error:#}"))),
    };
    {
        let mut library = library.write().unwrap_or_else(PoisonError::into_inner);
        let wanted = desk.with(|wanted| wanted.epoch == Some(task.epoch));
        if !wanted || library.generation() != begun.generation() {
            return None;
        }
        library.learn(learned.weights);
    }
    let proposals = learned.proposals.into_iter();
    let proposals = proposals.map(|(book, found)| {
        let proposal = learning::Proposal {
            cuts: Some(found.cuts),
            doubt: Some(found.doubt),
            reason: found.reason,
        };
        (book, proposal)
    });
    Some(Ok(Box::new(Learned {
        verdicts: learned.verdicts,
        proposals: proposals.collect(),
    })))
}

/// What the record of a book teaches.
fn lesson(library: &Library, book: usize) -> Option<Lesson> {
    let id = library.books.get(book)?.id.as_str();
    let Ok((Found::Record(record), _)) = library.records.load(id) else {
        return None;
    };
    teaches(&record).then_some(Lesson {
        book,
        cuts: record.cuts,
        bytes: record.source.bytes,
        lines: record.source.lines,
    })
}

/// The record says where a book begins and ends by the guide, which the weights know; and it is not one of a sample,
/// which is there to measure what is proposed.
fn teaches(record: &Record) -> bool {
    let sampled = |drawn: &str| drawn.starts_with(SAMPLE);
    matches!(record.verdict, Verdict::Confirmed | Verdict::Corrected)
        && record.kind == Kind::Book
        && record.policy == Policy::default().name
        && !record
            .reviews
            .iter()
            .any(|review| sampled(&review.drawn) || review.blind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_truth::{Review, SourceFacts};

    #[test]
    fn only_verdicts_by_the_guide_that_measure_nothing_teach() {
        let review = |drawn: &str, blind: bool| Review {
            drawn: drawn.to_owned(),
            blind,
            ..Review::default()
        };
        let record = || {
            let mut record = Record::new("a", SourceFacts::default());
            record.verdict = Verdict::Corrected;
            record.reviews = vec![review("queue", false)];
            record
        };
        assert!(teaches(&record()));
        let cases: [fn(&mut Record); 4] = [
            |record| record.verdict = Verdict::Open,
            |record| record.verdict = Verdict::Undecidable,
            |record| record.kind = Kind::SeveralBooks,
            |record| record.policy = "keep-notes".to_owned(),
        ];
        for (at, change) in cases.iter().enumerate() {
            let mut changed = record();
            change(&mut changed);
            assert!(!teaches(&changed), "{at}");
        }
        for review in [review("sample:77", false), review("queue", true)] {
            let mut sampled = record();
            sampled.reviews.push(review);
            assert!(!teaches(&sampled));
        }
    }
}
