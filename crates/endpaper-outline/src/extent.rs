//! The pages of a book: real ones separated by form feeds, else estimated from the length of the text.

/// Bytes of text on an estimated page: 300 words of six letters, including spaces.
const PAGE: usize = 1800;
/// Most lines of a page, on average: with more, form feeds mean something else.
const LINES: usize = 200;

/// The lines at which the pages of a book begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PageExtent {
    /// First lines of all pages but the first, in order.
    starts: Vec<u32>,
    /// Number of the last page with text.
    count: u32,
    /// Whether the pages are estimated, for lack of form feeds.
    estimated: bool,
}

/// Counts pages while the lines are read in order.
#[derive(Default)]
pub(super) struct PageCounter {
    /// Lines that begin with a form feed: the first lines of real pages.
    real: Vec<u32>,
    /// First lines of the estimated pages after the first.
    estimated: Vec<u32>,
    /// Bytes of text so far on the current estimated page.
    filled: usize,
    /// Number of real and of estimated page breaks up to the last text, without form feeds after it.
    counts: (usize, usize),
}

impl PageCounter {
    /// Adds a line with its text length in bytes; `fed`: it begins with a form feed.
    pub fn line(&mut self, line: u32, size: usize, fed: bool) {
        if fed {
            self.real.push(line);
        }
        if size == 0 {
            return;
        }
        if self.filled >= PAGE {
            self.filled = 0;
            self.estimated.push(line);
        }
        self.filled += size + 1;
        self.counts = (self.real.len(), self.estimated.len());
    }

    /// Returns the pages of a book of `lines` lines.
    pub fn finish(self, lines: usize) -> PageExtent {
        let (real, estimated) = self.counts;
        let fed = real > 0 && lines / (real + 1) <= LINES;
        let (starts, count) = if fed {
            (self.real, real)
        } else {
            (self.estimated, estimated)
        };
        PageExtent {
            starts,
            count: u32::try_from(count + 1).unwrap_or(u32::MAX),
            estimated: !fed,
        }
    }
}

impl PageExtent {
    /// Number of pages, at least 1.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Whether the pages are estimated.
    pub fn is_estimated(&self) -> bool {
        self.estimated
    }

    /// The page of a line, from 1.
    pub fn page(&self, line: u32) -> u32 {
        let before = self.starts.partition_point(|&start| start <= line);
        u32::try_from(before + 1).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn measured(lines: &[(usize, bool)]) -> PageExtent {
        let mut measure = PageCounter::default();
        for (at, (size, fed)) in lines.iter().enumerate() {
            measure.line(at as u32 + 1, *size, *fed);
        }
        measure.finish(lines.len())
    }

    #[test]
    fn form_feeds_make_pages_and_text_fills_them_elsewhere() {
        // Title page, one page of text, and a form feed after all.
        let fed = measured(&[(9, false), (0, true), (60, false), (60, false), (0, true)]);
        assert_eq!((fed.count(), fed.is_estimated()), (2, false));
        assert_eq!([1, 2, 3, 4].map(|line| fed.page(line)), [1, 2, 2, 2]);
        // A thousand lines of 59 letters, thirty on a page.
        let plain = measured(&vec![(59, false); 1000]);
        assert_eq!((plain.count(), plain.is_estimated()), (34, true));
        assert_eq!(
            [1, 30, 31, 1000].map(|line| plain.page(line)),
            [1, 1, 2, 34]
        );
        // One form feed in a long text is not a page.
        let mut stray = vec![(59, false); 1000];
        stray[500].1 = true;
        assert_eq!(measured(&stray), plain);
        assert_eq!(measured(&[]).count(), 1);
    }

    proptest! {
        #[test]
        fn pages_never_go_back(lines in proptest::collection::vec((0usize..5000, any::<bool>()), 0..200)) {
            let extent = measured(&lines);
            let pages: Vec<u32> = (1..=lines.len() as u32).map(|line| extent.page(line)).collect();
            prop_assert!(pages.is_sorted());
            let last = lines.iter().rposition(|(size, _)| *size > 0);
            if let Some(last) = last {
                prop_assert_eq!(extent.page(last as u32 + 1), extent.count());
            }
        }
    }
}
