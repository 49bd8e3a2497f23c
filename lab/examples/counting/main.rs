//! The counting structures measured as in the paper (Kaser & Lemire, sections 3.3 and 4.2), printed as tables.
//!
//! Every command except `figure7` and `scale` counts the lines of one file F: normalised window lines, one per line, 600 per book, suitable as input
//! for `sort` too. It is made from a corpus of your own, preferably a thousand books or more:
//!
//! ```text
//! cargo run --release -p lab --example counting -- lines CORPUS F --books 11000     F from books made of CORPUS, and figure 5
//! cargo run --release -p lab --example counting -- lines CORPUS F                   F from the books as they are
//! cargo run --release -p lab --example counting -- make-books CORPUS OUT --books 11000   the made books as files
//! cargo run --release -p lab --example counting -- histogram F                      figure 5 beside the paper's numbers
//! cargo run --release -p lab --example counting -- structures F [STRUCTURE]...      time and memory on growing corpora
//! cargo run --release -p lab --example counting -- sort F [STRUCTURE]...            against `sort | uniq -c`
//! cargo run --release -p lab --example counting -- figure6 F                        false positives of hashing
//! cargo run --release -p lab --example counting -- figure7                          efficiency of hot items
//! cargo run --release -p lab --example counting -- figure9 F [STRUCTURE]...         build time against the number of counters
//! cargo run --release -p lab --example counting -- scale [STRUCTURE] --lines 50000000    exactness and memory at scale
//! ```
//!
//! `--rounds N` sets the number of timings; the shortest counts, and systems under comparison take turns. [`book_recipe`] describes how books are
//! made. A STRUCTURE is written as for `--structure`.

mod arguments;
mod book_recipe;
mod build;
mod child;
mod figure5;
mod figure6;
mod figure7;
mod figure9;
mod growing;
mod lines;
mod scale;
mod sort;
mod table;

use anyhow::{Result, bail};

use arguments::CountingArguments;

fn main() -> Result<()> {
    let mut arguments = CountingArguments::read(std::env::args().skip(1))?;
    match arguments.next("a command")?.as_str() {
        "make-books" => book_recipe::write(&mut arguments),
        "lines" => lines::write(&mut arguments),
        "histogram" => figure5::print(&lines::LineFile::open(&arguments.path("F")?)?),
        "structures" => growing::print(&mut arguments),
        "sort" => sort::print(&mut arguments),
        "figure6" => figure6::print(&mut arguments),
        "figure7" => {
            figure7::print();
            Ok(())
        }
        "figure9" => figure9::print(&mut arguments),
        "scale" => scale::print(&mut arguments),
        child::COMMAND => child::run(&mut arguments),
        other => bail!("unknown command '{other}'; see the head of lab/examples/counting/main.rs"),
    }
}
