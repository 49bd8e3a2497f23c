//! Figures of many books: shares with their intervals, volumes of loss and leak, boundaries.

use serde::Serialize;

use super::boundary::BoundaryEdits;
use super::errors::{BookErrors, EndErrors, TextVolume};
use super::intervals::{CONFIDENCE, Interval, Proportion};
use super::proposals::NEAR_MISS;
use super::windows::{WindowMetrics, usual_window};

/// Error limits in non-blank lines for [`CutAccuracy::near`].
pub const NEAR: [u64; 3] = [1, 5, NEAR_MISS];

/// Boundaries fewer than this many non-blank lines apart are near misses in the boundary similarity, as for agreement.
const SPAN: u64 = NEAR_MISS + 1;

/// How often cuts are right, of one end or of both together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CutAccuracy {
    /// Where the label has them.
    pub exact: Proportion,
    /// There, or where a second curator could defend them.
    pub defended: Proportion,
    /// At most [`NEAR`] non-blank lines off.
    pub near: [Proportion; 3],
}

impl CutAccuracy {
    /// Adds one end of a book.
    fn add_end(&mut self, end: &EndErrors) {
        self.exact.add(end.exact);
        self.defended.add(end.defended);
        for (near, lines) in self.near.iter_mut().zip(NEAR) {
            near.add(end.within(lines));
        }
    }

    /// Adds a book, in which both ends must be right.
    fn add_book(&mut self, book: &BookErrors) {
        self.exact.add(book.is_exact());
        self.defended.add(book.is_defended());
        for (near, lines) in self.near.iter_mut().zip(NEAR) {
            near.add(book.is_within(lines));
        }
    }

    /// Each share with its name, in the order they are read.
    pub fn named(&self) -> [(String, Proportion); 5] {
        let near = |at: usize| (format!("within {}", NEAR[at]), self.near[at]);
        [
            ("exact".to_owned(), self.exact),
            ("or defended".to_owned(), self.defended),
            near(0),
            near(1),
            near(2),
        ]
    }
}

/// The distribution over the books of the amount of text lost, or of boilerplate left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ErrorDistribution {
    /// Books that have any.
    pub books: u64,
    /// All of it.
    pub total: TextVolume,
    /// The most in one book: by lines, and by bytes.
    pub most: TextVolume,
    /// Ninety-five of a hundred books have no more: by lines, and by bytes.
    pub percentile_95: TextVolume,
}

impl ErrorDistribution {
    /// The distribution of the volumes in lines and in bytes.
    fn of(volumes: &[TextVolume]) -> ErrorDistribution {
        let sorted = |size: fn(&TextVolume) -> u64| {
            let mut sizes: Vec<u64> = volumes.iter().map(size).collect();
            sizes.sort_unstable();
            sizes
        };
        let (lines, bytes) = (sorted(|v| v.lines), sorted(|v| v.bytes));
        // The nearest rank: the smallest size that at least 95 % of the books do not exceed.
        let rank = |sizes: &[u64]| {
            let at = (sizes.len() * 95).div_ceil(100).saturating_sub(1);
            sizes.get(at).copied().unwrap_or(0)
        };
        ErrorDistribution {
            books: lines.iter().filter(|&&lines| lines > 0).count() as u64,
            total: TextVolume {
                lines: lines.iter().sum(),
                bytes: bytes.iter().sum(),
            },
            most: TextVolume {
                lines: lines.last().copied().unwrap_or(0),
                bytes: bytes.last().copied().unwrap_or(0),
            },
            percentile_95: TextVolume {
                lines: rank(&lines),
                bytes: rank(&bytes),
            },
        }
    }
}

/// Figures of many books.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricsSummary {
    /// How many.
    pub books: u64,
    /// Both cuts of a book.
    pub both: CutAccuracy,
    /// The starts and the ends alone.
    pub ends: [CutAccuracy; 2],
    /// Both cuts within a tenth of the boilerplate at their end.
    pub tenth_of_boilerplate: Proportion,
    /// Both cuts within a tenth of the file.
    pub tenth_of_file: Proportion,
    /// Text of books that was cut away.
    pub loss: ErrorDistribution,
    /// Boilerplate that was left.
    pub leak: ErrorDistribution,
    /// Books by whether they have an epilogue: first by the label, then as detected; no, yes.
    pub epilogue: [[u64; 2]; 2],
    /// Boundary edits, near misses up to [`NEAR_MISS`] lines.
    pub boundary: BoundaryEdits,
    /// Means over books of Pk and WindowDiff, each with the window that is usual for its label; `None` without books.
    pub windows: Option<[f64; 2]>,
}

impl MetricsSummary {
    /// Figures of these books.
    pub fn of<'a>(books: impl IntoIterator<Item = &'a BookErrors>) -> MetricsSummary {
        let mut summary = MetricsSummary::default();
        let (mut losses, mut leaks) = (Vec::new(), Vec::new());
        let (mut sums, mut compared) = ([0.0; 2], 0u64);
        for book in books {
            summary.books += 1;
            summary.both.add_book(book);
            for (marks, end) in summary.ends.iter_mut().zip(&book.ends) {
                marks.add_end(end);
            }
            let tenth = &mut summary.tenth_of_boilerplate;
            tenth.add(book.is_within_tenth_of_boilerplate());
            summary.tenth_of_file.add(book.is_within_tenth_of_file());
            losses.push(book.loss);
            leaks.push(book.leak);
            let [labelled, detected] = book.epilogue;
            summary.epilogue[usize::from(labelled)][usize::from(detected)] += 1;
            let [label, found] = &book.boundaries;
            let edits = BoundaryEdits::between(label, found, SPAN);
            summary.boundary.add(edits);
            if let Some(windows) = window_metrics(book) {
                sums[0] += windows.pk;
                sums[1] += windows.window_diff;
                compared += 1;
            }
        }
        summary.loss = ErrorDistribution::of(&losses);
        summary.leak = ErrorDistribution::of(&leaks);
        summary.windows = (compared > 0).then(|| sums.map(|sum| sum / compared as f64));
        summary
    }
}

/// Pk and WindowDiff of a book: a place is a non-blank line, and a boundary is at the last line before it.
pub fn window_metrics(book: &BookErrors) -> Option<WindowMetrics> {
    let [label, found] = &book.boundaries;
    let window = usual_window(book.lines, label.len());
    let places =
        |boundaries: &[u64]| -> Vec<u64> { boundaries.iter().map(|place| place - 1).collect() };
    WindowMetrics::between(&places(label), &places(found), book.lines, window)
}

/// A share in words: `89.3 % (85.2 to 92.4)`, with the Wilson interval at 95 %.
pub fn share_in_words(share: Proportion) -> String {
    let percent = |part: f64| part * 100.0;
    match (share.share(), share.wilson(CONFIDENCE)) {
        (Some(part), Some(Interval { low, high })) => format!(
            "{:.1} % ({:.1} to {:.1})",
            percent(part),
            percent(low),
            percent(high)
        ),
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(lines: i64, boilerplate: u32) -> EndErrors {
        EndErrors {
            lines,
            physical: lines,
            exact: lines == 0,
            defended: lines == 0 || lines == 1,
            boilerplate,
        }
    }

    fn book(start: i64, last: i64, loss: u64) -> BookErrors {
        BookErrors {
            ends: [end(start, 100), end(last, 10)],
            loss: TextVolume {
                lines: loss,
                bytes: 10 * loss,
            },
            file_lines: 200,
            lines: 100,
            epilogue: [true, last != 4],
            boundaries: [vec![20, 80], vec![(20 - start) as u64, 80]],
            ..BookErrors::default()
        }
    }

    #[test]
    fn figures_of_a_few_books() {
        let books = [book(0, 0, 0), book(1, 0, 0), book(-8, 0, 8), book(0, 4, 0)];
        let summary = MetricsSummary::of(&books);
        let shares = |marks: CutAccuracy| marks.named().map(|(_, share)| share.hits);
        assert_eq!(shares(summary.both), [1, 2, 2, 3, 4]);
        assert_eq!(shares(summary.ends[0]), [2, 3, 3, 3, 4]);
        assert_eq!(shares(summary.ends[1]), [3, 3, 3, 4, 4]);
        assert_eq!(summary.tenth_of_boilerplate.hits, 3);
        assert_eq!(summary.tenth_of_file.hits, 4);
        assert_eq!(summary.epilogue, [[0, 0], [1, 3]]);
        let loss = summary.loss;
        assert_eq!((loss.books, loss.total.lines, loss.most.bytes), (1, 8, 80));
        assert_eq!(loss.percentile_95.lines, 8);
        assert_eq!((summary.boundary.matches, summary.boundary.near), (6, 2));
        // A boundary moved by one place near the beginning: the one window that begins between the two differs.
        let pk = window_metrics(&books[1]).unwrap();
        assert_eq!((pk.window, pk.pk), (25, 1.0 / 76.0));
    }

    #[test]
    fn nothing_says_nothing() {
        let summary = MetricsSummary::of(&[]);
        assert_eq!((summary.books, summary.windows), (0, None));
        assert_eq!(share_in_words(summary.both.exact), "-");
    }

    #[test]
    fn the_percentile_is_the_nearest_rank() {
        let volumes: Vec<TextVolume> = (1..=100)
            .map(|lines| TextVolume { lines, bytes: 0 })
            .collect();
        assert_eq!(ErrorDistribution::of(&volumes).percentile_95.lines, 95);
        assert_eq!(ErrorDistribution::of(&volumes[..3]).percentile_95.lines, 3);
    }

    #[test]
    fn shares_are_written_with_their_interval() {
        let share = Proportion {
            hits: 90,
            total: 100,
        };
        assert_eq!(share_in_words(share), "90.0 % (82.6 to 94.5)");
    }
}
