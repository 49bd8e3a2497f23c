//! Parsing tokens into a tree.
//!
//! ```text
//! either   = both ("OR" both)*                  all the words: words side by side are joined as by AND
//! both     = signed ("AND"? signed)*
//!
//! either   = both ("OR"? both)*                 any of the words; what selects books must hold, unless beside OR
//! both     = signed ("AND" signed)*
//!
//! signed   = ("+" | "-" | "NOT")* one
//! one      = "(" either ")" | [part ":"] (word | phrase | "(" either ")") | "language:" word | ("date:" | "released:") years
//! years    = year | [year] (".." | "-") [year]
//! ```

use super::field::{QueryField, YearField};
use super::lexer::{QueryToken, TokenKind, tokenise};
use super::tree::{MOST_WORDS, Occurs, QueryError, QueryNode, words_of};
use crate::{BookPart, Language};
use endpaper_text::config::suggestion;

/// Deepest nesting of brackets.
const MAX_DEPTH: usize = 16;

/// Longest query, in bytes.
const MAX_QUERY_BYTES: usize = 4096;

/// Parses a query; with `any`, one of several words is enough.
pub(super) fn parse(text: &str, any: bool) -> Result<QueryNode, QueryError> {
    if text.len() > MAX_QUERY_BYTES {
        return Err(mistake(
            1,
            &format!("it is longer than {MAX_QUERY_BYTES} bytes; search for less"),
        ));
    }
    let pieces = tokenise(text)?;
    let mut parser = Parser {
        pieces: &pieces,
        next: 0,
        end: text.chars().count() + 1,
        any,
        depth: 0,
        words: 0,
    };
    let found = parser.parse_or(None)?;
    if let Some(piece) = parser.peek() {
        return Err(mistake(
            piece.at,
            "this bracket was never opened; leave it out",
        ));
    }
    found.ok_or_else(|| mistake(1, "it has no word; write one to search for"))
}

/// Parses the tokens of a query by recursive descent; `next` is the index of the next token.
struct Parser<'a> {
    pieces: &'a [QueryToken],
    next: usize,
    end: usize,
    any: bool,
    depth: usize,
    words: usize,
}

/// A node with the operator before it.
type SignedNode = (Occurs, QueryNode);

impl<'a> Parser<'a> {
    /// The next token.
    fn peek(&self) -> Option<&'a QueryToken> {
        self.pieces.get(self.next)
    }

    /// The position of the next token in the query, in characters from 1; after the last, that of the end.
    fn at(&self) -> usize {
        self.peek().map_or(self.end, |piece| piece.at)
    }

    /// Skips the next token if it is of this kind, and returns whether it was.
    fn accept(&mut self, kind: &TokenKind) -> bool {
        let found = self.peek().is_some_and(|piece| piece.kind == *kind);
        self.next += usize::from(found);
        found
    }

    /// Whether a closing bracket or the end of the query is next.
    fn is_at_group_end(&self) -> bool {
        self.peek()
            .is_none_or(|piece| piece.kind == TokenKind::Close)
    }

    /// `None` if there is no word, as between two dashes.
    fn parse_or(&mut self, part: Option<BookPart>) -> Result<Option<QueryNode>, QueryError> {
        let start = self.at();
        let mut all = Vec::new();
        let mut selecting = Vec::new();
        let mut after_or = false;
        while !self.is_at_group_end() {
            let found = self.parse_and(part)?;
            let before_or = self.accept(&TokenKind::Or);
            let alone = !after_or && !before_or;
            after_or = before_or;
            match found {
                // Words are alternatives, and a book in any language or of any year is none.
                Some((None, node)) if self.any && alone && node.selects_books() => {
                    selecting.push((Occurs::Must, node));
                }
                // In a list of alternatives an operator applies to the whole list.
                Some((sign, node)) if self.any => all.push((sign.unwrap_or(Occurs::May), node)),
                Some((Some(Occurs::Never), node)) => all.push((Occurs::Never, node)),
                Some((_, node)) => all.push((Occurs::May, node)),
                None => {}
            }
            if before_or && self.is_at_group_end() {
                return Err(mistake(self.at(), "OR needs a term after it"));
            }
        }
        if !selecting.is_empty() {
            return selected(selecting, all, start);
        }
        let never = all.iter().any(|(occurs, _)| *occurs == Occurs::Never);
        if !self.any && never && all.len() > 1 {
            let why = "an excluded term cannot be an alternative; write AND NOT, or put brackets around it";
            return Err(mistake(start, why));
        }
        group(all, start)
    }

    /// Terms joined by AND; a single term keeps its operator.
    fn parse_and(
        &mut self,
        part: Option<BookPart>,
    ) -> Result<Option<(Option<Occurs>, QueryNode)>, QueryError> {
        let start = self.at();
        let mut all: Vec<(Option<Occurs>, QueryNode)> = Vec::new();
        loop {
            if let Some(found) = self.parse_signed(part)? {
                all.push(found);
            }
            if self.accept(&TokenKind::And) {
                if self.is_at_group_end() {
                    return Err(mistake(self.at(), "AND needs a term after it"));
                }
            } else if self.any
                || self.is_at_group_end()
                || self.peek().is_some_and(|piece| piece.kind == TokenKind::Or)
            {
                break;
            }
        }
        if all.len() < 2 {
            return Ok(all.pop());
        }
        let all = all.into_iter();
        let all = all
            .map(|(sign, node)| (sign.unwrap_or(Occurs::Must), node))
            .collect();
        Ok(group(all, start)?.map(|node| (None, node)))
    }

    /// Parses a term with its signs, within the field `part`.
    fn parse_signed(
        &mut self,
        part: Option<BookPart>,
    ) -> Result<Option<(Option<Occurs>, QueryNode)>, QueryError> {
        let mut sign = None;
        loop {
            if self.accept(&TokenKind::Minus) || self.accept(&TokenKind::Not) {
                sign = match sign {
                    Some(Occurs::Never) => None,
                    _ => Some(Occurs::Never),
                };
            } else if self.accept(&TokenKind::Plus) {
                sign = sign.or(Some(Occurs::Must));
            } else {
                break;
            }
        }
        Ok(self.parse_term(part)?.map(|node| (sign, node)))
    }

    /// Parses a word, a phrase, a field or a group in brackets.
    fn parse_term(&mut self, part: Option<BookPart>) -> Result<Option<QueryNode>, QueryError> {
        let Some(piece) = self.peek() else {
            return Err(mistake(self.end, "expected a word"));
        };
        self.next += 1;
        match &piece.kind {
            TokenKind::Field(QueryField::Part(part)) => self.parse_term(Some(*part)),
            TokenKind::Field(QueryField::Language) => self.language(piece.at),
            TokenKind::Field(QueryField::Years(field)) => self.years(*field, piece.at),
            TokenKind::Word(text) | TokenKind::Quoted(text) => self.words(part, text, piece.at),
            TokenKind::Open => self.parse_brackets(part, piece.at),
            TokenKind::And | TokenKind::Or => {
                let why = "AND and OR need a term before them; for the word itself write it in small letters";
                Err(mistake(piece.at, why))
            }
            _ => Err(mistake(piece.at, "expected a word")),
        }
    }

    /// The words of a text as a node; `None` if it has none.
    fn words(
        &mut self,
        part: Option<BookPart>,
        text: &str,
        at: usize,
    ) -> Result<Option<QueryNode>, QueryError> {
        let words = words_of(part, text);
        self.words += words.len();
        if self.words > MOST_WORDS {
            return Err(mistake(
                at,
                &format!("there are more than {MOST_WORDS} words; search for fewer"),
            ));
        }
        Ok((!words.is_empty()).then_some(QueryNode::Words { part, words }))
    }

    /// The next token as the value of a field that takes one.
    fn value(&mut self) -> Option<&'a str> {
        let piece = self.peek();
        self.next += 1;
        match piece.map(|piece| &piece.kind) {
            Some(TokenKind::Word(text) | TokenKind::Quoted(text)) => Some(text),
            _ => None,
        }
    }

    /// Parses the name after `language:`.
    fn language(&mut self, at: usize) -> Result<Option<QueryNode>, QueryError> {
        let Some(name) = self.value() else {
            return Err(mistake(at, "'language:' needs the name of one language"));
        };
        match name.to_lowercase().parse() {
            Ok(language) => Ok(Some(QueryNode::Language(language))),
            Err(_) => {
                let known: Vec<&str> = Language::ALL.iter().map(|known| known.name()).collect();
                let instead = suggestion(name, &known);
                Err(mistake(
                    at,
                    &format!("unknown language '{name}'; {instead}"),
                ))
            }
        }
    }

    /// Parses the years after `date:` or `released:`.
    fn years(&mut self, field: YearField, at: usize) -> Result<Option<QueryNode>, QueryError> {
        let value = self.value();
        let Some((first, last)) = value.and_then(years_of) else {
            let why = "a date is a year of four digits or a range of years, such as 1890, 1890..1900 or ..1900";
            let why = match value {
                Some(value) => format!("'{value:.40}' is no date; {why}"),
                None => why.to_owned(),
            };
            return Err(mistake(at, &why));
        };
        if first > last {
            let why = format!("{first} is later than {last}; write {last}..{first}");
            return Err(mistake(at, &why));
        }
        Ok(Some(QueryNode::Years { field, first, last }))
    }

    /// Parses a group up to its closing bracket.
    fn parse_brackets(
        &mut self,
        part: Option<BookPart>,
        at: usize,
    ) -> Result<Option<QueryNode>, QueryError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(mistake(
                at,
                &format!("brackets go deeper than {MAX_DEPTH}; use fewer"),
            ));
        }
        let found = self.parse_or(part)?;
        self.depth -= 1;
        if !self.accept(&TokenKind::Close) {
            return Err(mistake(
                at,
                "this bracket is never closed; write ')' after its last term",
            ));
        }
        Ok(found)
    }
}

/// The first and last year of `1890`, `1890..1900`, `1890-1900`, `1890..` or `..1900`.
fn years_of(text: &str) -> Option<(u32, u32)> {
    let ends = text
        .split_once("..")
        .or_else(|| text.split_once(['-', '\u{2013}']));
    let (first, last) = ends.unwrap_or((text, text));
    let year = |digits: &str, open: u32| match digits.len() {
        0 => Some(open),
        4 if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok(),
        _ => None,
    };
    Some((year(first, 0)?, year(last, u32::MAX)?))
}

/// The books that are selected, of which one of the other nodes must match, if there are some.
fn selected(
    mut selecting: Vec<SignedNode>,
    others: Vec<SignedNode>,
    at: usize,
) -> Result<Option<QueryNode>, QueryError> {
    if others.iter().all(|(occurs, _)| *occurs == Occurs::Never) {
        selecting.extend(others);
    } else {
        let others = group(others, at)?;
        selecting.extend(others.map(|node| (Occurs::Must, node)));
    }
    group(selecting, at)
}

/// Combines nodes into one.
fn group(mut all: Vec<SignedNode>, at: usize) -> Result<Option<QueryNode>, QueryError> {
    if all.iter().all(|(occurs, _)| *occurs == Occurs::Never) && !all.is_empty() {
        let why = "it only excludes words; add one that must occur";
        return Err(mistake(at, why));
    }
    if all.len() == 1 {
        return Ok(all.pop().map(|(_, node)| node));
    }
    Ok((!all.is_empty()).then_some(QueryNode::Group(all)))
}

/// An error at a character, from 1.
fn mistake(at: usize, what: &str) -> QueryError {
    QueryError {
        at,
        what: what.to_owned(),
    }
}
