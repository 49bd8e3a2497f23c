//! How good proposed cuts are, and how honest their doubt: against labels that the proposals did not know.

/// Cuts this near to the label are near misses, in non-blank lines.
pub const NEAR_MISS: u64 = 10;

/// Proposed cuts, compared with the label of the book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelledProposal {
    /// Non-blank lines of the body lost (if negative: of boilerplate kept) at the start and at the end.
    pub cut_errors: [i64; 2],
    /// 0..1: how likely it was said to be wrong.
    pub doubt: f32,
}

impl LabelledProposal {
    /// Whether a cut is not where the label has it.
    pub fn is_wrong(&self) -> bool {
        self.cut_errors != [0, 0]
    }

    /// Whether both cuts are at most [`NEAR_MISS`] lines off.
    fn is_near(&self) -> bool {
        self.cut_errors
            .iter()
            .all(|off| off.unsigned_abs() <= NEAR_MISS)
    }
}

/// Books whose doubt lies in one tenth of the scale.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DoubtBin {
    /// How many there are.
    pub books: usize,
    /// How many of them are wrong.
    pub wrong: usize,
    /// Sum of their doubts: as many were to be expected wrong.
    pub expected: f64,
}

/// Figures of many proposals.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposalMetrics {
    /// Number of books.
    pub books: usize,
    /// Books whose start and whose end is exact.
    pub exact: [usize; 2],
    /// Books with both exact.
    pub both: usize,
    /// Books with both within [`NEAR_MISS`] lines.
    pub near: usize,
    /// Lines of bodies lost in all, at both ends.
    pub lost: i64,
    /// Lines of boilerplate kept in all, at both ends.
    pub kept: i64,
    /// Wrong books among the 20 % with the greatest doubt.
    pub wrong_reviewed: usize,
    /// How many these 20 % are.
    pub reviewed: usize,
    /// Mean square of doubt less outcome: 0 for a prophet, 0.25 for doubts of 0.5.
    pub brier: f64,
    /// Reliability: books by tenths of doubt.
    pub bins: [DoubtBin; 10],
}

impl ProposalMetrics {
    /// Figures of these proposals. Of equally doubtful ones the first are reviewed first.
    pub fn of(proposals: &[LabelledProposal]) -> ProposalMetrics {
        let count = |held: &dyn Fn(&LabelledProposal) -> bool| {
            let held = proposals.iter().filter(|proposal| held(proposal));
            held.count()
        };
        let offs = || proposals.iter().flat_map(|proposal| proposal.cut_errors);
        let mut bins = [DoubtBin::default(); 10];
        let mut squares = 0.0;
        for proposal in proposals {
            let (doubt, wrong) = (f64::from(proposal.doubt), proposal.is_wrong());
            let bin = &mut bins[((doubt * 10.0) as usize).min(9)];
            bin.books += 1;
            bin.wrong += usize::from(wrong);
            bin.expected += doubt;
            squares += (doubt - f64::from(u8::from(wrong))).powi(2);
        }
        let mut order: Vec<&LabelledProposal> = proposals.iter().collect();
        order.sort_by(|a, b| b.doubt.total_cmp(&a.doubt));
        let reviewed = (proposals.len() as f64 * 0.2).round() as usize;
        let found = order.iter().take(reviewed);
        ProposalMetrics {
            books: proposals.len(),
            exact: [0, 1].map(|end| count(&|proposal| proposal.cut_errors[end] == 0)),
            both: count(&|proposal| !proposal.is_wrong()),
            near: count(&LabelledProposal::is_near),
            lost: offs().filter(|off| *off > 0).sum(),
            kept: -offs().filter(|off| *off < 0).sum::<i64>(),
            wrong_reviewed: found.filter(|proposal| proposal.is_wrong()).count(),
            reviewed,
            brier: squares / proposals.len().max(1) as f64,
            bins,
        }
    }

    /// Books with a wrong cut.
    pub fn wrong(&self) -> usize {
        self.books - self.both
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_few_books() {
        let proposals: Vec<LabelledProposal> = [
            ([0, 0], 0.0),
            ([0, 0], 0.05),
            ([3, 0], 0.45),
            ([0, -11], 1.0),
            ([0, 0], 0.55),
        ]
        .map(|(off, doubt)| LabelledProposal {
            cut_errors: off,
            doubt,
        })
        .to_vec();
        let figures = ProposalMetrics::of(&proposals);
        assert_eq!((figures.exact, figures.both, figures.near), ([4, 4], 3, 4));
        assert_eq!((figures.lost, figures.kept, figures.wrong()), (3, 11, 2));
        assert_eq!((figures.reviewed, figures.wrong_reviewed), (1, 1));
        let squares = 0.05_f64.powi(2) + 0.55_f64.powi(2) * 2.0;
        assert!(
            (figures.brier - squares / 5.0).abs() < 1e-6,
            "{}",
            figures.brier
        );
        let books = figures.bins.map(|bin| bin.books);
        assert_eq!(books, [2, 0, 0, 0, 1, 1, 0, 0, 0, 1]);
        assert_eq!(figures.bins[9].wrong, 1);
    }

    #[test]
    fn nothing_gives_no_figure_that_is_no_number() {
        let figures = ProposalMetrics::of(&[]);
        assert_eq!((figures.books, figures.brier), (0, 0.0));
    }
}
