//! The experiments of the papers that endpaper is based on, and their material.
//!
//! [`corrupt`] makes corrupted books; [`experiments`] computes the data of the figures. This crate does not draw or print.

pub mod corrupt;
pub mod experiments;
