//! `endpaper review`: the screen.
//!
//! Everything that takes time happens behind it. What the cache knows is shown at once; else the queue comes up in the
//! order of names, with the built-in frequencies, while the corpus is surveyed.

mod behind;

use crate::adjudicate::AdjudicateArgs;
#[cfg(feature = "search")]
use crate::corpus_search::CorpusSearch;
use crate::detector::{Detector, DetectorArgs};
use crate::gallery::Gallery;
use crate::sample;
use crate::shelf::{entries_of_listing, entries_of_survey, mark_recorded, standing_of, standings};
use crate::trail::{self, LastBook, Trail};
use anyhow::Result;
use endpaper_command::Exit;
use endpaper_command::common::{CorpusArgs, conclude};
use endpaper_command::output::complain;
use endpaper_command::user::{User, complain_of};
use endpaper_detect::Policy;
use endpaper_detect::frequency::built_in;
use endpaper_detect::pipeline::{self, Survey, background_threads};
use endpaper_evaluate::sample::{Looks, Places, Side};
use endpaper_review::adjudication::Adjudication;
use endpaper_review::blind::agreement;
use endpaper_review::sampling::Sampling;
use endpaper_review::terminal::{self, Library, Outcome, Records, Setup};
use endpaper_review::view::glyphs::Glyphs;
use endpaper_review::view::{Depth, Theme};
use endpaper_review::{Entry, Filter, Message, Options, Order, Queue, Session};
use endpaper_text::config::{Marks, Problem};
#[cfg(feature = "search")]
use endpaper_text::corpus::Request;
use endpaper_text::corpus::{Book, Listing, Place, Skipped};
use endpaper_text::words::plural;
use endpaper_truth::check::Shelf;
use endpaper_truth::{Announcement, Store};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use behind::Behind;

const EXAMPLES: &str = "\
Examples:
  endpaper review --demo                    about twenty real books to try it on
  endpaper review ~/gutenberg               the most doubtful books first
  endpaper review books.zip --truth labels --order template
  endpaper review book.txt --theme light
  endpaper review ~/gutenberg --blind --decided --order random   a second look, to see how far you agree with yourself
  endpaper review ~/gutenberg --sample sample.yaml   the books of a random sample, for `endpaper sample certify`
  endpaper review ~/gutenberg --adjudicate anna ben --truth both    settle what two people differ in

In the screen: Enter keeps the cuts and goes on, 1-9 put a cut elsewhere, ? shows all keys, q quits.

Exit status: 0 fine, 1 some books could not be read or saved, 2 wrong use or nothing done.";

/// A corpus of so many books is surveyed before the first frame,
const AT_ONCE: usize = 50;
/// if it takes no more room on the disk than this.
const AT_ONCE_BYTES: u64 = 8 << 20;

/// The cache of a corpus of more books is read behind the first frame: it would take longer than listing the corpus.
const CACHED_AT_ONCE: usize = 2000;

/// Arguments of `endpaper review`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    corpus: CorpusArgs,

    /// Review the books that ship inside the program
    #[arg(long, conflicts_with_all = ["corpus", "files_from"])]
    demo: bool,

    /// The truth folder (default: the setting, else endpaper-truth)
    #[arg(long, value_name = "DIR")]
    truth: Option<PathBuf>,

    /// Look only: nothing is ever written
    #[arg(long)]
    read_only: bool,

    /// Order of the queue: doubt, template, hand, name or random
    #[arg(long, value_name = "ORDER")]
    order: Option<Order>,

    /// Theme; `endpaper themes` shows them
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,

    /// Colours of the terminal: true, 256, 16 or mono (default: what it says of itself)
    #[arg(long, value_name = "DEPTH")]
    colours: Option<Depth>,

    /// Propose nothing until both cuts are placed; the reviews say so
    #[arg(long)]
    blind: bool,

    /// With --blind: decided books once more, as a second look that leaves the outcome in force
    #[arg(long, requires = "blind", conflicts_with = "adjudicate")]
    decided: bool,

    /// Only the books that `endpaper sample draw` wrote into FILE, in the order drawn, blind, and without learning
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["decided", "adjudicate", "order", "demo"])]
    sample: Option<PathBuf>,

    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,

    /// Leave the mouse to the terminal
    #[arg(long)]
    no_mouse: bool,

    /// Propose cuts as the program came, whatever you decide (default: the setting, else it learns)
    #[arg(long)]
    no_learning: bool,

    /// Verdicts of this sitting after which cuts of undecided books are proposed anew, and after as many again
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    learn_after: u16,

    /// Look for no near copies: they are not grouped, and no verdict is offered to them
    #[arg(long)]
    no_copies: bool,

    /// Leave the alternation detector unasked: no third opinion, and no shading by n-grams
    #[arg(long)]
    no_alternation: bool,

    /// Your name in the reviews
    #[arg(long, value_name = "NAME")]
    curator: Option<String>,

    #[command(flatten)]
    adjudicate: AdjudicateArgs,

    #[command(flatten)]
    detector: DetectorArgs,
}

/// Runs `endpaper review`.
///
/// # Errors
///
/// No terminal, wrong use, no books, a truth folder that cannot be used.
pub fn run(args: &Args) -> Result<Exit> {
    terminal::check()?;
    let user = User::read()?;
    let gallery = Gallery::of(&user);
    complain_of(&gallery.problems);
    let theme = match &args.theme {
        Some(name) => gallery.find(name)?,
        None => gallery.chosen,
    };
    let table = Table::lay(args, &user)?;
    let (folder, skipped) = (table.folder.clone(), table.skipped.clone());
    let outcome = terminal::run(setup(args, &user, &gallery, theme, table)?)?;
    if !outcome.hung_up {
        say(&outcome, &folder);
    }
    let skipped = skipped
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let exit = conclude(&skipped);
    Ok(match outcome.unsaved {
        0 => exit,
        _ => Exit::Partly,
    })
}

/// What a sitting is about: books, records, and what is known of them before the first frame.
struct Table {
    folder: PathBuf,
    store: Arc<Store>,
    announced: Option<Announcement>,
    #[cfg(feature = "search")]
    request: Request,
    listing: Listing,
    adjudication: Option<Adjudication>,
    options: pipeline::Options,
    sampling: Option<Sampling>,
    known: Option<Survey>,
    /// What could not be read, as far as is known.
    skipped: Arc<Mutex<Vec<Skipped>>>,
}

impl Table {
    fn lay(args: &Args, user: &User) -> Result<Table> {
        let folder = user.truth(args.truth.as_deref(), args.demo);
        let store = Arc::new(Store::open(&folder)?);
        let announced = (!args.read_only && folder.is_dir()).then(|| store.announce());
        let mut request = args.corpus.request(Some(folder.clone()));
        request.demo = args.demo;
        let mut listing = endpaper_text::corpus::list(&request)?;
        let adjudication = args.adjudicate.limit(&store, &mut listing)?;
        let mut options = args.corpus.options()?;
        args.detector.apply(&mut options)?;
        if args.corpus.threads == 0 {
            options.threads = background_threads();
        }
        let sample = match &args.sample {
            Some(file) => Some(Sitting::of(args, file, &store, &listing, &options)?),
            None => None,
        };
        let (sampling, surveyed) = sample.map_or((None, None), |sample| {
            (Some(sample.sampling), Some(sample.survey))
        });
        let known = surveyed.or_else(|| known(&listing, &options));
        Ok(Table {
            folder,
            store,
            announced,
            #[cfg(feature = "search")]
            request,
            skipped: Arc::new(Mutex::new(listing.skipped.clone())),
            listing,
            adjudication,
            options,
            sampling,
            known,
        })
    }

    /// Whether records tell how the books stand: what is to be settled counts as undecided, whatever record of it there is.
    fn standings(&self) -> bool {
        self.adjudication.is_none()
    }

    /// The queue of the first frame.
    fn entries(&self, decided: bool, resume: Option<&str>) -> Vec<Entry> {
        let mut entries = match &self.known {
            Some(survey) => entries_of_survey(&self.listing, survey),
            None => entries_of_listing(&self.listing),
        };
        if self.standings() {
            mark_recorded(&mut entries, &self.store);
        }
        if decided || self.sampling.is_some() {
            // Which books come up hangs on their records.
            standings(&mut entries, &self.store);
        }
        if let Some(id) = resume.filter(|_| self.standings()) {
            standing_of(&mut entries, &self.store, id);
        }
        entries
    }

    /// What the curator must know first: that others are here, or what is wrong in the user's files.
    fn warning(&self, problems: Vec<&Problem>) -> Option<String> {
        let other = self.announced.as_ref().and_then(Announcement::other);
        let warning = other.map(|pid| {
            format!(
                "another review (process {pid}) uses '{}' too: both are kept",
                self.folder.display()
            )
        });
        warning.or_else(|| brief(problems))
    }

    /// Books, counts, records.
    fn library(&mut self, args: &Args) -> Library {
        let frequencies = self.known.as_ref().map_or_else(
            || built_in().frequencies.clone(),
            |survey| survey.model.frequencies.clone(),
        );
        let records: Arc<dyn Records> = match &self.adjudication {
            Some(adjudication) => Arc::new(adjudication.records(self.store.clone())),
            None => self.store.clone(),
        };
        let mut library = Library::new(
            self.listing.books.clone(),
            frequencies,
            self.options.parameters.clone(),
            records,
            self.options.max_size,
        );
        library.survey = Arc::new(self.options.clone());
        if args.no_alternation {
            library.replace_grams(None);
        }
        if let Some(adjudication) = &mut self.adjudication {
            library.opinions = Arc::new(std::mem::take(&mut adjudication.opinions));
        }
        library
    }

    #[cfg(feature = "search")]
    fn search(&self, surveyed: &Arc<AtomicBool>) -> Option<terminal::Search> {
        let mut search = CorpusSearch {
            listing: self.listing.clone(),
            options: self.options.clone(),
            store: self.store.clone(),
            request: self.request.clone(),
            surveyed: surveyed.clone(),
            index: None,
        };
        Some(Box::new(move |text, to, cancel| {
            search.search(text, to, cancel)
        }))
    }

    #[cfg(not(feature = "search"))]
    fn search(&self, _: &Arc<AtomicBool>) -> Option<terminal::Search> {
        None
    }
}

/// All that the screen begins with.
fn setup(
    args: &Args,
    user: &User,
    gallery: &Gallery,
    theme: usize,
    mut table: Table,
) -> Result<Setup> {
    let last = LastBook::of(user, &table.folder);
    let resume = last.read();
    let resume = resume.filter(|_| !args.decided && table.sampling.is_none());
    let mut first = vec![Message::Entries {
        entries: table.entries(args.decided, resume.as_deref()),
        anew: false,
        model: None,
    }];
    let problems = user.problems.iter().chain(&gallery.problems);
    let warning = table.warning(problems.collect());
    first.extend(warning.clone().map(Message::Notice));
    let themes = themes(args, user, gallery);
    let mut session = session(args, user, &themes, &mut table, resume)?;
    session.screen.theme = theme;
    let mut trail = Trail {
        last,
        store: table.store.clone(),
        announced: table.announced.take(),
        read_only: args.read_only,
    };
    let library = Arc::new(RwLock::new(table.library(args)));
    let surveyed = Arc::new(AtomicBool::new(false));
    let search = table.search(&surveyed);
    let job = Behind::of(args, table, surveyed, warning);
    Ok(Setup {
        session,
        themes,
        library,
        survey: Some(Box::new(move |to, library, cancel, first_book| {
            job.run(&to, &library, &cancel, &first_book)
        })),
        search,
        remember: Some(Box::new(move |id| trail.follow(id))),
        editor: user.config.editor.clone(),
        first,
    })
}

/// The session before any message; takes what is sampled from the table.
fn session(
    args: &Args,
    user: &User,
    themes: &[Theme],
    table: &mut Table,
    resume: Option<String>,
) -> Result<Session> {
    let sampling = table.sampling.take();
    let queue = Queue {
        order: order(args, user)?,
        filter: match args.decided {
            true => Filter::Decided,
            false => Filter::All,
        },
        sample: sampling.as_ref().map(|sampling| sampling.books.clone()),
        ..Queue::default()
    };
    let known = table.known.as_ref();
    let model = known.map_or_else(|| built_in().digest(), |survey| survey.model_digest.clone());
    let policy = table.options.parameters.policy.clone();
    let options = session_options(args, user, themes, policy, model, resume);
    let mut session = Session::new(options, queue, user.keymap.clone());
    session.modes.sampling = sampling;
    session.screen.wish.tour = trail::is_first_sitting(user);
    Ok(session)
}

/// What is known before the first frame: what the cache holds, or a survey of a corpus so small that nobody notices.
fn known(listing: &Listing, options: &pipeline::Options) -> Option<Survey> {
    let small = listing.books.len() <= AT_ONCE
        && listing
            .books
            .iter()
            .map(|book| book.stamp.size)
            .sum::<u64>()
            <= AT_ONCE_BYTES;
    if listing.books.len() > CACHED_AT_ONCE {
        return None;
    }
    // A text that is extracted may take minutes to come, and a screen must be there meanwhile.
    let extracted = |book: &Book| matches!(book.place, Place::Document { .. });
    let small = small && !listing.books.iter().any(extracted);
    match Survey::load_cached(listing, options) {
        None if small => pipeline::survey(listing, options, &|_| {}, &AtomicBool::new(false)).ok(),
        known => known,
    }
}

fn order(args: &Args, user: &User) -> Result<Order> {
    match (args.order, &user.config.order) {
        (Some(order), _) => Ok(order),
        (None, Some(word)) => word.parse().map_err(anyhow::Error::msg),
        (None, None) => Ok(Order::default()),
    }
}

/// All themes as this terminal shows them.
fn themes(args: &Args, user: &User, gallery: &Gallery) -> Vec<Theme> {
    let variable = |name: &str| std::env::var(name).ok();
    let depth = Depth::detect(user.depth(args.colours), variable);
    let marks = if args.ascii {
        Marks::Ascii
    } else {
        user.config.glyphs
    };
    let glyphs = Glyphs::of(marks, variable);
    let pictures = gallery.pictures.iter();
    pictures
        .map(|picture| picture.theme(depth, glyphs))
        .collect()
}

/// What is wrong in the user's files, for one line of the screen.
fn brief(problems: Vec<&Problem>) -> Option<String> {
    let first = problems.first()?.brief();
    Some(match problems.len() {
        1 => first,
        count => format!("{first} (and {} more, on standard error)", count - 1),
    })
}

fn session_options(
    args: &Args,
    user: &User,
    themes: &[Theme],
    policy: Policy,
    model: String,
    resume: Option<String>,
) -> Options {
    let curator = args
        .curator
        .clone()
        .unwrap_or_else(|| user.config.curator_name(|name| std::env::var(name).ok()));
    let now = jiff::Timestamp::now();
    Options {
        curator,
        sitting: format!("{}-{}", endpaper_truth::timestamp(now), std::process::id()),
        read_only: args.read_only,
        detector: args.detector.detector.name().to_owned(),
        model,
        themes: themes.iter().map(|theme| theme.name.clone()).collect(),
        resume,
        blind: args.blind || args.sample.is_some(),
        again: args.decided,
        adjudicates: !args.adjudicate.adjudicate.is_empty(),
        learn_after: learns(args, user, &policy).then_some(usize::from(args.learn_after)),
        policy,
        mouse: !args.no_mouse && user.config.mouse.unwrap_or(true),
    }
}

/// Whether verdicts are learnt from: weights are what is learnt, and they are fitted to cuts by the guide.
fn learns(args: &Args, user: &User, policy: &Policy) -> bool {
    // A sample measures what is proposed.
    !args.no_learning
        && args.sample.is_none()
        && user.config.learning.unwrap_or(true)
        && args.detector.detector == Detector::Posterior
        && policy.name == Policy::default().name
}

/// A sitting over a sample.
struct Sitting {
    sampling: Sampling,
    survey: Survey,
}

impl Sitting {
    /// Surveys the corpus, holds the sample against it, and reads what was looked at already.
    fn of(
        args: &Args,
        file: &Path,
        store: &Store,
        listing: &Listing,
        options: &pipeline::Options,
    ) -> Result<Sitting> {
        let sample = sample::read(file)?;
        let survey = args.corpus.survey(listing, options)?;
        let places = Places::find(&sample, listing, &survey)?;
        let found = Looks::read(
            &sample,
            store,
            &Shelf::new(listing, options.max_size),
            &survey,
        )?;
        let (drawn, planted) = (places.of(&sample.books), places.of(&sample.planted));
        let looked = drawn.iter().zip(&found.looks);
        let looked = looked.chain(planted.iter().zip(&found.planted));
        let bad = looked.filter_map(|(&book, look)| {
            let look = look.as_ref()?;
            Some((book, look.is_bad(Side::Wrong, sample.tolerated)))
        });
        let sampling = Sampling {
            drawn: sample.drawn(),
            population: sample.population,
            plan: sample.plan,
            tolerated: sample.tolerated,
            bad: bad.collect(),
            books: places.of(sample.sitting()),
            planted: planted.into_iter().collect(),
        };
        Ok(Sitting { sampling, survey })
    }
}

/// What quitting prints.
fn say(outcome: &Outcome, folder: &Path) {
    const SHOWN: usize = 20;
    let Outcome {
        decided,
        corrected,
        hard,
        propagated,
        files,
        again,
        unsaved,
        ..
    } = outcome;
    let drawn = match propagated {
        0 => String::new(),
        count => format!(", with another book's cuts {count}"),
    };
    println!(
        "decided {decided}, corrected {corrected}, hard {hard}{drawn}; {} {} written below {}",
        files.len(),
        plural(files.len(), "file"),
        endpaper_text::sanitise::sanitise(&folder.to_string_lossy())
    );
    if !again.is_empty() {
        println!("{}", agreement(again));
    }
    for file in files.iter().take(SHOWN) {
        println!(
            "  {}",
            endpaper_text::sanitise::sanitise(&file.to_string_lossy())
        );
    }
    if files.len() > SHOWN {
        println!("  and {} more", files.len() - SHOWN);
    }
    if *unsaved > 0 {
        let lost = match unsaved {
            1 => "1 decision could NOT be saved and is lost".to_owned(),
            count => format!("{count} decisions could NOT be saved and are lost"),
        };
        complain(&lost);
    }
}

#[cfg(test)]
mod tests {
    use endpaper_review::Order;
    use endpaper_text::config::ORDERS;

    #[test]
    fn the_settings_know_every_order() {
        let names: Vec<&str> = Order::ALL.iter().map(|order| order.name()).collect();
        assert_eq!(names, ORDERS);
    }
}
