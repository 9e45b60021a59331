//! Textual control-flow automata, the language of the Theta framework. `docs/textual-cfa.md` describes it.

mod arrays;
mod check;
mod expression;
mod lower;
mod operators;
mod parse;
mod syntax;
#[cfg(test)]
mod tests;

use crate::Rejected;
use aster_cfa::{Program, SourceMap};
use aster_term::TermPool;

/// Loads a model; `name` is what messages call the file.
///
/// ```
/// use aster_term::TermPool;
/// let text = "main process p {\n  init loc A\n  error loc E\n  A -> E { assume x }\n}\n";
/// let rejected = aster_models::theta::load(&mut TermPool::new(), "m.cfa", text).unwrap_err();
/// assert!(rejected.render().starts_with("m.cfa:4:19: error: variable `x` is not declared\n"));
/// ```
pub fn load(pool: &mut TermPool, name: &str, text: &str) -> Result<Program, Rejected> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let model = match parse::parse(file, text) {
        Ok(model) => model,
        Err(error) => return Err(Rejected { sources, diagnostics: vec![error] }),
    };
    match check::check(&model, file).and_then(|main| lower::lower(pool, &model, main, text)) {
        Ok((builder, procedure)) => Ok(builder.finish(sources, procedure)),
        Err(diagnostics) => Err(Rejected { sources, diagnostics }),
    }
}
