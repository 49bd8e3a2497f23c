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
mod figure9;
mod outlines;
mod page;
mod pages;
mod proposition1;
mod report;

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
    let judge = |store| LabelledErrors::of(store, &args.against, &args.corpus, &listing, &read);
    let errors = store.as_ref().map(|store| pool.install(|| judge(store)));
    let errors = errors.transpose()?;
    let sections = pool.install(|| sections(&read, errors.as_ref()))?;
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

/// Draws all figures that have their inputs, in the order of the paper, and lists the others.
fn sections(read: &FigureCorpus, errors: Option<&LabelledErrors>) -> Result<Vec<Section>> {
    let palette = PlotPalette::new()?;
    let mut all: Vec<Section> = [
        proposition1::proposition_1(&palette)?,
        figure2::figure_2(read, &palette)?,
        figure3::figure_3(&palette)?,
        figure4::figure_4(read),
        figure5::figure_5(read, &palette)?,
        figure6::figure_6(read, &palette)?,
        figure7::figure_7(&palette)?,
    ]
    .map(Section::Figure)
    .into();
    let put = |all: &mut Vec<Section>, figures: Vec<Figure>| {
        all.extend(figures.into_iter().map(Section::Figure));
    };
    match errors {
        Some(errors) => put(&mut all, figure8::figures(errors)?),
        None => all.push(Section::LeftOut {
            title: "Figure 8: errors of preambles and epilogues",
            why: "Left out: errors need ground truth, and none was given (--truth DIR).",
        }),
    }
    put(&mut all, vec![figure9::figure_9(read, &palette)?]);
    match errors {
        Some(errors) if !errors.others().is_empty() => put(&mut all, figure10::figures(errors)?),
        _ => all.push(Section::LeftOut {
            title: "Figure 10: errors of other tools",
            why: "Left out: it needs ground truth and the cuts of another tool, and none were given (--truth DIR --against FILE).",
        }),
    }
    Ok(all)
}
