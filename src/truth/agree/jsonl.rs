//! Agreement as JSON lines.

use std::collections::HashMap;

use anyhow::Result;
use serde_json::{Value, json};

use super::pair::SidePair;
use endpaper_command::output::Printer;
use endpaper_evaluate::agree::{
    AgreementTally, BookFacts, Disagreement, EndTally, LIMITS, SideAgreement, SideMatching, alphas,
};
use endpaper_evaluate::{CONFIDENCE, INFLATION_NOTE, Proportion};

impl SidePair<'_> {
    /// Prints an object of the pair, then one of each template and of each disagreement.
    pub fn print_jsonl(&self, out: &mut Printer, near: u64) -> Result<()> {
        let SideAgreement {
            status: standing,
            cuts,
            without_text,
            ..
        } = self.agreement;
        let [a, b] = self.sides;
        let pair = json!({
            "kind": "pair", "a": a, "b": b,
            "books": standing.total,
            "same_verdict": proportion(*standing),
            "with_cuts": cuts.books(),
            "without_text": without_text,
            "near": near,
            "cuts": tally(cuts),
            "kappa_verdicts": self.agreement.kappa_of_verdicts(),
            "kappa_lines": self.agreement.kappa_of_lines(),
            "note": INFLATION_NOTE,
        });
        out.line(&pair.to_string())?;
        for (template, producer, counted) in self.templates() {
            let id = format!("{:016x}", template.0);
            let object = json!({
                "kind": "template", "a": a, "b": b, "template": id, "hand": producer,
                "books": counted.books(), "cuts": tally(counted),
            });
            out.line(&object.to_string())?;
        }
        for Disagreement {
            book,
            opinions,
            distances,
        } in &self.agreement.disagreements
        {
            let said =
                opinions.map(|opinion| json!({"standing": opinion.status, "cuts": opinion.cuts}));
            let apart = distances.map(|(start, end)| json!({"start": start, "end": end}));
            let object =
                json!({"kind": "book", "a": a, "b": b, "book": book, "said": said, "apart": apart});
            out.line(&object.to_string())?;
        }
        Ok(())
    }
}

/// A share with its confidence interval.
fn proportion(seen: Proportion) -> Value {
    json!({"hits": seen.hits, "of": seen.total, "share": seen.share(), "wilson": seen.wilson(CONFIDENCE)})
}

/// The figures of cuts.
fn tally(tally: &AgreementTally) -> Value {
    let end = |end: &EndTally| {
        let within = LIMITS.iter().zip(end.within);
        let within: serde_json::Map<String, Value> = within
            .map(|(limit, seen)| (limit.to_string(), proportion(seen)))
            .collect();
        json!({"within": within, "boundary_similarity": end.boundary_similarity()})
    };
    json!({"start": end(&tally.start), "end": end(&tally.end), "both": end(&tally.both)})
}

/// Figures over all sides of a match together.
pub(super) fn all_sides(found: &SideMatching, known: &HashMap<String, BookFacts>) -> Value {
    let [verdicts, lines] = alphas(found, known);
    json!({
        "kind": "all", "sides": found.sides, "books": found.cases.len(),
        "alpha_verdicts": verdicts, "alpha_lines": lines, "note": INFLATION_NOTE,
    })
}
