//! Screens with characters shaded by n-grams.

use super::*;
use crate::BookPage;
use endpaper_detect::alternation::FrequentGrams;

/// A book whose page was made with the alternation detector, which knows the licence (also across line ends) and a phrase of wide
/// characters.
fn desk(text: &str, size: (u16, u16)) -> ViewFixture {
    let mut desk = ViewFixture::of(text, size);
    let parameters = Parameters {
        method: Method::Gap,
        ..Parameters::default()
    };
    let text = BookText::new(text.as_bytes().to_vec());
    let mut page = BookPage::new(text, &counts().into(), &parameters);
    let known = "endpaper frequent n-grams, n 8\nProject Gutenberg\n\
                 This etext was prepared by \n\u{6f22}\u{5b57}\u{304b}\u{306a}\u{6f22}\u{5b57}\u{304b}\u{306a}";
    page.apply_alternation(&FrequentGrams::from_text(known).unwrap());
    if let Some(open) = &mut desk.session.doc.open {
        open.page = Arc::new(page);
    }
    desk
}

#[test]
fn what_n_grams_cover_is_shaded_and_not_the_line() {
    snapshot("grams", &desk(&book(40), (80, 24)).keys("v"));
}

#[test]
fn columns_of_wide_and_hidden_characters_are_counted_and_not_their_bytes() {
    let text = "\u{feff}a\u{301}\u{7}\u{6f22}\u{5b57}\u{304b}\u{306a}\u{6f22}\u{5b57}\u{304b}\u{306a}b\n\
                is Project\n  Gutenberg here\n";
    let desk = desk(text, (80, 24)).keys("v");
    let theme = Theme::built_in("dark", ColourDepth::True, &UNICODE).unwrap();
    let buffer = desk.draw(&theme);
    let look = theme.style(ThemeRole::shade(4)).bg.unwrap();
    let shaded = |y: u16| -> String {
        let cells = (0..80).map(|x| &buffer[(x, y)]);
        let shaded = cells.filter(|cell| cell.style().bg == Some(look));
        shaded.map(|cell| cell.symbol()).collect()
    };
    let rows: Vec<String> = (0..24).map(shaded).filter(|row| !row.is_empty()).collect();
    let wide = "\u{6f22}\u{5b57}\u{304b}\u{306a}\u{6f22}\u{5b57}\u{304b}\u{306a}";
    // Both panes show all of the short text, but the row of the cursor has its own colour in one of them.
    let row = |text: &str| {
        rows.iter()
            .any(|row| row.trim_start_matches(['\u{2593}', ' ']).trim_end() == text)
    };
    assert!(row("Project") && row("Gutenberg"), "{rows:?}");
    let spaced: String = wide.chars().flat_map(|c| [c, ' ']).collect();
    assert!(row(spaced.trim_end()), "{rows:?}");
}
