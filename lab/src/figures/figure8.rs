//! Figure 8: errors of preambles and epilogues, each and together.

use anyhow::Result;

use super::errors::{
    ErrorOwner, LabelledErrors, SystemGroup, compare_reach, extremes, further, near_where_right,
};
use super::report::{Compared, Figure, FigureData};
use endpaper_command::plot::curves::error_curves;
use endpaper_detect::End;
use endpaper_evaluate::report::SystemScores;
use endpaper_evaluate::{MetricsSummary, share_in_words};
use endpaper_text::wording::thousands;

/// Shown where the paper states nothing.
const NOT_STATED: &str = "not told";

/// One of the plots of Figure 8.
struct FigurePart {
    letter: char,
    end: End,
    what: &'static str,
    curves: &'static [ErrorOwner],
}

const WITHOUT: &[ErrorOwner] = &[ErrorOwner::Exact, ErrorOwner::Gm, ErrorOwner::Posterior];
const WITH: &[ErrorOwner] = &[
    ErrorOwner::ExactHeuristics,
    ErrorOwner::GmHeuristics,
    ErrorOwner::Posterior,
    ErrorOwner::Gm,
];

const PARTS: [FigurePart; 4] = [
    FigurePart {
        letter: 'a',
        end: End::Start,
        what: "preamble errors without heuristics",
        curves: WITHOUT,
    },
    FigurePart {
        letter: 'b',
        end: End::End,
        what: "epilogue errors without heuristics",
        curves: WITHOUT,
    },
    FigurePart {
        letter: 'c',
        end: End::Start,
        what: "preamble errors with heuristics",
        curves: WITH,
    },
    FigurePart {
        letter: 'd',
        end: End::End,
        what: "epilogue errors with heuristics",
        curves: WITH,
    },
];

/// Draws the four parts, then both ends of each book together.
pub(super) fn figures(errors: &LabelledErrors) -> Result<Vec<Figure>> {
    let parts = PARTS.iter().map(|part| figure(errors, part));
    parts.chain([Ok(together(errors))]).collect()
}

fn figure(errors: &LabelledErrors, part: &FigurePart) -> Result<Figure> {
    let systems: Vec<&SystemScores> = part
        .curves
        .iter()
        .map(|&who| errors.scores_of(who))
        .collect();
    let (curves, data) = errors.at(part.end, &systems);
    let title = format!("Figure 8({}): {}", part.letter, part.what);
    let mut compared = claims(errors, part.letter);
    for scored in &systems {
        compared.push(compare_reach(scored, part.end, NOT_STATED));
    }
    Ok(Figure {
        name: format!("figure8{}", part.letter),
        svg: Some(error_curves(&title, "error in lines", &curves)?),
        title,
        about: errors.about(&systems),
        data,
        compared,
    })
}

fn claims(errors: &LabelledErrors, letter: char) -> Vec<Compared> {
    let worse = |gm, exact, end, paper: &str| {
        let (share, most) = further(errors.scores_of(gm), errors.scores_of(exact), end);
        Compared::new(
            "books in which GM is further off than exact counts",
            paper,
            format!(
                "{}; at most {} lines",
                share_in_words(share),
                thousands(most)
            ),
        )
    };
    match letter {
        'a' => vec![worse(
            ErrorOwner::Gm,
            ErrorOwner::Exact,
            End::Start,
            "about 30 %; always 10 lines or fewer",
        )],
        'b' => vec![worse(
            ErrorOwner::Gm,
            ErrorOwner::Exact,
            End::End,
            "the structure has not much effect",
        )],
        'c' => {
            let (better, _) = further(
                errors.scores_of(ErrorOwner::Exact),
                errors.scores_of(ErrorOwner::ExactHeuristics),
                End::Start,
            );
            vec![
                worse(
                    ErrorOwner::GmHeuristics,
                    ErrorOwner::ExactHeuristics,
                    End::Start,
                    "about 30 %",
                ),
                Compared::new(
                    "books in which heuristics bring exact counts nearer",
                    "heuristics are somewhat helpful",
                    share_in_words(better),
                ),
            ]
        }
        _ => {
            let exact = errors.scores_of(ErrorOwner::ExactHeuristics);
            let near = near_where_right(exact, errors.scores_of(ErrorOwner::Gm), End::End);
            vec![
                Compared::new(
                    "books without error, with heuristics",
                    "about 75 %",
                    share_in_words(exact.summary.ends[1].exact),
                ),
                Compared::new(
                    "of these, GM without heuristics 1 to 10 lines off",
                    "all of them",
                    share_in_words(near),
                ),
            ]
        }
    }
}

/// Combines both ends of each book: not a figure of the paper, but a claim of it.
fn together(errors: &LabelledErrors) -> Figure {
    let mut data = FigureData::new([
        "detector",
        "books",
        "start_exact",
        "end_exact",
        "both_exact",
        "within_10_percent_of_boilerplate",
        "within_10_percent_of_file",
        "most_removed_at_start",
        "most_left_at_start",
        "most_removed_at_end",
        "most_left_at_end",
    ]);
    let all = errors.scores(&[
        SystemGroup::Figure8,
        SystemGroup::Baselines,
        SystemGroup::OtherTools,
    ]);
    for scored in &all {
        let MetricsSummary {
            books,
            ends: [start, end],
            both,
            tenth_of_boilerplate,
            tenth_of_file,
            ..
        } = scored.summary;
        let hits = [
            start.exact,
            end.exact,
            both.exact,
            tenth_of_boilerplate,
            tenth_of_file,
        ];
        let far = [End::Start, End::End].map(|end| extremes(scored, end));
        let far = far.iter().flat_map(|(lowest, highest)| [lowest, highest]);
        let cells = [books].into_iter().chain(hits.map(|share| share.hits));
        let cells = cells.chain(far.map(|lines| lines.unsigned_abs()));
        let cells = cells.map(|number| number.to_string());
        data.row(std::iter::once(scored.name.clone()).chain(cells));
    }
    let about = format!(
        "{} The paper finds the boilerplate \"approximately (within 10%)\" and does not say of what: both readings. Numbers of \
        books and of lines; shares below stand with their 95 % Wilson intervals.",
        errors.about(&all)
    );
    Figure {
        name: "figure8".to_owned(),
        title: "Figure 8: both ends of each book".to_owned(),
        about,
        svg: None,
        data,
        compared: shares(errors),
    }
}

/// In how many books both ends are right, or nearly so.
fn shares(errors: &LabelledErrors) -> Vec<Compared> {
    let mut compared = Vec::new();
    for (who, paper) in [
        (
            ErrorOwner::ExactHeuristics,
            "more than 90 % of 100 documents",
        ),
        (ErrorOwner::GmHeuristics, NOT_STATED),
        (ErrorOwner::Posterior, NOT_STATED),
    ] {
        let scored = errors.scores_of(who);
        for (of, share) in [
            (
                "the boilerplate at each end",
                scored.summary.tenth_of_boilerplate,
            ),
            ("the file", scored.summary.tenth_of_file),
        ] {
            compared.push(Compared::new(
                format!("{}: both ends within 10 % of {of}", scored.name),
                paper,
                share_in_words(share),
            ));
        }
        for (what, share) in [
            ("within 10 non-blank lines", scored.summary.both.near[2]),
            ("without error", scored.summary.both.exact),
        ] {
            compared.push(Compared::new(
                format!("{}: both ends {what}", scored.name),
                NOT_STATED,
                share_in_words(share),
            ));
        }
    }
    compared
}
