//! `lab figures --copies`: the figures of Vladimir et al. over corrupted books, next to the paper's results.

mod bench;
mod distances;
mod features;
mod figure1;
mod figure2;
mod figure3;
mod figure4;
mod means;
mod original_texts;

use anyhow::{Context, Result};
use rayon::ThreadPoolBuilder;

use super::args::Args;
use super::page::FigurePage;
use super::report::Section;
use bench::{CopiesBench, Sizes};
use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::plot::palette::PlotPalette;
use endpaper_text::wording::{plural, thousands};
use features::FeatureTexts;
use lab::corrupt::Original;
use lab::experiments::copies::VersionSet;
use original_texts::OriginalTexts;

/// Runs `lab figures --copies`. Fails on wrong use, too few books or a folder that is not writable.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let mut request = args.corpus.request(None);
    request.demo = request.roots.is_empty() && request.files_from.is_none();
    let listing = endpaper_text::corpus::list(&request).context("the corpus cannot be listed")?;
    args.folder("copies.html")?;
    let sizes = Sizes::of(args.books as usize);
    let shelf = OriginalTexts::of(&listing, &args.corpus, &VersionSet::large(sizes.large))?;
    let bench = CopiesBench {
        originals: &shelf,
        sizes,
        palette: PlotPalette::new()?,
        quiet: args.corpus.quiet,
    };
    let pool = ThreadPoolBuilder::new()
        .num_threads(args.corpus.threads)
        .build()?;
    let sections = pool.install(|| sections(&bench))?;
    let page = FigurePage {
        title: "Figures of Vladimir et al.",
        about: about(&shelf, request.demo),
        sections: &sections,
    };
    args.write("copies.html", &page)?;
    Ok(exit_after_skips(&shelf.skipped))
}

fn about(shelf: &OriginalTexts, demo: bool) -> String {
    let mut left_out = String::new();
    if shelf.copies > 0 {
        left_out = format!(
            " {} {} as copies of others or for sharing stories with them: originals have to be different books.",
            thousands(shelf.copies as u64),
            if shelf.copies == 1 {
                "book was left out"
            } else {
                "books were left out"
            },
        );
    }
    format!(
        "What <em>A preliminary study on similarity-preserving digital book identifiers</em> (2015) reports, beside what endpaper {} \
        measured with bodies of {} different {}{}, {:.1} MB.{left_out} All randomness has fixed seeds. Corrupted versions have \
        errors of OCR, as many as the rate says for each character, and besides as large a share of their sentences removed and \
        replaced by those of another book; the paper does not say how its rates are counted, and this is the harder reading.",
        env!("CARGO_PKG_VERSION"),
        thousands(shelf.bodies.len() as u64),
        plural(shelf.bodies.len(), "book"),
        if demo {
            " (those of `review --demo`)"
        } else {
            ""
        },
        shelf.bytes() as f64 / 1e6,
    )
}

/// Draws all figures, in the order of the paper.
fn sections(bench: &CopiesBench<'_>) -> Result<Vec<Section>> {
    let mut all = vec![Section::Figure(figure1::figure_1(bench)?)];
    let pieces = bench.originals.originals(bench.sizes.originals);
    let originals: Vec<Original<'_>> = pieces
        .iter()
        .map(|piece| Original::new(piece.text))
        .collect();
    all.push(Section::Figure(figure2::figure_2(bench, &originals)?));
    all.push(Section::Figure(figure3::figure_3(bench, &pieces)?));
    all.push(Section::Figure(figure4::figure_4(bench)?));
    let texts = FeatureTexts::of(bench);
    all.push(Section::Figure(features::choices(&texts)));
    all.push(Section::Figure(features::hash_functions(&texts)));
    all.push(Section::Figure(distances::default_distance(bench)?));
    all.push(Section::Figure(means::of_languages(bench)));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_large_set_makes_everything_small() {
        let all = |books| {
            let sizes = Sizes::of(books);
            (sizes.large, sizes.originals, sizes.texts)
        };
        assert_eq!(all(75_000), (75_000, 100, 20));
        assert_eq!(all(200), (200, 10, 1));
        assert_eq!(all(1), (1, 4, 1));
    }
}
