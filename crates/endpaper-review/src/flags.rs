//! The flags of the labelling guide.

/// Why a book is hard to decide: the reasons of the labelling guide.
pub const FLAGS: &[&str] = &[
    "note-inside",
    "title-before-credits",
    "pg-edition-note",
    "title-repeated",
    "interleaved",
    "credits-in-body",
    "no-preamble",
    "no-epilogue",
    "ads",
    "compilation",
    "truncated",
    "odd-format",
    "non-english",
    "not-printed-origin",
    "copyright-notice",
    "edition-line",
    "other",
];
