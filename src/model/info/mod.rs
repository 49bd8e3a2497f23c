//! `endpaper model info`: prints the inputs and contents of a model, a part or a profile.

mod profile;

use std::path::{Path, PathBuf};

use anyhow::Result;

use endpaper_command::Exit;
use endpaper_command::output::{Printer, note};
use endpaper_command::values::whole;
use endpaper_detect::frequency::{
    Certainty, CountedEnds, Model, ModelPart, PartMerge, TopLine, built_in,
};
use endpaper_text::sanitise::sanitise;
use endpaper_text::wording::thousands;

/// Arguments of `endpaper model info`.
#[derive(Debug, clap::Args)]
pub struct InfoArgs {
    /// A model file, a part file, a profile file, 'built-in', or a profile of the program: gutenberg, generic
    #[arg(value_name = "FILE|NAME")]
    model: PathBuf,

    /// Print the N most frequent lines with their counts; of a profile, the N strongest weights
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..))]
    top: Option<usize>,
}

/// Runs `model info`.
pub(super) fn run(args: &InfoArgs) -> Result<Exit> {
    let path = &args.model;
    if let Some(found) = profile::find(path)? {
        let mut printer = Printer::stdout();
        profile::describe(&found, args.top, &mut printer)?;
        printer.finish()?;
        return Ok(Exit::Success);
    }
    let (what, model) = if path == Path::new("built-in") {
        ("the built-in model", built_in().clone())
    } else if ModelPart::is_part_file(path) {
        let paths = std::slice::from_ref(path);
        let model = PartMerge::of(paths, false)?.into_model(0, usize::MAX)?;
        ("a part, for 'endpaper model merge'", model)
    } else {
        ("a model", Model::read(path)?)
    };
    let mut printer = Printer::stdout();
    if let Some(most) = args.top {
        top(&model, most, &mut printer)?;
    } else {
        describe(what, &model, &mut printer)?;
    }
    printer.finish()?;
    Ok(Exit::Success)
}

/// Prints the facts and the most frequent lines of a model.
fn describe(what: &str, model: &Model, printer: &mut Printer) -> Result<()> {
    for (name, value) in facts(what, model) {
        printer.line(&format!("{name:<20} {value}"))?;
    }
    for (ends, counts) in model.frequencies.sets() {
        printer.line("")?;
        let title = match ends {
            CountedEnds::Both => "occurrences",
            CountedEnds::Head => "in heads",
            CountedEnds::Tail => "in tails",
        };
        printer.line(&format!("{title:<20} {:>12}", "lines"))?;
        for (first, last, keys) in counts.histogram().bins() {
            let range = if first == last {
                thousands(first)
            } else {
                format!("{} to {}", thousands(first), thousands(last))
            };
            printer.line(&format!("{range:<20} {:>12}", thousands(keys)))?;
        }
    }
    Ok(())
}

/// The facts about a model, with their names.
fn facts(what: &str, model: &Model) -> Vec<(&'static str, String)> {
    let parameters = &model.parameters;
    let counting = parameters.counting;
    let certainty = match model.frequencies.head().certainty() {
        Certainty::Exact => "counts are exact",
        Certainty::AtMost => "counts are upper bounds: lines with equal keys are counted together",
    };
    let what_counts = if counting.count_books {
        "are in fewer than"
    } else {
        "occur fewer than"
    };
    let thing = if counting.count_books {
        "books"
    } else {
        "times"
    };
    let pruned = match parameters.pruned_below {
        0 | 1 => "no lines".to_owned(),
        below => format!("lines that {what_counts} {} {thing}", thousands(below)),
    };
    let scaled = match parameters.scaled_to {
        0 => "as they were made".to_owned(),
        books => format!("as if there were {} books", thousands(books)),
    };
    let lines: Vec<String> = model
        .frequencies
        .sets()
        .map(|(ends, counts)| match ends {
            CountedEnds::Both => thousands(counts.len() as u64),
            CountedEnds::Head => format!("{} in heads", thousands(counts.len() as u64)),
            CountedEnds::Tail => format!("{} in tails", thousands(counts.len() as u64)),
        })
        .collect();
    vec![
        ("this is", what.to_owned()),
        ("digest", model.digest()),
        ("distinct lines", lines.join(", ")),
        ("lines counted", thousands(parameters.lines)),
        ("books", thousands(parameters.books)),
        ("corpus", format!("{:016x}", parameters.corpus)),
        ("structure", format!("{} ({certainty})", counting.structure)),
        ("a line counts", counting.measure().to_string()),
        ("near copies", near_copies(counting.one_copy).to_owned()),
        ("heads and tails", counting.ends_in_words().to_owned()),
        ("head window", format!("{} lines", parameters.head)),
        ("tail window", format!("{} lines", parameters.tail)),
        (
            "preprocessing",
            format!("version {}", parameters.preprocessing),
        ),
        ("left out", pruned),
        ("counts", scaled),
        ("texts", thousands(model.line_texts.len() as u64)),
        ("spreads", frequencies_in_words(model)),
    ]
}

/// How near copies were counted.
fn near_copies(one_copy: bool) -> &'static str {
    if one_copy {
        "one book of each cluster"
    } else {
        "count like other books"
    }
}

/// The number of line forms with known document frequencies, as text.
fn frequencies_in_words(model: &Model) -> String {
    let spreads = model.frequencies.document_frequencies();
    match spreads.books() {
        0 => "none: not counted, or merged from parts, which hold no producers".to_owned(),
        books => format!(
            "{} forms of lines in several of {} books",
            thousands(spreads.len() as u64),
            thousands(books)
        ),
    }
}

/// Prints the most frequent lines with their counts, one table for each set of counts.
fn top(model: &Model, most: usize, printer: &mut Printer) -> Result<()> {
    for (ends, lines) in model.top(most) {
        let title = match ends {
            CountedEnds::Both => "count",
            CountedEnds::Head => "in heads",
            CountedEnds::Tail => "in tails",
        };
        printer.line(&format!("{title:>12}  line"))?;
        for line in &lines {
            let count = thousands(line.count) + if line.full { "+" } else { "" };
            printer.line(&format!("{count:>12}  {}", text_of(line)))?;
        }
        let unknown = lines.iter().filter(|line| line.text.is_none()).count();
        if unknown > 0 {
            note(&format!(
                "the texts of {} of these {} lines are not in the model, which shows their keys; 'endpaper model build' \
                 keeps as many as --texts says",
                thousands(unknown as u64),
                thousands(lines.len() as u64)
            ));
        }
        if lines.len() < most {
            note(&format!(
                "there are only {} lines to show",
                thousands(lines.len() as u64)
            ));
        }
    }
    Ok(())
}

/// The text of a frequent line, or its key if the text is unknown.
fn text_of(line: &TopLine<'_>) -> String {
    match line.text {
        // Escaped in a pipe too: a table is for reading.
        Some(text) => sanitise(text).into_owned(),
        None => format!("[key {:016x}]", line.key.0),
    }
}
