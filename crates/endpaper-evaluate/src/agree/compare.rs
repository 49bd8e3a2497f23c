//! From opinions to figures.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use super::gather::{ComparedBook, ReviewOutcome, SideMatching, SideReview};
use super::{AgreementTally, BodyRuler};
use crate::ruler::CutOffsets;
use crate::{KrippendorffAlpha, LabelDifference, Proportion, kappa};
use endpaper_text::scan::Template;

/// The facts about a book that need its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookFacts {
    /// Its non-blank lines.
    pub ruler: BodyRuler,
    /// Its template.
    pub template: Template,
    /// Its producer, if the file names one.
    pub producer: Option<String>,
}

/// The books of one template.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TemplateTally {
    /// The producer of its first book.
    pub producer: Option<String>,
    /// How well their cuts agree.
    pub tally: AgreementTally,
}

/// A book on which two sides disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// Its id.
    pub book: String,
    /// What both said.
    pub opinions: [SideReview; 2],
    /// How far their cuts are apart at the start and at the end, if both have some.
    pub distances: Option<(u64, u64)>,
}

/// How well two sides agree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideAgreement {
    /// Books both decided; hits are those with a verdict of the same kind.
    pub status: Proportion,
    /// The cuts of books that have some by both.
    pub cuts: AgreementTally,
    /// The same by template, of books whose text is available.
    pub templates: BTreeMap<Template, TemplateTally>,
    /// Books of which all lines were counted, because the text is not available.
    pub without_text: u64,
    /// Books that are not exactly alike, in the order of their ids.
    pub disagreements: Vec<Disagreement>,
    /// Verdicts of both, by [`ReviewOutcome`]. See [`SideAgreement::kappa_of_verdicts`].
    verdicts: [[u64; 3]; 3],
    /// Lines by what both say they are: preamble, body, epilogue.
    lines: [[u64; 3]; 3],
}

impl SideAgreement {
    /// Cohen's kappa over verdicts.
    pub fn kappa_of_verdicts(&self) -> Option<f64> {
        kappa(&self.verdicts)
    }

    /// Cohen's kappa over lines; see [`crate::INFLATION_NOTE`].
    pub fn kappa_of_lines(&self) -> Option<f64> {
        kappa(&self.lines)
    }
}

/// Compares two sides of a match, by their indices. `known` are texts available by SHA-256; cuts up to `near` lines apart are
/// near misses in the boundary similarity.
pub fn compare(
    found: &SideMatching,
    sides: (usize, usize),
    known: &HashMap<String, BookFacts>,
    near: u64,
) -> SideAgreement {
    let mut agreement = SideAgreement::default();
    for case in &found.cases {
        if let (Some(a), Some(b)) = (case.opinions[sides.0], case.opinions[sides.1]) {
            agreement.add(case, [a, b], known.get(&case.sha256), near);
        }
    }
    agreement
}

impl SideAgreement {
    /// Adds the two opinions on one book. Cuts at most `near` lines apart are near misses.
    fn add(
        &mut self,
        case: &ComparedBook,
        opinions: [SideReview; 2],
        known: Option<&BookFacts>,
        near: u64,
    ) {
        let [a, b] = opinions;
        let alike = a.status == b.status;
        self.status.add(alike);
        self.verdicts[a.status as usize][b.status as usize] += 1;
        let both = alike && a.status == ReviewOutcome::Cuts;
        let distances = both.then(|| self.add_cuts(case, opinions, known, near));
        if !alike || distances.is_some_and(|distances| distances != (0, 0)) {
            self.disagreements.push(Disagreement {
                book: case.book.clone(),
                opinions,
                distances,
            });
        }
    }

    /// Adds the cuts of both opinions, and returns how far they are apart at the start and at the end, in lines.
    fn add_cuts(
        &mut self,
        case: &ComparedBook,
        opinions: [SideReview; 2],
        known: Option<&BookFacts>,
        near: u64,
    ) -> (u64, u64) {
        let ruler = ruler(case, known);
        self.without_text += u64::from(!ruler.skips_blank_lines());
        let [a, b] = opinions.map(|opinion| ruler.offsets(opinion.cuts));
        for (labels, lines) in label_runs(&[a, b], ruler.lines()) {
            self.lines[labels[0] as usize][labels[1] as usize] += lines;
        }
        if let Some(known) = known {
            let template = self.templates.entry(known.template).or_default();
            if template.producer.is_none() {
                template.producer.clone_from(&known.producer);
            }
            template.tally.add(&ruler, a, b, near);
        }
        self.cuts.add(&ruler, a, b, near)
    }
}

/// Krippendorff's alpha over the independent sides of a match: of verdicts, and of lines (see [`crate::INFLATION_NOTE`]).
pub fn alphas(found: &SideMatching, known: &HashMap<String, BookFacts>) -> [Option<f64>; 2] {
    let (mut verdicts, mut lines) = (KrippendorffAlpha::default(), KrippendorffAlpha::default());
    for case in &found.cases {
        let independent = case.opinions.iter().take(found.independent);
        let opinions: Vec<SideReview> = independent.copied().flatten().collect();
        let standings: Vec<u32> = opinions.iter().map(|o| o.status as u32).collect();
        verdicts.add(&standings, 1);
        let ruler = ruler(case, known.get(&case.sha256));
        let cuts = opinions.iter().filter(|o| o.status == ReviewOutcome::Cuts);
        let places: Vec<CutOffsets> = cuts.map(|o| ruler.offsets(o.cuts)).collect();
        for (labels, count) in label_runs(&places, ruler.lines()) {
            lines.add(&labels, count);
        }
    }
    [verdicts, lines].map(|alpha| alpha.value(LabelDifference::Nominal))
}

/// What measures distances between cuts of the book: in non-blank lines if its text is known, else in all lines.
fn ruler<'a>(case: &ComparedBook, known: Option<&'a BookFacts>) -> Cow<'a, BodyRuler> {
    match known {
        Some(known) => Cow::Borrowed(&known.ruler),
        None => Cow::Owned(BodyRuler::without_text(case.lines)),
    }
}

/// Runs of lines within which no side changes its label: the label that each side gives (0 preamble, 1 body, 2 epilogue), and
/// the number of lines.
fn label_runs(places: &[CutOffsets], lines: u64) -> Vec<(Vec<u32>, u64)> {
    let mut edges: Vec<u64> = places.iter().flat_map(|p| [p.start, p.end]).collect();
    edges.extend([0, lines]);
    edges.sort_unstable();
    edges.dedup();
    let label = |places: &CutOffsets, line: u64| match line {
        _ if line < places.start => 0,
        _ if line < places.end => 1,
        _ => 2,
    };
    let runs = edges.windows(2);
    let runs = runs.map(|run| {
        let labels = places.iter().map(|places| label(places, run[0])).collect();
        (labels, run[1] - run[0])
    });
    runs.collect()
}
