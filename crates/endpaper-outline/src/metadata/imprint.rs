//! The imprint: publisher, place, year and copyright notice, from the title page and the first pages.

use super::dates::{is_month, years};
use super::title_page::TitlePage;
use super::{MetadataValue, ValueExtractor};
use crate::fold::{fold, squeeze};
use crate::rows::BodyRows;

/// Pages searched for a copyright notice.
const PAGES: u32 = 8;
/// Fewest rows searched if pages are estimated.
const ROWS: usize = 160;

/// The imprint of the printed book.
#[derive(Clone, Debug, Default)]
pub(super) struct Imprint {
    pub publisher: Option<MetadataValue<String>>,
    pub place: Option<MetadataValue<String>>,
    pub year: Option<MetadataValue<u32>>,
    pub copyright: Option<MetadataValue<String>>,
}

/// Publishing towns, folded, with their names.
const PLACES: &[(&str, &str)] = &[
    ("london", "London"),
    ("new york", "New York"),
    ("boston", "Boston"),
    ("philadelphia", "Philadelphia"),
    ("chicago", "Chicago"),
    ("edinburgh", "Edinburgh"),
    ("oxford", "Oxford"),
    ("cambridge", "Cambridge"),
    ("glasgow", "Glasgow"),
    ("dublin", "Dublin"),
    ("toronto", "Toronto"),
    ("sydney", "Sydney"),
    ("melbourne", "Melbourne"),
    ("san francisco", "San Francisco"),
    ("indianapolis", "Indianapolis"),
    ("cincinnati", "Cincinnati"),
    ("washington", "Washington"),
    ("hartford", "Hartford"),
    ("akron", "Akron"),
    ("a paris", "Paris"),
    ("paris", "Paris"),
    ("bruxelles", "Bruxelles"),
    ("geneve", "Genève"),
    ("berlin", "Berlin"),
    ("leipzig", "Leipzig"),
    ("munchen", "München"),
    ("wien", "Wien"),
    ("stuttgart", "Stuttgart"),
    ("frankfurt", "Frankfurt"),
    ("hamburg", "Hamburg"),
    ("dresden", "Dresden"),
    ("lisboa", "Lisboa"),
    ("porto", "Porto"),
    ("coimbra", "Coimbra"),
    ("rio de janeiro", "Rio de Janeiro"),
    ("madrid", "Madrid"),
    ("barcelona", "Barcelona"),
    ("milano", "Milano"),
    ("firenze", "Firenze"),
    ("roma", "Roma"),
    ("napoli", "Napoli"),
    ("torino", "Torino"),
    ("venezia", "Venezia"),
    ("amsterdam", "Amsterdam"),
    ("rotterdam", "Rotterdam"),
    ("s gravenhage", "'s-Gravenhage"),
    ("haarlem", "Haarlem"),
    ("leiden", "Leiden"),
    ("antwerpen", "Antwerpen"),
    ("stockholm", "Stockholm"),
    ("helsinki", "Helsinki"),
    ("helsingissa", "Helsinki"),
    ("manila", "Manila"),
    ("maynila", "Maynila"),
];

/// Words in publishers' names, folded.
const HOUSES: &[&str] = &[
    "co",
    "company",
    "publishers",
    "publisher",
    "press",
    "sons",
    "brothers",
    "bros",
    "limited",
    "ltd",
    "publishing",
    "verlag",
    "editeur",
    "editeurs",
    "librairie",
    "libraire",
    "imprensa",
    "typographia",
    "tipografia",
    "livraria",
    "imprimerie",
    "editora",
    "editor",
    "macmillan",
    "scribners",
    "putnams",
    "harper",
    "houghton",
    "heinemann",
    "methuen",
    "longmans",
    "murray",
    "blackwood",
    "burt",
    "doubleday",
    "lippincott",
    "constable",
    "chatto",
    "cassell",
    "routledge",
    "dent",
    "appleton",
    "holt",
    "century",
    "stokes",
    "knopf",
    "boni",
    "bohn",
    "nelson",
    "unwin",
    "tauchnitz",
    "buchhandlung",
    "inc",
    "dunlap",
    "altemus",
    "crowell",
    "imprenta",
    "editores",
    "lda",
    "typ",
    "impressao",
    "impressor",
    "libreria",
    "drukkerij",
    "uitgevers",
    "druck",
    "administracion",
];

/// Words that occur only in publishers' names, never in names of people, folded.
const PRESSES: &[&str] = &[
    "press",
    "publishers",
    "publisher",
    "publishing",
    "publications",
    "verlag",
    "sons",
    "bros",
    "ltd",
    "inc",
    "co",
    "company",
    "librairie",
    "imprensa",
    "typographia",
    "livraria",
    "imprimerie",
    "editora",
    "springer",
    "wesley",
    "wiley",
    "elsevier",
    "birkhauser",
    "wadsworth",
    "macmillan",
    "longmans",
    "routledge",
    "prentice",
    "reilly",
    "mcgraw",
    "houghton",
    "putnam",
    "scribner",
    "methuen",
    "heinemann",
    "lippincott",
    "alcan",
    "chapman",
    "dekker",
    "leroux",
    "hachette",
    "teubner",
    "brockhaus",
];

/// Whether folded words open with a publishing town.
pub(crate) fn is_town(folded: &str) -> bool {
    let town = |(place, _): &(&str, &str)| {
        folded
            .strip_prefix(place)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    PLACES.iter().any(town)
}

/// Whether folded words open with a publishing town or name a publisher.
pub(crate) fn is_imprint(folded: &str) -> bool {
    is_town(folded) || folded.split(' ').any(|word| PRESSES.contains(&word))
}

/// Reads the imprint from the title page and the pages after it, up to the copyright notice.
pub(super) fn read(rows: &BodyRows<'_>, page: &TitlePage) -> Imprint {
    let mut imprint = Imprint::default();
    for &at in &page.rows {
        imprint.title_page_row(rows, at);
    }
    // The imprint may come below a motto, which ends the title page, and above the copyright notice.
    let last = page.rows.last().map_or(0, |last| last + 1);
    let upto = (last..rows.all().len().min(ROWS)).find(|&at| {
        let row = rows.all()[at];
        !row.is_long() && !row.mentions_etext && is_notice(&squeeze(&rows.words(at)))
    });
    for at in last..upto.unwrap_or(last) {
        if rows.all()[at].size <= 60 && !rows.all()[at].mentions_etext {
            imprint.title_page_row(rows, at);
        }
    }
    let mut published: Option<MetadataValue<u32>> = None;
    let first = match rows.count_in_pages(PAGES) {
        all if rows.extent().is_estimated() => rows.all().len().min(ROWS.max(all)),
        all => all,
    };
    for at in 0..first {
        let row = rows.all()[at];
        if row.mentions_etext || row.is_long() {
            continue;
        }
        let line = squeeze(&rows.words(at));
        let notice = (imprint.copyright.is_none() && is_notice(&line))
            .then(|| notice(rows, at, &line))
            .filter(|notice| years(notice).next().is_some());
        if let Some(notice) = notice {
            published = published.or_else(|| {
                let year = years(&notice).max()?;
                Some(MetadataValue::from_source(
                    year,
                    ValueExtractor::Pages,
                    Some(row.line),
                ))
            });
            if imprint.publisher.is_none() {
                let house = copyright_holder(&notice).filter(|name| names_publisher(&fold(name)));
                imprint.publisher = house.map(|name| {
                    MetadataValue::from_source(
                        name.to_owned(),
                        ValueExtractor::Pages,
                        Some(row.line),
                    )
                });
            }
            imprint.copyright = Some(MetadataValue::from_source(
                notice,
                ValueExtractor::Pages,
                Some(row.line),
            ));
        }
        let folded = fold(&line);
        let first = [
            "first published",
            "published ",
            "first edition",
            "originally published",
        ];
        if first.iter().any(|words| folded.starts_with(words))
            && let Some(year) = years(&line).next()
        {
            published = Some(MetadataValue::from_source(
                year,
                ValueExtractor::Pages,
                Some(row.line),
            ));
        }
    }
    imprint.year = agreed_year(imprint.year.take(), published);
    imprint
}

/// The year of the title page, with that of the pages after it as a second source or as an alternative.
fn agreed_year(
    page: Option<MetadataValue<u32>>,
    published: Option<MetadataValue<u32>>,
) -> Option<MetadataValue<u32>> {
    match (page, published) {
        (Some(page), Some(other)) if page.value == other.value => {
            let mut both = page;
            both.sources.extend(other.sources);
            Some(both)
        }
        (Some(mut page), Some(other)) => {
            page.instead.push(other.value);
            Some(page)
        }
        (page, other) => page.or(other),
    }
}

/// Whether a line opens with `copyright` or its sign and has a year, or is the word `copyright` alone.
fn is_notice(line: &str) -> bool {
    const SIGNS: &[&str] = &["©", "(c) ", "(C) ", "C 1", "C 2"];
    const WORD: &str = "copyright";
    let opening = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word = opening
        .get(..WORD.len())
        .is_some_and(|opening| opening.eq_ignore_ascii_case(WORD));
    let alone = word && !opening[WORD.len()..].contains(char::is_alphanumeric);
    let marked = word || SIGNS.iter().any(|sign| line.starts_with(sign));
    marked && (years(line).next().is_some() || alone)
}

/// Joins a notice with the short lines of its block, and with the lines that an open end (a comma, `by`) needs.
fn notice(rows: &BodyRows<'_>, at: usize, first: &str) -> String {
    let mut notice = first.to_owned();
    let block = at + rows.block_length(at, 3);
    for next in at + 1..rows.all().len().min(at + 5) {
        let line = squeeze(&rows.words(next));
        let open = notice.ends_with(',') || fold(&notice).ends_with(" by");
        if next >= block && !open
            || notice.len() + line.len() > 160
            || rows.all()[next].mentions_etext
        {
            break;
        }
        // A notice with another year is a separate one.
        if is_notice(&line) {
            break;
        }
        notice = format!("{notice} {line}");
    }
    notice
}

/// The copyright holder that a notice names.
fn copyright_holder(notice: &str) -> Option<&str> {
    let name = [" by ", " BY ", " By "]
        .iter()
        .find_map(|by| notice.split_once(by))
        .map(|(_, name)| name)?;
    let end = name
        .find(['.', ';'])
        .filter(|at| *at > 12)
        .unwrap_or(name.len());
    let name = name[..end].trim_matches([' ', ',', '.']);
    (!name.is_empty() && name.len() <= 60).then_some(name)
}

/// Whether a folded line has a word that publishers' names have.
fn names_publisher(folded: &str) -> bool {
    folded.split(' ').any(|word| HOUSES.contains(&word))
}

/// Whether a line is the date of a letter or preface: `Boston, Dec. 9, 1854`.
fn is_dateline(folded: &str) -> bool {
    folded.split(' ').any(is_month)
}

impl Imprint {
    /// Reads a row of the title page: a place, a publisher or a year.
    fn title_page_row(&mut self, rows: &BodyRows<'_>, at: usize) {
        let line = squeeze(&rows.words(at));
        let row = rows.all()[at];
        let folded = fold(&line);
        // Copyright notices and datelines of prefaces contain years and towns too.
        if is_notice(&line) || is_dateline(&folded) {
            return;
        }
        let value = |text: &str| {
            MetadataValue::from_source(text.to_owned(), ValueExtractor::TitlePage, Some(row.line))
        };
        let mut rest = folded.as_str();
        let place = PLACES.iter().find(|(place, _)| {
            rest.strip_prefix(place)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        });
        // The name after `by` is a person, even if it contains a word of publishers' names.
        let person = folded.starts_with("by ")
            || folded.starts_with("author of ")
            || line.starts_with('[')
            || at > 0 && fold(&rows.words(at - 1)).split(' ').next_back() == Some("by");
        let house = !person && names_publisher(&folded);
        // A title may begin with a town: an imprint is short, or names a publisher or a year.
        let year = years(&line).next();
        if let Some((folded_place, name)) = place {
            rest = rest[folded_place.len()..].trim();
            let alone = rest.is_empty() || house || rest.split(' ').count() <= 4 && year.is_some();
            let twin = PLACES
                .iter()
                .any(|(other, _)| rest.trim_start_matches("and ").starts_with(other));
            if (alone && at > 0 || twin) && self.place.is_none() {
                self.place = Some(value(name));
            }
        }
        if house && self.publisher.is_none() && row.size <= 80 {
            let name = match line.split_once([':', ';']) {
                Some((before, name)) if place.is_some() && before.len() < 30 => name,
                _ => line.as_str(),
            };
            let name = name.trim_matches([' ', '.', ',', ':']);
            let long = |word: &&str| word.chars().count() > 3;
            let capitals = name.split_whitespace().filter(long).all(|word| {
                let first = word.chars().find(|c| c.is_alphabetic());
                first.is_none_or(|c| !c.is_lowercase())
            });
            if name.split_whitespace().count() >= 2 && capitals {
                self.publisher = Some(value(name));
            }
        }
        let bare = folded.split(' ').filter(|word| !word.is_empty()).count();
        if let Some(year) = year
            && self.year.is_none()
            && (bare == 1 || place.is_some() || house)
        {
            self.year = Some(MetadataValue::from_source(
                year,
                ValueExtractor::TitlePage,
                Some(row.line),
            ));
        }
        // `The Time Machine, by H. G. Wells [1898]`.
        if self.year.is_none()
            && line.ends_with(']')
            && let Some(year) = line
                .rsplit('[')
                .next()
                .filter(|inside| inside.split(' ').count() <= 2 && years(inside).count() == 1)
                .and_then(|inside| years(inside).next())
        {
            self.year = Some(MetadataValue::from_source(
                year,
                ValueExtractor::TitlePage,
                Some(row.line),
            ));
        }
    }
}
