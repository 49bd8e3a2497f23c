//! Time and memory of the alternation detector, by amount of text.
//!
//! ```text
//! cargo run --release -p lab --example alternation [-- MEGABYTES...]
//! ```
//!
//! Uses synthetic pages of one site (a template, an article of invented words, a few varying fields), by default 1, 10 and 100 MB of them. Peak
//! memory is that of the whole process as the system reports it (Linux only), minus the peak before; sizes should ascend, since a peak never falls.

use std::fmt::Write;
use std::time::Instant;

use endpaper_detect::alternation::{FoldedDocuments, Optimum, Ties};

fn main() -> anyhow::Result<()> {
    let sizes: Result<Vec<usize>, _> = std::env::args().skip(1).map(|size| size.parse()).collect();
    let sizes = sizes?;
    let sizes = if sizes.is_empty() {
        vec![1, 10, 100]
    } else {
        sizes
    };
    let before = peak();
    let mut last: Option<(f64, f64)> = None;
    for megabytes in sizes {
        let start = Instant::now();
        let mut documents = FoldedDocuments::default();
        let (mut bytes, mut page) = (0, 0);
        while bytes < megabytes * 1_000_000 {
            let source = make(page);
            bytes += source.len();
            page += 1;
            documents.push(source.as_bytes())?;
        }
        let read = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let found = Optimum::find(&documents, Ties::Group, |_| {});
        let seconds = start.elapsed().as_secs_f64();
        let best = found.best();
        let useful: usize = (0..documents.len())
            .flat_map(|document| found.parts(document))
            .filter(|part| !part.useless)
            .map(|part| part.bytes.len())
            .sum();
        // Longer paths take longer; what grows with the bytes is the time per cut point on the path.
        let step = seconds / found.path().len() as f64;
        print!(
            "{megabytes:>4} MB, {page} pages: made and folded in {read:.1} s, ({}, {}) found in {seconds:.2} s, {step:.3} s \
             a cut point; {:.0} % useful",
            best.n,
            best.a,
            100.0 * useful as f64 / bytes as f64
        );
        if let (Some(peak), Some(before)) = (peak(), before) {
            print!(
                "; {:.1} bytes of memory a byte",
                (peak - before) as f64 / bytes as f64
            );
        }
        println!();
        if let Some((size, time)) = last {
            let more = bytes as f64 / size;
            let longer = step / time;
            println!("        {more:.1} times the bytes, {longer:.1} times the time a cut point");
        }
        last = Some((bytes as f64, step));
    }
    Ok(())
}

/// Returns a page of about 20 kB, half of it template.
fn make(page: u64) -> String {
    let mut state = page.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
    let mut random = move |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    };
    let mut article = String::new();
    while article.len() < 10_000 {
        // A few words and letters are common and many are rare, as in any language.
        let most = 1 << random(30);
        let mut word = (random(most) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for _ in 0..2 + word % 7 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let letter = (word >> 33) % 26 * ((word >> 45) % 26) / 26;
            article.push(char::from(b"etaoinshrdlucmfwypvbgkqjxz"[letter as usize]));
        }
        article += if random(60) == 0 { ".</p>\n<p>" } else { " " };
    }
    let mut html = format!(
        "<html><head><title>The Daily News: story {page}</title></head><body>\n<h1>Headline {}</h1>\n",
        random(1_000_000)
    );
    for entry in 0..100 {
        // The template: always the same.
        let _ = writeln!(
            html,
            "  <li class=\"entry-{entry}\"><a href=\"/section/{}/index.html\">Section {entry}</a>&nbsp;|</li>",
            entry * 7919 % 1000
        );
        if entry == 60 {
            let _ = writeln!(html, "<!-- article --><p>{article}</p><!-- end -->");
        }
    }
    html += "<p>&copy; The Daily News</p></body></html>\n";
    html
}

/// Peak memory of this process in bytes.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
