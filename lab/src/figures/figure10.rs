//! Figure 10: errors of other tools.

use anyhow::Result;

use super::errors::{ErrorOwner, LabelledErrors, compare_reach};
use super::report::Figure;
use endpaper_command::plot::curves::error_curves;
use endpaper_detect::End;

/// Draws the errors of the other tools and of ours at each end; the paper has preambles only.
pub(super) fn figures(errors: &LabelledErrors) -> Result<Vec<Figure>> {
    [
        (
            End::Start,
            "figure10",
            "Figure 10: preamble errors of other tools",
        ),
        (
            End::End,
            "figure10-epilogue",
            "As Figure 10: epilogue errors of other tools",
        ),
    ]
    .map(|(end, name, title)| figure(errors, end, name, title))
    .into_iter()
    .collect()
}

fn figure(errors: &LabelledErrors, end: End, name: &str, title: &str) -> Result<Figure> {
    let mut systems = vec![errors.scores_of(ErrorOwner::ExactHeuristics)];
    systems.extend(errors.others());
    systems.push(errors.scores_of(ErrorOwner::Posterior));
    let (curves, data) = errors.at(end, &systems);
    let paper = match end {
        End::Start => {
            "GutenMark: more than 1,000 lines off in one book, several other large errors"
        }
        End::End => "not told",
    };
    let others = errors.others().iter();
    Ok(Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        about: errors.about(&systems),
        svg: Some(error_curves(title, "error in lines", &curves)?),
        data,
        compared: others
            .map(|scored| compare_reach(scored, end, paper))
            .collect(),
    })
}
