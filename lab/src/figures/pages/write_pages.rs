//! `--keep-pages`: the pages as files, with tables of their delimiters, for `endpaper alternation --delimiters`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use endpaper_text::atomic::{self, Existing};
use endpaper_text::cells::to_cell;
use endpaper_text::files::refuse_links_below;
use lab::experiments::pages::{MadePage, PageSet, Site};

/// Writes `SET/SITE/*.htm` and `SET.tsv` into a folder. The error names the folder or file that cannot be written.
pub(super) fn write_pages(
    folder: &Path,
    existing: Existing,
    set: &PageSet,
    sites: &[(Site, Vec<MadePage>)],
) -> Result<()> {
    let mut table = "site\tpages\tleft\tright\n".to_owned();
    for (site, pages) in sites {
        let name = site.name();
        let of_site = folder.join(set.name).join(name);
        let below = Path::new(set.name).join(name);
        refuse_links_below(folder, &below).with_context(|| atomic::write_error_prefix(&of_site))?;
        fs::create_dir_all(&of_site)
            .with_context(|| format!("'{}' cannot be made", of_site.display()))?;
        for page in pages {
            atomic::write(&of_site.join(&page.name), existing, |out| {
                out.write_all(page.html.as_bytes())
            })?;
        }
        for pair in site.delimiters() {
            let (left, right) = (to_cell(pair.left()), to_cell(pair.right()));
            table += &format!("{name}\t{name}/*\t{left}\t{right}\n");
        }
    }
    let file = folder.join(format!("{}.tsv", set.name));
    atomic::write(&file, existing, |out| out.write_all(table.as_bytes()))
}
