//! The first bytes of each kind of file, which identify it.

/// Of a model.
pub(crate) const MODEL: &[u8; 8] = b"EPMODEL\0";

/// Of a part.
pub(super) const PART: &[u8; 8] = b"EPPART\0\0";
