//! A thread with a big stack, for code that recurses over the syntax.

use std::thread::Builder;

/// Sizes that are tried in turn. Address space is reserved, memory is used only as the stack grows; but
/// systems with strict limits refuse to reserve much.
const SIZES: [usize; 6] = [8 << 30, 4 << 30, 2 << 30, 1 << 30, 256 << 20, 64 << 20];

/// Runs `work` on a thread with the biggest stack that can be had, and tells it how many bytes these
/// are. If no thread can be started it runs right here, where little stack is left.
pub(crate) fn with_big_stack<R: Send>(work: impl FnOnce(usize) -> R + Send) -> R {
    // A thread that cannot be started drops its closure, so the work waits outside of it.
    let work = std::sync::Mutex::new(Some(work));
    let take = || work.lock().ok().and_then(|mut work| work.take());
    for size in SIZES {
        let result = std::thread::scope(|scope| {
            let run = || take().map(|work| work(size));
            let thread =
                Builder::new().name("front end".to_owned()).stack_size(size).spawn_scoped(scope, run);
            match thread.ok()?.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        if let Some(result) = result {
            return result;
        }
    }
    let work = take().expect("no thread was started, so nobody took the work");
    work(SMALL_STACK)
}

/// What is surely left of any thread's stack.
const SMALL_STACK: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn depth_by_recursion(levels: usize) -> usize {
        let padding = std::hint::black_box([levels; 64]);
        if levels == 0 { 0 } else { 1 + depth_by_recursion(padding[0] - 1) }
    }

    #[test]
    fn deep_recursion_fits() {
        let depth = with_big_stack(|size| depth_by_recursion((size / 4096).min(200_000)));
        assert!(depth >= 256);
    }

    #[test]
    fn panics_come_through() {
        let result = std::panic::catch_unwind(|| with_big_stack(|_| panic!("on purpose")));
        assert!(result.is_err());
    }
}
