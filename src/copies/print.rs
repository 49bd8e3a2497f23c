//! Prints clusters as a table, as TSV and as JSON lines.

use anyhow::Result;
use serde::Serialize;

use super::clusters::{ClusterMember, CopyCluster};
use endpaper_command::output::Printer;
use endpaper_text::cells::escaped;
use endpaper_text::wording::{counted, thousands};

/// Width of a title in the table, in characters.
const TITLE: usize = 40;

/// Prints clusters as a table.
pub(super) fn table(found: &[CopyCluster<'_>]) -> Result<()> {
    let mut printer = Printer::stdout();
    for (number, cluster) in (1..).zip(found) {
        if number > 1 {
            printer.line("")?;
        }
        printer.line(&heading(number, cluster))?;
        let names = cluster
            .members
            .iter()
            .map(|member| member.book.book.id.as_str().chars().count());
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
        .filter_map(|member| member.book.summary.header.title.as_deref());
    // The longest title is the most informative.
    let title = titles
        .max_by_key(|title| title.chars().count())
        .unwrap_or("no title");
    let title: String = title.chars().take(TITLE).collect();
    let furthest = cluster
        .links
        .iter()
        .map(|link| link.distance)
        .max()
        .unwrap_or(0);
    let least = cluster
        .links
        .iter()
        .map(|link| link.overlap)
        .fold(1.0, f64::min);
    format!(
        "{number}. {title}: {} books, at most {} apart, at least {:.0} % in common",
        cluster.members.len(),
        counted(furthest.into(), "bit", "bits"),
        least * 100.0
    )
}

/// A book of a cluster as a line of the table.
fn row(member: &ClusterMember<'_>, width: usize) -> String {
    let summary = &member.book.summary;
    let number = summary
        .header
        .number
        .map_or("-".to_owned(), |number| format!("#{number}"));
    let released = member
        .released
        .map_or("-".to_owned(), |date| date.to_string());
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
    let line = format!(
        "   {:<width$} {:>11} bytes {:>7} {:>10}  {:>2} bits {:>4.0} %  {}",
        member.book.book.id.as_str(),
        thousands(summary.bytes),
        number,
        released,
        member.best.distance,
        member.best.overlap * 100.0,
        marks.join(", ")
    );
    line.trim_end().to_owned()
}

/// Prints clusters as TSV.
pub(super) fn tsv(found: &[CopyCluster<'_>]) -> Result<()> {
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
    let summary = &member.book.summary;
    let or_dash = |said: Option<String>| said.unwrap_or_else(|| "-".to_owned());
    let yes = |is: bool| if is { "yes" } else { "-" };
    format!(
        "{cluster}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.3}\t{}\t{}\t{}",
        member.corpus,
        escaped(member.book.book.id.as_str()),
        summary.lines,
        summary.bytes,
        or_dash(summary.header.number.map(|number| number.to_string())),
        or_dash(member.released.map(|date| date.to_string())),
        escaped(member.nearest),
        member.best.distance,
        member.best.overlap,
        yes(member.newest),
        yes(member.longest),
        escaped(&or_dash(summary.header.title.clone())),
    )
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
    lines: u32,
    bytes: u64,
    number: Option<u32>,
    title: Option<&'a str>,
    author: Option<&'a str>,
    released: Option<String>,
    longest: bool,
    newest: bool,
}

/// A pair of near copies, as a JSON object: the bits in which their fingerprints differ, and the share of common
/// phrases.
#[derive(Serialize)]
struct PairRecord<'a> {
    a: &'a str,
    b: &'a str,
    distance: u32,
    overlap: f64,
}

/// Prints clusters as JSON lines.
pub(super) fn jsonl(found: &[CopyCluster<'_>]) -> Result<()> {
    let mut printer = Printer::stdout();
    for (number, cluster) in (1..).zip(found) {
        printer.line(&serde_json::to_string(&record(number, cluster))?)?;
    }
    Ok(printer.finish()?)
}

/// A cluster as a JSON object.
fn record<'a>(number: usize, cluster: &'a CopyCluster<'_>) -> CopiesRecord<'a> {
    let book = |member: &'a ClusterMember<'_>| BookRecord {
        book: member.book.book.id.as_str(),
        corpus: member.corpus,
        lines: member.book.summary.lines,
        bytes: member.book.summary.bytes,
        number: member.book.summary.header.number,
        title: member.book.summary.header.title.as_deref(),
        author: member.book.summary.header.author.as_deref(),
        released: member.released.map(|date| date.to_string()),
        longest: member.longest,
        newest: member.newest,
    };
    let id = |place: u32| {
        let members = &cluster.members;
        let at = members.binary_search_by_key(&(place as usize), |member| member.place);
        at.map_or("", |at| members[at].book.book.id.as_str())
    };
    let pairs = cluster.links.iter().map(|link| PairRecord {
        a: id(link.a),
        b: id(link.b),
        distance: link.distance,
        overlap: (link.overlap * 1e4).round() / 1e4,
    });
    CopiesRecord {
        cluster: number,
        books: cluster.members.iter().map(book).collect(),
        pairs: pairs.collect(),
    }
}
