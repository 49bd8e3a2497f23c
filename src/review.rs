//! `endpaper review`: the review screen.
//!
//! Everything that takes time happens in the background. Cached data is shown immediately; without it the queue is sorted by name
//! and uses the built-in frequencies while the corpus is analysed.

mod args;
mod background;
mod review_data;

use crate::detector::DetectorChoice;
use crate::resume::{self, LastBook, ResumeState};
use crate::theme_set::ThemeSet;
use anyhow::Result;
pub use args::Args;
use endpaper_command::Exit;
use endpaper_command::colour::{self, ColourChoice};
use endpaper_command::common::exit_after_skips;
use endpaper_command::output::error;
use endpaper_command::user::{UserFolders, warn_of_problems};
use endpaper_detect::Policy;
use endpaper_detect::frequency::built_in;
use endpaper_review::blind::agreement;
use endpaper_review::terminal::{self, SittingOutcome, SittingSetup};
use endpaper_review::view::glyphs::GlyphSet;
use endpaper_review::view::{ColourDepth, Theme};
use endpaper_review::{Message, Queue, QueueFilter, QueueOrder, Session, SessionOptions};
use endpaper_text::config::MarkStyle;
use endpaper_text::wording::plural;
use review_data::ReviewData;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError, RwLock};

use background::BackgroundPass;

/// Runs `endpaper review`.
///
/// # Errors
///
/// No terminal, wrong use, no books, or an unusable truth folder.
pub fn run(args: &Args) -> Result<Exit> {
    terminal::check()?;
    let user = UserFolders::read()?;
    let gallery = ThemeSet::load(&user);
    warn_of_problems(&gallery.problems);
    let theme = match &args.theme {
        Some(name) => gallery.find(name)?,
        None => gallery.chosen,
    };
    let table = ReviewData::load(args, &user)?;
    let log = table.log.clone();
    let (folder, skipped) = (table.folder.clone(), table.skipped.clone());
    let outcome = terminal::run(setup(args, &user, &gallery, theme, table)?)?;
    if !outcome.hung_up {
        print_outcome(&outcome, &folder);
    }
    let skipped = skipped
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let exit = exit_after_skips(&skipped);
    let is_logged = log.is_none_or(|log| !log.is_incomplete());
    if !is_logged {
        error("some lines could not be written to the log; the records have everything");
    }
    Ok(match outcome.unsaved {
        0 if is_logged => exit,
        _ => Exit::Partial,
    })
}

/// The initial state of the screen.
fn setup(
    args: &Args,
    user: &UserFolders,
    gallery: &ThemeSet,
    theme: usize,
    mut table: ReviewData,
) -> Result<SittingSetup> {
    let last = LastBook::of(user, &table.folder);
    let resume = last.read();
    let resume = resume.filter(|_| !args.re_review && table.sampling.is_none());
    let mut first = vec![Message::Entries {
        entries: table.entries(args.re_review, resume.as_deref()),
        counts_changed: false,
        model: None,
    }];
    let problems = user.problems.iter().chain(&gallery.problems);
    let warning = table.warning(problems.collect());
    first.extend(warning.clone().map(Message::Notice));
    let themes = themes(args, user, gallery);
    let mut session = session(args, user, &themes, &mut table, resume)?;
    session.screen.theme = theme;
    let mut trail = ResumeState {
        last,
        store: table.store.clone(),
        announced: table.announced.take(),
        read_only: args.read_only,
    };
    let library = Arc::new(RwLock::new(table.library()));
    let surveyed = Arc::new(AtomicBool::new(false));
    let search = table.search(&surveyed);
    let job = BackgroundPass::of(table, surveyed, warning);
    Ok(SittingSetup {
        session,
        themes,
        library,
        corpus_pass: Some(Box::new(move |to, library, cancel, first_book| {
            job.run(&to, &library, &cancel, &first_book)
        })),
        search,
        remember: Some(Box::new(move |id| trail.remember_book(id))),
        editor: user.config.editor.clone(),
        first,
    })
}

/// The session before any message. Takes the sample out of `table`.
fn session(
    args: &Args,
    user: &UserFolders,
    themes: &[Theme],
    table: &mut ReviewData,
    resume: Option<String>,
) -> Result<Session> {
    let sampling = table.sampling.take();
    let queue = Queue {
        order: order(args, user)?,
        filter: match args.re_review {
            true => QueueFilter::Decided,
            false => QueueFilter::All,
        },
        sample: sampling.as_ref().map(|sampling| sampling.books.clone()),
        ..Queue::default()
    };
    let known = table.report.as_ref();
    let model = known.map_or_else(|| built_in().digest(), |survey| survey.model_digest.clone());
    let policy = table.options.parameters.policy.clone();
    let options = session_options(args, user, themes, policy, model, resume);
    let mut session = Session::new(options, queue, user.keymap.clone());
    session.modes.sampling = sampling;
    session.screen.view_options.tour = resume::is_first_sitting(user);
    Ok(session)
}

/// The order of the queue: from the arguments, else from the settings.
fn order(args: &Args, user: &UserFolders) -> Result<QueueOrder> {
    match (args.order, &user.config.order) {
        (Some(order), _) => Ok(order),
        (None, Some(word)) => word.parse().map_err(anyhow::Error::msg),
        (None, None) => Ok(QueueOrder::default()),
    }
}

/// All themes, resolved for this terminal.
fn themes(args: &Args, user: &UserFolders, gallery: &ThemeSet) -> Vec<Theme> {
    let variable = |name: &str| std::env::var(name).ok();
    let depth = colour_depth(args, user, variable);
    let marks = if args.ascii {
        MarkStyle::Ascii
    } else {
        user.config.glyphs
    };
    let glyphs = GlyphSet::of(marks, variable);
    let pictures = gallery.themes.iter();
    pictures
        .map(|picture| picture.theme(depth, glyphs))
        .collect()
}

/// The number of colours: as asked for, else none with `--color never`, else as in the settings or as the terminal reports.
fn colour_depth(
    args: &Args,
    user: &UserFolders,
    variable: impl Fn(&str) -> Option<String>,
) -> ColourDepth {
    match (args.colour_depth, colour::choice()) {
        (Some(depth), _) => depth,
        (None, ColourChoice::Never) => ColourDepth::Mono,
        (None, ColourChoice::Always) => {
            let all_but = |name: &str| variable(name).filter(|_| name != "NO_COLOR");
            ColourDepth::detect(user.depth(None), all_but)
        }
        (None, ColourChoice::Auto) => ColourDepth::detect(user.depth(None), variable),
    }
}

/// The options of the sitting.
fn session_options(
    args: &Args,
    user: &UserFolders,
    themes: &[Theme],
    policy: Policy,
    model: String,
    resume: Option<String>,
) -> SessionOptions {
    let curator = curator(args, user);
    let now = jiff::Timestamp::now();
    SessionOptions {
        curator,
        sitting: format!("{}-{}", endpaper_truth::timestamp(now), std::process::id()),
        read_only: args.read_only,
        detector: args.detector.detector.name().to_owned(),
        model,
        themes: themes.iter().map(|theme| theme.name.clone()).collect(),
        resume,
        blind: args.blind || args.sample.is_some(),
        re_review: args.re_review,
        adjudicates: !args.adjudicate.adjudicate.is_empty(),
        learning: is_learning_on(args, user, &policy),
        policy,
        mouse: !args.no_mouse && user.config.mouse.unwrap_or(true),
    }
}

/// The name of the curator in the reviews.
fn curator(args: &Args, user: &UserFolders) -> String {
    let named = args.curator.clone();
    named.unwrap_or_else(|| user.config.curator_name(|name| std::env::var(name).ok()))
}

/// Whether the detector learns from verdicts. Only weights are learned, and they are fitted to cuts by the guide.
fn is_learning_on(args: &Args, user: &UserFolders, policy: &Policy) -> bool {
    // A sample measures the proposals, which must not change.
    !args.detector.no_learning
        && args.sample.is_none()
        && user.config.learning.unwrap_or(true)
        && args.detector.detector == DetectorChoice::Posterior
        && policy.name == Policy::default().name
}

/// Prints the summary of a sitting.
fn print_outcome(outcome: &SittingOutcome, folder: &Path) {
    const SHOWN: usize = 20;
    let SittingOutcome {
        decided,
        corrected,
        hard,
        propagated,
        files,
        second_looks: again,
        left,
        learned_collection,
        unsaved,
        ..
    } = outcome;
    // A record that was undone has no file.
    let files: Vec<_> = files
        .iter()
        .filter(|file| folder.join(file).exists())
        .collect();
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
    if let Some(left) = left.as_ref().filter(|_| *decided > 0) {
        println!("{left}");
    }
    if *learned_collection {
        println!(
            "the records teach this collection again next time; to write its profile for other books: \
             endpaper model fit BOOKS --truth {} --out NAME.profile",
            endpaper_text::sanitise::sanitise(&folder.to_string_lossy())
        );
    }
    if *unsaved > 0 {
        let lost = match unsaved {
            1 => "1 decision could NOT be saved and is lost".to_owned(),
            count => format!("{count} decisions could NOT be saved and are lost"),
        };
        error(&lost);
    }
}

#[cfg(test)]
mod tests {
    use endpaper_review::QueueOrder;
    use endpaper_text::config::ORDERS;

    #[test]
    fn the_settings_know_every_order() {
        let names: Vec<&str> = QueueOrder::ALL.iter().map(|order| order.name()).collect();
        assert_eq!(names, ORDERS);
    }
}
