//! The text of traces of C programs, compared with files in `tests/golden/c`. `ASTER_BLESS=1 cargo test -p
//! aster-evidence` writes the files anew.

use aster_c::{Checks, LoadOptions, load_text};
use aster_cfa::interpreter::{End, InputSource, RunLimits};
use aster_cfa::{Edge, Program};
use aster_evidence::{Event, Item, Trace, render_text, tell_run};
use aster_term::{ArrayValue, BitVec, Sort, TermPool, Value};
use std::fmt::Write;
use std::path::Path;

/// Numbers for those who ask for numbers; memory holds the same byte everywhere.
struct Inputs<'a> {
    numbers: std::slice::Iter<'a, i128>,
    byte: u8,
}

impl InputSource for Inputs<'_> {
    fn next_input(&mut self, _: Edge, sort: Sort) -> Option<Value> {
        match sort {
            Sort::Array { index, element } => {
                let bytes = u128::from_le_bytes([self.byte; 16]);
                Some(Value::Array(ArrayValue::constant(index, BitVec::new(element, bytes))))
            }
            Sort::BitVec(width) => Some(Value::BitVec(BitVec::from_signed(width, *self.numbers.next()?))),
            _ => None,
        }
    }
}

fn load(name: &str, text: &str, memory: bool) -> (Program, TermPool) {
    let mut pool = TermPool::new();
    let checks = Checks { memory, ..Checks::default() };
    let options = LoadOptions { malloc_may_fail: false, checks, ..LoadOptions::default() };
    let program = load_text(&mut pool, name, text, &options).expect("the program is valid");
    assert_eq!(program.validate(&pool), []);
    (program, pool)
}

fn run(program: &Program, pool: &TermPool, numbers: &[i128], byte: u8) -> Trace {
    let mut inputs = Inputs { numbers: numbers.iter(), byte };
    let (end, trace) = tell_run(program, pool, &mut inputs, RunLimits::default());
    assert!(matches!(end, End::Error { .. }), "{end:?}");
    trace
}

fn check(name: &str, numbers: &[i128], byte: u8) {
    check_property(name, numbers, byte, false);
}

/// Where memory is the property or not.
fn check_property(name: &str, numbers: &[i128], byte: u8, memory: bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/c");
    let text = std::fs::read_to_string(folder.join(format!("{name}.c"))).expect("the program is there");
    let (program, pool) = load(&format!("{name}.c"), &text, memory);
    let found = render_text(&run(&program, &pool, numbers, byte), &program.sources);
    let path = folder.join(format!("{name}.txt"));
    if std::env::var_os("ASTER_BLESS").is_some() {
        std::fs::write(&path, &found).expect("the golden file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "{} differs; bless with ASTER_BLESS=1", path.display());
}

#[test]
fn floating_point_numbers_are_readable() {
    let double = i128::from(0.1f64.to_bits());
    check("floats", &[0x4049_0fdb, double, -1, 0x3fff << 63], 0);
}

#[test]
fn a_counter_in_an_array_overflows() {
    check("counter", &[2], 0);
}

#[test]
fn a_linked_list() {
    check("list", &[1, 5, 1, 9, 1, 2, 0], 0);
}

#[test]
fn fields_of_structures() {
    check("fields", &[70], 0);
}

#[test]
fn scanning_a_string() {
    check("scan", &[120], b'!');
}

#[test]
fn a_call_through_a_pointer() {
    check("dispatch", &[1, -7], 0);
}

#[test]
fn what_goes_wrong_in_the_library_is_told_where_it_is_called() {
    check_property("library", &[3], 0, true);
}

#[test]
fn accesses_to_no_object_say_what_is_near() {
    for name in ["beyond", "below", "ended"] {
        check_property(name, &[2, 2], 0, true);
    }
}

/// Large memory: neither what is kept nor what is told grows with it.
#[test]
fn long_runs_are_told_briefly() {
    let text = "
extern void reach_error(void);
int a[100000];
int main(void) {
  for (int i = 0; i < 100000; i++)
    a[i] = i;
  int buffer[50];
  if (a[99999] + buffer[7] == 99999)
    reach_error();
}
";
    let (program, pool) = load("long.c", text, false);
    let trace = run(&program, &pool, &[], 0);
    assert!(trace.steps > 300_000, "{}", trace.steps);
    let told = render_text(&trace, &program.sources);
    assert!(told.contains("a[99999] = 99999"), "{told}");
    assert!(told.contains("99995 more iterations"), "{told}");
    assert!(told.lines().count() < 30, "{told}");
    let mut json = String::new();
    let _ = write!(json, "{}", serde_json::to_value(&trace).expect("traces can be written"));
    assert!(json.len() < 20_000, "{json}");
}

/// Of many iterations that are alike, the one is shown that does what matters.
#[test]
fn the_iteration_that_matters_is_shown() {
    let text = "
extern void reach_error(void);
int a[1000];
int main(void) {
  for (int i = 0; i < 1000; i++)
    a[i] = i;
  if (a[563] == 563)
    reach_error();
}
";
    let (program, pool) = load("one.c", text, false);
    let told = render_text(&run(&program, &pool, &[], 0), &program.sources);
    assert!(told.contains("a[563] = 563"), "{told}");
    assert!(told.lines().count() < 30, "{told}");
}

/// What is written to one cell does not matter for what is read from another one.
#[test]
fn memory_is_followed_cell_by_cell() {
    let text = "
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a[8];
  a[0] = 1; a[1] = 2; a[2] = 3;
  int *p = &a[__VERIFIER_nondet_int()];
  *p = 4;
  a[2] = a[1];
  int swap = a[0]; a[0] = a[3]; a[3] = swap;
  if (a[2] == 4 && a[0] == 9)
    reach_error();
}
";
    let (program, pool) = load("cells.c", text, false);
    let mut inputs = Inputs { numbers: [1].iter(), byte: 0 };
    let (end, _) = tell_run(&program, &pool, &mut inputs, RunLimits::default());
    assert_eq!(end, End::Finished, "the fourth element is not 9");

    let text = text.replace("a[0] == 9", "a[0] == 0");
    let (program, pool) = load("cells.c", &text, false);
    let trace = run(&program, &pool, &[1], 0);
    let mut written = Vec::new();
    for item in &trace.path {
        let Item::Line(line) = item else { continue };
        written.extend(line.events.iter().filter_map(|event| match event {
            Event::Assignment { variable, value } => Some(format!("{variable} = {}", value.text)),
            _ => None,
        }));
    }
    let to_memory: Vec<&String> = written.iter().filter(|it| it.starts_with(['a', '*'])).collect();
    assert_eq!(to_memory, ["*p = 4", "a[2] = 4", "a[0] = 0"]);
    let memory = &trace.inputs[0];
    assert!(memory.matters && memory.uninitialised && memory.number.is_none(), "{memory:?}");
    let json = serde_json::to_value(memory).expect("inputs can be written");
    assert_eq!(json["value"]["default"], "0");
    assert_eq!(json["value"]["cells"].as_array().map(Vec::len), Some(1), "{json}");
}
