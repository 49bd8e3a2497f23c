//! Headings of tables of contents and of other lists.

use std::collections::HashSet;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

/// Headings of tables of contents, folded.
const HEADINGS: &[&str] = &[
    "contents",
    "table of contents",
    "the contents",
    "content",
    "index of chapters",
    "list of contents",
    "contents of volume",
    "table of chapters",
    "list of chapters",
    "chapters",
    "synopsis of contents",
    "inhalt",
    "inhaltsverzeichnis",
    "inhaltsverzeichniss",
    "inhaltsangabe",
    "inhaltsubersicht",
    "table des matieres",
    "table",
    "table des chapitres",
    "sommaire",
    "indice",
    "indice geral",
    "indice dos capitulos",
    "tabla de materias",
    "indice de materias",
    "contenido",
    "conteudo",
    "tabela",
    "sommario",
    "indice dei capitoli",
    "inhoud",
    "inhoudsopgave",
    "sisallys",
    "sisalto",
    "nilalaman",
    "innehall",
    "indhold",
    "summario",
    "index capitum",
    "indice do volume",
    "indice das materias",
    "order of stories",
    "list of stories",
    "list of tales",
    "short contents",
    "目录",
    "目 录",
    "目錄",
    "目次",
    "目 次",
    "차례",
];

/// [`HEADINGS`] as a set.
pub(super) static HEADS: LazyLock<HashSet<&str, FixedState>> =
    LazyLock::new(|| HEADINGS.iter().copied().collect());

/// Whether folded words head a table of contents or another list, and so are not a part of the book.
pub(super) fn heads_list(folded: &str) -> bool {
    HEADS.contains(folded)
        || folded.starts_with("list of ")
        || folded.starts_with("illustration")
        || folded.starts_with("full page illustrations")
}

/// Headings of other lists, folded: such a list is not a table of contents, and its heading ends one.
pub(super) const OTHERS: &[&str] = &[
    "illustrations",
    "list of illustrations",
    "the illustrations",
    "list of plates",
    "list of maps",
    "list of figures",
    "list of engravings",
    "list of portraits",
    "maps",
    "plates",
    "figures",
    "list of tables",
    "abbildungen",
    "table des gravures",
    "full page illustrations",
    "ilustracoes",
    "list of full page illustrations",
    "dramatis personae",
    "characters",
    "errata",
    "persons represented",
    "footnotes",
    "notes",
];
