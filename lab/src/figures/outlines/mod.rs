//! `lab figures --outlines`: Tables 5, 6, 9 and 10 and Figures 6 and 7 of Wu et al. over the outlines of a corpus, next to the
//! paper's results.

mod figure6;
mod figure7;
mod outlined_corpus;
mod table10;
mod table5;
mod table6;
mod table9;

use std::path::Path;

use anyhow::{Context, Result};
use rayon::ThreadPoolBuilder;

use super::args::Args;
use super::page::FigurePage;
use super::report::{Figure, Section};
use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::plot::palette::PlotPalette;
use endpaper_text::wording::{plural, thousands};
use lab::experiments::outlines::{TrueValues, parse_true_values};
use outlined_corpus::OutlinedCorpus;

/// Runs `lab figures --outlines`. Fails on wrong use, without a readable book or a folder that is not writable.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let mut request = args.corpus.request(None);
    request.demo = request.roots.is_empty() && request.files_from.is_none();
    let listing = endpaper_text::corpus::list(&request).context("the corpus cannot be listed")?;
    let manifest = args.manifest.as_deref().map(read_manifest).transpose()?;
    args.folder("outlines.html")?;
    let pool = ThreadPoolBuilder::new()
        .num_threads(args.corpus.threads)
        .build()?;
    let read = || OutlinedCorpus::read(&listing, manifest.as_ref(), &args.corpus);
    let corpus = pool.install(read)?;
    let palette = PlotPalette::new()?;
    let table_5 = match &manifest {
        Some(_) => Section::Figure(table5::table_5(&corpus)),
        None => Section::LeftOut {
            title: "Table 5: accuracy of the extractors",
            why: "Left out: it needs the true values of some books, and none were given (--manifest FILE).",
        },
    };
    let figures = [
        table6::table_6(&corpus),
        figure6::figure_6(&corpus, &palette)?,
        figure7::figure_7(&corpus, &palette)?,
        table9::table_9(&corpus),
        table10::table_10(&corpus),
    ];
    let others = figures.into_iter().map(Section::Figure);
    let sections: Vec<Section> = std::iter::once(table_5).chain(others).collect();
    let page = FigurePage {
        title: "Tables and figures of Wu et al.",
        about: about(&corpus, request.demo),
        sections: &sections,
    };
    args.write("outlines.html", &page)?;
    Ok(exit_after_skips(&corpus.skipped))
}

/// Reads the true values of books.
fn read_manifest(path: &Path) -> Result<TrueValues> {
    let text = std::fs::read_to_string(path);
    let text = text.with_context(|| format!("'{}' cannot be read", path.display()))?;
    Ok(parse_true_values(&text))
}

fn about(corpus: &OutlinedCorpus, demo: bool) -> String {
    let books = corpus.books.len();
    format!(
        "What <em>Searching Online Book Documents and Analyzing Book Citations</em> (2013) reports, beside what endpaper {} read \
        in {} {}{}. The paper's books were 73,982 PDF files of academic sites, and its citations those of 28,714 of them.",
        env!("CARGO_PKG_VERSION"),
        thousands(books as u64),
        plural(books, "document"),
        if demo {
            " (those of `review --demo`)"
        } else {
            ""
        },
    )
}

/// A table without a plot.
fn table(name: &str, title: &str, about: String, data: super::report::FigureData) -> Figure {
    Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        about,
        svg: None,
        data,
        compared: Vec::new(),
    }
}

/// A share as text: `81.3 %`, or `-` of nothing.
fn percent(part: usize, all: usize) -> String {
    match all {
        0 => "-".to_owned(),
        _ => format!("{:.1} %", 100.0 * part as f64 / all as f64),
    }
}
