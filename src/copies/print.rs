//! Prints clusters as a table, as TSV and as JSON lines.

use anyhow::Result;
use serde::Serialize;

use super::clusters::{ClusterMember, CopyCluster};
use endpaper_command::output::{OutputFormat, Printer};
use endpaper_text::cells::escaped;
use endpaper_text::wording::{counted, thousands};

/// Width of a title in the table, in characters.
const TITLE: usize = 40;

/// Prints clusters in a format.
pub(super) fn clusters(found: &[CopyCluster<'_>], format: OutputFormat) -> Result<()> {
    match format {
        OutputFormat::Table => table(found),
        OutputFormat::Tsv => tsv(found),
        OutputFormat::Jsonl => jsonl(found),
    }
}

/// Prints clusters as a table.
fn table(found: &[CopyCluster<'_>]) -> Result<()> {
    let mut printer = Printer::stdout();
    for (number, cluster) in (1..).zip(found) {
        if number > 1 {
            printer.line("")?;
        }
        printer.line(&heading(number, cluster))?;
        let names = cluster
            .members
            .iter()
            .map(|member| member.book.id.chars().count());
        let width = names.max().unwrap_or(0).clamp(4, 48);
        for member in &cluster.members {
            printer.line(&row(member, width))?;
        }
    }
    Ok(printer.finish()?)
}

/// The heading of a cluster.
fn heading(number: usize, cluster: &CopyCluster<'_>) -> String {
    let titles = cluster
        .members
        .iter()
        .filter_map(|member| member.book.title);
    // The longest title is the most informative.
    let title = titles
        .max_by_key(|title| title.chars().count())
        .or(cluster.members.first().map(|member| member.book.id))
        .unwrap_or_default();
    let title: String = title.chars().take(TITLE).collect();
    let furthest = cluster
        .links
        .iter()
        .map(|link| link.distance)
        .max()
        .unwrap_or(0);
    let overlaps = cluster.links.iter().filter_map(|link| link.overlap);
    let common = overlaps.reduce(f64::min).map_or(String::new(), |least| {
        format!(", at least {:.0} % in common", least * 100.0)
    });
    format!(
        "{number}. {title}: {} books, at most {} apart{common}",
        cluster.members.len(),
        counted(furthest.into(), "bit", "bits"),
    )
}

/// A book of a cluster as a line of the table.
fn row(member: &ClusterMember<'_>, width: usize) -> String {
    let book = &member.book;
    let number = book
        .number
        .map_or("-".to_owned(), |number| format!("#{number}"));
    let marks = [
        (member.longest, "longest"),
        (member.newest, "newest"),
        (member.corpus == 2, "second corpus"),
    ];
    let marks: Vec<&str> = marks
        .iter()
        .filter(|mark| mark.0)
        .map(|mark| mark.1)
        .collect();
    let overlap = member.best.overlap;
    let line = format!(
        "   {:<width$} {:>11} bytes {:>7} {:>10}  {:>2} bits {:>6}  {}",
        book.id,
        book.bytes.map_or("-".to_owned(), thousands),
        number,
        or_dash(&book.released),
        member.best.distance,
        overlap.map_or(String::new(), |share| format!("{:.0} %", share * 100.0)),
        marks.join(", ")
    );
    line.trim_end().to_owned()
}

/// Prints clusters as TSV.
fn tsv(found: &[CopyCluster<'_>]) -> Result<()> {
    let mut printer = Printer::stdout();
    printer.line(
        "cluster\tcorpus\tbook\tlines\tbytes\tnumber\treleased\tnearest\tdistance\toverlap\tnewest\tlongest\ttitle",
    )?;
    for (number, cluster) in (1..).zip(found) {
        for member in &cluster.members {
            printer.line(&tsv_line(number, member))?;
        }
    }
    Ok(printer.finish()?)
}

/// A book of a cluster as a line of TSV.
fn tsv_line(cluster: usize, member: &ClusterMember<'_>) -> String {
    let book = &member.book;
    let yes = |is: bool| if is { "yes" } else { "-" };
    format!(
        "{cluster}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
        member.corpus,
        escaped(book.id),
        or_dash(&book.lines),
        or_dash(&book.bytes),
        or_dash(&book.number),
        or_dash(&book.released),
        escaped(member.nearest),
        member.best.distance,
        or_dash(&member.best.overlap.map(|share| format!("{share:.3}"))),
        yes(member.newest),
        yes(member.longest),
        escaped(book.title.unwrap_or("-")),
    )
}

/// A value, or a dash for an unknown one.
fn or_dash<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map_or_else(|| "-".to_owned(), T::to_string)
}

/// A line of `--format jsonl`.
#[derive(Serialize)]
struct CopiesRecord<'a> {
    cluster: usize,
    books: Vec<BookRecord<'a>>,
    pairs: Vec<PairRecord<'a>>,
}

/// A book of a cluster, as a JSON object.
#[derive(Serialize)]
struct BookRecord<'a> {
    book: &'a str,
    corpus: u8,
    lines: Option<u32>,
    bytes: Option<u64>,
    number: Option<u32>,
    title: Option<&'a str>,
    author: Option<&'a str>,
    released: Option<String>,
    longest: bool,
    newest: bool,
}

/// A pair of near copies, as a JSON object: the bits in which their fingerprints differ, and the share of common
/// phrases where both texts can be read.
#[derive(Serialize)]
struct PairRecord<'a> {
    a: &'a str,
    b: &'a str,
    distance: u32,
    overlap: Option<f64>,
}

/// Prints clusters as JSON lines.
fn jsonl(found: &[CopyCluster<'_>]) -> Result<()> {
    let mut printer = Printer::stdout();
    for (number, cluster) in (1..).zip(found) {
        printer.line(&serde_json::to_string(&record(number, cluster))?)?;
    }
    Ok(printer.finish()?)
}

/// A cluster as a JSON object.
fn record<'a>(number: usize, cluster: &'a CopyCluster<'_>) -> CopiesRecord<'a> {
    let book = |member: &'a ClusterMember<'_>| BookRecord {
        book: member.book.id,
        corpus: member.corpus,
        lines: member.book.lines,
        bytes: member.book.bytes,
        number: member.book.number,
        title: member.book.title,
        author: member.book.author,
        released: member.book.released.map(|date| date.to_string()),
        longest: member.longest,
        newest: member.newest,
    };
    let id = |place: u32| {
        let members = &cluster.members;
        let at = members.binary_search_by_key(&(place as usize), |member| member.place);
        at.map_or("", |at| members[at].book.id)
    };
    let pairs = cluster.links.iter().map(|link| PairRecord {
        a: id(link.a),
        b: id(link.b),
        distance: link.distance,
        overlap: link.overlap.map(|share| (share * 1e4).round() / 1e4),
    });
    CopiesRecord {
        cluster: number,
        books: cluster.members.iter().map(book).collect(),
        pairs: pairs.collect(),
    }
}
