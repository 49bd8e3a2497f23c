//! The data that all figures on near copies share.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::original_texts::OriginalTexts;
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_command::progress::ProgressBar;
use endpaper_detect::copies::{Fingerprint, FingerprintBits, FingerprintShape, NGRAM};
use endpaper_detect::pipeline::{AnalysisProgress, AnalysisStep};
use lab::corrupt::Original;
use lab::experiments::copies::VersionSet;

/// Originals of the small set, as in the paper.
pub(super) const ORIGINALS: usize = 100;

/// Corrupted versions of each original in the small set.
pub(super) const VERSIONS: usize = 9;

pub(super) fn lengths() -> Axis {
    let name = "length of the fingerprint in bits";
    Axis::new(name, AxisScale::Linear, 64.0, 256.0)
}

/// How many books each set of the experiments has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) large: usize,
    pub(super) originals: usize,
    pub(super) texts: usize,
}

impl Sizes {
    /// Derives all sizes from that of the large set: the others shrink only if it is very small.
    pub(super) fn of(books: usize) -> Sizes {
        Sizes {
            large: books,
            originals: (books / 20).clamp(4, ORIGINALS),
            texts: (books / 1_000).clamp(1, 20),
        }
    }
}

/// What the figures on near copies are drawn from and with.
pub(super) struct CopiesBench<'a> {
    pub(super) originals: &'a OriginalTexts,
    pub(super) sizes: Sizes,
    pub(super) palette: PlotPalette,
    pub(super) quiet: bool,
}

impl CopiesBench<'_> {
    /// Computes the fingerprints of a set, with a progress bar.
    pub(super) fn fingerprints(
        &self,
        set: &VersionSet,
        originals: &[Original<'_>],
        shape: FingerprintShape,
    ) -> Vec<Option<Fingerprint>> {
        let (bar, total) = (ProgressBar::new(self.quiet), set.versions().len());
        let made = AtomicUsize::new(0);
        let show = |done| {
            bar.show_progress(AnalysisProgress {
                step: AnalysisStep::Counting,
                done,
                total,
            });
        };
        show(0);
        set.prints(originals, shape, &|more| {
            show(made.fetch_add(more, Ordering::Relaxed) + more)
        })
    }
}

/// Shape of fingerprints of 4-grams.
pub(super) fn shape(bits: FingerprintBits) -> FingerprintShape {
    FingerprintShape { bits, ngram: NGRAM }
}
