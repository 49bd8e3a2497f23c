//! The grammar of author lists, read with scores.
//!
//! ```text
//! list    = person { ("," | ";" | ",")? ["and"] person } [ "et al." ] [ role ]
//! person  = given-first | family-first | indexed | institute
//! given-first  = { initial | word } { particle } word [ suffix ]            T. H. Cormen, Leslie Lamport, Guy L. Steele Jr.
//! family-first = { particle } word { word } "," [ suffix "," ] given [ suffix ]      Cormen, T. H.; Brooks, Jr., Frederick P.
//! indexed      = { particle } word { word } CAPITALS                          Cormen TH
//! institute    = words with `of` and `for`, one of which names an institute   World Health Organization
//! ```
//!
//! A title may begin as a list of names does (`Sorting and Searching`), so every place where a list can end is returned with a
//! score, and the rest of the reference decides. Scores are sums of evidence, in no unit.

use super::author_token::{AuthorToken, AuthorTokenKind, tokens};
use crate::fold::fold;
use crate::metadata::is_imprint;

/// How the name of a person is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameForm {
    GivenFirst,
    FamilyFirst,
    Indexed,
    Institute,
}

/// What separates the authors from the title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AuthorBoundary {
    /// A year in brackets.
    Dated,
    /// A year between full stops or commas.
    BareYear,
    Quote,
    Colon,
    FullStop,
    Comma,
    /// There are no authors.
    Absent,
}

/// A place where the author list may end.
#[derive(Clone, Copy, Debug)]
pub(super) struct AuthorEnd {
    /// Byte offset after the last name.
    pub(super) end: usize,
    /// Byte offset where the title begins.
    pub(super) rest: usize,
    pub(super) score: f32,
    pub(super) boundary: AuthorBoundary,
    /// The form of the first name.
    pub(super) form: Option<NameForm>,
}

impl AuthorEnd {
    /// No authors; the title begins at `rest`.
    pub(super) fn absent(rest: usize) -> AuthorEnd {
        AuthorEnd {
            end: 0,
            rest,
            score: -0.2,
            boundary: AuthorBoundary::Absent,
            form: None,
        }
    }
}

/// A person: the index of the token after the name.
#[derive(Clone, Copy, Debug)]
struct Person {
    end: usize,
    form: NameForm,
    score: f32,
    /// A single word, as family names, towns and most other words are.
    bare: bool,
}

/// The best list up to a token.
#[derive(Clone, Copy, Debug)]
struct ListState {
    score: f32,
    first: NameForm,
    last: NameForm,
    /// The last name came after `and`, as a last author does.
    joined: bool,
    initials: bool,
}

/// Most tokens of an author list.
const MAX_TOKENS: usize = 256;
/// What a name costs that names a publisher or opens with a town.
const IMPRINT_COST: f32 = 5.0;
/// Most tokens of a name.
const MAX_NAME: usize = 8;
/// Most tokens of an institute.
const MAX_INSTITUTE: usize = 14;

/// All places where the author list of a reference may end, among them one without authors.
pub(super) fn author_ends(text: &str) -> Vec<AuthorEnd> {
    let tokens = tokens(text, MAX_TOKENS);
    let year = tokens.first().and_then(|first| first.closed_year(text));
    let mut ends = vec![AuthorEnd::absent(year.unwrap_or(0))];
    let list = AuthorList { text, tokens };
    // The two best lists that end before each token: one that is complete, one that may go on.
    let mut best: Vec<[Option<ListState>; 2]> = vec![[None; 2]; list.tokens.len() + 1];
    for person in list.persons(0) {
        let state = ListState {
            score: person.score - if person.bare { 1.5 } else { 0.0 },
            first: person.form,
            last: person.form,
            joined: false,
            initials: person.score >= 2.0,
        };
        keep(&mut best[person.end], state);
    }
    for at in 1..best.len() {
        for state in best[at].into_iter().flatten() {
            list.push_ends(at, &state, &mut ends);
            let Some((start, joined)) = list.next_name(at) else {
                continue;
            };
            for person in list.persons(start) {
                keep(&mut best[person.end], state.with(&person, joined));
            }
        }
    }
    ends
}

/// Whether a text opens with authors that are written like names: with initials, a comma, or a year in brackets.
pub(super) fn opens_with_authors(text: &str) -> bool {
    const CLEAR: f32 = 3.0;
    author_ends(text)
        .iter()
        .any(|end| end.boundary != AuthorBoundary::Absent && end.score >= CLEAR)
}

/// Whether a text opens with a year in brackets, after authors or without them.
pub(super) fn opens_with_dated_authors(text: &str) -> bool {
    const CLEAR: f32 = 6.0;
    author_ends(text).iter().any(|end| match end.boundary {
        AuthorBoundary::Dated => end.score >= CLEAR,
        AuthorBoundary::Absent => end.rest > 0,
        _ => false,
    })
}

fn keep(slot: &mut [Option<ListState>; 2], state: ListState) {
    let slot = &mut slot[usize::from(state.joined)];
    if slot.is_none_or(|other| other.score < state.score) {
        *slot = Some(state);
    }
}

impl ListState {
    /// The list with one more person.
    fn with(&self, person: &Person, joined: bool) -> ListState {
        let mut score = self.score + person.score;
        if person.bare {
            score -= if joined { 2.0 } else { 4.0 };
        } else if joined {
            score += 1.5;
        }
        if person.form == NameForm::Institute && self.last != NameForm::Institute {
            score -= 1.5;
        }
        // After the last author there is no other.
        if self.joined {
            score -= 3.5;
        }
        let initials = person.score >= 2.0;
        if self.initials && !initials && person.form != NameForm::Institute {
            score -= if joined { 0.5 } else { 2.0 };
        }
        score -= match (self.last, person.form) {
            (last, form) if last == form => 0.0,
            (NameForm::Institute, _) | (_, NameForm::Institute) => 0.5,
            (NameForm::FamilyFirst, NameForm::GivenFirst) => 0.5,
            _ => 2.5,
        };
        ListState {
            score,
            first: self.first,
            last: person.form,
            joined,
            initials: self.initials || initials,
        }
    }
}

/// The tokens of a reference, while its author list is read.
struct AuthorList<'a> {
    text: &'a str,
    tokens: Vec<AuthorToken<'a>>,
}

impl AuthorList<'_> {
    fn kind(&self, at: usize) -> Option<AuthorTokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// Whether a name may end with this token: punctuation follows, a joining word, a year, a quotation mark or a role.
    fn may_end(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        if !token.tail().is_empty() {
            return true;
        }
        let Some(next) = self.tokens.get(at + 1) else {
            return true;
        };
        next.quoted
            || next.bracketed
            || next.is_year()
            || matches!(
                next.kind,
                AuthorTokenKind::And | AuthorTokenKind::Role | AuthorTokenKind::Suffix
            )
            || self.is_et_al(at + 1)
            || token.dotted()
                && !matches!(
                    next.kind,
                    AuthorTokenKind::Initial | AuthorTokenKind::Particle
                )
    }

    fn is_et_al(&self, at: usize) -> bool {
        let word = |at: usize| self.tokens.get(at).map_or("", |token| token.core);
        word(at).eq_ignore_ascii_case("et") && word(at + 1).eq_ignore_ascii_case("al")
    }

    /// All names that may begin with this token.
    fn persons(&self, start: usize) -> Vec<Person> {
        let mut found = Vec::new();
        self.push_given_first(start, &mut found);
        self.push_indexed(start, &mut found);
        self.push_family_first(start, &mut found);
        self.push_institute(start, &mut found);
        found
    }

    /// Adds a name that ends before `end`, with `Jr.` if that follows.
    fn push(
        &self,
        found: &mut Vec<Person>,
        (start, end): (usize, usize),
        form: NameForm,
        score: f32,
        bare: bool,
    ) {
        let suffixed = self.kind(end) == Some(AuthorTokenKind::Suffix)
            && matches!(self.tokens[end - 1].tail(), "" | ",");
        let (end, mut score) = if suffixed {
            (end + 1, score + 1.0)
        } else {
            (end, score)
        };
        let name = &self.text[self.tokens[start].start..self.tokens[end - 1].end];
        // `W. W. Norton & Co., New York`
        if form != NameForm::Institute && is_imprint(&fold(name)) {
            score -= IMPRINT_COST;
        }
        found.push(Person {
            end,
            form,
            score,
            bare,
        });
    }

    /// `Cormen TH`, `van Rijsbergen C. J.`
    fn push_indexed(&self, start: usize, found: &mut Vec<Person>) {
        let (mut words, mut initials) = (0_u8, 0_u8);
        for at in start..self.tokens.len().min(start + MAX_NAME) {
            let token = &self.tokens[at];
            let capitals = words > 0 && token.is_capitals();
            match token.kind {
                AuthorTokenKind::Initial if words > 0 => initials += 1,
                _ if capitals => initials += 1,
                AuthorTokenKind::Word | AuthorTokenKind::Short if initials == 0 => words += 1,
                AuthorTokenKind::FunctionWord if at == start => words += 1,
                AuthorTokenKind::Particle if words == 0 => {}
                _ => return,
            }
            if initials == 0 && token.kind == AuthorTokenKind::FunctionWord {
                let next = self.tokens.get(at + 1);
                if !next.is_some_and(|next| next.is_capitals() && next.core != "A") {
                    return;
                }
            }
            if initials > 0 && self.may_end(at) {
                // `Donald E.` is the beginning of a name.
                let clear = !token.tail().is_empty() || !token.dotted();
                let score = if clear { 2.5 } else { 1.2 };
                let cost = f32::from(words - 1) * 1.2;
                self.push(
                    found,
                    (start, at + 1),
                    NameForm::Indexed,
                    score - cost,
                    false,
                );
            }
            if !token.tail().is_empty() {
                return;
            }
        }
    }

    /// `T. H. Cormen`, `Leslie Lamport`
    fn push_given_first(&self, start: usize, found: &mut Vec<Person>) {
        let (mut words, mut initials, mut particles) = (0_u8, 0_u8, 0_u8);
        let last = self.tokens.len().min(start + MAX_NAME);
        for at in start..last {
            let token = &self.tokens[at];
            match token.kind {
                AuthorTokenKind::Initial => initials += 1,
                AuthorTokenKind::Short | AuthorTokenKind::Word => words += 1,
                AuthorTokenKind::FunctionWord if initials > 0 => words += 1,
                AuthorTokenKind::Particle => particles += 1,
                _ => break,
            }
            if !matches!(
                token.kind,
                AuthorTokenKind::Initial | AuthorTokenKind::Particle
            ) && self.may_end(at)
            {
                let score = match (initials, words) {
                    (0, 1) => 0.0,
                    (0, 2) => 1.0,
                    (0, 3) => 0.3,
                    (0, _) => -1.5,
                    (_, 1..=2) => 3.0,
                    _ => 1.5,
                };
                let bare = initials == 0 && words == 1 && particles == 0;
                let score = if bare && token.is_acronym() {
                    1.0
                } else {
                    score
                };
                let score = score + if particles > 0 { 0.5 } else { 0.0 };
                self.push(found, (start, at + 1), NameForm::GivenFirst, score, bare);
            }
            let short = token.kind == AuthorTokenKind::Short && token.tail() == ".";
            if !(token.tail().is_empty() || short) {
                break;
            }
        }
    }

    /// `Cormen, T. H.`, `de la Vallée Poussin, Charles-Jean`, `Brooks, Jr., Frederick P.`
    fn push_family_first(&self, start: usize, found: &mut Vec<Person>) {
        let (mut at, mut words, mut particles) = (start, 0_u8, 0_u8);
        loop {
            match self.kind(at) {
                Some(AuthorTokenKind::Word | AuthorTokenKind::Short) => words += 1,
                // `An, C.`
                Some(AuthorTokenKind::FunctionWord)
                    if self.kind(at + 1) == Some(AuthorTokenKind::Initial) =>
                {
                    words += 1;
                }
                Some(AuthorTokenKind::Particle) if words == 0 => particles += 1,
                _ => return,
            }
            let tail = self.tokens[at].tail();
            at += 1;
            if tail == "," && words > 0 {
                break;
            }
            if !tail.is_empty() || words >= 3 {
                return;
            }
        }
        if self.kind(at) == Some(AuthorTokenKind::Suffix) && self.tokens[at].tail() == "," {
            at += 1;
        }
        let cost = match (words, particles) {
            (1, _) => 0.0,
            (2, 1..) => 0.0,
            (2, 0) => 1.0,
            _ => 2.0,
        };
        let (mut initials, mut given) = (0_u8, 0_u8);
        for at in at..self.tokens.len().min(at + 5) {
            let token = &self.tokens[at];
            match token.kind {
                AuthorTokenKind::Initial => initials += 1,
                AuthorTokenKind::Word | AuthorTokenKind::Short => given += 1,
                AuthorTokenKind::Particle if initials + given > 0 => {}
                _ => return,
            }
            if self.may_end(at) {
                let score = match (initials, given) {
                    (1.., 0) => 3.0,
                    (1.., 1) => 2.5,
                    (0, 1) => 0.8,
                    (0, 2) => 0.3,
                    (1.., 2) => 1.0,
                    _ => -1.0,
                };
                self.push(
                    found,
                    (start, at + 1),
                    NameForm::FamilyFirst,
                    score - cost,
                    false,
                );
            }
            let short = token.kind == AuthorTokenKind::Short && token.tail() == ".";
            if !(token.tail().is_empty() || short) {
                return;
            }
        }
    }

    /// `World Health Organization`, `National Institute of Standards and Technology`.
    fn push_institute(&self, start: usize, found: &mut Vec<Person>) {
        let mut named = false;
        for at in start..self.tokens.len().min(start + MAX_INSTITUTE) {
            let token = &self.tokens[at];
            let inner = at > start && token.is_small();
            let institute = token.names_institute();
            if !(inner
                || institute
                || matches!(token.kind, AuthorTokenKind::Word | AuthorTokenKind::Short))
            {
                break;
            }
            named |= institute;
            if named && !inner && at > start && self.may_end(at) {
                self.push(found, (start, at + 1), NameForm::Institute, 2.0, false);
            }
            if !token.tail().is_empty() {
                break;
            }
        }
    }

    /// Where the next name begins after a name that ends before `at`, and whether `and` stands between them.
    fn next_name(&self, at: usize) -> Option<(usize, bool)> {
        let tail = self.tokens[at - 1].tail();
        if !matches!(tail, "" | "," | ";") {
            return None;
        }
        match self.kind(at) {
            Some(AuthorTokenKind::And) => Some((at + 1, true)),
            _ if tail.is_empty() => None,
            _ => Some((at, false)),
        }
    }

    /// Adds the ends of a list before the token `at`, with and without `et al.` and a role.
    fn push_ends(&self, at: usize, state: &ListState, ends: &mut Vec<AuthorEnd>) {
        let names_end = self.tokens[at - 1].core_end();
        let tail = self.tokens[at - 1].tail();
        if matches!(tail, "" | "," | ";") {
            let others = self.kind(at) == Some(AuthorTokenKind::And)
                && self
                    .tokens
                    .get(at + 1)
                    .is_some_and(|token| token.core == "others");
            if others || self.is_et_al(at) {
                let end = self.tokens[at + 1].core_end();
                self.push_end(at + 2, end, state.score + 3.0, state, ends);
                if self.kind(at + 2) == Some(AuthorTokenKind::Role) {
                    self.push_end(at + 3, end, state.score + 5.0, state, ends);
                }
                return;
            }
            if self.kind(at) == Some(AuthorTokenKind::Role) {
                self.push_end(at + 1, names_end, state.score + 3.0, state, ends);
                return;
            }
        }
        self.push_end(at, names_end, state.score, state, ends);
    }

    /// Adds the end of a list before the token `at`, if a boundary is there.
    fn push_end(
        &self,
        at: usize,
        end: usize,
        score: f32,
        state: &ListState,
        ends: &mut Vec<AuthorEnd>,
    ) {
        let last = &self.tokens[at - 1];
        let Some(next) = self.tokens.get(at) else {
            return;
        };
        let tail = last.tail();
        let (boundary, weight, rest) = if let Some(rest) = next.closed_year(self.text) {
            (AuthorBoundary::Dated, 6.0, rest)
        } else if next.is_year() && next.tail().starts_with(['.', ',', ':']) {
            let weight = if next.tail().starts_with(',') {
                2.0
            } else {
                5.0
            };
            (AuthorBoundary::BareYear, weight, next.end)
        } else if next.quoted {
            (AuthorBoundary::Quote, 5.0, next.start)
        } else if tail.ends_with(':') {
            (AuthorBoundary::Colon, 3.0, next.start)
        } else if tail.ends_with('.') || tail.is_empty() && last.dotted() {
            (AuthorBoundary::FullStop, 2.0, next.start)
        } else if tail.ends_with([',', ';']) {
            (AuthorBoundary::Comma, 0.0, next.start)
        } else {
            return;
        };
        ends.push(AuthorEnd {
            end,
            rest,
            score: score + weight,
            boundary,
            form: Some(state.first),
        });
    }
}
