//! The results of fitting as a table.

use anyhow::Result;

use endpaper_command::output::Printer;
use endpaper_detect::pipeline::FittedProfile;
use endpaper_evaluate::{LabelledProposal, NEAR_MISS, ProposalMetrics};
use endpaper_text::wording::thousands;

/// Prints the figures of the out-of-fold evaluation.
pub(super) fn print(fitted: &FittedProfile) -> Result<()> {
    let proposals = fitted.cross_fitted.iter().map(|scored| LabelledProposal {
        cut_errors: scored.off,
        doubt: scored.doubt,
    });
    let figures = ProposalMetrics::of(&proposals.collect::<Vec<_>>());
    let mut printer = Printer::stdout();
    for line in lines(fitted, &figures) {
        printer.line(&line)?;
    }
    Ok(printer.finish()?)
}

/// The lines of the table.
fn lines(fitted: &FittedProfile, figures: &ProposalMetrics) -> Vec<String> {
    let all = figures.books;
    let of_all = |name: &str, count: usize| {
        let share = 100.0 * count as f64 / all.max(1) as f64;
        format!("{name:<22} {share:>5.1} %  {count} of {all}")
    };
    let mut lines = vec![
        "Labelled books, each judged by weights that saw no book of its work:".to_owned(),
        of_all("start exact", figures.exact[0]),
        of_all("end exact", figures.exact[1]),
        of_all("both exact", figures.both),
        of_all(&format!("both within {NEAR_MISS} lines"), figures.near),
        format!(
            "{:<22} {} lost, {} kept that are boilerplate",
            "lines",
            thousands(figures.lost.unsigned_abs()),
            thousands(figures.kept.unsigned_abs())
        ),
        format!(
            "{:<22} {} of {} wrong ones among the {} most doubtful",
            "review of 20 %",
            figures.wrong_reviewed,
            figures.wrong(),
            figures.reviewed
        ),
        format!("{:<22} {:.4}", "Brier score", figures.brier),
    ];
    for (at, end) in ["start", "end"].into_iter().enumerate() {
        lines.push(format!(
            "{:<22} {:.4} a label ({} of {all} labels within reach), temperature {:.2}",
            format!("log likelihood, {end}"),
            fitted.likelihood[at],
            fitted.within[at],
            fitted.weights.temperatures()[at]
        ));
    }
    if fitted.added > 0 {
        lines.push(format!(
            "{:<22} {} books without label",
            "also fitted to",
            thousands(fitted.added as u64)
        ));
    }
    lines.push(String::new());
    lines.push("doubt        books  expected wrong  wrong".to_owned());
    for (at, bin) in figures.bins.iter().enumerate() {
        lines.push(format!(
            "{:.1} to {:.1}  {:>7}  {:>14.1}  {:>5}",
            at as f64 / 10.0,
            (at + 1) as f64 / 10.0,
            bin.books,
            bin.expected,
            bin.wrong
        ));
    }
    lines
}
