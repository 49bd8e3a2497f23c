//! `endpaper search`: finds the books of a corpus that mention something, and where.

mod print;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, SCAN_MEMORY, exit_after_skips};
use endpaper_command::output::{OutputFormat, note, warn};
use endpaper_command::progress::ProgressBar;
use endpaper_command::user::UserFolders;
use endpaper_command::values::whole;
use endpaper_search::{
    BookPart, IndexProblem, IndexUpdate, IndexUpdater, Query, QueryOptions, Ranking, SearchHits,
    SearchIndex, find_with_excerpts, search_folder, update_index,
};
use endpaper_text::corpus::{Book, Listing, Skipped};
use endpaper_text::wording::{plural, thousands};
use endpaper_truth::Store;

const EXAMPLES: &str = "\
Examples:
  endpaper search whale ~/gutenberg
  endpaper search 'white whale' ~/gutenberg --limit 20
  endpaper search '\"steam engine\" -locomotive' ~/gutenberg
  endpaper search 'title:emma OR author:austen' ~/gutenberg
  endpaper search 'whale date:1850..1899' ~/gutenberg
  endpaper search references:darwin ~/gutenberg
  endpaper search 'scanned by' ~/gutenberg --in preamble,epilogue
  endpaper search vampire ~/gutenberg --format tsv | cut -f 2,3

A book must have all words of the query (with --any: one of them, and the language and years). Words that are adjacent in the query score higher if they
are adjacent in the book; in \"double quotes\" they must be. AND, OR, NOT, +, - and parentheses work as elsewhere. title:,
author:, chapter:, contents:, isbn:, id:, body:, references:, preamble: and epilogue: search one part of books,
language:german books in one language. date:1890, date:1890..1899, date:1890.. and date:..1850 select books by the year of the
printed book (the column published), if the book states it, released:1995 by the year of the e-book. A word without a part is searched in title, authors, chapter
titles, contents and body, not in boilerplate and not in lists of references: darwin finds books by or about him, not those
that only cite him. Words are compared by their stems in the language of each book: whale finds whales.

Books are ranked by Okapi BM25 in each part, added up: titles weigh three times as much as the body, authors and chapter
titles twice. --ranking tfidf ranks as Wu et al. do, to compare.

A hit is a book, with the chapter and line where most of the words occur together. Cuts are those of decided records, else
the detector's. Columns of tsv and keys of jsonl: rank, book, line, part, title, authors, chapter_line, chapter, score,
excerpt, published; jsonl adds marks, the words of the query in the excerpt as pairs of character offsets, and, where a book changed
after it was indexed, note.

The first search builds the index and every other one updates it. It takes about a third of the size of the texts, in the
cache folder (a folder that ends in .search) or in --index. A damaged index and one of another version are rebuilt. A
killed search resumes indexing the next time.

Exit status: 0 fine (also if nothing is found), 1 some books could not be read, 2 wrong use or nothing done.";

/// Arguments of `endpaper search`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The query; quote it for the shell
    #[arg(value_name = "QUERY")]
    query: Option<String>,

    /// Search only these parts (comma separated): id, title, authors, chapter, contents, isbn, preamble, body, references, epilogue
    #[arg(long = "in", value_name = "PARTS", value_delimiter = ',')]
    parts: Vec<BookPart>,

    /// Find books with any of the words instead of all
    #[arg(long)]
    any: bool,

    /// How books are ranked: bm25 or tfidf
    #[arg(long, value_name = "RANKING", default_value_t)]
    ranking: Ranking,

    /// Number of books to print
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>(1..=MAX_LIMIT))]
    limit: usize,

    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    format: OutputFormat,

    /// The truth folder [default: the setting, else endpaper-truth if it exists]
    #[arg(long, value_name = "DIR")]
    truth: Option<PathBuf>,

    /// The folder of the index [default: in the cache folder]
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,

    /// Update the index without searching
    #[arg(long)]
    index_only: bool,

    /// Rebuild the index
    #[arg(long)]
    rebuild: bool,

    #[command(flatten)]
    corpus: CorpusArgs,
}

/// Largest `--limit`: no user reads more hits.
const MAX_LIMIT: u64 = 10_000;

/// Runs `endpaper search`.
///
/// # Errors
///
/// Wrong use, an invalid query, no readable book, an index that cannot be written.
pub fn run(args: &Args) -> Result<Exit> {
    let (query, corpus) = args.query_and_corpus()?;
    let user = UserFolders::read()?;
    let folder = user.truth(args.truth.as_deref(), false);
    ensure!(
        args.truth.is_none() || folder.is_dir(),
        "the truth folder '{}' does not exist",
        folder.display()
    );
    let store = Store::open(&folder)?;
    let listing = list(
        &corpus,
        query.as_ref().map(|(text, _)| text.as_str()),
        folder,
    )?;
    let mut index = OpenedIndex::open(args, &corpus, &listing)?;
    let skipped = index.update(&listing, &store)?;
    let Some((text, query)) = query else {
        let exit = exit_after_skips(&skipped);
        index.say_size();
        return Ok(exit);
    };
    let found = index.find(&query, args.limit, &listing, &store)?;
    let printed = match args.format {
        OutputFormat::Table => {
            let hint = match found.total {
                0 => hint(args, &index.index, &text, &query)?,
                _ => None,
            };
            print::table(&text, &found, hint.as_deref())
        }
        OutputFormat::Tsv => print::tsv(&found),
        OutputFormat::Jsonl => print::jsonl(&found),
    };
    let exit = exit_after_skips(&skipped);
    printed?;
    Ok(exit)
}

/// A query as typed and as parsed.
type ParsedQuery = (String, Query);

impl Args {
    /// How the query is parsed.
    fn reading(&self) -> QueryOptions {
        let parts = match self.parts.as_slice() {
            [] => BookPart::DEFAULT.to_vec(),
            parts => parts.to_vec(),
        };
        QueryOptions {
            any: self.any,
            parts,
            ranking: self.ranking,
        }
    }

    /// The query and the corpus. With `--index-only` the first argument is part of the corpus.
    fn query_and_corpus(&self) -> Result<(Option<ParsedQuery>, CorpusArgs)> {
        let mut corpus = self.corpus.clone();
        if self.index_only {
            let first = self.query.iter().map(PathBuf::from);
            corpus.corpus.splice(0..0, first);
            return Ok((None, corpus));
        }
        let Some(text) = &self.query else {
            bail!(
                "there is nothing to search for; write a query before the corpus, or --index-only"
            );
        };
        let query = Query::read(text, &self.reading())?;
        Ok((Some((text.clone(), query)), corpus))
    }
}

/// Lists the corpus. The words of an unquoted query look like paths, so an error suggests quotes.
fn list(corpus: &CorpusArgs, query: Option<&str>, truth: PathBuf) -> Result<Listing> {
    let missing = corpus.corpus.iter().find(|root| !root.exists());
    let listing = corpus.list(Some(truth));
    match (missing, query) {
        (Some(root), Some(query)) => listing.with_context(|| {
            let root = root.display();
            format!(
                "'{root}' is taken for a corpus; if it belongs to the query, put all of it in quotes: '{query} {root}'"
            )
        }),
        _ => listing,
    }
}

/// An index and the inputs to update it.
struct OpenedIndex<'a> {
    args: &'a Args,
    corpus: &'a CorpusArgs,
    index: SearchIndex,
    folder: PathBuf,
    /// The folder of a temporary index.
    temporary_folder: Option<TempDir>,
}

impl<'a> OpenedIndex<'a> {
    /// Opens the index of the corpus, or makes one.
    fn open(args: &'a Args, corpus: &'a CorpusArgs, listing: &Listing) -> Result<OpenedIndex<'a>> {
        let folder = match (&args.index, corpus.options()?.cache) {
            (Some(folder), _) => Some(folder.clone()),
            (None, cache) => {
                cache.map(|cache| search_folder(&cache, &corpus.request(None), listing))
            }
        };
        let opened = folder.map(|folder| (open_or_create(&folder, args, corpus.quiet), folder));
        let (index, folder, passing) = match opened {
            Some((Err(problem), _))
                if args.index.is_none() && !args.index_only && problem.is_disk_error() =>
            {
                warn(&format!("{problem}; using a temporary index"));
                temporary_index()?
            }
            Some((index, folder)) => (index?, folder, None),
            None => temporary_index()?,
        };
        Ok(OpenedIndex {
            args,
            corpus,
            index,
            folder,
            temporary_folder: passing,
        })
    }

    /// Analyses the corpus and indexes changes. A damaged index is rebuilt once; one that another process is creating is waited for; if the
    /// cache cannot hold an index, a temporary one is used.
    fn update(&mut self, listing: &Listing, store: &Store) -> Result<Vec<Skipped>> {
        let mut options = self.corpus.options()?;
        options.scan_memory = SCAN_MEMORY;
        let report = self.corpus.analyse(listing, &options)?;
        let feeding = IndexUpdater {
            threads: self.args.corpus.threads,
            max_size: options.max_size,
            truth: Some(store),
        };
        let fed = match self.add_to_index(&report.books, feeding) {
            Ok(fed) => fed,
            Err(error) if !self.repair(&error)? => return Ok(report.skipped),
            Err(_) => self.add_to_index(&report.books, feeding)?,
        };
        let mut skipped = report.skipped;
        skipped.extend(fed.skipped);
        Ok(skipped)
    }

    /// Handles an error of indexing and returns whether to try again; otherwise the index is searched as it is.
    fn repair(&mut self, error: &anyhow::Error) -> Result<bool> {
        let refused = || anyhow::anyhow!("{error:#}");
        match error.downcast_ref() {
            Some(IndexProblem::Broken(_)) => self.rebuild(&error.to_string())?,
            Some(IndexProblem::Busy(_)) if self.args.index_only => return Err(refused()),
            Some(IndexProblem::Busy(_)) if self.index.books() > 0 => {
                let books = thousands(self.index.books());
                warn(&format!(
                    "{error}; searching the {books} books already indexed"
                ));
                return Ok(false);
            }
            Some(IndexProblem::Busy(folder)) => {
                let folder = folder.display();
                note(&format!(
                    "another endpaper is making the search index in '{folder}'; waiting for it"
                ));
                self.index.wait_for_writer(&AtomicBool::new(false));
                self.index = open_or_create(&self.folder, self.args, self.corpus.quiet)?;
            }
            Some(problem)
                if problem.is_disk_error()
                    && self.args.index.is_none()
                    && !self.args.index_only
                    && self.temporary_folder.is_none() =>
            {
                warn(&format!("{error}; using a temporary index"));
                (self.index, self.folder, self.temporary_folder) = temporary_index()?;
            }
            _ => return Err(refused()),
        }
        Ok(true)
    }

    /// Indexes the books and reports progress.
    fn add_to_index(
        &self,
        books: &[endpaper_detect::pipeline::BookReport],
        feeding: IndexUpdater<'_>,
    ) -> Result<IndexUpdate> {
        let start = Instant::now();
        let fed = {
            let bar = ProgressBar::new(self.corpus.quiet);
            let never = AtomicBool::new(false);
            update_index(
                &self.index,
                books,
                feeding,
                &|progress| bar.show_progress(progress),
                &never,
            )?
        };
        if !self.corpus.quiet && fed.indexed + fed.removed > 0 {
            let mut said = format!(
                "{} {} indexed",
                thousands(fed.indexed),
                plural(fed.indexed, "book")
            );
            if fed.removed > 0 {
                said.push_str(&format!(", {} removed", thousands(fed.removed)));
            }
            if fed.bytes >= 1 << 20 {
                let seconds = start.elapsed().as_secs_f64();
                said.push_str(&format!(
                    " ({} MB in {seconds:.1} s)",
                    thousands(fed.bytes / 1_000_000)
                ));
            }
            note(&said);
        }
        Ok(fed)
    }

    /// Empties the index, to be filled again, and warns.
    fn rebuild(&mut self, why: &str) -> Result<()> {
        warn(&format!("{why}; rebuilding it"));
        self.index = SearchIndex::create(&self.folder)?;
        Ok(())
    }

    /// Searches. An index found to be damaged only now is rebuilt once.
    fn find(
        &mut self,
        query: &Query,
        limit: usize,
        listing: &Listing,
        store: &Store,
    ) -> Result<SearchHits> {
        match self.ask(query, limit, listing) {
            Err(problem @ IndexProblem::Broken(_)) => {
                self.rebuild(&problem.to_string())?;
                self.update(listing, store)?;
                Ok(self.ask(query, limit, listing)?)
            }
            found => Ok(found?),
        }
    }

    /// Queries the index.
    fn ask(
        &self,
        query: &Query,
        limit: usize,
        listing: &Listing,
    ) -> Result<SearchHits, IndexProblem> {
        let books: HashMap<&str, &Book> = listing
            .books
            .iter()
            .map(|book| (book.id.as_str(), book))
            .collect();
        let max_size = self.corpus.max_size.0;
        let book = |id: &str| books.get(id).map(|book| (*book).clone());
        find_with_excerpts(&self.index, query, limit, max_size, &book)
    }

    /// Reports the size of the index.
    fn say_size(&self) {
        if !self.corpus.quiet {
            let (books, size) = (
                thousands(self.index.books()),
                thousands(self.index.size() / 1_000_000),
            );
            note(&format!(
                "the index in '{}' has {books} books and takes {size} MB",
                self.folder.display()
            ));
        }
    }
}

/// Opens the index, or makes it if it is missing, of another version or damaged.
fn open_or_create(folder: &Path, args: &Args, quiet: bool) -> Result<SearchIndex, IndexProblem> {
    if args.rebuild {
        return SearchIndex::create(folder);
    }
    let (index, problem) = SearchIndex::open_or_create(folder)?;
    if let Some(problem) = problem
        && !quiet
        && !matches!(problem, IndexProblem::Missing(_))
    {
        warn(&format!("{problem}; rebuilding it"));
    }
    Ok(index)
}

/// An index in a folder that is deleted on exit.
fn temporary_index() -> Result<(SearchIndex, PathBuf, Option<TempDir>)> {
    let place = tempfile::tempdir().context("no folder for a temporary index could be created")?;
    let folder = place.path().join("index");
    Ok((SearchIndex::create(&folder)?, folder, Some(place)))
}

/// Why a query has no hits, or a suggestion for one that has some.
fn hint(args: &Args, index: &SearchIndex, text: &str, query: &Query) -> Result<Option<String>> {
    for field in query.year_fields() {
        let all = Query::read(&format!("{field}:0000.."), &QueryOptions::default())?;
        if index.find(&all, 1)?.total == 0 {
            return Ok(Some(format!(
                "No book here states the year that '{field}:' looks for; leave it out."
            )));
        }
    }
    let within = |parts: &[BookPart]| QueryOptions {
        parts: parts.to_vec(),
        ..args.reading()
    };
    let any = QueryOptions {
        any: true,
        ..args.reading()
    };
    let others = [
        (
            args.parts.is_empty(),
            within(&[BookPart::References]),
            "in lists of references; add --in references",
        ),
        (
            args.parts.is_empty(),
            within(&[BookPart::Preamble, BookPart::Epilogue]),
            "in preambles and epilogues; add --in preamble,epilogue",
        ),
        (!args.any, any, "with one of the words; add --any"),
    ];
    for (applies, reading, where_and_how) in others {
        // A query that is valid in one reading may be invalid in another.
        let query = Query::read(text, &reading).ok().filter(|_| applies);
        let total = match &query {
            Some(query) => index.find(query, 1)?.total,
            None => 0,
        };
        if total > 0 {
            return Ok(Some(format!(
                "There are {} {where_and_how}.",
                thousands(total)
            )));
        }
    }
    Ok(None)
}
