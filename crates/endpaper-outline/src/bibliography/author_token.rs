//! The words of an author list with the punctuation after them.

use crate::fold::fold;

/// What a word may be in an author list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AuthorTokenKind {
    /// `T.`, `J.-P.`, `T.H.`
    Initial,
    /// Up to three letters and a full stop: an abbreviated given name (`Chr.`) or a short family name (`Li.`).
    Short,
    /// A capitalised word.
    Word,
    /// `de`, `von`.
    Particle,
    /// `Jr.`, `III`.
    Suffix,
    /// `and`, `&`.
    And,
    /// `editors`, `(eds.)`.
    Role,
    /// `The`, `In`: part of a name only after an initial (`C. An`).
    FunctionWord,
    Other,
}

/// A word.
#[derive(Clone, Debug)]
pub(super) struct AuthorToken<'a> {
    /// Its byte offsets.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The word without the punctuation after it.
    pub(super) core: &'a str,
    punctuation: &'a str,
    pub(super) kind: AuthorTokenKind,
    /// Whether it begins with a quotation mark.
    pub(super) quoted: bool,
    /// Whether it begins with a bracket.
    pub(super) bracketed: bool,
}

/// Quotation marks that open a title.
pub(super) const QUOTES: [char; 6] = ['"', '“', '«', '‘', '„', '`'];

/// The first `limit` words of a text.
pub(super) fn tokens(text: &str, limit: usize) -> Vec<AuthorToken<'_>> {
    let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split_whitespace()
        .take(limit)
        .map(|word| AuthorToken::new(word, start(word)))
        .collect()
}

impl<'a> AuthorToken<'a> {
    fn new(word: &'a str, start: usize) -> AuthorToken<'a> {
        let core = word.trim_end_matches([',', ';', ':', '.']);
        let punctuation = &word[core.len()..];
        AuthorToken {
            start,
            end: start + word.len(),
            core,
            punctuation,
            kind: kind(core, punctuation.starts_with('.')),
            quoted: word.starts_with(QUOTES),
            bracketed: word.starts_with(['(', '[']),
        }
    }

    /// The byte offset after the word, with the full stop of an initial or abbreviation.
    pub(super) fn core_end(&self) -> usize {
        let dot = usize::from(
            self.dotted()
                || self.kind == AuthorTokenKind::Suffix && self.punctuation.starts_with('.'),
        );
        self.start + self.core.len() + dot
    }

    /// Whether it is an initial with a full stop.
    pub(super) fn dotted(&self) -> bool {
        self.kind == AuthorTokenKind::Initial && self.punctuation.starts_with('.')
    }

    /// The punctuation after it, without the full stop that belongs to an initial or to `al.`, `Jr.` and `eds.` before a comma.
    pub(super) fn tail(&self) -> &'a str {
        let own = self.dotted() || self.punctuation.len() > 1 && self.punctuation.starts_with('.');
        &self.punctuation[usize::from(own)..]
    }

    /// Whether it is a year: `1990`, `1990a`.
    pub(super) fn is_year(&self) -> bool {
        is_year(self.core)
    }

    /// The byte offset after a year in brackets that begins with this word, and the punctuation behind it.
    pub(super) fn closed_year(&self, text: &str) -> Option<usize> {
        const LONGEST: usize = 24;
        if !self.bracketed {
            return None;
        }
        let inside = &text[self.start + 1..];
        let close = inside.find([')', ']']).filter(|&close| close <= LONGEST)?;
        let dated = inside[..close]
            .split([' ', ',', '/', '–', '-'])
            .any(is_year)
            || matches!(&inside[..close], "n.d." | "in press" | "forthcoming");
        let behind = &inside[close + 1..];
        let gap = behind.len()
            - behind
                .trim_start_matches(['.', ',', ':', ')', ']', ' '])
                .len();
        dated.then_some(self.start + 1 + close + 1 + gap)
    }

    /// Whether it is two or three capitals, as initials after a family name are: `TH`, `L-M`.
    pub(super) fn is_capitals(&self) -> bool {
        (1..=4).contains(&self.core.len())
            && self.core.chars().all(|c| c.is_uppercase() || c == '-')
    }

    /// Whether it is an acronym: `UNESCO`.
    pub(super) fn is_acronym(&self) -> bool {
        self.core.len() >= 3 && self.core.chars().all(char::is_uppercase)
    }

    /// Whether it is a small word within the name of an institute.
    pub(super) fn is_small(&self) -> bool {
        const SMALL: &[&str] = &[
            "of", "for", "on", "and", "&", "the", "in", "de", "für", "des", "der", "pour", "et",
            "du", "la", "to",
        ];
        SMALL.contains(&self.core)
    }

    /// Whether it occurs in names of institutes rather than of people.
    pub(super) fn names_institute(&self) -> bool {
        names_institute(&fold(self.core))
    }
}

/// Whether a folded word occurs in names of institutes.
pub(super) fn names_institute(word: &str) -> bool {
    INSTITUTES.contains(&word)
}

/// Words in names of institutes, folded.
const INSTITUTES: &[&str] = &[
    "organization",
    "organisation",
    "institute",
    "institution",
    "institut",
    "university",
    "universitat",
    "universite",
    "society",
    "societe",
    "gesellschaft",
    "committee",
    "council",
    "ministry",
    "department",
    "association",
    "team",
    "group",
    "panel",
    "agency",
    "foundation",
    "consortium",
    "center",
    "centre",
    "bureau",
    "commission",
    "corporation",
    "corp",
    "inc",
    "company",
    "laboratory",
    "laboratories",
    "academy",
    "academie",
    "akademie",
    "library",
    "museum",
    "press",
    "nations",
    "bank",
    "federation",
    "college",
    "administration",
    "authority",
    "alliance",
    "programme",
    "church",
    "developers",
    "collaboration",
    "partnership",
    "guild",
    "club",
    "ltd",
    "verlag",
    "universidad",
    "universita",
    "universidade",
    "universiteit",
    "hochschule",
    "edizioni",
    "editions",
    "editrice",
];

/// Lower-case words within the names of people.
const PARTICLES: &[&str] = &[
    "de", "da", "do", "dos", "das", "del", "della", "di", "du", "des", "la", "le", "von", "van",
    "der", "den", "zu", "zur", "ten", "ter", "af", "av", "vom", "ibn", "bin", "el", "al", "e",
];

/// Words that are seldom names, folded.
const FUNCTION_WORDS: &[&str] = &[
    "the",
    "a",
    "an",
    "it",
    "he",
    "she",
    "they",
    "we",
    "in",
    "on",
    "at",
    "for",
    "but",
    "and",
    "if",
    "when",
    "this",
    "that",
    "these",
    "those",
    "there",
    "here",
    "as",
    "to",
    "by",
    "with",
    "from",
    "not",
    "you",
    "your",
    "my",
    "his",
    "her",
    "our",
    "their",
    "its",
    "what",
    "who",
    "how",
    "why",
    "where",
    "which",
    "then",
    "such",
    "some",
    "all",
    "one",
    "is",
    "was",
    "are",
    "were",
    "or",
    "of",
    "der",
    "die",
    "das",
    "ein",
    "eine",
    "les",
    "il",
    "elle",
    "el",
    "los",
    "las",
    "because",
    "while",
    "although",
    "after",
    "before",
    "about",
    "chapter",
    "section",
    "figure",
    "table",
    "proceedings",
    "proc",
    "volume",
    "vol",
    "edition",
    "journal",
    "introduction",
    "report",
    "university",
    "press",
    "thesis",
];

fn is_year(word: &str) -> bool {
    let digits = word.strip_suffix(|c: char| c.is_ascii_lowercase());
    let digits = digits.unwrap_or(word);
    digits.len() == 4
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && ("1400".."2100").contains(&digits)
}

fn kind(core: &str, dotted: bool) -> AuthorTokenKind {
    let bare = core.trim_matches(['(', ')', '[', ']', '.']);
    if matches!(
        core,
        "and" | "&" | "und" | "et" | "y" | "with" | "och" | "og" | "AND" | "ET"
    ) {
        return AuthorTokenKind::And;
    }
    const ROLES: &[&str] = &[
        "ed",
        "eds",
        "editor",
        "editors",
        "hrsg",
        "trans",
        "translator",
        "comp",
        "compiler",
        "edited",
    ];
    if ROLES.contains(&bare.to_lowercase().as_str())
        && (dotted || core.len() > bare.len() || bare.len() > 3)
    {
        return AuthorTokenKind::Role;
    }
    if matches!(core, "Jr" | "Sr" | "II" | "III" | "JR" | "SR" | "jr") {
        return AuthorTokenKind::Suffix;
    }
    let letters = core.trim_start_matches(['´', '`', '¨', '*']);
    if letters.is_empty()
        || letters.contains(|c: char| {
            c.is_ascii_digit() || matches!(c, '(' | ')' | '/' | '"' | '“' | '[' | ']' | '_' | ':')
        })
    {
        return AuthorTokenKind::Other;
    }
    let count = letters.chars().count();
    let pieces = || {
        letters
            .split(['.', '-', '‐'])
            .filter(|piece| !piece.is_empty())
    };
    let single = |piece: &str| {
        let mut chars = piece.chars().filter(|c| !matches!(c, '´' | '`' | '¨'));
        chars.next().is_some_and(char::is_uppercase) && chars.next().is_none()
    };
    if (dotted || letters.contains('.') || count == 1 && letters != "A") && pieces().all(single) {
        return AuthorTokenKind::Initial;
    }
    if PARTICLES.contains(&core) {
        return AuthorTokenKind::Particle;
    }
    let capital = letters.starts_with(char::is_uppercase)
        // `diSessa`, `d'Abbadie`
        || count > 4 && letters.len() < 20 && letters.starts_with(['d', 'l'])
            && letters.chars().skip(1).take(3).any(char::is_uppercase);
    if !capital {
        return AuthorTokenKind::Other;
    }
    if FUNCTION_WORDS.contains(&fold(core).as_str()) {
        return AuthorTokenKind::FunctionWord;
    }
    if dotted && count <= 3 {
        AuthorTokenKind::Short
    } else {
        AuthorTokenKind::Word
    }
}
