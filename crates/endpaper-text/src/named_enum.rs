//! Enums with names: each name is written once, and files, help, tables and error messages cannot differ.

/// Gives an enum of plain variants `ALL`, `name`, `Display` and `FromStr` from one table. An unknown word is refused with
/// those that are known.
#[macro_export]
macro_rules! named_enum {
    ($type:ident, $what:literal, { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $type {
            /// All values, in the order they are listed.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

            /// The word that represents it in files, tables and arguments.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name),+ }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = String;
            fn from_str(word: &str) -> Result<$type, String> {
                match word {
                    $($name => Ok($type::$variant),)+
                    other => Err(format!(
                        concat!("unknown ", $what, " '{}'; use one of {}"),
                        other,
                        [$($name),+].join(", "),
                    )),
                }
            }
        }
    };
}
