//! The arguments of every command that takes a corpus.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::Exit;
use crate::output::{note, warn, warn_of_skipped};
use crate::progress::ProgressBar;
use crate::user::UserFolders;
use crate::values::{ByteSize, threads};
use endpaper_detect::pipeline::{self, AnalysisOptions, CorpusReport};
use endpaper_evaluate::report::{self, ExcludedRecords, LabelledBook};
use endpaper_text::config::Paths;
use endpaper_text::corpus::extract::{DocumentOptions, PdfReader};
use endpaper_text::corpus::{self, Encoding, Listing, ListingRequest, MAX_SIZE, NoBooks, Skipped};
use endpaper_text::wording::{plural, thousands};
use endpaper_truth::Store;
use endpaper_truth::check::{ListedBooks, check_records};

/// Which books, and how they are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Corpus")]
pub struct CorpusArgs {
    /// Folders, files (text, .pdf, .epub), archives (.zip, .gz), members of archives (a.zip!b.txt), or '-' for one text on standard
    /// input [default: the current folder]
    #[arg(value_name = "CORPUS", help_heading = clap::builder::Resettable::Reset)]
    pub corpus: Vec<PathBuf>,

    /// Read paths from a file, one per line ('-' for standard input)
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,

    /// Use only books whose id matches (may be given several times)
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,

    /// Leave out books whose id matches (may be given several times)
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,

    /// Do not read or write the cache
    #[arg(long, hide_short_help = true)]
    pub no_cache: bool,

    /// Number of threads (0: one per core)
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = threads)]
    pub threads: usize,

    /// Print no progress bar and no notes, only errors, warnings and skipped books
    #[arg(short, long)]
    pub quiet: bool,

    /// Skip texts larger than this, such as 10M or 2G
    #[arg(long, value_name = "SIZE", default_value_t = ByteSize(MAX_SIZE), hide_short_help = true)]
    pub max_size: ByteSize,

    /// The encoding of all books, for example shift_jis or cp437 [default: as chosen in `review`, else the setting, else a
    /// guess]
    #[arg(long, value_name = "NAME", value_parser = encoding, hide_short_help = true)]
    pub encoding: Option<Encoding>,

    /// How PDF files are read
    #[arg(
        long,
        value_enum,
        value_name = "READER",
        default_value_t,
        hide_short_help = true
    )]
    pub pdf: Pdf,
}

/// Which program reads PDF files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Pdf {
    /// pdftotext if it is installed, else the built-in reader
    #[default]
    Auto,
    /// pdftotext (package poppler-utils): keeps lines and columns as printed
    Pdftotext,
    /// The built-in reader
    BuiltIn,
}

impl From<Pdf> for PdfReader {
    fn from(pdf: Pdf) -> PdfReader {
        match pdf {
            Pdf::Auto => PdfReader::Auto,
            Pdf::Pdftotext => PdfReader::Pdftotext,
            Pdf::BuiltIn => PdfReader::BuiltIn,
        }
    }
}

/// Parses the value of `--encoding`.
fn encoding(name: &str) -> Result<Encoding, String> {
    name.parse()
}

/// The encoding in the settings.
fn usual_encoding() -> Option<Encoding> {
    UserFolders::read().ok()?.config.encoding
}

/// The encodings that were guessed, in one line; `None` if every book is in one that all books are tried for.
pub fn guessed_encodings(report: &CorpusReport) -> Option<String> {
    let guessed = report.guessed_encodings();
    let (first, _) = guessed.first()?;
    let counts = guessed.iter().map(|(encoding, count)| {
        let books = plural(*count, "book");
        format!("{encoding} ({} {books})", thousands(*count as u64))
    });
    let counts: Vec<String> = counts.collect();
    Some(format!(
        "read as {}, a guess; --encoding {first} reads all books so",
        counts.join(", ")
    ))
}

impl CorpusArgs {
    /// A pool of as many threads as asked for.
    ///
    /// # Errors
    ///
    /// They cannot be started.
    pub fn pool(&self) -> Result<ThreadPool> {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).build();
        pool.with_context(|| format!("{} threads cannot be started", self.threads))
    }

    /// The listing request. `truth` is the truth folder, which is never part of a corpus.
    pub fn request(&self, truth: Option<PathBuf>) -> ListingRequest {
        ListingRequest {
            roots: self.corpus.clone(),
            files_from: self.files_from.clone(),
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            truth,
            demo: false,
            html: false,
            documents: Some(self.documents()),
            encoding: self.encoding,
            usual_encoding: usual_encoding(),
            standard_input_limit: Some(self.max_size.0),
            threads: self.threads,
        }
    }

    /// Whether a corpus was named, and is not the current folder for want of a name.
    pub fn is_named(&self) -> bool {
        !self.corpus.is_empty() || self.files_from.is_some()
    }

    /// How PDF and EPUB files are read.
    fn documents(&self) -> DocumentOptions {
        let kept = Paths::new().ok().map(|paths| paths.cache);
        DocumentOptions {
            pdf: self.pdf.into(),
            cache_folder: kept.filter(|_| !self.no_cache),
            program: endpaper_text::program::path(),
        }
    }

    /// Lists the corpus.
    ///
    /// # Errors
    ///
    /// Wrong use only: a missing root, an invalid glob, no books.
    pub fn list(&self, truth: Option<PathBuf>) -> Result<Listing> {
        list_books(&self.request(truth))
    }

    /// Lists books that are counted in pieces. How each is read depends on its bytes and the arguments, neither on the other
    /// books nor on the user's settings.
    ///
    /// # Errors
    ///
    /// As [`CorpusArgs::list`].
    pub fn list_piece(&self) -> Result<Listing> {
        let request = ListingRequest {
            usual_encoding: None,
            ..self.request(None)
        };
        let mut listing = list_books(&request)?;
        listing.settle_nothing();
        Ok(listing)
    }

    /// Analyses a listing, with a progress bar unless `quiet`.
    ///
    /// # Errors
    ///
    /// Those of [`pipeline::analyse`].
    pub fn analyse(&self, listing: &Listing, options: &AnalysisOptions) -> Result<CorpusReport> {
        let bar = ProgressBar::new(self.quiet);
        let never = AtomicBool::new(false);
        let show = |progress| bar.show_progress(progress);
        let report = pipeline::analyse(listing, options, &show, &never)?;
        if let Some(guessed) = guessed_encodings(&report).filter(|_| !self.quiet) {
            note(&guessed);
        }
        Ok(report)
    }

    /// Options of an analysis with the default detector.
    ///
    /// # Errors
    ///
    /// The cache folder cannot be determined because the system has no home folder.
    pub fn options(&self) -> Result<AnalysisOptions> {
        let cache = if self.no_cache || self.request(None).is_standard_input() {
            None
        } else {
            Some(Paths::new()?.cache)
        };
        Ok(AnalysisOptions {
            threads: self.threads,
            cache,
            max_size: self.max_size.0,
            ..AnalysisOptions::default()
        })
    }
}

/// Lists books, and names a truth folder that was taken for a corpus.
///
/// # Errors
///
/// As [`corpus::list`].
pub fn list_books(request: &ListingRequest) -> Result<Listing> {
    let listed = corpus::list(request);
    let is_without = |error: &anyhow::Error| error.is::<NoBooks>();
    if listed.as_ref().is_err_and(is_without)
        && let Some(root) = request.roots.iter().find(|root| Store::is_marked(root))
    {
        bail!(
            "'{}' is a truth folder and not a corpus; name it with --truth or --adjudicate",
            root.display()
        );
    }
    listed.context("the corpus cannot be listed")
}

/// Memory for scans in commands that run once and exit, in bytes: more than a review sitting may use.
pub const SCAN_MEMORY: usize = 128 << 20;

/// Names the skipped books and returns the exit status they imply.
pub fn exit_after_skips(skipped: &[Skipped]) -> Exit {
    warn_of_skipped(skipped);
    if skipped.is_empty() {
        Exit::Success
    } else {
        Exit::Partial
    }
}

/// Opens the store of a folder, which must exist.
pub fn open_existing(folder: &Path) -> Result<Store> {
    if !folder.exists() {
        ensure!(
            !folder.is_symlink(),
            "'{}' is a broken symbolic link; replace it, or name another folder with --truth",
            folder.display()
        );
        bail!(
            "'{}' does not exist; --truth names the truth folder, and `endpaper review` makes it",
            folder.display()
        );
    }
    Store::open(folder)
}

/// Returns the labelled books of an analysis, the excluded records and the books to read texts from. Warns about the excluded
/// records.
///
/// # Errors
///
/// The truth folder cannot be listed, or no record can be evaluated.
pub fn read_labelled<'a>(
    store: &Store,
    listing: &'a Listing,
    survey: &'a CorpusReport,
    options: &AnalysisOptions,
) -> Result<(Vec<LabelledBook>, ExcludedRecords, ListedBooks<'a>)> {
    let shelf = ListedBooks::new(listing, options.max_size).with_sizes(survey);
    let checked = check_records(store, Some(&shelf), |_, _| ())?;
    let policy = &options.parameters.policy.name;
    let (labelled, left_out) = report::labelled(checked, survey, policy);
    for line in left_out.findings_in_words() {
        warn(&line);
    }
    ensure!(
        !labelled.is_empty(),
        "no record in '{}' has cuts of a book that is in the corpus and unchanged{}",
        store.folder().display(),
        left_out.in_brackets()
    );
    Ok((labelled, left_out, shelf))
}
