//! The words that headings begin with, folded.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

use super::HeadingKind;

/// Words for numbered parts, folded.
pub(super) const NAMES: &[(HeadingKind, &[&str])] = &[
    (
        HeadingKind::Volume,
        &["volume", "vol", "tome", "band", "tomo", "volumen", "tomus"],
    ),
    (
        HeadingKind::Part,
        &[
            "part",
            "parte",
            "partie",
            "teil",
            "theil",
            "deel",
            "pars",
            "osa",
            "abteilung",
            "abtheilung",
            "division",
            "del",
        ],
    ),
    (
        HeadingKind::Book,
        &[
            "book", "livre", "buch", "libro", "livro", "liber", "boek", "kirja", "bok",
        ],
    ),
    (
        HeadingKind::Act,
        &[
            "act",
            "acte",
            "acto",
            "akt",
            "aufzug",
            "atto",
            "ato",
            "actus",
            "handeling",
            "bedrijf",
            "naytos",
            "jornada",
        ],
    ),
    (
        HeadingKind::Scene,
        &[
            "scene", "szene", "scena", "auftritt", "escena", "cena", "scaena", "scoena", "tooneel",
            "toneel", "kohtaus",
        ],
    ),
    (
        HeadingKind::Canto,
        &[
            "canto", "chant", "gesang", "zang", "laulu", "runo", "fytte", "rune", "sang",
        ],
    ),
    (
        HeadingKind::Chapter,
        &[
            "chapter",
            "chapitre",
            "kapitel",
            "capitulo",
            "capitolo",
            "caput",
            "chap",
            "cap",
            "kap",
            "hoofdstuk",
            "luku",
            "kabanata",
            "kapittel",
            "ch",
            "chapt",
        ],
    ),
    (
        HeadingKind::Letter,
        &[
            "letter", "lettre", "brief", "carta", "lettera", "epistle", "epistola",
        ],
    ),
    (
        HeadingKind::Section,
        &[
            "section",
            "sect",
            "seccion",
            "seccao",
            "secao",
            "sezione",
            "abschnitt",
            "stave",
            "chirp",
            "quarter",
            "adventure",
            "abenteuer",
            "story",
            "tale",
            "fable",
            "lesson",
            "lecture",
            "sermon",
            "essay",
            "ode",
            "sonnet",
            "sonett",
            "elegy",
            "satire",
            "idyll",
            "night",
            "evening",
            "day",
            "ballad",
            "poem",
            "song",
            "hymn",
            "psalm",
            "article",
            "number",
            "no",
            "nr",
            "scherzo",
            "appendix",
            "interlude",
            "phase",
            "period",
            "epoch",
            "narrative",
            "problem",
            "discourse",
            "dialogue",
            "conversation",
            "entretien",
            "vorlesung",
            "stuck",
            "dream",
            "vision",
            "paper",
            "case",
            "plate",
            "stage",
            "question",
            "title",
            "proposition",
            "meditation",
            "stanza",
            "episode",
            "tableau",
            "bild",
            "quadro",
            "cuadro",
            "exercise",
            "fragment",
            "week",
            "eclogue",
        ],
    ),
];

/// Words between the name and the number.
pub(super) const BETWEEN: &[&str] = &[
    "the", "no", "number", "nr", "n", "num", "das", "der", "die", "le", "la", "el", "o", "a", "il",
];

/// Words for the last number: `Chapter the Last`.
pub(super) const LAST: &[&str] = &[
    "last", "letztes", "letzter", "letzte", "dernier", "derniere", "ultimo", "ultima",
];

/// Openings of front and back matter, folded; longer headings continue after them.
pub(super) const MATTER: &[&str] = &[
    "preface",
    "foreword",
    "introduction",
    "introductory",
    "prologue",
    "epilogue",
    "conclusion",
    "afterword",
    "postscript",
    "appendix",
    "appendices",
    "index",
    "glossary",
    "notes",
    "footnotes",
    "bibliography",
    "dedication",
    "dedicatory",
    "acknowledgments",
    "acknowledgements",
    "acknowledgment",
    "advertisement",
    "advertisements",
    "dramatis personae",
    "prelude",
    "proem",
    "preamble",
    "prefatory",
    "preliminary",
    "addenda",
    "errata",
    "endnotes",
    "finale",
    "exordium",
    "envoi",
    "l envoi",
    "lenvoi",
    "argument",
    "references",
    "author s note",
    "authors note",
    "persons represented",
    "editorial note",
    "chronology",
    "avant propos",
    "avertissement",
    "appendice",
    "dedicace",
    "postface",
    "a lecteur",
    "au lecteur",
    "vorwort",
    "einleitung",
    "nachwort",
    "vorrede",
    "anhang",
    "widmung",
    "anmerkungen",
    "zueignung",
    "vorspiel",
    "nachspiel",
    "schluss",
    "prefacio",
    "prefacao",
    "prologo",
    "introduccao",
    "introducao",
    "epilogo",
    "conclusao",
    "advertencia",
    "dedicatoria",
    "notas",
    "apendice",
    "introduccion",
    "conclusion",
    "prefazione",
    "introduzione",
    "conclusione",
    "voorrede",
    "inleiding",
    "voorwoord",
    "naschrift",
    "besluit",
    "alkulause",
    "esipuhe",
    "johdanto",
    "praefatio",
    "prooemium",
    "forord",
    "indledning",
    "ao leitor",
    "al lector",
    "personagens",
    "personaggi",
    "personen",
    "personnages",
    "personajes",
    "interlude",
    "intermezzo",
];

/// Headings of cast lists, folded; the line holds nothing else.
pub(super) const CAST_LIST_HEADINGS: &[&str] = &[
    "cast of characters",
    "characters",
    "characters in the play",
    "characters of the play",
    "dramatis persona",
    "dramatis personae",
    "handelnde personen",
    "henkilot",
    "list of characters",
    "list of persons",
    "mga tauhan",
    "personagens",
    "personaggi",
    "personajes",
    "personen",
    "personen der handlung",
    "personer",
    "personnages",
    "persons",
    "persons in the play",
    "persons of the drama",
    "persons of the play",
    "persons represented",
    "the characters",
    "the persons",
    "the persons of the drama",
    "the persons of the play",
];

/// Words before front matter that say whose it is.
pub(super) const MATTER_OWNERS: &[&str] = &[
    "the ",
    "authors ",
    "translators ",
    "editors ",
    "publishers ",
    "general ",
    "a ",
    "an ",
    "original ",
    "biographical ",
    "historical ",
    "illustrators ",
];

/// [`MATTER`] by first letter: most lines begin with another.
pub(super) static MATTER_BY_LETTER: LazyLock<HashMap<u8, Vec<&str>, FixedState>> =
    LazyLock::new(|| {
        let mut all: HashMap<u8, Vec<&str>, FixedState> = HashMap::default();
        for matter in MATTER {
            for letter in matter.bytes().take(1) {
                all.entry(letter).or_default().push(matter);
            }
        }
        all
    });

/// The kind of each word in [`NAMES`].
pub(super) static KINDS: LazyLock<HashMap<&str, HeadingKind, FixedState>> = LazyLock::new(|| {
    let all = NAMES
        .iter()
        .flat_map(|(kind, names)| names.iter().map(|name| (*name, *kind)));
    all.collect()
});

/// Whether folded words head a cast list.
pub(crate) fn heads_cast_list(folded: &str) -> bool {
    CAST_LIST_HEADINGS.binary_search(&folded).is_ok()
}
