//! A simulated sitting, with labels as the curator: the number of books with wrong cuts after reviewing a part of a corpus, with and without learning
//! from the verdicts.
//!
//! ```text
//! cargo run --release -p lab --example sitting -- LABELS.tsv CORPUS [--split works|templates] [--every N] [--rounds N]
//!     [--strength X,Y,..] [--others X] [--detector posterior|gap]
//! ```
//!
//! `LABELS.tsv` is that of `--example keys`. In every round the labelled books are split in two: weights are fitted to one half and calibrated
//! within it; the other half is the new corpus that is reviewed with them. Then the halves swap. They share no work (`works`, the default), or no
//! template (`templates`: a corpus of other producers). Profile are never fitted to the label of a book before it is reviewed. The frequencies
//! are those of the whole corpus, which need no labels.
//!
//! The sitting reviews the most doubtful book first, or by template (the largest first), or at random, and learns after every `--every` verdicts
//! as the review screen does: the next three books keep their positions, templates their order. With propagation, undecided books are searched
//! for every correction, and those with its block come next with the same change, as with the key `A`. (In random order the program does neither:
//! those rows are hypothetical.) A strength multiplies the regularisation of a fit from nothing, here towards the previous weights; `--others` is
//! the weight, relative to a verdict, of the previous probabilities for an undecided book.
//!
//! Below the table is the share of proposed changes, derived from one labelled correction, that are right: for the shipped detector, and for others
//! with deliberate errors that many books share.
//!
//! Keys are counted as by `--example keys`, on 80x24, with every Enter and every `A`, for the reviewed books: of a curator who knows the positions,
//! and of one who searches for them.

#[path = "../keys/labels.rs"]
mod labels;
#[path = "../keys/replay.rs"]
#[allow(
    dead_code,
    reason = "the other example reports what was wrong in a book"
)]
mod replay;

mod keys;
mod proposals;
mod review;

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use endpaper_detect::Method;
use endpaper_detect::frequency::Frequencies;
use endpaper_detect::pipeline::CorpusReport;
use endpaper_detect::posterior::{Example, Profile, group_by_work};
use endpaper_review::{QueueEntry, QueueOrder, entry::rank_templates};
use endpaper_text::checksum::sha256;
use endpaper_text::corpus::MAX_SIZE;
use endpaper_text::line::Key;
use rayon::prelude::*;

use self::keys::{Costs, KeyCosts};
use self::labels::{analyse_corpus, labels, name, with_document_frequencies};
use self::proposals::{DETECTORS, Proposals, measure};
use self::review::{LearningPlan, SHARES, SittingBook, SittingCosts, SittingManner, fit_labelled};

const USAGE: &str = "usage: sitting LABELS.tsv CORPUS [--split works|templates] [--every N] [--rounds N] \
                     [--strength X,Y,..] [--others X] [--detector posterior|gap]";

fn main() -> Result<()> {
    let arguments = SittingArguments::parse(std::env::args().skip(1))?;
    let labels = labels(&arguments.labels)?;
    let survey = analyse_corpus(&arguments.corpus)?;
    let frequencies = with_document_frequencies(&survey)?;
    let books = books(&survey, &frequencies, &labels)?;
    ensure!(!books.is_empty(), "no book of the corpus has a label");
    let rounds = 2 * arguments.rounds;
    let halves = halves(&books, &arguments);
    let begun: Vec<_> = halves
        .par_iter()
        .map(|(old, _)| fit_labelled(old, &frequencies))
        .collect::<Result<_>>()?;
    let reviewed: usize = halves.iter().map(|(_, new)| new.len()).sum();
    println!(
        "{} labelled books, parted by {}: {rounds} corpora of {} books on average; learning after every {} verdicts",
        books.len(),
        if arguments.templates {
            "templates"
        } else {
            "works"
        },
        reviewed / rounds as usize,
        arguments.every,
    );
    println!(
        "books of which a cut is not exact (behind the slash: not within 10 lines), in % of all books, after reviewing"
    );
    let costs: Vec<Costs<'_>> = begun
        .iter()
        .map(|begun| Costs::new(&frequencies, begun, arguments.detector))
        .collect();
    print_head();
    for order in [QueueOrder::Doubt, QueueOrder::Template, QueueOrder::Random] {
        let strengths = arguments.strengths.iter().map(|&strength| Some(strength));
        // Only the posterior has weights to learn.
        let learns =
            |strength: &Option<f64>| strength.is_none() || arguments.detector == Method::Posterior;
        for strength in std::iter::once(None).chain(strengths).filter(learns) {
            let learning = strength.map(|strength| LearningPlan {
                strength,
                distillation: arguments.distillation,
                every: arguments.every,
            });
            for runs in [false, true] {
                let manner = SittingManner {
                    method: arguments.detector,
                    order,
                    learning,
                    propagates: runs,
                };
                let sat: Vec<SittingCosts> = halves
                    .par_iter()
                    .zip(&begun)
                    .zip(&costs)
                    .map(|(((_, new), begun), costs)| {
                        SittingCosts::simulate(new, begun, &frequencies, manner, costs)
                    })
                    .collect::<Result<_>>()?;
                print_row(manner, &sat, reviewed);
            }
        }
    }
    print_proposals(&halves, &begun, &frequencies);
    Ok(())
}

/// Known books, and books that make up a corpus.
type Halves<'a> = (Vec<&'a SittingBook<'a>>, Vec<&'a SittingBook<'a>>);

/// Splits the books by works or templates, differently in each round.
fn halves<'a>(books: &'a [SittingBook<'a>], arguments: &SittingArguments) -> Vec<Halves<'a>> {
    (0..2 * arguments.rounds)
        .map(|round| {
            let (half, salt) = (round % 2, round / 2);
            let number = |book: &SittingBook<'_>| match arguments.templates {
                true => book.report.summary.template.0,
                false => book.work,
            };
            let of =
                |book: &SittingBook<'_>| Key::of(&format!("{salt} {}", number(book))).0 >> 40 & 1;
            books.iter().partition(|book| of(book) != half)
        })
        .collect()
}

/// Prints how often the change of one correction is right in other books.
fn print_proposals(halves: &[Halves<'_>], begun: &[Profile], frequencies: &Frequencies) {
    println!(
        "\nthe change of one labelled correction, proposed in the other books of its corpus, by what proposed the cuts:"
    );
    for (name, detector) in DETECTORS {
        let all = halves.par_iter().zip(begun);
        let found: Proposals = all
            .map(|((_, new), begun)| measure(new, begun, frequencies, detector))
            .sum();
        println!(
            "{name:<13} {} corrections, {} found elsewhere, in {} books; right {:.1} % ({} of these were right before)",
            found.corrections,
            found.found,
            found.books,
            100.0 * found.right as f64 / found.books.max(1) as f64,
            found.spoilt,
        );
    }
}

fn print_head() {
    let shares: Vec<String> = SHARES.iter().map(|share| format!("{share:>9} %")).collect();
    println!(
        "{:<9} {:<9} {:<5} {}  {:<15} {:<16} proposed (right)",
        "order",
        "learning",
        "runs",
        shares.join(" "),
        "keys per book",
        "learned: + -",
    );
}

fn print_row(manner: SittingManner, sat: &[SittingCosts], books: usize) {
    let percent = |of: usize| 100.0 * of as f64 / books.max(1) as f64;
    let sum = |of: fn(&SittingCosts) -> usize| -> usize { sat.iter().map(of).sum() };
    let share = |at: usize| {
        let wrong: usize = sat.iter().map(|sitting| sitting.wrong[at]).sum();
        let far: usize = sat.iter().map(|sitting| sitting.far[at]).sum();
        format!("{:>6.2}/{:<4.2}", percent(wrong), percent(far))
    };
    let shares: Vec<String> = (0..SHARES.len()).map(share).collect();
    let mut keys = KeyCosts::default();
    for sitting in sat {
        keys += sitting.keys;
    }
    let reviewed = sum(|sitting| sitting.reviewed).max(1) as f64;
    let strength = |learning: LearningPlan| format!("{}", learning.strength);
    println!(
        "{:<9} {:<9} {:<5} {}  {:<15} {:<16} {} ({})",
        manner.order.name(),
        manner.learning.map_or("none".to_owned(), strength),
        if manner.propagates { "yes" } else { "no" },
        shares.join(" "),
        format!(
            "{:.2}, {:.2}",
            keys.informed as f64 / reviewed,
            keys.searching as f64 / reviewed
        ),
        format!(
            "{} {}",
            sum(|sitting| sitting.fixed),
            sum(|sitting| sitting.broken)
        ),
        sum(|sitting| sitting.proposed[0]),
        sum(|sitting| sitting.proposed[1]),
    );
}

struct SittingArguments {
    labels: PathBuf,
    corpus: PathBuf,
    templates: bool,
    every: usize,
    rounds: u64,
    strengths: Vec<f64>,
    distillation: f32,
    detector: Method,
}

impl SittingArguments {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<SittingArguments> {
        let mut parsed = SittingArguments {
            labels: arguments.next().context(USAGE)?.into(),
            corpus: arguments.next().context(USAGE)?.into(),
            templates: false,
            every: 10,
            rounds: 4,
            strengths: vec![endpaper_detect::pipeline::STRENGTH],
            distillation: endpaper_detect::pipeline::DISTILLATION_WEIGHT,
            detector: Method::default(),
        };
        while let Some(argument) = arguments.next() {
            let value = arguments.next().context(USAGE)?;
            let bad = || format!("'{value}' is not a value of {argument}; {USAGE}");
            match argument.as_str() {
                "--split" => {
                    ensure!(["works", "templates"].contains(&value.as_str()), bad());
                    parsed.templates = value == "templates";
                }
                "--every" => parsed.every = value.parse().with_context(bad)?,
                "--rounds" => parsed.rounds = value.parse().with_context(bad)?,
                "--detector" => {
                    let named = |method: &&Method| method.name() == value;
                    let known = Method::ALL.iter().find(named);
                    parsed.detector = *known.with_context(bad)?;
                }
                "--others" => parsed.distillation = value.parse().with_context(bad)?,
                "--strength" => {
                    let each = value.split(',').map(str::parse);
                    parsed.strengths = each.collect::<Result<_, _>>().with_context(bad)?;
                }
                other => bail!("'{other}' is unknown; {USAGE}"),
            }
        }
        ensure!(parsed.every > 0 && parsed.rounds > 0, USAGE);
        Ok(parsed)
    }
}

fn books<'a>(
    survey: &'a CorpusReport,
    frequencies: &Frequencies,
    labels: &std::collections::HashMap<String, labels::DigestLabel>,
) -> Result<Vec<SittingBook<'a>>> {
    let headers = survey.books.iter();
    let works = group_by_work(headers.map(|book| (&book.summary.header, book.summary.crc)));
    let entry = |template| QueueEntry {
        template,
        ..QueueEntry::default()
    };
    let templates = survey.books.iter().map(|book| entry(book.summary.template));
    let mut ranked: Vec<QueueEntry> = templates.collect();
    rank_templates(&mut ranked);
    let labelled = survey.books.par_iter().enumerate().filter_map(|(at, book)| {
        let label = labels.get(name(book.book.id.as_str()))?;
        let labelled = || {
            let scan = book.scan.as_deref().context("the Scan was kept")?;
            let digest = sha256(&book.book.read(MAX_SIZE)?);
            ensure!(
                digest == label.sha256,
                "'{}' is not the text that was labelled: its SHA-256 is {digest}; label it again",
                book.book.id.as_str()
            );
            Ok(SittingBook {
                report: book,
                scan,
                example: Example::new(scan, frequencies, label.first, label.last),
                work: works[at],
                template_rank: ranked[at].template_rank,
                first: label.first,
                last: label.last,
            })
        };
        Some(labelled())
    });
    labelled.collect()
}
