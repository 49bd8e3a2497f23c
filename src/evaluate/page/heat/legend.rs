//! The legend of the heat map.

use std::fmt::Write as _;

use endpaper_text::wording::thousands;

/// Returns the legend. `k` is the threshold of frequent lines; shades are those of [`endpaper_detect::pipeline::shade_for`].
pub(super) fn legend(k: u64) -> String {
    let (half, five, thirty) = (k.div_ceil(2), k.saturating_mul(5), k.saturating_mul(30));
    let steps = [
        "once or never".to_owned(),
        format!("up to {}", thousands(half)),
        format!("up to {}", thousands(k)),
        format!("up to {}", thousands(five)),
        format!("up to {}", thousands(thirty)),
        "more often".to_owned(),
    ];
    let mut out = "<ul class=\"legend\" aria-label=\"Legend\">".to_owned();
    for (shade, words) in steps.iter().enumerate() {
        let _ = write!(
            out,
            "<li><span class=\"swatch s{shade}\"></span> {words}</li>"
        );
    }
    let picture = |marks: &str| {
        format!(
            "<svg width=\"24\" height=\"12\" viewBox=\"0 0 24 12\" aria-hidden=\"true\">{marks}</svg>"
        )
    };
    for (marks, words) in [
        ("<path class=\"label-cut\" d=\"M0 6H24\"/>", "labelled cut"),
        (
            "<path class=\"mark lost\" d=\"M0 6H16M16 6m-4 -4h8v8h-8z\"/>",
            "detected cut that loses text",
        ),
        (
            "<path class=\"mark left\" d=\"M0 6H16M16 6m-4 0l4 -4 4 4 -4 4z\"/>",
            "detected cut that leaves boilerplate",
        ),
    ] {
        let _ = write!(out, "<li>{} {words}</li>", picture(marks));
    }
    out.push_str("</ul>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use endpaper_detect::pipeline::shade_for;

    /// The greatest frequency in the legend for a shade has that shade, and the next frequency has another.
    #[test]
    fn the_legend_says_what_shades_are() {
        for k in [1, 2, 9, 10, 1_000] {
            let shown = legend(k);
            for (shade, part) in shown.split("</li>").take(5).enumerate().skip(1) {
                let (_, most) = part.rsplit_once("up to ").unwrap();
                let most: u64 = most.replace(',', "").parse().unwrap();
                assert!(part.contains(&format!("swatch s{shade}")), "{part}");
                let shade = shade as u8;
                assert!(most < 2 || shade_for(most, k) <= shade, "{k} {part}");
                assert!(shade_for(most + 1, k) > shade, "{k} {part}");
            }
        }
    }
}
