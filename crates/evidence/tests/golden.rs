//! The text of traces, compared with files in `tests/golden`. `ASTER_BLESS=1 cargo test -p
//! aster-evidence` writes the files anew.

use aster_cfa::interpreter::RunLimits;
use aster_cfa::testing::{Sketch, int_value};
use aster_cfa::{Input, InputOrigin, Label, Op, Presentation, Procedure};
use aster_evidence::{Replay, render_text, replay};
use aster_term::{BitVec, Sort, Value};
use std::path::Path;

fn check(name: &str, sketch: Sketch, entry: Procedure, inputs: &[Value]) {
    let (program, pool) = sketch.finish(entry);
    assert_eq!(program.validate(&pool), []);
    let found = match replay(&program, &pool, inputs, RunLimits::default()) {
        Replay::Confirmed(trace, _) => render_text(&trace, &program.sources),
        other => panic!("{other:?}"),
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    if std::env::var_os("ASTER_BLESS").is_some() {
        std::fs::write(&path, &found).expect("the golden file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "{} differs; bless with ASTER_BLESS=1", path.display());
}

#[test]
fn inputs_of_all_kinds() {
    let text = "\
int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned int u;
  char c = __VERIFIER_nondet_char();
  _Bool b = external();
  int unused = 12;
  if (x < 0 && u > 10)
    if (c == 'a')
      reach_error();
}
";
    let mut sketch = Sketch::new(text);
    let main = sketch.procedure("main");
    let x = sketch.int(Some(main), "x");
    let unsigned = Presentation::Unsigned("unsigned int".into());
    let u = sketch.variable(Some(main), "u", Sort::BitVec(32), Some(unsigned));
    let c = sketch.variable(Some(main), "c", Sort::BitVec(8), Some(Presentation::Signed("char".into())));
    let b = sketch.variable(Some(main), "b", Sort::BitVec(8), Some(Presentation::Bool));
    let unused = sketch.int(Some(main), "unused");
    let node = sketch.havoc(sketch.entry(main), x, 2);
    let node = sketch.havoc_from(node, u, InputOrigin::Uninitialised("u".into()), 3);
    let node = sketch.havoc_from(node, c, InputOrigin::Nondet("__VERIFIER_nondet_char".into()), 4);
    let node = sketch.havoc_from(node, b, InputOrigin::External("external".into()), 5);
    let twelve = sketch.number(12);
    let node = sketch.assign(node, unused, twelve, 6);
    let negative = sketch.less(x, 0);
    let (node, no) = sketch.branch(node, negative, 7);
    sketch.go(no, sketch.exit(main), 10);
    let (ten, u_term) = (sketch.number(10), sketch.term(u));
    let large = sketch.pool.ult(ten, u_term);
    let (node, no) = sketch.branch(node, large, 7);
    sketch.go(no, sketch.exit(main), 10);
    let (letter, c_term) = (sketch.pool.bv(8, 97), sketch.term(c));
    let is_letter = sketch.pool.eq(c_term, letter);
    let (node, no) = sketch.branch(node, is_letter, 8);
    sketch.go(no, sketch.exit(main), 10);
    sketch.error(node, 9);
    let byte = |bits| Value::BitVec(BitVec::new(8, bits));
    check("inputs", sketch, main, &[int_value(-5), int_value(-1), byte(97), byte(1)]);
}

/// Globals are initialised by the entry procedure, which then calls `main`; `main` calls `half`.
#[test]
fn calls_and_globals() {
    let text = "\
int limit = 3;
int noise = 4;
int half(int n) {
  int result = n / 2;
  return result;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (half(x) > limit)
    reach_error();
}
";
    let mut sketch = Sketch::new(text);
    let (start, main, half) =
        (sketch.procedure("_start"), sketch.procedure("main"), sketch.procedure("half"));
    let (limit, noise) = (sketch.int(None, "limit"), sketch.int(None, "noise"));
    let (three, four) = (sketch.number(3), sketch.number(4));
    let node = sketch.assign(sketch.entry(start), limit, three, 1);
    let node = sketch.assign(node, noise, four, 2);
    let node = sketch.call(node, main, &[], None, 7);
    sketch.go(node, sketch.exit(start), 7);

    let (n, local, result) =
        (sketch.int(Some(half), "n"), sketch.int(Some(half), "result"), sketch.int(Some(half), "half"));
    sketch.builder.set_signature(half, vec![n], Some(result));
    let (n_term, two) = (sketch.term(n), sketch.number(2));
    let quotient = sketch.pool.sdiv(n_term, two);
    let node = sketch.assign(sketch.entry(half), local, quotient, 4);
    let local = sketch.term(local);
    let node = sketch.assign(node, result, local, 5);
    sketch.go(node, sketch.exit(half), 5);

    let x = sketch.int(Some(main), "x");
    let temporary = sketch.variable(Some(main), "t", Sort::BitVec(32), None);
    let node = sketch.havoc(sketch.entry(main), x, 8);
    let x = sketch.term(x);
    let node = sketch.call(node, half, &[x], Some(temporary), 9);
    let (limit, temporary) = (sketch.term(limit), sketch.term(temporary));
    let more = sketch.pool.slt(limit, temporary);
    let (bad, good) = sketch.branch(node, more, 9);
    sketch.go(good, sketch.exit(main), 11);
    sketch.error(bad, 10);
    check("calls", sketch, start, &[int_value(100)]);
}

/// A loop in a loop; a call in the inner one.
#[test]
fn loops_are_shortened() {
    let text = "\
void tick(void) {
  count++;
}
int main(void) {
  for (int i = 0; i < 100; i++) {
    int j = 0;
    while (j < 20) {
      tick();
      j++;
    }
  }
  assert(count < 2000);
}
";
    let mut sketch = Sketch::new(text);
    let (main, tick) = (sketch.procedure("main"), sketch.procedure("tick"));
    let count = sketch.int(None, "count");
    let more = sketch.plus(count, 1);
    let node = sketch.assign(sketch.entry(tick), count, more, 2);
    sketch.go(node, sketch.exit(tick), 3);

    let (i, j) = (sketch.int(Some(main), "i"), sketch.int(Some(main), "j"));
    let zero = sketch.number(0);
    let node = sketch.assign(sketch.entry(main), count, zero, 4);
    let outer = sketch.assign(node, i, zero, 5);
    let (i_less, i_more) = (sketch.less(i, 100), sketch.plus(i, 1));
    let (body, after) = sketch.branch(outer, i_less, 5);
    let inner = sketch.assign(body, j, zero, 6);
    let (j_less, j_more) = (sketch.less(j, 20), sketch.plus(j, 1));
    let (inside, done) = sketch.branch(inner, j_less, 7);
    let inside = sketch.call(inside, tick, &[], None, 8);
    let inside = sketch.assign(inside, j, j_more, 9);
    sketch.go(inside, inner, 10);
    let done = sketch.assign(done, i, i_more, 5);
    sketch.go(done, outer, 11);
    let holds = sketch.less(count, 2000);
    let (good, bad) = sketch.branch(after, holds, 12);
    sketch.go(good, sketch.exit(main), 13);
    sketch.error(bad, 12);
    check("loops", sketch, main, &[]);
}

/// More inputs and longer source lines than anybody wants to read.
#[test]
fn long_lists_and_lines_are_cut() {
    let line = format!("  while (__VERIFIER_nondet_int()) {{ {} }}", "x = x * 3 + 1; ".repeat(10));
    let mut sketch = Sketch::new(&format!("int main(void) {{\n{line}\n  reach_error();\n}}\n"));
    let main = sketch.procedure("main");
    let temporary = sketch.variable(Some(main), "t", Sort::BitVec(32), None);
    let start = sketch.entry(main);
    let head = sketch.node(main);
    sketch.go(start, head, 2);
    let input = Input {
        origin: InputOrigin::Nondet("__VERIFIER_nondet_int".into()),
        presentation: Presentation::Signed("int".into()),
    };
    let node = sketch.step(head, Label::Op(Op::Havoc(temporary, input)), 2);
    let (t, zero) = (sketch.term(temporary), sketch.number(0));
    let stop = sketch.pool.eq(t, zero);
    let (after, again) = sketch.branch(node, stop, 2);
    sketch.go(again, head, 2);
    sketch.error(after, 3);
    let mut inputs: Vec<Value> = (1..=80).map(int_value).collect();
    inputs.push(int_value(0));
    check("long", sketch, main, &inputs);
}
