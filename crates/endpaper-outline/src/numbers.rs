//! Numbers of chapters: Roman, Arabic and in words.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

use super::fold::fold;

/// The form of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NumeralForm {
    Roman,
    Arabic,
    Word,
}

/// Parses a number without the full stop or bracket after it.
pub(super) fn number(word: &str) -> Option<(u32, NumeralForm)> {
    if word.is_empty() || word.len() > 24 {
        return None;
    }
    if let Some(arabic) = arabic(word) {
        return Some((arabic, NumeralForm::Arabic));
    }
    if let Some(roman) = roman(word) {
        return Some((roman, NumeralForm::Roman));
    }
    parse_number_words(word).map(|value| (value, NumeralForm::Word))
}

/// Parses up to four digits, or an ordinal written with them (`1st`, `2nd`, `1er`, `3ª`).
fn arabic(word: &str) -> Option<u32> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 4 {
        return None;
    }
    const ENDINGS: &[&str] = &[
        "", "st", "nd", "rd", "th", "er", "re", "e", "ère", "ème", "º", "ª", "°", "a", "o",
    ];
    let ending = word[digits..].to_lowercase();
    ENDINGS
        .contains(&ending.as_str())
        .then(|| word[..digits].parse().ok())
        .flatten()
}

/// Parses a well-formed Roman numeral (also `IIII` and `VIIII`), all in one case.
pub(super) fn roman(word: &str) -> Option<u32> {
    let bytes = word.as_bytes();
    let (upper, lower) = (
        bytes.iter().all(|byte| b"IVXLCDM".contains(byte)),
        bytes.iter().all(|byte| b"ivxlcdm".contains(byte)),
    );
    if bytes.is_empty() || bytes.len() > 15 || !(upper || lower) {
        return None;
    }
    let (mut at, mut value) = (0, 0);
    let letter = |at: usize| bytes.get(at).map(u8::to_ascii_uppercase);
    for (one, five, ten, unit) in [
        (b'M', 0, 0, 1000),
        (b'C', b'D', b'M', 100),
        (b'X', b'L', b'C', 10),
        (b'I', b'V', b'X', 1),
    ] {
        let here = (letter(at), letter(at + 1));
        if here == (Some(one), Some(ten)) && ten != 0 {
            (value, at) = (value + 9 * unit, at + 2);
            continue;
        }
        if here == (Some(one), Some(five)) && five != 0 {
            (value, at) = (value + 4 * unit, at + 2);
            continue;
        }
        if five != 0 && letter(at) == Some(five) {
            (value, at) = (value + 5 * unit, at + 1);
        }
        for _ in 0..4 {
            if letter(at) == Some(one) {
                (value, at) = (value + unit, at + 1);
            }
        }
    }
    (at == bytes.len() && value > 0).then_some(value)
}

/// Words for numbers; `*` represents several German endings.
const WORDS: &[(u32, &str)] = &[
    (
        1,
        "one first erste* premier première primeira primeiro primera primero prima primo primus primum eerste un ein* uno eins ensimmäinen i-mo",
    ),
    (
        2,
        "two second zweite* deuxième second seconde secunda segunda segundo seconda secondo secundus secundum tweede deux zwei toinen",
    ),
    (
        3,
        "three third dritte* troisième terceira terceiro tercera tercero terza terzo tertia tertius tertium derde trois drei kolmas",
    ),
    (
        4,
        "four fourth vierte* quatrième quarta quarto cuarta cuarto quartus quartum vierde quatre neljäs",
    ),
    (
        5,
        "five fifth fünfte* cinquième quinta quinto quintus quintum vijfde cinq viides",
    ),
    (
        6,
        "six sixth sechste* sixième sexta sexto sesta sesto sextus sextum zesde kuudes",
    ),
    (
        7,
        "seven seventh siebente* siebte* septième sétima sétimo séptima séptimo settima settimo septima septimus septimum zevende sept seitsemäs",
    ),
    (
        8,
        "eight eighth achte* huitième oitava oitavo octava octavo ottava ottavo octavus octavum achtste huit kahdeksas",
    ),
    (
        9,
        "nine ninth neunte* neuvième nona nono novena noveno nonus nonum negende neuf yhdeksäs",
    ),
    (
        10,
        "ten tenth zehnte* dixième décima décimo decima decimo decimus decimum tiende dix kymmenes",
    ),
    (
        11,
        "eleven eleventh yhdestoista elfte* onzième undécima undécimo undecimo undecimus onze",
    ),
    (
        12,
        "twelve twelfth kahdestoista zwölfte* douzième duodécima duodécimo duodecimo duodecimus douze",
    ),
    (
        13,
        "thirteen thirteenth kolmastoista dreizehnte* treizième treize",
    ),
    (
        14,
        "fourteen fourteenth neljästoista vierzehnte* quatorzième quatorze",
    ),
    (
        15,
        "fifteen fifteenth viidestoista fünfzehnte* quinzième quinze",
    ),
    (
        16,
        "sixteen sixteenth kuudestoista sechzehnte* seizième seize",
    ),
    (17, "seventeen seventeenth seitsemästoista siebzehnte*"),
    (18, "eighteen eighteenth kahdeksastoista achtzehnte*"),
    (19, "nineteen nineteenth yhdeksästoista neunzehnte*"),
    (
        20,
        "twenty twentieth kahdeskymmenes zwanzigste* vingtième vingt",
    ),
    (30, "thirty thirtieth dreißigste*"),
    (40, "forty fortieth"),
    (50, "fifty fiftieth"),
    (60, "sixty sixtieth"),
    (70, "seventy seventieth"),
    (80, "eighty eightieth"),
    (90, "ninety ninetieth"),
];

/// [`WORDS`] as a map, with the German endings expanded.
static KNOWN: LazyLock<HashMap<String, u32, FixedState>> = LazyLock::new(|| {
    let mut known = HashMap::default();
    for (value, words) in WORDS {
        for word in words.split(' ') {
            match word.strip_suffix('*') {
                Some(stem) => {
                    for ending in ["", "r", "s", "n", "m"] {
                        known.entry(format!("{stem}{ending}")).or_insert(*value);
                    }
                }
                None => {
                    known.entry(word.to_owned()).or_insert(*value);
                }
            }
        }
    }
    known
});

/// Words of at least five letters without their accents. Shorter ones would become other words.
static UNACCENTED: LazyLock<HashMap<String, u32, FixedState>> = LazyLock::new(|| {
    let long = KNOWN.iter().filter(|(word, _)| word.chars().count() >= 5);
    long.map(|(word, value)| (fold(word), *value)).collect()
});

/// The value of a number in words, in any known language.
fn parse_number_words(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    let simple = |word: &str| KNOWN.get(word).copied();
    if let Some(value) = simple(&word) {
        return Some(value);
    }
    // Capitals lack accents (`DEUXIEME`), old prints add some (`PRÎMA`).
    let value = if word.is_ascii() {
        UNACCENTED.get(&word)
    } else {
        UNACCENTED.get(&fold(&word))
    };
    if value.is_some() {
        return value.copied();
    }
    if let Some(value) = finnish(&word) {
        return Some(value);
    }
    // `Twenty-first`; if the two words are separated by a space, the heading joins them.
    let (tens, ones) = word.split_once(['-', '\u{2010}', '\u{2011}'])?;
    let (tens, ones) = (simple(tens)?, simple(ones)?);
    (tens >= 20 && ones < 10).then_some(tens + ones)
}

/// Ordinals in old Finnish: `yhdeskolmatta` (21st) is the first of the third ten.
fn finnish(word: &str) -> Option<u32> {
    const ONES: &[&str] = &[
        "yhdes",
        "kahdes",
        "kolmas",
        "neljäs",
        "viides",
        "kuudes",
        "seitsemäs",
        "kahdeksas",
        "yhdeksäs",
    ];
    const TENS: &[(&str, u32)] = &[
        ("kolmatta", 20),
        ("neljättä", 30),
        ("viidettä", 40),
        ("kuudetta", 50),
        ("seitsemättä", 60),
    ];
    let one = |stem: &str| {
        ONES.iter()
            .position(|one| *one == stem)
            .map(|at| at as u32 + 1)
    };
    if let Some(stem) = word.strip_suffix("kymmenes") {
        return one(stem).filter(|tens| *tens > 1).map(|tens| 10 * tens);
    }
    TENS.iter()
        .find_map(|(suffix, tens)| Some(tens + one(word.strip_suffix(suffix)?)?))
}

/// Parses the number of a scene after that of its act: 4 in `1.IV` and in `1.4`.
pub(super) fn parse_scene_number(word: &str) -> Option<(u32, NumeralForm)> {
    let (act, scene) = word.split_once('.')?;
    let (_, form) = number(act)?;
    number(scene).filter(|_| form != NumeralForm::Word)
}

/// The depth of a section number before a title: 3 in `3.1.2 Quoting`; `None` for a single number.
pub(super) fn section_depth(line: &str) -> Option<u8> {
    let (path, title) = line.split_once(char::is_whitespace)?;
    let path = path.strip_suffix('.').unwrap_or(path);
    let is_number = |part: &str| {
        (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let depth = path.split('.').count();
    let is_path = depth > 1
        && path.split('.').all(is_number)
        && title.trim_start().starts_with(char::is_alphabetic);
    is_path.then(|| u8::try_from(depth).unwrap_or(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_numbers_with_dots_before_a_title() {
        let cases = [
            ("3.1.2 Quoting", Some(3)),
            ("3.1.  The Bell", Some(2)),
            ("12.40 At Noon", Some(2)),
            ("3 Whales", None),
            ("3. Whales", None),
            ("3.1", None),
            ("3.1 4.2", None),
            ("3.14159 is", None),
            (".1 Whale", None),
            ("", None),
        ];
        for (line, expected) in cases {
            assert_eq!(section_depth(line), expected, "{line}");
        }
    }
    use proptest::prelude::*;

    #[test]
    fn numbers_of_every_form_are_read() {
        let table = [
            ("I", Some((1, NumeralForm::Roman))),
            ("xiv", Some((14, NumeralForm::Roman))),
            ("IIII", Some((4, NumeralForm::Roman))),
            ("MDCCCXCIX", Some((1899, NumeralForm::Roman))),
            ("Xi", None),
            ("IIX", None),
            ("MILD", None),
            ("12", Some((12, NumeralForm::Arabic))),
            ("1st", Some((1, NumeralForm::Arabic))),
            ("12345", None),
            ("2x", None),
            ("Twenty-First", Some((21, NumeralForm::Word))),
            ("Erstes", Some((1, NumeralForm::Word))),
            ("PREMIÈRE", Some((1, NumeralForm::Word))),
            ("PREMIERE", Some((1, NumeralForm::Word))),
            ("PRÎMA", Some((1, NumeralForm::Word))),
            ("Secunda", Some((2, NumeralForm::Word))),
            ("TERTIA", Some((3, NumeralForm::Word))),
            ("Septima", Some((7, NumeralForm::Word))),
            ("Yhdeskolmatta", Some((21, NumeralForm::Word))),
            ("kolmaskymmenes", Some((30, NumeralForm::Word))),
            ("YHDEKSÄSNELJÄTTÄ", Some((39, NumeralForm::Word))),
            ("kolmatta", None),
            ("Twenty-ten", None),
            ("house", None),
            ("", None),
        ];
        for (word, expected) in table {
            assert_eq!(number(word), expected, "{word}");
        }
    }

    /// A Roman numeral, written from tables.
    fn written(value: u32) -> String {
        const DIGITS: [[&str; 10]; 3] = [
            ["", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"],
            ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"],
            ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"],
        ];
        let digit = |unit: u32, row: usize| DIGITS[row][(value / unit % 10) as usize];
        "M".repeat((value / 1000) as usize) + digit(100, 0) + digit(10, 1) + digit(1, 2)
    }

    proptest! {
        #[test]
        fn roman_numbers_are_read_as_they_are_written(value in 1u32..4000) {
            prop_assert_eq!(roman(&written(value)), Some(value));
            prop_assert_eq!(roman(&written(value).to_lowercase()), Some(value));
        }

        #[test]
        fn any_word_may_be_asked(word in any::<String>()) {
            let _ = number(&word);
        }
    }
}
