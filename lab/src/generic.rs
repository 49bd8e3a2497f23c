//! `lab generic`: fits the generic profile to several labelled collections.
//!
//! Each collection is also shown as somebody else has cleaned it: its bodies alone, where nothing is to be cut. So no
//! collection teaches that something always stands before the body.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, ensure};

use endpaper_command::Exit;
use endpaper_command::output::note;
use endpaper_command::overwrite::ForceArgs;
use endpaper_detect::Method;
use endpaper_detect::pipeline::{
    AnalysisOptions, BodyLabel, CorpusReport, LabelMatcher, analyse, collection_examples,
};
use endpaper_detect::posterior::{CollectionExamples, fit_generic};
use endpaper_text::corpus::{ListingRequest, list};
use endpaper_text::files::read_input;
use endpaper_truth::exchange::{ExchangeFormat, read_table};

/// Arguments of `lab generic`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A collection with its labels (columns book, body_first, body_last), as PATH=LABELS
    #[arg(required = true, value_parser = collection)]
    collections: Vec<(PathBuf, PathBuf)>,

    /// The profile file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    force: ForceArgs,
}

fn collection(text: &str) -> Result<(PathBuf, PathBuf), String> {
    let pair = text.split_once('=');
    let (path, labels) =
        pair.ok_or("write the path of a collection, '=', and that of its labels")?;
    Ok((path.into(), labels.into()))
}

pub fn run(args: &Args) -> Result<Exit> {
    args.force.check_output(&args.out)?;
    let mut collections = Vec::new();
    for (group, (path, labels)) in args.collections.iter().enumerate() {
        let report = read(path)?;
        let labels = read_labels(labels, &report)?;
        let books = collection_examples(&report, &labels)?;
        note(&format!(
            "{}: {} labelled books",
            path.display(),
            books.len()
        ));
        let share = 1;
        collections.push(CollectionExamples {
            books,
            share,
            group,
        });
        let bodies = tempfile::tempdir()?;
        let count = write_bodies(&report, &labels, bodies.path())?;
        // A collection where nothing is to be cut is its own bodies.
        if count > 0 {
            let stripped = read(bodies.path())?;
            let whole = stripped.books.iter().enumerate();
            let whole = whole.map(|(book, known)| BodyLabel {
                book,
                first: 1,
                last: known.summary.lines,
            });
            let books = collection_examples(&stripped, &whole.collect::<Vec<_>>())?;
            let share = 2;
            collections.push(CollectionExamples {
                books,
                share,
                group,
            });
        }
    }
    let profile = fit_generic(&collections)?;
    args.force.write(&args.out, profile.to_tsv().as_bytes())?;
    Ok(Exit::Success)
}

fn read(path: &Path) -> Result<CorpusReport> {
    let listing = list(&ListingRequest {
        roots: vec![path.to_owned()],
        ..ListingRequest::default()
    })?;
    let mut options = AnalysisOptions {
        keep_scans: true,
        ..AnalysisOptions::default()
    };
    options.parameters.method = Method::Gap;
    analyse(&listing, &options, &|_| {}, &AtomicBool::new(false))
}

fn read_labels(file: &Path, report: &CorpusReport) -> Result<Vec<BodyLabel>> {
    let text = read_input(file)?;
    let matcher = LabelMatcher::new(&report.books);
    let mut labels = Vec::new();
    for row in read_table(&text, ExchangeFormat::Tsv)?
        .into_iter()
        .flatten()
    {
        let book = matcher.find(row.book());
        if let (Some(book), Ok(Some((first, last)))) = (book, row.body()) {
            labels.push(BodyLabel { book, first, last });
        }
    }
    ensure!(
        !labels.is_empty(),
        "'{}' labels no book of its collection",
        file.display()
    );
    labels.sort_by_key(|label| label.book);
    labels.dedup_by_key(|label| label.book);
    Ok(labels)
}

/// Writes the bodies of the labelled books; returns the number of books that had anything else.
fn write_bodies(report: &CorpusReport, labels: &[BodyLabel], folder: &Path) -> Result<usize> {
    let mut count = 0;
    for label in labels {
        let book = &report.books[label.book];
        let text = book.book.text(u64::MAX).ok().context("a book is gone")?;
        let bytes = text.bytes();
        let lines = book.summary.lines;
        count += usize::from(label.first > 1 || label.last < lines);
        let name = format!("{:05}.txt", label.book);
        std::fs::write(
            folder.join(name),
            &bytes[text.span(label.first, label.last)],
        )?;
    }
    Ok(count)
}
