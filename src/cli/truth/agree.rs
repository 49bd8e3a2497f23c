//! `endpaper truth agree`: how well people agree on where books begin and end.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::cli::Exit;
use crate::cli::output::{Printer, complain};
use crate::corpus::{self, Book, MAX_SIZE, Reader, Request, Text};
use crate::detect::Cuts;
use crate::evaluate::agree::{
    Agreement, Disagreement, EndTally, Known, LIMITS, Match, NEAR, Opinion, Ruler, Standing, Tally,
    alphas, between_curators, between_folders, compare, with_oneself,
};
use crate::evaluate::{CONFIDENCE, INFLATED, Interval, Proportion};
use crate::scan::{Options, Template, scan};
use crate::truth::{Record, Store, sha256};

const EXAMPLES: &str = "\
Examples:
  endpaper truth agree ann-truth ben-truth --corpus ~/gutenberg
  endpaper truth agree ann-truth ben-truth eve-truth --list
  endpaper truth agree endpaper-truth --corpus ~/gutenberg --format jsonl

Several folders: their outcomes are compared, two folders at a time; the same text is one book under any name. One
folder: its curators are compared by their last reviews, and each curator with the same curator's blind reviews of books
decided before.

With --corpus distances are counted in non-blank lines, and figures come by template as well; of a book that is not in
it, all lines are counted, which makes no distance smaller. Brackets hold 95 % Wilson intervals. Boundary similarity
(Fournier 2013) is 1 where cuts are alike, 0 where they are not near each other. Kappa and alpha are in jsonl only, with
a note on why they are inflated here.

Exit status: 0 fine, 1 some records are broken or wrong (each was named), 2 wrong use or nothing to compare.";

/// Arguments of `endpaper truth agree`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Truth folders: several to compare them, one to compare the reviews in it
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,

    /// Where the books are: a folder, file or archive (may be given several times)
    #[arg(long, value_name = "CORPUS")]
    corpus: Vec<PathBuf>,

    /// Cuts up to so many lines apart are near misses in the boundary similarity
    #[arg(long, value_name = "N", default_value_t = NEAR)]
    near: u64,

    /// Name every book that is not decided alike
    #[arg(long)]
    list: bool,

    /// How figures are printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// How figures are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For reading
    #[default]
    Table,
    /// JSON objects of kinds pair, template, book (not decided alike) and all (every side together), one a line
    Jsonl,
}

/// Templates that are named in a table; the others are one row.
const TEMPLATES: usize = 12;

/// Runs `endpaper truth agree`.
pub(super) fn run(args: &Args) -> Result<Exit> {
    let mut wrong = false;
    let mut folders = Vec::new();
    for folder in &args.folders {
        ensure!(folder.is_dir(), "'{}' is no truth folder", folder.display());
        let records = records(folder, &mut wrong)?;
        folders.push((folder.display().to_string(), records));
    }
    let matches = match &folders[..] {
        [(_, records)] => {
            let mut matches = with_oneself(records);
            matches.insert(0, between_curators(records));
            matches
        }
        _ => vec![between_folders(&folders)],
    };
    let known = known(&args.corpus, &matches)?;
    let mut printer = Printer::stdout();
    let mut compared = 0;
    for found in &matches {
        for book in &found.other_text {
            complain(&format!(
                "'{book}' is another text in another folder and is not compared"
            ));
        }
        for (a, b) in pairs(found.sides.len()) {
            let agreement = compare(found, (a, b), &known, args.near);
            if agreement.standing.of == 0 {
                continue;
            }
            if compared > 0 && args.format == Format::Table {
                printer.line("")?;
            }
            compared += 1;
            let pair = Pair {
                sides: [&found.sides[a], &found.sides[b]],
                agreement: &agreement,
            };
            match args.format {
                Format::Table => pair.print_table(&mut printer, args)?,
                Format::Jsonl => pair.print_jsonl(&mut printer, args)?,
            }
        }
        if args.format == Format::Jsonl && !found.cases.is_empty() {
            printer.line(&all_sides(found, &known).to_string())?;
        }
    }
    printer.finish()?;
    if compared == 0 {
        bail!("{}", nothing(args.folders.len()));
    }
    Ok(if wrong { Exit::Partly } else { Exit::Fine })
}

fn nothing(folders: usize) -> &'static str {
    match folders {
        1 => {
            "no book is decided by two curators, or again and blind by one; name several truth folders to compare them"
        }
        _ => "no text is decided in two of the folders",
    }
}

/// The records of a folder that can be used; the others are named.
fn records(folder: &Path, wrong: &mut bool) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for (file, record) in Store::open(folder)?.records()? {
        let file = folder.join(file);
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                *wrong = true;
                complain(&format!("'{}': {error}; it is left out", file.display()));
                continue;
            }
        };
        match record.check().first() {
            Some(mistake) => {
                *wrong = true;
                complain(&format!("'{}': {mistake}; it is left out", file.display()));
            }
            None => records.push(record),
        }
    }
    Ok(records)
}

/// What is known of the texts of a match: books of the same name are read first, and all others only if texts are missing
/// still.
fn known(corpus: &[PathBuf], matches: &[Match]) -> Result<HashMap<String, Known>> {
    let mut known = HashMap::new();
    if corpus.is_empty() {
        return Ok(known);
    }
    let request = Request {
        roots: corpus.to_vec(),
        ..Request::default()
    };
    let listing = corpus::list(&request)?;
    let cases = || matches.iter().flat_map(|found| &found.cases);
    let wanted: HashSet<&str> = cases().map(|case| case.sha256.as_str()).collect();
    let names: HashSet<&str> = cases().map(|case| case.book.as_str()).collect();
    let (mut first, mut rest): (Vec<&Book>, Vec<&Book>) = (Vec::new(), Vec::new());
    for book in &listing.books {
        let named = names.contains(book.id.as_str());
        if named { &mut first } else { &mut rest }.push(book);
    }
    let mut reader = Reader::default();
    for book in first.into_iter().chain(rest) {
        if known.len() == wanted.len() {
            break;
        }
        // A book that cannot be read is one whose text is not at hand.
        let Ok(bytes) = reader.read(book, MAX_SIZE) else {
            continue;
        };
        let digest = sha256(bytes);
        if wanted.contains(digest.as_str()) && !known.contains_key(&digest) {
            let scan = scan(bytes, Options::default());
            known.insert(
                digest,
                Known {
                    ruler: Ruler::of(&Text::new(bytes.to_vec())),
                    template: scan.template,
                    hand: scan.header.hand,
                },
            );
        }
    }
    Ok(known)
}

/// Every two of so many sides.
fn pairs(sides: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..sides).flat_map(move |a| (a + 1..sides).map(move |b| (a, b)))
}

/// Two sides and how well they agree.
struct Pair<'a> {
    sides: [&'a str; 2],
    agreement: &'a Agreement,
}

impl Pair<'_> {
    fn print_table(&self, out: &mut Printer, args: &Args) -> Result<()> {
        let Agreement { standing, cuts, .. } = self.agreement;
        let [a, b] = self.sides;
        out.line(&format!(
            "{a} and {b}: {} books decided by both",
            standing.of
        ))?;
        out.line(&format!("  {:<20} {}", "same verdict", share(*standing)))?;
        if cuts.books() > 0 {
            out.line(&format!(
                "  of {} books with cuts by both, {}:",
                cuts.books(),
                self.unit()
            ))?;
            out.line(&format!(
                "  {:<20} {:<25} {:<25} both",
                "cuts", "start", "end"
            ))?;
            print_cuts(out, cuts)?;
        }
        self.print_templates(out)?;
        if args.list {
            out.line("  not decided alike:")?;
            for book in &self.agreement.disagreements {
                out.line(&format!("    {}", told(book)))?;
            }
        }
        Ok(())
    }

    /// In what distances are counted.
    fn unit(&self) -> String {
        match self.agreement.without_text {
            0 => "in non-blank lines".to_owned(),
            all if all == self.agreement.cuts.books() => {
                "in lines (--corpus counts non-blank ones)".to_owned()
            }
            some => format!(
                "in non-blank lines, {some} of them in lines because their texts are not at hand"
            ),
        }
    }

    /// Templates by their books, the largest first.
    fn templates(&self) -> Vec<(Template, &Option<String>, &Tally)> {
        let templates = self.agreement.templates.iter();
        let mut templates: Vec<_> = templates.map(|(id, t)| (*id, &t.hand, &t.tally)).collect();
        templates.sort_by_key(|(id, _, tally)| (std::cmp::Reverse(tally.books()), *id));
        templates
    }

    fn print_templates(&self, out: &mut Printer) -> Result<()> {
        let templates = self.templates();
        if templates.is_empty() {
            return Ok(());
        }
        out.line("  by template:")?;
        out.line(&format!(
            "  {:<6} {:<28} {:<25} exact at end",
            "books", "hand", "exact at start"
        ))?;
        for (template, hand, tally) in templates.iter().take(TEMPLATES) {
            let hand = match (hand, *template == Template::default()) {
                (_, true) => "(no marker)",
                (Some(hand), _) => hand,
                (None, _) => "-",
            };
            let hand: String = hand.chars().take(28).collect();
            let (start, end) = (share(tally.start.exact()), share(tally.end.exact()));
            out.line(&format!(
                "  {:>5}  {hand:<28} {start:<25} {end}",
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

    fn print_jsonl(&self, out: &mut Printer, args: &Args) -> Result<()> {
        let Agreement {
            standing,
            cuts,
            without_text,
            ..
        } = self.agreement;
        let [a, b] = self.sides;
        let pair = json!({
            "kind": "pair", "a": a, "b": b,
            "books": standing.of,
            "same_verdict": proportion(*standing),
            "with_cuts": cuts.books(),
            "without_text": without_text,
            "near": args.near,
            "cuts": tally(cuts),
            "kappa_verdicts": self.agreement.kappa_of_verdicts(),
            "kappa_lines": self.agreement.kappa_of_lines(),
            "note": INFLATED,
        });
        out.line(&pair.to_string())?;
        for (template, hand, counted) in self.templates() {
            let id = format!("{:016x}", template.0);
            let object = json!({
                "kind": "template", "a": a, "b": b, "template": id, "hand": hand,
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
                opinions.map(|opinion| json!({"standing": opinion.standing, "cuts": opinion.cuts}));
            let apart = distances.map(|(start, end)| json!({"start": start, "end": end}));
            let object =
                json!({"kind": "book", "a": a, "b": b, "book": book, "said": said, "apart": apart});
            out.line(&object.to_string())?;
        }
        Ok(())
    }
}

fn print_cuts(out: &mut Printer, cuts: &Tally) -> Result<()> {
    let ends = [&cuts.start, &cuts.end, &cuts.both];
    for (at, limit) in LIMITS.iter().enumerate() {
        let name = match limit {
            0 => "exact".to_owned(),
            1 => "within 1 line".to_owned(),
            limit => format!("within {limit} lines"),
        };
        let [start, end, both] = ends.map(|end| share(end.within[at]));
        out.line(&format!("  {name:<20} {start:<25} {end:<25} {both}"))?;
    }
    let similarity = |end: &EndTally| end.boundary_similarity().unwrap_or_default();
    let [start, end, both] = ends.map(|end| format!("{:.4}", similarity(end)));
    out.line(&format!(
        "  {:<20} {start:<25} {end:<25} {both}",
        "boundary similarity"
    ))?;
    Ok(())
}

/// `97.0 % (94.4-98.4)`, in a width that does not jump.
fn share(seen: Proportion) -> String {
    match (seen.share(), seen.wilson(CONFIDENCE)) {
        (Some(share), Some(Interval { low, high })) => {
            let [share, low, high] = [share, low, high].map(|part| part * 100.0);
            format!("{share:>5.1} % ({low:.1}-{high:.1})")
        }
        _ => "-".to_owned(),
    }
}

/// One book and what both said.
fn told(book: &Disagreement) -> String {
    let said = book.opinions.map(|opinion| match opinion {
        Opinion {
            standing: Standing::Cuts,
            cuts: Cuts {
                preamble_end,
                epilogue_start,
            },
        } => match epilogue_start {
            Some(start) => format!("{preamble_end}/{start}"),
            None => format!("{preamble_end}/-"),
        },
        Opinion {
            standing: Standing::Undecidable,
            ..
        } => "undecidable".to_owned(),
        Opinion {
            standing: Standing::NotABook,
            ..
        } => "not a book".to_owned(),
    });
    let apart = match book.distances {
        Some((start, end)) => format!(" ({start} and {end} lines apart)"),
        None => String::new(),
    };
    format!("{}: {} or {}{apart}", book.book, said[0], said[1])
}

fn proportion(seen: Proportion) -> Value {
    json!({"hits": seen.hits, "of": seen.of, "share": seen.share(), "wilson": seen.wilson(CONFIDENCE)})
}

fn tally(tally: &Tally) -> Value {
    let end = |end: &EndTally| {
        let within = LIMITS.iter().zip(end.within);
        let within: serde_json::Map<String, Value> = within
            .map(|(limit, seen)| (limit.to_string(), proportion(seen)))
            .collect();
        json!({"within": within, "boundary_similarity": end.boundary_similarity()})
    };
    json!({"start": end(&tally.start), "end": end(&tally.end), "both": end(&tally.both)})
}

/// Figures over all sides of a match at once.
fn all_sides(found: &Match, known: &HashMap<String, Known>) -> Value {
    let [verdicts, lines] = alphas(found, known);
    json!({
        "kind": "all", "sides": found.sides, "books": found.cases.len(),
        "alpha_verdicts": verdicts, "alpha_lines": lines, "note": INFLATED,
    })
}
