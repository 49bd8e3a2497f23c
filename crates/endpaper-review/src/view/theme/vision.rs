//! Simulates colour vision deficiencies, and measures the distance of colours. For the tests of the themes.
//!
//! The simulation is that of Machado, Oliveira and Fernandes, *A Physiologically-based Model for Simulation of Color Vision
//! Deficiency* (2009), with their matrices of severity 1.0 on linear RGB; the distance is CIE 1976 in Lab.

use ratatui::style::Color;

/// Types of colour vision, each with its matrix.
pub const EYES: [(&str, [[f64; 3]; 3]); 4] = [
    (
        "all cones",
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ),
    (
        "protanopia",
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ),
];

/// sRGB with D65 to CIE XYZ, relative to the D65 white point.
const XYZ: [[f64; 3]; 3] = [
    [
        0.4124564 / 0.95047,
        0.3575761 / 0.95047,
        0.1804375 / 0.95047,
    ],
    [0.2126729, 0.7151522, 0.0721750],
    [
        0.0193339 / 1.08883,
        0.1191920 / 1.08883,
        0.9503041 / 1.08883,
    ],
];

/// Linear RGB of a colour, without the gamma correction, 0 to 1.
pub fn linear(colour: Color) -> [f64; 3] {
    let Color::Rgb(r, g, b) = colour else {
        panic!("{colour:?} depends on the terminal");
    };
    [r, g, b].map(|value| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    })
}

/// The product of a matrix and a vector.
fn times(matrix: &[[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
}

/// A linear RGB colour in L*a*b*.
fn lab(linear: [f64; 3]) -> [f64; 3] {
    let bent = times(&XYZ, linear).map(|t| match t > 216.0 / 24389.0 {
        true => t.cbrt(),
        false => (24389.0 / 27.0 * t + 16.0) / 116.0,
    });
    let [x, y, z] = bent;
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Distance of two colours for a type of colour vision; about 2 can just be distinguished side by side.
pub fn distance(one: Color, other: Color, eyes: &[[f64; 3]; 3]) -> f64 {
    let seen = |colour| lab(times(eyes, linear(colour)).map(|value| value.clamp(0.0, 1.0)));
    let squares = seen(one).into_iter().zip(seen(other));
    let sum: f64 = squares.map(|(a, b)| (a - b).powi(2)).sum();
    sum.sqrt()
}

#[test]
fn distances_are_those_of_the_books() {
    let (black, white) = (Color::Rgb(0, 0, 0), Color::Rgb(255, 255, 255));
    let (red, green) = (Color::Rgb(255, 0, 0), Color::Rgb(0, 255, 0));
    let seen = |one, other, eyes: usize| distance(one, other, &EYES[eyes].1);
    assert!((seen(black, white, 0) - 100.0).abs() < 0.1);
    // L*a*b* of red is 53.2, 80.1, 67.2, of green 87.7, -86.2, 83.2.
    assert!((seen(red, green, 0) - 170.6).abs() < 0.5);
    // Without the cones for red or for green, red and green look much more alike; white stays white.
    assert!(seen(red, green, 1) < 90.0 && seen(red, green, 2) < 90.0);
    for eyes in 1..4 {
        assert!((seen(black, white, eyes) - 100.0).abs() < 0.1);
    }
}
