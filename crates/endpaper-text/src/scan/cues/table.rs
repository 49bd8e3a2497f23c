//! The lexical cues and their words.
//!
//! The words were collected by reading front and back matter in English, German, French, Portuguese, Dutch and Finnish.
//! The weight of each cue is never written here: it is fitted to labels.

macro_rules! cues {
    ($($name:ident $meaning:literal [$($word:literal),*];)*) => {
        /// A cue in the words or the shape of a line.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum LexicalCue {
            $(#[doc = $meaning] $name,)*
        }

        impl LexicalCue {
            /// All cues, in the order of their bits.
            pub const ALL: &'static [LexicalCue] = &[$(LexicalCue::$name),*];

            /// Its name in a file of weights.
            pub fn name(self) -> &'static str {
                match self { $(LexicalCue::$name => stringify!($name),)* }
            }

            /// Its meaning, as one sentence about a line.
            pub fn meaning(self) -> &'static str {
                match self { $(LexicalCue::$name => $meaning,)* }
            }

            /// Its words, in lower case, matched as prefixes of words: after `^` only at the opening of a line, before
            /// `>` only as whole words. Cues that are set by other means have none.
            pub(super) fn words(self) -> &'static [&'static str] {
                match self { $(LexicalCue::$name => &[$($word),*],)* }
            }
        }
    };
}

cues! {
    Etext "Names an electronic text." ["etext", "e---text", "ebook", "e---book", "electronic text", "electronic edition", "electronic version", "e---edition"];
    Verb "States that something was produced." ["produced", "prepared", "scanned", "transcribed", "typed", "digitized", "digitised", "digitalized", "proofed", "proofread", "proof---read", "converted", "keyed", "entered", "formatted", "reformatted", "compiled", "created", "contributed", "submitted", "ocr'd", "ocred", "corrected", "checked", "updated", "released", "donated", "posted", "edited", "made available", "encoded", "scanning", "proofing", "transcription", "typing", "credits", "credit:", "produzido", "produzida", "digitalizado", "produit", "préparé", "erstellt", "produziert", "hergestellt", "prodotto", "realizzato", "tuotettu", "tuottanut", "geproduceerd", "gemaakt", "bewerkt", "verwerkt", "preparado", "transcrit>", "transcrito", "elaborado", "produktion"];
    By "By, from, for, at." ["by>", "by:", "from>", "for>", "at>", "por>", "par>", "von>", "door>", "da>", "di>", "using>"];
    Scan "Mentions scanning." ["scan", "ocr>", "ocr'd", "gescan", "digitali"];
    Proof "Mentions proofreading." ["proof", "korrektur", "relectur"];
    Transcribe "Mentions transcribing." ["transcri", "transkri", "trascri", "retranscri", "redactor", "bewerker"];
    NoteWord "Names a note." ["note>", "notes>", "nota>", "notas>", "anmerkung", "opmerking", "huomaut", "remarque", "noot>", "notice>", "remarks>"];
    Preparer "Names a person who prepares texts." ["producer", "proofer", "typist", "preparer", "publisher's note", "editor's note", "editor’s note", "scanner"];
    Team "Names volunteers." ["distributed proof", "pgdp", "online distributed", "volunteer"];
    Thanks "Gives thanks." ["thank", "grateful", "acknowledg", "courtesy", "generous", "kindly>", "kindness", "dank", "merci>", "remerci", "ringrazi", "bedank", "agradec"];
    Contact "Contains an e-mail address." ["@", "email", "e---mail", "e---mailed"];
    Url "Contains the address of a site or a file." ["http", "www", "ftp", ".com>", ".org>", ".net>", ".edu>", ".htm", ".txt", ".zip", "web>", "website", "internet"];
    Html "Mentions HTML." ["html"];
    Image "Mentions images or of digitising." ["image", "facsimile", "page scans", "digital", "imagens", "bilder>"];
    Library "Names a library or a university." ["internet archive", "google", "american libraries", "gallica", "biblioth", "biblioteca", "library>", "libraries>", "university"];
    Charset "Mentions characters and their codes." ["ascii", "iso---8859", "latin---1", "latin1", "utf", "unicode", "character set", "8---bit", "7---bit", "plain text", "vanilla", "accent", "diacritic", "caracter", "zeichen"];
    Markup "Mentions italics and other markup." ["italic", "underscore", "boldface", "bold---face", "small cap", "translit", "superscript", "uppercase", "upper case", "capital letters", "kursiv", "gesperrt", "fett>", "cursief", "marcad", "asterisk", "brackets"];
    Error "Mentions errors." ["typo>", "typos>", "typograph", "tipogr", "misprint", "error", "errat", "errori", "erro>", "erros>", "inconsisten", "printer's", "printer’s", "druckfehler", "fehler", "erreur", "gralha", "zetfout", "fouten"];
    Change "Mentions changes." ["correct", "corrig", "corregg", "correz", "correcç", "correcc", "changed", "changes", "change>", "amended", "retained", "preserved", "modifi", "moderniz", "modernis", "regulari", "standardi", "unchanged", "removed", "replaced", "omitted", "deleted", "added>", "moved", "korrigier", "geändert", "änderung", "mantid", "mantive", "substitu", "gecorrigeerd", "verbeter", "normalis", "normaliz", "restored", "inserted", "converted"];
    Spelling "Mentions spelling." ["spelling", "spelled", "spelt>", "hyphen", "punctuat", "quotation mark", "quotes>", "grafia", "ortograf", "orthogra", "schreibweise", "rechtschreib", "interpunktion", "ponctuation", "capitaliz", "capitalis", "accents"];
    Original "Mentions an original." ["original", "origineel", "urspr"];
    Printed "Mentions a printed book and its parts." ["printed book", "printed edition", "printed text", "printed version", "printed copy", "printed page", "paper book", "paper edition", "source text", "pagination", "page number", "line number", "page break", "page header", "pagina", "footnote"];
    Copyright "Mentions copyright." ["copyright", "(c)", "©", "all rights", "public domain", "permission"];
    Licence "Words of licences." ["licens", "licenc", "trademark", "distribut", "redistribut", "refund", "liab", "warrant", "indemn", "royalt", "damages", "donat", "fee>", "legal", "disclaim", "electronic work", "tax>", "foundation>", "small print", "machine readable", "medium>", "etexts>", "ebooks>"];
    Meta "A field of metadata." ["^title:", "^author:", "^authors:", "^editor:", "^illustrator:", "^translator:", "^release date:", "^posting date:", "^posted:", "^date:", "^date last updated", "^last updated", "^most recently updated", "^date first posted", "^first posted", "^language:", "^edition:", "^character set", "^encoding:", "^official release", "^subtitle:", "^contributor:", "^commentator:", "^original publication", "^other:", "^file:", "^annotator:", "^release:", "^credits:", "^titel:", "^titre:", "^autor:", "^auteur:", "^author(s):", "^last edit", "^this file should be named", "^updated:"];
    Release "Number or date of a release." ["[etext", "[ebook", "[e---text", "[e---book", "etext #", "ebook #", "release #", "release date", "etext no", "etext number"];
    Month "Names a month." ["january>", "february>", "march>", "april>", "may>", "june>", "july>", "august>", "september>", "october>", "november>", "december>", "jan>", "feb>", "mar>", "apr>", "jun>", "jul>", "aug>", "sep>", "oct>", "nov>", "dec>"];
    File "Mentions files." ["file>", "files>", "download", "zip", "computer", "software", "version>", "versions>", "electronic", "online>", "on---line", "disk", "format>", "formats", "browser", "ficheiro", "datei>"];
    ByName "Opens with by, translated, edited ..." ["^by>", "^von>", "^par>", "^por>", "^di>", "^door>", "^de>", "^af>", "^av>", "^translated", "^edited", "^illustrated", "^written", "^compiled", "^from>"];
    Chapter "Opens like a heading of a chapter." ["^chapter", "^book>", "^part>", "^canto", "^act>", "^scene>", "^section", "^volume", "^vol>", "^letter>", "^kapitel", "^chapitre", "^capítulo", "^capitulo", "^capitolo", "^hoofdstuk", "^i>", "^ii>", "^iii>", "^iv>", "^v>", "^erster", "^erstes", "^1>", "^2>"];
    Contents "Opens like a part of the front matter." ["^contents", "^index>", "^preface", "^introduction", "^inhalt", "^table>", "^illustrations", "^list of", "^dedication", "^foreword", "^prologue", "^préface", "^vorwort", "^indice", "^índice", "^to the reader", "^sommaire", "^introductory"];
    Illustration "Names an illustration." ["illustration", "[frontispiece", "[picture", "[figure", "[cover", "[image", "illustrated"];
    Publisher "Words of imprints." ["publish", "press>", "company>", "& co", "brothers>", "sons>", "london>", "new york", "boston>", "verlag", "paris>", "print", "typogra", "philadelphia", "chicago>", "edinburgh", "leipzig", "berlin>", "lisboa", "porto>", "amsterdam"];
    Edition "Names an edition." ["edition", "edição", "auflage"];
    Translated "Mentions a translation." ["translat", "traduit", "traduz", "übersetz", "uebersetz", "tradu"];
    Magazine "Names a magazine." ["magazine", "science fiction", "evidence that", "extensive research", "stories of", "first published"];
    ThisText "Mentions this text." ["this file", "this text", "this edition", "this version", "this ebook", "this e---text", "this etext", "this e---book", "the text", "this electronic", "the original", "the following", "this transcription", "these", "this book", "the book", "deste", "this document", "this work"];
    You "Addresses the reader." ["you>", "your>", "please"];
    Maker "Mentions what was done." ["i have", "we have", "i am>", "i hope", "i would", "i did", "i made", "i used", "we used", "i think", "i've", "have been", "has been", "was made", "were made"];
    Page "Names pages or lines." ["page>", "pages>", "pp>", "p>", "line>", "página", "seite>"];
    EndOf "Opens like the last words of a book or a file." ["^end of", "^the end of", "^ende d", "^fin d", "^fim d", "^here ends", "^ends"];
    Bookmarks "Announces quotations." ["etext editor", "bookmarks", "quotations", "entire context", "entire gutenberg", "quotes and"];
    Works "Announces other works." ["other works", "works by", "also by", "other books", "other titles", "index of", "linked index", "list of"];
    Addendum "Opens like an addendum." ["^addendum", "^appendix", "personages", "^postscript"];
    TheEnd "Is THE END, FINIS or the like." [];
    Upper "Has capitals only." [];
    LowerStart "Opens with a small letter." [];
    Bracket "Opens with a bracket." [];
    BracketEnd "Ends with a bracket." [];
    ColonEnd "Ends with a colon." [];
    Quote "Opens with a quotation mark." [];
    Digit "Opens with a digit." [];
    FullStop "Ends a sentence." [];
    Dialogue "Holds a quotation mark." [];
    Year "Holds a year from 1500 to 1989." [];
    LateYear "Holds a year from 1990 to 2029." [];
    Credit "Says that something was produced by somebody." [];
    ProducersNote "Names a note of a transcriber or another producer." [];
    ShortHeading "A short line that opens like a heading." [];
    NoteHeading "A short line that names a note." [];
    Title "Holds the title that the header gives." [];
    TitleWord "Holds words of that title and no other." [];
    Author "Names the author that the header gives." [];
}
