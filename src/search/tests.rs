//! Tests over whole indexes.
