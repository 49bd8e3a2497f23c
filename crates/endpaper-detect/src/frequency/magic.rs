//! The first bytes of the files, by which each is reported from the other.

/// Of a model.
pub(crate) const MODEL: &[u8; 8] = b"EPMODEL\0";

/// Of a part.
pub(super) const PART: &[u8; 8] = b"EPPART\0\0";
