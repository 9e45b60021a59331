//! Reading the values that solvers print in models.

use crate::sort::{MAX_WIDTH, Sort};
use crate::value::{ArrayValue, BitVec, Value};
use std::collections::BTreeMap;

/// Reads a value of the given sort as solvers print it: `true`, `#x2a`, `#b101`, `(_ bv42 8)`,
/// `((as const S) v)` and nested `(store a i v)`, also with `let`. `None` if the text is something else or of
/// another sort.
///
/// ```
/// use aster_term::{BitVec, Sort, Value, parse_value};
/// let value = parse_value("(_ bv42 8)", Sort::BitVec(8));
/// assert_eq!(value, Some(Value::BitVec(BitVec::new(8, 42))));
/// assert_eq!(parse_value("#x2a", Sort::BitVec(32)), None);
/// ```
pub fn parse_value(text: &str, sort: Sort) -> Option<Value> {
    let mut reader = Reader { expressions: Expressions::parse(text)?, bindings: BTreeMap::new() };
    let root = reader.expressions.root;
    reader.value(root, sort)
}

type Id = usize;

#[derive(Debug)]
enum Expression<'t> {
    Atom(&'t str),
    List(Vec<Id>),
}

/// S-expressions in one table, so that nesting does not matter.
struct Expressions<'t> {
    table: Vec<Expression<'t>>,
    root: Id,
}

impl<'t> Expressions<'t> {
    /// Exactly one expression.
    fn parse(text: &'t str) -> Option<Self> {
        let mut table: Vec<Expression<'t>> = Vec::new();
        let mut open: Vec<Vec<Id>> = Vec::new();
        let mut root = None;
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            if root.is_some() {
                return None;
            }
            let expression = if let Some(after) = rest.strip_prefix('(') {
                open.push(Vec::new());
                rest = after.trim_start();
                continue;
            } else if let Some(after) = rest.strip_prefix(')') {
                rest = after;
                Expression::List(open.pop()?)
            } else {
                let (atom, after) = rest.split_at(atom_length(rest)?);
                rest = after;
                Expression::Atom(atom)
            };
            table.push(expression);
            match open.last_mut() {
                Some(list) => list.push(table.len() - 1),
                None => root = Some(table.len() - 1),
            }
            rest = rest.trim_start();
        }
        if open.is_empty() { Some(Expressions { table, root: root? }) } else { None }
    }

    fn atom(&self, id: Id) -> Option<&'t str> {
        match self.table[id] {
            Expression::Atom(text) => Some(text),
            Expression::List(_) => None,
        }
    }

    fn list(&self, id: Id) -> Option<&[Id]> {
        match &self.table[id] {
            Expression::List(items) => Some(items),
            Expression::Atom(_) => None,
        }
    }
}

/// How many bytes the atom at the start of the text has.
fn atom_length(text: &str) -> Option<usize> {
    if let Some(inner) = text.strip_prefix('|') {
        return Some(inner.find('|')? + 2);
    }
    Some(text.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(text.len()))
}

struct Reader<'t> {
    expressions: Expressions<'t>,
    bindings: BTreeMap<&'t str, Id>,
}

impl Reader<'_> {
    fn value(&mut self, id: Id, sort: Sort) -> Option<Value> {
        match sort {
            Sort::Bool => self.truth(id).map(Value::Bool),
            Sort::BitVec(width) => self.bit_vector(id, width).map(Value::BitVec),
            Sort::Array { index, element } => self.array(id, index, element).map(Value::Array),
            Sort::Int | Sort::Real => None,
        }
    }

    fn truth(&mut self, id: Id) -> Option<bool> {
        let id = self.resolve(id)?;
        self.expressions.atom(id)?.parse().ok()
    }

    /// Looks behind `let` and the names that it binds.
    fn resolve(&mut self, mut id: Id) -> Option<Id> {
        // Bindings that go round in circles would never end.
        for _ in 0..=self.expressions.table.len() {
            id = match &self.expressions.table[id] {
                Expression::Atom(name) => match self.bindings.get(name) {
                    Some(&bound) => bound,
                    None => return Some(id),
                },
                Expression::List(items) => match items[..] {
                    [keyword, bound, body] if self.expressions.atom(keyword) == Some("let") => {
                        self.bind(bound)?;
                        body
                    }
                    _ => return Some(id),
                },
            };
        }
        None
    }

    fn bind(&mut self, list: Id) -> Option<()> {
        for &pair in self.expressions.list(list)? {
            let [name, bound] = *self.expressions.list(pair)? else { return None };
            let earlier = self.bindings.insert(self.expressions.atom(name)?, bound);
            // Scopes are not modelled: a name that means two things is not read.
            if earlier.is_some_and(|earlier| earlier != bound) {
                return None;
            }
        }
        Some(())
    }

    fn bit_vector(&mut self, id: Id, width: u32) -> Option<BitVec> {
        let id = self.resolve(id)?;
        let value = match self.expressions.list(id) {
            None => literal(self.expressions.atom(id)?)?,
            Some(&[underscore, number, bits]) => {
                let [underscore, number, bits] = [
                    self.expressions.atom(underscore)?,
                    self.expressions.atom(number)?,
                    self.expressions.atom(bits)?,
                ];
                let bits: u32 = bits.parse().ok()?;
                let number: u128 = number.strip_prefix("bv")?.parse().ok()?;
                if underscore != "_" || !(1..=MAX_WIDTH).contains(&bits) {
                    return None;
                }
                let value = BitVec::new(bits, number);
                if value.unsigned() != number {
                    return None;
                }
                value
            }
            Some(_) => return None,
        };
        (value.width() == width).then_some(value)
    }

    fn array(&mut self, mut id: Id, index: u32, element: u32) -> Option<ArrayValue> {
        // The writes, last one first.
        let mut writes: Vec<(BitVec, BitVec)> = Vec::new();
        // A chain visits no expression twice, unless bindings go round in circles.
        for _ in 0..=self.expressions.table.len() {
            id = self.resolve(id)?;
            match *self.expressions.list(id)? {
                [store, array, i, e] if self.expressions.atom(store) == Some("store") => {
                    writes.push((self.bit_vector(i, index)?, self.bit_vector(e, element)?));
                    id = array;
                }
                [constant, e] => {
                    self.check_constant(constant, index, element)?;
                    let mut array = ArrayValue::constant(index, self.bit_vector(e, element)?);
                    for (i, e) in writes.into_iter().rev() {
                        array = array.store(i, e);
                    }
                    return Some(array);
                }
                _ => return None,
            }
        }
        None
    }

    /// Accepts `(as const (Array (_ BitVec index) (_ BitVec element)))`.
    fn check_constant(&self, id: Id, index: u32, element: u32) -> Option<()> {
        let e = &self.expressions;
        let [keyword, constant, sort] = *e.list(id)? else { return None };
        let [array, i, el] = *e.list(sort)? else { return None };
        let fits = e.atom(keyword)? == "as"
            && e.atom(constant)? == "const"
            && e.atom(array)? == "Array"
            && self.bit_vector_sort(i)? == index
            && self.bit_vector_sort(el)? == element;
        fits.then_some(())
    }

    fn bit_vector_sort(&self, id: Id) -> Option<u32> {
        let e = &self.expressions;
        let [underscore, name, width] = *e.list(id)? else { return None };
        if e.atom(underscore)? != "_" || e.atom(name)? != "BitVec" {
            return None;
        }
        e.atom(width)?.parse().ok()
    }
}

/// `#x...` or `#b...`
fn literal(text: &str) -> Option<BitVec> {
    let (digits, radix, bits) = match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(digits), _) => (digits, 16, 4),
        (_, Some(digits)) => (digits, 2, 1),
        _ => return None,
    };
    let width = u32::try_from(digits.len()).ok()?.checked_mul(bits)?;
    // A sign would be accepted by the number parser.
    if !(1..=MAX_WIDTH).contains(&width) || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    Some(BitVec::new(width, u128::from_str_radix(digits, radix).ok()?))
}
