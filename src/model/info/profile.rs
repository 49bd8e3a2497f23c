//! `endpaper model info` of a profile.

use std::path::Path;

use anyhow::{Context, Result};

use endpaper_command::output::Printer;
use endpaper_detect::End;
use endpaper_detect::posterior::Profile;
use endpaper_text::files::read_input;
use endpaper_text::wording::{plural, thousands};

/// Number of weights that are printed for each end, unless `--top` says another.
const WEIGHTS: usize = 10;

/// The profile with this name or in this file; `None` if it is another file.
///
/// # Errors
///
/// A profile file that cannot be used.
pub(super) fn find(path: &Path) -> Result<Option<Profile>> {
    match path.to_str() {
        Some("gutenberg") => return Ok(Some(Profile::gutenberg().as_ref().clone())),
        Some("generic") => return Ok(Some(Profile::generic().as_ref().clone())),
        _ => {}
    }
    if !Profile::is_profile_file(path) {
        return Ok(None);
    }
    let parsed = read_input(path).map_err(anyhow::Error::from);
    let parsed = parsed.and_then(|text| Profile::parse(&text));
    let name = path.display();
    parsed
        .map(Some)
        .with_context(|| format!("cannot use the profile '{name}'"))
}

/// Prints what a profile contains.
pub(super) fn describe(profile: &Profile, top: Option<usize>, printer: &mut Printer) -> Result<()> {
    for (name, value) in facts(profile) {
        printer.line(&format!("{name:<20} {value}"))?;
    }
    for (end, title) in [(End::Start, "start"), (End::End, "end")] {
        printer.line("")?;
        printer.line(&format!("strongest weights at the {title}, in log odds"))?;
        for (name, weight) in profile.strongest_weights(end, top.unwrap_or(WEIGHTS)) {
            printer.line(&format!("{weight:+8.2}  {name}"))?;
        }
    }
    Ok(())
}

fn facts(profile: &Profile) -> Vec<(&'static str, String)> {
    let summary = profile.summary();
    let books = |count: usize| format!("{} {}", thousands(count as u64), plural(count, "book"));
    let facts = match profile.is_for_any_library() {
        true => "of any library: layout, and how many books repeat a line",
        false => "of one library: its words, its producers, its lines",
    };
    let lost = match summary.loss_cost {
        0.0 => "the most probable cuts are proposed".to_owned(),
        cost => format!("where no cut is sure, a lost line weighs as much as {cost} that are left"),
    };
    let [start, end] = profile.temperatures();
    let doubt: Vec<String> = summary
        .doubt
        .iter()
        .map(|(name, weight)| format!("{name} {weight:.2}"))
        .collect();
    let doubt = match doubt.is_empty() {
        true => "the probability that a cut is wrong".to_owned(),
        false => doubt.join(", "),
    };
    let landmarks = match summary.landmarks {
        [0, 0] => "none".to_owned(),
        [start, end] => {
            format!("forms of lines beside decided cuts: {start} at the start, {end} at the end")
        }
    };
    let mut facts = vec![
        ("this is", "a profile".to_owned()),
        ("digest", profile.digest()),
        ("facts", facts.to_owned()),
        ("fitted to", books(summary.fitted_to)),
    ];
    if profile.is_learned() {
        let decided = books(profile.decided_books() as usize);
        facts.push(("learned from", format!("{decided} of the collection")));
    }
    if let Some((judged, right)) = profile.out_of_fold() {
        let judged = books(judged as usize);
        facts.push((
            "out of fold",
            format!("both cuts exact in {right} of {judged}"),
        ));
    }
    facts.extend([
        ("landmarks", landmarks),
        (
            "temperature",
            format!("{start:.2} at the start, {end:.2} at the end"),
        ),
        ("proposals", lost),
        ("doubt", doubt),
    ]);
    facts
}
