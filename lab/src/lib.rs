//! The experiments of papers on which endpaper rests, and the material they need.
//!
//! [`corrupt`] makes corrupted books, [`experiments`] has what is behind the figures. Nothing here draws or prints.

pub mod corrupt;
pub mod experiments;
