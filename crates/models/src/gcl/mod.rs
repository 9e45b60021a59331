//! Guarded commands: concurrent processes over integers, truth values and enumerations.
//! `docs/guarded-commands.md` describes the language.

mod conjunction;
mod expand;
mod expression;
mod formula;
mod instances;
mod parse;
mod program;
mod show;
mod syntax;
mod system;
#[cfg(test)]
mod tests;

pub use formula::Formulas;
pub use system::{Assigned, Domain, ErrorCondition, System, Transition, Variable};

use crate::Rejected;
use aster_cfa::SourceMap;
use aster_term::TermPool;

/// Loads a model; `name` is what messages call the file. `settings` are names of constants and the values that they get
/// instead of their own.
///
/// ```
/// use aster_term::TermPool;
/// let text = "const N = 2\nvar x[i: 1..N]: int = i\nsafe all i: 1..N. x[i] > 0\n";
/// let load = |settings: &[(String, String)]| {
///     aster_models::gcl::load(&mut TermPool::new(), "m.gcl", text, settings)
/// };
/// assert_eq!(load(&[]).unwrap().variables.len(), 2);
/// assert_eq!(load(&[("N".into(), "5".into())]).unwrap().variables.len(), 5);
/// assert!(load(&[("M".into(), "5".into())]).is_err());
/// ```
pub fn load(
    pool: &mut TermPool,
    name: &str,
    text: &str,
    settings: &[(String, String)],
) -> Result<System, Rejected> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let model = match parse::parse(file, text) {
        Ok(model) => model,
        Err(error) => return Err(Rejected { sources, diagnostics: vec![error] }),
    };
    match expand::expand(pool, &model, settings, file, text) {
        Ok(system) => Ok(System { sources, ..system }),
        Err(diagnostics) => Err(Rejected { sources, diagnostics }),
    }
}
