//! Lists of references (Wu et al., *Searching Online Book Documents and Analyzing Book Citations*, section 3.2.3).
//!
//! A line that holds only a keyword, followed by items numbered from one, is a list of references; it ends where the next
//! number does not come within thirty lines. A book may have one after every chapter. Items without numbers must look like
//! references and be in the order of their authors, or look so much like references that no order is needed.

mod author_list;
mod author_token;
mod item;
mod marked;
mod numbered;
mod parse;
mod reference_cues;
mod sentences;
mod title_end;
mod unnumbered;
mod venue;
mod year;

use std::collections::HashSet;
use std::sync::LazyLock;

use foldhash::fast::FixedState;
pub use item::BibliographyItem;
use serde::Serialize;

use super::fold::{fold, squeeze};
use super::rows::BodyRows;

/// Longest line that can be a keyword, in bytes.
const KEYWORD: u8 = 60;

/// The keywords, folded.
const KEYWORDS: &[&str] = &[
    "references",
    "bibliography",
    "sources",
    "list of references",
    "references cited",
    "references and further reading",
    "further reading",
    "suggested reading",
    "suggestions for further reading",
    "recommended reading",
    "works cited",
    "works consulted",
    "works quoted",
    "works referred to",
    "list of works cited",
    "list of works consulted",
    "list of works quoted",
    "list of works referred to",
    "list of sources",
    "list of authorities",
    "authorities",
    "authorities consulted",
    "authorities cited",
    "authorities quoted",
    "principal authorities",
    "chief authorities",
    "list of principal authorities",
    "books consulted",
    "books cited",
    "books quoted",
    "books referred to",
    "books of reference",
    "books for reference",
    "list of books",
    "list of books consulted",
    "list of books cited",
    "list of books referred to",
    "list of books quoted",
    "works of reference",
    "literature cited",
    "literature",
    "list of literature",
    "selected bibliography",
    "select bibliography",
    "short bibliography",
    "brief bibliography",
    "general bibliography",
    "bibliographical note",
    "bibliographical notes",
    "annotated bibliography",
    "primary sources",
    "secondary sources",
    "manuscript sources",
    "printed sources",
    "bibliographie",
    "sources et bibliographie",
    "ouvrages cites",
    "ouvrages consultes",
    "auteurs cites",
    "auteurs consultes",
    "liste des ouvrages cites",
    "liste des ouvrages consultes",
    "literatur",
    "literaturverzeichnis",
    "litteratur",
    "litteraturverzeichniss",
    "litteraturverzeichnis",
    "quellen",
    "quellenverzeichnis",
    "quellen und literatur",
    "benutzte literatur",
    "benutzte werke",
    "verzeichnis der benutzten literatur",
    "bibliografia",
    "bibliographia",
    "bibliografia consultada",
    "obras consultadas",
    "obras citadas",
    "livros consultados",
    "auctores consultados",
    "autores consultados",
    "fontes",
    "referencias",
    "referencias bibliograficas",
    "fuentes",
    "fonti",
    "opere citate",
    "opere consultate",
    "libri citati",
    "literatuur",
    "literatuurlijst",
    "bronnen",
    "geraadpleegde werken",
    "kirjallisuus",
    "kirjallisuutta",
    "lahteet",
    "lahdeluettelo",
    "kallforteckning",
    "litteraturforteckning",
    "kilder",
    "mga sanggunian",
];

/// [`KEYWORDS`] as a set.
static KNOWN: LazyLock<HashSet<&str, FixedState>> =
    LazyLock::new(|| KEYWORDS.iter().copied().collect());

/// Openings of longer keyword lines, folded: `Bibliography of Lady De Lancey's Narrative`.
const OPENINGS: &[&str] = &[
    "bibliography of ",
    "bibliography for ",
    "selected bibliography ",
    "bibliographie ",
    "list of authorities ",
    "list of works on ",
    "references for ",
];

/// A list of references.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bibliography {
    /// The line of its keyword.
    pub line: u32,
    /// Its items, in their order.
    pub items: Vec<BibliographyItem>,
    /// Whether the items are numbered.
    pub numbered: bool,
    /// The last line of its last item.
    pub last: u32,
}

/// Removes the marks for italics and bold at the edges of words.
fn unmarked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let inner = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        if c != '_' || inner(before) && inner(rest.peek().copied()) {
            out.push(c);
        }
        before = Some(c);
    }
    squeeze(&out)
}

/// Returns all lists of references in line order.
pub(super) fn read(rows: &BodyRows<'_>) -> Vec<Bibliography> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < rows.all().len() {
        let row = rows.all()[at];
        at += 1;
        if !is_keyword(rows, at - 1) {
            continue;
        }
        let list = numbered::read(rows, at, row.line)
            .map(|list| (list, true))
            .or_else(|| Some((unnumbered::read(rows, at, row.line)?, false)));
        if let Some(((drafts, end), numbered)) = list {
            found.push(Bibliography {
                line: row.line,
                items: parse::items(&drafts),
                numbered,
                last: rows.all().get(end - 1).map_or(row.line, |row| row.line),
            });
            at = end;
        }
    }
    found
}

/// Whether a row holds only a keyword, with or without a section number.
fn is_keyword(rows: &BodyRows<'_>, at: usize) -> bool {
    let row = rows.all()[at];
    if row.size > KEYWORD || row.size < 5 || !row.may_open_heading || row.mentions_etext {
        return false;
    }
    // There may be a rule above it.
    let ruled = || at > 0 && !rows.words(at - 1).contains(char::is_alphanumeric);
    if !(row.is_first() || ruled()) {
        return false;
    }
    let folded = fold(&rows.words(at));
    let named = |words: &str| {
        KNOWN.contains(words)
            || OPENINGS.iter().any(|opening| words.starts_with(opening))
                && words.split(' ').count() <= 8
                // A list of the author's own works is not a list of references.
                && !["oeuvres", "works by", "works of", "same author"]
                    .iter()
                    .any(|own| words.contains(own))
    };
    let numbered = || {
        let (first, rest) = folded.split_once(' ').unwrap_or_default();
        let section = first.len() <= 5
            && (first.bytes().all(|byte| byte.is_ascii_digit())
                || super::numbers::roman(first).is_some());
        section && KNOWN.contains(rest)
    };
    named(&folded) || numbered()
}

#[cfg(test)]
mod accuracy;
#[cfg(test)]
mod tests;
