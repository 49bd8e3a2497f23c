//! `lab figures`: the figures of Kaser & Lemire over a corpus, those of Vladimir et al., or those of the paper on alternation counts, next to the
//! papers' results.

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
mod page;
mod pages;
mod proposition1;
mod report;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rayon::ThreadPoolBuilder;

use corpus::FigureCorpus;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, ForceArgs, exit_after_skips, open_existing};
use endpaper_command::plot::palette::PlotPalette;
use endpaper_text::atomic;
use endpaper_text::wording::thousands;
use errors::LabelledErrors;
use page::FigurePage;
use report::{Figure, Section};

const EXAMPLES: &str = "\
Examples:
  lab figures out ~/gutenberg
  lab figures out ~/gutenberg --truth labels
  endpaper detect ~/gutenberg --detector gap --no-heuristics --format tsv > other.tsv
  lab figures out ~/gutenberg --truth labels --against other.tsv
  lab figures out ~/gutenberg --copies
  lab figures out --copies --books 5000      # with the books of review --demo
  lab figures out --pages
  lab figures out --pages --keep-pages
  endpaper alternation out/pages/WP-LA --delimiters out/pages/WP-LA.tsv

DIR gets Proposition 1 and Figures 2 to 10 of Kaser & Lemire as SVG, the numbers behind each as a table with tabs beside it
(Figure 4 is a table only), and index.html, which sets what the paper reports beside what was measured and needs nothing
else. Figure 8, the errors of preambles and epilogues, needs ground truth (--truth) and Figure 10 the cuts of another tool
too (--against); without them they are left out. Figures 3 and 7 and Proposition 1 need no corpus and are the same every
time; times (Figure 9) are not. Files of these names in DIR are overwritten only with --force.

Figure 8 has the paper's detectors, counted over this corpus, and the posterior, judged as `endpaper evaluate` judges it:
never with weights that were fitted to the same books. Records whose book is missing or changed, and those without cuts, are
counted in the caption and in no figure.

--copies draws the figures of Vladimir et al. (2015) on near copies instead: copies1 to copies4, and copies.html. Bodies of
different books are corrupted, and their fingerprints are compared, clustered, timed and searched for. Without CORPUS these
are the books of `review --demo`, which are few and small: there are fewer books in the large set then, and the page says so.

--pages repeats the experiments of the paper on alternation counts (see `endpaper alternation`) instead: pages1.tsv and
pages.html. Its news pages are gone, so pages of their sizes and kinds are made up, with prose of the first books of CORPUS, or
of those of `review --demo`. --keep-pages writes them to DIR/pages, with tables of their delimiters, to look at and to try;
files of other names that are there stay.

Exit status: 0 fine, 1 some books were skipped or some records left out because something is wrong with them, 2 wrong use or
nothing done.";

/// Arguments of `lab figures`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Where the figures go; made if it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Draw Figure 8 too: errors against the ground truth in this folder
    #[arg(long, value_name = "DIR")]
    truth: Option<PathBuf>,

    /// Draw Figure 10 too, with the cuts of another tool: a table as `detect --format tsv` prints it, of which the columns
    /// book, preamble_end and epilogue_start are read (may be given several times)
    #[arg(long, value_name = "FILE", requires = "truth")]
    against: Vec<PathBuf>,

    /// Draw the figures of Vladimir et al. on near copies instead, with corrupted books
    #[arg(long, conflicts_with_all = ["truth", "against"])]
    copies: bool,

    /// Books in the large set of --copies; with few, everything else is smaller too
    #[arg(long, value_name = "N", default_value_t = copies::BOOKS, requires = "copies", value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    books: u32,

    /// Repeat the experiments of the paper on alternation counts instead, with news pages that are made up
    #[arg(long, conflicts_with_all = ["truth", "against", "copies"])]
    pages: bool,

    /// Write the pages of --pages too
    #[arg(long, requires = "pages")]
    keep_pages: bool,

    #[command(flatten)]
    force: ForceArgs,

    #[command(flatten)]
    corpus: CorpusArgs,
}

impl Args {
    /// Creates the folder, and fails if it already contains the page.
    fn folder(&self, page: &str) -> Result<&Path> {
        let folder = &self.folder;
        self.force.check(&folder.join(page))?;
        std::fs::create_dir_all(folder)
            .with_context(|| format!("'{}' cannot be made", folder.display()))?;
        Ok(folder)
    }

    /// Writes the figures and the page that shows them, or nothing if one of the files exists.
    fn write(&self, name: &str, page: &FigurePage<'_>) -> Result<()> {
        let figures = || {
            let sections = page.sections.iter();
            sections.filter_map(|section| match section {
                Section::Figure(figure) => Some(figure),
                Section::LeftOut { .. } => None,
            })
        };
        for (file, _) in figures().flat_map(|figure| figure.files(&self.folder)) {
            self.force.check(&file)?;
        }
        for (file, text) in figures().flat_map(|figure| figure.files(&self.folder)) {
            atomic::write(&file, self.force.existing(), |out| {
                out.write_all(text.as_bytes())
            })?;
        }
        page::write(&self.folder.join(name), self.force.existing(), page)
    }
}

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
