//! Evidence of the open book: what the page contradicts is not said.

use super::*;
use crate::evidence::facts;
use crate::presenter::evidence_line;
use endpaper_detect::Reason;

/// A marker that the detector did not count is a marker to a curator who reads the page, also in the panel.
#[test]
fn a_missing_marker_is_said_unless_a_line_reads_like_one() {
    let plain = "A title\n\nA line of a book that nobody wrote before it was written\n";
    let small_print = format!("Here ends the Small Print\n\n{plain}");
    let end_line = format!("{plain}\nEnd of the Project Gutenberg Etext\n");
    // The book, and whether it is said that its start and its end have no marker.
    let table = [
        ("plain", plain.to_owned(), [true, true]),
        ("small print", small_print, [false, true]),
        ("end line", end_line, [true, false]),
    ];
    for (name, text, expected) in table {
        let mut desk = UpdateFixture::new(vec![("a.txt", text)]);
        let open = desk.session.doc.open.as_mut().unwrap();
        let page = Arc::get_mut(&mut open.page).expect("nothing else holds the page");
        page.detection.reasons = vec![Reason::StartWithoutMarker, Reason::EndWithoutMarker];
        let panel = facts(&desk.session);
        let line = evidence_line(&desk.session);
        for (reason, expected) in ["start-without-marker", "end-without-marker"]
            .iter()
            .zip(expected)
        {
            let is_said = panel.iter().any(|(_, text)| text.starts_with(reason));
            assert_eq!(is_said, expected, "{name}: {reason} in the panel");
            assert_eq!(
                line.contains(reason),
                expected,
                "{name}: {reason} in {line}"
            );
        }
    }
}
