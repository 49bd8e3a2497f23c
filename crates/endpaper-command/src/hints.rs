//! Hints for the command line: the libraries name neither options nor commands in their errors.

use endpaper_detect::frequency::{ModelError, NoScratch, RepeatedBooks};
use endpaper_detect::pipeline::{CountedOtherwise, NoReadableBook, ThresholdTooLow};
use endpaper_text::corpus::Unreadable;
use endpaper_truth::NotAFolder;
use endpaper_truth::strip::{OmitReason, StripFailure};

/// The hint for an error: that of the first cause that has one.
pub fn of(error: &anyhow::Error) -> Option<&'static str> {
    if error.is::<NoScratch>() {
        return Some("--memory sets how much");
    }
    error.chain().find_map(|cause| {
        None.or_else(|| cause.downcast_ref().and_then(of_model))
            .or_else(|| cause.downcast_ref().map(of_counting))
            .or_else(|| cause.downcast_ref().and_then(of_skipped))
            .or_else(|| cause.downcast_ref().and_then(of_none_readable))
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

/// The hint for an error of a model file.
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

/// The hint for parts or models that were counted in another way.
fn of_counting(difference: &CountedOtherwise) -> &'static str {
    match difference {
        CountedOtherwise::EndsTogether => "or leave out --separate-ends",
        CountedOtherwise::EveryOccurrence => "or leave out --count-books",
        CountedOtherwise::EveryCopy => "or leave out --one-copy",
    }
}

/// The hint for a book that was skipped.
pub fn of_skipped(reason: &Unreadable) -> Option<&'static str> {
    matches!(reason, Unreadable::TooLarge { .. }).then_some("--max-size sets another limit")
}

/// The hint for a corpus without a book that can be read.
fn of_none_readable(NoReadableBook(skipped): &NoReadableBook) -> Option<&'static str> {
    skipped.iter().find_map(|book| of_skipped(&book.reason))
}

/// The hint for a body that was not written.
pub fn of_left_out(failure: &StripFailure) -> Option<&'static str> {
    match failure {
        StripFailure::Exists(_) => Some("--force writes over it"),
        StripFailure::Omitted(OmitReason::Replaced) => Some("--no-cache reads all books again"),
        _ => None,
    }
}
