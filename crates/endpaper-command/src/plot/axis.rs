//! Axes: linear and logarithmic.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisScale {
    /// Linear.
    Linear,
    /// Logarithmic, for values above zero.
    Log,
    /// Linear from -1 to 1, logarithmic beyond: for errors, which are mostly zero and sometimes huge.
    SignedLog,
}

/// One axis of a plot.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The label beside it.
    pub label: String,
    /// The scale.
    pub scale: AxisScale,
    /// The value at its start.
    pub from: f64,
    /// The value at its end.
    pub to: f64,
}

impl Axis {
    /// An axis.
    pub fn new(label: impl Into<String>, scale: AxisScale, from: f64, to: f64) -> Axis {
        Axis {
            label: label.into(),
            scale,
            from,
            to,
        }
    }

    /// Swaps the ends if necessary so that numbers grow downwards.
    pub fn downwards(self) -> Axis {
        Axis {
            from: self.from.max(self.to),
            to: self.from.min(self.to),
            ..self
        }
    }

    /// Maps a value to the scale, in arbitrary units: only ratios of distances matter.
    fn position(&self, value: f64) -> f64 {
        match self.scale {
            AxisScale::Linear => value,
            AxisScale::Log => value.max(f64::MIN_POSITIVE).log10(),
            AxisScale::SignedLog if value.abs() <= 1.0 => value,
            AxisScale::SignedLog => value.signum() * (1.0 + value.abs().log10()),
        }
    }

    /// The values marked on the axis.
    fn ticks(&self) -> Vec<f64> {
        let all: Vec<f64> = match self.scale {
            AxisScale::Linear => {
                let (from, to) = (self.from.min(self.to), self.from.max(self.to));
                let step = step(to - from);
                let first = (from / step).ceil() as i64;
                let last = (to / step + 1e-9).floor() as i64;
                (first..=last).map(|at| at as f64 * step).collect()
            }
            AxisScale::Log => {
                let exponents = self.from.log10().floor() as i32..=self.to.log10().ceil() as i32;
                // With many powers of ten, only every second one.
                let every = if exponents.clone().count() > 9 { 2 } else { 1 };
                exponents
                    .filter(|exponent| exponent % every == 0)
                    .map(|exponent| 10f64.powi(exponent))
                    .collect()
            }
            AxisScale::SignedLog => {
                let powers = |end: f64| {
                    let powers = (0..19).map(|exponent| 10f64.powi(exponent));
                    powers.take_while(move |power| *power <= end * 1.000_001)
                };
                let below = powers(-self.from).map(|power| -power);
                below.chain([0.0]).chain(powers(self.to)).collect()
            }
        };
        let inside = |tick: &f64| (self.from * 0.999_999..=self.to * 1.000_001).contains(tick);
        match self.scale {
            AxisScale::Linear | AxisScale::SignedLog => all,
            AxisScale::Log => all.into_iter().filter(inside).collect(),
        }
    }
}

/// A step of 1, 2 or 5 times a power of ten that divides `length` into about eight parts.
fn step(length: f64) -> f64 {
    let rough = length.max(f64::MIN_POSITIVE) / 8.0;
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|times| times * power);
    steps
        .into_iter()
        .find(|step| *step >= rough)
        .unwrap_or(rough)
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let (from, to) = (self.position(self.from), self.position(self.to));
        let share = (self.position(*value) - from) / (to - from);
        let length = f64::from(limit.1 - limit.0);
        // Clamped, so that values far outside do not overflow.
        limit.0 + (share.clamp(-1.0, 2.0) * length).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks()
    }

    fn range(&self) -> Range<f64> {
        self.from..self.to
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        number(*value)
    }
}

/// Formats a number as short as possible: `0.05`, `1,000`, `1e-6`.
pub fn number(value: f64) -> String {
    let size = value.abs();
    match () {
        () if size != 0.0 && !(1e-3..1e9).contains(&size) => format!("{value:e}"),
        () if size >= 1000.0 && value.fract() == 0.0 => {
            let sign = if value < 0.0 { "-" } else { "" };
            format!("{sign}{}", endpaper_text::wording::thousands(size as u64))
        }
        () => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_inside() {
        let table: [(AxisScale, f64, f64, &[f64]); 4] = [
            (AxisScale::Linear, 0.0, 0.5, &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5]),
            (
                AxisScale::Linear,
                0.0,
                300.0,
                &[0.0, 50.0, 100.0, 150.0, 200.0, 250.0, 300.0],
            ),
            (
                AxisScale::Log,
                0.1,
                1000.0,
                &[0.1, 1.0, 10.0, 100.0, 1000.0],
            ),
            (
                AxisScale::SignedLog,
                -10.0,
                100.0,
                &[-10.0, -1.0, 0.0, 1.0, 10.0, 100.0],
            ),
        ];
        for (scale, from, to, expected) in table {
            let mut ticks = Axis::new("", scale, from, to).ticks();
            ticks.sort_by(f64::total_cmp);
            assert_eq!(ticks.len(), expected.len(), "{ticks:?}");
            for (tick, expected) in ticks.iter().zip(expected) {
                assert!((tick - expected).abs() < 1e-9, "{ticks:?}");
            }
        }
    }

    #[test]
    fn values_are_placed_by_their_scale() {
        let place = |scale, from, to, value| Axis::new("", scale, from, to).map(&value, (0, 100));
        assert_eq!(place(AxisScale::Linear, 0.0, 4.0, 1.0), 25);
        assert_eq!(place(AxisScale::Log, 1.0, 100.0, 10.0), 50);
        for (value, expected) in [(-10.0, 0), (-1.0, 25), (0.0, 50), (0.5, 63), (10.0, 100)] {
            assert_eq!(place(AxisScale::SignedLog, -10.0, 10.0, value), expected);
        }
        // A value that the scale cannot show is outside the axis, not a panic.
        assert_eq!(place(AxisScale::Log, 1.0, 100.0, 0.0), -100);
        assert_eq!(place(AxisScale::Linear, 0.0, 1.0, f64::INFINITY), 200);
    }

    #[test]
    fn numbers_are_short() {
        let table = [
            (0.0, "0"),
            (0.05, "0.05"),
            (-10.0, "-10"),
            (-2000.0, "-2,000"),
            (10_000_000.0, "10,000,000"),
            (1e-6, "1e-6"),
        ];
        for (value, expected) in table {
            assert_eq!(number(value), expected);
        }
    }
}
