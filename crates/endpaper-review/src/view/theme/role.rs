//! The roles of the parts of the screen, each with its own style.

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident $name:literal,)*) => {
        /// Parts of the screen that have their own style.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ThemeRole { $($(#[$doc])* $role),* }

        impl ThemeRole {
            /// All roles with their names in theme files.
            pub const ALL: &[(ThemeRole, &str)] = &[$((ThemeRole::$role, $name)),*];
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
    /// The rule of a proposed cut that was moved.
    Ghost "ghost",
    /// The row of the cursor in the active pane.
    Cursor "cursor",
    /// The row of the cursor in the other pane.
    CursorIdle "cursor-idle",
    /// Boilerplate inside the body.
    Inside "inside",
    /// A match of the search.
    Match "match",
    /// A line where an alternative would cut.
    Alternative "alternative",
    /// Folded and blank lines.
    Fold "fold",
    /// The header line.
    Header "header",
    /// Titles of panes and columns.
    Title "title",
    /// Title of the active pane.
    TitleActive "title-active",
    /// Lines between panes and columns.
    Line "line",
    /// The line of notices and evidence.
    Status "status",
    /// Success; little doubt.
    Good "good",
    /// A warning; some doubt.
    Warning "warning",
    /// A failure; much doubt.
    Error "error",
    /// A key to press.
    Key "key",
    /// The description of a key.
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

impl ThemeRole {
    /// The role of a step of shading.
    pub fn shade(step: u8) -> ThemeRole {
        match step {
            0 => ThemeRole::Shade0,
            1 => ThemeRole::Shade1,
            2 => ThemeRole::Shade2,
            3 => ThemeRole::Shade3,
            4 => ThemeRole::Shade4,
            _ => ThemeRole::Shade5,
        }
    }

    /// The role of a step of shading on the heat map.
    pub fn heat(step: u8) -> ThemeRole {
        match step {
            0 => ThemeRole::Heat0,
            1 => ThemeRole::Heat1,
            2 => ThemeRole::Heat2,
            3 => ThemeRole::Heat3,
            4 => ThemeRole::Heat4,
            _ => ThemeRole::Heat5,
        }
    }

    /// The role of a doubt, 0 to 1.
    pub fn doubt(doubt: f32) -> ThemeRole {
        match super::super::glyphs::doubt_step(doubt) {
            0 | 1 => ThemeRole::Good,
            2 => ThemeRole::Warning,
            _ => ThemeRole::Error,
        }
    }
}
