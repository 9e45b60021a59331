//! Programs as Graphviz graphs and as plain text.

use crate::loops::LoopInfo;
use crate::program::{Edge, Node, Procedure, Program};
use crate::show::show_label;
use aster_term::TermPool;
use std::io::{self, Write};

/// Longest edge label before it is broken into lines.
const LABEL_WIDTH: usize = 60;

/// Writes the program as a Graphviz graph: one cluster for each procedure, loop heads with a double
/// border, error nodes red, each edge with what it does and its source line.
pub fn write_dot(program: &Program, pool: &TermPool, out: &mut dyn Write) -> io::Result<()> {
    let loops = LoopInfo::new(program);
    let nodes = nodes_by_procedure(program);
    writeln!(out, "digraph program {{")?;
    writeln!(out, "  node [shape=circle, fontname=\"monospace\", fontsize=10];")?;
    writeln!(out, "  edge [fontname=\"monospace\", fontsize=9];")?;
    for procedure in program.procedures() {
        let name = escape(&program.procedure(procedure).name);
        writeln!(out, "  subgraph cluster_{} {{", procedure.index())?;
        writeln!(out, "    label=\"{name}\"; labeljust=l; style=rounded; color=gray;")?;
        for &node in &nodes[procedure.index()] {
            let attributes = node_attributes(program, &loops, procedure, node);
            writeln!(out, "    n{} [{attributes}];", node.index())?;
        }
        writeln!(out, "  }}")?;
    }
    for edge in program.edges() {
        let info = program.edge(edge);
        let label = show_label(program, pool, &info.label);
        let label = format!("{}\\nline {}", escape(&wrap(&label)), info.span.line);
        writeln!(out, "  n{} -> n{} [label=\"{label}\"];", info.source.index(), info.target.index())?;
    }
    writeln!(out, "}}")
}

/// Writes the program as text: for each procedure its nodes in order, each with its edges.
pub fn write_text(program: &Program, pool: &TermPool, out: &mut dyn Write) -> io::Result<()> {
    let loops = LoopInfo::new(program);
    let nodes = nodes_by_procedure(program);
    for procedure in program.procedures() {
        let info = program.procedure(procedure);
        let parameters: Vec<&str> =
            info.parameters.iter().map(|&parameter| program.variable(parameter).name.as_str()).collect();
        let entry = if procedure == program.entry { "  // execution starts here" } else { "" };
        writeln!(out, "{}({}):{entry}", info.name, parameters.join(", "))?;
        for &node in &nodes[procedure.index()] {
            let marks = marks(program, &loops, procedure, node).join(", ");
            let marks = if marks.is_empty() { marks } else { format!("  ({marks})") };
            writeln!(out, "  {}:{marks}", node.index())?;
            for &edge in &program.node(node).outgoing {
                writeln!(out, "    {}", edge_text(program, pool, edge))?;
            }
        }
    }
    Ok(())
}

fn nodes_by_procedure(program: &Program) -> Vec<Vec<Node>> {
    let mut nodes = vec![Vec::new(); program.procedures().count()];
    for node in program.nodes() {
        nodes[program.node(node).procedure.index()].push(node);
    }
    nodes
}

fn edge_text(program: &Program, pool: &TermPool, edge: Edge) -> String {
    let info = program.edge(edge);
    let label = show_label(program, pool, &info.label).replace('\n', " ");
    format!("-> {}  {label}  @ {}", info.target.index(), program.sources.position(info.span))
}

fn marks(program: &Program, loops: &LoopInfo, procedure: Procedure, node: Node) -> Vec<&'static str> {
    let info = program.procedure(procedure);
    let data = program.node(node);
    let mut marks = Vec::new();
    if node == info.entry {
        marks.push("entry");
    }
    if node == info.exit {
        marks.push("exit");
    } else if data.outgoing.is_empty() && data.error.is_none() {
        marks.push("end");
    }
    if loops.is_loop_head(node) {
        marks.push("loop head");
    }
    if data.error.is_some() {
        marks.push("error");
    }
    marks
}

fn node_attributes(program: &Program, loops: &LoopInfo, procedure: Procedure, node: Node) -> String {
    let marks = marks(program, loops, procedure, node);
    let mut attributes = vec![format!("label=\"{}\"", node.index())];
    for mark in &marks {
        attributes.push(match *mark {
            "entry" | "exit" => "shape=box".into(),
            "loop head" => "peripheries=2".into(),
            "error" => "style=filled, fillcolor=red, fontcolor=white".into(),
            _ => "style=filled, fillcolor=lightgray".into(),
        });
    }
    if !marks.is_empty() {
        attributes.push(format!("tooltip=\"{}\"", marks.join(", ")));
    }
    attributes.join(", ")
}

/// Breaks a long label at blanks.
fn wrap(text: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > LABEL_WIDTH {
            out.push('\n');
            width = 0;
        } else if !out.is_empty() {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
    }
    out
}

/// The text as it must stand between double quotes in DOT.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Label;
    use crate::testing::Sketch;

    fn sample() -> (Program, TermPool) {
        let mut sketch = Sketch::new("x = input();\nwhile (x < 10)\n  x++;\nasm(\"a\\n\");\n");
        let main = sketch.procedure("main");
        let x = sketch.int(Some(main), "x");
        let head = sketch.havoc(sketch.entry(main), x, 1);
        let (less, more) = (sketch.less(x, 10), sketch.plus(x, 1));
        let (body, after) = sketch.branch(head, less, 2);
        let end = sketch.assign(body, x, more, 3);
        sketch.go(end, head, 3);
        let next = sketch.step(after, Label::Unsupported("asm(\"a\\n\")".into()), 4);
        sketch.error(next, 4);
        sketch.finish(main)
    }

    fn text(write: fn(&Program, &TermPool, &mut dyn Write) -> io::Result<()>) -> String {
        let (program, pool) = sample();
        let mut out = Vec::new();
        write(&program, &pool, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_graph_marks_heads_and_errors_and_escapes_labels() {
        let dot = text(write_dot);
        assert!(dot.starts_with("digraph program {"), "{dot}");
        assert!(dot.contains("subgraph cluster_0"), "{dot}");
        assert!(dot.contains("n0 [label=\"0\", shape=box, tooltip=\"entry\"]"), "{dot}");
        assert!(dot.contains("n2 [label=\"2\", peripheries=2, tooltip=\"loop head\"]"), "{dot}");
        assert_eq!(dot.matches("fillcolor=red").count(), 1, "{dot}");
        assert!(dot.contains("n2 -> n3 [label=\"[x < 10]\\nline 2\"]"), "{dot}");
        assert!(dot.contains("[label=\"unsupported: asm(\\\"a\\\\n\\\")\\nline 4\"]"), "{dot}");
    }

    #[test]
    fn the_text_lists_edges_with_positions() {
        let text = text(write_text);
        assert!(text.contains("  2:  (loop head)\n    -> 3  [x < 10]  @ test.c:2:1\n"), "{text}");
        assert!(text.contains("x := x + 1  @ test.c:3:3"), "{text}");
        assert!(text.contains("(error)"), "{text}");
    }

    #[test]
    fn long_labels_are_broken_at_blanks() {
        let long = "word ".repeat(30);
        let wrapped = wrap(long.trim_end());
        assert!(wrapped.lines().all(|line| line.len() <= LABEL_WIDTH), "{wrapped}");
        assert_eq!(wrapped.replace('\n', " "), long.trim_end());
    }
}
