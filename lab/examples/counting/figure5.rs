//! Figure 5: histogram of line counts, next to the paper's numbers.

use anyhow::Result;
use endpaper_detect::frequency::{Counts, Structure};

use crate::build::FromFile;
use crate::lines::{BOOK, LineFile};
use crate::table::AlignedTable;
use endpaper_text::wording::thousands;

/// Prints the histogram of a file of lines, and of an eighth, a quarter and a half of it.
pub fn print(file: &LineFile) -> Result<()> {
    let mut table = AlignedTable::new([
        "books",
        "lines",
        "distinct",
        "once",
        "twice",
        "more often",
        "10 and more",
        "more than 10",
    ]);
    let mut all = Counts::default();
    for part in [8, 4, 2, 1] {
        let lines = file.lines / part;
        all = count(&LineFile::first(&file.path, lines)?)?;
        let among = |range: std::ops::RangeInclusive<u64>| {
            let keys = all.iter().filter(|(_, count)| range.contains(count));
            thousands(keys.count() as u64)
        };
        table.row([
            thousands(lines / BOOK as u64),
            thousands(lines),
            thousands(all.len() as u64),
            among(1..=1),
            among(2..=2),
            among(3..=u64::MAX),
            among(10..=u64::MAX),
            among(11..=u64::MAX),
        ]);
    }
    let paper = [
        "the paper",
        "",
        "3.4 M",
        "2.6 M",
        "0.7 M",
        "< 100,000",
        "< 3,000",
    ];
    table.row(paper.map(str::to_owned));
    table.print();
    let mut table = AlignedTable::new(["times", "lines"]);
    for (first, last, keys) in all.histogram().bins() {
        let times = match first == last {
            true => first.to_string(),
            false => format!("{first} to {last}"),
        };
        table.row([times, thousands(keys)]);
    }
    table.print();
    Ok(())
}

fn count(file: &LineFile) -> Result<Counts> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Structure::default().dispatch(
        threads,
        FromFile {
            file,
            threads,
            below: 0,
        },
    )
}
