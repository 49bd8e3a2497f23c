//! The evaluated systems: the selected detector, the other detectors and structures, and other tools.

use anyhow::Result;

use super::args::Args;
use endpaper_command::progress::ProgressBar;
use endpaper_detect::pipeline::{AnalysisOptions, CorpusReport};
use endpaper_detect::{Method, Parameters};
use endpaper_evaluate::report::LabelledBook;
use endpaper_evaluate::system::{System, detector, read_cut_table, with_structure};
use endpaper_text::corpus::Listing;

/// The selected detector, then all that it is compared with.
pub(super) fn systems(
    args: &Args,
    listing: &Listing,
    survey: &CorpusReport,
    options: &AnalysisOptions,
    labelled: &[LabelledBook],
) -> Result<Vec<System>> {
    let of = |parameters: &Parameters| detector(survey, options, parameters, labelled);
    let asked = &options.parameters;
    let mut judges = vec![of(asked)?];
    let others = [
        (Method::Posterior, true),
        (Method::Gap, true),
        (Method::Gap, false),
    ];
    let asked_for = (asked.method, asked.heuristics);
    for (method, heuristics) in others {
        if args.compare && (method, heuristics) != asked_for {
            judges.push(of(&Parameters {
                method,
                heuristics,
                ..asked.clone()
            })?);
        }
    }
    for &structure in &args.with_structure {
        let threshold = args.detector.threshold;
        let bar = ProgressBar::new(args.corpus.quiet);
        let progress = |progress| bar.show_progress(progress);
        judges.push(with_structure(
            listing, options, structure, threshold, &progress,
        )?);
    }
    for file in &args.against {
        judges.push(read_cut_table(file, survey)?);
    }
    Ok(judges)
}
