//! Large programs are read in time that grows with their size. The limits are far above what is needed, and far below what
//! it takes if something is quadratic.
#![allow(clippy::unwrap_used)]

use aster_c::{LoadOptions, load_text};
use aster_term::TermPool;
use std::fmt::Write;
use std::time::{Duration, Instant};

const LONGEST: Duration = Duration::from_secs(20);

fn is_read_soon(name: &str, text: &str) {
    let start = Instant::now();
    let result = load_text(&mut TermPool::new(), name, text, &LoadOptions::default());
    let elapsed = start.elapsed();
    assert!(result.is_ok(), "{}", result.err().unwrap().render().chars().take(500).collect::<String>());
    assert!(elapsed < LONGEST, "{name} took {elapsed:?}");
}

fn listed(count: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(separator)
}

#[test]
fn tables() {
    let main = "int main(void) { return a[3]; }\n";
    let plain = listed(200_000, ",", |index| (index % 97).to_string());
    is_read_soon("plain.c", &format!("int a[] = {{{plain}}};\n{main}"));
    // Each item used to be compared with all others that were not before it.
    let falling = listed(60_000, ",", |index| format!("[{}] = {}", 59_999 - index, index % 97));
    is_read_soon("falling.c", &format!("int a[60000] = {{{falling}}};\n{main}"));
    let variable = listed(20_000, ",", |index| if index % 2 == 0 { "x".to_owned() } else { "1".to_owned() });
    is_read_soon(
        "variable.c",
        &format!("int main(void) {{ int x = 3, a[] = {{{variable}}}; return a[1]; }}\n"),
    );
}

#[test]
fn texts() {
    let letters = "abcdefghij".repeat(20_000);
    is_read_soon("text.c", &format!("char s[] = \"{letters}\";\nint main(void) {{ return s[3]; }}\n"));
}

#[test]
fn branches() {
    let mut text = "int main(void) {\n  int x = 0, y = 0;\n  if (x == 0) y = 1;\n".to_owned();
    for number in 1..40_000 {
        let _ = writeln!(text, "  else if (x == {number}) y = {};", number % 7);
    }
    is_read_soon("branches.c", &format!("{text}  return y;\n}}\n"));
}

#[test]
fn statements_and_functions() {
    let statements = listed(40_000, "\n", |index| format!("x = x + {index};"));
    is_read_soon("statements.c", &format!("int main(void) {{ unsigned x = 0;\n{statements}\nreturn x; }}\n"));
    let functions = listed(5_000, "\n", |index| format!("int f{index}(int a) {{ return a > {index}; }}"));
    is_read_soon("functions.c", &format!("{functions}\nint main(void) {{ return f7(3); }}\n"));
}
