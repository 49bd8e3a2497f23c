//! What is judged: the cuts of a detector, of the detectors beside it, of another tool.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;

use super::Args;
use super::report::Labelled;
use crate::cli::detector::Detector;
use crate::corpus::{Listing, Text};
use crate::detect::posterior::{Plan, Weights};
use crate::detect::{Cuts, Method, Parameters, propose};
use crate::evaluate::BookErrors;
use crate::frequency::Structure;
use crate::pipeline::{self, Label, Named, Options, Survey};
use crate::truth::exchange::uncell;
use crate::words::thousands;

/// Weights are fitted to at least so many labelled books.
const FEWEST: usize = 100;

/// Cuts and doubt by the book's place in the survey.
type Found = HashMap<usize, (Cuts, f32)>;

/// Cuts to judge.
pub(super) struct Judge {
    /// Whose they are.
    pub name: String,
    /// What there is to know of them.
    pub note: Option<String>,
    /// A book that is not there is not judged.
    cuts: Found,
}

impl Judge {
    /// The errors in a book, if its cuts are judged.
    pub fn errors(&self, label: &Labelled, text: &Text) -> Option<BookErrors> {
        let &(cuts, doubt) = self.cuts.get(&label.book)?;
        Some(BookErrors::of(text, &label.record, cuts, doubt))
    }
}

/// The detector that was asked for, then all that it is compared with.
pub(super) fn judges(
    args: &Args,
    listing: &Listing,
    survey: &Survey,
    options: &Options,
    labelled: &[Labelled],
) -> Result<Vec<Judge>> {
    let of = |parameters: &Parameters| detector(survey, options, parameters, labelled);
    let asked = &options.parameters;
    let mut judges = vec![of(asked)?];
    let others = [
        (Method::Posterior, true),
        (Method::Gap, true),
        (Method::Gap, false),
    ];
    let asked_for = (asked.method, asked.heuristics);
    for (method, heuristics) in others {
        if args.compare && (method, heuristics) != asked_for {
            judges.push(of(&Parameters {
                method,
                heuristics,
                ..asked.clone()
            })?);
        }
    }
    for &structure in &args.with_structure {
        judges.push(with_structure(args, listing, options, structure)?);
    }
    for file in &args.against {
        judges.push(other_tool(file, survey)?);
    }
    Ok(judges)
}

/// A detector over the Scans of the survey.
fn detector(
    survey: &Survey,
    options: &Options,
    parameters: &Parameters,
    labelled: &[Labelled],
) -> Result<Judge> {
    let name = name(parameters);
    if parameters.method == Method::Posterior {
        let weights = parameters.weights.as_deref();
        let weights = weights.unwrap_or_else(|| Weights::shipped());
        let known = labelled.iter().filter(|label| weights.know(label.crc));
        match known.count() {
            0 => {}
            known if labelled.len() >= FEWEST => {
                return out_of_fold(survey, options, labelled, known);
            }
            known => {
                let of = thousands(labelled.len() as u64);
                let note = format!(
                    "the weights were fitted to {known} of the {of} labelled books, which are left out (fewer than {FEWEST} are too few to fit others)"
                );
                let unknown: Vec<&Labelled> = labelled
                    .iter()
                    .filter(|label| !weights.know(label.crc))
                    .collect();
                return Ok(Judge {
                    name,
                    note: Some(note),
                    cuts: proposed(survey, parameters, &unknown)?,
                });
            }
        }
    }
    let all: Vec<&Labelled> = labelled.iter().collect();
    Ok(Judge {
        name,
        note: None,
        cuts: proposed(survey, parameters, &all)?,
    })
}

fn proposed(survey: &Survey, parameters: &Parameters, labelled: &[&Labelled]) -> Result<Found> {
    let each = labelled.par_iter().map(|label| {
        let book = &survey.books[label.book];
        let scan = book.scan.as_deref();
        let scan =
            scan.with_context(|| format!("the survey kept no Scan of '{}'", book.book.id))?;
        let found = propose(scan, &survey.model.frequencies, parameters);
        Ok((label.book, (found.cuts, found.doubt)))
    });
    each.collect()
}

/// Each labelled book judged by weights that were fitted to the labelled books of other works.
fn out_of_fold(
    survey: &Survey,
    options: &Options,
    labelled: &[Labelled],
    known: usize,
) -> Result<Judge> {
    let labels = labelled.iter().map(|label| {
        let cuts = label.record.cuts;
        let lines = survey.books[label.book].summary.lines;
        Label {
            book: label.book,
            first: cuts.preamble_end.saturating_add(1),
            last: cuts
                .epilogue_start
                .map_or(lines, |line| line.saturating_sub(1)),
        }
    });
    let labels: Vec<Label> = labels.collect();
    let fitted = pipeline::fit(survey, &labels, &Plan::default(), options.max_size)?;
    let judged = fitted.judged.into_iter();
    Ok(Judge {
        name: "posterior, out of fold".to_owned(),
        note: Some(format!(
            "its weights were fitted to {known} of these books: each book is judged by others, fitted to the labelled books of other works"
        )),
        cuts: judged
            .map(|judged| (judged.book, (judged.cuts, judged.doubt)))
            .collect(),
    })
}

fn name(parameters: &Parameters) -> String {
    match (parameters.method, parameters.heuristics) {
        (Method::Posterior, _) => Detector::Posterior.name().to_owned(),
        (Method::Gap, true) => Detector::Gap.name().to_owned(),
        (Method::Gap, false) => format!("{}, no markers", Detector::Gap.name()),
    }
}

/// Algorithm 1 over counts of another structure.
fn with_structure(
    args: &Args,
    listing: &Listing,
    options: &Options,
    structure: Structure,
) -> Result<Judge> {
    let mut options = options.clone();
    options.counting.structure = structure;
    options.parameters.method = Method::Gap;
    options.parameters.threshold = args
        .detector
        .threshold
        .unwrap_or(structure.default_threshold());
    options.spreads = false;
    options.keep_scans = false;
    let survey = args.corpus.survey(listing, &options)?;
    let books = survey.books.iter().enumerate();
    Ok(Judge {
        name: format!("gap, {structure}"),
        note: None,
        cuts: books
            .map(|(at, book)| {
                let found = &book.summary.detection;
                (at, (found.cuts, found.doubt))
            })
            .collect(),
    })
}

/// The cuts of another tool from its table.
fn other_tool(file: &Path, survey: &Survey) -> Result<Judge> {
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("'{name}' cannot be read"))?;
    let read = || cuts_of(&text, survey);
    let (cuts, strange) = read().with_context(|| format!("'{name}' is no table of cuts"))?;
    let note = (strange > 0).then(|| {
        let lines = if strange == 1 { "line" } else { "lines" };
        format!(
            "{} {lines} of its table name no book of the corpus",
            thousands(strange)
        )
    });
    let stem = file.file_stem().unwrap_or(file.as_os_str());
    Ok(Judge {
        name: stem.to_string_lossy().into_owned(),
        note,
        cuts,
    })
}

/// Cuts by the book's place, and how many lines name no book.
fn cuts_of(text: &str, survey: &Survey) -> Result<(Found, u64)> {
    let mut lines = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty());
    let Some((header, _)) = lines.next() else {
        bail!(
            "it is empty; its first line names the columns book, preamble_end and epilogue_start"
        );
    };
    let columns: Vec<&str> = header.split('\t').collect();
    let column = |name: &str| {
        let found = columns.iter().position(|column| *column == name);
        found.with_context(|| {
            format!("line 1 names no column '{name}' (columns are separated by tabs)")
        })
    };
    let (book, start, end) = (
        column("book")?,
        column("preamble_end")?,
        column("epilogue_start")?,
    );
    let doubt = columns.iter().position(|column| *column == "doubt");
    let named = Named::new(&survey.books);
    let (mut cuts, mut strange) = (HashMap::new(), 0);
    for (line, at) in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |column: usize| {
            let cell = cells.get(column).copied();
            cell.with_context(|| format!("line {at} has only {} columns", cells.len()))
        };
        let number = |column: usize| -> Result<u32> {
            let cell = cell(column)?;
            let number = cell.parse();
            number.with_context(|| format!("line {at}: '{cell}' is no number of a line"))
        };
        let found = Cuts {
            preamble_end: number(start)?,
            epilogue_start: Some(number(end)?),
        };
        let doubt = doubt.and_then(|column| cells.get(column)?.parse().ok());
        match named.find(&uncell(cell(book)?)) {
            Some(at) => {
                let lines = survey.books[at].summary.lines;
                let epilogue_start = found.epilogue_start.filter(|&line| line <= lines);
                let found = Cuts {
                    preamble_end: found.preamble_end.min(lines),
                    epilogue_start,
                };
                cuts.insert(at, (found, doubt.unwrap_or(0.0)));
            }
            None => strange += 1,
        }
    }
    Ok((cuts, strange))
}
