//! Running a job for each book on the threads of a pool.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{AnalysisProgress, AnalysisStep, Cancelled};
use endpaper_text::panics::catch_panic_message;

/// Number of books taken at a time: members of one archive stay on one thread, and all threads end at about the same
/// time.
const CHUNK: usize = 8;

/// The threads of a run, its cancel flag and its progress callback.
pub struct RunContext<'a> {
    /// The threads.
    pub pool: ThreadPool,
    /// Set by the caller to end the run.
    pub cancel: &'a AtomicBool,
    /// The progress callback.
    pub progress: &'a (dyn Fn(AnalysisProgress) + Sync),
    /// The first error that ended the run.
    failure: Mutex<Option<anyhow::Error>>,
    failed: AtomicBool,
}

impl<'a> RunContext<'a> {
    /// Starts `threads` threads, or one per core for 0.
    ///
    /// # Errors
    ///
    /// The threads cannot be started.
    pub fn new(
        threads: usize,
        progress: &'a (dyn Fn(AnalysisProgress) + Sync),
        cancel: &'a AtomicBool,
    ) -> Result<RunContext<'a>> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(RunContext {
            pool: pool.with_context(|| format!("{threads} threads cannot be started"))?,
            cancel,
            progress,
            failure: Mutex::new(None),
            failed: AtomicBool::new(false),
        })
    }

    /// Calls `each` for every index below `total`, with one state per thread. Returns the states, and the results in
    /// the order of the indexes.
    ///
    /// # Errors
    ///
    /// [`Cancelled`], or the first error of [`RunContext::fail`].
    pub fn par_map<S: Send, T: Send>(
        &self,
        step: AnalysisStep,
        total: usize,
        state: impl Fn() -> S + Sync,
        each: impl Fn(&mut S, usize) -> T + Sync,
    ) -> Result<(Vec<S>, Vec<T>)> {
        let told = |done| self.report(step, done, total);
        told(0);
        self.par_map_with_progress(total, told, state, each)
    }

    /// Like [`RunContext::par_map`], but calls `told` with the number of finished items instead of reporting progress.
    ///
    /// # Errors
    ///
    /// As [`RunContext::par_map`].
    pub fn par_map_with_progress<S: Send, T: Send>(
        &self,
        total: usize,
        told: impl Fn(usize) + Sync,
        state: impl Fn() -> S + Sync,
        each: impl Fn(&mut S, usize) -> T + Sync,
    ) -> Result<(Vec<S>, Vec<T>)> {
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let workers = self.pool.broadcast(|_| {
            let (mut state, mut results) = (state(), Vec::new());
            loop {
                let start = next.fetch_add(CHUNK, Ordering::Relaxed);
                for index in start..total.min(start.saturating_add(CHUNK)) {
                    if self.is_over() {
                        return (state, results);
                    }
                    results.push((index, each(&mut state, index)));
                    told(done.fetch_add(1, Ordering::Relaxed) + 1);
                }
                if start >= total {
                    return (state, results);
                }
            }
        });
        self.check()?;
        let (states, results): (Vec<S>, Vec<_>) = workers.into_iter().unzip();
        let mut results: Vec<(usize, T)> = results.into_iter().flatten().collect();
        results.sort_unstable_by_key(|result| result.0);
        let results = results.into_iter().map(|(_, result)| result).collect();
        Ok((states, results))
    }

    /// Ends the run with an error that does not belong to a single book: every thread stops at its next book, and
    /// [`RunContext::check`] returns the first such error.
    pub fn fail(&self, error: anyhow::Error) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(error);
        self.failed.store(true, Ordering::Relaxed);
    }

    /// Whether the run was cancelled or has failed.
    pub fn is_over(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed)
    }

    /// Fails if the run is over.
    ///
    /// # Errors
    ///
    /// [`Cancelled`], or the first error of [`RunContext::fail`].
    pub fn check(&self) -> Result<()> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Cancelled.into());
        }
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.take().map_or(Ok(()), Err)
    }

    /// Reports the number of finished items.
    pub fn report(&self, step: AnalysisStep, done: usize, total: usize) {
        (self.progress)(AnalysisProgress { step, done, total });
    }
}

/// Runs a job for one book. A panic is a bug in this program that must not affect the other books.
///
/// # Errors
///
/// The message of the panic in one sentence.
pub fn catch_panic<T>(job: impl FnOnce() -> T) -> Result<T, String> {
    catch_panic_message(job)
        .map_err(|message| format!("internal error ({message}); please report this with the file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_every_thread_has_its_state() {
        let cancel = AtomicBool::new(false);
        let seen = AtomicUsize::new(0);
        let progress = |progress: AnalysisProgress| {
            seen.fetch_max(progress.done, Ordering::Relaxed);
        };
        let run = RunContext::new(3, &progress, &cancel).unwrap();
        let each = |sum: &mut usize, index| {
            *sum += index;
            index * 2
        };
        let (sums, doubled) = run
            .par_map(AnalysisStep::Reading, 1000, || 0, each)
            .unwrap();
        assert_eq!(sums.len(), 3);
        assert_eq!(sums.into_iter().sum::<usize>(), 499_500);
        assert!(doubled.into_iter().eq((0..1000).map(|n| n * 2)));
        assert_eq!(seen.into_inner(), 1000);
    }

    #[test]
    fn a_cancelled_run_stops_and_says_so() {
        let cancel = AtomicBool::new(false);
        let run = RunContext::new(2, &|_| {}, &cancel).unwrap();
        let each = |_: &mut (), index| {
            if index == 5 {
                cancel.store(true, Ordering::Relaxed);
            }
        };
        let error = run
            .par_map(AnalysisStep::Reading, 1 << 40, || (), each)
            .unwrap_err();
        assert!(error.is::<Cancelled>());
    }

    #[test]
    fn a_failed_run_stops_with_the_first_error() {
        let never = AtomicBool::new(false);
        let run = RunContext::new(2, &|_| {}, &never).unwrap();
        let each = |_: &mut (), index: usize| {
            if index >= 5 {
                run.fail(anyhow::anyhow!("the disk is full"));
            }
        };
        let error = run
            .par_map(AnalysisStep::Reading, 1 << 40, || (), each)
            .unwrap_err();
        assert_eq!(error.to_string(), "the disk is full");
    }

    #[test]
    fn a_panic_becomes_a_reason() {
        let error = catch_panic(|| -> u32 { panic!("line {} of nothing", 7) }).unwrap_err();
        assert!(error.contains("line 7 of nothing"), "{error}");
    }
}
