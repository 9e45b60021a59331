//! Calls of a procedure by itself that are the last thing it does, as jumps to its beginning.
//!
//! An unfolded recursion has a location of its own for each depth. As a loop it has one, at which engines can find out what
//! holds whatever the depth is.

use crate::builder::ProgramBuilder;
use crate::program::{Call, Edge, Label, Node, Op, Procedure, Program, Var};
use aster_term::TermPool;

/// The program with jumps in place of such calls; `None` if there are none.
///
/// It asks for the same inputs in the same order and reaches the same errors. Edges keep their numbers.
pub fn tail_calls_as_jumps(program: &Program, pool: &mut TermPool) -> Option<Program> {
    let calls: Vec<Edge> = program.edges().filter(|&edge| is_tail_call(program, edge)).collect();
    if calls.is_empty() {
        return None;
    }
    let mut builder = ProgramBuilder::of(program);
    // Where the body of each such procedure begins: an entry has no incoming edges.
    let mut bodies: Vec<(Procedure, Node)> = Vec::new();
    for edge in calls {
        let info = program.edge(edge);
        let Label::Call(call) = &info.label else { continue };
        let known = bodies.iter().find(|(procedure, _)| *procedure == call.procedure);
        let body = known.map(|&(_, body)| body).unwrap_or_else(|| {
            let entry = program.procedure(call.procedure).entry;
            let body = builder.split(entry);
            let span =
                program.node(entry).outgoing.first().map_or(info.span, |&edge| program.edge(edge).span);
            builder.add_edge(entry, body, Label::Op(Op::Assume(pool.bool(true))), span);
            bodies.push((call.procedure, body));
            body
        });
        jump(program, &mut builder, pool, edge, call, body);
    }
    let mut result = builder.finish(program.sources.clone(), program.entry);
    result.stands_for(program);
    Some(result)
}

/// True for a call of a procedure by itself after which only its result is handed on.
fn is_tail_call(program: &Program, edge: Edge) -> bool {
    let info = program.edge(edge);
    let Label::Call(call) = &info.label else { return false };
    if program.node(info.source).procedure != call.procedure {
        return false;
    }
    let procedure = program.procedure(call.procedure);
    // The variables that hold what the call gave.
    let mut holders: Vec<Var> = Vec::from_iter(call.result);
    if holders.iter().any(|&variable| program.variable(variable).owner.is_none()) {
        return false;
    }
    let mut node = info.target;
    // Longer than any path without repetition.
    for _ in 0..program.edges.len() {
        if node == procedure.exit {
            return procedure.result.is_none_or(|result| holders.contains(&result));
        }
        let &[next] = program.node(node).outgoing.as_slice() else { return false };
        if program.node(node).error.is_some() {
            return false;
        }
        let Label::Op(Op::Assign(variable, term)) = program.edge(next).label else { return false };
        if program.variable(variable).owner.is_none() {
            return false;
        }
        let holds = program.variable_of_term(term).is_some_and(|other| holders.contains(&other));
        holders.retain(|&other| other != variable);
        if holds {
            holders.push(variable);
        }
        node = program.edge(next).target;
    }
    false
}

/// Assigns the arguments of a call to the parameters, all at once, and goes on at the beginning.
fn jump(
    program: &Program,
    builder: &mut ProgramBuilder,
    pool: &mut TermPool,
    edge: Edge,
    call: &Call,
    body: Node,
) {
    let (procedure, span) = (program.procedure(call.procedure), program.edge(edge).span);
    let mut assignments = Vec::new();
    let mut from_temporaries = Vec::new();
    for (&parameter, &argument) in procedure.parameters.iter().zip(&call.arguments) {
        let info = program.variable(parameter);
        if argument == info.term {
            continue;
        }
        let name = format!("<next {}>", info.name);
        let temporary = builder.add_variable(pool, name, info.sort, Some(call.procedure), None);
        assignments.push(Op::Assign(temporary, argument));
        from_temporaries.push(Op::Assign(parameter, builder.variable(temporary).term));
    }
    assignments.append(&mut from_temporaries);
    builder.set_label(edge, Label::Op(Op::Assume(pool.bool(true))));
    let mut node = builder.add_node(call.procedure);
    builder.set_target(edge, node);
    let last = assignments.len().saturating_sub(1);
    if assignments.is_empty() {
        assignments.push(Op::Assume(pool.bool(true)));
    }
    for (position, operation) in assignments.into_iter().enumerate() {
        let target = if position == last { body } else { builder.add_node(call.procedure) };
        builder.add_edge(node, target, Label::Op(operation), span);
        node = target;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpreter::{End, Interpreter, RunLimits, Unwatched};
    use crate::testing::{Sketch, int_value};

    const TEXT: &str = "int f(int x, int y) {\nif (x < 1) return y;\nreturn f(y, x - 1);\n}\nif (f(input(), input()) < 5) error();\n";

    /// `f`, which exchanges its arguments when it calls itself, and what is done with the result of that call.
    fn program(after_call: impl FnOnce(&mut Sketch, Procedure, Var, Node) -> Node) -> (Program, TermPool) {
        let mut sketch = Sketch::new(TEXT);
        let (main, f) = (sketch.procedure("main"), sketch.procedure("f"));
        let [x, y, result, given] = ["x", "y", "result", "given"].map(|name| sketch.int(Some(f), name));
        sketch.builder.set_signature(f, vec![x, y], Some(result));
        let small = sketch.less(x, 1);
        let (ends, goes_on) = sketch.branch(sketch.entry(f), small, 2);
        let y_term = sketch.term(y);
        let ended = sketch.assign(ends, result, y_term, 2);
        sketch.go(ended, sketch.exit(f), 2);
        let arguments = vec![y_term, sketch.plus(x, -1)];
        let call = Label::Call(Call { procedure: f, arguments, result: Some(given) });
        let called = sketch.step(goes_on, call, 3);
        let last = after_call(&mut sketch, f, given, called);
        let given_term = sketch.term(given);
        sketch.edge(last, sketch.exit(f), Label::Op(Op::Assign(result, given_term)), 3);
        let [a, b, c] = ["a", "b", "c"].map(|name| sketch.int(Some(main), name));
        let start = sketch.havoc(sketch.entry(main), a, 5);
        let start = sketch.havoc(start, b, 5);
        let arguments = vec![sketch.term(a), sketch.term(b)];
        let called = sketch.step(start, Label::Call(Call { procedure: f, arguments, result: Some(c) }), 5);
        let small = sketch.less(c, 5);
        let (then, otherwise) = sketch.branch(called, small, 5);
        sketch.error(then, 5);
        sketch.go(otherwise, sketch.exit(main), 5);
        sketch.finish(main)
    }

    fn reaches_error(program: &Program, pool: &TermPool, inputs: [i128; 2]) -> bool {
        let end =
            Interpreter::new(program, pool).run(&inputs.map(int_value), RunLimits::default(), &mut Unwatched);
        matches!(end, End::Error { .. })
    }

    #[test]
    fn a_jump_does_what_the_call_did() {
        let (before, mut pool) = program(|_, _, _, node| node);
        let after = tail_calls_as_jumps(&before, &mut pool).expect("a tail call");
        assert!(after.validate(&pool).is_empty());
        let calls = |program: &Program| {
            program.edges().filter(|&edge| matches!(program.edge(edge).label, Label::Call(_))).count()
        };
        assert_eq!((calls(&before), calls(&after)), (2, 1));
        for x in -2..6 {
            for y in -2..9 {
                let [one, other] = [&before, &after].map(|program| reaches_error(program, &pool, [x, y]));
                assert_eq!(one, other, "f({x}, {y})");
            }
        }
    }

    #[test]
    fn a_call_whose_result_is_changed_stays() {
        let (program, mut pool) = program(|sketch, _, given, node| {
            let more = sketch.plus(given, 1);
            sketch.assign(node, given, more, 3)
        });
        assert!(tail_calls_as_jumps(&program, &mut pool).is_none());
    }

    #[test]
    fn a_call_before_a_change_of_global_variables_stays() {
        let (program, mut pool) = program(|sketch, _, _, node| {
            let global = sketch.int(None, "global");
            let one = sketch.number(1);
            sketch.assign(node, global, one, 3)
        });
        assert!(tail_calls_as_jumps(&program, &mut pool).is_none());
    }
}
