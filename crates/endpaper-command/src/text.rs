//! `endpaper text`: the text of a book, as all other commands read it.

use std::io::{IsTerminal, Write};

use anyhow::{Context, Result, bail};

use crate::Exit;
use crate::common::{CorpusArgs, Pdf};
use crate::output::{Printer, warn_of_skipped};
use endpaper_text::corpus::BookText;
use endpaper_text::corpus::extract::{
    DocumentFormat, become_pdftotext, confine, extract_in_process,
};
use endpaper_text::sanitise::sanitise;
use endpaper_text::wording::without_system_noise;

const EXAMPLES: &str = "\
Examples:
  endpaper text book.pdf | less
  endpaper text book.epub > book.txt
  endpaper text ~/gutenberg --include '*/2city12.txt'
  endpaper text --lines 260-280 book.zip

Line numbers, offsets and SHA-256 in ground truth refer to these bytes: the file itself, the member of an archive, or the
text extracted from a PDF or EPUB file. Pages of a PDF file are separated by a line with a single form feed.

Exit status: 0 fine, 1 the book cannot be read, 2 wrong use.";

/// Arguments of `endpaper text`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    corpus: CorpusArgs,

    /// Print only these lines: FIRST-LAST, or one number
    #[arg(long, value_name = "LINES", value_parser = lines)]
    lines: Option<(u32, u32)>,

    /// Read one PDF or EPUB file in this process, with limits on time and memory; endpaper starts itself this way for each such file
    #[arg(long, hide = true)]
    bare: bool,
}

/// Parses the value of `--lines`: a first and a last line, counted from 1.
fn lines(text: &str) -> Result<(u32, u32), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|&line| line > 0);
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        _ => Err("lines are FIRST-LAST, counted from 1, such as 260-280".to_owned()),
    }
}

/// Runs `endpaper text`.
///
/// # Errors
///
/// Wrong use, not exactly one book, or a reader that stopped reading.
pub fn run(args: &Args) -> Result<Exit> {
    let max_size = args.corpus.max_size.0;
    if args.bare {
        return bare(&args.corpus, max_size);
    }
    let listing = args.corpus.list(None)?;
    let book = match listing.books.as_slice() {
        [book] => book,
        [] => {
            warn_of_skipped(&listing.skipped);
            return Ok(Exit::Partial);
        }
        books => bail!(
            "{} books are too many, from '{}' to '{}': name one, or --include its id",
            books.len(),
            books[0].id,
            books[books.len() - 1].id
        ),
    };
    let text = match book.text(max_size) {
        Ok(text) => text,
        Err(reason) => {
            warn_of_skipped(&[endpaper_text::corpus::Skipped {
                id: book.id.clone(),
                reason,
            }]);
            return Ok(Exit::Partial);
        }
    };
    let (first, last) = match args.lines {
        Some((first, _)) if first > text.lines() => {
            bail!("line {first} is after the last one, {}", text.lines())
        }
        Some((first, last)) => (first, last.min(text.lines())),
        None => (1, text.lines()),
    };
    if std::io::stdout().is_terminal() {
        return show(&text, first, last);
    }
    print(&text.bytes()[text.span(first, last)])
}

/// Prints lines escaped for a terminal: books may contain control sequences that recolour, rename or command it.
fn show(text: &BookText, first: u32, last: u32) -> Result<Exit> {
    let mut printer = Printer::stdout();
    for line in first..=last {
        printer.line(&text.display(line, usize::MAX))?;
    }
    printer.finish()?;
    Ok(Exit::Success)
}

/// Reads one file for the parent process, which takes the last line of stderr for the reason of a failure.
fn bare(args: &CorpusArgs, max_size: u64) -> Result<Exit> {
    let [file] = args.corpus.as_slice() else {
        bail!("--bare takes one file");
    };
    let format = DocumentFormat::of(file);
    let format = format.context("--bare takes a .pdf or .epub file")?;
    let is_built_in = format != DocumentFormat::Pdf || args.pdf != Pdf::Pdftotext;
    confine(is_built_in);
    let read = match is_built_in {
        true => extract_in_process(file, format, max_size),
        false => Err(become_pdftotext(file)),
    };
    match read {
        Ok(bytes) if std::io::stdout().is_terminal() => {
            let text = BookText::new(bytes);
            show(&text, 1, text.lines())
        }
        Ok(text) => print(&text),
        Err(reason) => {
            // Without the program's name: the parent puts the book's before it.
            let reason = without_system_noise(&reason.to_string()).into_owned();
            let _ = writeln!(std::io::stderr(), "{}", sanitise(&reason));
            Ok(Exit::Failed)
        }
    }
}

/// Writes bytes to stdout, unescaped.
fn print(bytes: &[u8]) -> Result<Exit> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_a_range_or_one() {
        assert_eq!(lines("3-9"), Ok((3, 9)));
        assert_eq!(lines("3"), Ok((3, 3)));
        for wrong in ["", "0", "9-3", "-3", "a-b", "3-"] {
            assert!(lines(wrong).is_err(), "{wrong}");
        }
    }
}
