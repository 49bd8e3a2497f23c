//! `endpaper detect`: prints where the books of a corpus begin and end, as a table, as TSV or as JSON lines.
//!
//! The columns of `tsv` and the keys of `jsonl` are a contract with scripts: they may grow at the end, never change.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use rayon::ThreadPool;

use crate::detector::{DetectorArgs, DetectorChoice};
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, SCAN_MEMORY, exit_after_skips, open_existing};
use endpaper_command::output::{OutputFormat, Printer, note, warn};
use endpaper_detect::pipeline::{BookReport, CorpusReport};
use endpaper_detect::{End, Parameters, Reason};
use endpaper_text::cells::escaped;
use endpaper_text::corpus::Skipped;
use endpaper_text::wording::thousands;
use endpaper_truth::{DetectedRows, skipped_json};

const EXAMPLES: &str = "\
Examples:
  endpaper detect ~/gutenberg
  endpaper detect book.txt --explain
  endpaper detect books/*.zip --format tsv > cuts.tsv
  find . -name '*.txt' | endpaper detect --files-from - --format jsonl

Cuts: preamble_end is the last line of the preamble (0: no preamble); epilogue_start is the first line of the epilogue (one
past the last line: no epilogue). Blank lines around a cut carry no meaning.

Exit status: 0 fine, 1 some books could not be read, 2 wrong use or nothing done.";

/// Arguments of `endpaper detect`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The truth folder to learn from, as review does; without it nothing is learned. The rows of its own books are detected with
    /// what the others taught
    #[arg(long, value_name = "DIR")]
    truth: Option<PathBuf>,

    /// Output format; jsonl includes candidates and evidence
    #[arg(short, long, value_enum, default_value_t)]
    format: OutputFormat,

    /// Print the evidence for the cuts and their alternatives below each book of the table
    #[arg(long)]
    explain: bool,

    #[command(flatten)]
    corpus: CorpusArgs,

    #[command(flatten)]
    detector: DetectorArgs,
}

/// Runs `endpaper detect`.
///
/// # Errors
///
/// Wrong use, no readable book, or a reader that stopped reading.
pub fn run(args: &Args) -> Result<Exit> {
    ensure!(
        !args.explain || args.format == OutputFormat::Table,
        "--explain goes with --format table; jsonl always explains, tsv never does"
    );
    let listing = args.corpus.list(args.truth.clone())?;
    let mut options = args.corpus.options()?;
    options.scan_memory = SCAN_MEMORY;
    args.detector.apply(&mut options)?;
    let mut is_sound = true;
    if let Some(folder) = &args.truth {
        let store = open_existing(folder)?;
        for (file, why) in args.detector.learn_from(&store, &mut options)? {
            let file = folder.join(file);
            warn(&format!(
                "'{}': {why}; nothing is learned from it",
                file.display()
            ));
            is_sound = false;
        }
    }
    let report = args.corpus.analyse(&listing, &options)?;
    if !args.corpus.quiet {
        report_model(&report, &options.parameters);
    }
    let detector = args.detector.detector;
    let mut skipped = report.skipped.clone();
    let printed = match args.format {
        OutputFormat::Table => print_table(&report, args.explain),
        OutputFormat::Tsv => print_tsv(&report, detector),
        OutputFormat::Jsonl => {
            let rows = DetectedRows {
                method: detector.method(),
                parameters: &report.parameters(&options.parameters),
                max_size: args.corpus.max_size.0,
            };
            print_jsonl(&report, rows, &args.corpus.pool()?).map(|gone| skipped.extend(gone))
        }
    };
    // Skipped books are named even if printing fails with a broken pipe.
    let exit = exit_after_skips(&skipped);
    printed?;
    Ok(match is_sound {
        true => exit,
        false => Exit::Partial,
    })
}

/// Reports on stderr which model and detector were used.
fn report_model(report: &CorpusReport, asked: &Parameters) {
    let (number, model) = (report.books.len(), &report.model_used);
    let books = if number == 1 { "book" } else { "books" };
    note(&format!(
        "{} {books}, with {model}",
        thousands(number as u64)
    ));
    if let Some(profiles) = report.profile_note(asked) {
        note(&profiles);
    }
    let uncut = report.count_uncut();
    if uncut > 0 {
        let (uncut, all) = (thousands(uncut as u64), thousands(number as u64));
        note(&format!("no boilerplate found in {uncut} of {all} books"));
    }
    for note in &report.notes {
        warn(note);
    }
}

/// Prints the cuts as a table; with `explain`, the evidence of each book too.
fn print_table(report: &CorpusReport, explain: bool) -> Result<()> {
    let mut printer = Printer::stdout();
    let ids = report.books.iter();
    let width = ids.map(|book| book.book.id.as_str().chars().count()).max();
    let width = width.unwrap_or(0).clamp(4, 48);
    printer.line(&format!(
        "{:<width$} {:>7} {:>8} {:>8} {:>5}  reasons",
        "book", "lines", "preamble", "epilogue", "doubt"
    ))?;
    for book in &report.books {
        printer.line(&table_line(book, width))?;
        if explain {
            for line in explanation(book) {
                printer.line(&line)?;
            }
        }
    }
    Ok(printer.finish()?)
}

/// A book as a line of the table; `width` is that of the column of ids.
fn table_line(book: &BookReport, width: usize) -> String {
    let (summary, detection) = (&book.summary, &book.summary.detection);
    let or_dash = |line: u32| match line {
        0 => "-".to_owned(),
        line => line.to_string(),
    };
    let line = format!(
        "{:<width$} {:>7} {:>8} {:>8} {:>5.2}  {}",
        book.book.id.as_str(),
        summary.lines,
        or_dash(detection.cuts.preamble_end),
        or_dash(detection.cuts.epilogue_start.unwrap_or(0)),
        detection.doubt,
        names(&detection.reasons, ", "),
    );
    line.trim_end().to_owned()
}

/// The evidence for the cuts of a book, and other candidates.
fn explanation(book: &BookReport) -> Vec<String> {
    let detection = &book.summary.detection;
    let evidence = detection.evidence.iter().map(|evidence| {
        let (first, last) = evidence.lines;
        let end = end_name(evidence.end);
        let weight = evidence.weight;
        let weight = weight.map_or(String::new(), |weight| format!("  {weight:+.1}"));
        format!(
            "    {end:<8} lines {first}-{last}: {}{weight}",
            evidence.text()
        )
    });
    let candidates = detection.candidates.iter().map(|candidate| {
        let (end, line) = (end_name(candidate.end), candidate.line);
        let source = candidate.source;
        // The current cut scores above all candidates.
        match candidate.score {
            score if score.is_finite() => {
                format!("    {end:<8} candidate {line} ({source:?}, score {score:.2})")
            }
            _ => format!("    {end:<8} candidate {line} ({source:?})"),
        }
    });
    let inside = detection.inside.iter();
    let inside = inside.map(|block| {
        format!(
            "    inside   lines {}-{}: {}",
            block.first, block.last, block.kind
        )
    });
    let reasons = detection.reasons.iter();
    let reasons = reasons.map(|reason| format!("    {reason}: {}", reason.explanation()));
    evidence
        .chain(candidates)
        .chain(inside)
        .chain(reasons)
        .collect()
}

/// The name of what is cut away at this end.
fn end_name(end: End) -> &'static str {
    match end {
        End::Start => "preamble",
        End::End => "epilogue",
    }
}

/// The names of the reasons, with `between` between them.
pub(super) fn names(reasons: &[Reason], between: &str) -> String {
    let names: Vec<&str> = reasons.iter().map(|reason| reason.name()).collect();
    names.join(between)
}

/// The first line of TSV.
pub(super) const TSV_HEADER: &str =
    "book\tlines\tpreamble_end\tepilogue_start\tdoubt\tdetector\treasons";

/// Prints the cuts as TSV.
fn print_tsv(report: &CorpusReport, detector: DetectorChoice) -> Result<()> {
    let mut printer = Printer::stdout();
    printer.line(TSV_HEADER)?;
    for book in &report.books {
        printer.line(&tsv_line(book, detector))?;
    }
    Ok(printer.finish()?)
}

/// A book as a line of TSV.
fn tsv_line(book: &BookReport, detector: DetectorChoice) -> String {
    let (preamble_end, epilogue_start) = book.cut_lines();
    format!(
        "{}\t{}\t{preamble_end}\t{epilogue_start}\t{:.3}\t{}\t{}",
        escaped(book.book.id.as_str()),
        book.summary.lines,
        book.summary.detection.doubt,
        detector.name(),
        names(&book.summary.detection.reasons, ","),
    )
}

/// Prints the cuts as JSON lines, and then the books that were left out. Returns books whose texts have gone since.
fn print_jsonl(
    report: &CorpusReport,
    rows: DetectedRows<'_>,
    pool: &ThreadPool,
) -> Result<Vec<Skipped>> {
    let mut printer = Printer::stdout();
    let mut gone = Vec::new();
    let mut books = report.books.as_slice();
    while !books.is_empty() {
        let batch = BookReport::batch(books);
        books = &books[batch.len()..];
        for row in pool.install(|| rows.json(batch)) {
            match row {
                Ok(json) => printer.line(&String::from_utf8_lossy(&json))?,
                Err(skipped) => gone.push(skipped),
            }
        }
    }
    for skipped in report.skipped.iter().chain(&gone) {
        printer.line(&skipped_json(skipped))?;
    }
    printer.finish()?;
    Ok(gone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_detect::pipeline::BookSummary;
    use endpaper_detect::{Cuts, Detection};
    use endpaper_text::corpus::{Book, BookId, BookLocation, FileStamp};

    fn surveyed(id: &str, cuts: Cuts) -> BookReport {
        let id = BookId::new(id);
        let detection = Detection {
            cuts,
            candidates: Vec::new(),
            doubt: 0.3125,
            reasons: vec![Reason::NoBody, Reason::BodySmall],
            inside: Vec::new(),
            evidence: endpaper_detect::EvidenceList::default(),
            is_gutenberg: true,
        };
        let summary = BookSummary {
            lines: 100,
            bytes: 0,
            crc: 0,
            encoding: endpaper_text::corpus::Encoding::Ascii,
            header: Default::default(),
            template: Default::default(),
            detection,
        };
        let place = BookLocation::File(id.as_str().into());
        let stamp = FileStamp::default();
        BookReport {
            book: Book {
                id,
                location: place,
                stamp,
                encoding: endpaper_text::corpus::EncodingChoice::Guessed,
            },
            summary,
            scan: None,
        }
    }

    #[test]
    fn a_missing_epilogue_is_one_past_the_last_line_and_ids_are_escaped() {
        let book = surveyed("a\tb\\c\nd.txt", Cuts::default());
        let expected = "a\\tb\\\\c\\nd.txt\t100\t0\t101\t0.312\tgap\tno-body,body-small";
        assert_eq!(tsv_line(&book, DetectorChoice::Gap), expected);
    }

    #[test]
    fn the_table_shows_a_dash_where_there_is_no_cut() {
        let book = surveyed(
            "a.txt",
            Cuts {
                preamble_end: 7,
                epilogue_start: None,
            },
        );
        let expected = "a.txt      100        7        -  0.31  no-body, body-small";
        assert_eq!(table_line(&book, 6), expected);
    }
}
