//! `endpaper strip check`: checks the bodies.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use crate::detector::DetectorArgs;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, exit_after_skips, list_books};
use endpaper_command::output::{OutputFormat, Printer, note, warn};
use endpaper_detect::pipeline::{CorpusReport, ModelChoice, ModelSource};
use endpaper_text::cells::escaped;
use endpaper_text::corpus::{self, ListingRequest, Skipped, Unreadable};
use endpaper_text::sanitise::sanitise;
use endpaper_text::wording::counted;
use endpaper_truth::strip::Manifest;
use endpaper_truth::strip::check::{
    LintFinding, SUPPRESSIONS, Suppressions, check_bodies, select_bodies,
};

const EXAMPLES: &str = "\
Examples:
  endpaper strip check bodies
  endpaper strip check bodies --include 40815.txt --accept-all 'a history of printing'

Looks for boilerplate left near the ends of bodies, for empty, tiny and oddly sized bodies, and for files that differ from the
manifest that `endpaper strip` wrote into the folder. It uses the built-in model, or the one that --model names. The table has
a line file:line: rule: message for each finding; columns of tsv and keys of jsonl: file, line, rule, message, text.

Nothing is written without --accept-all: it adds all findings, with the reason, to endpaper-accepted.tsv (columns file, rule,
text, why; * matches every file or text; # begins a comment). Accepted findings are not reported again.

Exit status: 0 fine, 1 something was found or some bodies could not be read, 2 wrong use.";

/// Arguments of `endpaper strip check`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("corpus", |folder| folder.value_name("BODIES").help("The folder of bodies")),
    mut_arg("files_from", |list| list.hide(true))
)]
pub(super) struct Args {
    /// Accept every finding from now on, with this reason
    #[arg(long, value_name = "WHY")]
    accept_all: Option<String>,

    /// The file of accepted findings [default: endpaper-accepted.tsv in the folder]
    #[arg(long, value_name = "FILE")]
    accepted: Option<PathBuf>,

    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    format: OutputFormat,

    #[command(flatten)]
    corpus: CorpusArgs,

    #[command(flatten)]
    detector: DetectorArgs,
}

impl Args {
    /// The folder of bodies.
    fn folder(&self) -> Result<&Path> {
        let ([folder], None) = (self.corpus.corpus.as_slice(), &self.corpus.files_from) else {
            bail!("name one folder of bodies; --include and --exclude choose among them");
        };
        ensure!(
            !folder.exists() || folder.is_dir(),
            "'{}' is a file; name the folder that `endpaper strip CORPUS --out` wrote",
            folder.display()
        );
        ensure!(
            folder.is_dir(),
            "'{}' is not a folder; create it with `endpaper strip CORPUS --out`",
            folder.display()
        );
        Ok(folder)
    }
}

/// Runs `endpaper strip check`.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let folder = args.folder()?;
    let manifest = Manifest::read(folder)?;
    let accepted = args.accepted.clone();
    let suppressions = Suppressions::read(&accepted.unwrap_or(folder.join(SUPPRESSIONS)))?;
    let whole = args.corpus.include.is_empty() && args.corpus.exclude.is_empty();
    let report = analyse_bodies(args, folder, &manifest, whole)?;
    let threshold = args.detector.threshold()?;
    let max_size = args.corpus.options()?.max_size;
    let all = check_bodies(folder, &report, &manifest, threshold, max_size, whole);
    let mut findings = all.clone();
    let accepted = suppressions.take(&mut findings);
    print(args.format, &findings)?;
    let clean = match &args.accept_all {
        Some(why) => {
            suppressions.accept(&findings, why)?;
            true
        }
        None => findings.is_empty(),
    };
    if !args.corpus.quiet {
        report_findings(args, &report, &findings, accepted);
        if whole {
            warn_of_unused(&suppressions, &all);
        }
        if manifest.is_empty() {
            warn("there is no manifest: sources and changes cannot be checked");
        }
    }
    for wrong in &suppressions.wrong {
        warn(wrong);
    }
    let exit = exit_after_skips(&unreadable(&report));
    Ok(if clean && suppressions.wrong.is_empty() {
        exit
    } else {
        Exit::Partial
    })
}

/// Analyses the bodies, with the built-in model unless another is named: boilerplate is gone from the bodies, so their own counts do
/// not contain it.
fn analyse_bodies(
    args: &Args,
    folder: &Path,
    manifest: &Manifest,
    whole: bool,
) -> Result<CorpusReport> {
    let request = ListingRequest {
        roots: vec![folder.to_owned()],
        ..args.corpus.request(None)
    };
    let mut listing = match list_books(&request) {
        Ok(listing) => listing,
        // The names of all bodies may be ones that a listing does not take for books.
        Err(_) if whole && !manifest.is_empty() => corpus::Listing::default(),
        Err(error) => return Err(error),
    };
    select_bodies(folder, manifest, &mut listing, whole);
    let mut options = args.corpus.options()?;
    options.keep_scans = true;
    let mut detector = args.detector.clone();
    // Bodies are checked by their cuts, which second opinions do not change.
    detector.no_opinions = true;
    if detector.model == ModelChoice::Auto {
        detector.model = ModelSource::BuiltIn.into();
    }
    super::analysis::analyse(&args.corpus, &detector, None, &listing, options)
}

/// Prints the findings.
fn print(format: OutputFormat, findings: &[LintFinding]) -> Result<()> {
    let mut printer = Printer::stdout();
    if format == OutputFormat::Tsv {
        printer.line("file\tline\trule\tmessage\ttext")?;
    }
    for finding in findings {
        match format {
            OutputFormat::Table => printer.line(&sanitise(&finding.to_string()))?,
            OutputFormat::Tsv => printer.line(&tsv_line(finding))?,
            OutputFormat::Jsonl => printer.line(&serde_json::to_string(finding)?)?,
        }
    }
    Ok(printer.finish()?)
}

/// A finding as a line of TSV.
fn tsv_line(finding: &LintFinding) -> String {
    format!(
        "{}\t{}\t{}\t{}\t{}",
        escaped(&finding.file),
        finding.line,
        finding.rule,
        escaped(&finding.message),
        escaped(&finding.text)
    )
}

/// Reports the numbers of findings, files and bodies.
fn report_findings(args: &Args, report: &CorpusReport, findings: &[LintFinding], accepted: usize) {
    let mut files: Vec<&str> = findings.iter().map(|f| f.file.as_str()).collect();
    files.dedup();
    let recorded = match args.accept_all {
        Some(_) => " recorded as accepted",
        None => "",
    };
    note(&format!(
        "{}{recorded} in {}, {} checked, {} accepted before, with {}",
        counted(findings.len() as u64, "finding", "findings"),
        counted(files.len() as u64, "file", "files"),
        counted(report.books.len() as u64, "body", "bodies"),
        counted(accepted as u64, "finding", "findings"),
        report.model_used
    ));
}

/// Warns of suppressions that accept nothing.
fn warn_of_unused(suppressions: &Suppressions, all: &[LintFinding]) {
    let idle = suppressions.idle(all);
    if !idle.is_empty() {
        let numbers: Vec<String> = idle.iter().map(usize::to_string).collect();
        warn(&format!(
            "accepted findings that no longer occur: {}",
            numbers.join(", ")
        ));
    }
}

/// Bodies that could not be read. An empty file is a finding instead.
fn unreadable(report: &CorpusReport) -> Vec<Skipped> {
    let skipped = report.skipped.iter();
    let skipped = skipped.filter(|skipped| skipped.reason != Unreadable::Empty);
    skipped.cloned().collect()
}
