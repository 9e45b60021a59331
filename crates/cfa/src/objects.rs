//! Names for addresses: the variables that live in memory, for people who read values of pointers.

use crate::program::Program;
use std::fmt::Write;
use std::sync::Arc;

/// Something of the source that has one address for the whole run.
#[derive(Clone, Debug)]
pub struct MemoryObject {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub address: u128,
    /// Its size in bytes.
    pub size: u128,
    /// Its parts.
    pub shape: Arc<Shape>,
}

/// The parts of an object.
#[derive(Clone, Debug)]
pub enum Shape {
    /// It has none.
    Scalar,
    /// Elements of one size in bytes.
    Array(u128, Arc<Shape>),
    /// Members, in the order of the source.
    Record(Vec<ShapeField>),
}

/// A member of a structure or union.
#[derive(Clone, Debug)]
pub struct ShapeField {
    /// The name; members of anonymous members belong to what is around them.
    pub name: Option<String>,
    /// Bytes from the start.
    pub offset: u128,
    /// Size in bytes.
    pub size: u128,
    /// Its parts.
    pub shape: Arc<Shape>,
}

/// How far a name goes into the parts of an object that starts where the address is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// To elements of arrays, but not to the first member of a structure.
    Outermost,
    /// To what has no parts.
    Innermost,
}

impl Program {
    /// What the source calls the place at an address, such as `a[3]` or `s.next`.
    pub fn place_at(&self, address: u128, precision: Precision) -> Option<String> {
        let (mut name, offset, _) = self.locate(address, precision)?;
        if offset > 0 {
            let _ = write!(name, " + {offset} bytes");
        }
        Some(name)
    }

    /// What the source calls a scalar of this size in bytes, if there is one at an address.
    pub fn scalar_at(&self, address: u128, size: u128) -> Option<String> {
        let (name, offset, actual) = self.locate(address, Precision::Innermost)?;
        (offset == 0 && actual == size).then_some(name)
    }

    /// The smallest named part of an object that an address is in, how far it is from its start, and the part's size.
    fn locate(&self, address: u128, precision: Precision) -> Option<(String, u128, u128)> {
        let after = self.objects.partition_point(|object| object.address <= address);
        let object = self.objects.get(after.checked_sub(1)?)?;
        let mut offset = address - object.address;
        // A pointer may point right behind an object.
        if offset > object.size {
            return None;
        }
        let mut name = object.name.clone();
        let mut size = object.size;
        let mut shape = object.shape.as_ref();
        loop {
            match shape {
                Shape::Array(each, element) if *each > 0 => {
                    let _ = write!(name, "[{}]", offset / each);
                    offset %= each;
                    size = *each;
                    shape = element;
                }
                Shape::Record(fields) if offset > 0 || precision == Precision::Innermost => {
                    let holds =
                        |field: &&ShapeField| field.offset <= offset && offset - field.offset < field.size;
                    let Some(field) = fields.iter().find(holds) else { break };
                    if let Some(field) = &field.name {
                        let _ = write!(name, ".{field}");
                    }
                    offset -= field.offset;
                    size = field.size;
                    shape = &field.shape;
                }
                _ => break,
            }
        }
        Some((name, offset, size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ProgramBuilder, SourceMap};

    #[test]
    fn addresses_have_names() {
        let scalar = Arc::new(Shape::Scalar);
        let field = |name: Option<&str>, offset, size, shape: &Arc<Shape>| ShapeField {
            name: name.map(str::to_owned),
            offset,
            size,
            shape: shape.clone(),
        };
        let inner =
            Arc::new(Shape::Record(vec![field(Some("a"), 0, 2, &scalar), field(Some("b"), 2, 2, &scalar)]));
        let record =
            Arc::new(Shape::Record(vec![field(Some("id"), 0, 4, &scalar), field(None, 4, 4, &inner)]));
        let mut builder = ProgramBuilder::new();
        let main = builder.add_procedure("main");
        let mut program = builder.finish(SourceMap::new(), main);
        program.objects = vec![
            MemoryObject { name: "x".into(), address: 16, size: 4, shape: scalar },
            MemoryObject {
                name: "s".into(),
                address: 32,
                size: 16,
                shape: Arc::new(Shape::Array(8, record)),
            },
        ];
        let outer = |address| program.place_at(address, Precision::Outermost);
        assert_eq!(outer(15), None);
        assert_eq!(outer(16).as_deref(), Some("x"));
        assert_eq!(outer(17).as_deref(), Some("x + 1 bytes"));
        assert_eq!(outer(21), None);
        assert_eq!(outer(32).as_deref(), Some("s[0]"));
        assert_eq!(outer(40).as_deref(), Some("s[1]"));
        assert_eq!(outer(46).as_deref(), Some("s[1].b"));
        assert_eq!(outer(48).as_deref(), Some("s[2]"));
        assert_eq!(outer(49), None);
        let inner = |address| program.place_at(address, Precision::Innermost);
        assert_eq!(inner(40).as_deref(), Some("s[1].id"));
        assert_eq!(inner(44).as_deref(), Some("s[1].a"));
    }
}
