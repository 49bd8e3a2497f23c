//! Evidence in words.

use super::posterior::describe_weight;
use super::{Evidence, Fact};
use endpaper_text::scan::MarkerSet;
use endpaper_text::wording::plural;

impl Evidence {
    /// The fact in words, such as `marker "THE SMALL PRINT"` or `3 frequent lines, longest gap 1`.
    pub fn text(&self) -> String {
        match &self.fact {
            Fact::Marker(marks) => format!("marker \"{}\"", marker(*marks)),
            &Fact::EndMarkers {
                markers,
                apart,
                after,
            } => end_markers(markers, apart, after),
            Fact::Credits => format!("credits block {}", self.place()),
            Fact::Note => format!("note {}", self.place()),
            Fact::Frequent { lines, gap: 0 } => counted(*lines, "frequent line"),
            Fact::Frequent { lines, gap } => {
                format!("{}, longest gap {gap}", counted(*lines, "frequent line"))
            }
            Fact::Kind(kind, share) => format!("{kind} {:.0} %", 100.0 * share),
            Fact::Weighted { weight, at: None } => describe_weight(usize::from(*weight)),
            Fact::Weighted {
                weight,
                at: Some(line),
            } => format!("at {line}: {}", describe_weight(usize::from(*weight))),
            Fact::Text(words) => words.clone(),
        }
    }

    /// The words, preceded by the lines unless they name them: `22-23 credits 99 %`.
    pub fn phrase(&self) -> String {
        match self.kind() {
            None => self.text(),
            Some(_) => format!("{} {}", self.place(), self.text()),
        }
    }

    /// `9`, `9-10`.
    fn place(&self) -> String {
        match self.lines {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        }
    }
}

/// The name of a marker.
fn marker(marks: MarkerSet) -> &'static str {
    if marks.has(MarkerSet::START) {
        "START OF"
    } else if marks.has(MarkerSet::SMALL_PRINT_END) {
        "THE SMALL PRINT"
    } else if marks.has(MarkerSet::END) {
        "End of"
    } else {
        "ETEXT"
    }
}

/// `1 End marker, nothing after`, `2 End markers, 300 lines apart, 12 lines after`.
fn end_markers(markers: u32, apart: u32, after: u32) -> String {
    let mut text = counted(markers, "End marker");
    if apart > 0 {
        text += &format!(", {} apart", counted(apart, "line"));
    }
    match after {
        0 => text + ", nothing after",
        _ => text + &format!(", {} after", counted(after, "line")),
    }
}

/// `1 line`, `2 lines`.
fn counted(number: u32, thing: &str) -> String {
    format!("{number} {}", plural(number as usize, thing))
}
