//! The progress bar on stderr, only on a terminal.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{ProgressDrawTarget, ProgressState, ProgressStyle};

use endpaper_detect::pipeline::{AnalysisProgress, AnalysisStep};

/// The progress of an analysis, with its rate and the time left. Removed from the screen when dropped.
pub struct ProgressBar(indicatif::ProgressBar);

impl ProgressBar {
    /// Returns a bar, hidden if `quiet` or if stderr is not a terminal.
    pub fn new(quiet: bool) -> ProgressBar {
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = indicatif::ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template(
            "{msg:10} {wide_bar} {human_pos}/{human_len}  {rate:>9}  {eta:>4} left",
        );
        let style = style.map(|style| style.with_key("rate", rate));
        // The template is a valid constant; the default style is only a fallback.
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        ProgressBar(bar)
    }

    /// Shows the progress. May be called from any thread.
    pub fn show_progress(&self, progress: AnalysisProgress) {
        if progress.done == 0 {
            // Each step has a rate of its own.
            self.0.reset();
            self.0.set_message(match progress.step {
                AnalysisStep::Reading => "reading",
                AnalysisStep::Counting => "counting",
                AnalysisStep::Detecting => "detecting",
                AnalysisStep::Comparing => "comparing",
                AnalysisStep::Indexing => "indexing",
            });
            self.0.set_length(progress.total as u64);
        }
        self.0.set_position(progress.done as u64);
    }

    /// Shows the current step if the amount of work is unknown.
    pub fn show_step(&self, what: &str) {
        if let Ok(style) = ProgressStyle::with_template("{msg} {spinner}") {
            self.0.set_style(style);
        }
        self.0.set_message(what.to_owned());
    }
}

/// Writes how many books a second are done.
fn rate(state: &ProgressState, out: &mut dyn Write) {
    let rate = state.per_sec();
    let decimals = usize::from(rate < 10.0);
    // A bar without a rate is still one.
    let _ = write!(out, "{rate:.decimals$}/s");
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
