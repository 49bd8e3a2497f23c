//! The chosen column of the heat map.

use super::HeatLayout;

use crate::Session;

/// The screen column of the chosen book; `None` if the picture does not show it.
pub(super) fn chosen_column(session: &Session, plan: &HeatLayout) -> Option<u16> {
    let heat = &session.background.heat;
    let column = heat.chosen_position.checked_sub(heat.left)? / heat.zoom.max(1);
    let column = u16::try_from(column).ok()?;
    (column < plan.picture.width && heat.chosen_position < heat.order.len())
        .then(|| plan.picture.x + column)
}
