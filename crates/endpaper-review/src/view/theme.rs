//! Looks: what each part of the screen is called, and how it is drawn.
//!
//! A theme is a YAML file that gives each [`Role`] colours and modifiers ([`parse`]). It is resolved once for the
//! colours the terminal has ([`depth`]): true colours, the nearest of 256, sixteen named ones that the role chooses
//! itself (what they look like depends on the user's palette), or none. Colour never carries a meaning alone: shading
//! has glyphs, cuts are labelled rules, states are words and letters.

mod depth;
mod parse;

use ratatui::style::{Color, Style};

pub use depth::Depth;
pub use parse::{NoSuchTheme, Source};

use super::glyphs::Glyphs;
use endpaper_text::config::suggestion;

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident $name:literal,)*) => {
        /// Parts of the screen that have a look of their own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Role { $($(#[$doc])* $role),* }

        impl Role {
            /// All roles with their names in theme files.
            pub const ALL: &[(Role, &str)] = &[$((Role::$role, $name)),*];
        }
    };
}

roles! {
    /// Text of the body, and the background of everything.
    Text "text",
    /// Text of preamble and epilogue.
    Outside "outside",
    /// Line numbers.
    Number "number",
    /// Digits of candidates.
    Digit "digit",
    /// Shading of a line that is rare.
    Shade0 "shade0",
    /// Shading of a line seen a few times.
    Shade1 "shade1",
    /// Shading of a line seen up to K times.
    Shade2 "shade2",
    /// Shading of a frequent line.
    Shade3 "shade3",
    /// Shading of a very frequent line.
    Shade4 "shade4",
    /// Shading of a line that is nearly everywhere.
    Shade5 "shade5",
    /// A cell of the heat map: lines that are rare.
    Heat0 "heat0",
    /// A cell of the heat map: lines seen a few times.
    Heat1 "heat1",
    /// A cell of the heat map: lines seen up to K times.
    Heat2 "heat2",
    /// A cell of the heat map: frequent lines.
    Heat3 "heat3",
    /// A cell of the heat map: very frequent lines.
    Heat4 "heat4",
    /// A cell of the heat map: lines that are nearly everywhere.
    Heat5 "heat5",
    /// The rule of a cut.
    Cut "cut",
    /// Where the detector had a cut that was moved.
    Ghost "ghost",
    /// The row of the cursor in the active pane.
    Cursor "cursor",
    /// The row of the cursor in the other pane.
    CursorIdle "cursor-idle",
    /// Boilerplate inside the body.
    Inside "inside",
    /// A match of the search.
    Match "match",
    /// A line that a second curator could defend.
    Alternative "alternative",
    /// Folded and blank lines.
    Fold "fold",
    /// The first line.
    Header "header",
    /// Titles of panes and columns.
    Title "title",
    /// Title of the active pane.
    TitleActive "title-active",
    /// Lines between panes and columns.
    Line "line",
    /// The line of evidence and notices.
    Status "status",
    /// Something went well; little doubt.
    Good "good",
    /// Something to look at; some doubt.
    Warning "warning",
    /// Something failed; much doubt.
    Error "error",
    /// A key to press.
    Key "key",
    /// What a key does.
    KeyText "key-text",
    /// Inside of popups.
    Popup "popup",
    /// Borders of popups.
    Border "border",
    /// The chosen item of a list, and the current book.
    Chosen "chosen",
    /// The part of the minimap that is on screen.
    MapView "map-view",
}

impl Role {
    /// The role of a step of shading.
    pub fn shade(step: u8) -> Role {
        match step {
            0 => Role::Shade0,
            1 => Role::Shade1,
            2 => Role::Shade2,
            3 => Role::Shade3,
            4 => Role::Shade4,
            _ => Role::Shade5,
        }
    }

    /// The role of a step of shading on the heat map.
    pub fn heat(step: u8) -> Role {
        match step {
            0 => Role::Heat0,
            1 => Role::Heat1,
            2 => Role::Heat2,
            3 => Role::Heat3,
            4 => Role::Heat4,
            _ => Role::Heat5,
        }
    }

    /// The role of a doubt between 0 and 1.
    pub fn doubt(doubt: f32) -> Role {
        match super::glyphs::doubt_step(doubt) {
            0 | 1 => Role::Good,
            2 => Role::Warning,
            _ => Role::Error,
        }
    }
}

/// The themes inside the program: name and file, in the order `t` shows them.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("dark", include_str!("../../../../themes/dark.yaml")),
    ("light", include_str!("../../../../themes/light.yaml")),
    (
        "colour-blind-dark",
        include_str!("../../../../themes/colour-blind-dark.yaml"),
    ),
    (
        "colour-blind-light",
        include_str!("../../../../themes/colour-blind-light.yaml"),
    ),
    (
        "16-colour",
        include_str!("../../../../themes/16-colour.yaml"),
    ),
    ("mono", include_str!("../../../../themes/mono.yaml")),
];

/// A theme as this terminal can show it.
#[derive(Clone, Debug)]
pub struct Theme {
    /// Its name.
    pub name: String,
    /// Our own marks.
    pub glyphs: &'static Glyphs,
    styles: Vec<Style>,
}

impl Theme {
    /// The style of a role: what it changes of what lies below it.
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }

    /// Whether the steps of the heat map can be told apart by their colours alone. Where they cannot (sixteen colours,
    /// none), glyphs stand for them.
    pub fn has_heat_colours(&self) -> bool {
        let colours: Vec<_> = (0..6).map(|step| self.style(Role::heat(step)).fg).collect();
        let distinct = |(at, colour): (usize, &Option<Color>)| {
            colour.is_some_and(|c| c != Color::Reset) && !colours[..at].contains(colour)
        };
        self.glyphs.unicode && colours.iter().enumerate().all(distinct)
    }

    /// A theme from what its file says.
    pub fn resolve(source: &Source, depth: Depth, glyphs: &'static Glyphs) -> Theme {
        let looks = source.looks().iter();
        let styles = looks.map(|look| depth.style(look)).collect();
        Theme {
            name: source.name().to_owned(),
            glyphs,
            styles,
        }
    }

    /// A theme of the program by its name (`colour-blind` is `colour-blind-dark`).
    pub fn built_in(
        name: &str,
        depth: Depth,
        glyphs: &'static Glyphs,
    ) -> Result<Theme, NoSuchTheme> {
        let full = full_name(name);
        let mut all = Theme::all(depth, glyphs).into_iter();
        all.find(|theme| theme.name == full)
            .ok_or_else(|| NoSuchTheme {
                name: name.to_owned(),
                repair: suggestion(name, &names()),
            })
    }

    /// All themes of the program.
    pub fn all(depth: Depth, glyphs: &'static Glyphs) -> Vec<Theme> {
        let read = |(name, text): &(&str, &str)| {
            // A test reads them all: there is nothing wrong in them.
            let (source, _) = Source::read(name, text);
            Theme::resolve(&source, depth, glyphs)
        };
        BUILT_IN.iter().map(read).collect()
    }

    /// A theme in which every role has a colour of its own, wherever the dark theme gives it one: for tests that
    /// write down which role a cell has.
    #[cfg(test)]
    pub(crate) fn of_roles(glyphs: &'static Glyphs) -> Theme {
        let mut theme = Theme::built_in("dark", Depth::True, glyphs).unwrap();
        for (index, style) in theme.styles.iter_mut().enumerate() {
            let own = Color::Indexed(index as u8);
            *style = Style {
                fg: style.fg.map(|_| own),
                bg: style.bg.map(|_| own),
                ..Style::default()
            };
        }
        theme
    }
}

/// The name that a short one stands for.
pub fn full_name(name: &str) -> &str {
    match name {
        "colour-blind" => "colour-blind-dark",
        name => name,
    }
}

/// Names of the themes of the program, in the order `t` shows them.
pub fn names() -> Vec<&'static str> {
    BUILT_IN.iter().map(|(name, _)| *name).collect()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod vision;
