//! Structures are laid out as gcc lays them out: files of static assertions that gcc accepts.

use aster_c::{DataModel, LoadError, LoadOptions};
use aster_term::TermPool;
use std::path::Path;

fn problems(name: &str, data_model: DataModel) -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/layout").join(name);
    let options = LoadOptions { data_model, ..LoadOptions::default() };
    match aster_c::load(&mut TermPool::new(), &file, &options) {
        Ok(_) => Vec::new(),
        Err(LoadError::Diagnostics { diagnostics, .. }) => {
            diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect()
        }
        Err(error) => vec![error.to_string()],
    }
}

#[test]
fn layout_is_that_of_gcc() {
    assert_eq!(problems("ilp32.c", DataModel::Ilp32), Vec::<String>::new());
    assert_eq!(problems("lp64.c", DataModel::Lp64), Vec::<String>::new());
}

#[test]
fn the_data_models_differ() {
    assert!(!problems("ilp32.c", DataModel::Lp64).is_empty());
}
