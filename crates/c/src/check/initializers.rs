//! Initialisers: designators and left-out braces are resolved to offsets (C11 6.7.9).

use super::lvalues::Operand;
use super::{Checked, Checker};
use crate::source::{PreparedSource, TableItems};
use crate::typed::{Expr, ExprKind, InitElement, Initializer, LValue, LValueKind, ObjectId, Storage};
use crate::types::{ArrayLength, Type, TypeId};
use lang_c::ast::{
    Designator, Expression, Initializer as Syntax, InitializerListItem, SpecifierQualifier, TypeSpecifier,
};
use lang_c::span::{Node, Span};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A range designator that covers more elements than this is not spelled out.
const MAX_RANGE: u64 = 1 << 20;

/// A part of the object that is initialised.
#[derive(Clone, Copy)]
struct Part {
    ty: TypeId,
    offset: u64,
    bits: Option<(u32, u32)>,
    /// Its bytes are in the opposite order.
    reversed: bool,
}

/// The items of a compound literal and its type.
type TypedItems<'b> = (&'b [Node<InitializerListItem>], TypeId);

type Item = Node<InitializerListItem>;

/// The items between two braces that are not used up.
pub(super) enum Items<'b> {
    Parsed(&'b [Item]),
    /// Those of a table, with the first one if it has been looked at.
    Table(TableItems<'b>, Option<Rc<Item>>),
}

/// An item, which stays when others are looked at.
enum Held<'b> {
    Parsed(&'b Item),
    OfTable(Rc<Item>),
}

impl std::ops::Deref for Held<'_> {
    type Target = Item;

    fn deref(&self) -> &Item {
        match self {
            Held::Parsed(item) => item,
            Held::OfTable(item) => item,
        }
    }
}

impl<'b> Items<'b> {
    /// The next item, which stays the next one.
    fn peek(&mut self) -> Option<Held<'b>> {
        match self {
            Items::Parsed(items) => items.first().map(Held::Parsed),
            Items::Table(items, next) => {
                if next.is_none() {
                    *next = items.next().map(Rc::new);
                }
                next.clone().map(Held::OfTable)
            }
        }
    }

    /// Uses up the item that was looked at.
    fn advance(&mut self) {
        match self {
            Items::Parsed(items) => *items = items.split_first().map_or(&[], |(_, rest)| rest),
            Items::Table(_, next) => *next = None,
        }
    }
}

/// What an initialiser list gives so far.
#[derive(Default)]
struct Elements {
    /// In the order in which they are written.
    list: Vec<InitElement>,
    /// The indices of those that a later one took the place of.
    removed: BTreeSet<usize>,
    /// Nothing in the list lies at this bit or beyond.
    reach: u64,
    /// No element has more bits.
    longest: u64,
    /// Where elements begin, by their bit and their index in the list. Made when an element does not lie behind all others.
    starts: Option<BTreeSet<(u64, usize)>>,
}

impl Elements {
    /// The indices of the elements that can share bits with this range.
    fn around(&mut self, start: u64, end: u64, first_bit: impl Fn(&InitElement) -> u64) -> Vec<usize> {
        if self.reach <= start {
            return Vec::new();
        }
        let list = &self.list;
        let starts = self.starts.get_or_insert_with(|| {
            list.iter().enumerate().map(|(index, element)| (first_bit(element), index)).collect()
        });
        // What has no bits is in a part if it is at its end.
        let range = (start.saturating_sub(self.longest), 0)..=(end, usize::MAX);
        starts.range(range).map(|(_, index)| *index).collect()
    }

    fn remove(&mut self, index: usize, first_bit: u64) {
        self.removed.insert(index);
        if let Some(starts) = &mut self.starts {
            starts.remove(&(first_bit, index));
        }
    }

    /// Adds an element that has these bits.
    fn push(&mut self, element: InitElement, start: u64, end: u64) {
        self.reach = self.reach.max(end);
        self.longest = self.longest.max(end - start);
        if let Some(starts) = &mut self.starts {
            starts.insert((start, self.list.len()));
        }
        self.list.push(element);
    }

    /// Those that are still there.
    fn finish(mut self) -> Vec<InitElement> {
        if !self.removed.is_empty() {
            let mut index = 0;
            self.list.retain(|_| {
                index += 1;
                !self.removed.contains(&(index - 1))
            });
        }
        self.list
    }
}

impl<'a> Checker<'a> {
    /// Checks an initialiser for an object of a type; gives the type too, because an array without
    /// length takes its length from here.
    pub(super) fn initializer(&mut self, init: &Node<Syntax>, ty: TypeId) -> Checked<(Initializer, TypeId)> {
        match &init.node {
            Syntax::Expression(expression) => self.expression_initializer(expression, ty),
            Syntax::List(items) => self.list_initializer(self.listed(items), ty, init.span),
        }
    }

    /// The items of a list, which may be a table that the parser did not see.
    pub(super) fn listed<'b>(&self, items: &'b [Item]) -> Items<'b>
    where
        'a: 'b,
    {
        let prepared: &'a PreparedSource = self.prepared;
        prepared.tables.items(items).map_or(Items::Parsed(items), |table| Items::Table(table, None))
    }

    fn expression_initializer(
        &mut self,
        expression: &Node<Expression>,
        ty: TypeId,
    ) -> Checked<(Initializer, TypeId)> {
        if let Some((value, length)) = self.string_for(expression, ty)? {
            let ty = self.complete_array(ty, length);
            let element = InitElement { offset: 0, bits: None, value };
            return Ok((Initializer::Aggregate(vec![element]), ty));
        }
        if let Type::Array(..) = self.types.get(ty) {
            // A compound literal may initialise an array in GNU C.
            if let Expression::CompoundLiteral(literal) = &expression.node {
                let items = self.listed(&literal.node.initializer_list);
                return self.list_initializer(items, ty, expression.span);
            }
            return Err(self.error(expression.span, "invalid initializer for an array"));
        }
        if let Some((items, literal)) = self.literal_of_type(expression, ty)? {
            let (initializer, _) = self.list_initializer(self.listed(items), literal, expression.span)?;
            return Ok(match initializer {
                Initializer::Scalar(value) => {
                    (Initializer::Scalar(self.assign_convert(value, ty, expression.span)?), ty)
                }
                aggregate => (aggregate, ty),
            });
        }
        let value = self.expression(expression)?;
        let value = self.assign_convert(value, ty, expression.span)?;
        Ok((Initializer::Scalar(value), ty))
    }

    /// GNU C: a compound literal of the object's own type, or of any scalar type for a scalar, is its list of values, so
    /// that it may initialise what is static. Gives the type of the literal as well.
    fn literal_of_type<'b>(
        &mut self,
        expression: &'b Node<Expression>,
        ty: TypeId,
    ) -> Checked<Option<TypedItems<'b>>> {
        let Expression::CompoundLiteral(literal) = &expression.node else { return Ok(None) };
        let name = &literal.node.type_name;
        let defines = name.node.specifiers.iter().any(|specifier| match &specifier.node {
            SpecifierQualifier::TypeSpecifier(specifier) => match &specifier.node {
                TypeSpecifier::Struct(record) => record.node.declarations.is_some(),
                TypeSpecifier::Enum(enumeration) => !enumeration.node.enumerators.is_empty(),
                _ => false,
            },
            _ => false,
        });
        let is_scalar = self.types.is_scalar(ty);
        if defines || !(is_scalar || matches!(self.types.get(ty), Type::Record(_) | Type::Vector(..))) {
            return Ok(None);
        }
        let given = self.type_name(name)?;
        let fits = given == ty || is_scalar && self.types.is_scalar(given);
        Ok(fits.then_some((literal.node.initializer_list.as_slice(), given)))
    }

    pub(super) fn list_initializer(
        &mut self,
        mut items: Items<'_>,
        ty: TypeId,
        span: Span,
    ) -> Checked<(Initializer, TypeId)> {
        if self.types.is_scalar(ty) {
            return match items.peek() {
                Some(item) => self.initializer(&item.node.initializer, ty),
                None => {
                    let int = self.types.int();
                    let zero = self.constant_of(0, int, span);
                    let zero = self.convert(zero, ty);
                    Ok((Initializer::Scalar(zero), ty))
                }
            };
        }
        // `char s[] = { "text" }`.
        if let Items::Parsed([item]) = items
            && item.node.designation.is_empty()
            && let Syntax::Expression(expression) = &item.node.initializer.node
            && matches!(expression.node, Expression::StringLiteral(_))
            && self.string_for(expression, ty)?.is_some()
        {
            return self.expression_initializer(expression, ty);
        }
        let mut elements = Elements::default();
        if let Items::Table(table, _) = &items {
            elements.list.reserve_exact(table.count);
        }
        let part = Part { ty, offset: 0, bits: None, reversed: false };
        let length = self.fill(part, 0, &mut items, true, &mut elements)?;
        Ok((Initializer::Aggregate(elements.finish()), self.complete_array(ty, length)))
    }

    /// Where an initialiser of a static variable needs a variable that does not exist before the program runs.
    pub(super) fn automatic_in(&self, initializer: &Initializer) -> Option<Span> {
        match initializer {
            Initializer::Scalar(value) => self.automatic_in_value(value),
            Initializer::Aggregate(elements) => {
                elements.iter().find_map(|element| self.automatic_in_value(&element.value))
            }
        }
    }

    fn automatic_in_value(&self, value: &Expr) -> Option<Span> {
        let both = |left: &Expr, right: &Expr| {
            self.automatic_in_value(left).or_else(|| self.automatic_in_value(right))
        };
        match &value.kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => self.automatic_in_place(place, value.span),
            ExprKind::Convert(operand) | ExprKind::Negate(_, operand) | ExprKind::Not(operand) => {
                self.automatic_in_value(operand)
            }
            ExprKind::Arithmetic(_, left, right)
            | ExprKind::PointerDifference { left, right, .. }
            | ExprKind::Compare(_, left, right)
            | ExprKind::LogicalAnd(left, right)
            | ExprKind::LogicalOr(left, right)
            | ExprKind::Comma(left, right) => both(left, right),
            ExprKind::PointerOffset { pointer, index, .. } => both(pointer, index),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.automatic_in_value(condition).or_else(|| both(then, otherwise))
            }
            _ => None,
        }
    }

    fn automatic_in_place(&self, place: &LValue, span: Span) -> Option<Span> {
        match &place.kind {
            LValueKind::Object(object) => {
                (self.object(*object).storage == Storage::Automatic).then_some(span)
            }
            LValueKind::Deref(pointer) | LValueKind::Value(pointer) => self.automatic_in_value(pointer),
            LValueKind::Member(whole, ..) => self.automatic_in_place(whole, span),
            LValueKind::String(_) | LValueKind::Compound(..) => None,
        }
    }

    /// The object is as much larger as its initialiser gives elements to a flexible array member.
    pub(super) fn extend_flexible(&mut self, object: ObjectId, initializer: &Initializer) {
        let Initializer::Aggregate(elements) = initializer else { return };
        let Some(size) = self.types.known_size(self.object(object).ty) else { return };
        let end = |element: &InitElement| match element.bits {
            Some(_) => 0,
            None => element.offset.saturating_add(self.types.size(element.value.ty).unwrap_or(0)),
        };
        let has_member = self.types.as_record(self.object(object).ty).is_some();
        let end = elements.iter().map(end).max().unwrap_or(0);
        self.objects[object.index()].extra = if has_member { end.saturating_sub(size) } else { 0 };
    }

    fn complete_array(&mut self, ty: TypeId, length: u64) -> TypeId {
        match *self.types.get(ty) {
            Type::Array(element, ArrayLength::Incomplete) => {
                self.types.array(element, ArrayLength::Known(length))
            }
            _ => ty,
        }
    }

    /// A string literal for an array of characters: its value and the length that it needs.
    fn string_for(&mut self, expression: &Node<Expression>, ty: TypeId) -> Checked<Option<(Expr, u64)>> {
        let (Expression::StringLiteral(parts), Type::Array(element, _)) =
            (&expression.node, self.types.get(ty))
        else {
            return Ok(None);
        };
        let element = *element;
        let Some(size) = self.types.size(element).filter(|_| self.types.is_integer(element)) else {
            return Ok(None);
        };
        let (bytes, literal) = self.string_bytes(&parts.node);
        if self.types.size(literal) != Some(size) {
            return Err(
                self.error(expression.span, "array is initialised from a string of another character type")
            );
        }
        let length = bytes.len() as u64 / size + 1;
        let ty = self.types.array(element, ArrayLength::Known(length));
        let place = LValue { kind: LValueKind::String(bytes), ty };
        Ok(Some((Expr::new(&self.types, ExprKind::Load(place), ty, expression.span), length)))
    }

    /// The parts of an aggregate, and how many there are (unbounded for arrays without length).
    fn part(&self, whole: Part, index: u64) -> Option<Part> {
        match self.types.get(whole.ty) {
            Type::Array(element, length) => {
                let inside = match length {
                    ArrayLength::Known(length) => index < *length,
                    _ => true,
                };
                let offset = self.types.size(*element).unwrap_or(0).checked_mul(index)?;
                let offset = whole.offset.saturating_add(offset);
                inside.then_some(Part { ty: *element, offset, bits: None, reversed: false })
            }
            Type::Vector(element, length) => {
                let offset = whole.offset + self.types.size(*element)?.checked_mul(index)?;
                (index < *length).then_some(Part { ty: *element, offset, bits: None, reversed: false })
            }
            Type::Record(id) => {
                let record = self.types.record(*id);
                let field = record.body.as_ref()?.fields.get(usize::try_from(index).ok()?)?;
                let (ty, offset) = (field.ty, whole.offset + field.offset);
                Some(Part { ty, offset, bits: field.bits, reversed: field.reversed })
            }
            _ => None,
        }
    }

    /// Initialises the parts of an aggregate from `start` on. Without braces of its own it leaves
    /// what does not fit, and designators, to the enclosing list. Gives the number of parts seen.
    fn fill(
        &mut self,
        whole: Part,
        start: u64,
        items: &mut Items,
        braced: bool,
        out: &mut Elements,
    ) -> Checked<u64> {
        let is_union = self.types.as_record(whole.ty).is_some_and(|id| self.types.record(id).is_union);
        let (mut index, mut length) = (start, start);
        while let Some(item) = items.peek() {
            if !item.node.designation.is_empty() {
                if !braced {
                    break;
                }
                index = self.designated(whole, &item.node.designation, items, out)?;
            } else if let Some(part) = self.part(whole, index).filter(|_| !is_union || index == 0) {
                self.fill_part(part, items, out)?;
                index += 1;
            } else if braced {
                // More items than parts: gcc warns and drops them.
                items.advance();
            } else {
                break;
            }
            length = length.max(index);
        }
        Ok(length)
    }

    fn initialise(&mut self, part: Part, value: Expr, out: &mut Elements) {
        self.supersede(part, out);
        let (start, end) = self.bit_range(part);
        let value = if part.reversed { self.reversed(value) } else { value };
        out.push(InitElement { offset: part.offset, bits: part.bits, value }, start, end);
    }

    /// A later initialiser of a part takes the place of earlier ones, which are not even evaluated; gcc
    /// drops one for a whole structure also if the later one is for a part of that.
    fn supersede(&self, part: Part, out: &mut Elements) {
        let (start, end) = self.bit_range(part);
        for index in out.around(start, end, |element| self.bits_of(element).0) {
            let Some(earlier) = out.list.get(index) else { continue };
            let (first, last) = self.bits_of(earlier);
            let inside = start <= first && last <= end;
            let is_record = self.types.as_record(earlier.value.ty).is_some();
            let around = first <= start && end <= last && is_record;
            if inside || around {
                out.remove(index, first);
            }
        }
    }

    fn bits_of(&self, element: &InitElement) -> (u64, u64) {
        let (ty, offset, bits) = (element.value.ty, element.offset, element.bits);
        self.bit_range(Part { ty, offset, bits, reversed: false })
    }

    /// The bits of a part, counted from the start of the object.
    fn bit_range(&self, part: Part) -> (u64, u64) {
        let start = part.offset.saturating_mul(8);
        match part.bits {
            Some((first, width)) => (start + u64::from(first), start + u64::from(first + width)),
            None => {
                let size = self.types.size(part.ty).unwrap_or(0);
                (start, start.saturating_add(size.saturating_mul(8)))
            }
        }
    }

    /// The next item, without regard to its designation, initialises `part`.
    fn fill_part(&mut self, part: Part, items: &mut Items, out: &mut Elements) -> Checked<()> {
        let Some(item) = items.peek() else { return Ok(()) };
        let scalar = self.types.is_scalar(part.ty);
        match &item.node.initializer.node {
            Syntax::List(inner) => {
                items.advance();
                let mut inner = self.listed(inner);
                if scalar {
                    let (init, _) = self.list_initializer(inner, part.ty, item.span)?;
                    if let Initializer::Scalar(value) = init {
                        self.initialise(part, value, out);
                    }
                    return Ok(());
                }
                self.supersede(part, out);
                self.fill(part, 0, &mut inner, true, out).map(|_| ())
            }
            Syntax::Expression(expression) => {
                if let Some((value, _)) = self.string_for(expression, part.ty)? {
                    items.advance();
                    self.initialise(part, value, out);
                    return Ok(());
                }
                if !scalar && !self.initialises_whole(expression, part.ty) {
                    return self.fill_without_braces(part, items, out);
                }
                items.advance();
                if let Some((inner, _)) = self.literal_of_type(expression, part.ty)?
                    && !scalar
                {
                    self.supersede(part, out);
                    return self.fill(part, 0, &mut self.listed(inner), true, out).map(|_| ());
                }
                let value = match self.expression_initializer(expression, part.ty)? {
                    (Initializer::Scalar(value), _) => value,
                    (Initializer::Aggregate(_), _) => {
                        return Err(self.error(expression.span, "this does not initialise a member"));
                    }
                };
                self.initialise(part, value, out);
                Ok(())
            }
        }
    }

    /// The next item, without regard to its designation, and those after it initialise an aggregate that has no
    /// braces of its own.
    fn fill_without_braces(&mut self, whole: Part, items: &mut Items, out: &mut Elements) -> Checked<()> {
        let Some(first) = self.part(whole, 0) else {
            // An empty aggregate takes nothing, but the list must go on.
            items.advance();
            return Ok(());
        };
        self.fill_part(first, items, out)?;
        self.fill(whole, 1, items, false, out).map(|_| ())
    }

    /// An expression of the structure's or vector's own type stands for all of it.
    fn initialises_whole(&mut self, expression: &Node<Expression>, ty: TypeId) -> bool {
        (self.types.as_record(ty).is_some() || self.types.as_vector(ty).is_some())
            && !matches!(expression.node, Expression::Constant(_) | Expression::StringLiteral(_))
            && self.operand(expression).is_ok_and(|operand: Operand| operand.ty(self) == ty)
    }

    /// Initialises the part that designators name; gives the index after it in `whole`.
    fn designated(
        &mut self,
        whole: Part,
        designation: &[Node<Designator>],
        items: &mut Items,
        out: &mut Elements,
    ) -> Checked<u64> {
        let Some((first, rest)) = designation.split_first() else { return Ok(0) };
        let (from, to, through) = self.designator(whole, first)?;
        let Some(item) = items.peek() else { return Ok(from) };
        let old = out.list.len();
        let too_long = to - from > MAX_RANGE;
        for index in from..=if too_long { from } else { to } {
            let Some(mut part) = self.part(whole, index) else {
                return Err(self.error(first.span, "designator is outside of the object"));
            };
            // Anonymous members on the way to the named one.
            for &step in &through {
                part = self.part(part, step).unwrap_or(part);
            }
            // What follows the designated item goes on where the last element of the range is.
            if index < to {
                self.fill_designated(part, rest, &mut Items::Parsed(std::slice::from_ref(&*item)), out)?;
            } else {
                self.fill_designated(part, rest, items, out)?;
            }
        }
        // What has effects takes place once for the whole range.
        let new = out.list.get_mut(old..).unwrap_or_default();
        if too_long || (from < to && new.iter().any(|element| element.value.effects)) {
            for element in new {
                let (ty, span) = (element.value.ty, element.value.span);
                element.value = self.unsupported("initialiser of a range", ty, span);
            }
        }
        Ok(to + 1)
    }

    /// Initialises what the other designators name in a part.
    fn fill_designated(
        &mut self,
        part: Part,
        designation: &[Node<Designator>],
        items: &mut Items,
        out: &mut Elements,
    ) -> Checked<()> {
        if designation.is_empty() {
            return self.fill_part(part, items, out);
        }
        let next = self.designated(part, designation, items, out)?;
        self.fill(part, next, items, false, out).map(|_| ())
    }

    /// First and last index that a designator names, and the path through anonymous members.
    fn designator(&mut self, whole: Part, designator: &Node<Designator>) -> Checked<(u64, u64, Vec<u64>)> {
        match &designator.node {
            Designator::Index(index) => {
                let index = self.constant_index(index)?;
                Ok((index, index, Vec::new()))
            }
            Designator::Range(range) => {
                let from = self.constant_index(&range.node.from)?;
                let to = self.constant_index(&range.node.to)?;
                Ok((from, to.max(from), Vec::new()))
            }
            Designator::Member(name) => {
                let path =
                    self.types.as_record(whole.ty).and_then(|id| self.types.find_field(id, &name.node.name));
                let Some((first, rest)) = path.as_deref().and_then(<[usize]>::split_first) else {
                    let message = format!("unknown field '{}' in initializer", name.node.name);
                    return Err(self.error(name.span, message));
                };
                let through = rest.iter().map(|&index| index as u64).collect();
                Ok((*first as u64, *first as u64, through))
            }
        }
    }

    fn constant_index(&mut self, expression: &Node<Expression>) -> Checked<u64> {
        let value = self.expression(expression)?;
        let index = value.constant().and_then(|bits| super::fold::number(&self.types, bits, value.ty));
        match index.map(u64::try_from) {
            Some(Ok(index)) => Ok(index),
            _ => Err(self.error(expression.span, "array index in initializer is not a constant")),
        }
    }
}
