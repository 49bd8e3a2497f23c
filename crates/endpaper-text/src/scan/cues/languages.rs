//! The words of cues: a file for each language.
//!
//! A file has a section for each kind of cue, such as `[NoteWord]`, with one cue a line. Lines that begin with `#` are
//! comments. Cues that belong to no language or to several are in `any.cues`. They are compared with normalised lines, in
//! which a hyphen is three: `e---text`.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::table::LexicalCue;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("languages/", $name, ".cues")))),*]
    };
}

/// The names of the files, and their text.
const FILES: [(&str, &str); 12] = files![
    "any", // No language, or several.
    "da",  // Danish.
    "de",  // German.
    "en",  // English.
    "es",  // Spanish.
    "fi",  // Finnish.
    "fr",  // French.
    "it",  // Italian.
    "la",  // Latin.
    "nl",  // Dutch.
    "pt",  // Portuguese.
    "sv",  // Swedish.
];

/// The kinds of cues. *Expressions* are regular expressions that ignore case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scan) enum CueKind {
    /// Words of a lexical cue, in lower case, matched as prefixes of words: after `^` only at the opening of a line, before
    /// `>` only as whole words.
    Word(LexicalCue),
    /// Whole lines that end a book.
    TheEnd,
    /// Expressions that a line of credits opens with.
    CreditsOpening,
    /// Expressions that a note opens with.
    NoteOpening,
    /// Expressions for parts of words, one of which every line of credits or notes holds.
    CreditsPart,
    /// Words before the name of a producer.
    BeforeProducer,
    /// Expressions for the words after the name of a producer.
    AfterProducer,
    /// Abbreviated titles of persons: their dot does not end a name.
    Honorific,
    /// Openings of credits of persons who gave something but did not produce the file.
    Donor,
    /// Names of the field that holds the credits.
    CreditsField,
    /// Names of the field that holds the title.
    TitleField,
    /// Names of the field that holds the author.
    AuthorField,
    /// Names of the field that holds an editor.
    EditorField,
    /// Names of the field that holds the language.
    LanguageField,
    /// Words that occur in too many titles to identify one.
    TitleStopWord,
    /// What the line before the name of the library says at the end of a book: `End`.
    EndWord,
    /// Words between that and the name of the library.
    EndArticle,
}

/// The sections of all kinds but the lexical cues, whose sections have their names.
const SECTIONS: [(&str, CueKind); 16] = [
    ("the-end", CueKind::TheEnd),
    ("credits-opening", CueKind::CreditsOpening),
    ("note-opening", CueKind::NoteOpening),
    ("credits-part", CueKind::CreditsPart),
    ("before-producer", CueKind::BeforeProducer),
    ("after-producer", CueKind::AfterProducer),
    ("honorific", CueKind::Honorific),
    ("donor", CueKind::Donor),
    ("credits-field", CueKind::CreditsField),
    ("title-field", CueKind::TitleField),
    ("author-field", CueKind::AuthorField),
    ("editor-field", CueKind::EditorField),
    ("language-field", CueKind::LanguageField),
    ("title-stop-word", CueKind::TitleStopWord),
    ("end-word", CueKind::EndWord),
    ("end-article", CueKind::EndArticle),
];

/// The kind of the cues in a section.
fn kind_of_section(name: &str) -> Option<CueKind> {
    let cue = LexicalCue::ALL.iter().find(|cue| cue.name() == name);
    let other = SECTIONS.iter().find(|(known, _)| *known == name);
    cue.map(|cue| CueKind::Word(*cue))
        .or(other.map(|(_, kind)| *kind))
}

/// The cues of one file or of all.
#[derive(Clone, Debug)]
pub(in crate::scan) struct Cues(Vec<(CueKind, &'static str)>);

impl Cues {
    /// The cues of all files.
    pub fn all() -> &'static Cues {
        static ALL: LazyLock<Cues> = LazyLock::new(|| {
            let cues = FILES.iter().flat_map(|(_, text)| parse(text));
            // A test reads every line; a mistake costs the user no more than that line.
            Cues(cues.filter_map(Result::ok).collect())
        });
        &ALL
    }

    /// The cues of a kind.
    pub fn of(&self, kind: CueKind) -> impl Iterator<Item = &'static str> {
        let cues = self.0.iter().filter(move |(of, _)| *of == kind);
        cues.map(|(_, text)| *text)
    }

    /// The words of all lexical cues.
    pub fn words(&self) -> impl Iterator<Item = (LexicalCue, &'static str)> {
        self.0.iter().filter_map(|(kind, text)| match kind {
            CueKind::Word(cue) => Some((*cue, *text)),
            _ => None,
        })
    }

    /// An expression that matches any cue of a kind, to be put in brackets.
    pub fn expression(&self, kind: CueKind) -> String {
        self.of(kind).collect::<Vec<_>>().join("|")
    }
}

/// A line of a file of cues that is in no known section.
#[derive(Clone, Debug, PartialEq, Eq)]
struct StrayCue(&'static str);

/// Reads the cues of a file.
fn parse(text: &'static str) -> impl Iterator<Item = Result<(CueKind, &'static str), StrayCue>> {
    let mut kind = None;
    let lines = text.lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(move |line| {
        if let Some(section) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            kind = kind_of_section(section);
            return kind.is_none().then_some(Err(StrayCue(line)));
        }
        Some(kind.map(|kind| (kind, line)).ok_or(StrayCue(line)))
    })
}
