//! Which books are evaluated, and what came of it.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use crate::system::System;
use crate::{BookErrors, Era, LabelDraws, MetricsSummary, NEAR, WeightedShare};
use endpaper_detect::pipeline::CorpusReport;
use endpaper_text::corpus::BookText;
use endpaper_text::scan::Template;
use endpaper_text::wording::{plural, thousands};
use endpaper_truth::check::{CheckFinding, CheckReport, ListedBooks};
use endpaper_truth::{Record, RecordKind};

/// Templates with a row of their own: the most frequent ones.
const TEMPLATES: usize = 10;

/// A book that is evaluated.
#[derive(Debug)]
pub struct LabelledBook {
    /// What is right.
    pub record: Record,
    /// Its place among the books of the analysis.
    pub book: usize,
    /// CRC-64 of its text.
    pub crc: u64,
    /// What its markers tell.
    pub era: Era,
    /// Its template.
    pub template: Template,
}

impl LabelledBook {
    /// The errors of a system's cuts of this book; `None` if the system has none for it.
    pub fn errors(&self, text: &BookText, contender: &System) -> Option<BookErrors> {
        let &(cuts, doubt) = contender.cuts.get(&self.book)?;
        Some(BookErrors::of(text, &self.record, cuts, doubt))
    }
}

/// Records that are left out of every figure.
#[derive(Debug, Default)]
pub struct ExcludedRecords {
    /// What is wrong with some.
    pub wrong: Vec<CheckFinding>,
    /// Of these, records: one may have several findings.
    pub wrong_records: usize,
    /// Decided, but without cuts: no books, several in one file, undecidable.
    pub without_cuts: usize,
    /// Drafts.
    pub drafts: usize,
    /// Cuts that follow another policy.
    pub other_policy: usize,
}

impl ExcludedRecords {
    /// Why records were left out that something is wrong with, as `truth check` has it: with their files.
    pub fn findings_in_words(&self) -> impl Iterator<Item = String> {
        self.wrong.iter().map(|finding| finding.to_string())
    }

    /// Whether something is wrong with any.
    pub fn is_wrong(&self) -> bool {
        self.wrong_records > 0
    }

    /// How many were left out and why, for a caption; empty if none.
    pub fn in_words(&self) -> String {
        let parts = [
            (self.wrong_records, "missing, changed or wrong"),
            (self.without_cuts, "without cuts of one book"),
            (self.drafts, "not decided"),
            (self.other_policy, "of another policy"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts
            .map(|(count, why)| format!("{} {why}", thousands(*count as u64)))
            .collect();
        parts.join(", ")
    }

    /// The same in brackets after a space.
    pub fn in_brackets(&self) -> String {
        match self.in_words().as_str() {
            "" => String::new(),
            words => format!(" ({words})"),
        }
    }
}

/// Splits checked records into those that are evaluated and those that are not.
pub fn labelled(
    checked: CheckReport<()>,
    report: &CorpusReport,
    policy: &str,
) -> (Vec<LabelledBook>, ExcludedRecords) {
    let places: HashMap<&str, usize> = report
        .books
        .iter()
        .enumerate()
        .map(|(at, book)| (book.book.id.as_str(), at))
        .collect();
    let mut left_out = ExcludedRecords {
        wrong_records: checked.files.len() - checked.valid.len(),
        ..ExcludedRecords::default()
    };
    let wrong = checked.findings.into_iter();
    left_out.wrong = wrong.filter(|finding| finding.rule.is_error()).collect();
    let mut labelled = Vec::new();
    for sound in checked.valid {
        let record = sound.record;
        let count = match () {
            () if !record.verdict.is_decided() => &mut left_out.drafts,
            () if !record.verdict.has_cuts() || record.kind != RecordKind::Book => {
                &mut left_out.without_cuts
            }
            () if record.policy != policy => &mut left_out.other_policy,
            () => match places.get(record.book.as_str()) {
                Some(&book) => {
                    let surveyed = &report.books[book];
                    let scan = surveyed.scan.as_deref();
                    labelled.push(LabelledBook {
                        record,
                        book,
                        crc: surveyed.summary.crc,
                        era: scan.map_or(Era::NoMarker, Era::of),
                        template: surveyed.summary.template,
                    });
                    continue;
                }
                None => &mut left_out.wrong_records,
            },
        };
        *count += 1;
    }
    (labelled, left_out)
}

/// The scores of one system.
#[derive(Debug)]
pub struct SystemScores {
    /// The name of the system.
    pub name: String,
    /// What there is to know of it.
    pub note: Option<String>,
    /// The errors of each evaluated book, with its index in [`EvaluationReport::books`]: the same books for all systems.
    pub errors: Vec<(usize, BookErrors)>,
    /// Figures of all of them.
    pub summary: MetricsSummary,
}

impl SystemScores {
    /// Notes that some labelled books have no cuts of this system, which are therefore compared for no system.
    fn note_missing_books(&mut self, missing: usize, of: usize) {
        if missing == 0 {
            return;
        }
        let missing = format!(
            "no cuts for {} of the {} labelled {}, in no figure of any system",
            thousands(missing as u64),
            thousands(of as u64),
            plural(of, "book")
        );
        self.note = Some(match self.note.take() {
            Some(note) => format!("{note}; {missing}"),
            None => missing,
        });
    }
}

/// The scores of all systems.
#[derive(Debug)]
pub struct EvaluationReport {
    /// Ids of the books.
    pub books: Vec<String>,
    /// The first is the detector that was asked for.
    pub systems: Vec<SystemScores>,
    /// Figures of the first by era and by template, with the name of each part.
    pub groups: Vec<(String, MetricsSummary)>,
    /// What is in no figure.
    pub left_out: ExcludedRecords,
    /// How the books were drawn.
    pub draws: LabelDraws,
}

/// Books that are not those they were a moment ago; their errors would be those of other texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} {} changed while {} evaluated; run it again",
    thousands(*.0 as u64),
    plural(*.0, "book"),
    if *.0 == 1 { "it was" } else { "they were" }
)]
pub struct ChangedSource(pub usize);

impl EvaluationReport {
    /// Compares the cuts of every system with the labels.
    ///
    /// # Errors
    ///
    /// Books that changed since they were analysed.
    pub fn evaluate(
        labelled: &[LabelledBook],
        judges: &[System],
        shelf: &ListedBooks<'_>,
        left_out: ExcludedRecords,
    ) -> Result<EvaluationReport, ChangedSource> {
        let read = |label: &LabelledBook| -> Option<Vec<_>> {
            let text = shelf.text_of(&label.record)?;
            let errors = judges.iter().map(|judge| label.errors(&text, judge));
            Some(errors.collect())
        };
        let errors: Vec<Option<Vec<_>>> = labelled.par_iter().map(read).collect();
        match errors.iter().filter(|errors| errors.is_none()).count() {
            0 => {}
            gone => return Err(ChangedSource(gone)),
        }
        let errors = errors.into_iter().flatten().collect();
        let mut report = EvaluationReport::from_errors(labelled, judges, errors, left_out);
        let records = labelled.iter().map(|label| &label.record);
        report.draws = LabelDraws::of(records, shelf.count());
        Ok(report)
    }

    /// The report on the errors of each system in each book.
    fn from_errors(
        labelled: &[LabelledBook],
        judges: &[System],
        errors: Vec<Vec<Option<BookErrors>>>,
        left_out: ExcludedRecords,
    ) -> EvaluationReport {
        let mut scored: Vec<SystemScores> = judges
            .iter()
            .map(|judge| SystemScores {
                name: judge.name.clone(),
                note: judge.note.clone(),
                errors: Vec::new(),
                summary: MetricsSummary::default(),
            })
            .collect();
        let mut missing = vec![0; scored.len()];
        for (book, errors) in errors.into_iter().enumerate() {
            for (missing, errors) in missing.iter_mut().zip(&errors) {
                *missing += usize::from(errors.is_none());
            }
            // Columns are compared with each other: a book that one system has no cuts for is in none of them.
            let Some(errors) = errors.into_iter().collect::<Option<Vec<BookErrors>>>() else {
                continue;
            };
            for (scored, errors) in scored.iter_mut().zip(errors) {
                scored.errors.push((book, errors));
            }
        }
        for (scored, missing) in scored.iter_mut().zip(missing) {
            scored.note_missing_books(missing, labelled.len());
            scored.summary = MetricsSummary::of(scored.errors.iter().map(|(_, errors)| errors));
        }
        let parts = scored.first().map(|first| group_summaries(labelled, first));
        EvaluationReport {
            books: labelled
                .iter()
                .map(|label| label.record.book.clone())
                .collect(),
            systems: scored,
            groups: parts.unwrap_or_default(),
            left_out,
            draws: LabelDraws::default(),
        }
    }

    /// Number of labelled books that all systems have cuts for.
    pub fn compared(&self) -> usize {
        self.systems.first().map_or(0, |first| first.errors.len())
    }

    /// Estimates for the corpus of the share of books of which both cuts are right, in the order of
    /// [`CutAccuracy::named`](crate::CutAccuracy::named); `None` if the draw allows none beyond the plain shares.
    pub fn weighted(&self, scored: &SystemScores) -> Option<[WeightedShare; 5]> {
        let of = |is_hit: &dyn Fn(&BookErrors) -> bool| {
            let books = scored.errors.iter();
            let hits = books.map(|(book, errors)| (*book, is_hit(errors)));
            self.draws.weighted(hits)
        };
        let within = |at: usize| of(&move |errors| errors.is_within(NEAR[at]));
        Some([
            of(&BookErrors::is_exact)?,
            of(&BookErrors::is_defended)?,
            within(0)?,
            within(1)?,
            within(2)?,
        ])
    }

    /// What the figures are of, in one line.
    pub fn caption(&self) -> String {
        let books = self.books.len();
        let left_out = match self.left_out.in_words().as_str() {
            "" => String::new(),
            words => format!("; skipped: {words}"),
        };
        format!(
            "{} labelled {}{left_out}",
            thousands(books as u64),
            plural(books, "book")
        )
    }
}

/// The figures of the first system for the books of each era and of each template, with the name of the group.
fn group_summaries(
    labelled: &[LabelledBook],
    first: &SystemScores,
) -> Vec<(String, MetricsSummary)> {
    let of = |yes: &dyn Fn(&LabelledBook) -> bool| {
        let books = first.errors.iter();
        MetricsSummary::of(
            books
                .filter(|(book, _)| yes(&labelled[*book]))
                .map(|(_, errors)| errors),
        )
    };
    let eras = Era::ALL.iter();
    let eras = eras.map(|era| (format!("era {era}"), of(&|label| label.era == *era)));
    let mut counts: BTreeMap<Template, usize> = BTreeMap::new();
    for (book, _) in &first.errors {
        *counts.entry(labelled[*book].template).or_default() += 1;
    }
    let mut counts: Vec<(Template, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.truncate(TEMPLATES);
    counts.retain(|(_, count)| *count > 1);
    let templates = counts.iter().map(|(template, _)| {
        let name = format!("template {:016x}", template.0);
        (name, of(&|label| label.template == *template))
    });
    let parts = eras.chain(templates);
    parts.filter(|(_, summary)| summary.books > 0).collect()
}
