//! Beside Figure 8: Algorithm 1 over approximate counts, by the number of counters.

use anyhow::Result;

use super::corpus::FigureCorpus;
use super::errors::{LabelledErrors, SystemGroup, further};
use super::report::{Compared, Figure};
use super::study::{LabelledCorpus, StudySystem, study_data};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};
use endpaper_detect::End;
use endpaper_detect::frequency::{Frequencies, Structure};
use endpaper_evaluate::report::SystemScores;
use endpaper_evaluate::share_in_words;
use endpaper_text::wording::thousands;
use lab::experiments::count;

/// Counters of the paper's GM structure (section 4) and the distinct lines that it counted (section 3.3.2).
const PAPER_COUNTERS: u64 = 100_000;
const PAPER_LINES: u64 = 3_400_000;

/// Counters for each distinct line in the paper, of GM and of hashing to 23 bits.
const GM_RATIO: f64 = PAPER_COUNTERS as f64 / PAPER_LINES as f64;
const HASHED_RATIO: f64 = (1 << 23) as f64 / PAPER_LINES as f64;

/// Bits of the hashes that are tried; the paper's 23 are the last.
const BITS: [u32; 5] = [16, 17, 18, 20, 23];

/// The GM structure with as many counters for each distinct line as in the paper: 1 for 34.
pub(super) fn scaled_gm(distinct: u64) -> Structure {
    let counters = distinct.saturating_mul(PAPER_COUNTERS) / PAPER_LINES;
    Structure::MisraGries {
        counters: u32::try_from(counters.max(1)).unwrap_or(u32::MAX),
    }
}

/// Half powers of ten from 100 to the first that is enough for all distinct lines, and the scaled number.
fn gm_counters(distinct: u64) -> Vec<Structure> {
    let powers = (4..=16).map(|power| 10f64.powf(f64::from(power) / 2.0).round() as u32);
    let enough = |counters: &u32| u64::from(*counters) >= distinct;
    let needed = powers.clone().position(|counters| enough(&counters));
    let powers = powers.take(needed.map_or(usize::MAX, |place| place + 1));
    let mut structures: Vec<Structure> = powers
        .map(|counters| Structure::MisraGries { counters })
        .chain([scaled_gm(distinct)])
        .collect();
    structures.sort_unstable();
    structures.dedup();
    structures
}

/// Algorithm 1 over the counts of GM and of hashing, with different numbers of counters.
pub(super) fn systems(
    read: &FigureCorpus,
    corpus: &LabelledCorpus<'_>,
) -> Result<Vec<StudySystem>> {
    let distinct = read.counts.len() as u64;
    let hashed = BITS.map(|bits| format!("hashed:bits={bits}").parse());
    let mut structures = gm_counters(distinct);
    for structure in hashed {
        structures.push(structure?);
    }
    let systems = structures.into_iter().map(|structure| {
        let counts = count(structure, &read.books)?;
        let (name, counters) = match structure {
            Structure::MisraGries { counters } => ("GM", u64::from(counters)),
            Structure::Hashed { bits, .. } => ("hashed", 1 << bits),
            _ => (structure.name(), distinct),
        };
        let threshold = structure.default_threshold();
        let cells = [
            name.to_owned(),
            counters.to_string(),
            format!("{:.4}", counters as f64 / distinct.max(1) as f64),
            threshold.to_string(),
            counts.max_undercount().to_string(),
        ];
        let name = format!("{name}, {} counters", thousands(counters));
        let frequencies = Frequencies::from(counts);
        Ok(StudySystem {
            system: corpus.algorithm_1(name, &frequencies, threshold, false)?,
            cells: cells.into(),
        })
    });
    systems.collect()
}

/// Draws in how many books approximate counts are further off than exact ones.
pub(super) fn figure(errors: &LabelledErrors, palette: &PlotPalette) -> Result<Figure> {
    let systems = errors.group(SystemGroup::Counters);
    let columns = [
        "structure",
        "counters",
        "counters_per_line",
        "K",
        "undercount",
    ];
    let data = study_data(errors, &columns, &systems);
    let curve = |name: &str, structure: &str, end| {
        let of = systems.iter().filter(|(cells, _)| cells[0] == structure);
        let points = of.map(|(cells, scored)| {
            let (share, _) = further(scored, errors.exact(), end);
            let percent = 100.0 * share.share().unwrap_or(0.0);
            (cells[1].parse().unwrap_or(1.0), percent)
        });
        Series::new(name, SeriesStyle::Both, points.collect())
    };
    let plot = Plot {
        title: "As Figure 8(a) and 8(b): approximate counts by number of counters".to_owned(),
        x: Axis::new("counters, c", AxisScale::Log, 9e1, 1.1e7),
        y: Axis::new(
            "books further off than with exact counts, in %",
            AxisScale::Linear,
            0.0,
            105.0,
        ),
        series: vec![
            curve("GM, preambles", "GM", End::Start),
            curve("GM, epilogues", "GM", End::End),
            curve("hashed, preambles", "hashed", End::Start),
            curve("hashed, epilogues", "hashed", End::End),
        ],
        legend: Legend::TopRight,
    };
    let about = format!(
        "{} Without heuristics. The paper gives GM {} counters for 3.4 million distinct lines, 1 for 34; undercount is by how much a \
        counter may be too small.",
        errors.about(&[]),
        thousands(PAPER_COUNTERS)
    );
    let compared = compared(errors, &systems);
    Figure::of("figure8-c", &plot, about, data, compared, palette)
}

/// Compares the systems whose ratio of counters to lines is nearest to that of the paper.
fn compared(errors: &LabelledErrors, systems: &[(&[String], &SystemScores)]) -> Vec<Compared> {
    let claims = [
        (
            "GM",
            GM_RATIO,
            [
                "about 30 %; always 10 lines or fewer",
                "the structure has not much effect",
            ],
        ),
        (
            "hashed",
            HASHED_RATIO,
            [
                "not noticeably affected",
                "the structure has not much effect",
            ],
        ),
    ];
    let rows = claims.into_iter().flat_map(|(structure, ratio, paper)| {
        let off = |cells: &[String]| (cells[2].parse().unwrap_or(f64::MAX) / ratio).ln().abs();
        let of = systems.iter().filter(|(cells, _)| cells[0] == structure);
        let nearest = of.min_by(|a, b| off(a.0).total_cmp(&off(b.0)));
        let ends = [(End::Start, "preambles"), (End::End, "epilogues")];
        let ends = ends.into_iter().zip(paper);
        ends.filter_map(move |((end, what), paper)| {
            let (cells, scored) = nearest?;
            let (share, most) = further(scored, errors.exact(), end);
            Some(Compared::new(
                format!(
                    "{}, {} for each distinct line (paper: {ratio:.4}): {what} further off than with exact counts",
                    scored.name, cells[2]
                ),
                paper,
                format!(
                    "{}; at most {} lines",
                    share_in_words(share),
                    thousands(most)
                ),
            ))
        })
    });
    rows.collect()
}
