//! Colours of a terminal: the sixteen named colours, the cube and the greys.

use vt100::Color;

pub type Rgb = (u8, u8, u8);

/// The colours that terminals define themselves.
pub struct TerminalPalette {
    pub foreground: Rgb,
    pub background: Rgb,
    pub frame: Rgb,
    pub title: Rgb,
    /// Colours 0 to 15.
    pub named: [Rgb; 16],
}

pub const DARK: TerminalPalette = TerminalPalette {
    foreground: (0xd4, 0xd4, 0xd4),
    background: (0x16, 0x18, 0x1d),
    frame: (0x2a, 0x2d, 0x35),
    title: (0xa8, 0xad, 0xb8),
    named: [
        (0x2e, 0x33, 0x3d),
        (0xe0, 0x6c, 0x75),
        (0x98, 0xc3, 0x79),
        (0xe5, 0xc0, 0x7b),
        (0x61, 0xaf, 0xef),
        (0xc6, 0x78, 0xdd),
        (0x56, 0xb6, 0xc2),
        (0xc8, 0xcc, 0xd4),
        (0x6b, 0x72, 0x80),
        (0xff, 0x8b, 0x92),
        (0xb5, 0xe8, 0x90),
        (0xff, 0xd8, 0x8a),
        (0x82, 0xc8, 0xff),
        (0xde, 0x94, 0xf4),
        (0x70, 0xd8, 0xe2),
        (0xff, 0xff, 0xff),
    ],
};

pub const LIGHT: TerminalPalette = TerminalPalette {
    foreground: (0x24, 0x29, 0x2e),
    background: (0xff, 0xff, 0xff),
    frame: (0xe4, 0xe6, 0xea),
    title: (0x57, 0x5d, 0x68),
    named: [
        (0x24, 0x29, 0x2e),
        (0xb3, 0x1d, 0x28),
        (0x1a, 0x7f, 0x37),
        (0x9a, 0x67, 0x00),
        (0x05, 0x50, 0xae),
        (0x82, 0x50, 0xdf),
        (0x0b, 0x74, 0x85),
        (0x6e, 0x77, 0x81),
        (0x57, 0x60, 0x6a),
        (0xcf, 0x22, 0x2e),
        (0x2d, 0xa4, 0x4e),
        (0xbf, 0x87, 0x00),
        (0x21, 0x8b, 0xff),
        (0xa4, 0x75, 0xf9),
        (0x31, 0x92, 0xaa),
        (0x8c, 0x95, 0x9f),
    ],
};

impl TerminalPalette {
    /// Returns the RGB value of a colour; `default` is that of the terminal's default colour here.
    pub fn rgb(&self, colour: Color, default: Rgb) -> Rgb {
        match colour {
            Color::Default => default,
            Color::Rgb(red, green, blue) => (red, green, blue),
            Color::Idx(index @ 0..=15) => self.named[usize::from(index)],
            Color::Idx(index @ 16..=231) => cube(index - 16),
            Color::Idx(index) => grey(index - 232),
        }
    }
}

fn cube(index: u8) -> Rgb {
    let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
    (level(index / 36), level(index / 6 % 6), level(index % 6))
}

fn grey(index: u8) -> Rgb {
    let level = 8 + 10 * index;
    (level, level, level)
}

/// The mean of two colours, used for dim text.
pub fn between(one: Rgb, other: Rgb) -> Rgb {
    let half = |a: u8, b: u8| a.midpoint(b);
    (
        half(one.0, other.0),
        half(one.1, other.1),
        half(one.2, other.2),
    )
}

/// Formats a colour for SVG.
pub fn hex((red, green, blue): Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
