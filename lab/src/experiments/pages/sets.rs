//! The paper's five sets and the figures it reports, and mixed sets with a smaller share of one site.

use super::site::Site;

/// Accuracy, recall and precision.
pub type PageScores = [f64; 3];

/// Figures that the paper reports for a set: section 4.2, or a line of Table 1.
#[derive(Clone, Copy, Debug)]
pub struct Reported {
    /// The optimal cut point (n, a).
    pub cut: (u32, u8),
    /// Scores of all pages.
    pub all: PageScores,
    /// Scores of each site, if there are two.
    pub sites: &'static [PageScores],
    /// Size of the set.
    pub size: &'static str,
}

/// A set of pages.
#[derive(Clone, Copy, Debug)]
pub struct PageSet {
    /// The paper's name of the set; with numbers of pages if they are not the paper's.
    pub name: &'static str,
    /// Sites with their numbers of pages.
    pub sites: &'static [(Site, usize)],
    /// The paper's figures; `None` for a set that it does not have.
    pub paper: Option<Reported>,
}

/// Returns the sets in the order of the paper, then others.
pub fn sets() -> [PageSet; 9] {
    [
        PageSet {
            name: "WPOST",
            sites: &[(Site::Wpost, 76)],
            paper: Some(Reported {
                cut: (24, 10),
                all: [0.975, 0.939, 0.872],
                sites: &[],
                size: "76 pages, 3.2 MB",
            }),
        },
        PageSet {
            name: "YOMIURI",
            sites: &[(Site::Yomiuri, 198)],
            paper: Some(Reported {
                cut: (8, 10),
                all: [0.992, 0.808, 0.991],
                sites: &[],
                size: "198 pages, 2.7 MB",
            }),
        },
        PageSet {
            name: "WP-LA",
            sites: &[(Site::Wpost, 30), (Site::LatimesLarge, 40)],
            paper: Some(Reported {
                cut: (28, 17),
                all: [0.965, 0.802, 0.894],
                sites: &[[0.969, 0.906, 0.859], [0.962, 0.679, 0.954]],
                size: "30 pages, 2.36 MB, and 40 pages, 2.44 MB",
            }),
        },
        PageSet {
            name: "SA-YO",
            sites: &[(Site::Sankei, 23), (Site::Yomiuri, 198)],
            paper: Some(Reported {
                cut: (19, 13),
                all: [0.994, 0.889, 0.987],
                sites: &[[0.892, 0.697, 0.965], [0.997, 0.930, 0.990]],
                size: "23 pages, 86 kB, and 198 pages, 2.7 MB",
            }),
        },
        PageSet {
            name: "SA-LA",
            sites: &[(Site::Sankei, 23), (Site::Latimes, 150)],
            paper: Some(Reported {
                cut: (23, 6),
                all: [0.959, 0.958, 0.755],
                sites: &[[0.914, 0.992, 0.796], [0.961, 0.954, 0.749]],
                size: "23 pages, 86 kB, and 150 pages, 4.5 MB",
            }),
        },
        PageSet {
            name: "WP10-LA100",
            sites: &[(Site::Wpost, 10), (Site::Latimes, 100)],
            paper: None,
        },
        PageSet {
            name: "WP30-LA100",
            sites: &[(Site::Wpost, 30), (Site::Latimes, 100)],
            paper: None,
        },
        PageSet {
            name: "SA10-YO100",
            sites: &[(Site::Sankei, 10), (Site::Yomiuri, 100)],
            paper: None,
        },
        PageSet {
            name: "SA30-YO100",
            sites: &[(Site::Sankei, 30), (Site::Yomiuri, 100)],
            paper: None,
        },
    ]
}
