//! Which column is chosen.

use super::HeatLayout;

use crate::Session;

/// The column of the screen in which the chosen book is, if it is one of the picture's.
pub(super) fn chosen_column(session: &Session, plan: &HeatLayout) -> Option<u16> {
    let heat = &session.background.heat;
    let column = heat.chosen_position.checked_sub(heat.left)? / heat.zoom.max(1);
    let column = u16::try_from(column).ok()?;
    (column < plan.picture.width && heat.chosen_position < heat.order.len())
        .then(|| plan.picture.x + column)
}
