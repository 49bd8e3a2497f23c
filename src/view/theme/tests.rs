use super::*;
use crate::view::glyphs::UNICODE;
use ratatui::style::{Color, Modifier};

/// Relative luminance, as WCAG 2.2 defines it.
fn luminance(colour: Color) -> f64 {
    let Color::Rgb(r, g, b) = colour else {
        panic!("{colour:?} has no known luminance");
    };
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

fn contrast(one: Color, other: Color) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

const TRUE_COLOUR: [&str; 4] = ["dark", "light", "colour-blind-dark", "colour-blind-light"];

fn theme(name: &str, depth: Depth) -> Theme {
    Theme::built_in(name, depth, &UNICODE).unwrap()
}

#[test]
fn text_can_be_read_on_every_background_it_stands_on() {
    use Role::*;
    let mut weak = Vec::new();
    for name in TRUE_COLOUR {
        let theme = theme(name, Depth::True);
        let style = |roles: &[Role]| {
            let text = theme.style(Text);
            roles
                .iter()
                .fold(text, |all, &role| all.patch(theme.style(role)))
        };
        let shades = [Shade0, Shade1, Shade2, Shade3, Shade4, Shade5];
        let mut pairs: Vec<Vec<Role>> = Vec::new();
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
    for name in TRUE_COLOUR {
        let theme = theme(name, Depth::True);
        let paper = theme.style(Role::Text).bg.unwrap();
        let steps: Vec<f64> = (1..6)
            .map(|step| contrast(theme.style(Role::shade(step)).fg.unwrap(), paper))
            .collect();
        assert!(
            steps.windows(2).all(|pair| pair[0] * 1.15 < pair[1]),
            "{name}: {steps:.2?}"
        );
    }
}

#[test]
fn without_colours_only_modifiers_are_left() {
    for name in names() {
        let theme = theme(name, Depth::Mono);
        for &(role, name) in Role::ALL {
            let style = theme.style(role);
            assert!(
                style.fg.is_none_or(|c| c == Color::Reset)
                    && style.bg.is_none_or(|c| c == Color::Reset),
                "{name}"
            );
        }
        let cursor = theme.style(Role::Cursor).add_modifier;
        assert!(cursor.contains(Modifier::REVERSED));
    }
}

#[test]
fn with_sixteen_colours_a_role_uses_the_ones_it_chose() {
    for name in names() {
        let theme = theme(name, Depth::Sixteen);
        for &(role, name) in Role::ALL {
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
    type Case<'a> = (Option<Depth>, &'a [(&'a str, &'a str)], Depth);
    let cases: &[Case<'_>] = &[
        (None, &[], Depth::Sixteen),
        (None, &[("TERM", "xterm-256color")], Depth::Table),
        (
            None,
            &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")],
            Depth::True,
        ),
        (None, &[("COLORTERM", "24bit")], Depth::True),
        (
            None,
            &[("COLORTERM", "truecolor"), ("NO_COLOR", "1")],
            Depth::Mono,
        ),
        (
            None,
            &[("COLORTERM", "truecolor"), ("NO_COLOR", "")],
            Depth::True,
        ),
        (
            None,
            &[("TERM", "dumb"), ("COLORTERM", "truecolor")],
            Depth::Mono,
        ),
        (Some(Depth::True), &[("NO_COLOR", "1")], Depth::True),
    ];
    for (explicit, variables, expected) in cases {
        let variable = |name: &str| {
            let found = variables.iter().find(|(n, _)| *n == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        assert_eq!(
            Depth::detect(*explicit, variable),
            *expected,
            "{variables:?}"
        );
    }
}

#[test]
fn mistakes_in_a_theme_are_named_with_their_place() {
    let cases = [
        ("inherits: dark\nroles:\n  cutt: {}\n", "line 3"),
        (
            "inherits: dark\nroles:\n  cut: {fg: \"#12\"}\n",
            "'#12' is no colour",
        ),
        (
            "inherits: dark\nroles:\n  cut: {fg: \"#12345é\"}\n",
            "'#12345é' is no colour",
        ),
        ("inherits: dark\nroles:\n  cut: {fg: reddish}\n", "line 3"),
        ("inherits: dark\nroles:\n  cut: {is: [italic]}\n", "italic"),
        ("inherits: dark\nextra: 1\nroles: {}\n", "extra"),
        ("roles: {}\n", "the role 'text' is missing"),
        ("inherits: gaudy\nroles: {}\n", "gaudy"),
    ];
    for (text, expected) in cases {
        let error = Source::read("mine.yaml", text).unwrap_err().to_string();
        assert!(
            error.contains(expected) && error.contains("mine.yaml"),
            "{text:?} gave {error:?}"
        );
    }
}

#[test]
fn a_theme_may_say_only_what_it_changes() {
    let text = "inherits: colour-blind-light\nroles:\n  cut: {fg: \"#ff0000\"}\n";
    let source = Source::read("folder/mine.yaml", text).unwrap();
    let mine = Theme::resolve(&source, Depth::True, &UNICODE);
    assert_eq!(mine.name, "mine");
    assert_eq!(mine.style(Role::Cut).fg, Some(Color::Rgb(255, 0, 0)));
    let light = theme("light", Depth::True);
    assert_eq!(mine.style(Role::Text), light.style(Role::Text));
}

#[test]
fn a_theme_that_does_not_exist_is_refused_with_those_that_do() {
    let error = Theme::built_in("drak", Depth::True, &UNICODE)
        .unwrap_err()
        .to_string();
    assert!(error.contains("'drak'") && error.contains("colour-blind-light"));
    assert_eq!(theme("colour-blind", Depth::True).name, "colour-blind-dark");
}
