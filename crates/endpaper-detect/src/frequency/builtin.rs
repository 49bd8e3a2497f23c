//! The model that is built into the program, for corpora too small to show which lines are frequent.
//!
//! It was built from 658 Project Gutenberg books of every era. Books that are labelled for evaluation, and other
//! editions of them (by number and by title), are excluded, so that results on labelled books are not learned from
//! them. The list contains the remaining files.
//!
//! ```text
//! endpaper model build --files-from LIST --spreads --scale-to 1200 --texts 200 --out src/frequency/builtin.model
//! ```
//!
//! The counts were made by version 2 of the preprocessing. Version 3 differs for lines with wide characters only, of which
//! these books have none, so the file was given the new number.
//!
//! K = 10 was chosen on larger corpora, and the book under examination is not in this model. So the counts are scaled
//! up to 1,200 books: with a third of the unlabelled books held out, a K of 5 to 7 most often gave the held-out books
//! the cuts that they get in the whole corpus, which corresponds to this factor. With scaling, 95.0 % of the 300
//! labelled books, each alone in its folder, get exactly the cuts that they get in the corpus of all 1,033 books;
//! without it, 88.0 %.

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
    use endpaper_text::line::Key;

    #[test]
    fn the_built_in_model_fits_and_knows_the_licence() {
        assert!(BYTES.len() <= 512 << 10);
        let model = Model::from_bytes(BYTES).expect("build the model again");
        let counts = model.frequencies.head();
        let licence = "This eBook is for the use of anyone anywhere at no cost and with";
        assert!(counts.frequency(Key::of(licence)) > 10);
        let book = "It was the best of times, it was the worst of times,";
        assert_eq!(counts.frequency(Key::of(book)), 0);
        assert_eq!(
            model.frequencies.document_frequencies().books(),
            model.parameters.books
        );
        // The default, -K 10, can be answered.
        assert!(model.parameters.pruned_below <= 11);
    }

    #[test]
    fn the_built_in_model_knows_the_texts_of_its_most_frequent_lines() {
        for (_, lines) in built_in().top(50) {
            assert_eq!(lines.len(), 50);
            assert!(lines.iter().all(|line| line.text.is_some()));
        }
    }
}
