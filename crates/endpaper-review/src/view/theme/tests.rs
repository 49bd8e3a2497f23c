use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::view::glyphs::UNICODE;
use endpaper_text::config::Diagnostic;
use ratatui::style::{Color, Modifier};

/// Relative luminance, as WCAG 2.2 defines it.
fn luminance(colour: Color) -> f64 {
    let [r, g, b] = vision::linear(colour);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(one: Color, other: Color) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The built-in themes that set a background colour; the others depend on the terminal's colours.
fn true_colour() -> impl Iterator<Item = &'static str> {
    let names = endpaper_themes::BUILT_IN.iter().map(|(name, _)| *name);
    names.filter(|name| {
        let background = theme(name, ColourDepth::True).style(ThemeRole::Text).bg;
        matches!(background, Some(Color::Rgb(..)))
    })
}

fn theme(name: &str, depth: ColourDepth) -> Theme {
    Theme::built_in(name, depth, &UNICODE).unwrap()
}

#[test]
fn text_can_be_read_on_every_background_it_stands_on() {
    use ThemeRole::*;
    let mut weak = Vec::new();
    for name in true_colour() {
        let theme = theme(name, ColourDepth::True);
        let style = |roles: &[ThemeRole]| {
            let text = theme.style(Text);
            roles
                .iter()
                .fold(text, |all, &role| all.patch(theme.style(role)))
        };
        let shades = [Shade0, Shade1, Shade2, Shade3, Shade4, Shade5];
        let mut pairs: Vec<Vec<ThemeRole>> = Vec::new();
        for text in [Text, Outside, Inside] {
            for shade in shades {
                pairs.push(vec![shade, text]);
            }
            pairs.push(vec![Cursor, text]);
            pairs.push(vec![CursorIdle, text]);
        }
        for alone in [
            Cut,
            Digit,
            Alternative,
            Title,
            TitleActive,
            Status,
            Good,
            Warning,
            Error,
            Key,
            KeyText,
            Header,
            Popup,
            Chosen,
            Match,
        ] {
            pairs.push(vec![alone]);
        }
        for over in [Good, Warning, Error] {
            pairs.push(vec![Header, over]);
            pairs.push(vec![Chosen, over]);
        }
        for over in [Key, KeyText, TitleActive] {
            pairs.push(vec![Popup, over]);
        }
        pairs.push(vec![Cursor, Cut]);
        for roles in pairs {
            let shown = style(&roles);
            let (fg, bg) = (shown.fg.unwrap(), shown.bg.unwrap());
            let found = contrast(fg, bg);
            if found < 4.5 {
                weak.push(format!("{name}: {roles:?} {found:.2}"));
            }
        }
    }
    assert!(weak.is_empty(), "contrast under 4.5: {weak:#?}");
}

#[test]
fn steps_of_shading_differ_in_lightness_in_one_direction() {
    for name in true_colour() {
        let theme = theme(name, ColourDepth::True);
        let paper = theme.style(ThemeRole::Text).bg.unwrap();
        let steps: Vec<f64> = (1..6)
            .map(|step| contrast(theme.style(ThemeRole::shade(step)).fg.unwrap(), paper))
            .collect();
        assert!(
            steps.windows(2).all(|pair| pair[0] * 1.15 < pair[1]),
            "{name}: {steps:.2?}"
        );
    }
}

/// Pairs of colours that must be distinguishable, with their minimum distances. Glyphs accompany shades and words accompany
/// states: no meaning depends on colour alone.
#[test]
fn the_colour_blind_themes_can_be_told_apart_by_eyes_that_lack_a_cone() {
    use ThemeRole::*;
    let shades = [Shade0, Shade1, Shade2, Shade3, Shade4, Shade5];
    let mut pairs: Vec<(ThemeRole, ThemeRole, f64)> = shades
        .windows(2)
        .map(|pair| (pair[0], pair[1], 10.0))
        .collect();
    pairs.extend(shades.map(|shade| (Cut, shade, 25.0)));
    pairs.extend([(Cut, Text, 20.0), (Cut, Outside, 15.0), (Cut, Ghost, 10.0)]);
    pairs.extend([
        (Good, Warning, 15.0),
        (Good, Error, 15.0),
        (Warning, Error, 15.0),
    ]);
    let mut near = Vec::new();
    for name in ["colour-blind-dark", "colour-blind-light"] {
        let theme = theme(name, ColourDepth::True);
        let colour = |role| theme.style(role).fg.unwrap();
        for (eyes, matrix) in &vision::EYES {
            for (one, other, least) in &pairs {
                let found = vision::distance(colour(*one), colour(*other), matrix);
                if found < *least {
                    near.push(format!("{name}, {eyes}: {one:?} {other:?} {found:.1}"));
                }
            }
        }
    }
    assert!(near.is_empty(), "{near:#?}");
}

#[test]
fn without_colours_only_modifiers_are_left() {
    for name in names() {
        let theme = theme(name, ColourDepth::Mono);
        for &(role, name) in ThemeRole::ALL {
            let style = theme.style(role);
            assert!(
                style.fg.is_none_or(|c| c == Color::Reset)
                    && style.bg.is_none_or(|c| c == Color::Reset),
                "{name}"
            );
        }
        let cursor = theme.style(ThemeRole::Cursor).add_modifier;
        assert!(cursor.contains(Modifier::REVERSED));
    }
}

#[test]
fn with_sixteen_colours_a_role_uses_the_ones_it_chose() {
    for name in names() {
        let theme = theme(name, ColourDepth::Sixteen);
        for &(role, name) in ThemeRole::ALL {
            let style = theme.style(role);
            for colour in [style.fg, style.bg].into_iter().flatten() {
                assert!(
                    !matches!(colour, Color::Rgb(..) | Color::Indexed(_)),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn true_colours_fall_to_the_nearest_of_256() {
    let cases = [
        ((0, 0, 0), 16),
        ((255, 255, 255), 231),
        ((255, 0, 0), 196),
        ((8, 8, 8), 232),
        ((95, 135, 175), 67),
        ((130, 130, 130), 244),
    ];
    for ((r, g, b), expected) in cases {
        assert_eq!(depth::nearest(r, g, b), expected, "{r} {g} {b}");
    }
}

#[test]
fn the_depth_follows_the_setting_then_the_environment() {
    type Case<'a> = (Option<ColourDepth>, &'a [(&'a str, &'a str)], ColourDepth);
    let cases: &[Case<'_>] = &[
        (None, &[], ColourDepth::Sixteen),
        (None, &[("TERM", "xterm-256color")], ColourDepth::Table),
        (
            None,
            &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")],
            ColourDepth::True,
        ),
        (None, &[("COLORTERM", "24bit")], ColourDepth::True),
        (
            None,
            &[("COLORTERM", "truecolor"), ("NO_COLOR", "1")],
            ColourDepth::Mono,
        ),
        (
            None,
            &[("COLORTERM", "truecolor"), ("NO_COLOR", "")],
            ColourDepth::True,
        ),
        (
            None,
            &[("TERM", "dumb"), ("COLORTERM", "truecolor")],
            ColourDepth::Mono,
        ),
        (
            Some(ColourDepth::True),
            &[("NO_COLOR", "1")],
            ColourDepth::True,
        ),
    ];
    for (explicit, variables, expected) in cases {
        let variable = |name: &str| {
            let found = variables.iter().find(|(n, _)| *n == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        assert_eq!(
            ColourDepth::detect(*explicit, variable),
            *expected,
            "{variables:?}"
        );
    }
}

fn told(text: &str) -> (ThemeSource, Vec<String>) {
    let (source, mistakes) = ThemeSource::read("mine", text);
    let problem = |mistake: Diagnostic| mistake.in_file(Path::new("mine.yaml")).to_string();
    (source, mistakes.into_iter().map(problem).collect())
}

#[test]
fn the_themes_of_the_program_have_no_mistakes() {
    assert!(true_colour().count() >= 4);
    for (name, text) in endpaper_themes::BUILT_IN {
        let (source, mistakes) = ThemeSource::read(name, text);
        assert_eq!((source.name(), mistakes), (*name, Vec::new()));
    }
}

#[test]
fn mistakes_in_a_theme_are_named_with_their_place_and_the_rest_is_in_force() {
    let cases = [
        (
            "  cutt: {}\n",
            "mine.yaml:5:3: unknown role 'cutt'; did you mean 'cut'?",
        ),
        (
            "  cut: {fg: \"#12\"}\n",
            "mine.yaml:5:13: unknown colour '#12'; write \"#rrggbb\"",
        ),
        (
            "  cut: {fg: \"#12345é\"}\n",
            "mine.yaml:5:13: unknown colour '#12345é'",
        ),
        (
            "  cut: {fg: gren}\n",
            "mine.yaml:5:13: unknown colour 'gren'; did you mean 'green'?",
        ),
        (
            "  cut:\n    fg: #123456\n",
            "there is no colour here; write \"#rrggbb\" with its quotes",
        ),
        (
            "  cut: {fg: [red]}\n",
            "mine.yaml:5:13: a list is not a colour",
        ),
        (
            "  cut: {is: [bould]}\n",
            "mine.yaml:5:14: unknown modifier 'bould'; did you mean 'bold'?",
        ),
        (
            "  cut: {fgg: red}\n",
            "mine.yaml:5:9: 'fgg' is not an attribute of a role; did you mean 'fg'?",
        ),
        ("  cut: red\n", "mine.yaml:5:8: found a text"),
        (
            "  digit: {}\n",
            "mine.yaml:5:3: 'digit' is already set in line 4",
        ),
        (
            "role: 1\n",
            "mine.yaml:5:1: unknown part of a theme 'role'; did you mean 'roles'?",
        ),
        (
            "palette: {x: \"#1\"}\n",
            "mine.yaml:5:14: unknown colour '#1'",
        ),
    ];
    let start = "# mine\ninherits: light\nroles:\n  digit: {fg: \"#ff0000\"}\n";
    let light = theme("light", ColourDepth::True);
    for (text, expected) in cases {
        let (source, problems) = told(&format!("{start}{text}"));
        assert_eq!(problems.len(), 1, "{text:?}: {problems:?}");
        assert!(problems[0].contains(expected), "{text:?}: {problems:?}");
        let mine = Theme::resolve(&source, ColourDepth::True, &UNICODE);
        assert_eq!(
            mine.style(ThemeRole::Digit).fg,
            Some(Color::Rgb(255, 0, 0)),
            "{text:?}"
        );
        assert_eq!(mine.style(ThemeRole::Key), light.style(ThemeRole::Key));
        if expected.contains("colour") {
            assert_eq!(
                mine.style(ThemeRole::Cut).fg,
                light.style(ThemeRole::Cut).fg,
                "{text:?}"
            );
        }
    }
    let (_, problems) = told("inherits: gaudy\nroles: {}\n");
    let names: Vec<&str> = endpaper_themes::BUILT_IN.iter().map(|one| one.0).collect();
    let expected = format!(
        "mine.yaml:1:11: unknown built-in theme 'gaudy'; use one of {}",
        names.join(", ")
    );
    assert_eq!(problems, [expected]);
    let (source, problems) = told("roles:\n  text: {fg: red}\n");
    assert!(problems[0].starts_with("mine.yaml: the looks of 'outside', 'number', 'digit' and "));
    let mine = Theme::resolve(&source, ColourDepth::True, &UNICODE);
    assert_eq!(
        mine.style(ThemeRole::Cut),
        theme("dark", ColourDepth::True).style(ThemeRole::Cut)
    );
}

#[test]
fn a_theme_may_say_only_what_it_changes() {
    let (source, problems) =
        told("inherits: colour-blind-light\nroles:\n  cut: {fg: \"#ff0000\", is: dim}\n");
    assert_eq!(problems, [""; 0]);
    let mine = Theme::resolve(&source, ColourDepth::True, &UNICODE);
    assert_eq!(mine.name, "mine");
    assert_eq!(mine.style(ThemeRole::Cut).fg, Some(Color::Rgb(255, 0, 0)));
    assert_eq!(mine.style(ThemeRole::Cut).add_modifier, Modifier::DIM);
    let light = theme("light", ColourDepth::True);
    assert_eq!(mine.style(ThemeRole::Text), light.style(ThemeRole::Text));
}

proptest! {
    #[test]
    fn no_text_brings_a_theme_down(text in "(inherits|roles|cut|fg|dark|: |\n|  |\\{|\\}|\\[|\\]|#|\"|&a|\\*a|- ){0,20}") {
        let (source, _) = ThemeSource::read("any", &text);
        Theme::resolve(&source, ColourDepth::True, &UNICODE);
    }
}

#[test]
fn a_theme_that_does_not_exist_is_refused_with_those_that_do() {
    let error = Theme::built_in("drak", ColourDepth::True, &UNICODE)
        .unwrap_err()
        .to_string();
    assert_eq!(error, "unknown theme 'drak'; did you mean 'dark'?");
    assert_eq!(
        theme("colour-blind", ColourDepth::True).name,
        "colour-blind-dark"
    );
}
