//! Tens of millions of lines under a memory limit, with counts known by construction.
//!
//! Lines are numbered by rank. Common lines have frequencies in proportion to 1 / rank (Zipf) down to 3; the rest occur once or twice in the
//! proportions of the paper's figure 5 (0.7 and 2.6 of 3.3 million). Their order scatters the occurrences of each line over the whole stream.
//!
//! A structure may omit the rarest lines if their counts outgrow its memory, and reports the lowest count it kept. Lines below that must be absent;
//! all others must have exactly the right count.

use std::fmt::Write;

use anyhow::Result;
use endpaper_detect::frequency::{BookLines, Counter, Counts, StructureVisitor};
use endpaper_text::line::Key;
use endpaper_text::scan::Window;

use crate::arguments::CountingArguments;
use crate::build::{sharded, timed};
use crate::child::peak;
use crate::lines::BOOK;
use crate::table::{AlignedTable, mib};
use endpaper_text::wording::thousands;

/// Memory that a structure may use in addition to the limit in its options.
const EXTRA_MEMORY: u64 = 64 << 20;

/// Builds the structure twice: without infrequent lines, and with as many lines as it keeps.
pub fn print(arguments: &mut CountingArguments) -> Result<()> {
    let structures = arguments.structures(&["external:memory=256M"])?;
    let stream = Stream::new(arguments.lines);
    println!(
        "{} made lines, {} distinct, {} of them more than 10 times",
        thousands(stream.length),
        thousands(stream.distinct()),
        thousands(stream.at_least(11))
    );
    println!();
    for structure in structures {
        let mut table = AlignedTable::new([
            "structure",
            "kept from",
            "keys",
            "seconds",
            "ns/line",
            "wrong",
            "peak MiB",
        ]);
        let mut most = None;
        for below in [11, 1] {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            let job = FromStream {
                stream: &stream,
                threads,
                below,
            };
            let (counts, time) = timed(|| structure.dispatch(threads, job))?;
            let kept_from = counts.pruned_below().max(1);
            let wrong = stream.wrong(&counts, kept_from);
            most = peak();
            table.row([
                structure.to_string(),
                kept_from.to_string(),
                thousands(counts.len() as u64),
                format!("{:.1}", time.as_secs_f64()),
                format!("{:.0}", time.as_nanos() as f64 / stream.length as f64),
                thousands(wrong),
                most.map_or("-".to_owned(), mib),
            ]);
        }
        table.print();
        if let (Some(peak), Some(limit)) = (most, memory(&structure.to_string())) {
            let limit = limit + EXTRA_MEMORY;
            let verdict = if peak <= limit { "holds" } else { "MISSED" };
            println!(
                "{structure}: {} of {} MiB, {verdict}",
                mib(peak),
                mib(limit)
            );
        }
    }
    Ok(())
}

/// Returns the limit in a structure's options, in bytes.
fn memory(structure: &str) -> Option<u64> {
    let (_, size) = structure.split_once("memory=")?;
    let size = size.split(',').next()?;
    let digits = size.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match &size[digits.len()..] {
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => 0,
    };
    Some(digits.parse::<u64>().ok()? << shift)
}

/// Lines by rank, from 0, each with its number of occurrences.
struct Stream {
    length: u64,
    /// Cumulative occurrences of the common lines.
    common: Vec<u64>,
    /// Number of lines that occur twice, after the common ones. All others occur once.
    twice: u64,
    /// Step from one occurrence to the next, coprime to the length.
    step: u64,
}

impl Stream {
    fn new(length: u64) -> Stream {
        let mut common = Vec::new();
        let mut total = 0;
        for rank in 1.. {
            let times = length / 200 / rank;
            if times < 3 {
                break;
            }
            total += times;
            common.push(total);
        }
        let golden = (length as f64 * 0.618_033_988_75) as u64 | 1;
        let coprime = |step: &u64| greatest_common_divisor(*step, length) == 1;
        Stream {
            length,
            common,
            twice: (length - total) * 7 / (2 * 7 + 26),
            step: (golden..).find(coprime).unwrap_or(1),
        }
    }

    fn total_common(&self) -> u64 {
        self.common.last().copied().unwrap_or(0)
    }

    fn distinct(&self) -> u64 {
        let once = self.length - self.total_common() - 2 * self.twice;
        self.common.len() as u64 + self.twice + once
    }

    /// Returns the rank of the occurrence at a position of the stream.
    fn rank(&self, place: u64) -> u64 {
        let at = (u128::from(place) * u128::from(self.step) % u128::from(self.length)) as u64;
        let (common, total) = (self.common.len() as u64, self.total_common());
        match at.checked_sub(total) {
            None => self.common.partition_point(|&end| end <= at) as u64,
            Some(rest) if rest < 2 * self.twice => common + rest / 2,
            Some(rest) => common + rest - self.twice,
        }
    }

    fn frequency(&self, rank: u64) -> u64 {
        let common = self.common.len() as u64;
        match usize::try_from(rank) {
            Ok(0) => self.common.first().copied().unwrap_or(1),
            Ok(index) if rank < common => self.common[index] - self.common[index - 1],
            _ if rank < common + self.twice => 2,
            _ => 1,
        }
    }

    fn at_least(&self, times: u64) -> u64 {
        let frequent = (0..self.distinct()).take_while(|&rank| self.frequency(rank) >= times);
        frequent.count() as u64
    }

    /// Returns the number of keys with a wrong count, missing keys and surplus keys.
    fn wrong(&self, counts: &Counts, kept_from: u64) -> u64 {
        let mut text = String::new();
        let mut wrong = (counts.len() as u64).abs_diff(self.at_least(kept_from));
        for rank in 0..self.distinct() {
            let times = self.frequency(rank);
            let expected = if times < kept_from { 0 } else { times };
            put(&mut text, rank);
            wrong += u64::from(counts.frequency(Key::of(&text)) != expected);
        }
        wrong
    }
}

fn put(text: &mut String, rank: u64) {
    text.clear();
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "This is line {rank} of a corpus that was made to be counted."
    );
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

struct FromStream<'a> {
    stream: &'a Stream,
    threads: usize,
    below: u64,
}

impl StructureVisitor for FromStream<'_> {
    type Output = Result<Counts>;

    fn build<C: Counter>(self, new: impl Fn(usize) -> Result<C> + Sync) -> Result<Counts> {
        let shard = |thread: usize| {
            let mut counter = new(0)?;
            let (mut text, mut batch) = (String::new(), BookLines::default());
            let places = (thread as u64..self.stream.length).step_by(self.threads);
            for place in places {
                put(&mut text, self.stream.rank(place));
                batch.push(Key::of(&text), Window::Head, C::WANTS_TEXT.then_some(&text));
                if batch.keys().len() == BOOK {
                    counter.add_batch(&batch)?;
                    batch.clear();
                }
            }
            counter.add_batch(&batch)?;
            Ok(counter)
        };
        sharded(self.threads, self.below, shard)
    }
}
