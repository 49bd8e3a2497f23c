//! `endpaper strip --check`: checks the bodies.

use anyhow::{Result, ensure};

use super::args::{Args, StripFormat};
use endpaper_command::Exit;
use endpaper_command::common::exit_after_skips;
use endpaper_command::output::{Printer, note, warn};
use endpaper_detect::pipeline::{CorpusReport, ModelChoice, ModelSource};
use endpaper_text::corpus::{self, ListingRequest, Skipped, Unreadable};
use endpaper_text::sanitise::sanitise;
use endpaper_text::wording::thousands;
use endpaper_truth::strip::Manifest;
use endpaper_truth::strip::check::{
    LintFinding, SUPPRESSIONS, Suppressions, check_bodies, select_bodies,
};

/// Runs `endpaper strip --check`.
pub(super) fn run(args: &Args) -> Result<Exit> {
    ensure!(
        args.corpus.corpus.is_empty() && args.corpus.files_from.is_none(),
        "--check looks at the bodies in --out; leave the corpus away, --include and --exclude choose among them"
    );
    ensure!(
        args.out.is_dir(),
        "'{}' is not a folder; create it with `endpaper strip CORPUS --out`",
        args.out.display()
    );
    let manifest = Manifest::read(&args.out)?;
    let place = args.suppressions.clone();
    let suppressions = Suppressions::read(&place.unwrap_or(args.out.join(SUPPRESSIONS)))?;
    let whole = args.corpus.include.is_empty() && args.corpus.exclude.is_empty();
    let report = analyse_bodies(args, &manifest, whole)?;
    let threshold = args.detector.threshold()?;
    let max_size = args.corpus.options()?.max_size;
    let all = check_bodies(&args.out, &report, &manifest, threshold, max_size, whole);
    let mut findings = all.clone();
    let accepted = suppressions.take(&mut findings);
    print(args.format, &findings)?;
    let clean = match &args.suppress {
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
fn analyse_bodies(args: &Args, manifest: &Manifest, whole: bool) -> Result<CorpusReport> {
    let request = ListingRequest {
        roots: vec![args.out.clone()],
        ..args.corpus.request(None)
    };
    let mut listing = match corpus::list(&request) {
        Ok(listing) => listing,
        // The names of all bodies may be ones that a listing does not take for books.
        Err(_) if whole && !manifest.is_empty() => corpus::Listing::default(),
        Err(error) => return Err(error),
    };
    select_bodies(&args.out, manifest, &mut listing, whole);
    let mut options = args.corpus.options()?;
    options.keep_scans = true;
    let mut detector = args.detector.clone();
    // Bodies are checked by their cuts, which second opinions do not change.
    detector.no_opinions = true;
    if detector.model == ModelChoice::Auto {
        detector.model = ModelSource::BuiltIn.into();
    }
    super::analysis::analyse(args, &detector, None, &listing, options)
}

/// Prints the findings.
fn print(format: StripFormat, findings: &[LintFinding]) -> Result<()> {
    let mut printer = Printer::stdout();
    for finding in findings {
        match format {
            StripFormat::Text => printer.line(&sanitise(&finding.to_string()))?,
            StripFormat::Jsonl => printer.line(&serde_json::to_string(finding)?)?,
        }
    }
    Ok(printer.finish()?)
}

/// Reports the numbers of findings, files and bodies.
fn report_findings(args: &Args, report: &CorpusReport, findings: &[LintFinding], accepted: usize) {
    let mut files: Vec<&str> = findings.iter().map(|f| f.file.as_str()).collect();
    files.dedup();
    let [found, files, bodies] =
        [findings.len(), files.len(), report.books.len()].map(|count| thousands(count as u64));
    let what = if args.suppress.is_some() {
        "findings recorded as accepted"
    } else {
        "findings"
    };
    note(&format!(
        "{found} {what} in {files} files, {bodies} bodies checked, {accepted} findings accepted before, with {}",
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
