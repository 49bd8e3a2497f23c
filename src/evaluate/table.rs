//! Figures as tables, on a terminal and in a document.

use anyhow::Result;

use endpaper_command::output::Printer;
use endpaper_evaluate::report::{EvaluationReport, SystemScores};
use endpaper_evaluate::{
    CONFIDENCE, CutAccuracy, ErrorDistribution, MetricsSummary, Proportion, WeightedShare,
    share_in_words,
};
use endpaper_text::wording::thousands;

/// A table: title, column names, rows.
pub(super) struct TextTable {
    pub title: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// Prints figures in plain columns.
pub(super) fn print(report: &EvaluationReport, out: &mut Printer) -> Result<()> {
    out.line(&report.caption())?;
    out.line(&report.draws.in_words())?;
    for table in tables(report) {
        out.line("")?;
        out.line(&table.title)?;
        for line in table.aligned() {
            out.line(&line)?;
        }
    }
    for note in notes(report) {
        out.line("")?;
        out.line(&note)?;
    }
    Ok(())
}

/// Prints figures as Markdown.
pub(super) fn print_markdown(report: &EvaluationReport, out: &mut Printer) -> Result<()> {
    out.line(&format!(
        "{}. {}",
        report.caption(),
        report.draws.in_words()
    ))?;
    for table in tables(report) {
        out.line("")?;
        out.line(&format!("**{}**", table.title))?;
        out.line("")?;
        for line in table.markdown() {
            out.line(&line)?;
        }
    }
    for note in notes(report) {
        out.line("")?;
        out.line(&note)?;
    }
    Ok(())
}

impl TextTable {
    /// A table without rows.
    fn new(title: &str, columns: &[&str]) -> TextTable {
        TextTable {
            title: title.to_owned(),
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Pads columns to their longest cell, the first to the left, the others to the right.
    fn aligned(&self) -> Vec<String> {
        let rows = || std::iter::once(&self.columns).chain(&self.rows);
        let width = |column: usize| {
            let cells = rows().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.map(|(at, (cell, &width))| match at {
                0 => format!("  {cell:<width$}"),
                _ => format!("  {cell:>width$}"),
            });
            cells.collect::<String>().trim_end().to_owned()
        };
        rows().map(line).collect()
    }

    /// The lines of the table in Markdown.
    fn markdown(&self) -> Vec<String> {
        let line = |row: &[String]| {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |", cells.join(" | "))
        };
        let mut under = vec!["---".to_owned()];
        under.resize(self.columns.len(), "---:".to_owned());
        let head = [line(&self.columns), line(&under)];
        head.into_iter()
            .chain(self.rows.iter().map(|row| line(row)))
            .collect()
    }
}

/// All tables, in reading order.
pub(super) fn tables(report: &EvaluationReport) -> Vec<TextTable> {
    let mut tables = vec![shares(report)];
    tables.extend(weighted(report));
    for scored in report.systems.iter().take(1) {
        tables.push(ends(scored));
    }
    tables.push(volumes(report));
    tables.push(presence(report));
    if !report.groups.is_empty() {
        tables.push(parts(report));
    }
    tables
}

/// Share of books with both cuts right, by detector.
fn shares(report: &EvaluationReport) -> TextTable {
    let percent = CONFIDENCE * 100.0;
    let title = format!("Both cuts of a book, in % with {percent:.0} % intervals");
    let mut table = TextTable::new(&title, &["measure"]);
    for scored in &report.systems {
        table.columns.push(scored.name.clone());
    }
    let each = |share: &dyn Fn(&MetricsSummary) -> Proportion| -> Vec<String> {
        let scored = report.systems.iter();
        scored.map(|scored| cell(share(&scored.summary))).collect()
    };
    for (at, (name, _)) in CutAccuracy::default().named().into_iter().enumerate() {
        let mut row = vec![name];
        row.extend(each(&|summary| summary.both.named()[at].1));
        table.rows.push(row);
    }
    for (name, share) in [
        (
            "within 10 % of boilerplate",
            (|summary| summary.tenth_of_boilerplate) as fn(&MetricsSummary) -> Proportion,
        ),
        ("within 10 % of file", |summary| summary.tenth_of_file),
    ] {
        let mut row = vec![name.to_owned()];
        row.extend(each(&share));
        table.rows.push(row);
    }
    let mut row = vec!["boundary similarity".to_owned()];
    row.extend(report.systems.iter().map(|scored| {
        let similarity = scored.summary.boundary.similarity();
        similarity.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
    }));
    table.rows.push(row);
    let mut row = vec!["books".to_owned()];
    let books = report.systems.iter();
    row.extend(books.map(|scored| thousands(scored.summary.books)));
    table.rows.push(row);
    table
}

/// Estimates for the corpus, where the plain shares do not estimate it.
fn weighted(report: &EvaluationReport) -> Option<TextTable> {
    let columns = report.systems.iter().map(|scored| report.weighted(scored));
    let columns: Vec<[WeightedShare; 5]> = columns.collect::<Option<_>>()?;
    let mut table = TextTable::new(
        "The same, estimated for the corpus: random books represent all that were not chosen",
        &["measure"],
    );
    let names = report.systems.iter().map(|scored| scored.name.clone());
    table.columns.extend(names);
    for (at, (name, _)) in CutAccuracy::default().named().into_iter().enumerate() {
        let mut row = vec![name];
        row.extend(columns.iter().map(|column| {
            let WeightedShare { share, interval } = column[at];
            let [share, low, high] = [share, interval.low, interval.high].map(|part| part * 100.0);
            format!("{share:.1} ({low:.1} to {high:.1})")
        }));
        table.rows.push(row);
    }
    Some(table)
}

/// Figures of each cut alone.
fn ends(scored: &SystemScores) -> TextTable {
    let title = format!("Each cut alone ({})", scored.name);
    let mut table = TextTable::new(&title, &["measure", "start", "end"]);
    let [start, end] = scored.summary.ends;
    for ((name, start), (_, end)) in start.named().into_iter().zip(end.named()) {
        table.rows.push(vec![name, cell(start), cell(end)]);
    }
    table
}

/// Amount of text lost and left.
fn volumes(report: &EvaluationReport) -> TextTable {
    let mut table = TextTable::new(
        "Text removed (loss) and boilerplate left (leak), in non-blank lines and bytes",
        &[
            "detector",
            "books",
            "lines",
            "bytes",
            "95 % have at most",
            "most in one",
        ],
    );
    for scored in &report.systems {
        for (what, spread) in [("loss", scored.summary.loss), ("leak", scored.summary.leak)] {
            let ErrorDistribution {
                books,
                total,
                most,
                percentile_95,
            } = spread;
            table.rows.push(vec![
                format!("{} {what}", scored.name),
                thousands(books),
                thousands(total.lines),
                thousands(total.bytes),
                thousands(percentile_95.lines),
                thousands(most.lines),
            ]);
        }
    }
    table
}

/// Whether an epilogue is found where the label has one.
fn presence(report: &EvaluationReport) -> TextTable {
    let mut table = TextTable::new(
        "Books by whether they have an epilogue",
        &[
            "detector",
            "found",
            "missed",
            "invented",
            "none, none found",
        ],
    );
    for scored in &report.systems {
        let [[neither, invented], [missed, found]] = scored.summary.epilogue;
        let mut row = vec![scored.name.clone()];
        row.extend([found, missed, invented, neither].map(thousands));
        table.rows.push(row);
    }
    table
}

/// Figures of the first system by era and template.
fn parts(report: &EvaluationReport) -> TextTable {
    let name = report.systems.first().map_or("", |first| &first.name);
    let title = format!("By era and template ({name})");
    let columns = ["part", "books", "both exact", "within 10", "lost", "left"];
    let mut table = TextTable::new(&title, &columns);
    for (name, summary) in &report.groups {
        table.rows.push(vec![
            name.clone(),
            thousands(summary.books),
            cell(summary.both.exact),
            cell(summary.both.near[2]),
            thousands(summary.loss.total.lines),
            thousands(summary.leak.total.lines),
        ]);
    }
    table
}

/// Remarks on the evaluated systems.
pub(super) fn notes(report: &EvaluationReport) -> Vec<String> {
    let notes = report.systems.iter().filter_map(|scored| {
        let note = scored.note.as_ref()?;
        Some(format!("{}: {note}.", scored.name))
    });
    notes.collect()
}

/// A proportion without its percent sign, which is in the title.
fn cell(share: Proportion) -> String {
    share_in_words(share).replacen(" %", "", 1)
}
