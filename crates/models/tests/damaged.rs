//! Texts that were cut off or lost a piece are rejected or understood, and never do harm.

#![allow(clippy::unwrap_used)]

use aster_models::{Rejected, gcl, theta};
use aster_term::TermPool;
use std::path::Path;

const AUTOMATON: &str = "var g : bool\nmain process p {\n  var x : int var r : rat var v : bv[8] var f : fp[5,11] var a : [int] -> int\n  \
    init loc A loc B final loc F error loc E\n  A -> B { x := 7 / 2 mod 3 havoc v assume not g and x >= -1 or r = 1%3 }\n  \
    B -> A { v := (v bvadd 8'd3)[8:4] ++ 4'b0101 a := a[1 <- x][2 <- a[1]] }\n  \
    B -> E { f := 5'b10010.10'd0 fpadd[RTZ] f assume forall (y : int) y > x imply v bvult 8'xff }\n  B -> F\n}\n";

/// The text with pieces missing: an end, or some characters in the middle.
fn damaged(text: &str) -> impl Iterator<Item = String> + '_ {
    let cut = (0..text.len()).map(|end| text[..end].to_owned());
    let holes = (0..text.len()).flat_map(move |start| {
        [1, 3, 9].map(|length| format!("{}{}", &text[..start], &text[(start + length).min(text.len())..]))
    });
    cut.chain(holes)
}

/// Errors have messages that can be shown.
fn look_at(rejected: &Rejected, text: &str) {
    assert!(rejected.render().starts_with("m:"), "{text}");
}

#[test]
fn damaged_automata() {
    assert!(AUTOMATON.is_ascii() && theta::load(&mut TermPool::new(), "m", AUTOMATON).is_ok());
    for text in damaged(AUTOMATON) {
        let mut pool = TermPool::new();
        match theta::load(&mut pool, "m", &text) {
            Ok(program) => assert_eq!(program.validate(&pool), [], "{text}"),
            Err(rejected) => look_at(&rejected, &text),
        }
    }
}

#[test]
fn damaged_guarded_commands() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/protocols");
    for name in ["bakery", "b_bakery2_e", "mesi", "mutex"] {
        let whole = std::fs::read_to_string(folder.join(format!("{name}.gcl"))).unwrap();
        assert!(whole.is_ascii());
        for text in damaged(&whole) {
            let mut pool = TermPool::new();
            match gcl::load(&mut pool, "m", &text, &[]) {
                Ok(system) => {
                    let program = system.to_program(&mut pool);
                    assert_eq!(program.validate(&pool), [], "{text}");
                }
                Err(rejected) => look_at(&rejected, &text),
            }
        }
    }
}
