//! The demonstration corpus built into the program: real, short, public-domain e-books of different eras and languages.
//!
//! | member | what it shows |
//! | --- | --- |
//! | `19921201-magi10`, `7256` | two editions of one tale: the oldest small print, and a long licence at the end |
//! | `SKYGM10` | "Scanned and proofed by" between two titles, no End marker |
//! | `Sketches_of_Young_Gentlemen` | another edition of it by the same producer |
//! | `LMPLT10`, `RDDSK10`, `GSILX10` | the same producer and template as `SKYGM10` |
//! | `PETHL10`, `LAIDR10` | an End marker, a note, and an End marker again; a pair by one producer |
//! | `OWLCR10` | a line on the electronic edition below the printed title |
//! | `The_Great_Big_Treasury_of_Beatrix_Potter` | several books in one file, a second small print in the middle |
//! | `6651-8` | German, Latin-1, small print at the end |
//! | `19947-8` | Portuguese, Latin-1, notes on the transcription at the end |
//! | `31963-0` | German, UTF-8 with a byte order mark, a note at the head and errata at the end |
//! | `31894-8` | Latin and English, errata between rows of asterisks |
//! | `cdbfr10` | French, lines that end in CR CR LF |
//! | `florante_at_laura` | Tagalog |
//! | `John_Inglefield_s_Thanksgiving` | the easy case |
//! | `The_Search_After_Hapiness` | an edited version after FINIS |
//! | `The_Light_Shines_in_Darkness` | a long transcriber's note at the end |
//! | `2f21920cda35` | not a book: a list of books |

/// The archive. Its members keep their original bytes; `.ci/demo.py` builds it.
pub(super) const ARCHIVE: &[u8] = include_bytes!("demo.zip");
