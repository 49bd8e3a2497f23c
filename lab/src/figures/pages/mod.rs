//! `lab figures --pages`: section 4.2 and Table 1 of the alternation detector's paper over synthetic pages.

mod book_bodies;
mod outcome;
mod write_pages;

use anyhow::Result;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::args::Args;
use super::page::FigurePage;
use super::report::{Compared, Figure, FigureData, Section};
use book_bodies::{BookBodies, DRAWS};
use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::progress::ProgressBar;
use endpaper_detect::alternation::LetterAgreement;
use endpaper_detect::pipeline::{AnalysisProgress, AnalysisStep};
use endpaper_text::wording::thousands;
use lab::experiments::pages::{PageScores, Reported, sets};
use outcome::{Reading, SetOutcome, SiteScores};

/// Runs `lab figures --pages`. Fails on wrong use, books with too little prose or a folder that is not writable.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let kept = args.folder("pages.html")?.join("pages");
    if args.keep_pages {
        args.force.check(&kept)?;
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(args.corpus.threads)
        .build()?;
    let shelf = pool.install(|| BookBodies::of(&args.corpus))?;
    let bar = ProgressBar::new(args.corpus.quiet);
    let (total, mut done) = (sets().len(), 0);
    let mut outcomes = Vec::new();
    for set in sets() {
        bar.show_progress(AnalysisProgress {
            step: AnalysisStep::Counting,
            done,
            total,
        });
        done += 1;
        if args.keep_pages {
            write_pages::write_pages(&kept, args.force.existing(), &set, &shelf.pages(&set, 0)?)?;
        }
        for reading in Reading::ALL {
            let draw = |draw| SetOutcome::of(set, reading, &shelf.pages(&set, draw)?);
            let draws = (0..reading.draws()).into_par_iter();
            let drawn = pool.install(|| draws.map(draw).collect::<Result<_>>());
            outcomes.push(drawn?);
        }
    }
    drop(bar);
    let figure = figure(&outcomes);
    let page = FigurePage {
        title: "Figures of FindOptimal",
        about: about(&shelf),
        sections: &[Section::Figure(figure)],
    };
    args.write("pages.html", &page)?;
    Ok(exit_after_skips(&shelf.skipped))
}

fn about(shelf: &BookBodies) -> String {
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

fn figure(outcomes: &[Vec<SetOutcome>]) -> Figure {
    let mut data = FigureData::new([
        "set",
        "site",
        "draw",
        "pages",
        "bytes",
        "letters",
        "correct",
        "n",
        "a",
        "accuracy",
        "recall",
        "precision",
        "options",
    ]);
    let mut compared = Vec::new();
    for draws in outcomes {
        compare(draws, &mut compared);
    }
    // The page describes the first draw.
    for draw in 0..DRAWS as usize {
        for outcome in outcomes.iter().filter_map(|draws| draws.get(draw)) {
            for judged in &outcome.judged {
                data.row(row(draw, outcome, judged));
            }
        }
    }
    Figure {
        name: "pages1".to_owned(),
        title: "Section 4.2 and Table 1: cut points, accuracy, recall and precision".to_owned(),
        about: "Letters are Unicode scalar values; correct letters are those between the delimiters of headlines and bodies. Of two \
            sites a total is counted over the letters of both, as the paper does. WP-LA of the paper has 30 pages of WPOST with 2.36 \
            MB, which is more than 65 kB, its largest page, allows: here they have the size of the others. The paper leaves open \
            which of equally frequent n-grams are the first a/100, and it has no option for sites, so that each set has rows for \
            --ties group, --ties first and --sites. Draws differ in their articles; the first is shown and told."
            .to_owned(),
        svg: None,
        data,
        compared,
    }
}

/// Adds the rows of a set searched in one way: its size, its optimum, and the scores of all pages and of each site.
fn compare(draws: &[SetOutcome], compared: &mut Vec<Compared>) {
    let [outcome, ..] = draws else { return };
    let set = &outcome.set;
    let paper = |tell: fn(&Reported) -> String| set.paper.as_ref().map_or("-".to_owned(), tell);
    if outcome.reading == Reading::Group {
        let sizes = outcome
            .sites()
            .map(|judged| format!("{} pages, {}", judged.pages, size(judged.bytes)));
        compared.push(Compared::new(
            format!("{}: how much", set.name),
            paper(|paper| paper.size.to_owned()),
            sizes.collect::<Vec<_>>().join(", and "),
        ));
    }
    let name = format!("{} {}", set.name, outcome.reading.name());
    compared.push(Compared::new(
        format!("{name}: optimum (n, a)"),
        paper(|paper| format!("({}, {})", paper.cut.0, paper.cut.1)),
        format!("({}, {})", outcome.cut.0, outcome.cut.1),
    ));
    let what = "accuracy, recall, precision";
    compared.push(Compared::new(
        format!("{name}: {what}"),
        paper(|paper| in_words(paper.all)),
        in_words(outcome.all().figures()),
    ));
    compared.push(Compared::new(
        format!("{name}: accuracy in {} draws", draws.len()),
        paper(|_| "one set".to_owned()),
        spread(draws.iter().map(|outcome| outcome.all().figures()[0])),
    ));
    if outcome.sites().len() < 2 {
        return;
    }
    for (at, judged) in outcome.sites().enumerate() {
        let reported = set.paper.as_ref().and_then(|paper| paper.sites.get(at));
        compared.push(Compared::new(
            format!("{name}, pages of {}: {what}", judged.site),
            reported.map_or("-".to_owned(), |reported| in_words(*reported)),
            in_words(judged.figures()),
        ));
        let site = draws.iter().filter_map(|outcome| outcome.judged.get(at));
        compared.push(Compared::new(
            format!(
                "{name}, pages of {}: accuracy in {} draws",
                judged.site,
                draws.len()
            ),
            "-",
            spread(site.map(|judged| judged.figures()[0])),
        ));
    }
}

fn row(draw: usize, outcome: &SetOutcome, judged: &SiteScores) -> Vec<String> {
    let LetterAgreement {
        letters, correct, ..
    } = judged.agreement;
    let mut row = vec![outcome.set.name.to_owned(), judged.site.to_owned()];
    let numbers = [
        draw as u64,
        judged.pages as u64,
        judged.bytes,
        letters,
        correct,
    ];
    row.extend(numbers.map(|number| number.to_string()));
    row.extend([outcome.cut.0.to_string(), outcome.cut.1.to_string()]);
    row.extend(judged.figures().map(|figure| format!("{figure:.3}")));
    row.push(outcome.reading.name().to_owned());
    row
}

/// Formats minimum, median and maximum.
fn spread(figures: impl Iterator<Item = f64>) -> String {
    let mut all: Vec<f64> = figures.collect();
    all.sort_by(f64::total_cmp);
    match all.as_slice() {
        [] => "-".to_owned(),
        [least, ..] => format!(
            "{least:.3} to {:.3}, median {:.3}",
            all[all.len() - 1],
            all[all.len() / 2]
        ),
    }
}

fn in_words(figures: PageScores) -> String {
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
        assert_eq!(
            spread([0.97, 0.95, 0.96].into_iter()),
            "0.950 to 0.970, median 0.960"
        );
        assert_eq!(in_words([0.9754, 1.0, 0.0]), "0.975, 1.000, 0.000");
    }
}
