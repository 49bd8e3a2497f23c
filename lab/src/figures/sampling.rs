//! Section 3.3: counts of a sample of the books instead of all, as errors of assessment and as errors of cuts.

use anyhow::Result;

use super::corpus::FigureCorpus;
use super::errors::{LabelledErrors, SystemGroup, further};
use super::report::{Compared, Figure, FigureData};
use super::study::{LabelledCorpus, StudySystem, study_data};
use endpaper_command::plot::axis::{Axis, AxisScale};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_command::plot::{Legend, Plot, Series, SeriesStyle};
use endpaper_detect::End;
use endpaper_detect::frequency::{Frequencies, Structure};
use endpaper_evaluate::share_in_words;
use lab::experiments::{
    SampleErrors, THRESHOLDS, count_sample, expected_sample_errors, sample_errors, sample_threshold,
};

/// Shares of the books that are counted.
const SHARES: [f64; 6] = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01];

/// Samples of each share; the plot and the table have their mean.
const DRAWS: u64 = 3;

/// Places in [`THRESHOLDS`] of those that are drawn: K = 5, 10 and 100.
const DRAWN: [usize; 3] = [1, 2, 5];

/// What the paper says of low thresholds and of high ones.
const PAPER: [&str; 3] = [
    "too small a sample leads to many false negatives",
    "not told",
    "sampling might be used",
];

/// Draws the lines that a sample assesses wrongly, and what theory expects.
pub(super) fn figure(read: &FigureCorpus, palette: &PlotPalette) -> Result<Figure> {
    let names = ["missed", "missed_expected", "invented", "invented_expected"];
    let of_threshold = |threshold| names.map(|name| format!("K{threshold}_{name}"));
    let columns = THRESHOLDS.into_iter().flat_map(of_threshold);
    let mut data = FigureData::new(["share".to_owned()].into_iter().chain(columns));
    let mut all = Vec::new();
    for share in SHARES {
        let found = mean_errors(read, share)?;
        let expected = expected_sample_errors(&read.counts, share);
        let cells = (0..THRESHOLDS.len()).flat_map(|at| {
            [
                found.missed[at],
                expected.missed[at],
                found.invented[at],
                expected.invented[at],
            ]
        });
        data.row(
            [share]
                .into_iter()
                .chain(cells)
                .map(|cell| cell.to_string()),
        );
        all.push((share, found, expected));
    }
    let mut series = Vec::new();
    for at in DRAWN {
        let threshold = THRESHOLDS[at];
        let points = |of: &dyn Fn(&(f64, SampleErrors, SampleErrors)) -> f64| {
            let points = all.iter().map(|row| (row.0, of(row)));
            // A logarithmic axis cannot show zero.
            points.filter(|point| point.1 > 0.0).collect()
        };
        series.push(Series::new(
            format!("K = {threshold}"),
            SeriesStyle::Both,
            points(&|row| row.1.missed[at]),
        ));
        series.push(Series::new(
            format!("K = {threshold}, expected"),
            SeriesStyle::Dashed,
            points(&|row| row.2.missed[at]),
        ));
    }
    let plot = Plot {
        title: "Section 3.3: frequent lines missed by counting a sample of the books".to_owned(),
        x: Axis::new("share of the books", AxisScale::Log, 0.009, 1.0),
        y: Axis::new(
            "proportion of all lines processed",
            AxisScale::Log,
            1e-5,
            1.5,
        ),
        series,
        legend: Legend::BottomLeft,
    };
    let tenth = &all[2];
    let compared = DRAWN.into_iter().zip(PAPER).map(|(at, paper)| {
        Compared::new(
            format!(
                "a tenth of the books, K = {}: frequent lines missed; infrequent ones invented",
                THRESHOLDS[at]
            ),
            paper,
            format!(
                "{:.2} % of all lines; {:.2} %",
                100.0 * tenth.1.missed[at],
                100.0 * tenth.1.invented[at]
            ),
        )
    });
    let about = format!(
        "Whole books are drawn, {DRAWS} samples of each share; a line is taken for frequent if it occurs more than K times the share. \
        Expected is what draws of single lines would give."
    );
    Figure::of("sampling", &plot, about, data, compared.collect(), palette)
}

fn mean_errors(read: &FigureCorpus, share: f64) -> Result<SampleErrors> {
    let mut mean = SampleErrors {
        missed: [0.0; THRESHOLDS.len()],
        invented: [0.0; THRESHOLDS.len()],
    };
    for seed in 0..DRAWS {
        let sampled = count_sample(&read.books, share, seed)?;
        let found = sample_errors(&read.counts, &sampled, share);
        for at in 0..THRESHOLDS.len() {
            mean.missed[at] += found.missed[at] / DRAWS as f64;
            mean.invented[at] += found.invented[at] / DRAWS as f64;
        }
    }
    Ok(mean)
}

/// Algorithm 1 over the counts of the first sample of each share.
pub(super) fn systems(
    read: &FigureCorpus,
    corpus: &LabelledCorpus<'_>,
) -> Result<Vec<StudySystem>> {
    let systems = SHARES.into_iter().map(|share| {
        let counts = count_sample(&read.books, share, 0)?;
        let threshold = sample_threshold(Structure::Exact.default_threshold(), share);
        let name = format!("{} % of the books", 100.0 * share);
        let cells = [
            share.to_string(),
            threshold.to_string(),
            counts.len().to_string(),
        ];
        Ok(StudySystem {
            system: corpus.algorithm_1(name, &Frequencies::from(counts), threshold, false)?,
            cells: cells.into(),
        })
    });
    systems.collect()
}

/// The errors of cuts with samples.
pub(super) fn errors_of_samples(errors: &LabelledErrors) -> Figure {
    let systems = errors.group(SystemGroup::Samples);
    let compared = systems.iter().map(|(_, scored)| {
        let shares = [End::Start, End::End].map(|end| further(scored, errors.exact(), end).0);
        Compared::new(
            format!(
                "{}: preambles; epilogues further off than with all books",
                scored.name
            ),
            "not told",
            format!(
                "{}; {}",
                share_in_words(shares[0]),
                share_in_words(shares[1])
            ),
        )
    });
    Figure {
        name: "figure8-sampling".to_owned(),
        title: "As Figure 8: counts of a sample of the books".to_owned(),
        about: format!("{} Without heuristics.", errors.about(&[])),
        svg: None,
        compared: compared.collect(),
        data: study_data(errors, &["share", "K", "distinct_lines"], &systems),
    }
}
