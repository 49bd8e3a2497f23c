//! Enums with names: each name is defined once, so that files, help, tables and error messages agree.

/// Implements `ALL`, `name`, `Display` and `FromStr` for an enum of unit variants from one table. The error for an
/// unknown word lists the known ones.
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
