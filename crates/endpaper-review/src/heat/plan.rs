//! Computes the layout of the heat map from the size of the screen and the number of counted lines.

use ratatui::layout::Rect;

use super::layout::HeatLayout;
use super::map::HeatMap;
use crate::layout::{MIN_HEIGHT, MIN_WIDTH};

const GUTTER: u16 = 6;
/// Minimum width for line numbers.
const NUMBERED: u16 = 60;
/// Minimum height for the row of groups above the map.
const RULED: u16 = 10;
/// Minimum height for the row of doubt below the map.
const DOUBTED: u16 = 14;

/// Computes the layout of a screen; `None` if it is too small for the map.
pub fn compute_layout((width, height): (u16, u16), heat: &HeatMap) -> Option<HeatLayout> {
    if width < MIN_WIDTH || height < MIN_HEIGHT {
        return None;
    }
    let gutter = if width < NUMBERED { 0 } else { GUTTER };
    let above = 1 + u16::from(height >= RULED);
    let doubted = u16::from(height >= DOUBTED);
    let bottom = height - 3 - doubted;
    let row = |y: u16, rows: u16| Rect {
        x: gutter,
        y,
        width: width - gutter,
        height: rows,
    };
    let across = |y: u16| Rect {
        x: 0,
        y,
        width,
        height: 1,
    };
    let picture = row(above, bottom - above);
    Some(HeatLayout {
        header: across(0),
        ruler: row(1, above - 1),
        gutter: Rect {
            x: 0,
            width: gutter,
            ..picture
        },
        picture,
        status_marks: row(bottom, 1),
        doubt: row(bottom + 1, doubted),
        status: across(height - 2),
        keys: across(height - 1),
        lines: lines(heat.depth(), usize::from(picture.height), heat.squeezed),
    })
}

/// Counted lines per row: two, or as many as needed to fit all of them.
fn lines(depth: usize, rows: usize, squeezed: bool) -> usize {
    let fitting = depth.div_ceil(rows.max(1)).next_multiple_of(2);
    if squeezed { fitting.max(2) } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lines_fit_where_they_are_squeezed() {
        for height in 8..120 {
            let plan = compute_layout((80, height), &HeatMap::default()).unwrap();
            let rows = usize::from(plan.picture.height);
            assert!(rows * plan.lines >= 300, "{height}: {plan:?}");
            assert!(plan.lines.is_multiple_of(2));
            let fewer = plan.lines - 2;
            assert!(fewer == 0 || rows * fewer < 300, "{height}: {plan:?}");
        }
    }

    #[test]
    fn parts_fill_the_screen_and_do_not_overlap() {
        for width in [40, 59, 60, 80, 300] {
            for height in [8, 9, 10, 13, 14, 24, 100] {
                let plan = compute_layout((width, height), &HeatMap::default()).unwrap();
                let parts = [
                    plan.header,
                    plan.ruler,
                    plan.picture,
                    plan.status_marks,
                    plan.doubt,
                    plan.status,
                    plan.keys,
                ];
                let mut y = 0;
                for part in parts.into_iter().filter(|part| !part.is_empty()) {
                    assert_eq!(part.y, y, "{width}x{height}: {plan:?}");
                    assert_eq!(part.right(), width);
                    y = part.bottom();
                }
                assert_eq!(y, height);
                assert_eq!(plan.gutter.right(), plan.picture.x);
            }
        }
        assert_eq!(compute_layout((39, 24), &HeatMap::default()), None);
        assert_eq!(compute_layout((80, 7), &HeatMap::default()), None);
    }
}
