//! Writing the rows of one shard.

use std::io::{self, BufWriter, Write};

use anyhow::{Result, ensure};
use flate2::{Compression, GzBuilder};

use super::counter::CountedLine;
use super::{CountRow, CountRowKind, MOST_BOOKS, RowCounter, RowParameters};
use crate::frequency::line_texts::shortened;
use crate::frequency::{BookDigest, CountedEnds, EndCounters};

/// Keys do not compress; a higher level takes longer and saves only a few per cent.
const LEVEL: Compression = Compression::new(3);

/// Writes the rows of one shard as gzip. The same books give the same bytes.
///
/// # Errors
///
/// If writing or the counter's storage fails, or there are more than [`MOST_BOOKS`] books.
pub fn write_rows(
    out: impl Write,
    parameters: &RowParameters,
    books: &[(String, BookDigest)],
    unreadable: &[String],
    tally: EndCounters<RowCounter>,
) -> Result<()> {
    ensure!(
        books.len() <= MOST_BOOKS,
        "{} books are too many for one shard, which has at most {MOST_BOOKS}; use more shards",
        books.len()
    );
    // Without time and name, so that the bytes depend on the rows only.
    let gzip = GzBuilder::new().mtime(0).write(out, LEVEL);
    let mut out = BufWriter::with_capacity(1 << 16, gzip);
    let about = |kind, key, count, books, text: &str| -> io::Result<CountRow<'static>> {
        Ok(CountRow {
            kind,
            end: None,
            key,
            count: signed(count)?,
            books,
            text: text.to_owned().into(),
        })
    };
    for (id, mark) in books {
        let [key, bytes, digest] = mark.numbers();
        about(CountRowKind::Book, key as i64, bytes, digest as i64, id)?.write(&mut out)?;
    }
    for reason in unreadable {
        about(CountRowKind::Unreadable, 0, 0, 0, reason)?.write(&mut out)?;
    }
    let (mut counts, mut held) = (0, 0);
    for (end, lines) in tally.into_sets() {
        lines.lines(|line| {
            counts += line.count;
            held += line.books;
            Ok(row_of(end, &line)?.write(&mut out)?)
        })?;
    }
    let (number, held) = (books.len() as i64, signed(held)?);
    about(
        CountRowKind::Shard,
        number,
        counts,
        held,
        &parameters.to_string(),
    )?
    .write(&mut out)?;
    let gzip = out.into_inner().map_err(|error| error.into_error())?;
    gzip.finish()?.flush()?;
    Ok(())
}

/// The row of a line. Its text is written only if several books have the line.
fn row_of<'a>(end: CountedEnds, line: &CountedLine<'a>) -> io::Result<CountRow<'a>> {
    let text = if line.books > 1 {
        shortened(line.text)
    } else {
        ""
    };
    Ok(CountRow {
        kind: CountRowKind::Exact,
        end: Some(end),
        key: line.key as i64,
        count: signed(line.count)?,
        books: signed(line.books)?,
        text: text.into(),
    })
}

/// The number as columns have it; an error if it is too large.
fn signed(number: u64) -> io::Result<i64> {
    i64::try_from(number).map_err(io::Error::other)
}
