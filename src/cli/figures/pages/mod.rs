//! `endpaper figures --pages`: section 4.2 and Table 1 of the alternation detector's paper over pages that are made up.

mod keep;
mod outcome;
mod shelf;

use anyhow::{Context, Result};
use rayon::ThreadPoolBuilder;

use super::Args;
use super::page::{self, Page};
use super::report::{Compared, Data, Figure, Section};
use crate::cli::Exit;
use crate::cli::common::conclude;
use crate::evaluate::figures::pages::{Figures, sets};
use crate::words::thousands;
use outcome::Outcome;
use shelf::Shelf;

/// Runs `endpaper figures --pages`.
///
/// # Errors
///
/// Wrong use, books with too little prose, a folder that cannot be written to.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let folder = &args.folder;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("'{}' cannot be made", folder.display()))?;
    let pool = ThreadPoolBuilder::new()
        .num_threads(args.corpus.threads)
        .build()?;
    let shelf = pool.install(|| Shelf::of(&args.corpus))?;
    let mut outcomes = Vec::new();
    for set in sets() {
        let sites = shelf.pages(&set)?;
        if args.keep_pages {
            keep::keep(&folder.join("pages"), &set, &sites)?;
        }
        outcomes.push(pool.install(|| Outcome::of(set, &sites))?);
    }
    let figure = figure(&outcomes);
    figure.write(folder)?;
    let page = Page {
        title: "Figures of FindOptimal",
        about: about(&shelf),
        sections: &[Section::Figure(figure)],
    };
    page::write(&folder.join("pages.html"), &page)?;
    Ok(conclude(&shelf.skipped))
}

fn about(shelf: &Shelf) -> String {
    format!(
        "What <em>Eliminating Useless Parts in Semi-structured Documents Using Alternation Counts</em> reports, beside what endpaper {} \
        found in pages that are made up: those of the paper were news of 2001 and are gone. Each site has its own template after \
        what the paper shows and tells, in its sizes and with as large a share of headlines and bodies as follows from its figures. \
        English articles are paragraphs of {} ({} kB); Japanese ones are a grammar of news sentences over made-up words. Nothing \
        was fitted to the detector. All randomness has fixed seeds.",
        env!("CARGO_PKG_VERSION"),
        shelf.name(),
        thousands(shelf.bytes() as u64 / 1_000),
    )
}

fn figure(outcomes: &[Outcome]) -> Figure {
    let mut data = Data::new([
        "set",
        "site",
        "pages",
        "bytes",
        "letters",
        "correct",
        "n",
        "a",
        "accuracy",
        "recall",
        "precision",
    ]);
    let mut compared = Vec::new();
    for outcome in outcomes {
        for judged in &outcome.judged {
            let mut row = vec![outcome.set.name.to_owned(), judged.site.to_owned()];
            row.extend(
                [
                    judged.pages as u64,
                    judged.bytes,
                    judged.agreement.letters,
                    judged.agreement.correct,
                ]
                .map(|n| n.to_string()),
            );
            row.extend([outcome.cut.0.to_string(), outcome.cut.1.to_string()]);
            row.extend(judged.figures().map(|figure| format!("{figure:.3}")));
            data.row(row);
        }
        compare(outcome, &mut compared);
    }
    Figure {
        name: "pages1".to_owned(),
        title: "Section 4.2 and Table 1: cut points, accuracy, recall and precision".to_owned(),
        about: "Letters are Unicode scalar values; correct letters are those between the delimiters of headlines and bodies. Of two \
            sites a total is counted over the letters of both, as the paper does. WP-LA of the paper has 30 pages of WPOST with 2.36 \
            MB, which is more than 65 kB, its largest page, allows: here they have the size of the others."
            .to_owned(),
        svg: None,
        data,
        compared,
    }
}

/// The lines of a set: how large it is, where the optimum is, and the figures of all and of each site.
fn compare(outcome: &Outcome, compared: &mut Vec<Compared>) {
    let (set, paper) = (&outcome.set, &outcome.set.paper);
    let sizes = outcome
        .sites()
        .map(|judged| format!("{} pages, {}", judged.pages, size(judged.bytes)));
    compared.push(Compared::new(
        format!("{}: how much", set.name),
        paper.size,
        sizes.collect::<Vec<_>>().join(", and "),
    ));
    compared.push(Compared::new(
        format!("{}: optimum (n, a)", set.name),
        format!("({}, {})", paper.cut.0, paper.cut.1),
        format!("({}, {})", outcome.cut.0, outcome.cut.1),
    ));
    let what = "accuracy, recall, precision";
    compared.push(Compared::new(
        format!("{}: {what}", set.name),
        in_words(paper.all),
        in_words(outcome.all().figures()),
    ));
    for (judged, reported) in outcome.sites().zip(paper.sites) {
        compared.push(Compared::new(
            format!("{}, pages of {}: {what}", set.name, judged.site),
            in_words(*reported),
            in_words(judged.figures()),
        ));
    }
}

fn in_words(figures: Figures) -> String {
    figures.map(|figure| format!("{figure:.3}")).join(", ")
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_as_the_paper_tells_them() {
        assert_eq!([size(86_499), size(2_360_000)], ["86 kB", "2.36 MB"]);
        assert_eq!(in_words([0.9754, 1.0, 0.0]), "0.975, 1.000, 0.000");
    }
}
