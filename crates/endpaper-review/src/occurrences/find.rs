//! Finds the lines of one scan that match a query.

use super::query::{OccurrenceHit, OccurrenceQuery};
use endpaper_detect::End;
use endpaper_text::scan::Scan;

/// Maximum number of hits per book: a file that repeats one line must not fill the list.
const MOST_OF_A_BOOK: usize = 40;

/// The matching lines of a book, in line order.
pub fn find_hits(
    scan: &Scan,
    book: usize,
    sought: OccurrenceQuery,
) -> impl Iterator<Item = OccurrenceHit> {
    let rows = scan.rows.iter().enumerate();
    let found = rows.filter(move |(_, row)| sought.matches(row));
    found.take(MOST_OF_A_BOOK).map(move |(index, row)| {
        let in_head = index < scan.head as usize;
        let in_tail = index >= scan.tail as usize;
        let end = match (in_head, in_tail) {
            (true, false) => End::Start,
            // The windows of a short book overlap.
            (true, true) if row.line <= scan.lines / 2 => End::Start,
            _ => End::End,
        };
        OccurrenceHit {
            book,
            line: row.line,
            end,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_text::line::{FormHasher, Normaliser};
    use endpaper_text::scan::{WindowOptions, scan};

    fn found(text: &str, options: WindowOptions, sought: OccurrenceQuery) -> Vec<(u32, End)> {
        let scan = scan(text.as_bytes(), options);
        let hits = find_hits(&scan, 7, sought);
        hits.inspect(|hit| assert_eq!(hit.book, 7))
            .map(|hit| (hit.line, hit.end))
            .collect()
    }

    #[test]
    fn a_line_is_found_in_both_windows_and_not_between_them() {
        let line = "This eBook is for the use of anyone anywhere at no cost";
        let other = "A line that has nothing to do with what is looked for";
        let middle = format!("{line}\n{other}\n").repeat(200);
        let text = format!("  {line}\n{other}\n\n{other}\n{middle}{other}\n{line}\nshort\n");
        let options = WindowOptions {
            head: 3,
            tail: 2,
            line_features: false,
            encoding: endpaper_text::corpus::EncodingChoice::Guessed,
        };
        let key = OccurrenceQuery::Line(Normaliser::default().text(line).key());
        let lines = text.lines().count() as u32;
        let expected = [(1, End::Start), (lines - 1, End::End)];
        assert_eq!(found(&text, options, key), expected);
        // In a short book the nearer end counts.
        let short = format!("{other}\n{line}\n{other}\n{line}\n");
        let all = WindowOptions::default();
        let expected = [(2, End::Start), (4, End::End)];
        assert_eq!(found(&short, all, key), expected);
        let many = format!("{line}\n").repeat(100);
        assert_eq!(found(&many, all, key).len(), MOST_OF_A_BOOK);
    }

    #[test]
    fn lines_of_one_skeleton_differ_in_names_and_numbers() {
        let text =
            "Produced by David Widger\n\nProduced by Juliet Sutherland\n\nproduced with pains\n";
        let skeleton =
            |line: &str| OccurrenceQuery::Skeleton(FormHasher::default().half_keys(line).0);
        let produced = skeleton("Produced by Al Haines");
        let lines = |sought| -> Vec<u32> {
            let all = found(text, WindowOptions::default(), sought);
            all.into_iter().map(|(line, _)| line).collect()
        };
        assert_eq!(lines(produced), [1, 3]);
        assert_eq!(lines(skeleton("produced with pains")), [5]);
        assert!(lines(OccurrenceQuery::Skeleton(0)).is_empty());
    }
}
