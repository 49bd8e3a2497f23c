//! The heat map, which covers the whole screen: [`picture`] draws books and lines, [`bars`] the parts around them.

mod bars;
mod chosen;
mod picture;

use super::canvas::Canvas;
pub use crate::heat::HeatLayout;
use crate::{Session, heat};

/// The layout of the map, if it is shown.
pub fn plan(session: &Session) -> Option<HeatLayout> {
    let plan = heat::compute_layout(session.screen.size, &session.background.heat);
    plan.filter(|_| session.background.heat.shown)
}

/// Draws the map.
pub fn draw(session: &Session, canvas: &mut Canvas<'_>, plan: &HeatLayout) {
    bars::header(session, canvas, plan);
    bars::ruler(session, canvas, plan);
    bars::numbers(session, canvas, plan);
    picture::draw(session, canvas, plan);
    bars::marks(session, canvas, plan);
    bars::status(session, canvas, plan);
    super::status::keys(session, canvas, plan.keys);
}
