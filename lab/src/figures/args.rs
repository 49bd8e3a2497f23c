//! Arguments of `lab figures`, and the folder it writes.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::page::{self, FigurePage};
use super::report::Section;
use endpaper_command::common::CorpusArgs;
use endpaper_command::overwrite::ForceArgs;
use endpaper_command::values::whole;
use endpaper_text::atomic;

/// Default number of books in the large set, as in the paper.
const BOOKS: u32 = 75_000;

const EXAMPLES: &str = "\
Examples:
  lab figures ~/gutenberg --out out
  lab figures ~/gutenberg --out out --truth labels
  endpaper detect ~/gutenberg --detector gap --no-heuristics --format tsv > other.tsv
  lab figures ~/gutenberg --out out --truth labels --against other.tsv
  lab figures ~/gutenberg --out out --copies
  lab figures --out out --copies --books 5000      # with the books of review --demo
  lab figures --out out --pages
  lab figures --out out --pages --keep-pages
  endpaper alternation score out/pages/WP-LA --delimiters out/pages/WP-LA.tsv
  lab figures ~/papers --out out --outlines
  lab figures ~/gutenberg --out out --outlines --manifest MANIFEST.tsv

The folder gets Tables 1 to 3, Proposition 1 and Figures 2 to 10 of Kaser & Lemire: figures as SVG, the numbers behind each as a
table with tabs beside it, and index.html, which sets what the paper reports beside what was measured and needs nothing
else. What the paper says in passing has a table too: sentences and word n-grams, samples. Figures 8 and 10, the errors of
preambles and epilogues, need ground truth (--truth) and are left out without it. Figures 3 and 7 and Proposition 1 need no
corpus and are the same every time; times (Figure 9) are not. Files of these names there are overwritten only with --force.

Figure 8 has the paper's detectors, counted over this corpus, and the posterior, judged as `endpaper evaluate` judges it:
never with weights that were fitted to the same books. Beside it are tables for numbers of counters, samples, sentences, and
one copy of each e-book. Figure 10 has rules like those of other tools, and the cuts of others that --against names. Records whose book is missing or changed, and those without cuts, are
counted in the caption and in no figure.

--copies draws the figures of Vladimir et al. (2015) on near copies instead: copies1 to copies4, and copies.html. Bodies of
different books are corrupted, and their fingerprints are compared, clustered, timed and searched for. Tables (copies5 to copies8)
compare features, hash functions and distances, and have the means of languages. Without CORPUS these
are the books of `review --demo`, which are few and small: there are fewer books in the large set then, and the page says so.

--pages repeats the experiments of the paper on alternation counts (see `endpaper alternation`) instead: pages1.tsv and
pages.html. Its news pages are gone, so pages of their sizes and kinds are made up, with prose of the first books of CORPUS, or
of those of `review --demo`. --keep-pages writes them to the folder pages in it, with tables of their delimiters, to look at and to try;
files of other names that are there stay.

--outlines repeats Tables 6, 9 and 10 and Figures 6 and 7 of Wu et al. on outlines and citations instead, with the documents of
CORPUS, or with the books of `review --demo`: outlines.html, and the numbers of each beside it. Table 5 needs the true values of
some of the books: --manifest names a tab-separated file whose first line names its columns, book (the id) and any of title,
authors (separated by ;), pg_number, language, released, published and isbn. An empty cell means unknown, - that there is none.

Exit status: 0 fine, 1 some books were skipped or some records left out because something is wrong with them, 2 wrong use or
nothing done.";

/// Arguments of `lab figures`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The folder to write figures to; made if it is missing
    #[arg(short, long = "out", value_name = "DIR")]
    pub(super) folder: PathBuf,

    /// Draw Figures 8 and 10 too: errors against the ground truth in this folder
    #[arg(long, value_name = "DIR")]
    pub(super) truth: Option<PathBuf>,

    /// Draw the cuts of another tool in Figure 10: a table as `detect --format tsv` prints it, of which the columns
    /// book, preamble_end and epilogue_start are read (may be given several times)
    #[arg(long, value_name = "FILE", requires = "truth")]
    pub(super) against: Vec<PathBuf>,

    /// Draw the figures of Vladimir et al. on near copies instead, with corrupted books
    #[arg(long, conflicts_with_all = ["truth", "against"])]
    pub(super) copies: bool,

    /// Books in the large set of --copies; with few, everything else is smaller too
    #[arg(long, value_name = "N", default_value_t = BOOKS, requires = "copies", value_parser = whole::<u32>(10..=1_000_000))]
    pub(super) books: u32,

    /// Repeat the experiments of the paper on alternation counts instead, with news pages that are made up
    #[arg(long, conflicts_with_all = ["truth", "against", "copies"])]
    pub(super) pages: bool,

    /// Write the pages of --pages too
    #[arg(long, requires = "pages")]
    pub(super) keep_pages: bool,

    /// Repeat the tables and figures of Wu et al. on outlines and citations instead
    #[arg(long, conflicts_with_all = ["truth", "against", "copies", "pages"])]
    pub(super) outlines: bool,

    /// Draw Table 5 of --outlines too: the true titles, authors and dates of some of the books
    #[arg(long, value_name = "FILE", requires = "outlines")]
    pub(super) manifest: Option<PathBuf>,

    #[command(flatten)]
    pub(super) force: ForceArgs,

    #[command(flatten)]
    pub(super) corpus: CorpusArgs,
}

impl Args {
    /// Creates the folder, and fails if it already contains the page.
    pub(super) fn folder(&self, page: &str) -> Result<&Path> {
        let folder = &self.folder;
        self.force.check(&folder.join(page))?;
        std::fs::create_dir_all(folder)
            .with_context(|| format!("'{}' cannot be made", folder.display()))?;
        Ok(folder)
    }

    /// Writes the figures and the page that shows them, or nothing if one of the files exists.
    pub(super) fn write(&self, name: &str, page: &FigurePage<'_>) -> Result<()> {
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
