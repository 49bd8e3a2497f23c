//! Readers of what users write: settings, themes, keys.

use endpaper_review::action::Action;
use endpaper_review::chord;
use endpaper_review::keymap::Keymap;
use endpaper_review::view::glyphs::UNICODE;
use endpaper_review::view::theme::{ColourDepth, Theme, ThemeSource};
use endpaper_text::config::Config;

/// Settings, with the keymap that they ask for. Every mistake has a place in the file.
pub fn settings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (config, _) = Config::parse(&text);
    let (keymap, _) = Keymap::with(&config.keys);
    assert!(!keymap.keys(Action::Quit).is_empty(), "no way out");
}

/// A theme, drawn with every number of colours.
pub fn theme(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (source, _) = ThemeSource::read("fuzzed", &text);
    for depth in [
        ColourDepth::Mono,
        ColourDepth::Sixteen,
        ColourDepth::Table,
        ColourDepth::True,
    ] {
        let _ = Theme::resolve(&source, depth, &UNICODE);
    }
}

/// Keys: what is read is written as it was read.
pub fn keys(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(keys) = chord::chords(&text) {
        let written = chord::notation(&keys);
        assert_eq!(chord::chords(&written).as_ref(), Ok(&keys), "{written}");
        let _ = chord::label(&keys);
    }
}
