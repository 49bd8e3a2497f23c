//! Agreement as tables.

use anyhow::Result;

use super::pair::SidePair;
use endpaper_command::output::Printer;
use endpaper_detect::Cuts;
use endpaper_evaluate::agree::{
    AgreementTally, Disagreement, EndTally, LIMITS, ReviewOutcome, SideAgreement, SideReview,
};
use endpaper_evaluate::{CONFIDENCE, Interval, Proportion};
use endpaper_text::scan::Template;

/// Most templates shown; the others are summed up in one row.
const TEMPLATES: usize = 12;

impl SidePair<'_> {
    /// Prints everything in at most 80 columns, except long names.
    pub fn print_table(&self, out: &mut Printer, list: bool) -> Result<()> {
        let SideAgreement {
            status: standing,
            cuts,
            ..
        } = self.agreement;
        let [a, b] = self.sides;
        out.line(&format!(
            "{a} and {b}: {} books decided by both",
            standing.total
        ))?;
        out.line(&format!("  {:<20} {}", "same verdict, %", share(*standing)))?;
        if cuts.books() > 0 {
            out.line(&format!(
                "  of {} books with cuts by both, {}:",
                cuts.books(),
                self.unit()
            ))?;
            out.line(&format!("  {:<20} {:<19} {:<19} both", "%", "start", "end"))?;
            print_cuts(out, cuts)?;
        }
        self.print_templates(out)?;
        if list {
            out.line("  decided differently:")?;
            for book in &self.agreement.disagreements {
                out.line(&format!("    {}", disagreement_line(book)))?;
            }
        }
        Ok(())
    }

    /// The unit of distances.
    fn unit(&self) -> String {
        match self.agreement.without_text {
            0 => "in non-blank lines".to_owned(),
            all if all == self.agreement.cuts.books() => {
                "in lines (--corpus counts non-blank ones)".to_owned()
            }
            some => format!(
                "in non-blank lines, {some} of them in lines because their texts are not available"
            ),
        }
    }

    /// Prints the agreement by template.
    fn print_templates(&self, out: &mut Printer) -> Result<()> {
        let templates = self.templates();
        if templates.is_empty() {
            return Ok(());
        }
        out.line("  by template:")?;
        out.line(&format!(
            "  {:<6} {:<28} {:<19} end",
            "books", "hand", "start exact, %"
        ))?;
        for (template, producer, tally) in templates.iter().take(TEMPLATES) {
            let producer = match (producer, *template == Template::default()) {
                (_, true) => "(no marker)",
                (Some(producer), _) => producer,
                (None, _) => "-",
            };
            let producer: String = producer.chars().take(28).collect();
            let (start, end) = (share(tally.start.exact()), share(tally.end.exact()));
            out.line(&format!(
                "  {:>5}  {producer:<28} {start:<19} {end}",
                tally.books()
            ))?;
        }
        if let Some(rest) = templates.get(TEMPLATES..).filter(|rest| !rest.is_empty()) {
            let books: u64 = rest.iter().map(|(_, _, tally)| tally.books()).sum();
            out.line(&format!(
                "  {books:>5}  in {} other templates (all are in jsonl)",
                rest.len()
            ))?;
        }
        Ok(())
    }
}

/// Prints how often cuts are within each limit.
fn print_cuts(out: &mut Printer, cuts: &AgreementTally) -> Result<()> {
    let ends = [&cuts.start, &cuts.end, &cuts.both];
    for (at, limit) in LIMITS.iter().enumerate() {
        let name = match limit {
            0 => "exact".to_owned(),
            1 => "within 1 line".to_owned(),
            limit => format!("within {limit} lines"),
        };
        let [start, end, both] = ends.map(|end| share(end.within[at]));
        out.line(&format!("  {name:<20} {start:<19} {end:<19} {both}"))?;
    }
    let similarity = |end: &EndTally| end.boundary_similarity().unwrap_or_default();
    let [start, end, both] = ends.map(|end| format!("{:.4}", similarity(end)));
    out.line(&format!(
        "  {:<20} {start:<19} {end:<19} {both}",
        "boundary similarity"
    ))?;
    Ok(())
}

/// ` 97.0 (94.4-98.4)`, in percent, at most 18 characters.
fn share(seen: Proportion) -> String {
    match (seen.share(), seen.wilson(CONFIDENCE)) {
        (Some(share), Some(Interval { low, high })) => {
            let [share, low, high] = [share, low, high].map(|part| part * 100.0);
            format!("{share:>5.1} ({low:.1}-{high:.1})")
        }
        _ => "-".to_owned(),
    }
}

/// A book with both decisions.
fn disagreement_line(book: &Disagreement) -> String {
    let said = book.opinions.map(|opinion| match opinion {
        SideReview {
            status: ReviewOutcome::Cuts,
            cuts: Cuts {
                preamble_end,
                epilogue_start,
            },
        } => match epilogue_start {
            Some(start) => format!("{preamble_end}/{start}"),
            None => format!("{preamble_end}/-"),
        },
        SideReview {
            status: ReviewOutcome::Undecidable,
            ..
        } => "undecidable".to_owned(),
        SideReview {
            status: ReviewOutcome::NotABook,
            ..
        } => "not a book".to_owned(),
    });
    let apart = match book.distances {
        Some((start, end)) => format!(" ({start} and {end} lines apart)"),
        None => String::new(),
    };
    format!("{}: {} or {}{apart}", book.book, said[0], said[1])
}
