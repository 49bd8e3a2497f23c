//! `endpaper demo`: writes the books that ship with the program into a folder, as plain files.

use std::path::PathBuf;

use anyhow::{Result, anyhow};

use endpaper_command::Exit;
use endpaper_command::output::note;
use endpaper_command::overwrite::{ForceArgs, check_folder};
use endpaper_text::corpus::{self, ListingRequest};
use endpaper_text::wording::plural;

const EXAMPLES: &str = "\
Examples:
  endpaper demo shelf
  endpaper detect shelf
  endpaper review shelf

The books are short, in the public domain, and as Project Gutenberg published them. `endpaper review --demo` opens the same
books without writing any.

Exit status: 0 fine, 2 wrong use or nothing done.";

/// Arguments of `endpaper demo`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The folder to write the books to, created if missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    force: ForceArgs,
}

/// Runs `endpaper demo`.
///
/// # Errors
///
/// A file that exists, or cannot be written.
pub fn run(args: &Args) -> Result<Exit> {
    check_folder(&args.folder)?;
    let request = ListingRequest {
        demo: true,
        ..ListingRequest::default()
    };
    let books = corpus::list(&request)?.books;
    let files = books.iter().map(|book| {
        let bytes = book.read(u64::MAX);
        let bytes = bytes.map_err(|reason| anyhow!("'{}': {reason}", book.id))?;
        Ok((args.folder.join(book.id.as_str()), bytes))
    });
    args.force.write_all(files.collect::<Result<_>>()?)?;
    note(&format!(
        "{} {} written to '{}'",
        books.len(),
        plural(books.len(), "book"),
        args.folder.display()
    ));
    Ok(Exit::Success)
}
