//! Tables on the terminal: the first column is left-aligned, the others are right-aligned.

/// Rows under a head, printed at the end because every column is as wide as its widest cell.
pub struct AlignedTable {
    rows: Vec<Vec<String>>,
}

impl AlignedTable {
    pub fn new<const N: usize>(head: [&str; N]) -> AlignedTable {
        AlignedTable::with(head.map(str::to_owned).to_vec())
    }

    pub fn with(head: Vec<String>) -> AlignedTable {
        AlignedTable { rows: vec![head] }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub fn print(&self) {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (cell, &width))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            println!("{}", cells.collect::<Vec<_>>().join("  ").trim_end());
        }
        println!();
    }
}

pub fn mib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}
