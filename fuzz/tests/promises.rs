//! The three promises under random changes of their corpus, for machines without libFuzzer: some hundred inputs, or as many as
//! `ENDPAPER_FUZZ_SECONDS` seconds have. An input with a finding is written to a file that the message names; `lab/fuzz-all` does
//! the same and is guided by what the inputs reach.

use std::panic::catch_unwind;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use endpaper_evaluate::SampleRandom;
use endpaper_fuzz::{TARGETS, program};

/// Longest input, in bytes.
const LONGEST: usize = 16 << 10;

/// Bytes that mean something to readers.
const WORDS: &[&[u8]] = &[
    b"\0",
    b"\n",
    b"\r\n",
    b"\t",
    b"\x1b[31m",
    b"\x9b",
    b"\xff",
    b"\xe2\x80\xae",
    b"\xc2\x85",
    b": ",
    b"- ",
    b"| ",
    b"'",
    b"\"",
    b"#",
    b"&a",
    b"*a",
    b"!!x",
    b"{",
    b"]",
    b"null",
    b"-1",
    b"4294967296",
    b".nan",
    b"<b>",
    b"&lt;",
    b"*** END OF",
];

/// One of the seeds with a few changes: bytes set, ranges left out, repeated or taken from another seed, and words.
fn changed(seeds: &[Vec<u8>], random: &mut SampleRandom) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(40)).min(bytes.len());
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 => drop(bytes.drain(at..to)),
            3 => {
                let again = bytes[at..to].to_vec();
                drop(bytes.splice(at..at, again));
            }
            4 => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len() + 1);
                let part = other[from..].iter().copied().take(to - at + 8);
                drop(bytes.splice(at..to, part));
            }
            _ => drop(bytes.splice(at..at, WORDS[random.below(WORDS.len())].iter().copied())),
        }
    }
    bytes.truncate(LONGEST);
    bytes
}

/// Tries a target with changed inputs of its corpus.
fn keeps_its_promise(name: &str, inputs: usize) {
    let (_, target) = TARGETS
        .iter()
        .find(|(other, _)| *other == name)
        .expect("a target");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(name);
    let files = std::fs::read_dir(corpus).expect("a corpus");
    let mut files: Vec<_> = files.map(|file| file.expect("an entry").path()).collect();
    files.sort();
    let read = |file| std::fs::read(file).expect("a file of the corpus");
    let seeds: Vec<Vec<u8>> = files.iter().map(read).collect();
    let seconds = std::env::var("ENDPAPER_FUZZ_SECONDS").ok();
    let seconds = seconds.map(|seconds| seconds.parse().expect("a number of seconds"));
    // The same every time, unless there is time for others.
    let seed = seconds.map_or(0, |_: u64| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.expect("a clock").as_secs()
    });
    let (mut random, begun, mut tried) = (SampleRandom::new(seed), Instant::now(), 0);
    while seconds.map_or(tried < inputs, |most| {
        begun.elapsed() < Duration::from_secs(most)
    }) {
        let input = changed(&seeds, &mut random);
        if catch_unwind(|| target(&input)).is_err() {
            let file = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
            std::fs::write(&file, &input).expect("a place for the input");
            panic!("{name} finds something in '{}'", file.display());
        }
        tried += 1;
    }
    println!("{name}: {tried} inputs, seed {seed}");
}

#[test]
fn records_are_the_same_after_writing_and_reading() {
    keeps_its_promise("record_round_trip", 2_000);
}

#[test]
fn cuts_never_move_to_other_words() {
    keeps_its_promise("reanchor", 2_000);
}

#[test]
fn no_control_character_reaches_the_terminal() {
    if program().is_some() {
        keeps_its_promise("terminal_output", 100);
    } else {
        let why = "needs the program: cargo build, or ENDPAPER_PROGRAM";
        assert!(
            std::env::var("ENDPAPER_REQUIRE").as_deref() != Ok("all"),
            "{why}"
        );
        println!("left out: {why}");
    }
}
