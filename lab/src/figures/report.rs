//! Contents of a figure, and its files.

use std::path::{Path, PathBuf};

use anyhow::Result;

use endpaper_command::plot::Plot;
use endpaper_command::plot::palette::PlotPalette;
use endpaper_text::cells::to_cell;

/// The numbers of a figure as a table: names of columns, and rows of cells.
#[derive(Clone, Debug, Default)]
pub(super) struct FigureData {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl FigureData {
    pub fn new<C: Into<String>>(columns: impl IntoIterator<Item = C>) -> FigureData {
        FigureData {
            columns: columns.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Formats a tab-separated table with a header line; cells are escaped as in `detect --format tsv`.
    fn tsv(&self) -> String {
        let mut out = String::new();
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            let cells: Vec<_> = row.iter().map(|text| to_cell(text)).collect();
            out.push_str(&cells.join("\t"));
            out.push('\n');
        }
        out
    }
}

/// A claim of the paper next to the result here.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    pub what: String,
    pub paper: String,
    pub here: String,
}

impl Compared {
    pub fn new(
        what: impl Into<String>,
        paper: impl Into<String>,
        here: impl Into<String>,
    ) -> Compared {
        Compared {
            what: what.into(),
            paper: paper.into(),
            here: here.into(),
        }
    }
}

/// A figure: plot, numbers, and the paper's claims.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// File name without extension.
    pub name: String,
    pub title: String,
    /// How the figure was made.
    pub about: String,
    /// SVG document; Figure 4 is a table without one.
    pub svg: Option<String>,
    pub data: FigureData,
    pub compared: Vec<Compared>,
}

/// A section of the page: a figure, or why it is missing.
#[derive(Clone, Debug)]
pub(super) enum Section {
    Figure(Figure),
    /// A figure that cannot be drawn.
    LeftOut {
        title: &'static str,
        why: &'static str,
    },
}

impl Figure {
    /// Makes a figure with a plot.
    ///
    /// # Errors
    ///
    /// Fails if the plot cannot be drawn.
    pub fn of(
        name: &str,
        plot: &Plot,
        about: impl Into<String>,
        data: FigureData,
        compared: Vec<Compared>,
        palette: &PlotPalette,
    ) -> Result<Figure> {
        Ok(Figure {
            name: name.to_owned(),
            title: plot.title.clone(),
            about: about.into(),
            svg: Some(plot.svg(palette)?),
            data,
            compared,
        })
    }

    /// The files of the figure below a folder, `name.svg` and `name.tsv`, with their contents.
    pub fn files(&self, folder: &Path) -> impl Iterator<Item = (PathBuf, String)> {
        let file = |end: &str| folder.join(format!("{}.{end}", self.name));
        let svg = self.svg.as_ref().map(|svg| (file("svg"), svg.clone()));
        svg.into_iter().chain([(file("tsv"), self.data.tsv())])
    }
}
