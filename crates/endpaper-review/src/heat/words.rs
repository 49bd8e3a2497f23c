//! Texts of the heat map. Reads the session only; used by `view`.

use super::{HeatLayout, HeatOrder};
use crate::action::Action;
use crate::entry::QueueEntry;
use crate::session::Session;
use endpaper_detect::End;

/// The header: end, order, books on screen, books per column, lines per row, filter. Returned in a long, a short and a
/// minimal form.
pub fn header(session: &Session, plan: &HeatLayout) -> [Vec<String>; 3] {
    let (heat, rows, zoom) = (
        &session.background.heat,
        plan.lines,
        session.background.heat.zoom,
    );
    let end = match heat.end {
        End::Start => "heads",
        End::End => "tails",
    };
    let order = match heat.sort {
        HeatOrder::Queue => format!("as the queue, by {}", session.queue.active_order()),
        sort => format!("by {sort}"),
    };
    let shown = heat.visible(usize::from(plan.picture.width));
    let all = heat.order.len();
    let range = format!("{}-{}", shown.start + usize::from(all > 0), shown.end);
    let mut full = vec![
        format!("heat map: {end}"),
        order,
        format!("books {range} of {all}"),
    ];
    let mut brief = vec![
        end.to_owned(),
        format!("by {}", heat.sort),
        format!("{range} of {all}"),
    ];
    let mut terse = vec![format!("{end} by {}", heat.sort), format!("{range}/{all}")];
    if zoom > 1 {
        full.push(format!("{zoom} in a column"));
        brief.push(format!("{zoom} a column"));
        terse.push(format!("{zoom}/col"));
    }
    full.push(format!("{rows} lines a row"));
    brief.push(format!("{rows} lines a row"));
    terse.push(format!("{rows}/row"));
    if session.queue.is_narrowed() {
        let filter = session.queue.what();
        full.push(format!("{filter} only"));
        brief.push(filter.to_owned());
        terse.push(filter.to_owned());
    }
    [full, brief, terse]
}

/// One line about the chosen book: position, name, cuts, doubt, verdict.
pub fn chosen_book_line(session: &Session) -> String {
    let heat = &session.background.heat;
    let Some(entry) = heat
        .chosen_book()
        .and_then(|book| session.entries.get(book))
    else {
        let key = session.keymap.label(Action::Filter);
        return format!("no book is {}; {key} shows others", session.queue.what());
    };
    let mut parts = vec![format!(
        "{}/{} {}",
        heat.chosen_position + 1,
        heat.order.len(),
        entry.name()
    )];
    match (&entry.unreadable, entry.cuts) {
        (Some(why), _) => parts.push(why.clone()),
        (None, Some(_)) => parts.extend(cuts(entry, heat.end)),
        (None, None) => parts.push("not analysed yet".to_owned()),
    }
    parts.extend(entry.doubt.map(|doubt| format!("doubt {doubt:.2}")));
    parts.push(entry.status.word().to_owned());
    parts.extend(entry.hard.then(|| "hard".to_owned()));
    if entry.template_rank > 0 {
        parts.push(format!("template {}", entry.template_rank));
    }
    if !entry.distinct_title().is_empty() {
        parts.push(entry.title.clone());
    }
    parts.join(" · ")
}

/// The two cuts, that of the end on screen first.
fn cuts(entry: &QueueEntry, end: End) -> Vec<String> {
    let Some(cuts) = entry.cuts else {
        return Vec::new();
    };
    let start = match cuts.preamble_end {
        0 => "no preamble".to_owned(),
        line => format!("preamble to {line}"),
    };
    let tail = match cuts.epilogue_start {
        None => "no epilogue".to_owned(),
        Some(line) => format!("epilogue from {line}"),
    };
    match end {
        End::Start => vec![start, tail],
        End::End => vec![tail, start],
    }
}

/// Key hints: keys with a word, the most useful first.
pub fn keys(session: &Session) -> Vec<(String, &'static str)> {
    let heat = &session.background.heat;
    let other = match heat.end {
        End::Start => "tails",
        End::End => "heads",
    };
    let lines = if heat.squeezed {
        "2 lines a row"
    } else {
        "all lines"
    };
    let hints: [(&[Action], &'static str); 12] = [
        (&[Action::Keep], "open"),
        (&[Action::Quit], "back"),
        (&[Action::PreviousBook, Action::NextBook], "book"),
        (&[Action::OtherEnd], other),
        (&[Action::Order], "order"),
        (&[Action::HeatMore], "more books"),
        (&[Action::Help], "help"),
        (&[Action::HeatFewer], "fewer"),
        (&[Action::HeatLines], lines),
        (&[Action::Filter], "filter"),
        (&[Action::Queue], "find"),
        (&[Action::NextOpen], "undecided"),
    ];
    let hints = hints.into_iter();
    hints
        .filter_map(|(actions, word)| Some((session.keymap.labels(actions)?, word)))
        .collect()
}
