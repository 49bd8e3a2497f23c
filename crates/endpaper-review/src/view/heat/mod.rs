//! The heat map over the whole screen: [`picture`] paints books and lines, [`bars`] what stands around it.

mod bars;
mod picture;

use super::canvas::Canvas;
pub use crate::heat::Plan;
use crate::{Session, heat};

/// Where the parts of the map stand, if it is shown.
pub fn plan(session: &Session) -> Option<Plan> {
    let plan = heat::plan(session.screen.size, &session.background.heat);
    plan.filter(|_| session.background.heat.shown)
}

/// Draws the map.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, plan: &Plan) {
    bars::header(session, canvas, plan);
    bars::ruler(session, canvas, plan);
    bars::numbers(session, canvas, plan);
    picture::draw(session, canvas, plan);
    bars::marks(session, canvas, plan);
    bars::status(session, canvas, plan);
    super::status::keys(session, canvas, plan.keys);
}

/// The column of the screen in which the chosen book is, if it is one of the picture's.
fn chosen_column(session: &Session, plan: &Plan) -> Option<u16> {
    let heat = &session.background.heat;
    let column = heat.at.checked_sub(heat.left)? / heat.zoom.max(1);
    let column = u16::try_from(column).ok()?;
    (column < plan.picture.width && heat.at < heat.order.len()).then(|| plan.picture.x + column)
}
