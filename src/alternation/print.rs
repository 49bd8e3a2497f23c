//! Prints the search and the parts of documents as a table, as TSV and as JSON lines.

use std::ops::Range;

use anyhow::Result;
use serde::Serialize;

use super::agreement::SiteAgreement;
use super::args::SearchArgs;
use endpaper_command::output::{OutputFormat, Printer};
use endpaper_detect::alternation::{
    DocumentPart, FoldedDocuments, Optimum, SearchStep, SiteCut, StopReason,
};
use endpaper_text::cells::escaped;
use endpaper_text::cells::to_cell;
use endpaper_text::corpus::Book;
use endpaper_text::wording::thousands;

/// Prints the search and the parts of documents as a table.
pub(super) fn table(
    args: &SearchArgs,
    books: &[Book],
    documents: &FoldedDocuments,
    found: &Optimum<'_>,
) -> Result<()> {
    let mut printer = Printer::stdout();
    way(&mut printer, found)?;
    let names = books.iter().map(|book| book.id.as_str().chars().count());
    let width = names.max().unwrap_or(0).clamp(4, 48);
    let site_heading = if args.sites { "  site" } else { "" };
    printer.line(&format!(
        "{:<width$}{site_heading}  useful bytes   share  parts  the longest",
        "book"
    ))?;
    for (at, book) in books.iter().enumerate() {
        let parts = found.parts(at);
        let useful = || parts.iter().filter(|part| !part.useless);
        let bytes: usize = useful().map(|part| part.bytes.len()).sum();
        // The first of equally long parts.
        let longest = useful().rev().max_by_key(|part| part.bytes.len());
        let longest = longest.map_or("-".to_owned(), |part| {
            format!("{}..{}", part.bytes.start, part.bytes.end)
        });
        let site = found
            .site_of(at)
            .map_or("-".to_owned(), |site| (site + 1).to_string());
        let site = match args.sites {
            true => format!("  {site:>4}"),
            false => String::new(),
        };
        printer.line(&format!(
            "{:<width$}{site}  {:>12} {:>5.1} %  {:>5}  {longest}",
            book.id.as_str(),
            thousands(bytes as u64),
            100.0 * bytes as f64 / documents.source_len(at).max(1) as f64,
            useful().count(),
        ))?;
    }
    Ok(printer.finish()?)
}

/// Prints the path to the optimum and a blank line.
fn way(printer: &mut Printer, found: &Optimum<'_>) -> Result<()> {
    printer.line("    n    a   alternations      at a + 1      at n + 1")?;
    for step in found.path() {
        let or_dash = |count: Option<u64>| count.map_or("-".to_owned(), thousands);
        printer.line(&format!(
            "{:>5}{:>5}{:>15}{:>14}{:>14}",
            step.n,
            step.a,
            thousands(step.alternations),
            or_dash(step.wider),
            or_dash(step.longer)
        ))?;
    }
    Ok(printer.line("")?)
}

/// Prints the figures of sites instead of documents.
pub(super) fn print_accuracy(
    args: &SearchArgs,
    scored: &[SiteAgreement],
    documents: &FoldedDocuments,
    found: &Optimum<'_>,
) -> Result<()> {
    let mut printer = Printer::stdout();
    let share = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{share:.3}"));
    match args.format {
        OutputFormat::Table => {
            way(&mut printer, found)?;
            let names = scored.iter().map(|site| site.name.chars().count());
            let width = names.max().unwrap_or(0).clamp(5, 48);
            printer.line(&format!(
                "{:<width$}   pages      letters      correct  accuracy  recall  precision",
                "site"
            ))?;
            for SiteAgreement {
                name,
                pages,
                agreement,
            } in scored
            {
                printer.line(&format!(
                    "{name:<width$}  {:>6}  {:>11}  {:>11}  {:>8}  {:>6}  {:>9}",
                    thousands(*pages as u64),
                    thousands(agreement.letters),
                    thousands(agreement.correct),
                    share(agreement.accuracy()),
                    share(agreement.recall()),
                    share(agreement.precision()),
                ))?;
            }
        }
        OutputFormat::Tsv => {
            let columns =
                "site\tpages\tletters\tcorrect\tuseful\tboth\taccuracy\trecall\tprecision";
            printer.line(columns)?;
            for SiteAgreement {
                name,
                pages,
                agreement,
            } in scored
            {
                printer.line(&format!(
                    "{}\t{pages}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
                    to_cell(name),
                    agreement.letters,
                    agreement.correct,
                    agreement.useful,
                    agreement.both,
                    share(agreement.accuracy()),
                    share(agreement.recall()),
                    share(agreement.precision()),
                ))?;
            }
        }
        OutputFormat::Jsonl => {
            printer.line(&search(args, documents, found)?)?;
            for site in scored {
                printer.line(&serde_json::to_string(&site.figures())?)?;
            }
        }
    }
    Ok(printer.finish()?)
}

/// Prints the parts of documents as TSV.
pub(super) fn tsv(books: &[Book], found: &Optimum<'_>) -> Result<()> {
    let mut printer = Printer::stdout();
    printer.line("book\tpart\tfirst\tend")?;
    for (at, book) in books.iter().enumerate() {
        let id = escaped(book.id.as_str());
        for DocumentPart { useless, bytes } in found.parts(at) {
            let what = if useless { "useless" } else { "useful" };
            printer.line(&format!("{id}\t{what}\t{}\t{}", bytes.start, bytes.end))?;
        }
    }
    Ok(printer.finish()?)
}

/// The first line of `--format jsonl`: the cut point that the search ended at, and the path to it.
#[derive(Serialize)]
struct SearchRecord<'a> {
    /// Length of n-grams in characters at the cut point.
    n: u32,
    /// Percentage of n-grams that are frequent there.
    a: u8,
    /// Boundaries between useless and useful text there.
    alternations: u64,
    /// Why the search ended.
    end: StopReason,
    /// Number of documents searched.
    documents: usize,
    /// The cut points tried, in order.
    path: &'a [SearchStep],
    /// The cut points of single sites, with `--sites`.
    #[serde(skip_serializing_if = "Option::is_none")]
    sites: Option<Vec<SiteRecord>>,
}

/// The cut point of a site in the first line of `--format jsonl`.
#[derive(Serialize)]
struct SiteRecord {
    /// Number of documents of the site.
    documents: usize,
    n: u32,
    a: u8,
    alternations: u64,
}

impl SiteRecord {
    /// The record of a site.
    fn of(site: &SiteCut) -> SiteRecord {
        SiteRecord {
            documents: site.documents.len(),
            n: site.best.n,
            a: site.best.a,
            alternations: site.best.alternations,
        }
    }
}

/// Every other line of `--format jsonl`: the useful and useless byte ranges of one document.
#[derive(Serialize)]
struct AlternationRecord<'a> {
    book: &'a str,
    bytes: usize,
    useful: Vec<(usize, usize)>,
    useless: Vec<(usize, usize)>,
    /// With `--sites`, the index of the cut point of its site, or null for that of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<Option<usize>>,
}

/// The first line of `--format jsonl`.
fn search(args: &SearchArgs, documents: &FoldedDocuments, found: &Optimum<'_>) -> Result<String> {
    let best = found.best();
    Ok(serde_json::to_string(&SearchRecord {
        n: best.n,
        a: best.a,
        alternations: best.alternations,
        end: found.end(),
        documents: documents.len(),
        path: found.path(),
        sites: args
            .sites
            .then(|| found.sites().iter().map(SiteRecord::of).collect()),
    })?)
}

/// Prints the search and the parts of documents as JSON lines.
pub(super) fn jsonl(
    args: &SearchArgs,
    books: &[Book],
    documents: &FoldedDocuments,
    found: &Optimum<'_>,
) -> Result<()> {
    let mut printer = Printer::stdout();
    printer.line(&search(args, documents, found)?)?;
    for (at, book) in books.iter().enumerate() {
        let parts = found.parts(at);
        let of = |useless: bool| {
            let parts = parts.iter().filter(|part| part.useless == useless);
            let pair = |Range { start, end }: &Range<usize>| (*start, *end);
            parts.map(|part| pair(&part.bytes)).collect()
        };
        let record = AlternationRecord {
            book: book.id.as_str(),
            bytes: documents.source_len(at),
            useful: of(false),
            useless: of(true),
            site: args.sites.then(|| found.site_of(at)),
        };
        printer.line(&serde_json::to_string(&record)?)?;
    }
    Ok(printer.finish()?)
}
