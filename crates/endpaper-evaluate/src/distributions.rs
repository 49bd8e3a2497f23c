//! Distributions that intervals and plans need and the standard library does not have.

/// The quantile of the normal distribution: `p` of it lies below. `p` lies between 0 and 1, not at them.
///
/// A rational start (Abramowitz & Stegun 26.2.23, good to 5e-4), then Newton steps on the distribution itself.
pub(super) fn normal_quantile(p: f64) -> f64 {
    if p < 0.5 {
        return -normal_quantile(1.0 - p);
    }
    let upper = 1.0 - p;
    let t = (-2.0 * upper.ln()).sqrt();
    let above = 2.515517 + t * (0.802853 + t * 0.010328);
    let below = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    let mut x = t - above / below;
    for _ in 0..4 {
        let density = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
        x += (normal_tail(x) - upper) / density;
    }
    x
}

/// The probability that a standard normal variable exceeds `x`; `x` must not be negative.
fn normal_tail(x: f64) -> f64 {
    // A series (Abramowitz & Stegun 26.2.11) that converges for the few standard deviations confidences ask for.
    let (mut term, mut sum) = (x, x);
    let mut n = 1.0;
    while term.abs() > sum.abs() * 1e-17 && n < 500.0 {
        term *= x * x / (2.0 * n + 1.0);
        sum += term;
        n += 1.0;
    }
    0.5 - sum * (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt()
}

/// The quantile of the beta distribution: `p` of it lies below. By bisection, which cannot go astray.
pub(super) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while high - low > f64::EPSILON * high {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if beta_cdf(middle, a, b) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The part of the beta distribution below `x`: the regularised incomplete beta function.
fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    let front = (a * x.ln() + b * (-x).ln_1p() + ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b)).exp();
    // The fraction converges fast on one side of the mean only.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(1.0 - x, b, a) / b
    }
}

/// The continued fraction of the incomplete beta function (Abramowitz & Stegun 26.5.8), by Lentz's method.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    let kept = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut c, mut d) = (1.0, 1.0 / kept(1.0 - (a + b) * x / (a + 1.0)));
    let mut value = d;
    // About the root of the larger parameter steps are needed; more than these mean 10^8 cases.
    for step in 1..20_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for part in [even, odd] {
            d = 1.0 / kept(1.0 + part * d);
            c = kept(1.0 + part / c);
            value *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// The probability of at most `hits` bad ones in a `sample` drawn without replacement from a `population` of which `bad`
/// are bad. All but the first are at most `population`.
pub(super) fn hypergeometric_cdf(hits: u64, population: u64, bad: u64, sample: u64) -> f64 {
    let good = population - bad;
    let fewest = sample.saturating_sub(good);
    let most = bad.min(sample);
    if hits < fewest {
        return 0.0;
    }
    if hits >= most {
        return 1.0;
    }
    let chance = |k: u64| {
        let ways = ln_choose(bad, k) + ln_choose(good, sample - k);
        (ways - ln_choose(population, sample)).exp()
    };
    // The shorter tail is added up: samples accept few bad ones.
    let sum: f64 = match hits - fewest <= most - hits {
        true => (fewest..=hits).map(chance).sum(),
        false => 1.0 - (hits + 1..=most).map(chance).sum::<f64>(),
    };
    sum.clamp(0.0, 1.0)
}

/// The logarithm of the number of ways to choose `k` of `n`.
fn ln_choose(n: u64, k: u64) -> f64 {
    // Few of very many: gamma functions of nearly equal numbers would lose all digits.
    let few = k.min(n - k);
    if few < 2000 {
        return (0..few)
            .map(|i| ((n - i) as f64 / (i + 1) as f64).ln())
            .sum();
    }
    ln_gamma(n as f64 + 1.0) - ln_gamma(k as f64 + 1.0) - ln_gamma((n - k) as f64 + 1.0)
}

/// The logarithm of the gamma function for positive `x`: Stirling's series, reached by the recurrence.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 12.0 {
        shift += x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series =
        (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * (1.0 / 1260.0 - inverse / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + std::f64::consts::TAU.ln() / 2.0 + series - shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_normal_distribution_are_those_of_the_tables() {
        // Abramowitz & Stegun, table 26.5.
        for (p, x) in [
            (0.5, 0.0),
            (0.75, 0.674_489_750_196),
            (0.9, 1.281_551_565_545),
            (0.95, 1.644_853_626_951),
            (0.975, 1.959_963_984_540),
            (0.995, 2.575_829_303_549),
            (0.9995, 3.290_526_731_492),
            (0.025, -1.959_963_984_540),
        ] {
            assert!(
                (normal_quantile(p) - x).abs() < 1e-10,
                "{p}: {}",
                normal_quantile(p)
            );
        }
    }

    #[test]
    fn the_gamma_function_is_a_factorial() {
        let mut factorial = 0.0;
        for n in 1..200 {
            let x = f64::from(n);
            assert!(
                (ln_gamma(x) - factorial).abs() < 1e-12 * factorial.max(1.0),
                "{n}"
            );
            factorial += x.ln();
        }
        assert!((ln_gamma(0.5) - std::f64::consts::PI.ln() / 2.0).abs() < 1e-12);
    }

    #[test]
    fn simple_beta_distributions_are_known_by_heart() {
        for x in [0.01, 0.2, 0.5, 0.77, 0.999] {
            assert!((beta_cdf(x, 1.0, 1.0) - x).abs() < 1e-13);
            assert!((beta_cdf(x, 3.0, 1.0) - x.powi(3)).abs() < 1e-13);
            assert!((beta_cdf(x, 2.0, 2.0) - x * x * (3.0 - 2.0 * x)).abs() < 1e-13);
        }
        // Far more cases than any corpus has.
        assert!((beta_quantile(0.5, 5e7, 5e7) - 0.5).abs() < 1e-8);
    }
}
