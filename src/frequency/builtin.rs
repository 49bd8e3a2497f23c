//! The model inside the program, for corpora too small to tell what is frequent.
//!
//! Made from 1,033 real Project Gutenberg books of every era with the line below; the rarest lines are left out until
//! it fits 256 KB.
//!
//! ```text
//! endpaper model build CORPUS --out src/frequency/builtin.model --max-bytes 262144
//! ```

use std::sync::LazyLock;

use super::Model;

static BYTES: &[u8] = include_bytes!("builtin.model");

/// The built-in model, trained on real Project Gutenberg books.
pub fn built_in() -> &'static Model {
    static MODEL: LazyLock<Model> = LazyLock::new(|| {
        Model::from_bytes(BYTES).expect("the file is part of the program and a test reads it")
    });
    &MODEL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Key;

    #[test]
    fn the_built_in_model_fits_and_knows_the_licence() {
        assert!(BYTES.len() <= 256 << 10);
        let model = Model::from_bytes(BYTES).expect("build the model again");
        let licence = "This eBook is for the use of anyone anywhere at no cost and with";
        assert!(model.frequencies.head().frequency(Key::of(licence)) > 10);
        let book = "It was the best of times, it was the worst of times,";
        assert_eq!(model.frequencies.head().frequency(Key::of(book)), 0);
    }
}
