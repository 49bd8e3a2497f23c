//! What to write on the command line against an error: the libraries know neither options nor commands.

use endpaper_detect::frequency::{ModelError, NoScratch, RepeatedBooks};
use endpaper_detect::pipeline::{CountedOtherwise, ThresholdTooLow};
use endpaper_text::corpus::Unreadable;
use endpaper_truth::NotAFolder;
use endpaper_truth::strip::{OmitReason, StripFailure};

/// The repair of an error, the first one that any of its causes has.
pub fn of(error: &anyhow::Error) -> Option<&'static str> {
    if error.is::<NoScratch>() {
        return Some("--memory sets how much");
    }
    error.chain().find_map(|cause| {
        None.or_else(|| cause.downcast_ref().and_then(of_model))
            .or_else(|| cause.downcast_ref().map(of_counting))
            .or_else(|| cause.downcast_ref().and_then(of_skipped))
            .or_else(|| {
                cause
                    .is::<ThresholdTooLow>()
                    .then_some("-K sets the threshold")
            })
            .or_else(|| {
                cause
                    .is::<RepeatedBooks>()
                    .then_some("--allow-repeats counts them all the same")
            })
            .or_else(|| {
                cause
                    .is::<NotAFolder>()
                    .then_some("--truth must be a folder (created if missing)")
            })
    })
}

fn of_model(error: &ModelError) -> Option<&'static str> {
    match error {
        ModelError::NotAModel => Some("`endpaper model build` makes a model"),
        ModelError::IsAPart => Some("`endpaper model merge PART --out MODEL` makes a model of it"),
        ModelError::NotAPart | ModelError::IsAModel => {
            Some("`endpaper model count CORPUS --out PART` makes a part")
        }
        _ => None,
    }
}

fn of_counting(difference: &CountedOtherwise) -> &'static str {
    match difference {
        CountedOtherwise::EndsTogether => "or leave out --separate-ends",
        CountedOtherwise::EveryOccurrence => "or leave out --count-books",
        CountedOtherwise::EveryCopy => "or leave out --one-copy",
    }
}

/// The repair of a book that is not read.
pub fn of_skipped(reason: &Unreadable) -> Option<&'static str> {
    matches!(reason, Unreadable::TooLarge { .. }).then_some("--max-size sets another limit")
}

/// The repair of a body that is not written.
pub fn of_left_out(failure: &StripFailure) -> Option<&'static str> {
    match failure {
        StripFailure::Exists(_) => Some("--force writes over it"),
        StripFailure::Omitted(OmitReason::Replaced) => Some("--no-cache reads all books again"),
        _ => None,
    }
}
