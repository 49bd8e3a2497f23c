//! Groups the n-grams that occur more than once, for one n after another.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::documents::{END, FoldedDocuments, begins};

/// Marks the first entry of a group in [`RepeatedGrams::order`].
const FIRST: u32 = 1 << 31;

/// Groups of up to this size are sorted, larger ones distributed to buckets.
const MAX_SORTED_GROUP: usize = 256;

/// Minimum number of entries in a share of the work.
const SHARE: usize = 1 << 14;

/// The offsets of all n-grams that occur more than once, equal n-grams side by side.
///
/// Going to n + 1 splits each group by the next character. Nothing is counted again, and an offset whose n-gram now
/// occurs once is dropped, since no longer n-gram there can repeat. A step is linear in the number of remaining
/// offsets. Each takes 4 bytes; while a group is split, each of its members takes 8 more.
pub(super) struct RepeatedGrams<'a> {
    documents: &'a FoldedDocuments,
    n: u32,
    ascii: bool,
    order: Vec<u32>,
}

impl<'a> RepeatedGrams<'a> {
    /// Groups the single characters.
    pub fn new(documents: &'a FoldedDocuments) -> RepeatedGrams<'a> {
        let text = documents.text();
        let places = || {
            let places = text.iter().enumerate();
            places.filter(|(_, byte)| begins(**byte) && **byte != END)
        };
        let mut buckets = CharBuckets::default();
        for (at, _) in places() {
            let bucket = buckets.of(symbol(text, at));
            buckets.counts[bucket] += 1;
        }
        let mut order = vec![0; buckets.place_repeated()];
        for (at, _) in places() {
            let bucket = buckets.of(symbol(text, at));
            buckets.put(bucket, at as u32, &mut order);
        }
        RepeatedGrams {
            documents,
            n: 1,
            ascii: text.iter().all(|byte| byte.is_ascii() || *byte == END),
            order,
        }
    }

    /// Length of the n-grams in characters.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Whether no n-gram occurs twice.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Goes from n to n + 1.
    pub fn lengthen(&mut self) {
        let (text, ascii, n) = (self.documents.text(), self.ascii, self.n);
        let split = |share: &mut [u32]| {
            let mut splitter = GroupSplitter::default();
            let mut kept = 0;
            let mut at = 0;
            while at < share.len() {
                let end = at + group_len(&share[at..]);
                let bytes = if ascii {
                    n as usize
                } else {
                    bytes_of(text, share[at], n)
                };
                kept += splitter.split(&mut share[kept..end], at - kept, text, bytes);
                at = end;
            }
            kept
        };
        let shares = shares(&self.order);
        let mut slices = Vec::with_capacity(shares.len());
        let mut rest = &mut self.order[..];
        for len in &shares {
            let (slice, others) = rest.split_at_mut(*len);
            slices.push(slice);
            rest = others;
        }
        let kept: Vec<usize> = slices.into_par_iter().map(split).collect();
        let (mut from, mut to) = (0, 0);
        for (len, kept) in shares.into_iter().zip(kept) {
            self.order.copy_within(from..from + kept, to);
            from += len;
            to += kept;
        }
        self.order.truncate(to);
        self.n += 1;
    }

    /// The number of different n-grams, including those that occur once; and for each number of occurrences above 1,
    /// how many n-grams have it, the highest first.
    pub fn count_occurrences(&self) -> (u64, Vec<(u32, u64)>) {
        let count = |share: &[u32]| {
            let mut counts: HashMap<u32, u64, FixedState> = HashMap::default();
            for group in groups(share) {
                *counts.entry(group.len() as u32).or_default() += 1;
            }
            counts
        };
        let counts = self.by_shares(count);
        let mut all: HashMap<u32, u64, FixedState> = HashMap::default();
        for (count, grams) in counts.into_iter().flatten() {
            *all.entry(count).or_default() += grams;
        }
        let mut all: Vec<(u32, u64)> = all.into_iter().collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        let once = self.documents.grams(self.n) - self.order.len() as u64;
        let repeated: u64 = all.iter().map(|(_, grams)| grams).sum();
        (once + repeated, all)
    }

    /// Calls `act` with the entries of every group, on all cores. The first entry of a group may still have its mark:
    /// see [`place`].
    pub fn each_group(&self, act: impl Fn(&[u32]) + Sync + Send) {
        self.by_shares(|share| groups(share).for_each(&act));
    }

    /// Calls `act` in parallel for slices of the groups of about equal size, and returns its results in order.
    fn by_shares<T: Send>(&self, act: impl Fn(&[u32]) -> T + Sync + Send) -> Vec<T> {
        let mut rest = &self.order[..];
        let mut slices = Vec::new();
        for len in shares(&self.order) {
            let (slice, others) = rest.split_at(len);
            slices.push(slice);
            rest = others;
        }
        slices.into_par_iter().map(act).collect()
    }
}

/// The offset in the text of all documents that an entry represents.
pub(super) fn place(entry: u32) -> usize {
    (entry & !FIRST) as usize
}

/// Lengths of shares of the work: of about one size, cut between groups. They do not affect the result.
fn shares(order: &[u32]) -> Vec<usize> {
    let most = rayon::current_num_threads() * 16;
    let size = (order.len() / most).max(SHARE);
    let mut lengths = Vec::new();
    let mut from = 0;
    while from < order.len() {
        let least = (from + size).min(order.len());
        let more = order[least..].iter().position(|entry| entry & FIRST != 0);
        let end = more.map_or(order.len(), |more| least + more);
        lengths.push(end - from);
        from = end;
    }
    lengths
}

/// The groups of a share, each with its marked first entry.
fn groups(share: &[u32]) -> impl Iterator<Item = &[u32]> {
    share.chunk_by(|_, next| next & FIRST == 0)
}

/// Length of the first group.
fn group_len(entries: &[u32]) -> usize {
    let others = entries[1..].iter().position(|entry| entry & FIRST != 0);
    others.map_or(entries.len(), |others| 1 + others)
}

/// The character at an offset as a number made of its bytes: cheaper than its scalar value, and as unique.
fn symbol(text: &[u8], at: usize) -> u32 {
    let first = text[at];
    let len = match first {
        ..0x80 => return u32::from(first),
        0x80..0xE0 => 2,
        0xE0..0xF0 => 3,
        END => return u32::from(END),
        _ => 4,
    };
    let rest = text[at + 1..at + len].iter();
    rest.fold(u32::from(first), |symbol, byte| {
        symbol << 8 | u32::from(*byte)
    })
}

/// Length of the n-gram of an entry, in bytes.
fn bytes_of(text: &[u8], entry: u32, n: u32) -> usize {
    let (from, n) = (&text[place(entry)..], n as usize);
    // Most n-grams of most texts, checked 16 bytes at a time.
    if from.get(..n).is_some_and(<[u8]>::is_ascii) {
        return n;
    }
    let mut begun = from.iter().enumerate().filter(|(_, byte)| begins(**byte));
    // The n-gram is followed by another character or by the end of the document.
    begun.nth(n).map_or(from.len(), |(at, _)| at)
}

/// Buffers for splitting groups, reused from group to group.
#[derive(Default)]
struct GroupSplitter {
    keys: Vec<u64>,
    places: Vec<u32>,
    ids: Vec<u32>,
    buckets: CharBuckets,
}

impl GroupSplitter {
    /// Splits the group that begins at `skip` by the character `bytes` bytes after each offset. Writes the new groups
    /// to the front of `entries` and returns their total length.
    fn split(&mut self, entries: &mut [u32], skip: usize, text: &[u8], bytes: usize) -> usize {
        let len = entries.len() - skip;
        if len <= MAX_SORTED_GROUP {
            self.sort(entries, skip, text, bytes)
        } else {
            self.split_by_buckets(entries, skip, text, bytes)
        }
    }

    /// [`GroupSplitter::split`] for small groups, by sorting.
    fn sort(&mut self, entries: &mut [u32], skip: usize, text: &[u8], bytes: usize) -> usize {
        self.keys.clear();
        for &entry in &entries[skip..] {
            let next = symbol(text, place(entry) + bytes);
            if next != u32::from(END) {
                self.keys.push(u64::from(next) << 32 | place(entry) as u64);
            }
        }
        let symbol = |key: &u64| key >> 32;
        let alike = self
            .keys
            .windows(2)
            .all(|pair| symbol(&pair[0]) == symbol(&pair[1]));
        if !alike {
            self.keys.sort_unstable();
        }
        let mut kept = 0;
        let equal = self.keys.chunk_by(|a, b| symbol(a) == symbol(b));
        for group in equal.filter(|group| group.len() > 1) {
            for (to, key) in entries[kept..].iter_mut().zip(group) {
                *to = *key as u32;
            }
            entries[kept] |= FIRST;
            kept += group.len();
        }
        kept
    }

    /// [`GroupSplitter::split`] for large groups, by a bucket for each next character.
    fn split_by_buckets(
        &mut self,
        entries: &mut [u32],
        skip: usize,
        text: &[u8],
        bytes: usize,
    ) -> usize {
        self.places.clear();
        self.ids.clear();
        self.buckets.clear();
        for &entry in &entries[skip..] {
            let next = symbol(text, place(entry) + bytes);
            if next != u32::from(END) {
                let bucket = self.buckets.of(next);
                self.buckets.counts[bucket] += 1;
                self.places.push(place(entry) as u32);
                self.ids.push(bucket as u32);
            }
        }
        let kept = self.buckets.place_repeated();
        for (at, id) in self.places.iter().zip(&self.ids) {
            self.buckets.put(*id as usize, *at, entries);
        }
        kept
    }
}

/// Buckets of characters, numbered in the order of first occurrence.
struct CharBuckets {
    /// One more than the bucket of each ASCII character; 0 without a bucket.
    low: [u32; 128],
    high: HashMap<u32, u32, FixedState>,
    counts: Vec<u32>,
    /// Where the next entry of each bucket goes; [`NOWHERE`] for characters that occur once.
    next: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Default for CharBuckets {
    fn default() -> CharBuckets {
        CharBuckets {
            low: [0; 128],
            high: HashMap::default(),
            counts: Vec::new(),
            next: Vec::new(),
        }
    }
}

impl CharBuckets {
    /// Removes all buckets.
    fn clear(&mut self) {
        self.low = [0; 128];
        self.high.clear();
        self.counts.clear();
    }

    /// The bucket of a character, a new one if it has none.
    fn of(&mut self, symbol: u32) -> usize {
        let fresh = self.counts.len() as u32 + 1;
        let known = match self.low.get_mut(symbol as usize) {
            Some(low) => {
                if *low == 0 {
                    *low = fresh;
                }
                *low
            }
            None => *self.high.entry(symbol).or_insert(fresh),
        };
        if known == fresh {
            self.counts.push(0);
        }
        known as usize - 1
    }

    /// Assigns a range of entries to every bucket with more than one member. Returns the number of these members.
    fn place_repeated(&mut self) -> usize {
        let mut start = 0;
        self.next.clear();
        for &count in &self.counts {
            if count > 1 {
                self.next.push(start | FIRST);
                start += count;
            } else {
                self.next.push(NOWHERE);
            }
        }
        start as usize
    }

    /// Writes the offset `at` as the next entry of the bucket, unless its character occurs only once.
    fn put(&mut self, bucket: usize, at: u32, into: &mut [u32]) {
        let next = &mut self.next[bucket];
        if *next != NOWHERE {
            into[place(*next)] = at | (*next & FIRST);
            *next = (*next & !FIRST) + 1;
        }
    }
}
