//! Prints all figures as JSON: one object for each book and detector, then one for each detector and part.

use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::{Value, json};

use endpaper_command::output::Printer;
use endpaper_evaluate::report::EvaluationReport;
use endpaper_evaluate::{BookErrors, CONFIDENCE, MetricsSummary, NEAR, Proportion, window_metrics};

/// Prints all objects; `kind` distinguishes them.
pub(super) fn print(report: &EvaluationReport, out: &mut Printer) -> Result<()> {
    for scored in &report.systems {
        for (book, errors) in &scored.errors {
            let value = of_book(&scored.name, &report.books[*book], errors);
            out.line(&value.to_string())?;
        }
    }
    for scored in &report.systems {
        let mut value = of_summary("detector", &scored.name, &scored.summary);
        value["note"] = json!(scored.note);
        value["weighted"] = json!(report.weighted(scored).map(|shares| {
            let names = ["exact", "exact_or_defended"].map(str::to_owned);
            let names = names
                .into_iter()
                .chain(NEAR.map(|lines| format!("within_{lines}")));
            let shares = shares
                .map(|weighted| json!({"share": weighted.share, "wilson": weighted.interval}));
            names.zip(shares).collect::<BTreeMap<_, _>>()
        }));
        value["drawn"] = json!(report.draws.counts);
        value["estimates_corpus"] = json!(report.draws.estimates_corpus());
        value["left_out"] = json!({
            "wrong": report.left_out.wrong_records,
            "without_cuts": report.left_out.without_cuts,
            "open": report.left_out.drafts,
            "other_policy": report.left_out.other_policy,
        });
        out.line(&value.to_string())?;
    }
    for (name, summary) in &report.groups {
        out.line(&of_summary("part", name, summary).to_string())?;
    }
    Ok(())
}

/// The errors of a detector in a book.
fn of_book(detector: &str, book: &str, errors: &BookErrors) -> Value {
    let [label, found] = errors.cuts;
    let [has, detected] = errors.epilogue;
    json!({
        "kind": "book",
        "detector": detector,
        "book": book,
        "labelled": {"preamble_end": label.preamble_end, "epilogue_start": label.epilogue_start},
        "detected": {"preamble_end": found.preamble_end, "epilogue_start": found.epilogue_start},
        "doubt": errors.doubt,
        "start": errors.ends[0],
        "end": errors.ends[1],
        "loss": errors.loss,
        "leak": errors.leak,
        "epilogue": {"labelled": has, "detected": detected},
        "windows": window_metrics(errors),
    })
}

/// The figures of a detector (`kind`, `name`: over which books).
fn of_summary(kind: &str, name: &str, summary: &MetricsSummary) -> Value {
    let marks = |marks: &endpaper_evaluate::CutAccuracy| {
        json!({
            "exact": share(marks.exact),
            "exact_or_defended": share(marks.defended),
            "within": NEAR.iter().zip(marks.near).map(|(lines, near)| {
                json!({"lines": lines, "books": share(near)})
            }).collect::<Vec<_>>(),
        })
    };
    let [[neither, invented], [missed, found]] = summary.epilogue;
    json!({
        "kind": kind,
        "name": name,
        "books": summary.books,
        "both": marks(&summary.both),
        "start": marks(&summary.ends[0]),
        "end": marks(&summary.ends[1]),
        "within_10_percent_of_boilerplate": share(summary.tenth_of_boilerplate),
        "within_10_percent_of_file": share(summary.tenth_of_file),
        "loss": summary.loss,
        "leak": summary.leak,
        "epilogue": {"found": found, "missed": missed, "invented": invented, "neither": neither},
        "boundary_similarity": summary.boundary.similarity(),
        "boundary_edits": summary.boundary,
        "pk": summary.windows.map(|[pk, _]| pk),
        "window_diff": summary.windows.map(|[_, diff]| diff),
        "windows_note": "means over books; the window is half the mean segment of the label; n - k + 1 windows, as nltk has it",
    })
}

/// A proportion with both intervals at 95 %.
fn share(share: Proportion) -> Value {
    json!({
        "hits": share.hits,
        "of": share.total,
        "share": share.share(),
        "wilson": share.wilson(CONFIDENCE),
        "clopper_pearson": share.clopper_pearson(CONFIDENCE),
    })
}
