//! `endpaper truth check`: checks whether the records are reliable, and whether the detector still finds their cuts.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::ValueEnum;
use serde::Serialize;

use super::folder::TruthFolder;
use crate::detector::DetectorArgs;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, SCAN_MEMORY};
use endpaper_command::output::{Printer, note, warn, warn_of_skipped};
use endpaper_command::overwrite::ForceArgs;
use endpaper_command::progress::ProgressBar;
use endpaper_detect::Cuts;
use endpaper_detect::pipeline::{AnalysisOptions, CopyOptions, CorpusReport};
use endpaper_text::files::read_text;
use endpaper_text::wording::{plural, thousands};
use endpaper_truth::Store;
use endpaper_truth::check::{
    BudgetError, CheckFinding, CheckReport, CheckRule, Consistency, CutErrors, ErrorBudget,
    LabellingProfile, ListedBooks, ValidRecord, body_lines, check_consistency, check_copies,
    check_records, cut_errors, junit, profile_of,
};

const EXAMPLES: &str = "\
Examples:
  endpaper truth check ~/gutenberg --truth labels
  endpaper truth check ~/gutenberg --truth labels --write-budget    # allow today's errors, fail when a book gets worse
  endpaper truth check ~/gutenberg --truth labels --consistency     # books decided otherwise than others like them
  endpaper truth check --records-only --format junit > report.xml

Every record is checked: its syntax, ranges, digest and book, and whether another record has the same book. Decisions on
near copies are compared by the words at their cuts, whatever their line numbers. Then the
detector runs, and its errors on each labelled book are compared with the budget: DIR/budget.tsv, or the file --budget
names. An error is the number of non-blank lines to the nearest line that is labelled or defended as an alternative.

Exit status: 0 nothing wrong (there may be warnings), 1 errors, 2 wrong use. Books that cannot be read and have no record
are named and do not change it.";

/// The budget's name in a truth folder.
const BUDGET: &str = "budget.tsv";
/// Largest budget file, in bytes: one line for each of 75,000 books takes a tenth of it.
const BUDGET_BYTES: u64 = 64 << 20;

/// Arguments of `endpaper truth check`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    folder: TruthFolder,

    /// Allowed errors of the detector, by book [default: budget.tsv in the truth folder if it exists]
    #[arg(long, value_name = "FILE")]
    budget: Option<PathBuf>,

    /// Write the present errors as the budget
    #[arg(long)]
    write_budget: bool,

    #[command(flatten)]
    force: ForceArgs,

    /// Report books decided differently from most with the same template, producer or work (a kind of block kept here and
    /// cut there, or other flags), and flags that contradict the cuts
    #[arg(long)]
    consistency: bool,

    /// Check only the records, without corpus and detector
    #[arg(long, conflicts_with_all = ["corpus", "files_from", "budget", "write_budget", "consistency"])]
    records_only: bool,

    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    format: CheckFormat,

    #[command(flatten)]
    corpus: CorpusArgs,

    #[command(flatten)]
    detector: DetectorArgs,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// One line per finding, like a compiler, and a summary
    #[default]
    Table,
    /// JUnit XML
    Junit,
    /// One JSON object per finding, then a summary
    Jsonl,
}

/// Runs `endpaper truth check`.
///
/// # Errors
///
/// Wrong use, no readable book, a truth folder that cannot be listed, an invalid budget.
pub fn run(args: &Args) -> Result<Exit> {
    let store = args.folder.open()?;
    let report = if args.records_only {
        let checked = check_records(&store, None, |_, _| CheckAnswer::default())?;
        CheckOutput::of(checked, None)
    } else {
        against_corpus(args, &store)?
    };
    report.print(args.format)?;
    Ok(if report.summary.errors > 0 {
        Exit::Partial
    } else {
        Exit::Success
    })
}

/// Checks the records against the books of the corpus, and the detector against the records.
fn against_corpus(args: &Args, store: &Store) -> Result<CheckOutput> {
    let budget = BudgetFile::read(args, store)?;
    let listing = args.corpus.list(Some(store.folder().to_owned()))?;
    let mut options = args.corpus.options()?;
    options.scan_memory = SCAN_MEMORY;
    args.detector.apply(&mut options)?;
    // Records are compared with cuts, which second opinions do not change.
    let survey = (args.corpus).analyse(&listing, &options.without_opinions())?;
    if !args.corpus.quiet {
        survey.notes.iter().for_each(|note| warn(note));
    }
    warn_of_skipped(&survey.skipped);
    let found = proposals(&survey);
    let listed_books = ListedBooks::new(&listing, options.max_size).with_sizes(&survey);
    let checked = check_records(store, Some(&listed_books), |record, text| {
        // A book that is missing in the analysis changed in between; the next check reports it.
        let cuts = found.get(record.book.as_str()).copied().unwrap_or_default();
        let alike = args.consistency && record.verdict.has_cuts();
        CheckAnswer {
            errors: cut_errors(text, record, cuts),
            profile: alike.then(|| profile_of(record, text)),
            body: body_lines(record, text),
        }
    })?;
    let differing = copies_that_differ(args, &checked.valid, &survey, &options)?;
    let made = format!(
        "detector {}, {}, endpaper {}",
        args.detector.detector.name(),
        survey.model_used,
        env!("CARGO_PKG_VERSION")
    );
    let alike = args
        .consistency
        .then(|| check_consistency(&checked.valid, |answer| answer.profile.as_ref()));
    let mut report = CheckOutput::of(checked, Some(CheckedDetector { made, budget }));
    report.findings.extend(differing);
    report.sum();
    report.with_consistency(alike).write_budget(args)
}

/// The result of checking one record against its text.
#[derive(Default)]
struct CheckAnswer {
    errors: CutErrors,
    profile: Option<LabellingProfile>,
    /// First and last line of the body.
    body: Option<(u32, u32)>,
}

/// Decisions on near copies that are cut at other words.
fn copies_that_differ(
    args: &Args,
    valid: &[ValidRecord<CheckAnswer>],
    survey: &CorpusReport,
    options: &AnalysisOptions,
) -> Result<Vec<CheckFinding>> {
    let bar = ProgressBar::new(args.corpus.quiet);
    let show = |progress| bar.show_progress(progress);
    let options = CopyOptions::of(options);
    check_copies(valid, |answer| answer.body, survey, &options, &show)
}

/// The detector's cuts by book.
fn proposals(survey: &CorpusReport) -> HashMap<&str, Cuts> {
    let books = survey.books.iter();
    books
        .map(|book| (book.book.id.as_str(), book.summary.detection.cuts))
        .collect()
}

/// The file of the errors that the detector may make, and its contents if the file exists.
struct BudgetFile {
    path: PathBuf,
    budget: Option<ErrorBudget>,
}

impl BudgetFile {
    /// Reads the budget, if the file exists.
    fn read(args: &Args, store: &Store) -> Result<BudgetFile> {
        let default = || store.folder().join(BUDGET);
        let path = args.budget.clone().unwrap_or_else(default);
        let budget = match read_text(&path, BUDGET_BYTES) {
            Ok(text) => {
                let budget = ErrorBudget::read(&text).map_err(|error| match error {
                    BudgetError::Empty => anyhow!("{error}; --write-budget makes one"),
                    BudgetError::NoHeader(_) => anyhow!(
                        "{error}; --write-budget makes one, with the columns book, start and end"
                    ),
                    BudgetError::Line { .. } => error.into(),
                });
                // Parsed even if it is rewritten: a file that is not a budget is never overwritten.
                Some(budget.with_context(|| format!("the budget '{}'", path.display()))?)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                return Err(error)
                    .with_context(|| format!("the budget '{}' cannot be read", path.display()));
            }
        };
        ensure!(
            budget.is_some() || args.budget.is_none() || args.write_budget,
            "the budget '{}' does not exist; --write-budget makes it",
            path.display()
        );
        if args.write_budget {
            args.force.check(&path)?;
        }
        Ok(BudgetFile { path, budget })
    }
}

/// The detector and the errors it may make.
struct CheckedDetector {
    made: String,
    budget: BudgetFile,
}

/// The output of the check.
struct CheckOutput {
    findings: Vec<CheckFinding>,
    files: Vec<PathBuf>,
    /// Books with cuts, the files of their records, and the detector's errors.
    labels: Vec<(String, PathBuf, CutErrors)>,
    detector: Option<CheckedDetector>,
    /// What was compared for consistency, and the results, as text.
    consistency: Option<String>,
    summary: CheckSummary,
}

/// The figures that `truth check` ends with. `worse` and `better` count the ends whose error changed from the budget.
#[derive(Clone, Debug, Default, Serialize)]
struct CheckSummary {
    records: usize,
    errors: usize,
    warnings: usize,
    /// Number of books with cuts that the detector was compared with.
    labelled: usize,
    /// Of these, books with both cuts right.
    exact: usize,
    /// Of these, books with both cuts within ten lines.
    within_10: usize,
    worse: usize,
    better: usize,
}

impl CheckOutput {
    /// The findings, and the errors of the detector in the labelled books.
    fn of(checked: CheckReport<CheckAnswer>, detector: Option<CheckedDetector>) -> CheckOutput {
        let with_cuts = checked.valid.into_iter();
        let with_cuts = with_cuts.filter(|sound| sound.record.verdict.has_cuts());
        let labels: Vec<_> = match detector {
            Some(_) => with_cuts
                .map(|sound| (sound.record.book, sound.file, sound.answer.errors))
                .collect(),
            None => Vec::new(),
        };
        let mut report = CheckOutput {
            findings: checked.findings,
            files: checked.files,
            labels,
            detector,
            consistency: None,
            summary: CheckSummary::default(),
        };
        report.compare_with_budget();
        report.sum();
        report
    }

    /// Adds the findings on consistency.
    fn with_consistency(mut self, found: Option<Consistency>) -> CheckOutput {
        if let Some(found) = found {
            let [templates, producers, works] = found.groups;
            self.consistency = Some(format!(
                "{}, {} and {} with several labelled books: {} on another side of a cut than in most, {} with other flags than most, {} in flags",
                counted(templates, "template"),
                counted(producers, "producer"),
                counted(works, "work"),
                counted(found.side_outliers, "block"),
                counted(found.flag_outliers, "book"),
                counted(found.contradictions, "contradiction"),
            ));
            self.findings.extend(found.findings);
            self.sum();
        }
        self
    }

    /// Adds a finding for each book that is worse than the budget, or better.
    fn compare_with_budget(&mut self) {
        let Some(BudgetFile {
            path,
            budget: Some(budget),
        }) = self.detector.as_ref().map(|detector| &detector.budget)
        else {
            return;
        };
        let labels = self.labels.iter();
        let labels: Vec<(&str, &Path, CutErrors)> = labels
            .map(|(book, file, errors)| (book.as_str(), file.as_path(), *errors))
            .collect();
        let held = budget.hold(path, &labels);
        self.summary.better = held.better;
        let told = held.findings.into_iter().map(|mut finding| {
            finding.message.push_str(match finding.rule {
                CheckRule::NoBudget => "; --write-budget adds it",
                CheckRule::StaleBudget => "; --write-budget leaves it out",
                _ => "",
            });
            finding
        });
        self.findings.extend(told);
    }

    /// Sums up the findings.
    fn sum(&mut self) {
        let count =
            |yes: fn(&CheckFinding) -> bool| self.findings.iter().filter(|f| yes(f)).count();
        let within = |lines: i64| {
            let near =
                |errors: &CutErrors| errors.start.abs() <= lines && errors.end.abs() <= lines;
            self.labels.iter().filter(|(_, _, e)| near(e)).count()
        };
        self.summary = CheckSummary {
            records: self.files.len(),
            errors: count(|finding| finding.rule.is_error()),
            warnings: count(|finding| !finding.rule.is_error()),
            labelled: self.labels.len(),
            exact: within(0),
            within_10: within(10),
            worse: count(|finding| finding.rule == CheckRule::Worse),
            better: self.summary.better,
        };
    }

    /// Writes the current errors as the budget. Comparisons with the old budget are dropped.
    fn write_budget(mut self, args: &Args) -> Result<CheckOutput> {
        let Some(detector) = self.detector.as_mut().filter(|_| args.write_budget) else {
            return Ok(self);
        };
        if self.labels.is_empty() {
            bail!("there is no valid record with cuts to make a budget from");
        }
        let labels = self.labels.iter();
        let budget: ErrorBudget = labels.map(|(book, _, e)| (book.clone(), *e)).collect();
        let path = &detector.budget.path;
        let text = budget.write(&detector.made);
        args.force.write(path, text.as_bytes())?;
        note(&format!("wrote the budget '{}'", path.display()));
        detector.budget.budget = Some(budget);
        self.summary.better = 0;
        self.findings
            .retain(|finding| !finding.rule.is_of_detector());
        self.sum();
        Ok(self)
    }

    /// Prints findings and summary.
    fn print(&self, format: CheckFormat) -> Result<()> {
        let mut printer = Printer::stdout();
        match format {
            CheckFormat::Table => {
                for line in self.table() {
                    printer.line(&line)?;
                }
            }
            CheckFormat::Junit => {
                let budgeted = self.labels.iter().map(|(book, ..)| book.as_str());
                let budgeted: Vec<&str> = match self.has_budget() {
                    true => budgeted.collect(),
                    false => Vec::new(),
                };
                for line in junit(&self.files, &budgeted, &self.findings).lines() {
                    printer.line(line)?;
                }
            }
            CheckFormat::Jsonl => {
                for finding in &self.findings {
                    let error = finding.rule.is_error();
                    let line = serde_json::to_string(&JsonFinding { finding, error })?;
                    printer.line(&line)?;
                }
                let summary = &self.summary;
                printer.line(&serde_json::to_string(&JsonSummary { summary })?)?;
            }
        }
        Ok(printer.finish()?)
    }

    /// Whether there is a budget.
    fn has_budget(&self) -> bool {
        let detector = self.detector.as_ref();
        detector.is_some_and(|detector| detector.budget.budget.is_some())
    }

    /// The lines of the table.
    fn table(&self) -> Vec<String> {
        // A message may contain untrusted input, but stays on one line.
        let one_line = |finding: &CheckFinding| finding.to_string().replace('\n', "\u{240a}");
        let mut lines: Vec<String> = self.findings.iter().map(one_line).collect();
        let summary = &self.summary;
        lines.push(format!(
            "{}: {}, {}",
            counted(summary.records, "record"),
            counted(summary.errors, "error"),
            counted(summary.warnings, "warning")
        ));
        lines.extend(self.consistency.clone());
        if let Some(detector) = self.detector.as_ref().filter(|_| summary.labelled > 0) {
            let share = |part: usize| part as f64 * 100.0 / summary.labelled as f64;
            lines.push(format!(
                "{}: both cuts right in {} of {} labelled books ({:.1} %), within 10 lines in {} ({:.1} %)",
                detector.made,
                summary.exact,
                summary.labelled,
                share(summary.exact),
                summary.within_10,
                share(summary.within_10)
            ));
            let path = detector.budget.path.display();
            lines.push(match detector.budget.budget {
                Some(_) => format!(
                    "budget '{path}': {} worse, {} better",
                    summary.worse, summary.better
                ),
                None => format!("no budget '{path}'; --write-budget makes it"),
            });
        }
        lines
    }
}

/// `1 record`, `2 records`.
fn counted(number: usize, thing: &str) -> String {
    format!("{} {}", thousands(number), plural(number, thing))
}

/// A finding, as a JSON object.
#[derive(Serialize)]
struct JsonFinding<'a> {
    #[serde(flatten)]
    finding: &'a CheckFinding,
    error: bool,
}

/// The figures at the end, as a JSON object.
#[derive(Serialize)]
struct JsonSummary<'a> {
    summary: &'a CheckSummary,
}
