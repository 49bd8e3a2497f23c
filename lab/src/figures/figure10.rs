//! Figure 10: errors of rules like those of other tools, and of the cuts of other tools.

use anyhow::Result;

use super::errors::{ErrorOwner, LabelledErrors, SystemGroup, by_book, compare_reach};
use super::report::{Compared, Figure};
use endpaper_command::plot::curves::error_curves;
use endpaper_detect::End;
use endpaper_evaluate::{Proportion, share_in_words};
use lab::experiments::HEADINGS;

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
    let mut others = errors.scores(&[SystemGroup::Baselines, SystemGroup::OtherTools]);
    // Headings say nothing of the end.
    others.retain(|scored| end == End::Start || scored.name != HEADINGS);
    let mut systems = vec![errors.scores_of(ErrorOwner::ExactHeuristics)];
    systems.extend(&others);
    systems.push(errors.scores_of(ErrorOwner::Posterior));
    let (curves, data) = errors.at(end, &systems);
    let mut compared = Vec::new();
    for scored in others.iter().filter(|scored| scored.name == HEADINGS) {
        let mut far = Proportion::default();
        by_book(scored, end).for_each(|(_, error)| far.add(error.unsigned_abs() > 1_000));
        compared.push(Compared::new(
            format!("{}: more than 1,000 lines off", scored.name),
            "GutenMark: 1 of 100 books",
            share_in_words(far),
        ));
    }
    compared.extend(others.iter().map(|scored| {
        let paper = match scored.name.as_str() {
            HEADINGS => "GutenMark: several large errors; worked reasonably well in many cases",
            _ => "not told",
        };
        compare_reach(scored, end, paper)
    }));
    let about = format!(
        "{} Rules like those of other tools are written from what these are documented to do; GutenMark itself is of 2002, and headings \
        are looked for as the paper describes it. Without a heading the whole file is prefatory.",
        errors.about(&systems)
    );
    Ok(Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        about,
        svg: Some(error_curves(title, "error in lines", &curves)?),
        compared,
        data,
    })
}
