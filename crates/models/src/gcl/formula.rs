//! Terms in the syntax of guarded commands.

use super::conjunction;
use super::system::{Domain, System};
use aster_term::{LinearSum, Op, Rational, Sort, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// A term can be much longer as a tree than it is with its parts shared; texts that get longer are cut.
const MAX_LENGTH: usize = 100_000;

/// How tightly operators bind, as in the grammar.
mod level {
    pub const ANY: u8 = 0;
    pub const EQUIVALENCE: u8 = 1;
    pub const IMPLICATION: u8 = 2;
    pub const OR: u8 = 3;
    pub const AND: u8 = 4;
    pub const NOT: u8 = 5;
    pub const RELATION: u8 = 6;
    pub const SUM: u8 = 7;
    pub const PRODUCT: u8 = 8;
    pub const FACTOR: u8 = 9;
}

/// Writes terms over the variables of a system as its language does.
///
/// ```
/// use aster_models::gcl::{self, Formulas};
/// let mut pool = aster_term::TermPool::new();
/// let text = "var x: int\nvar pc: {a, b}\nerror x - 1 >= 2 and pc = b\n";
/// let system = gcl::load(&mut pool, "m.gcl", text, &[]).unwrap();
/// assert_eq!(Formulas::new(&system).show(&pool, system.error), "x >= 3 and pc = b");
/// ```
pub struct Formulas<'a> {
    system: &'a System,
    /// Positions of variables by their terms.
    positions: FxHashMap<Term, usize>,
}

/// What is still to be written.
pub(super) enum Item {
    Text(&'static str),
    Number(Rational),
    Term(Place),
}

/// A term where it stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    term: Term,
    /// Operators that bind less tightly need parentheses.
    level: u8,
    is_negated: bool,
    /// Numbers are codes of names.
    is_named: bool,
}

impl Place {
    /// A conjunct, or the opposite of one.
    pub(super) fn conjunct(term: Term, is_negated: bool) -> Self {
        Place { is_negated, ..Place::new(term, level::AND) }
    }

    fn new(term: Term, level: u8) -> Self {
        Place { term, level, is_negated: false, is_named: false }
    }

    /// Another term with the same reading.
    fn part(self, term: Term, level: u8) -> Item {
        Item::Term(Place { term, level, ..self })
    }
}

impl<'a> Formulas<'a> {
    /// For the variables of this system.
    pub fn new(system: &'a System) -> Self {
        let positions = system.variables.iter().enumerate().map(|(i, variable)| (variable.term, i));
        Formulas { system, positions: positions.collect() }
    }

    /// A term as an expression. What is about integers is brought into a form that is easy to read: `a - b <= -1` is
    /// `a < b`.
    pub fn show(&self, pool: &TermPool, term: Term) -> String {
        self.write(pool, vec![Item::Term(Place::new(term, level::ANY))])
    }

    /// A conjunction of many comparisons, such as an abstract state: what is about names and truth values first, then the
    /// tightest bounds of each sum.
    pub fn show_conjunction(&self, pool: &TermPool, term: Term) -> String {
        self.write(pool, conjunction::parts(self, pool, term))
    }

    /// What is assigned to a variable, as an expression.
    pub(super) fn show_assigned(&self, pool: &TermPool, variable: usize, term: Term) -> String {
        let is_named = matches!(self.system.variables[variable].domain, Domain::Enumeration(_));
        self.write(pool, vec![Item::Term(Place { is_named, ..Place::new(term, level::ANY) })])
    }

    /// Writes items, the first one first.
    pub(super) fn write(&self, pool: &TermPool, mut stack: Vec<Item>) -> String {
        let mut text = String::new();
        stack.reverse();
        while let Some(item) = stack.pop() {
            match item {
                Item::Text(part) => text.push_str(part),
                Item::Number(number) => text.push_str(&number.to_string()),
                Item::Term(place) => {
                    let mut parts = Vec::new();
                    let own = self.parts(pool, place, &mut text, &mut parts);
                    if own < place.level {
                        text.push('(');
                        stack.push(Item::Text(")"));
                    }
                    stack.extend(parts.into_iter().rev());
                }
            }
            if text.len() > MAX_LENGTH {
                text.push('…');
                break;
            }
        }
        text
    }

    /// Takes a term apart; gives how tightly its operator binds. What has no parts is written at once.
    fn parts(&self, pool: &TermPool, place: Place, text: &mut String, parts: &mut Vec<Item>) -> u8 {
        let Place { term, is_negated, is_named, .. } = place;
        let args = pool.args(term);
        match pool.op(term) {
            Op::Variable(_) if is_negated => {
                parts.extend([Item::Text("not "), Item::Term(Place::new(term, level::RELATION))]);
                level::NOT
            }
            Op::Variable(_) => {
                text.push_str(match self.positions.get(&term) {
                    Some(&position) => &self.system.variables[position].name,
                    None => pool.variable_name(term).unwrap_or("?"),
                });
                level::FACTOR
            }
            Op::BoolConst(truth) => {
                text.push_str(if truth != is_negated { "true" } else { "false" });
                level::FACTOR
            }
            Op::NumberConst(_) if is_named => {
                let code = pool.rational_constant(term).and_then(Rational::to_i64);
                let name = code.and_then(|code| self.system.names.get(usize::try_from(code).ok()?));
                text.push_str(name.map_or("?", String::as_str));
                level::FACTOR
            }
            Op::Not => {
                // Whatever is negated sees to its own parentheses.
                parts.push(Item::Term(Place { term: args[0], is_negated: !is_negated, ..place }));
                level::FACTOR
            }
            Op::And | Op::Or => {
                let is_and = (pool.op(term) == Op::And) != is_negated;
                let (word, own) = if is_and { (" and ", level::AND) } else { (" or ", level::OR) };
                parts.extend([place.part(args[0], own), Item::Text(word), place.part(args[1], own)]);
                own
            }
            Op::Xor => self.equivalence(args, !is_negated, parts),
            Op::Eq if pool.sort(args[0]) == Sort::Bool => self.equivalence(args, is_negated, parts),
            Op::Eq | Op::NumLe | Op::NumLt => self.relation(pool, place, parts),
            Op::Ite => {
                let condition = Item::Term(Place::new(args[0], level::ANY));
                parts.extend([Item::Text("if "), condition]);
                parts.extend([Item::Text(" then "), place.part(args[1], level::ANY)]);
                parts.extend([Item::Text(" else "), place.part(args[2], level::ANY)]);
                level::ANY
            }
            op @ (Op::IntDiv | Op::IntMod) => {
                let word = if op == Op::IntDiv { " div " } else { " mod " };
                let (left, right) = (place.part(args[0], level::PRODUCT), place.part(args[1], level::FACTOR));
                parts.extend([left, Item::Text(word), right]);
                level::PRODUCT
            }
            _ => {
                let sum = pool.linear_sum(term);
                if sum.monomials.iter().any(|&(part, _)| part == term) {
                    // Nothing that the language has a word for.
                    text.push_str(&pool.op(term).smtlib_name());
                    parts.push(Item::Text("("));
                    for (position, &arg) in args.iter().enumerate() {
                        parts.extend((position > 0).then_some(Item::Text(", ")));
                        parts.push(place.part(arg, level::ANY));
                    }
                    parts.push(Item::Text(")"));
                    return level::FACTOR;
                }
                sum_parts(&sum, parts)
            }
        }
    }

    fn equivalence(&self, args: &[Term], is_negated: bool, parts: &mut Vec<Item>) -> u8 {
        let left = Place::new(args[0], level::IMPLICATION);
        let right = Place { is_negated, ..Place::new(args[1], level::IMPLICATION) };
        parts.extend([Item::Term(left), Item::Text(" <=> "), Item::Term(right)]);
        level::EQUIVALENCE
    }

    fn relation(&self, pool: &TermPool, place: Place, parts: &mut Vec<Item>) -> u8 {
        let (op, is_negated) = (pool.op(place.term), place.is_negated);
        let (a, b) = (pool.args(place.term)[0], pool.args(place.term)[1]);
        if self.is_name(pool, a) || self.is_name(pool, b) {
            let (a, b) = if pool.constant(a).is_some() { (b, a) } else { (a, b) };
            let side = |term| Item::Term(Place { is_named: true, ..Place::new(term, level::SUM) });
            let word = match (op, is_negated) {
                (Op::Eq, false) => " = ",
                (Op::Eq, true) => " != ",
                (Op::NumLe, false) => " <= ",
                (Op::NumLe, true) => " > ",
                (_, false) => " < ",
                (_, true) => " >= ",
            };
            parts.extend([side(a), Item::Text(word), side(b)]);
            return level::RELATION;
        }
        let (sum, comparison) = integer_comparison(pool, place.term, is_negated);
        comparison_parts(sum, comparison, parts);
        level::RELATION
    }

    /// True if a term has names as its values.
    pub(super) fn is_name(&self, pool: &TermPool, term: Term) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(&position) = self.positions.get(&term) {
                return matches!(self.system.variables[position].domain, Domain::Enumeration(_));
            }
            if pool.op(term) == Op::Ite {
                stack.extend(&pool.args(term)[1..]);
            }
        }
        false
    }
}

/// How a sum compares with zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    /// At most zero.
    AtMost,
}

/// A comparison of integers, or the opposite of one, as the comparison of a sum with zero.
pub(super) fn integer_comparison(pool: &TermPool, term: Term, is_negated: bool) -> (LinearSum, Comparison) {
    let (op, args) = (pool.op(term), pool.args(term));
    let mut sum = pool.linear_sum(args[0]).plus(&pool.linear_sum(args[1]), &-&Rational::ONE);
    if op == Op::Eq {
        return (sum, if is_negated { Comparison::Unequal } else { Comparison::Equal });
    }
    // Over the integers, `s < 0` is `s + 1 <= 0`, and so is the opposite of `-s <= 0`.
    if is_negated {
        sum = sum.scaled(&-&Rational::ONE);
    }
    if (op == Op::NumLt) != is_negated {
        sum.constant += &Rational::ONE;
    }
    (sum, Comparison::AtMost)
}

/// A comparison with what is added on the left and what is subtracted on the right, so that no sign is needed.
pub(super) fn comparison_parts(sum: LinearSum, comparison: Comparison, parts: &mut Vec<Item>) {
    let (mut left, mut right) = (LinearSum::default(), LinearSum::default());
    for (term, coefficient) in sum.monomials {
        let side = if coefficient.is_positive() { &mut left } else { &mut right };
        side.monomials.push((term, coefficient.abs()));
    }
    let constant = sum.constant;
    let (mut word, turned) = match comparison {
        Comparison::Equal => (" = ", " = "),
        Comparison::Unequal => (" != ", " != "),
        Comparison::AtMost => (" <= ", " >= "),
    };
    if left.monomials.is_empty() {
        (left, right) = (right, left);
        right.constant = constant;
        word = turned;
    } else if right.monomials.is_empty() || !constant.is_positive() {
        right.constant = -constant;
    } else if comparison == Comparison::AtMost && constant.is_one() {
        word = " < ";
    } else {
        left.constant = constant;
    }
    // Sums bind more tightly than comparisons.
    sum_parts(&left, parts);
    parts.push(Item::Text(word));
    sum_parts(&right, parts);
}

/// A sum, beginning with what is added; gives how tightly it binds.
fn sum_parts(sum: &LinearSum, parts: &mut Vec<Item>) -> u8 {
    let (added, subtracted): (Vec<_>, Vec<_>) =
        sum.monomials.iter().partition(|(_, coefficient)| coefficient.is_positive());
    let is_single = sum.monomials.len() == 1 && sum.constant.is_zero();
    let mut is_first = true;
    for (term, coefficient) in added.into_iter().chain(subtracted) {
        let sign = match (is_first, coefficient.is_positive()) {
            (true, true) => "",
            (true, false) => "-",
            (false, true) => " + ",
            (false, false) => " - ",
        };
        parts.push(Item::Text(sign));
        let factor = coefficient.abs();
        let is_bare = factor.is_one();
        if !is_bare {
            parts.extend([Item::Number(factor), Item::Text(" * ")]);
        }
        let is_operand = !is_bare || sign == "-";
        let level = if is_operand { level::FACTOR } else { level::PRODUCT };
        parts.push(Item::Term(Place::new(*term, level)));
        is_first = false;
    }
    if is_first {
        parts.push(Item::Number(sum.constant.clone()));
        return level::FACTOR;
    }
    if !sum.constant.is_zero() {
        let sign = if sum.constant.is_negative() { " - " } else { " + " };
        parts.extend([Item::Text(sign), Item::Number(sum.constant.abs())]);
    }
    if is_single { level::PRODUCT } else { level::SUM }
}
