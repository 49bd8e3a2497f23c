//! Learning from decided books: profiles that are fitted to them, and their proposals for other books. Commands and the
//! screen call the same functions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::parallel::{RunContext, catch_panic};
use super::{AnalysisOptions, AnalysisProgress, AnalysisStep, CorpusReport, ScanReader};
use crate::frequency::Frequencies;
use crate::posterior::{self, DecidedExample, Example, LearnedProfile};
use crate::{CorpusProfiles, Cuts, Detection, Method, Parameters, Reason, SecondOpinions, propose};
use endpaper_text::checksum::crc64;
use endpaper_text::corpus::Book;
use endpaper_text::scan::{Header, Scan};

/// Fewest decided books that anything is learned from.
pub const MIN_LESSONS: usize = 3;

/// Most decided books that are learned from: each takes about 100 KB while weights are fitted. Of more, those with the lowest
/// hashes of their ids are taken, the same ones on the screen and in every command.
const MAX_LESSONS: usize = 500;

/// A decided book to learn from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The id of the book.
    pub book: String,
    /// The cuts that were decided.
    pub cuts: Cuts,
    /// Size in bytes of the text that was decided.
    pub bytes: u64,
    /// Its number of lines.
    pub lines: u32,
}

/// The proposal of learned profiles for a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnedProposal {
    /// The cuts.
    pub cuts: Cuts,
    /// The probability that at least one cut is wrong, from 0 to 1.
    pub doubt: f32,
    /// The strongest reason for doubt.
    pub reason: Option<Reason>,
}

/// The result of learning.
#[derive(Clone, Debug)]
pub struct LearningResult {
    /// The new profiles. Each decided book has one that was learned without its work.
    pub profiles: Arc<CorpusProfiles>,
    /// Number of decided books that were learned from: those whose texts are unchanged.
    pub verdicts: usize,
}

/// A decided book that was read.
struct ReadLesson {
    crc: u64,
    header: Header,
    is_gutenberg: bool,
    example: Example,
}

impl Lesson {
    /// The decided book; `None` if its text has changed.
    fn read(
        &self,
        scan: &Scan,
        frequencies: &Frequencies,
        profiles: &CorpusProfiles,
    ) -> Option<ReadLesson> {
        let is_same = scan.bytes == self.bytes && scan.lines == self.lines;
        let (first, last) = self.cuts.body(self.lines);
        let read = || {
            let is_gutenberg = profiles.is_gutenberg(scan);
            let scope = profiles.side(is_gutenberg).scope();
            ReadLesson {
                crc: scan.crc,
                header: scan.header.clone(),
                is_gutenberg,
                example: Example::new(scan, frequencies, scope, first, last),
            }
        };
        is_same.then(|| catch_panic(read).ok()).flatten()
    }
}

impl LearnedProposal {
    /// The proposal of a detection.
    fn of(found: &Detection) -> LearnedProposal {
        LearnedProposal {
            cuts: found.cuts,
            doubt: found.doubt,
            reason: found.reasons.first().copied(),
        }
    }
}

/// Of decided books, those that are learned from: at most 500, given the id of each.
pub fn choose_lessons<T>(mut lessons: Vec<T>, id: impl Fn(&T) -> String) -> Vec<T> {
    if lessons.len() > MAX_LESSONS {
        lessons.sort_by_cached_key(|lesson| {
            let id = id(lesson);
            (crc64(id.as_bytes()), id)
        });
        lessons.truncate(MAX_LESSONS);
    }
    lessons
}

/// Learns from `lessons`, starting from the profiles that the corpus had before, which stay if there are fewer than
/// [`MIN_LESSONS`]. `books` are in id order. Setting `cancel` ends it between two books.
///
/// # Errors
///
/// [`super::Cancelled`], or weights that cannot be fitted.
pub fn learn(
    books: &[Book],
    lessons: &[Lesson],
    profiles: &CorpusProfiles,
    frequencies: &Frequencies,
    options: &AnalysisOptions,
    cancel: &AtomicBool,
) -> Result<LearningResult> {
    let unchanged = |verdicts| LearningResult {
        profiles: Arc::new(profiles.clone()),
        verdicts,
    };
    if lessons.len() < MIN_LESSONS {
        return Ok(unchanged(0));
    }
    let lessons = choose_lessons(lessons.iter().collect(), |lesson| lesson.book.clone());
    let run = RunContext::new(options.threads, &|_| {}, cancel)?;
    let scans = || ScanReader::open(books, options);
    let read = |scans: &mut ScanReader, at: usize| {
        let lesson = lessons.get(at)?;
        let book = books.binary_search_by(|book| book.id.as_str().cmp(&lesson.book));
        let scan = scans.scan(books.get(book.ok()?)?).ok()?;
        lesson.read(&scan, frequencies, profiles)
    };
    let (_, read) = run.par_map(AnalysisStep::Reading, lessons.len(), scans, read)?;
    let mut read: Vec<ReadLesson> = read.into_iter().flatten().collect();
    // The order in which books were decided makes no difference.
    read.sort_by_key(|lesson| lesson.crc);
    if read.len() < MIN_LESSONS {
        return Ok(unchanged(read.len()));
    }
    let works = posterior::group_by_work(read.iter().map(|lesson| (&lesson.header, lesson.crc)));
    let verdicts = read.len();
    let mut learned = profiles.clone();
    let (mut by_side, mut crcs) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for (lesson, work) in read.into_iter().zip(works) {
        let side = usize::from(lesson.is_gutenberg);
        crcs[side].push(lesson.crc);
        let example = lesson.example;
        by_side[side].push(DecidedExample { example, work });
    }
    for (side, decided) in by_side.iter().enumerate() {
        let is_gutenberg = side == 1;
        let prior = profiles.side(is_gutenberg);
        let found = run.pool.install(|| posterior::learn(decided, prior))?;
        learned.adopt(found, &crcs[side], is_gutenberg);
    }
    Ok(LearningResult {
        profiles: Arc::new(learned),
        verdicts,
    })
}

impl CorpusProfiles {
    /// Takes over what was learned from the books with these CRC-64.
    fn adopt(&mut self, learned: LearnedProfile, crcs: &[u64], is_gutenberg: bool) {
        let profile = Arc::new(learned.profile.with_fitted_to(crcs.iter().copied()));
        match is_gutenberg {
            true => self.gutenberg = profile,
            false => self.other = profile,
        }
        let folds = learned.fold_profiles.into_iter().map(Arc::new);
        let folds: Vec<_> = folds.collect();
        for (crc, fold) in crcs.iter().zip(learned.fold_of) {
            if let Some(fold) = folds.get(fold) {
                self.set_fold(*crc, is_gutenberg, fold.clone());
            }
        }
    }
}

/// Proposes cuts for some books, by index, with the profiles of `parameters`, and with second `opinions` by book, if they
/// are known. Books that cannot be read are left out.
///
/// # Errors
///
/// [`super::Cancelled`].
pub fn propose_again(
    books: &[Book],
    wanted: &[usize],
    frequencies: &Frequencies,
    opinions: &[SecondOpinions],
    parameters: &Parameters,
    options: &AnalysisOptions,
    cancel: &AtomicBool,
) -> Result<Vec<(usize, LearnedProposal)>> {
    let run = RunContext::new(options.threads, &|_| {}, cancel)?;
    let scans = || ScanReader::open(books, options);
    let proposal = |scans: &mut ScanReader, at: usize| {
        let book = *wanted.get(at)?;
        let scan = scans.scan(books.get(book)?).ok()?;
        let mut found = catch_panic(|| propose(&scan, frequencies, parameters)).ok()?;
        if let Some(opinions) = opinions.get(book) {
            found.add_opinions(opinions, scan.lines, parameters);
        }
        Some((book, LearnedProposal::of(&found)))
    };
    let (_, proposals) = run.par_map(AnalysisStep::Detecting, wanted.len(), scans, proposal)?;
    Ok(proposals.into_iter().flatten().collect())
}

impl CorpusReport {
    /// Learns from the lessons of the options, and detects all books again.
    pub(super) fn learn(
        &mut self,
        options: &AnalysisOptions,
        progress: &(dyn Fn(AnalysisProgress) + Sync),
        cancel: &AtomicBool,
    ) -> Result<()> {
        if options.parameters.method == Method::Gap {
            return Ok(());
        }
        let books: Vec<Book> = self.books.iter().map(|book| book.book.clone()).collect();
        let (profiles, frequencies) = (&self.profiles, &self.model.frequencies);
        let learned = learn(
            &books,
            &options.lessons,
            profiles,
            frequencies,
            options,
            cancel,
        )?;
        self.profiles = learned.profiles;
        let parameters = self.parameters(&options.parameters);
        let run = RunContext::new(options.threads, progress, cancel)?;
        let scans = || ScanReader::open(&books, options);
        let detect = |scans: &mut ScanReader, at: usize| {
            let scan = scans.scan(&books[at]).ok()?;
            catch_panic(|| propose(&scan, frequencies, &parameters)).ok()
        };
        let (_, found) = run.par_map(AnalysisStep::Detecting, books.len(), scans, detect)?;
        for (book, found) in self.books.iter_mut().zip(found) {
            if let Some(found) = found {
                book.summary.detection = found;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::corpus::{ListingRequest, list};

    #[test]
    fn verdicts_of_other_texts_teach_nothing_and_the_weights_stay() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.txt", "b.txt"] {
            let text =
                format!("*** START OF THIS EBOOK ***\n\n\n{name}\n\nA body of a few words\n");
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let request = ListingRequest {
            roots: vec![folder.path().to_owned()],
            ..ListingRequest::default()
        };
        let books = list(&request).unwrap().books;
        let lesson = |lines: u32| Lesson {
            book: "a.txt".to_owned(),
            cuts: Cuts {
                preamble_end: 1,
                epilogue_start: None,
            },
            bytes: books[0].read(u64::MAX).unwrap().len() as u64,
            lines,
        };
        let learn = |lesson: Lesson, cancel: bool| {
            let (options, cancel) = (AnalysisOptions::default(), AtomicBool::new(cancel));
            let (frequencies, profiles) = (Frequencies::default(), CorpusProfiles::default());
            super::learn(
                &books,
                &[lesson.clone(), lesson.clone(), lesson],
                &profiles,
                &frequencies,
                &options,
                &cancel,
            )
        };
        assert_eq!(learn(lesson(6), false).unwrap().verdicts, 3);
        let ids: Vec<String> = (0..700).map(|book| format!("{book}.txt")).collect();
        let mut backwards: Vec<&String> = ids.iter().rev().collect();
        let mut chosen = choose_lessons(ids.iter().collect(), |id| (*id).clone());
        backwards = choose_lessons(backwards, |id| (*id).clone());
        assert_eq!((chosen.len(), &chosen), (MAX_LESSONS, &backwards));
        chosen.truncate(5);
        assert_eq!(choose_lessons(chosen.clone(), |id| (*id).clone()), chosen);
        let changed = learn(lesson(9), false).unwrap();
        assert_eq!(changed.verdicts, 0);
        assert_eq!(*changed.profiles, CorpusProfiles::default());
        let error = learn(lesson(6), true).unwrap_err();
        assert!(error.is::<super::super::Cancelled>(), "{error:#}");
    }
}
