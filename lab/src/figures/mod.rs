//! `lab figures`: the figures of Kaser & Lemire over a corpus, those of Vladimir et al., of the paper on alternation counts, or of
//! Wu et al., next to the papers' results.

mod args;
mod copies;
mod corpus;
mod errors;
mod figure10;
mod figure2;
mod figure3;
mod figure4;
mod figure5;
mod figure6;
mod figure7;
mod figure8;
mod figure8_c;
mod figure9;
mod outlines;
mod page;
mod pages;
mod proposition1;
mod report;
mod sampling;
mod study;
mod tables;
mod training;
mod units;

use std::collections::HashSet;

use anyhow::Result;
use rayon::ThreadPoolBuilder;

pub use args::Args;
use corpus::FigureCorpus;
use endpaper_command::Exit;
use endpaper_command::common::{exit_after_skips, open_existing};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_text::wording::thousands;
use errors::LabelledErrors;
use page::FigurePage;
use report::{Figure, Section};
use units::UnitCounts;

/// Runs `lab figures`.
///
/// # Errors
///
/// Fails on wrong use, without a readable book, on truth without a record of these books, and if the folder is not writable.
pub fn run(args: &Args) -> Result<Exit> {
    if args.copies {
        return copies::run(args);
    }
    if args.pages {
        return pages::run(args);
    }
    if args.outlines {
        return outlines::run(args);
    }
    let store = args.truth.as_deref().map(open_existing).transpose()?;
    let truth = store.as_ref().map(|store| store.folder().to_owned());
    let listing = args.corpus.list(truth)?;
    args.folder("index.html")?;
    let pool = ThreadPoolBuilder::new()
        .num_threads(args.corpus.threads)
        .build()?;
    let options = args.corpus.options()?;
    let read = pool.install(|| corpus::read(&listing, options.max_size, args.corpus.quiet))?;
    let counts = pool.install(|| UnitCounts::of(&listing, &read, options.max_size))?;
    let judge =
        |store| LabelledErrors::of(store, &args.against, &args.corpus, &listing, &read, &counts);
    let errors = store.as_ref().map(|store| pool.install(|| judge(store)));
    let errors = errors.transpose()?;
    let sections = pool.install(|| {
        let tables = tables::figures(&listing, &read, options.max_size, args.corpus.quiet);
        let first = tables.into_iter().chain([units::figure(&counts)]);
        sections(first, &read, errors.as_ref())
    })?;
    let page = FigurePage {
        title: "Figures of Kaser & Lemire",
        about: about(&read),
        sections: &sections,
    };
    args.write("index.html", &page)?;
    let mut skipped = match &errors {
        Some(errors) => errors.skipped.clone(),
        None => listing.skipped,
    };
    // Both read every book, so a book that one cannot read is usually skipped by the other too.
    let known: HashSet<_> = skipped.iter().map(|book| book.id.clone()).collect();
    skipped.extend(
        read.skipped
            .into_iter()
            .filter(|book| !known.contains(&book.id)),
    );
    let wrong = errors.is_some_and(|errors| errors.has_invalid_records);
    Ok(match exit_after_skips(&skipped) {
        Exit::Success if wrong => Exit::Partial,
        exit => exit,
    })
}

fn about(read: &FigureCorpus) -> String {
    format!(
        "What <em>Removing Manually Generated Boilerplate from Electronic Texts</em> reports, beside what endpaper {} measured \
        over {} books ({} counted lines). The paper's corpus was the first Project Gutenberg DVD, about 11,000 books.",
        env!("CARGO_PKG_VERSION"),
        thousands(read.books.len() as u64),
        thousands(read.lines),
    )
}

/// Draws all figures that have their inputs, in the order of the paper after the tables of its first sections, and lists the
/// others.
fn sections(
    first: impl Iterator<Item = Figure>,
    read: &FigureCorpus,
    errors: Option<&LabelledErrors>,
) -> Result<Vec<Section>> {
    let palette = PlotPalette::new()?;
    let figures = [
        proposition1::proposition_1(&palette)?,
        figure2::figure_2(read, &palette)?,
        figure3::figure_3(&palette)?,
        sampling::figure(read, &palette)?,
        figure4::figure_4(read),
        figure5::figure_5(read, &palette)?,
        figure6::figure_6(read, &palette)?,
        figure7::figure_7(&palette)?,
    ];
    let mut all: Vec<Section> = first.chain(figures).map(Section::Figure).collect();
    let put = |all: &mut Vec<Section>, figures: Vec<Figure>| {
        all.extend(figures.into_iter().map(Section::Figure));
    };
    let Some(errors) = errors else {
        all.push(Section::LeftOut {
            title: "Figures 8 and 10: errors of preambles and epilogues",
            why: "Left out: errors need ground truth, and none was given (--truth DIR).",
        });
        put(&mut all, vec![figure9::figure_9(read, &palette)?]);
        return Ok(all);
    };
    put(&mut all, figure8::figures(errors)?);
    let studies = vec![
        figure8_c::figure(errors, &palette)?,
        sampling::errors_of_samples(errors),
        units::errors_of_units(errors),
        training::figure(errors),
    ];
    put(&mut all, studies);
    put(&mut all, vec![figure9::figure_9(read, &palette)?]);
    put(&mut all, figure10::figures(errors)?);
    Ok(all)
}
