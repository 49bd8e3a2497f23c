//! A record compared with the text it speaks of.

use super::{CheckRule, RuleViolation};
use crate::{Record, SourceFacts, Verdict, context_of, relocate};
use endpaper_text::corpus::BookText;

/// What is wrong between a record and the text its book has now. Of a text that changed nothing else can be said: its
/// lines are not those that were decided.
pub fn check_against_text(record: &Record, text: &BookText) -> Vec<RuleViolation> {
    let facts = SourceFacts::of(text);
    if !record.is_decided_on(&facts.sha256) {
        let book = &record.book;
        let text = format!(
            "'{book}' changed since it was decided ({} lines then, {} now); {}",
            record.source.lines,
            facts.lines,
            describe_relocation(record, text)
        );
        return vec![(CheckRule::Changed, "source.sha256".to_owned(), text)];
    }
    let mut wrong = Vec::new();
    wrong.extend(check_facts(&record.source, &facts));
    wrong.extend(check_cuts(record, text));
    wrong
}

/// Where the cuts of a text that changed stand now.
fn describe_relocation(record: &Record, text: &BookText) -> String {
    let found = relocate(record, text);
    let start = found
        .preamble_end
        .as_ref()
        .map(|place| place.line.to_string());
    let end = found.epilogue_start.as_ref().map(|place| {
        let line = place.line.map(|line| line.to_string());
        line.unwrap_or_else(|| "none".to_owned())
    });
    match (start, end, found.confidence()) {
        (Ok(start), Ok(end), Some(confidence)) => format!(
            "its cuts were found again at {start} and {end} (confidence {confidence:.2}); review it to confirm them"
        ),
        (Err(why), _, _) | (_, Err(why), _) => {
            format!("its cuts could not be found again: {why}; review it again")
        }
        (Ok(_), Ok(_), None) => "review it again".to_owned(),
    }
}

/// The violations where `said` by a record differs from the `facts` of its text.
fn check_facts<'a>(
    said: &'a SourceFacts,
    facts: &'a SourceFacts,
) -> impl Iterator<Item = RuleViolation> + 'a {
    // How a text is shown may be told better by a later version; how large it is may not.
    let pairs = [
        ("bytes", said.bytes, facts.bytes),
        ("lines", said.lines.into(), facts.lines.into()),
    ];
    let differing = pairs.into_iter().filter(|(_, said, is)| said != is);
    differing.map(|(name, said, is)| {
        let text = format!("source.{name} is {said}, but the file has {is}; write {is}");
        (CheckRule::Facts, format!("source.{name}"), text)
    })
}

/// The violations of cuts at blank lines, and of lines of context that differ from the text.
fn check_cuts(record: &Record, text: &BookText) -> Vec<RuleViolation> {
    let mut wrong = Vec::new();
    let cuts = record.cuts;
    let named = [
        ("preamble_end", Some(cuts.preamble_end)),
        ("epilogue_start", cuts.epilogue_start),
    ];
    for (name, line) in named {
        // `preamble_end: 0` means that there is no preamble.
        let Some(line) = line.filter(|line| *line > 0 && *line <= text.lines()) else {
            continue;
        };
        if text.is_blank(line) {
            let text = format!(
                "{name} {line} is a blank line, which carries no meaning; name the nearest line outside the body that is not"
            );
            wrong.push((CheckRule::BlankCut, format!("cuts.{name}"), text));
        }
    }
    let matters = matches!(
        record.verdict,
        Verdict::Confirmed | Verdict::Corrected | Verdict::Undecidable
    );
    let expected = context_of(text, cuts);
    let kept = &record.context;
    let anchors = [
        ("preamble_end", &kept.preamble_end, &expected.preamble_end),
        (
            "epilogue_start",
            &kept.epilogue_start,
            &expected.epilogue_start,
        ),
    ];
    for (name, kept, expected) in anchors {
        if matters && (&kept.before, &kept.after) != (&expected.before, &expected.after) {
            let text = format!(
                "the lines kept around {name} are not those around it, so that it could not be found again; open the book and decide it again"
            );
            wrong.push((CheckRule::Context, format!("context.{name}"), text));
        }
    }
    wrong
}
