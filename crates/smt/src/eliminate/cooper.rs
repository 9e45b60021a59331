//! Elimination of one variable from a formula in normal form.

use super::EliminationError;
use super::normal::{Literal, Node, Normal, Relation};
use aster_term::{LinearSum, Rational, Sort, Term, TermPool};
use std::collections::BTreeSet;

/// Formulas with at most so many disjuncts in disjunctive form are eliminated disjunct by disjunct.
const MAX_CASES: usize = 64;

/// How many instances of a formula, counted in nodes, make up the result.
const MAX_INSTANCES: i64 = 200_000;

/// A conjunction: what does not mention the variable, and what does.
#[derive(Clone, Default)]
struct Case {
    fixed: Vec<Term>,
    literals: Vec<Literal>,
}

pub(super) fn eliminate(pool: &mut TermPool, normal: Normal) -> Result<Term, EliminationError> {
    let Some(cases) = cases(&normal) else { return instantiate(pool, &normal.nodes) };
    let mut result = pool.bool(false);
    for case in cases {
        let mut found = conjunction(pool, &case.literals)?;
        for fixed in case.fixed {
            found = pool.and(fixed, found);
        }
        result = pool.or(result, found);
    }
    Ok(result)
}

/// The disjunctive form, if it is small.
fn cases(normal: &Normal) -> Option<Vec<Case>> {
    let mut forms: Vec<Option<Vec<Case>>> = Vec::with_capacity(normal.nodes.len());
    for node in &normal.nodes {
        let form = match node {
            Node::Fixed(term) => Some(vec![Case { fixed: vec![*term], literals: Vec::new() }]),
            Node::Literal(literal) => Some(vec![Case { fixed: Vec::new(), literals: vec![literal.clone()] }]),
            Node::Or([a, b]) => match (&forms[*a], &forms[*b]) {
                (Some(a), Some(b)) if a.len() + b.len() <= MAX_CASES => Some([&a[..], b].concat()),
                _ => None,
            },
            Node::And([a, b]) => match (&forms[*a], &forms[*b]) {
                (Some(a), Some(b)) if a.len() * b.len() <= MAX_CASES => {
                    let both = |x: &Case, y: &Case| Case {
                        fixed: [&x.fixed[..], &y.fixed].concat(),
                        literals: [&x.literals[..], &y.literals].concat(),
                    };
                    Some(a.iter().flat_map(|x| b.iter().map(move |y| both(x, y))).collect())
                }
                _ => None,
            },
        };
        forms.push(form);
    }
    forms.pop().flatten()
}

/// Eliminates the variable from a conjunction of literals.
fn conjunction(pool: &mut TermPool, literals: &[Literal]) -> Result<Term, EliminationError> {
    let equation = literals
        .iter()
        .filter(|literal| literal.relation == Relation::Equal)
        .min_by(|a, b| a.coefficient.cmp(&b.coefficient));
    if let Some(equation) = equation {
        return Ok(substitute(pool, equation, literals));
    }
    if let Some(resolved) = resolve(pool, literals) {
        return Ok(resolved);
    }
    let mut nodes: Vec<Node> = vec![Node::Literal(literals[0].clone())];
    for literal in &literals[1..] {
        let whole = nodes.len() - 1;
        nodes.push(Node::Literal(literal.clone()));
        nodes.push(Node::And([whole, nodes.len() - 1]));
    }
    instantiate(pool, &nodes)
}

/// `a * x = t` and literals: `a` divides `t`, and the literals, multiplied by `a`, hold of `t`.
fn substitute(pool: &mut TermPool, equation: &Literal, literals: &[Literal]) -> Term {
    let factor = &equation.coefficient;
    let mut result = divides(pool, factor, &equation.sum, false);
    for literal in literals {
        let sum = equation.sum.scaled(&literal.coefficient);
        let other = literal.sum.scaled(factor);
        let stated = match literal.relation {
            Relation::Divides { negated } => {
                let sum = sum.plus(&other, &Rational::ONE);
                divides(pool, &(&literal.modulus * factor), &sum, negated)
            }
            relation => compare(pool, relation, &sum, &other),
        };
        result = pool.and(result, stated);
    }
    result
}

/// Bounds only, of which all lower or all upper ones have the coefficient one: each lower one is at most each upper one.
fn resolve(pool: &mut TermPool, literals: &[Literal]) -> Option<Term> {
    let is = |relation| move |literal: &&Literal| literal.relation == relation;
    let lower: Vec<&Literal> = literals.iter().filter(is(Relation::AtLeast)).collect();
    let upper: Vec<&Literal> = literals.iter().filter(is(Relation::AtMost)).collect();
    if lower.is_empty() || upper.is_empty() {
        // One direction is free: as far as there are only bounds and exceptions, some value is right.
        let is_free =
            literals.iter().all(|l| !matches!(l.relation, Relation::Divides { .. } | Relation::Equal));
        return is_free.then(|| pool.bool(true));
    }
    let has_units = |side: &[&Literal]| side.iter().all(|literal| literal.coefficient.is_one());
    if lower.len() + upper.len() != literals.len() || !has_units(&lower) && !has_units(&upper) {
        return None;
    }
    let mut result = pool.bool(true);
    for low in &lower {
        for high in &upper {
            let (a, b) = (low.sum.scaled(&high.coefficient), high.sum.scaled(&low.coefficient));
            let fits = compare(pool, Relation::AtMost, &a, &b);
            result = pool.and(result, fits);
        }
    }
    Some(result)
}

/// The relation between two sums.
fn compare(pool: &mut TermPool, relation: Relation, a: &LinearSum, b: &LinearSum) -> Term {
    let (a, b) = (pool.linear_term(Sort::Int, a), pool.linear_term(Sort::Int, b));
    match relation {
        Relation::AtMost => pool.num_le(a, b),
        Relation::AtLeast => pool.num_ge(a, b),
        Relation::Equal => pool.eq(a, b),
        Relation::Different | Relation::Divides { .. } => pool.ne(a, b),
    }
}

/// Whether a positive number divides a sum.
fn divides(pool: &mut TermPool, modulus: &Rational, sum: &LinearSum, negated: bool) -> Term {
    // Common divisors of the coefficients and the modulus have to divide the constant.
    let common = sum.monomials.iter().fold(modulus.clone(), |common, (_, c)| common.gcd(c));
    let sum = sum.scaled(&common.recip());
    if !sum.constant.is_integer() {
        return pool.bool(negated);
    }
    let modulus = pool.number(Sort::Int, modulus / &common);
    let term = pool.linear_term(Sort::Int, &sum);
    let remainder = pool.int_mod(term, modulus);
    let zero = pool.int(0);
    let divides = pool.eq(remainder, zero);
    if negated { pool.not(divides) } else { divides }
}

/// Where an instance of the variable comes from.
enum Point {
    /// Below all lower bounds (or above all upper ones), in this residue class.
    Infinite(Rational),
    At(LinearSum),
}

/// Cooper's theorem: with coefficients made one, if there is a solution, then one that is arbitrarily small, or one shortly
/// above a lower bound; or else the same with upper bounds, of which there may be fewer.
fn instantiate(pool: &mut TermPool, nodes: &[Node]) -> Result<Term, EliminationError> {
    let mut scale = Rational::ONE;
    for node in nodes {
        if let Node::Literal(literal) = node {
            scale = scale.lcm(&literal.coefficient);
        }
    }
    // y = scale * x, so `scale` divides y.
    let nodes: Vec<Node> = nodes.iter().map(|node| scaled(node, &scale)).collect();
    let mut period = scale.clone();
    let (mut below, mut above): (Vec<LinearSum>, Vec<LinearSum>) = (Vec::new(), Vec::new());
    let mut seen: [BTreeSet<String>; 2] = Default::default();
    let mut add = |side: usize, list: &mut Vec<LinearSum>, sum: &LinearSum, shift: i64| {
        let mut sum = sum.clone();
        sum.constant += &shift.into();
        if seen[side].insert(format!("{sum:?}")) {
            list.push(sum);
        }
    };
    for node in &nodes {
        let Node::Literal(literal) = node else { continue };
        match literal.relation {
            Relation::AtLeast => add(0, &mut below, &literal.sum, -1),
            Relation::AtMost => add(1, &mut above, &literal.sum, 1),
            Relation::Equal => {
                add(0, &mut below, &literal.sum, -1);
                add(1, &mut above, &literal.sum, 1);
            }
            Relation::Different => {
                add(0, &mut below, &literal.sum, 0);
                add(1, &mut above, &literal.sum, 0);
            }
            Relation::Divides { .. } => period = period.lcm(&literal.modulus),
        }
    }
    let upward = below.len() <= above.len();
    let ends = if upward { below } else { above };
    let steps = period.to_i64().ok_or(EliminationError::TooLarge)?;
    let instances = steps.checked_mul(ends.len() as i64 + 1).and_then(|n| n.checked_mul(nodes.len() as i64));
    if instances.is_none_or(|instances| instances > MAX_INSTANCES) {
        return Err(EliminationError::TooLarge);
    }
    let mut result = pool.bool(false);
    for step in 1..=steps {
        let step: Rational = if upward { step.into() } else { (-step).into() };
        let mut points = vec![Point::Infinite(step.clone())];
        for end in &ends {
            let mut point = end.clone();
            point.constant += &step;
            points.push(Point::At(point));
        }
        for point in &points {
            let instance = instance(pool, &nodes, point, &scale, upward);
            result = pool.or(result, instance);
        }
    }
    Ok(result)
}

/// The node with literals about `scale * x`, written with the coefficient one.
fn scaled(node: &Node, scale: &Rational) -> Node {
    let Node::Literal(literal) = node else { return node.clone() };
    let factor = scale / &literal.coefficient;
    Node::Literal(Literal {
        relation: literal.relation,
        coefficient: Rational::ONE,
        sum: literal.sum.scaled(&factor),
        modulus: if matches!(literal.relation, Relation::Divides { .. }) {
            &literal.modulus * &factor
        } else {
            Rational::ONE
        },
    })
}

/// The formula at a point, together with what the scale demands of the point.
fn instance(pool: &mut TermPool, nodes: &[Node], point: &Point, scale: &Rational, upward: bool) -> Term {
    let at = match point {
        Point::Infinite(step) => LinearSum { monomials: Vec::new(), constant: step.clone() },
        Point::At(sum) => sum.clone(),
    };
    let is_infinite = matches!(point, Point::Infinite(_));
    let fits = divides(pool, scale, &at, false);
    if pool.bool_constant(fits) == Some(false) {
        return fits;
    }
    let mut values: Vec<Term> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let value = match node {
            Node::Fixed(term) => *term,
            Node::And([a, b]) => pool.and(values[*a], values[*b]),
            Node::Or([a, b]) => pool.or(values[*a], values[*b]),
            Node::Literal(literal) => match literal.relation {
                Relation::Divides { negated } => {
                    let sum = at.plus(&literal.sum, &Rational::ONE);
                    divides(pool, &literal.modulus, &sum, negated)
                }
                relation if !is_infinite => compare(pool, relation, &at, &literal.sum),
                // Far below, upper bounds hold and lower ones do not; far above, the other way round.
                Relation::AtMost => pool.bool(upward),
                Relation::AtLeast => pool.bool(!upward),
                relation => pool.bool(relation == Relation::Different),
            },
        };
        values.push(value);
    }
    let whole = values.last().copied().unwrap_or(fits);
    pool.and(fits, whole)
}
