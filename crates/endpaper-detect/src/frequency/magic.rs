//! The first bytes of the files, which distinguish a model from a part.

pub(crate) const MODEL: &[u8; 8] = b"EPMODEL\0";

pub(super) const PART: &[u8; 8] = b"EPPART\0\0";
