//! Counts the character n-grams of a text.
//!
//! Text comes in pieces. Each piece is first converted to symbols: characters in lower case, a run of white space as
//! one blank. Then every n consecutive symbols are counted. For n = 4, most n-grams of most texts consist of blanks,
//! Latin letters and common punctuation: these are counted in a table that they index directly, all others in a hash
//! map. Repeated n-grams allocate nothing, and the tables are reused for the next text.

use hashbrown::HashMap;

use super::shape::NGRAMS;

/// The characters that index the table, in the order of their symbols.
const DIRECT: &[u8; BASE] = b" abcdefghijklmnopqrstuvwxyz,.;:'\"-!?_()&";
/// Number of [`DIRECT`] characters.
const BASE: usize = 40;
/// Length of the n-grams that the table counts.
const TABLE_NGRAM: usize = 4;
/// Added to the scalar value of every other character. [`DIRECT`] symbols are smaller, and so is any OR of them.
const OTHER: u32 = 64;
/// The blank.
const BLANK: u32 = 0;
/// Symbols that are collected before they are counted.
const CHUNK: usize = 4096;

/// The symbol of every ASCII byte.
const SYMBOLS: [u8; 128] = symbols();

/// The symbol of each ASCII byte.
const fn symbols() -> [u8; 128] {
    let mut symbols = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        let lower = (byte as u8).to_ascii_lowercase();
        symbols[byte] = match lower {
            b'\t'..=b'\r' => BLANK as u8,
            _ => OTHER as u8 + lower,
        };
        let mut at = 0;
        while at < BASE {
            if DIRECT[at] == lower {
                symbols[byte] = at as u8;
            }
            at += 1;
        }
        byte += 1;
    }
    symbols
}

/// The scalar value of the character of a symbol.
fn scalar(symbol: u32) -> u32 {
    match symbol.checked_sub(OTHER) {
        Some(scalar) => scalar,
        None => DIRECT.get(symbol as usize).map_or(0, |&byte| byte.into()),
    }
}

/// Hashes an n-gram, given the scalar values of its characters: a polynomial in an odd number, modulo 2^64.
pub(super) fn name_of(scalars: impl Iterator<Item = u32>) -> u64 {
    scalars.fold(0, |name, scalar| {
        (name ^ u64::from(scalar)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

/// Counts the n-grams of one text after another.
#[derive(Debug)]
pub(super) struct GramCounter {
    ngram: usize,
    /// Symbols to be counted, after the last `ngram - 1` that were.
    symbols: Vec<u32>,
    /// Number of `symbols` in use.
    filled: usize,
    /// Counts by index, for n-grams of [`TABLE_NGRAM`] characters; empty for other lengths.
    table: Vec<u32>,
    /// Indices with a count.
    touched: Vec<u32>,
    /// Counts by [`name_of`], for all n-grams without an index.
    rest: HashMap<u64, u32, foldhash::fast::FixedState>,
}

impl GramCounter {
    /// A counter of n-grams of `ngram` characters.
    pub fn new(ngram: usize) -> GramCounter {
        let ngram = ngram.clamp(*NGRAMS.start(), *NGRAMS.end());
        let table = if ngram == TABLE_NGRAM {
            vec![0; BASE.pow(TABLE_NGRAM as u32)]
        } else {
            Vec::new()
        };
        let mut symbols = vec![0; 2 * CHUNK + NGRAMS.end()];
        // Every text begins and ends with a blank.
        symbols[0] = BLANK;
        GramCounter {
            ngram,
            symbols,
            filled: 1,
            table,
            touched: Vec::new(),
            rest: HashMap::default(),
        }
    }

    /// Adds the next piece of the text.
    pub fn push(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let block = &rest.as_bytes()[..rest.len().min(CHUNK)];
            let ascii = if block.is_ascii() {
                block.len()
            } else {
                block.iter().take_while(|byte| byte.is_ascii()).count()
            };
            self.push_ascii(&block[..ascii]);
            rest = &rest[ascii..];
            let mut chars = rest.chars();
            while let Some(c) = chars.as_str().chars().next().filter(|c| !c.is_ascii()) {
                self.push_wide(c);
                chars.next();
                if self.filled >= CHUNK {
                    self.count();
                }
            }
            rest = chars.as_str();
            if self.filled >= CHUNK {
                self.count();
            }
        }
    }

    /// Adds at most [`CHUNK`] bytes of ASCII, for which `symbols` has space.
    fn push_ascii(&mut self, bytes: &[u8]) {
        let mut last = self.symbols[self.filled - 1];
        let mut filled = self.filled;
        for &byte in bytes {
            let symbol = u32::from(SYMBOLS[usize::from(byte & 0x7F)]);
            self.symbols[filled] = symbol;
            // A second blank is overwritten by the next symbol.
            filled += usize::from(symbol | last != BLANK);
            last = symbol;
        }
        self.filled = filled;
    }

    /// Appends a character that is not ASCII.
    fn push_wide(&mut self, c: char) {
        if c.is_whitespace() {
            self.push_symbol(BLANK);
        } else {
            for lower in c.to_lowercase() {
                // The lower case of some characters is ASCII.
                let symbol = match u8::try_from(lower).ok().filter(u8::is_ascii) {
                    Some(byte) => SYMBOLS[usize::from(byte)].into(),
                    None => OTHER + u32::from(lower),
                };
                self.push_symbol(symbol);
            }
        }
    }

    /// Appends a symbol, but no blank after a blank.
    fn push_symbol(&mut self, symbol: u32) {
        if symbol != BLANK || self.symbols[self.filled - 1] != BLANK {
            self.symbols[self.filled] = symbol;
            self.filled += 1;
        }
    }

    /// Counts all complete n-grams.
    fn count(&mut self) {
        let filled = self.filled;
        if filled < self.ngram {
            return;
        }
        if self.table.is_empty() {
            for at in self.ngram..=filled {
                self.count_in_map(at);
            }
        } else {
            for at in TABLE_NGRAM..=filled {
                self.count_in_table(at);
            }
        }
        let keep = self.ngram - 1;
        self.symbols.copy_within(filled - keep..filled, 0);
        self.filled = keep;
    }

    /// Counts the n-gram that ends before `end`.
    #[inline]
    fn count_in_table(&mut self, end: usize) {
        let window = &self.symbols[end - TABLE_NGRAM..end];
        let [a, b, c, d] = [window[0], window[1], window[2], window[3]];
        if (a | b | c | d) >= OTHER {
            self.count_in_map(end);
            return;
        }
        let base = BASE as u32;
        let index = (a * base + b) * (base * base) + (c * base + d);
        if let Some(count) = self.table.get_mut(index as usize) {
            if *count == 0 {
                self.touched.push(index);
            }
            *count = count.saturating_add(1);
        }
    }

    /// Counts the n-gram that ends before `end` in the map, which takes the n-grams that the table cannot.
    fn count_in_map(&mut self, end: usize) {
        let window = &self.symbols[end - self.ngram..end];
        let name = name_of(window.iter().map(|&symbol| scalar(symbol)));
        let count = self.rest.entry(name).or_insert(0);
        *count = count.saturating_add(1);
    }

    /// Ends the text: calls `each` with the name and the count of every n-gram, and returns the number of different
    /// ones. The next text may begin.
    pub fn finish(&mut self, mut each: impl FnMut(u64, u32)) -> usize {
        self.push_symbol(BLANK);
        self.count();
        let distinct = self.touched.len() + self.rest.len();
        for &index in &self.touched {
            let Some(count) = self.table.get_mut(index as usize) else {
                continue;
            };
            let digit = |place: u32| index / (BASE as u32).pow(place) % BASE as u32;
            let name = name_of([3, 2, 1, 0].into_iter().map(|place| scalar(digit(place))));
            each(name, std::mem::take(count));
        }
        for (&name, &count) in &self.rest {
            each(name, count);
        }
        self.touched.clear();
        self.rest.clear();
        self.symbols[0] = BLANK;
        self.filled = 1;
        distinct
    }
}
