//! Screen geometry, computed from the screen's size alone.
//!
//! Below 110 columns there is no queue column, no minimap and no evidence panel, and the gutter is 7 columns wide (8 in books of 10,000
//! lines), so that 72-column text is never cut at 80. Wide screens add the queue and the minimap, wider ones the evidence panel.

use ratatui::layout::Rect;

use endpaper_detect::End;

/// Columns left of the text in books under 10,000 lines: digit, space, line number (4), shading glyph.
pub const GUTTER: u16 = 7;

/// Columns of the line number in a book of `lines` lines.
pub fn number_columns(lines: u32) -> u16 {
    if lines < 10_000 { 4 } else { 5 }
}

/// Columns left of the text in a book of `lines` lines.
pub fn gutter(lines: u32) -> u16 {
    number_columns(lines) + 3
}

/// Least width of a screen that shows a book, in columns.
pub const MIN_WIDTH: u16 = 40;
/// Least height of a screen that shows a book, in rows.
pub const MIN_HEIGHT: u16 = 8;

/// Rows of the tour: a heading and six lines.
pub const TOUR: u16 = 7;
/// Least height of a screen on which the tour leaves room for a book, in rows.
const TOUR_FITS: u16 = 20;

/// The parts of the screen that are switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewOptions {
    /// One pane shows the whole text, instead of one pane for each end.
    pub whole_text: bool,
    /// N-grams shade single characters; otherwise frequency shades whole lines.
    pub grams: bool,
    /// The evidence panel.
    pub evidence: bool,
    /// The queue column.
    pub queue: bool,
    /// The minimap.
    pub map: bool,
    /// The panel of the guided tour.
    pub tour: bool,
    /// Rows of the panel with the opinions of an adjudication; 0: no panel.
    pub opinions: u16,
}

/// The areas of the screen. Parts that are not shown are `None` or empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScreenLayout {
    /// The screen only has room for a message.
    pub too_small: bool,
    /// First line: book, producer, template, doubt, save state.
    pub header: Rect,
    /// The queue column.
    pub queue: Option<Rect>,
    /// Title line of the head pane (of the only pane in whole-text view).
    pub head_title: Rect,
    /// The head pane (the only one in whole-text view).
    pub head: Rect,
    /// Between the panes: count of hidden lines, title of the tail pane. Empty in whole-text view.
    pub divider: Rect,
    /// The tail pane. Empty in whole-text view.
    pub tail: Rect,
    /// The minimap.
    pub map: Option<Rect>,
    /// The evidence panel.
    pub evidence: Option<Rect>,
    /// The tour: a heading and its lines.
    pub tour: Option<Rect>,
    /// The opinions of an adjudication.
    pub opinions: Option<Rect>,
    /// One line: evidence of the active end, or the message of what just happened.
    pub status: Rect,
    /// Last line: key hints.
    pub keys: Rect,
}

impl ScreenLayout {
    /// The pane of an end.
    pub fn pane(&self, end: End) -> Rect {
        match end {
            End::End if self.tail.height > 0 => self.tail,
            _ => self.head,
        }
    }
}

/// Computes the layout of a screen.
pub fn layout(width: u16, height: u16, request: ViewOptions) -> ScreenLayout {
    if width < MIN_WIDTH || height < MIN_HEIGHT {
        let all = Rect {
            x: 0,
            y: 0,
            width,
            height,
        };
        return ScreenLayout {
            too_small: true,
            header: all,
            ..ScreenLayout::default()
        };
    }
    let line = |y: u16| Rect {
        x: 0,
        y,
        width,
        height: 1,
    };
    // The tour explains a page without opinions.
    let tour = if request.tour && height >= TOUR_FITS && request.opinions == 0 {
        TOUR
    } else {
        0
    };
    let opinions = request.opinions.min(height / 3);
    let below = tour + opinions;
    let middle = Rect {
        x: 0,
        y: 1,
        width,
        height: height - 3 - below,
    };
    let mut out = ScreenLayout {
        header: line(0),
        tour: (tour > 0).then(|| Rect {
            height: tour,
            ..line(height - 2 - tour)
        }),
        opinions: (opinions > 0).then(|| Rect {
            height: opinions,
            ..line(height - 2 - opinions)
        }),
        status: line(height - 2),
        keys: line(height - 1),
        ..ScreenLayout::default()
    };
    let middle = columns(middle, request, &mut out);
    panes(middle, request.whole_text, &mut out);
    out
}

/// Cuts off the side columns and returns the rest, for the text.
fn columns(mut middle: Rect, request: ViewOptions, out: &mut ScreenLayout) -> Rect {
    if middle.width < 110 {
        return middle;
    }
    // Text is at most 80 columns wide in nearly every book; the side columns get the rest.
    if request.queue {
        let width = (middle.width / 5).clamp(24, 36);
        out.queue = Some(Rect { width, ..middle });
        middle.x += width + 1;
        middle.width -= width + 1;
    }
    if request.evidence && middle.width >= 82 + 34 {
        let width = (middle.width - 82).min(48);
        out.evidence = Some(Rect {
            x: middle.right() - width,
            width,
            ..middle
        });
        middle.width -= width + 1;
    }
    if request.map {
        out.map = Some(Rect {
            x: middle.right() - 2,
            width: 2,
            ..middle
        });
        middle.width -= 3;
    }
    middle
}

/// Divides the middle of the screen into panes with their titles; `whole`: one pane for the whole text.
fn panes(middle: Rect, whole: bool, out: &mut ScreenLayout) {
    out.head_title = Rect {
        height: 1,
        ..middle
    };
    let rest = Rect {
        y: middle.y + 1,
        height: middle.height - 1,
        ..middle
    };
    if whole || rest.height < 3 {
        out.head = rest;
        return;
    }
    let head = rest.height / 2;
    out.head = Rect {
        height: head,
        ..rest
    };
    out.divider = Rect {
        y: rest.y + head,
        height: 1,
        ..rest
    };
    let tail = rest.height - head - 1;
    out.tail = Rect {
        y: rest.y + head + 1,
        height: tail,
        ..rest
    };
}
