//! The progress bar: on standard error, only on a terminal.

use std::time::Duration;

use indicatif::{ProgressDrawTarget, ProgressStyle};

use endpaper_detect::pipeline::{AnalysisProgress, AnalysisStep};

/// Shows how far an analysis is. Goes away when it is dropped.
pub struct ProgressBar(indicatif::ProgressBar);

impl ProgressBar {
    /// A bar, hidden if `quiet` or if standard error is not a terminal.
    pub fn new(quiet: bool) -> ProgressBar {
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = indicatif::ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{msg:10} {wide_bar} {human_pos}/{human_len}");
        // The template is fixed; were it wrong, the default style would do.
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        ProgressBar(bar)
    }

    /// Takes a report from any thread.
    pub fn show_progress(&self, progress: AnalysisProgress) {
        if progress.done == 0 {
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

    /// Says what is being done where no one knows how much of it there is.
    pub fn show_step(&self, what: &str) {
        if let Ok(style) = ProgressStyle::with_template("{msg} {spinner}") {
            self.0.set_style(style);
        }
        self.0.set_message(what.to_owned());
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
