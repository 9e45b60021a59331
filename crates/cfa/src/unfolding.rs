//! Call paths: procedures are unfolded lazily, recursion just unfolds deeper.

use crate::arena::id;
use crate::program::{Edge, Node, Procedure, Program};
use crate::source::Span;
use rustc_hash::FxHashMap;

id! {
    /// A sequence of calls that are active: the context of a frame.
    CallPath
}

/// A location of the unfolded program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The active calls.
    pub path: CallPath,
    /// The node in the procedure on top.
    pub node: Node,
}

#[derive(Clone, Debug)]
struct PathInfo {
    /// The caller's path and the edge of the call; `None` for the root.
    caller: Option<(CallPath, Edge)>,
    procedure: Procedure,
    depth: u32,
}

/// All call paths met so far, each stored once.
#[derive(Clone, Debug)]
pub struct CallPaths {
    paths: Vec<PathInfo>,
    children: FxHashMap<(CallPath, Edge), CallPath>,
}

impl CallPaths {
    /// The call paths of a program; at first only the root, where its entry procedure runs.
    pub fn new(program: &Program) -> Self {
        let root = PathInfo { caller: None, procedure: program.entry, depth: 0 };
        CallPaths { paths: vec![root], children: FxHashMap::default() }
    }

    /// The path without calls.
    pub fn root(&self) -> CallPath {
        CallPath::from_index(0)
    }

    /// The path after the call on `edge` from `path`, to `procedure`.
    pub fn enter(&mut self, path: CallPath, edge: Edge, procedure: Procedure) -> CallPath {
        if let Some(&child) = self.children.get(&(path, edge)) {
            return child;
        }
        let depth = self.depth(path) + 1;
        self.paths.push(PathInfo { caller: Some((path, edge)), procedure, depth });
        let child = CallPath::from_index(self.paths.len() - 1);
        self.children.insert((path, edge), child);
        child
    }

    /// The path after the call on `edge` from `path`, if it was entered before.
    pub fn known(&self, path: CallPath, edge: Edge) -> Option<CallPath> {
        self.children.get(&(path, edge)).copied()
    }

    /// The caller's path and the edge of the call; `None` at the root.
    pub fn caller(&self, path: CallPath) -> Option<(CallPath, Edge)> {
        self.paths[path.index()].caller
    }

    /// Where an edge is for the user, if it is taken on this path: what happens in models of library functions happens where these are called.
    pub fn place(&self, program: &Program, path: CallPath, edge: Edge) -> Span {
        let span = program.edge(edge).span;
        let calls = std::iter::successors(self.caller(path), |(path, _)| self.caller(*path));
        let mut spans = calls.map(|(_, call)| program.edge(call).span);
        if program.sources.is_internal(span) {
            return spans.find(|call| !program.sources.is_internal(*call)).unwrap_or(span);
        }
        span
    }

    /// The procedure that runs on this path.
    pub fn procedure(&self, path: CallPath) -> Procedure {
        self.paths[path.index()].procedure
    }

    /// Number of active calls.
    pub fn depth(&self, path: CallPath) -> u32 {
        self.paths[path.index()].depth
    }

    /// How many call paths were met.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Never true: the root is always there.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Sketch;

    #[test]
    fn each_call_path_is_stored_once_and_recursion_goes_deeper() {
        let mut sketch = Sketch::new("");
        let (main, f) = (sketch.procedure("main"), sketch.procedure("f"));
        let after = sketch.call(sketch.entry(main), f, &[], None, 1);
        sketch.call(after, f, &[], None, 1);
        sketch.call(sketch.entry(f), f, &[], None, 1);
        let (program, _) = sketch.finish(main);
        let edges: Vec<Edge> = program.edges().collect();
        let mut paths = CallPaths::new(&program);
        let root = paths.root();
        assert_eq!((paths.procedure(root), paths.depth(root), paths.caller(root)), (main, 0, None));
        let first = paths.enter(root, edges[0], f);
        let second = paths.enter(root, edges[1], f);
        let deeper = paths.enter(first, edges[2], f);
        assert_eq!(paths.enter(root, edges[0], f), first);
        assert_ne!(first, second);
        assert_ne!(first, deeper);
        assert_eq!((paths.procedure(deeper), paths.depth(deeper)), (f, 2));
        assert_eq!(paths.caller(deeper), Some((first, edges[2])));
        assert_eq!(paths.len(), 4);
        assert!(!paths.is_empty());
    }
}
