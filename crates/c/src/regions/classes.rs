//! Equivalence classes of memory locations, and what unifying two of them implies.

use crate::typed::FunctionId;
use crate::types::{TypeId, table_id};
use std::collections::BTreeSet;

table_id! {
    /// A class of locations; many ids may stand for the same class.
    Class
}

/// Values are told apart by the kind of type that they are stored and read with: the integers in a
/// list's nodes must not look like the addresses in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    /// Pointers.
    Pointer,
    /// Everything else; integers may hold converted addresses.
    Other,
}

/// A type that pointers to a class were given by conversions, arrays stripped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) ty: TypeId,
    /// A union in it lays pointers over something else.
    pub(super) mixed: bool,
}

/// A parameter or result of a function: the class that scalars point to, or the class that holds a
/// structure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) class: Class,
    /// What the declared type points to.
    pub(super) target: Option<Target>,
}

/// How functions of a class are called.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) parameters: Vec<Slot>,
    /// The parameters end in `...`.
    pub(super) variadic: bool,
    pub(super) result: Slot,
}

/// What is known about a class.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// What the values in it point to, by channel.
    content: [Option<Class>; 2],
    /// Locations may be written and read with different types: both channels are one, also in what
    /// the values point to.
    punned: bool,
    target: Option<TypeId>,
    /// Greatest common divisor of sizes, offsets and steps; 0 if there are none.
    pub(super) unit: u64,
    /// Addresses in it are computed as integers.
    pub(super) arithmetic: bool,
    pub(super) through_pointers: bool,
    pub(super) freed: bool,
    pub(super) functions: BTreeSet<FunctionId>,
    signature: Option<Box<Signature>>,
}

enum Todo {
    Unify(Class, Class),
    Pun(Class),
    Target(Class, Target),
}

/// The classes: union-find by rank with path compression. All consequences of a step are drawn before
/// it returns.
pub(super) struct Classes {
    parents: Vec<u32>,
    ranks: Vec<u8>,
    facts: Vec<Facts>,
    todo: Vec<Todo>,
    /// What arguments for `...` point to.
    pub(super) variadic: Class,
    /// Where callers put arguments for `...`.
    pub(super) passed: Class,
}

impl Classes {
    pub(super) fn new() -> Self {
        let mut classes = Classes {
            parents: Vec::new(),
            ranks: Vec::new(),
            facts: Vec::new(),
            todo: Vec::new(),
            variadic: Class(0),
            passed: Class(0),
        };
        classes.variadic = classes.fresh();
        classes.pun(classes.variadic);
        classes.passed = classes.fresh();
        classes.pun(classes.passed);
        let content = classes.content(classes.passed, Channel::Pointer);
        classes.unify(content, classes.variadic);
        classes
    }

    pub(super) fn fresh(&mut self) -> Class {
        let class = Class::from_index(self.parents.len());
        self.parents.push(class.0);
        self.ranks.push(0);
        self.facts.push(Facts::default());
        class
    }

    /// The representative.
    pub(super) fn find(&self, class: Class) -> Class {
        let mut at = class.0;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
        }
        Class(at)
    }

    fn find_compressing(&mut self, class: Class) -> Class {
        let root = self.find(class);
        let mut at = class.0;
        while at != root.0 {
            at = std::mem::replace(&mut self.parents[at as usize], root.0);
        }
        root
    }

    pub(super) fn facts(&self, class: Class) -> &Facts {
        &self.facts[self.find(class).index()]
    }

    fn facts_mut(&mut self, class: Class) -> &mut Facts {
        let root = self.find_compressing(class);
        &mut self.facts[root.index()]
    }

    /// What values of this kind in the class point to, if anything was ever said about them.
    pub(super) fn known_content(&self, class: Class, channel: Channel) -> Option<Class> {
        self.facts(class).content[channel as usize]
    }

    /// What values of this kind in the class point to.
    pub(super) fn content(&mut self, class: Class, channel: Channel) -> Class {
        if let Some(content) = self.facts_mut(class).content[channel as usize] {
            return content;
        }
        let content = self.fresh();
        let facts = self.facts_mut(class);
        facts.content[channel as usize] = Some(content);
        if facts.punned {
            facts.content = [Some(content); 2];
            self.facts_mut(content).punned = true;
        }
        content
    }

    pub(super) fn unify(&mut self, a: Class, b: Class) {
        self.todo.push(Todo::Unify(a, b));
        self.run();
    }

    /// Copies from one class to the other (and back: the analysis has no direction).
    pub(super) fn unify_contents(&mut self, a: Class, b: Class) {
        for channel in [Channel::Pointer, Channel::Other] {
            let (from, to) = (self.content(a, channel), self.content(b, channel));
            self.unify(from, to);
        }
    }

    /// The class may be written with one type and read with another.
    pub(super) fn pun(&mut self, class: Class) {
        self.todo.push(Todo::Pun(class));
        self.run();
    }

    /// A pointer to the class has, or is converted from or to, this type.
    pub(super) fn add_target(&mut self, class: Class, target: Option<Target>) {
        if let Some(target) = target {
            self.todo.push(Todo::Target(class, target));
            self.run();
        }
    }

    /// A value goes from a place of one type to a place of another without a conversion.
    pub(super) fn reinterpret(&mut self, class: Class, from: Option<Target>, to: Option<Target>) {
        if from.map(|target| target.ty) != to.map(|target| target.ty) {
            self.add_target(class, from);
            self.add_target(class, to);
        }
    }

    /// A size, offset or step of an access.
    pub(super) fn add_unit(&mut self, class: Class, bytes: u64) {
        let facts = self.facts_mut(class);
        facts.unit = gcd(facts.unit, bytes);
    }

    pub(super) fn set_arithmetic(&mut self, class: Class) {
        self.facts_mut(class).arithmetic = true;
    }

    pub(super) fn set_through_pointers(&mut self, class: Class) {
        self.facts_mut(class).through_pointers = true;
    }

    /// What is in the class may be freed.
    pub(super) fn set_freed(&mut self, class: Class) {
        let facts = self.facts_mut(class);
        facts.through_pointers = true;
        facts.freed = true;
    }

    pub(super) fn add_function(&mut self, class: Class, function: FunctionId) {
        self.facts_mut(class).functions.insert(function);
    }

    /// Functions of the class are called, or are to be called, like this.
    pub(super) fn add_signature(&mut self, class: Class, signature: Signature) {
        let root = self.find_compressing(class);
        self.merge_signature(root, signature);
        self.run();
    }

    fn run(&mut self) {
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Unify(a, b) => self.merge(a, b),
                Todo::Pun(class) => self.merge_channels(class),
                Todo::Target(class, target) => {
                    let facts = self.facts_mut(class);
                    let other = facts.target.is_some_and(|known| known != target.ty);
                    facts.target = Some(target.ty);
                    if other || target.mixed {
                        self.merge_channels(class);
                    }
                }
            }
        }
    }

    fn merge_channels(&mut self, class: Class) {
        let facts = self.facts_mut(class);
        if std::mem::replace(&mut facts.punned, true) {
            return;
        }
        let content = match facts.content {
            [None, None] => return,
            [Some(pointers), Some(others)] => {
                self.todo.push(Todo::Unify(pointers, others));
                pointers
            }
            [Some(content), None] | [None, Some(content)] => {
                facts.content = [Some(content); 2];
                content
            }
        };
        self.todo.push(Todo::Pun(content));
    }

    fn merge(&mut self, a: Class, b: Class) {
        let (a, b) = (self.find_compressing(a), self.find_compressing(b));
        if a == b {
            return;
        }
        let (winner, loser) = if self.ranks[a.index()] < self.ranks[b.index()] { (b, a) } else { (a, b) };
        if self.ranks[winner.index()] == self.ranks[loser.index()] {
            self.ranks[winner.index()] += 1;
        }
        self.parents[loser.index()] = winner.0;
        let mut lost = std::mem::take(&mut self.facts[loser.index()]);
        let kept = &mut self.facts[winner.index()];
        for (kept, lost) in kept.content.iter_mut().zip(lost.content) {
            match (*kept, lost) {
                (Some(x), Some(y)) => self.todo.push(Todo::Unify(x, y)),
                _ => *kept = kept.or(lost),
            }
        }
        let types_differ = kept.target.is_some() && lost.target.is_some() && kept.target != lost.target;
        kept.target = kept.target.or(lost.target);
        if kept.punned || lost.punned || types_differ {
            // What just came in is not merged yet.
            kept.punned = false;
            self.todo.push(Todo::Pun(winner));
        }
        kept.unit = gcd(kept.unit, lost.unit);
        kept.arithmetic |= lost.arithmetic;
        kept.through_pointers |= lost.through_pointers;
        kept.freed |= lost.freed;
        kept.functions.append(&mut lost.functions);
        if let Some(signature) = lost.signature {
            self.merge_signature(winner, *signature);
        }
    }

    /// Pairwise; parameters that only one side has are kept, and go to `...` if the other has that.
    fn merge_signature(&mut self, root: Class, other: Signature) {
        let variadic = self.variadic;
        let Some(known) = &mut self.facts[root.index()].signature else {
            self.facts[root.index()].signature = Some(Box::new(other));
            return;
        };
        let mut pairs = vec![(known.result, other.result)];
        pairs.extend(known.parameters.iter().copied().zip(other.parameters.iter().copied()));
        let (known_count, other_count) = (known.parameters.len(), other.parameters.len());
        let rest = Slot { class: variadic, target: None };
        if known.variadic {
            pairs.extend(other.parameters.iter().skip(known_count).map(|slot| (*slot, rest)));
        }
        if other.variadic {
            pairs.extend(known.parameters.iter().skip(other_count).map(|slot| (*slot, rest)));
        }
        known.parameters.extend(other.parameters.iter().skip(known_count));
        known.variadic |= other.variadic;
        for (a, b) in pairs {
            self.todo.push(Todo::Unify(a.class, b.class));
            if a.target.map(|target| target.ty) != b.target.map(|target| target.ty) {
                let targets = [a.target, b.target].into_iter().flatten();
                self.todo.extend(targets.map(|target| Todo::Target(a.class, target)));
            }
        }
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
