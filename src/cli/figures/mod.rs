//! `endpaper figures`: the figures of Kaser & Lemire over a corpus, beside what the paper reports.

mod axis;
mod corpus;
mod counted;
pub(super) mod curves;
mod made_up;
mod page;
pub(super) mod palette;
mod plot;
mod report;

use std::path::PathBuf;

use anyhow::{Context, Result};
use rayon::ThreadPoolBuilder;

use super::Exit;
use super::common::{CorpusArgs, conclude};
use palette::Palette;

const EXAMPLES: &str = "\
Examples:
  endpaper figures out ~/gutenberg
  endpaper figures out ~/gutenberg --quiet && xdg-open out/index.html

DIR gets Proposition 1 and Figures 2, 3, 5, 6, 7 and 9 of Kaser & Lemire as SVG, the numbers behind each as a table with
tabs beside it (Figure 4 is a table only), and index.html, which sets what the paper reports beside what was measured and
needs nothing else. Figures 3 and 7 and Proposition 1 need no corpus and are the same every time; times (Figure 9) are not.
Files of these names in DIR are overwritten.

Exit status: 0 fine, 1 some books were skipped, 2 wrong use or nothing done.";

/// Arguments of `endpaper figures`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Where the figures go; made if it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    corpus: CorpusArgs,
}

/// Runs `endpaper figures`.
///
/// # Errors
///
/// Wrong use, no readable book, a folder that cannot be written to.
pub fn run(args: &Args) -> Result<Exit> {
    let listing = args.corpus.list(None)?;
    let folder = &args.folder;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("'{}' cannot be made", folder.display()))?;
    let pool = ThreadPoolBuilder::new()
        .num_threads(args.corpus.threads)
        .build()?;
    let options = args.corpus.options()?;
    let read = pool.install(|| corpus::read(&listing, options.max_size, args.corpus.quiet))?;
    let palette = Palette::new()?;
    let mut figures = pool.install(|| counted::figures(&read, &palette))?;
    figures.extend(pool.install(|| {
        Ok::<_, anyhow::Error>([
            made_up::figure_3(&palette)?,
            made_up::figure_7(&palette)?,
            made_up::proposition_1(&palette)?,
        ])
    })?);
    figures.sort_by(|a, b| a.name.cmp(&b.name));
    for figure in &figures {
        figure.write(folder)?;
    }
    page::write(&folder.join("index.html"), &figures, &read)?;
    let mut skipped = listing.skipped;
    skipped.extend(read.skipped);
    Ok(conclude(&skipped))
}
