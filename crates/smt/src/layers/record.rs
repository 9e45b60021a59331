//! Writes queries down for others to solve.

use super::AssertionStack;
use crate::{Answer, Limits, Solver, Statistics, script};
use aster_term::{Term, TermPool};
use std::cell::RefCell;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A longer run would fill the disk with queries that nobody looks at.
const MAX_FILES: u32 = 10_000;

/// A folder of queries, each a script `NNNN.smt2`. Clones write to the same folder with the same counter.
///
/// Files that are there are kept: numbers go on behind them.
#[derive(Clone, Debug)]
pub struct QueryLog(Rc<RefCell<State>>);

#[derive(Debug)]
struct State {
    folder: PathBuf,
    next: u32,
    /// What ended the recording, if it was not the limit.
    failure: Option<(PathBuf, io::Error)>,
}

impl QueryLog {
    /// Makes the folder if it is not there.
    pub fn create(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        Ok(QueryLog(Rc::new(RefCell::new(State { folder: folder.to_owned(), next: 1, failure: None }))))
    }

    /// Why queries are missing, if one could not be written; none was written after it.
    pub fn failure(&self) -> Option<String> {
        let state = self.0.borrow();
        state.failure.as_ref().map(|(path, error)| format!("cannot write {}: {error}", path.display()))
    }

    fn write(&self, pool: &TermPool, conjuncts: &[Term]) {
        let mut state = self.0.borrow_mut();
        while state.failure.is_none() && state.next <= MAX_FILES {
            let path = state.folder.join(format!("{:04}.smt2", state.next));
            state.next += 1;
            let written = OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&path)
                .and_then(|mut file| file.write_all(script(pool, conjuncts).as_bytes()));
            match written {
                Ok(()) => return,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => state.failure = Some((path, error)),
            }
        }
    }
}

/// Hands every query on as it is, after it was written down. No answer depends on whether that worked.
pub struct Recording {
    inner: Box<dyn Solver>,
    log: QueryLog,
    stack: AssertionStack,
}

impl Recording {
    /// Records what `inner` is asked.
    pub fn new(inner: Box<dyn Solver>, log: QueryLog) -> Self {
        Recording { inner, log, stack: AssertionStack::default() }
    }
}

impl Solver for Recording {
    fn push(&mut self) {
        self.stack.push();
        self.inner.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
        self.inner.pop();
    }

    fn assert(&mut self, pool: &mut TermPool, formula: Term) {
        self.stack.assert(formula);
        self.inner.assert(pool, formula);
    }

    fn check(&mut self, pool: &mut TermPool, assumptions: &[Term]) -> Answer {
        self.log.write(pool, &self.stack.with(assumptions));
        self.inner.check(pool, assumptions)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }
}
