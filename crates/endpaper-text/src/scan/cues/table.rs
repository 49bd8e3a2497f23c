//! The lexical cues. Their words are in the [files of cues](super::languages), their weights are fitted to labels.

macro_rules! cues {
    ($($name:ident $meaning:literal;)*) => {
        /// A cue in the words or the shape of a line.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum LexicalCue {
            $(#[doc = $meaning] $name,)*
        }

        impl LexicalCue {
            /// All cues, in the order of their bits.
            pub const ALL: &'static [LexicalCue] = &[$(LexicalCue::$name),*];

            /// Its name in a file of weights, and the section of its words in the files of cues.
            pub fn name(self) -> &'static str {
                match self { $(LexicalCue::$name => stringify!($name),)* }
            }

            /// Its meaning, as one sentence about a line.
            pub fn meaning(self) -> &'static str {
                match self { $(LexicalCue::$name => $meaning,)* }
            }
        }
    };
}

cues! {
    Etext "Names an electronic text.";
    Verb "States that something was produced.";
    By "By, from, for, at.";
    Scan "Mentions scanning.";
    Proof "Mentions proofreading.";
    Transcribe "Mentions transcribing.";
    NoteWord "Names a note.";
    Preparer "Names a person who prepares texts.";
    Team "Names volunteers.";
    Thanks "Gives thanks.";
    Contact "Contains an e-mail address.";
    Url "Contains the address of a site or a file.";
    Html "Mentions HTML.";
    Image "Mentions images or of digitising.";
    Library "Names a library or a university.";
    Charset "Mentions characters and their codes.";
    Markup "Mentions italics and other markup.";
    Error "Mentions errors.";
    Change "Mentions changes.";
    Spelling "Mentions spelling.";
    Original "Mentions an original.";
    Printed "Mentions a printed book and its parts.";
    Copyright "Mentions copyright.";
    Licence "Words of licences.";
    Meta "A field of metadata.";
    Release "Number or date of a release.";
    Month "Names a month.";
    File "Mentions files.";
    ByName "Opens with by, translated, edited ...";
    Chapter "Opens like a heading of a chapter.";
    Contents "Opens like a part of the front matter.";
    Illustration "Names an illustration.";
    Publisher "Words of imprints.";
    Edition "Names an edition.";
    Translated "Mentions a translation.";
    Magazine "Names a magazine.";
    ThisText "Mentions this text.";
    You "Addresses the reader.";
    Maker "Mentions what was done.";
    Page "Names pages or lines.";
    EndOf "Opens like the last words of a book or a file.";
    Bookmarks "Announces quotations.";
    Works "Announces other works.";
    Addendum "Opens like an addendum.";
    TheEnd "Is THE END, FINIS or the like.";
    Upper "Has capitals only.";
    LowerStart "Opens with a small letter.";
    Bracket "Opens with a bracket.";
    BracketEnd "Ends with a bracket.";
    ColonEnd "Ends with a colon.";
    Quote "Opens with a quotation mark.";
    Digit "Opens with a digit.";
    FullStop "Ends a sentence.";
    Dialogue "Holds a quotation mark.";
    Year "Holds a year from 1500 to 1989.";
    LateYear "Holds a year from 1990 to 2029.";
    Credit "Says that something was produced by somebody.";
    ProducersNote "Names a note of a transcriber or another producer.";
    ShortHeading "A short line that opens like a heading.";
    NoteHeading "A short line that names a note.";
    Title "Holds the title that the header gives.";
    TitleWord "Holds words of that title and no other.";
    Author "Names the author that the header gives.";
}
