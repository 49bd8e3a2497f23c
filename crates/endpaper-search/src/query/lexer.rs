//! Splitting a query into tokens.

use endpaper_text::config::nearest;

use super::field::QueryField;
use super::tree::QueryError;

/// A token and its position, in characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QueryToken {
    pub at: usize,
    pub kind: TokenKind,
}

/// What a token of a query is: a bracket, an operator, a field such as `title:`, or text to search for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Open,
    Close,
    And,
    Or,
    Not,
    Plus,
    Minus,
    Field(QueryField),
    Word(String),
    Quoted(String),
}

/// Splits a query into tokens.
pub(super) fn tokenise(text: &str) -> Result<Vec<QueryToken>, QueryError> {
    let chars: Vec<char> = text.chars().collect();
    let mut lexer = Lexer {
        chars: &chars,
        next: 0,
        pieces: Vec::new(),
    };
    while lexer.step()? {}
    Ok(lexer.pieces)
}

/// Splits the characters of a query into tokens; `next` is the index of the next character.
struct Lexer<'a> {
    chars: &'a [char],
    next: usize,
    pieces: Vec<QueryToken>,
}

impl Lexer<'_> {
    /// Appends a token that begins at the character `at`.
    fn push(&mut self, at: usize, kind: TokenKind) {
        self.pieces.push(QueryToken { at: at + 1, kind });
    }

    /// The character `ahead` characters after the next.
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.next + ahead).copied()
    }

    /// Reads the next token. Returns false at the end.
    fn step(&mut self) -> Result<bool, QueryError> {
        let at = self.next;
        let Some(c) = self.peek(0) else {
            return Ok(false);
        };
        let sign = match c {
            '(' => Some(TokenKind::Open),
            ')' => Some(TokenKind::Close),
            // An operator directly precedes a term; a dash between spaces is a dash.
            '+' if self.is_followed() => Some(TokenKind::Plus),
            '-' if self.is_followed() => Some(TokenKind::Minus),
            _ => None,
        };
        if let Some(kind) = sign {
            self.next += 1;
            self.push(at, kind);
        } else if c.is_whitespace() {
            self.next += 1;
        } else if is_quote(c) {
            self.quoted()?;
        } else {
            self.word()?;
        }
        Ok(true)
    }

    /// Whether the next character is followed by a word, a phrase or a bracket, so that it may be an operator.
    fn is_followed(&self) -> bool {
        self.peek(1)
            .is_some_and(|c| c.is_alphanumeric() || is_quote(c) || c == '(')
    }

    /// Reads a phrase in quotation marks.
    fn quoted(&mut self) -> Result<(), QueryError> {
        let at = self.next;
        let rest = &self.chars[at + 1..];
        let Some(length) = rest.iter().position(|c| is_quote(*c)) else {
            return Err(mistake(
                at,
                "the quotation mark is never closed; write one at the end of the phrase",
            ));
        };
        let text = rest[..length].iter().collect();
        self.next = at + length + 2;
        if matches!(self.peek(0), Some('~' | '^')) {
            return Err(mistake(
                self.next,
                "'~' and '^' are not understood; leave them out",
            ));
        }
        self.push(at, TokenKind::Quoted(text));
        Ok(())
    }

    /// Reads a word, an operator or a field such as `title:`.
    fn word(&mut self) -> Result<(), QueryError> {
        let at = self.next;
        let mut text = String::new();
        while let Some(c) = self.peek(0).filter(|c| !ends_word(*c)) {
            if c == ':' && self.field(at, &text)? {
                return Ok(());
            }
            if matches!(c, '*' | '~' | '^') {
                let why = format!(
                    "'{c}' is not understood; words are found in all their forms, so leave it out"
                );
                return Err(mistake(self.next, &why));
            }
            text.push(c);
            self.next += 1;
        }
        let kind = match text.as_str() {
            "AND" => TokenKind::And,
            "OR" => TokenKind::Or,
            "NOT" => TokenKind::Not,
            _ => TokenKind::Word(text),
        };
        self.push(at, kind);
        Ok(())
    }

    /// Reads `name:` if a term directly follows.
    fn field(&mut self, at: usize, name: &str) -> Result<bool, QueryError> {
        let behind = self.peek(1);
        let plain = name.starts_with(char::is_alphabetic)
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if !plain || behind.is_none_or(|c| c.is_whitespace() || c == ':') {
            let known = field_of(name).is_some() && behind.is_none_or(char::is_whitespace);
            if known {
                let why = format!("'{name}:' needs a word directly after the colon");
                return Err(mistake(at, &why));
            }
            return Ok(false);
        }
        let Some(field) = field_of(name) else {
            return Err(mistake(at, &unknown_field(name)));
        };
        self.next += 1;
        self.push(at, TokenKind::Field(field));
        Ok(true)
    }
}

/// The field with this name.
fn field_of(name: &str) -> Option<QueryField> {
    QueryField::of(&name.to_lowercase())
}

/// Why a name before a colon is refused: a misspelt field taken for words would find nothing, silently.
fn unknown_field(name: &str) -> String {
    let names = QueryField::names();
    let meant = nearest(name, names.iter().copied());
    let meant = meant.map_or(String::new(), |meant| format!(" (did you mean '{meant}'?)"));
    format!(
        "unknown field '{name}'{meant}; use one of {}, or put a space after the colon",
        names.join(", ")
    )
}

/// Whether a character ends a word.
fn ends_word(c: char) -> bool {
    c.is_whitespace() || is_quote(c) || matches!(c, '(' | ')')
}

/// Whether a character is a quotation mark.
fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201C}' | '\u{201D}' | '\u{201E}')
}

/// An error at an index of `chars`.
fn mistake(at: usize, what: &str) -> QueryError {
    QueryError {
        at: at + 1,
        what: what.to_owned(),
    }
}
