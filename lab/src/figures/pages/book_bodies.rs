//! Real prose for articles: the bodies of books.

use anyhow::{Context, Result, ensure};

use endpaper_command::common::{CorpusArgs, SCAN_MEMORY};
use endpaper_detect::copies::text_of_lines;
use endpaper_text::corpus::{BookText, Skipped};
use lab::experiments::pages::{MadePage, PageSet, Prose, Site};

/// The English books of `review --demo`: a site has one language.
const ENGLISH: [&str; 13] = [
    "*The_Light_Shines*",
    "*Sketches_of_Young*",
    "*SKYGM10*",
    "*The_Search_After*",
    "*GSILX10*",
    "*LAIDR10*",
    "*PETHL10*",
    "*LMPLT10*",
    "*RDDSK10*",
    "*OWLCR10*",
    "*John_Inglefield*",
    "*The_Great_Big*",
    "*7256*",
];

/// Number of random draws of articles. The page shows the first; the others show the variation.
pub(super) const DRAWS: u64 = 10;

/// Maximum number of books read.
const BOOKS: usize = 60;

/// Reading stops after this many bytes of text.
const MAX_TEXT_BYTES: usize = 4 << 20;

/// The bodies of books from which articles take their prose.
pub(super) struct BookBodies {
    bodies: Vec<String>,
    demo: bool,
    /// Books that cannot be read.
    pub skipped: Vec<Skipped>,
}

impl BookBodies {
    /// Reads the bodies of the first books of a corpus, or else those of the demonstration.
    ///
    /// # Errors
    ///
    /// Fails without books.
    pub fn of(corpus: &CorpusArgs) -> Result<BookBodies> {
        let mut request = corpus.request(None);
        request.demo = request.roots.is_empty() && request.files_from.is_none();
        if request.demo && request.include.is_empty() {
            request.include = ENGLISH.map(str::to_owned).to_vec();
        }
        let mut listing =
            endpaper_text::corpus::list(&request).context("the corpus cannot be listed")?;
        listing.books.truncate(BOOKS);
        let mut options = corpus.options()?;
        options.scan_memory = SCAN_MEMORY;
        let report = corpus.analyse(&listing, &options)?;
        let mut shelf = BookBodies {
            bodies: Vec::new(),
            demo: request.demo,
            skipped: report.skipped,
        };
        let mut bytes = 0;
        for surveyed in &report.books {
            match surveyed.book.read(options.max_size) {
                Ok(source) => {
                    let (first, last) =
                        surveyed.summary.detection.cuts.body(surveyed.summary.lines);
                    let body = text_of_lines(&BookText::new(source), first, last);
                    bytes += body.len();
                    shelf.bodies.push(body);
                }
                Err(reason) => shelf.skipped.push(Skipped {
                    id: surveyed.book.id.clone(),
                    reason,
                }),
            }
            if bytes >= MAX_TEXT_BYTES {
                break;
            }
        }
        Ok(shelf)
    }

    fn prose(&self) -> Prose<'_> {
        Prose::new(self.bodies.iter().map(String::as_str))
    }

    /// Total size of all paragraphs usable in articles, in bytes.
    pub fn bytes(&self) -> usize {
        self.prose().bytes()
    }

    /// The origin of the books, as markup.
    pub fn name(&self) -> &'static str {
        if self.demo {
            "English books, those of <code>review --demo</code>"
        } else {
            "the first books of the corpus"
        }
    }

    /// Draws the pages of a set, using each paragraph at most once.
    ///
    /// # Errors
    ///
    /// Fails if there is too little prose.
    pub fn pages(&self, set: &PageSet, draw: u64) -> Result<Vec<(Site, Vec<MadePage>)>> {
        let prose = self.prose();
        let place = prose.len() * draw as usize / DRAWS as usize;
        let mut prose = prose.from(place);
        let sites = set.sites.iter();
        let pages = sites
            .map(|(site, count)| (*site, site.pages(*count, draw, &mut prose)))
            .collect();
        ensure!(
            !prose.is_used_up(),
            "{} kB of paragraphs are too few for the articles of {}; give more books, or no CORPUS for those of the demonstration",
            prose.bytes() / 1_000,
            set.name
        );
        Ok(pages)
    }
}
