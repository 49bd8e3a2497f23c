//! What a certificate says. Its dates are those of the reviews: the same sample gives the same certificate on every day.

use serde_json::{Value, json};

use super::{
    BookSample, Inspection, InspectionSide, Inspections, ReviewerError, SampleOutcome, SamplePlan,
    percent,
};
use crate::{Proportion, SequentialVerdict, max_bad};
use endpaper_text::wording::{plural, thousands};

/// A certificate of a release: all that it prints of a sample of books and of what its inspection proves.
#[derive(Debug)]
pub struct Certificate<'a> {
    /// The sample that was drawn.
    pub sample: &'a BookSample,
    /// The inspections of its books.
    pub inspections: &'a Inspections,
    /// The result under the sampling plan: accepted, rejected or undecided, and the bad books seen.
    pub outcome: SampleOutcome,
    /// Digest of the model.
    pub model: String,
    /// Name and version of the detector.
    pub detector: String,
    /// Digest of its weights, if it has any.
    pub weights: Option<String>,
    /// The policy of its cuts.
    pub policy: String,
}

/// The bad books of a sample, and the bound on those of the population that follows from them.
struct BadBookBound {
    side: InspectionSide,
    seen: Proportion,
    /// Upper bound on the bad books of the population.
    max_bad: u64,
    /// The same with the reviewer's own error; `None` without controls and blind second looks.
    adjusted_max_bad: Option<u64>,
}

impl Certificate<'_> {
    /// The looks that count: for a sequential plan those up to its decision.
    fn counted_inspections(&self) -> impl Iterator<Item = (&str, &Inspection)> {
        let counted = match self.sample.plan {
            SamplePlan::Sequential { .. } => self.outcome.seen.total as usize,
            _ => usize::MAX,
        };
        let ids = self.sample.books.iter().map(|book| book.id.as_str());
        let features = ids.zip(&self.inspections.by_book).take(counted);
        features.filter_map(|(id, look)| Some((id, look.as_ref()?)))
    }

    /// What is known of the curator's own error.
    fn own_error(&self) -> ReviewerError {
        let missed = self.inspections.control_error(self.sample.tolerated);
        missed.combined_with(self.inspections.reviewer_error)
    }

    /// The bad books seen, and the bound on those of the population, for each kind of error.
    fn bounds(&self) -> Vec<BadBookBound> {
        let own = self.own_error();
        let (population, confidence) = (self.sample.population, self.sample.plan.confidence());
        let most = |seen| max_bad(population, seen, confidence).unwrap_or(population);
        let each = InspectionSide::ALL.iter().enumerate().map(|(at, &side)| {
            let mut seen = Proportion::default();
            for (_, look) in self.counted_inspections() {
                seen.add(look.is_bad(side, self.sample.tolerated));
            }
            let measured = own.disagreement_rates[at].total > 0;
            BadBookBound {
                side,
                seen,
                max_bad: most(seen),
                adjusted_max_bad: measured.then(|| most(own.adjust_for_reviewer_error(side, seen))),
            }
        });
        each.collect()
    }

    /// `n books drawn at random, x bad, so at most p % of this release is bad at 95 %`.
    fn sentence(&self, bounds: &[BadBookBound]) -> String {
        let Some(bound) = bounds.first() else {
            return String::new();
        };
        let (of, hits) = (bound.seen.total, bound.seen.hits);
        let drawn = format!(
            "{} {} drawn at random, {} bad",
            thousands(of),
            plural(of as usize, self.sample.unit_name()),
            thousands(hits)
        );
        match self.sample.plan {
            SamplePlan::Sequential { good, bad, risk } => match self.outcome.verdict {
                SequentialVerdict::Accepted => format!(
                    "{drawn}: accepted by a sequential test that accepts a release of which {} % is bad with a probability of at most {} %.",
                    percent(bad),
                    percent(risk)
                ),
                _ => format!(
                    "{drawn}: rejected by a sequential test that rejects a release of which {} % is bad with a probability of at most {} %.",
                    percent(good),
                    percent(risk)
                ),
            },
            plan => format!(
                "{drawn}, so at most {} % of this release is bad at {} %.",
                self.share(bound.max_bad),
                percent(plan.confidence())
            ),
        }
    }

    /// Rounded up: "at most" must stay true.
    fn share(&self, books: u64) -> String {
        let share = books as f64 / self.sample.population.max(1) as f64;
        percent((share * 10_000.0 - 1e-9).ceil() / 10_000.0)
    }

    /// The dates of the first and the last counted review.
    fn dates(&self) -> [String; 2] {
        let mut dates: Vec<&str> = self
            .counted_inspections()
            .map(|(_, look)| look.at.as_str())
            .collect();
        dates.sort_unstable();
        let end = |date: Option<&&str>| date.map_or_else(String::new, |date| (*date).to_owned());
        [end(dates.first()), end(dates.last())]
    }

    /// The names of the curators who reviewed, sorted.
    fn curators(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .counted_inspections()
            .map(|(_, look)| look.by.clone())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The number of counted inspections for which `yes` holds.
    fn count(&self, yes: impl Fn(&Inspection) -> bool) -> usize {
        self.counted_inspections()
            .filter(|(_, look)| yes(look))
            .count()
    }

    /// What a reader should know besides.
    fn notes(&self) -> Vec<String> {
        let books = |count: usize| format!("{} {}", thousands(count as u64), plural(count, "book"));
        let facts = [
            (
                self.count(|look| look.reviewed),
                "had been decided by a curator before the sample was inspected; for those the decision was judged, for the others the detection.",
            ),
            (
                self.count(|look| look.detection_changed),
                "of the sample have other detected cuts now than when they were inspected; the current cuts were judged. If the detector was changed because of this sample, draw a new one.",
            ),
            (
                self.count(|look| look.opinion_changed),
                "got a second opinion that differs from the first one; the last that was blind was judged, and the records hold all.",
            ),
            (
                self.count(|look| !look.blind),
                "were judged with the proposed cuts in sight, which finds fewer bad ones.",
            ),
            (
                self.count(|look| look.undecidable),
                "are undecidable and count as bad.",
            ),
        ];
        let facts = facts.iter().filter(|(count, _)| *count > 0);
        let facts = facts.map(|(count, fact)| format!("{} {fact}", books(*count)));
        let mut notes: Vec<String> = facts.collect();
        if !self.sample.strata.is_empty() {
            notes.push(format!(
                "Drawn by {} in proportion, from {} parts; the bounds are those of a plain sample, which errs on the safe side.",
                self.sample.by,
                thousands(self.sample.strata.len() as u64)
            ));
        }
        if self.sample.works {
            notes.push(
                "One book of each work could be drawn: shares are shares of works.".to_owned(),
            );
        }
        let missed = self
            .inspections
            .control_error(self.sample.tolerated)
            .disagreement_rates[0];
        let differ = self.inspections.reviewer_error.disagreement_rates[0];
        let parts = [
            (
                missed,
                "control books were found to begin or end elsewhere than their known cuts",
            ),
            (differ, "blind second looks differ from the first"),
        ];
        let parts = parts.iter().filter(|(own, _)| own.total > 0);
        let parts: Vec<String> = parts
            .map(|(own, what)| {
                format!("{} of {} {what}", thousands(own.hits), thousands(own.total))
            })
            .collect();
        if !parts.is_empty() {
            notes.push(format!(
                "{}; widened bounds take the same share of the books found good to be missed. The verdict is the plan's, on what was found.",
                parts.join(", ")
            ));
        }
        if let SamplePlan::Sequential { .. } = self.sample.plan {
            notes.push(
                "Bounds are those of a sample of fixed size and read a little low after a test that stops early; the verdict holds as it says."
                    .to_owned(),
            );
        }
        notes
    }

    /// The certificate as YAML: every value is JSON, which YAML reads unchanged.
    pub fn yaml(&self) -> String {
        let bounds = self.bounds();
        let [first, last] = self.dates();
        let all = [
            ("schema", json!(1)),
            ("statement", json!(self.sentence(&bounds))),
            ("verdict", json!(self.outcome.verdict)),
            ("corpus", json!(self.sample.corpus)),
            ("truth", json!(self.inspections.truth_digest)),
            ("sample", json!(self.sample.digest())),
            ("seed", json!(self.sample.seed)),
            ("population", json!(self.sample.population)),
            ("unit", json!(self.sample.unit_name())),
            ("plan", json!(self.sample.plan)),
            ("detector", json!(self.detector)),
            ("model", json!(self.model)),
            ("weights", json!(self.weights)),
            ("policy", json!(self.policy)),
            ("first_review", json!(first)),
            ("last_review", json!(last)),
            ("curators", json!(self.curators())),
            (
                "tolerated_lines",
                json!({"loss": self.sample.tolerated[0], "leak": self.sample.tolerated[1]}),
            ),
            ("confidence", json!(self.sample.plan.confidence())),
        ];
        let mut text = "# endpaper certificate\n".to_owned();
        for (key, value) in all {
            text.push_str(&format!("{key}: {value}\n"));
        }
        text.push_str("bounds:\n");
        for bound in &bounds {
            let share = |books: u64| books as f64 / self.sample.population.max(1) as f64;
            let value = json!({
                "bad": bound.seen.hits,
                "of": bound.seen.total,
                "at_most": bound.max_bad,
                "at_most_share": share(bound.max_bad),
                "widened": bound.adjusted_max_bad,
                "widened_share": bound.adjusted_max_bad.map(share),
            });
            text.push_str(&format!("  {}: {value}\n", bound.side.name()));
        }
        let differ = self.inspections.reviewer_error.disagreement_rates[0];
        let missed = self
            .inspections
            .control_error(self.sample.tolerated)
            .disagreement_rates[0];
        for (name, own) in [("planted", missed), ("second_looks", differ)] {
            let value = json!({"differ": own.hits, "of": own.total});
            text.push_str(&format!("{name}: {value}\n"));
        }
        let list = |text: &mut String, key: &str, values: Vec<Value>| {
            let colon = if values.is_empty() { ": []" } else { ":" };
            text.push_str(&format!("{key}{colon}\n"));
            for value in values {
                text.push_str(&format!("  - {value}\n"));
            }
        };
        list(&mut text, "bad_books", self.bad_books());
        list(
            &mut text,
            "notes",
            self.notes().into_iter().map(Value::from).collect(),
        );
        text
    }

    /// The bad books with the lines that each loses and leaks, as JSON.
    fn bad_books(&self) -> Vec<Value> {
        let bad = self
            .counted_inspections()
            .filter(|(_, look)| look.is_bad(InspectionSide::Either, self.sample.tolerated));
        bad.map(|(id, look)| {
            json!({"id": id, "loss": look.loss, "leak": look.leak, "undecidable": look.undecidable})
        })
        .collect()
    }

    /// The certificate as Markdown.
    pub fn markdown(&self) -> String {
        let bounds = self.bounds();
        let verdict = match self.outcome.verdict {
            SequentialVerdict::Accepted => "accepted",
            SequentialVerdict::Rejected => "rejected",
            SequentialVerdict::Continue => "continue",
        };
        let mut lines = vec![
            "# Certificate of a release".to_owned(),
            String::new(),
            format!("**{verdict}.** {}", self.sentence(&bounds)),
            String::new(),
        ];
        lines.extend(self.table(&bounds));
        lines.push(String::new());
        lines.extend(self.facts());
        lines.extend(self.notes().into_iter().map(|note| format!("- {note}")));
        lines.extend(self.bad_in_words());
        lines.push(String::new());
        lines.join("\n")
    }

    /// The bounds as a table.
    fn table(&self, bounds: &[BadBookBound]) -> Vec<String> {
        let percent_of = percent(self.sample.plan.confidence());
        let mut lines = vec![
            format!(
                "| bad for | seen | at most, at {percent_of} % | in % | with the curator's own error |"
            ),
            "| --- | ---: | ---: | ---: | ---: |".to_owned(),
        ];
        for bound in bounds {
            let widened = bound.adjusted_max_bad.map_or_else(
                || "not measured".to_owned(),
                |most| format!("{} ({} %)", thousands(most), self.share(most)),
            );
            lines.push(format!(
                "| {} | {} of {} | {} of {} | {} | {widened} |",
                bound.side.name(),
                thousands(bound.seen.hits),
                thousands(bound.seen.total),
                thousands(bound.max_bad),
                thousands(self.sample.population),
                self.share(bound.max_bad),
            ));
        }
        lines
    }

    /// What was drawn, from what, and who examined it when.
    fn facts(&self) -> Vec<String> {
        let sample = self.sample;
        let [first, last] = self.dates();
        let [loss, leak] = sample.tolerated;
        vec![
            format!(
                "- Plan: {}.",
                sample.plan.in_words(sample.books.len() as u64)
            ),
            format!(
                "- Bad: more than {loss} {} of the book lost, or more than {leak} {} of boilerplate left.",
                plural(loss as usize, "line"),
                plural(leak as usize, "line")
            ),
            format!(
                "- Sample: {} of {} {}, seed {}, digest {}.",
                thousands(sample.books.len() as u64),
                thousands(sample.population),
                plural(sample.population as usize, sample.unit_name()),
                sample.seed,
                sample.digest()
            ),
            format!("- Corpus: digest {}.", sample.corpus),
            format!("- Ground truth: digest {}.", self.inspections.truth_digest),
            format!(
                "- Detector: {}, model {}, weights {}, policy {}.",
                self.detector,
                self.model,
                self.weights.as_deref().unwrap_or("none"),
                self.policy
            ),
            format!(
                "- Looked at from {first} to {last} by {}.",
                self.curators().join(", ")
            ),
        ]
    }

    /// A list of the bad books, if there are any.
    fn bad_in_words(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let bad = self.bad_books();
        if !bad.is_empty() {
            lines.extend([String::new(), "Bad books:".to_owned(), String::new()]);
            lines.extend(bad.iter().map(|book| {
                let what = match book["undecidable"].as_bool() {
                    Some(true) => "undecidable".to_owned(),
                    _ => format!("{} lines lost, {} left", book["loss"], book["leak"]),
                };
                format!("- `{}`: {what}", book["id"].as_str().unwrap_or_default())
            }));
        }
        lines
    }
}
