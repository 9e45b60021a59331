//! Formulas as conjunctions and disjunctions of literals about one integer variable.

use super::EliminationError;
use aster_term::{LinearSum, Op, Rational, Sort, Term, TermPool};
use rustc_hash::FxHashMap;

/// How many variables, introduced ones included, are eliminated from one formula.
pub(super) const MAX_VARIABLES: usize = 64;

/// Larger formulas are not tried.
const MAX_NODES: usize = 20_000;

/// What a literal says about `coefficient * x` and a sum without `x`; the coefficient is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Relation {
    /// `coefficient * x <= sum`
    AtMost,
    /// `coefficient * x >= sum`
    AtLeast,
    /// `coefficient * x = sum`
    Equal,
    /// `coefficient * x != sum`
    Different,
    /// The modulus divides `coefficient * x + sum`, or does not.
    Divides { negated: bool },
}

/// A literal about the variable.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub(super) relation: Relation,
    pub(super) coefficient: Rational,
    pub(super) sum: LinearSum,
    /// Of divisibility only.
    pub(super) modulus: Rational,
}

/// A node of a formula without negation. Parts stand before what they are part of.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Does not mention the variable.
    Fixed(Term),
    Literal(Literal),
    And([usize; 2]),
    Or([usize; 2]),
}

/// A formula in normal form; the last node is the whole.
pub(super) struct Normal {
    pub(super) nodes: Vec<Node>,
    /// Variables for choices and quotients that the variable occurs in; they are to be eliminated, too.
    pub(super) introduced: Vec<Term>,
}

struct Builder<'a> {
    pool: &'a mut TermPool,
    variable: Term,
    nodes: Vec<Node>,
    done: FxHashMap<(Term, bool), usize>,
    mentions: FxHashMap<Term, bool>,
    introduced: Vec<Term>,
    /// What parts of sums are in terms of introduced variables.
    meanings: FxHashMap<Term, LinearSum>,
    /// What is known about introduced variables.
    facts: Vec<Term>,
}

impl Normal {
    pub(super) fn new(pool: &mut TermPool, variable: Term, formula: Term) -> Result<Self, EliminationError> {
        let mut builder = Builder {
            pool,
            variable,
            nodes: Vec::new(),
            done: FxHashMap::default(),
            mentions: FxHashMap::default(),
            introduced: Vec::new(),
            meanings: FxHashMap::default(),
            facts: Vec::new(),
        };
        let mut root = builder.build(formula)?;
        // Facts about introduced variables may introduce further ones.
        let mut next = 0;
        while next < builder.facts.len() {
            let fact = builder.facts[next];
            next += 1;
            let fact = builder.build(fact)?;
            builder.nodes.push(Node::And([root, fact]));
            root = builder.nodes.len() - 1;
        }
        if root + 1 != builder.nodes.len() {
            let whole = builder.nodes[root].clone();
            builder.nodes.push(whole);
        }
        Ok(Normal { nodes: builder.nodes, introduced: builder.introduced })
    }
}

impl Builder<'_> {
    fn mentions(&mut self, term: Term) -> bool {
        if let Some(&known) = self.mentions.get(&term) {
            return known;
        }
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            let before = stack.len();
            let args = self.pool.args(current);
            stack.extend(args.iter().filter(|arg| !self.mentions.contains_key(arg)));
            if stack.len() == before {
                let is_mentioned = current == self.variable || args.iter().any(|arg| self.mentions[arg]);
                self.mentions.insert(current, is_mentioned);
                stack.pop();
            }
        }
        self.mentions[&term]
    }

    fn build(&mut self, formula: Term) -> Result<usize, EliminationError> {
        let mut stack = vec![(formula, true)];
        while let Some(&(term, positive)) = stack.last() {
            if self.done.contains_key(&(term, positive)) {
                stack.pop();
                continue;
            }
            if self.nodes.len() > MAX_NODES {
                return Err(EliminationError::TooLarge);
            }
            let before = stack.len();
            if let Some(node) = self.step(term, positive, &mut stack)? {
                self.nodes.push(node);
                self.done.insert((term, positive), self.nodes.len() - 1);
                stack.pop();
            } else if stack.len() == before {
                return Err(EliminationError::NotLinear);
            }
        }
        Ok(self.done[&(formula, true)])
    }

    /// The node of a term whose parts are there, or `None` after pushing those that are not.
    fn step(
        &mut self,
        term: Term,
        positive: bool,
        stack: &mut Vec<(Term, bool)>,
    ) -> Result<Option<Node>, EliminationError> {
        if !self.mentions(term) {
            let fixed = if positive { term } else { self.pool.not(term) };
            return Ok(Some(Node::Fixed(fixed)));
        }
        let args = self.pool.args(term).to_vec();
        let is_bool = args.first().is_some_and(|&arg| self.pool.sort(arg) == Sort::Bool);
        let replacement = match (self.pool.op(term), &args[..]) {
            (Op::Not, &[a]) => return Ok(self.same(a, !positive, stack)),
            (op @ (Op::And | Op::Or), &[a, b]) => {
                let parts = [(a, positive), (b, positive)];
                let missing: Vec<_> = parts.iter().copied().filter(|p| !self.done.contains_key(p)).collect();
                if !missing.is_empty() {
                    stack.extend(missing);
                    return Ok(None);
                }
                let parts = parts.map(|part| self.done[&part]);
                return Ok(Some(if (op == Op::And) == positive {
                    Node::And(parts)
                } else {
                    Node::Or(parts)
                }));
            }
            (Op::Eq, &[a, b]) if is_bool => self.decide(a, b, true),
            (Op::Xor, &[a, b]) => self.decide(a, b, false),
            (Op::Ite, &[c, a, b]) => self.choose(c, a, b),
            (Op::NumLe | Op::NumLt | Op::Eq, &[a, b]) => match self.choice_within(a, b) {
                Some((choice, c, x, y)) => {
                    // The comparison under each of the two conditions.
                    let (then, otherwise) = (self.replace(term, choice, x), self.replace(term, choice, y));
                    self.choose(c, then, otherwise)
                }
                None => return self.literal(term, positive).map(Some),
            },
            _ => return Err(EliminationError::NotLinear),
        };
        Ok(self.same(replacement, positive, stack))
    }

    /// The node of an equal formula, once it is there.
    fn same(&mut self, term: Term, positive: bool, stack: &mut Vec<(Term, bool)>) -> Option<Node> {
        match self.done.get(&(term, positive)) {
            Some(&node) => Some(self.nodes[node].clone()),
            None => {
                stack.push((term, positive));
                None
            }
        }
    }

    /// `(c and a) or (not c and b)`, left as it is made: the constructors would give the choice back.
    fn choose(&mut self, c: Term, a: Term, b: Term) -> Term {
        let other = self.pool.not(c);
        let (then, otherwise) =
            (self.pool.apply_raw(Op::And, &[c, a]), self.pool.apply_raw(Op::And, &[other, b]));
        self.pool.apply_raw(Op::Or, &[then, otherwise])
    }

    /// Whether two Booleans are equal, or whether they differ.
    fn decide(&mut self, a: Term, b: Term, equal: bool) -> Term {
        let negated = self.pool.not(b);
        if equal { self.choose(a, b, negated) } else { self.choose(a, negated, b) }
    }

    /// A choice between numbers that mentions the variable and lies within the sides of a comparison, under sums only.
    fn choice_within(&mut self, a: Term, b: Term) -> Option<(Term, Term, Term, Term)> {
        for side in [a, b] {
            for (part, _) in self.pool.linear_sum(side).monomials {
                if self.pool.op(part) == Op::Ite && self.mentions(part) {
                    let args = self.pool.args(part);
                    return Some((part, args[0], args[1], args[2]));
                }
            }
        }
        None
    }

    /// The comparison with a part of its sums replaced.
    fn replace(&mut self, comparison: Term, part: Term, by: Term) -> Term {
        let (op, sides) = (self.pool.op(comparison), self.pool.args(comparison).to_vec());
        let mut replaced = Vec::with_capacity(2);
        for side in sides {
            let sort = self.pool.sort(side);
            let sum = self.pool.linear_sum(side);
            let factor = sum.coefficient(part);
            let rest = sum.plus(&unknown(part), &-&factor);
            let rest = rest.plus(&self.pool.linear_sum(by), &factor);
            replaced.push(self.pool.linear_term(sort, &rest));
        }
        self.pool.apply(op, &replaced)
    }

    /// A comparison that mentions the variable.
    fn literal(&mut self, term: Term, positive: bool) -> Result<Node, EliminationError> {
        let op = self.pool.op(term);
        let (a, b) = (self.pool.args(term)[0], self.pool.args(term)[1]);
        if op == Op::Eq
            && let Some((dividend, modulus)) = self.divisibility(a, b)
        {
            let (coefficient, sum) = self.linear(&dividend)?;
            if coefficient.is_zero() {
                let (rest, modulus) =
                    (self.pool.linear_term(Sort::Int, &sum), self.pool.number(Sort::Int, modulus));
                let (remainder, zero) = (self.pool.int_mod(rest, modulus), self.pool.int(0));
                let divides = self.pool.eq(remainder, zero);
                return Ok(Node::Fixed(if positive { divides } else { self.pool.not(divides) }));
            }
            // A number and its negation have the same divisors.
            let sum = if coefficient.is_negative() { sum.scaled(&-Rational::ONE) } else { sum };
            let relation = Relation::Divides { negated: !positive };
            return Ok(Node::Literal(Literal { relation, coefficient: coefficient.abs(), sum, modulus }));
        }
        let difference = self.pool.linear_sum(a).plus(&self.pool.linear_sum(b), &-Rational::ONE);
        // coefficient * x + sum is compared with zero; all parts are integers, so scaling makes everything whole.
        let difference = difference.scaled(&difference.primitive_factor());
        let (coefficient, sum) = self.linear(&difference)?;
        if coefficient.is_zero() {
            return Ok(Node::Fixed(self.compare_with_zero(op, &sum, positive)));
        }
        let mut limit = sum.scaled(&-Rational::ONE);
        if coefficient.is_negative() {
            limit = limit.scaled(&-Rational::ONE);
        }
        let is_upper = coefficient.is_positive() == positive;
        let is_whole = limit.constant.is_integer();
        let relation = match op {
            Op::Eq if !is_whole => {
                let truth = self.pool.bool(!positive);
                return Ok(Node::Fixed(truth));
            }
            Op::Eq if positive => Relation::Equal,
            Op::Eq => Relation::Different,
            _ if is_upper => Relation::AtMost,
            _ => Relation::AtLeast,
        };
        if op != Op::Eq {
            // Strict: `<` as it is, or a negated `<=`.
            let is_strict = (op == Op::NumLt) == positive;
            limit.constant = match (is_upper, is_strict) {
                (true, false) => limit.constant.floor(),
                (true, true) => &limit.constant.ceil() - &Rational::ONE,
                (false, false) => limit.constant.ceil(),
                (false, true) => &limit.constant.floor() + &Rational::ONE,
            };
        }
        let modulus = Rational::ONE;
        Ok(Node::Literal(Literal { relation, coefficient: coefficient.abs(), sum: limit, modulus }))
    }

    /// The comparison of a sum that does not mention the variable with zero.
    fn compare_with_zero(&mut self, op: Op, sum: &LinearSum, positive: bool) -> Term {
        // The constant need not be whole.
        let multiple = sum.constant.denominator();
        let sum = self.pool.linear_term(Sort::Int, &sum.scaled(&multiple));
        let zero = self.pool.int(0);
        let atom = self.pool.apply(op, &[sum, zero]);
        if positive { atom } else { self.pool.not(atom) }
    }

    /// What is divided by what, if the equality says that a remainder by a literal has a value that it can have. The
    /// value is subtracted.
    fn divisibility(&mut self, a: Term, b: Term) -> Option<(LinearSum, Rational)> {
        let value = self.pool.rational_constant(b)?.clone();
        let (Op::IntMod, &[dividend, modulus]) = (self.pool.op(a), self.pool.args(a)) else { return None };
        let modulus = self.pool.rational_constant(modulus)?.clone();
        if !modulus.is_positive() || value.is_negative() || value >= modulus {
            return None;
        }
        let mut sum = self.pool.linear_sum(dividend);
        sum.constant -= &value;
        Some((sum, modulus))
    }

    /// The coefficient of the variable and the rest of a sum. Choices, quotients and remainders that mention the variable
    /// are replaced by introduced variables.
    fn linear(&mut self, sum: &LinearSum) -> Result<(Rational, LinearSum), EliminationError> {
        let mut rest = LinearSum { monomials: Vec::new(), constant: sum.constant.clone() };
        let mut open = sum.monomials.clone();
        while let Some((part, factor)) = open.pop() {
            if self.pool.sort(part) != Sort::Int {
                return Err(EliminationError::NotLinear);
            }
            if part != self.variable && self.mentions(part) {
                let replaced = self.introduce(part)?.scaled(&factor);
                rest.constant += &replaced.constant;
                open.extend(replaced.monomials);
            } else {
                rest = rest.plus(&unknown(part), &factor);
            }
        }
        let coefficient = rest.coefficient(self.variable);
        rest.monomials.retain(|(part, _)| *part != self.variable);
        Ok((coefficient, rest))
    }

    /// What a choice, or a quotient or remainder by a literal, is in terms of a new variable.
    fn introduce(&mut self, part: Term) -> Result<LinearSum, EliminationError> {
        if let Some(known) = self.meanings.get(&part) {
            return Ok(known.clone());
        }
        if self.introduced.len() >= MAX_VARIABLES {
            return Err(EliminationError::TooLarge);
        }
        let args = self.pool.args(part).to_vec();
        let meaning = match (self.pool.op(part), &args[..]) {
            (Op::Ite, &[condition, a, b]) => {
                let value = self.fresh();
                let (is_a, is_b) = (self.pool.eq(value, a), self.pool.eq(value, b));
                let fact = self.choose(condition, is_a, is_b);
                self.facts.push(fact);
                unknown(value)
            }
            (op @ (Op::IntDiv | Op::IntMod), &[dividend, divisor]) => {
                let literal = self.pool.rational_constant(divisor).filter(|divisor| divisor.is_positive());
                let Some(factor) = literal.cloned() else { return Err(EliminationError::NotLinear) };
                let quotient = self.fresh();
                // 0 <= remainder < divisor; what the dividend mentions is taken care of when this is built in turn.
                let remainder = self.pool.linear_sum(dividend).plus(&unknown(quotient), &-&factor);
                let term = self.pool.linear_term(Sort::Int, &remainder);
                let zero = self.pool.int(0);
                let (lower, upper) = (self.pool.num_le(zero, term), self.pool.num_lt(term, divisor));
                self.facts.extend([lower, upper]);
                if op == Op::IntDiv { unknown(quotient) } else { remainder }
            }
            _ => return Err(EliminationError::NotLinear),
        };
        self.meanings.insert(part, meaning.clone());
        Ok(meaning)
    }

    fn fresh(&mut self) -> Term {
        let variable = self.pool.fresh_variable("eliminated", Sort::Int);
        self.introduced.push(variable);
        variable
    }
}

fn unknown(term: Term) -> LinearSum {
    LinearSum { monomials: vec![(term, Rational::ONE)], constant: Rational::ZERO }
}
