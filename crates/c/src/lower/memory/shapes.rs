//! What the source calls the places in memory.

use super::super::Lowering;
use super::layout::{Home, function_address, object_size};
use crate::typed::{FunctionId, ObjectId};
use crate::types::{Type, TypeId};
use aster_cfa::{MemoryObject, Shape, ShapeField};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Lowering<'_> {
    /// Variables with one address and functions, in the order of their addresses.
    pub(in crate::lower) fn memory_objects(&self) -> Vec<MemoryObject> {
        let mut shapes = BTreeMap::new();
        let mut objects = Vec::new();
        for (index, object) in self.typed.objects.iter().enumerate() {
            let id = ObjectId::from_index(index);
            if object.name.is_empty() || !self.memory.regions.in_memory(id) {
                continue;
            }
            let (Some(Home::Fixed(address)), Some(size)) =
                (self.memory.layout.home(id), object_size(self.typed, id))
            else {
                continue;
            };
            objects.push(MemoryObject {
                name: object.name.clone(),
                address: address.into(),
                size: size.into(),
                shape: self.shape(object.ty, &mut shapes),
            });
        }
        for (index, function) in self.typed.functions.iter().enumerate() {
            let address = function_address(FunctionId::from_index(index)).into();
            let shape = Arc::new(Shape::Scalar);
            objects.push(MemoryObject { name: function.name.clone(), address, size: 0, shape });
        }
        objects.sort_by_key(|object| object.address);
        objects
    }

    fn shape(&self, ty: TypeId, known: &mut BTreeMap<TypeId, Arc<Shape>>) -> Arc<Shape> {
        if let Some(shape) = known.get(&ty) {
            return shape.clone();
        }
        let types = &self.typed.types;
        let shape = match types.get(ty) {
            Type::Array(element, _) => match types.known_size(*element) {
                Some(size) => Shape::Array(size.into(), self.shape(*element, known)),
                None => Shape::Scalar,
            },
            Type::Record(id) => match types.record(*id).body.as_ref().filter(|body| body.trusted) {
                Some(body) => Shape::Record(
                    body.fields
                        .iter()
                        .map(|field| ShapeField {
                            name: field.name.clone(),
                            offset: field.offset.into(),
                            size: types.known_size(field.ty).unwrap_or(0).into(),
                            shape: self.shape(field.ty, known),
                        })
                        .collect(),
                ),
                None => Shape::Scalar,
            },
            _ => Shape::Scalar,
        };
        let shape = Arc::new(shape);
        known.insert(ty, shape.clone());
        shape
    }
}
