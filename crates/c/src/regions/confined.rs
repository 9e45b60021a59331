//! Which variables nobody can point to after their life.
//!
//! A variable is confined if everything that may hold a pointer to it ends before it does: variables of its block, of
//! blocks inside, and of functions that are active only while it lives. No pointer to it can dangle, so that it need neither begin
//! nor cease to exist: it has one place for the whole run. All others get a new place each time that their block is
//! entered, and lose it when the block is left.

use super::classes::{Channel, Class};
use super::graph::CallGraph;
use super::tables::Tables;
use crate::typed::{BlockId, FunctionId, ObjectId, Storage};
use rustc_hash::FxHashMap;

/// Pairs of variables and holders that are looked at in one class; beyond that, no variable in it is confined.
const MAX_PAIRS: usize = 1 << 20;

/// What may hold pointers to a class.
#[derive(Default)]
struct Holders {
    automatic: Vec<ObjectId>,
    /// Something that lives to the end of the program.
    lasting: bool,
    /// Functions that give them.
    results: Vec<FunctionId>,
    /// Statement expressions that give them.
    blocks: Vec<BlockId>,
}

/// For each variable whether it is confined. `values` are the classes that values of statement expressions point to.
pub(super) fn confined(tables: &Tables, calls: &CallGraph, values: &[(BlockId, Class)]) -> Vec<bool> {
    let mut holders = holders(tables);
    for &(block, class) in values {
        for class in
            [Some(class), content(tables, class, Channel::Pointer), content(tables, class, Channel::Other)]
                .into_iter()
                .flatten()
        {
            holders.entry(tables.classes.find(class)).or_default().blocks.push(block);
        }
    }
    let objects = &tables.typed.objects;
    let mut in_class: FxHashMap<Class, usize> = FxHashMap::default();
    for index in 0..objects.len() {
        *in_class.entry(tables.classes.find(tables.objects[index])).or_default() += 1;
    }
    let mut callers = Callers { calls, known: FxHashMap::default() };
    (0..objects.len())
        .map(ObjectId::from_index)
        .map(|object| {
            let root = tables.classes.find(tables.objects[object.index()]);
            let Some(holders) = holders.get(&root) else { return true };
            let is_small = holders.automatic.len() * in_class[&root] <= MAX_PAIRS;
            is_small && !holders.lasting && is_confined(tables, &mut callers, holders, object)
        })
        .collect()
}

fn content(tables: &Tables, class: Class, channel: Channel) -> Option<Class> {
    tables.classes.known_content(class, channel)
}

fn holders(tables: &Tables) -> FxHashMap<Class, Holders> {
    let mut holders: FxHashMap<Class, Holders> = FxHashMap::default();
    let mut add = |location: Class, note: &dyn Fn(&mut Holders)| {
        for channel in [Channel::Pointer, Channel::Other] {
            if let Some(class) = content(tables, location, channel) {
                note(holders.entry(tables.classes.find(class)).or_default());
            }
        }
    };
    for (index, object) in tables.typed.objects.iter().enumerate() {
        let id = ObjectId::from_index(index);
        add(tables.objects[index], &|holders| match object.storage {
            Storage::Automatic => holders.automatic.push(id),
            Storage::Static | Storage::External => holders.lasting = true,
        });
    }
    for &(_, class) in &tables.allocations {
        add(class, &|holders| holders.lasting = true);
    }
    for (index, &class) in tables.results.iter().enumerate() {
        holders.entry(tables.classes.find(class)).or_default().results.push(FunctionId::from_index(index));
    }
    holders
}

fn is_confined(tables: &Tables, callers: &mut Callers, holders: &Holders, object: ObjectId) -> bool {
    let typed = tables.typed;
    let data = &typed.objects[object.index()];
    let Some(owner) = data.owner else { return true };
    let within = |block: Option<BlockId>| match data.block {
        None => true,
        Some(outer) => std::iter::successors(block, |block| typed.blocks[block.index()].parent)
            .any(|block| block == outer),
    };
    if holders.results.contains(&owner) || holders.blocks.iter().any(|&block| within(Some(block))) {
        return false;
    }
    let is_recursive = callers.calls.is_recursive(owner);
    holders.automatic.iter().all(|holder| {
        let holder = &typed.objects[holder.index()];
        match holder.owner {
            Some(function) if function == owner => !is_recursive && within(holder.block),
            Some(function) => !callers.of(owner).contains(&function),
            None => false,
        }
    })
}

/// The functions that may be active when another one is entered.
struct Callers<'a> {
    calls: &'a CallGraph,
    known: FxHashMap<FunctionId, Vec<FunctionId>>,
}

impl Callers<'_> {
    fn of(&mut self, function: FunctionId) -> &[FunctionId] {
        self.known.entry(function).or_insert_with(|| self.calls.callers(function))
    }
}
