//! `endpaper evaluate`: compares detected cuts with ground truth.

mod args;
mod jsonl;
mod page;
mod systems;
mod table;

pub use args::Args;
use args::EvaluateFormat;

use anyhow::{Result, ensure};

use systems::systems;

use endpaper_command::Exit;
use endpaper_command::common::{SCAN_MEMORY, read_labelled};
use endpaper_command::output::{Printer, warn, warn_of_skipped};
use endpaper_command::overwrite::{check_writable, refuse_book};
use endpaper_evaluate::report::EvaluationReport;

/// Runs `endpaper evaluate`.
///
/// # Errors
///
/// Wrong use, no readable book, a truth folder that cannot be listed, nothing to evaluate.
pub fn run(args: &Args) -> Result<Exit> {
    let store = args.folder.open()?;
    if let Some(file) = &args.html {
        args.force.check(file)?;
        check_writable(file)?;
    }
    let listing = args.corpus.list(Some(store.folder().to_owned()))?;
    if let Some(out) = &args.html {
        refuse_book(&listing, out)?;
    }
    let mut options = args.corpus.options()?;
    options.scan_memory = SCAN_MEMORY;
    options.keep_scans = true;
    args.detector.apply(&mut options)?;
    args.detector.learn_from(&store, &mut options)?;
    // The posterior is one of the compared detectors, and needs document frequencies.
    options.document_frequencies |= args.compare;
    let survey = args.corpus.analyse(&listing, &options)?;
    if !args.corpus.quiet {
        survey.notes.iter().for_each(|note| warn(note));
    }
    warn_of_skipped(&survey.skipped);
    let (labelled, left_out, listed_books) = read_labelled(&store, &listing, &survey, &options)?;
    let systems = systems(args, &listing, &survey, &options, &labelled)?;
    let report = EvaluationReport::evaluate(&labelled, &systems, &listed_books, left_out)?;
    ensure!(
        report.compared() > 0,
        "no labelled book has cuts of every compared system ({})",
        table::notes(&report).join(" ")
    );
    if let Some(file) = &args.html {
        let material = page::PageData {
            report: &report,
            labelled: &labelled,
            survey: &survey,
            listed_books: &listed_books,
            parameters: &options.parameters,
        };
        page::write(file, args.force.existing(), &material)?;
    }
    let mut printer = Printer::stdout();
    match args.format {
        EvaluateFormat::Table => table::print(&report, &mut printer)?,
        EvaluateFormat::Markdown => table::print_markdown(&report, &mut printer)?,
        EvaluateFormat::Jsonl => jsonl::print(&report, &mut printer)?,
    }
    printer.finish()?;
    Ok(
        match report.left_out.is_wrong() || !survey.skipped.is_empty() {
            true => Exit::Partial,
            false => Exit::Success,
        },
    )
}
