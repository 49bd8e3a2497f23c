//! The theme files inside the program.

/// The themes inside the program: name and file, in the order `t` shows them.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("dark", include_str!("../../../../../themes/dark.yaml")),
    ("light", include_str!("../../../../../themes/light.yaml")),
    (
        "colour-blind-dark",
        include_str!("../../../../../themes/colour-blind-dark.yaml"),
    ),
    (
        "colour-blind-light",
        include_str!("../../../../../themes/colour-blind-light.yaml"),
    ),
    (
        "16-colour",
        include_str!("../../../../../themes/16-colour.yaml"),
    ),
    ("mono", include_str!("../../../../../themes/mono.yaml")),
];
