//! The theme files that ship with endpaper: text only, parsed by whoever uses it.

/// The built-in themes, as name and file, in the order in which `t` cycles through them.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("dark", include_str!("dark.yaml")),
    ("light", include_str!("light.yaml")),
    ("colour-blind-dark", include_str!("colour-blind-dark.yaml")),
    (
        "colour-blind-light",
        include_str!("colour-blind-light.yaml"),
    ),
    ("16-colour", include_str!("16-colour.yaml")),
    ("mono", include_str!("mono.yaml")),
];

/// Returns the file of a built-in theme.
pub fn find(name: &str) -> Option<&'static str> {
    let theme = BUILT_IN.iter().find(|(known, _)| *known == name);
    theme.map(|(_, text)| *text)
}
