//! Curves of signed errors, one plot for each end (Kaser & Lemire, Figure 8).

use std::fmt::Write as _;

use anyhow::Result;

use endpaper_command::page::escaped;
use endpaper_command::plot::curves::{ErrorCurve, error_curves};
use endpaper_evaluate::report::EvaluationReport;
use endpaper_text::sanitise::sanitise;

const UNIT: &str = "lines off (non-blank)";

/// Writes both plots with all evaluated systems.
pub(super) fn put(out: &mut String, report: &EvaluationReport) -> Result<()> {
    for (end, name) in ["start", "end"].into_iter().enumerate() {
        let curves: Vec<ErrorCurve> = report
            .systems
            .iter()
            .map(|scored| {
                let errors = scored.errors.iter();
                ErrorCurve {
                    name: sanitise(&scored.name).into_owned(),
                    errors: errors.map(|(_, errors)| errors.ends[end].lines).collect(),
                }
            })
            .collect();
        let title = format!("Errors at the {name} of books");
        let svg = error_curves(&title, UNIT, &curves)?;
        let words: Vec<String> = curves.iter().map(in_words).collect();
        let svg = with_description(&svg, &format!("curve-{name}"), &title, &words.join(" "));
        let _ = writeln!(
            out,
            "<figure class=\"wide curve\" tabindex=\"0\">{svg}</figure>"
        );
    }
    Ok(())
}

/// A description of a curve for screen readers.
fn in_words(curve: &ErrorCurve) -> String {
    let books = curve.errors.len();
    let count = |yes: fn(&i64) -> bool| curve.errors.iter().filter(|error| yes(error)).count();
    let least = curve.errors.iter().min().copied().unwrap_or(0);
    let most = curve.errors.iter().max().copied().unwrap_or(0);
    format!(
        "{}: of {books} books {} below zero (lowest {least}), {} at zero, {} above zero (highest {most}).",
        curve.name,
        count(|error| *error < 0),
        count(|error| *error == 0),
        count(|error| *error > 0),
    )
}

/// Adds a title and a description for screen readers to an SVG document.
fn with_description(svg: &str, id: &str, title: &str, about: &str) -> String {
    let svg = svg.trim();
    let Some((head, rest)) = svg.split_once('>') else {
        return String::new();
    };
    format!(
        "{head} role=\"img\" aria-labelledby=\"{id} {id}-about\"><title id=\"{id}\">{}</title><desc id=\"{id}-about\">{}</desc>{rest}",
        escaped(title),
        escaped(about)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_say_in_words_what_they_show() {
        let curve = ErrorCurve {
            name: "gap".to_owned(),
            errors: vec![-7, 0, 0, 3, -1],
        };
        let words = in_words(&curve);
        assert_eq!(
            words,
            "gap: of 5 books 2 below zero (lowest -7), 2 at zero, 1 above zero (highest 3)."
        );
        let svg = with_description("<svg width=\"1\">\n</svg>\n", "c", "a<b", &words);
        assert!(svg.starts_with(
            "<svg width=\"1\" role=\"img\" aria-labelledby=\"c c-about\"><title id=\"c\">a&lt;b</title><desc id=\"c-about\">gap:"
        ), "{svg}");
        assert!(svg.ends_with("</desc>\n</svg>"));
    }
}
