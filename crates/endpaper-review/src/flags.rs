//! The flags of the labelling guide.

/// What is unusual about a book, each with its meaning in a line: the reasons of the labelling guide. A flag says what there is,
/// `hard` that another line could be defended; neither implies the other.
pub const FLAGS: &[(&str, &str)] = &[
    ("note-inside", "a producers' note stands inside the book"),
    (
        "title-before-credits",
        "the title stands above, or around, the credits",
    ),
    (
        "pg-edition-note",
        "an editorial note: printed or added, unclear",
    ),
    ("title-repeated", "the title is typed several times"),
    (
        "interleaved",
        "added lines alternate with lines of the book",
    ),
    ("credits-in-body", "credits are left between the cuts"),
    ("no-preamble", "nothing was added at the start"),
    ("no-epilogue", "nothing was added at the end"),
    ("ads", "advertisements of the publisher"),
    ("compilation", "several works in one file"),
    ("truncated", "the text ends too early or begins too late"),
    ("odd-format", "not laid out as plain text"),
    ("non-english", "not in English"),
    ("not-printed-origin", "never printed: written for the file"),
    (
        "copyright-notice",
        "a copyright notice: printed or added, unclear",
    ),
    ("edition-line", "a line that names an edition at a cut"),
    ("other", "something else; say what in the note"),
];

/// The names of the flags.
pub fn flag_names() -> impl Iterator<Item = &'static str> {
    FLAGS.iter().map(|(name, _)| *name)
}

/// What a flag means; empty for one that is not in the table.
pub fn meaning_of(flag: &str) -> &'static str {
    let known = FLAGS.iter().find(|(name, _)| *name == flag);
    known.map_or("", |(_, meaning)| meaning)
}
