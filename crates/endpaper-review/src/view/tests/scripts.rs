//! Wide and right-to-left scripts, with made-up books.

use super::*;
use crate::view::bidi::tests::stays;
use endpaper_detect::frequency::document_frequency::{DocumentFrequencyBuilder, LineForm};
use endpaper_text::line::KeyKind;
use proptest::prelude::*;
use ratatui::buffer::CellWidth;

/// A Japanese book with readings in `《》` and notes on the layout in `［＃］`.
const JAPANESE: &str = include_str!("scripts/japanese.txt");
/// An Arabic book with short vowels and tatweel.
const ARABIC: &str = include_str!("scripts/arabic.txt");

/// A corpus of 40 books that have these lines at their ends. Counts are of the lines that Algorithm 1 counts.
fn corpus(lines: &[&str]) -> Frequencies {
    let keys = || {
        lines
            .iter()
            .map(|line| Normaliser::default().text(line).key())
    };
    let counts = Counts::from_pairs(keys().map(|key| (key, 40)), Certainty::Exact);
    let mut builder = DocumentFrequencyBuilder::default();
    for book in 0..40 {
        let author = format!("Author{book}");
        let forms = keys().flat_map(|key| {
            [false, true].map(|tail| LineForm::new(KeyKind::Exact, tail, key.0 as u32))
        });
        builder.add(None, Some(&author), forms);
    }
    let spreads = DocumentFrequencyBuilder::finish(vec![builder]).unwrap();
    Frequencies::from(counts).with_document_frequencies(spreads)
}

/// A book of a corpus, open at 80x24.
fn opened(text: &str, shared: &[&str]) -> ViewFixture {
    let mut desk = ViewFixture::new(text.to_owned(), (80, 24));
    desk.frequencies = corpus(shared);
    desk.send(Message::Entries {
        entries: entries(),
        counts_changed: false,
        model: None,
    });
    desk
}

#[test]
fn a_japanese_book_with_readings_and_notes() {
    let shared = [
        "【この本で使う記号】",
        "《》は読みがな",
        "［＃］は入力した人の注",
        "記号のほかは、もとの本のとおりに入力しました",
        "灯台文庫がこの本を電子化しました。どなたでも自由に読み、写し、配ることができます。",
    ];
    let desk = opened(JAPANESE, &shared);
    snapshot("script-japanese", &desk);
    snapshot("script-japanese-whole", &desk.keys("WZgg"));
}

#[test]
fn an_arabic_book_with_short_vowels_and_tatweel() {
    let shared = [
        "#بداية الكتاب#",
        "مكتبة المنارة",
        "أعدت مكتبة المنارة هذه النسخة ليقرأها الناس وينسخوها كما يشاؤون",
    ];
    let desk = opened(ARABIC, &shared);
    snapshot("script-arabic", &desk);
    snapshot("script-arabic-whole", &desk.keys("WZgg"));
}

/// The gutter of every line has its number, and no terminal moves it.
fn assert_gutter_stays(buffer: &Buffer, desk: &ViewFixture, width: u16) {
    let layout = desk.session.screen.layout();
    for pane in [layout.head, layout.tail] {
        for y in pane.top()..pane.bottom() {
            for x in pane.left()..pane.left() + 7 {
                let symbol = buffer[(x, y)].symbol();
                assert_eq!(symbol.cell_width(), 1, "{width}: {symbol:?}");
                assert!(stays(buffer, x, y), "{width}: column {x} of row {y} moves");
            }
            let number: String = (2..6).map(|at| buffer[(pane.x + at, y)].symbol()).collect();
            let is_number = number.trim_start().parse::<u32>().is_ok();
            let is_rule = number.chars().all(|c| matches!(c, ' ' | '─' | '┄'));
            assert!(is_number || is_rule, "{width}: {number:?}");
        }
    }
    for y in 0..buffer.area.height {
        for x in (0..buffer.area.width).filter(|x| buffer[(*x, y)].symbol() == "│") {
            assert!(
                stays(buffer, x, y),
                "{width}: the line at {x} of row {y} moves"
            );
        }
    }
}

/// Lines of all that disturbs columns: right-to-left scripts, digits, marks, wide and invisible characters.
fn any_line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[\u{5d0}-\u{5ea}]{1,8}",
        "[\u{621}-\u{64a}\u{64b}-\u{652}]{1,12}",
        "[\u{660}-\u{669}]{1,3}",
        "[0-9]{1,5}",
        "[a-z .,()]{1,9}",
        "[一-龠《》［］]{1,8}",
        "[\u{ac00}-\u{d7a3}]{1,4}",
        "[\u{300}-\u{36f}\u{20d0}-\u{20f0}]{1,6}",
        "[\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{feff}\u{fe0f}\u{ad}]{1,2}",
        "[\u{900}-\u{97f}]{1,8}",
        "[\u{e00}-\u{e7f}]{1,8}",
        "[\u{1f300}-\u{1f5ff}]{1,3}",
        "\\PC{1,8}",
        any::<String>().prop_map(|text| text.replace(['\n', '\r'], " ")),
    ];
    prop::collection::vec(piece, 1..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_line_leaves_its_cells_or_moves_the_gutter(line in any_line(), width in 40u16..=160) {
        let text = format!("{line}\n\nA plain line\n{line}\n12 {line} 34\n\nThe end\n");
        let desk = ViewFixture::of(&text, (width, 24));
        let buffer = desk.draw(&Theme::of_roles(&UNICODE));
        for y in 0..24 {
            let mut x = 0;
            while x < width {
                let symbol = buffer[(x, y)].symbol();
                prop_assert!(!symbol.is_empty() && !symbol.chars().any(char::is_control), "{symbol:?}");
                x += symbol.cell_width().max(1);
            }
            prop_assert_eq!(x, width, "row {} is as wide as the screen", y);
        }
        assert_gutter_stays(&buffer, &desk, width);
    }

    #[test]
    fn a_pane_of_any_width_draws_nothing_beside_itself(line in any_line(), width in 20u16..=160) {
        let desk = ViewFixture::of(&format!("{line}\n{line}\n\n{line}\n"), (200, 24));
        let area = Rect::new(0, 0, 200, 24);
        let mut buffer = Buffer::filled(area, ratatui::buffer::Cell::new("#"));
        let theme = Theme::of_roles(&UNICODE);
        let pane = Rect { x: 10, width, ..desk.session.screen.layout().head };
        panes::draw(&desk.session, &mut Canvas::new(&mut buffer, &theme), End::Start, pane);
        for y in area.top()..area.bottom() {
            for x in (0..pane.left()).chain(pane.right()..200) {
                prop_assert_eq!(buffer[(x, y)].symbol(), "#");
            }
            // No wide character reaches over the right edge.
            let last = buffer[(pane.right() - 1, y)].symbol();
            prop_assert_eq!(last.cell_width(), 1, "{:?}", last);
        }
    }
}
