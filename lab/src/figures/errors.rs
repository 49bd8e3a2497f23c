//! The errors of cuts against ground truth, for Figures 8 and 10 and the studies beside them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::Result;

use super::corpus::FigureCorpus;
use super::report::{Compared, FigureData};
use super::study::{LabelledCorpus, StudySystem};
use super::units::UnitCounts;
use super::{figure8_c, sampling, training, units};
use endpaper_command::common::read_labelled;
use endpaper_command::common::{CorpusArgs, SCAN_MEMORY};
use endpaper_command::output::warn;
use endpaper_command::plot::curves::ErrorCurve;
use endpaper_command::user::UserFolders;
use endpaper_detect::frequency::{Frequencies, Structure};
use endpaper_detect::{End, Policy};
use endpaper_evaluate::report::{EvaluationReport, SystemScores};
use endpaper_evaluate::system::{System, detector, read_cut_table};
use endpaper_evaluate::{Proportion, share_in_words};
use endpaper_text::corpus::{Listing, Skipped};
use endpaper_text::wording::thousands;
use endpaper_truth::Store;
use lab::experiments::{BASELINES, count};

/// Detectors whose errors are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ErrorOwner {
    /// Algorithm 1 with exact counts.
    Exact,
    /// Algorithm 1 with the counts of the Generalized Majority structure, which has the paper's ratio of counters to lines.
    Gm,
    /// [`ErrorOwner::Exact`] with the rules of section 3.4.
    ExactHeuristics,
    /// [`ErrorOwner::Gm`] with the rules of section 3.4.
    GmHeuristics,
    /// The detector of endpaper.
    Posterior,
}

/// Groups of evaluated systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SystemGroup {
    /// Those of [`ErrorOwner`].
    Figure8,
    /// Approximate counts by number of counters.
    Counters,
    /// Counts of samples.
    Samples,
    /// Counts of one copy of each e-book.
    Training,
    /// Lines, sentences and n-grams.
    Units,
    /// Rules like those of other tools.
    Baselines,
    /// The cuts of other tools.
    OtherTools,
}

/// In order of evaluation.
const ALL: [(ErrorOwner, &str); 5] = [
    (ErrorOwner::Exact, "exact, no heuristics"),
    (ErrorOwner::Gm, "GM, no heuristics"),
    (ErrorOwner::ExactHeuristics, "exact, with heuristics"),
    (ErrorOwner::GmHeuristics, "GM, with heuristics"),
    (ErrorOwner::Posterior, "posterior (not in the paper)"),
];

/// How far the cuts of the labelled books are off, by each system.
pub(super) struct LabelledErrors {
    report: EvaluationReport,
    groups: Vec<(SystemGroup, Range<usize>)>,
    /// What the systems are, by their place in the report.
    cells: Vec<Vec<String>>,
    gm: Structure,
    distinct: u64,
    /// Books that cannot be read.
    pub skipped: Vec<Skipped>,
    /// Whether some records were excluded as invalid.
    pub has_invalid_records: bool,
}

impl LabelledErrors {
    /// Evaluates the paper's detectors over the counts, the posterior as `endpaper evaluate` does, the studies beside Figure 8, the
    /// baselines, and the tables of other tools.
    ///
    /// # Errors
    ///
    /// Fails if the truth folder cannot be listed or has no record of these books, or if a table cannot be read.
    pub fn of(
        store: &Store,
        against: &[PathBuf],
        corpus: &CorpusArgs,
        listing: &Listing,
        read: &FigureCorpus,
        counts: &UnitCounts,
    ) -> Result<LabelledErrors> {
        let mut options = corpus.options()?;
        options.scan_memory = SCAN_MEMORY;
        options.keep_scans = true;
        // Uses the user's policy, or the default one without a home folder.
        options.parameters.policy =
            UserFolders::read().map_or_else(|_| Policy::default(), |user| user.policy);
        let survey = corpus.analyse(listing, &options)?;
        if !corpus.quiet {
            survey.notes.iter().for_each(|note| warn(note));
        }
        let (labelled, left_out, shelf) = read_labelled(store, listing, &survey, &options)?;
        let books = LabelledCorpus {
            survey: &survey,
            parameters: &options.parameters,
            labelled: &labelled,
            max_size: options.max_size,
        };
        let posterior = detector(&survey, &options, &options.parameters, &labelled)?;
        let distinct = read.counts.len() as u64;
        let gm = figure8_c::scaled_gm(distinct);
        let tools = against.iter().map(|file| read_cut_table(file, &survey));
        let baselines = BASELINES.iter();
        let baselines = baselines.map(|(name, cuts_of)| books.over_texts(name, cuts_of));
        let groups = [
            (
                SystemGroup::Figure8,
                figure8_systems(read, &books, gm, posterior)?,
            ),
            (SystemGroup::Counters, figure8_c::systems(read, &books)?),
            (SystemGroup::Samples, sampling::systems(read, &books)?),
            (
                SystemGroup::Training,
                training::systems(read, &books, corpus, listing, &options)?,
            ),
            (SystemGroup::Units, units::systems(counts, &books)?),
            (
                SystemGroup::Baselines,
                without_cells(baselines.collect::<Result<Vec<_>>>()?),
            ),
            (
                SystemGroup::OtherTools,
                without_cells(tools.collect::<Result<Vec<_>, _>>()?),
            ),
        ];
        let (mut judges, mut cells, mut ranges) = (Vec::new(), Vec::new(), Vec::new());
        for (group, systems) in groups {
            let first = judges.len();
            for study in systems {
                judges.push(study.system);
                cells.push(study.cells);
            }
            ranges.push((group, first..judges.len()));
        }
        let is_partly = left_out.is_wrong();
        let report = EvaluationReport::evaluate(&labelled, &judges, &shelf, left_out)?;
        Ok(LabelledErrors {
            report,
            groups: ranges,
            cells,
            gm,
            distinct,
            skipped: survey.skipped,
            has_invalid_records: is_partly,
        })
    }

    /// Scores of one detector.
    pub fn scores_of(&self, who: ErrorOwner) -> &SystemScores {
        let place = ALL.iter().position(|(other, _)| *other == who);
        &self.report.systems[place.unwrap_or_default()]
    }

    /// Scores of Algorithm 1 with exact counts, without heuristics: what the studies are compared with.
    pub fn exact(&self) -> &SystemScores {
        self.scores_of(ErrorOwner::Exact)
    }

    /// Scores of a group, with what its systems are.
    pub fn group(&self, group: SystemGroup) -> Vec<(&[String], &SystemScores)> {
        let ranges = self.groups.iter().filter(|(of, _)| *of == group);
        let places = ranges.flat_map(|(_, range)| range.clone());
        places
            .map(|place| (&*self.cells[place], &self.report.systems[place]))
            .collect()
    }

    /// Scores of several groups.
    pub fn scores(&self, groups: &[SystemGroup]) -> Vec<&SystemScores> {
        let groups = groups.iter().flat_map(|group| self.group(*group));
        groups.map(|(_, scored)| scored).collect()
    }

    /// Describes the books, how errors are counted, and remarks on these systems.
    pub fn about(&self, judges: &[&SystemScores]) -> String {
        let notes = judges.iter().filter_map(|scored| {
            let note = scored.note.as_ref()?;
            Some(format!(" {}: {note}.", scored.name))
        });
        format!(
            "{}. Errors in physical lines, blank ones included, but for those next to a cut, which carry no meaning. Below \
            zero, text of the book is removed; above zero, boilerplate is left. Lines are frequent that occur more than {} times; \
            by GM, with a counter above {}: {} for {} distinct lines, the paper's ratio of 100,000 to 3.4 million.{}",
            self.report.caption(),
            Structure::Exact.default_threshold(),
            self.gm.default_threshold(),
            self.gm,
            thousands(self.distinct),
            notes.collect::<String>()
        )
    }

    /// Returns the curves of these systems at one end, and the errors as a table: a row per book, a column per curve, a dash where a system was not
    /// evaluated.
    pub fn at(&self, end: End, judges: &[&SystemScores]) -> (Vec<ErrorCurve>, FigureData) {
        let columns = judges.iter().map(|scored| scored.name.clone());
        let mut data = FigureData::new(std::iter::once("book".to_owned()).chain(columns));
        let found: Vec<BTreeMap<usize, i64>> = judges
            .iter()
            .map(|scored| by_book(scored, end).collect())
            .collect();
        for (book, id) in self.report.books.iter().enumerate() {
            let cells = found.iter().map(|errors| {
                let error = errors.get(&book);
                error.map_or_else(String::new, i64::to_string)
            });
            data.row(std::iter::once(id.clone()).chain(cells));
        }
        let curves = judges.iter().zip(found).map(|(scored, errors)| ErrorCurve {
            name: scored.name.clone(),
            errors: errors.into_values().collect(),
        });
        (curves.collect(), data)
    }
}

/// The systems of Figure 8, in the order of [`ALL`].
fn figure8_systems(
    read: &FigureCorpus,
    books: &LabelledCorpus<'_>,
    gm: Structure,
    posterior: System,
) -> Result<Vec<StudySystem>> {
    let exact = Frequencies::from(read.counts.clone());
    let hot = Frequencies::from(count(gm, &read.books)?);
    let mut posterior = Some(posterior);
    let systems = ALL.into_iter().filter_map(|(who, name)| {
        let (frequencies, structure, heuristics) = match who {
            ErrorOwner::Exact => (&exact, Structure::Exact, false),
            ErrorOwner::Gm => (&hot, gm, false),
            ErrorOwner::ExactHeuristics => (&exact, Structure::Exact, true),
            ErrorOwner::GmHeuristics => (&hot, gm, true),
            ErrorOwner::Posterior => {
                let found = posterior.take()?;
                return Some(Ok(System {
                    name: name.to_owned(),
                    ..found
                }));
            }
        };
        let threshold = structure.default_threshold();
        Some(books.algorithm_1(name.to_owned(), frequencies, threshold, heuristics))
    });
    Ok(without_cells(systems.collect::<Result<Vec<_>>>()?))
}

fn without_cells(systems: Vec<System>) -> Vec<StudySystem> {
    let systems = systems.into_iter();
    systems
        .map(|system| StudySystem {
            system,
            cells: Vec::new(),
        })
        .collect()
}

/// Errors at one end in physical lines, with the place of the book.
pub(super) fn by_book(scored: &SystemScores, end: End) -> impl Iterator<Item = (usize, i64)> {
    let errors = scored.errors.iter();
    errors.map(move |(book, errors)| (*book, errors.ends[end as usize].physical))
}

/// Returns in how many books the first system's error is larger than the second's, and by how many lines at most.
pub(super) fn further(first: &SystemScores, second: &SystemScores, end: End) -> (Proportion, u64) {
    let second: BTreeMap<usize, i64> = by_book(second, end).collect();
    let (mut share, mut most) = (Proportion::default(), 0);
    for (book, error) in by_book(first, end) {
        if let Some(other) = second.get(&book) {
            let more = error.unsigned_abs().saturating_sub(other.unsigned_abs());
            share.add(more > 0);
            most = most.max(more);
        }
    }
    (share, most)
}

/// Of the books in which the first system is right, returns in how many the second is up to 10 lines off.
pub(super) fn near_where_right(
    first: &SystemScores,
    second: &SystemScores,
    end: End,
) -> Proportion {
    let second: BTreeMap<usize, i64> = by_book(second, end).collect();
    let mut share = Proportion::default();
    for (book, error) in by_book(first, end) {
        if let Some(other) = second.get(&book).filter(|_| error == 0) {
            share.add((1..=10).contains(&other.unsigned_abs()));
        }
    }
    share
}

/// The errors furthest below and above zero.
pub(super) fn extremes(scored: &SystemScores, end: End) -> (i64, i64) {
    by_book(scored, end).fold((0, 0), |(lowest, highest), (_, error)| {
        (lowest.min(error), highest.max(error))
    })
}

/// Compares the share of correct cuts and the largest errors at one end with the figures of the paper.
pub(super) fn compare_reach(scored: &SystemScores, end: End, paper: &str) -> Compared {
    let (lowest, highest) = extremes(scored, end);
    Compared::new(
        format!("{}: without error; furthest off", scored.name),
        paper,
        format!(
            "{}; {} lines removed, {} lines left",
            share_in_words(scored.summary.ends[end as usize].exact),
            thousands(lowest.unsigned_abs()),
            thousands(highest.unsigned_abs())
        ),
    )
}
