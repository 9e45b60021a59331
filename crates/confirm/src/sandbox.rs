//! Running a program that nobody vouches for: little time, little memory, no files, no network, no other processes.

use crate::kernel::{Confinement, Kernel, Permissions};
use aster_bench::os;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often the process is looked at. In this time it cannot take much memory.
const POLL: Duration = Duration::from_millis(4);

/// How the C library calls what is limited.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
type Resource = libc::c_int;

/// How much a run may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time that passes, and time of the processor.
    pub time: Duration,
    /// Memory that it holds, in bytes. Address space is not limited: AddressSanitizer takes terabytes of it.
    pub memory: u64,
    /// Its stack, in bytes.
    pub stack: u64,
    /// What it prints, in bytes.
    pub output: u64,
    /// The processes that it may have besides itself.
    pub processes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            time: Duration::from_secs(10),
            memory: 1 << 30,
            stack: 64 << 20,
            output: 16 << 20,
            // LeakSanitizer looks into the program with one.
            processes: 1,
        }
    }
}

/// Which limit ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// It took too long.
    Time,
    /// It held too much memory.
    Memory,
    /// It printed too much.
    Output,
    /// It made processes.
    Processes,
    /// The user did not want to wait.
    User,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Signal(i32),
    /// It had to be ended.
    Stopped(Limit),
}

/// What a run left behind.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// What it printed to standard error. What it printed to standard output is lost.
    pub messages: String,
}

/// Where programs are run.
#[derive(Clone, Copy, Debug)]
pub struct Sandbox {
    /// What the kernel offers.
    pub kernel: Kernel,
    /// How much a run may use.
    pub limits: Limits,
}

/// What is run.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The program.
    pub executable: &'a Path,
    /// The folder that it starts in.
    pub folder: &'a Path,
    /// The variables of its environment; it gets no others.
    pub environment: &'a [(&'a str, String)],
    /// LeakSanitizer looks for leaks at its end.
    pub finds_leaks: bool,
}

impl Sandbox {
    /// A sandbox with all that the kernel of this machine offers.
    pub fn of_this_machine() -> Self {
        Sandbox { kernel: Kernel::probe(), limits: Limits::default() }
    }

    /// Runs a program until it ends or has to be ended. `stops` is asked again and again whether the user lost patience.
    ///
    /// Where the kernel does not confine ([`Kernel::confines`]), only limits hold: whoever calls this knows that the program
    /// is harmless.
    pub fn run(&self, task: Task<'_>, stops: &dyn Fn() -> bool) -> io::Result<Finished> {
        let mut command = Command::new(task.executable);
        command.current_dir(task.folder).env_clear().envs(task.environment.iter().map(|(k, v)| (k, v)));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        let permissions = Permissions { executable: task.executable, finds_leaks: task.finds_leaks };
        let mut confinement = Confinement::new(self.kernel, &permissions)?;
        let limits = self.resources();
        let parent = std::process::id();
        let prepare = move || {
            set_resources(&limits)?;
            die_with(parent)?;
            confinement.enter()
        };
        // SAFETY: the closure makes system calls only. It does not allocate, and takes no locks.
        unsafe { command.pre_exec(prepare) };
        watch(command, self.limits, stops)
    }

    /// What the kernel itself limits. Files cannot grow at all, so that nothing can be written even where the kernel does not
    /// confine; nothing is left of a crash.
    fn resources(&self) -> [(Resource, u64); 6] {
        [
            // The kernel counts whole seconds; ending the run is left to whoever watches it.
            (libc::RLIMIT_CPU, self.limits.time.as_secs() + 1),
            (libc::RLIMIT_FSIZE, 0),
            (libc::RLIMIT_CORE, 0),
            (libc::RLIMIT_STACK, self.limits.stack),
            (libc::RLIMIT_NOFILE, 64),
            (libc::RLIMIT_NPROC, processes() + 16),
        ]
    }
}

/// A bound on the processes and threads that the user has, which the kernel counts together: all of the machine.
fn processes() -> u64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let counts = text.split_ascii_whitespace().nth(3).and_then(|counts| counts.split_once('/'));
    counts.and_then(|(_, all)| all.parse().ok()).unwrap_or(4096)
}

fn set_resources(limits: &[(Resource, u64)]) -> io::Result<()> {
    for &(resource, wanted) in limits {
        // A limit that is lower already stays.
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the pointer is to a live variable of the right type.
        if unsafe { libc::getrlimit(resource, &mut limit) } != 0 {
            return Err(io::Error::last_os_error());
        }
        let wanted = (wanted as libc::rlim_t).min(limit.rlim_max);
        let limit = libc::rlimit { rlim_cur: wanted, rlim_max: wanted };
        // SAFETY: the pointer is to a live variable of the right type.
        if unsafe { libc::setrlimit(resource, &limit) } != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Ends this process when the thread that made it ends.
#[cfg(target_os = "linux")]
fn die_with(parent: u32) -> io::Result<()> {
    // SAFETY: only numbers are passed.
    if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it takes no arguments.
    if unsafe { libc::getppid() } as u32 != parent {
        return Err(io::Error::from_raw_os_error(libc::ESRCH));
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn die_with(_: u32) -> io::Result<()> {
    Ok(())
}

/// Runs a program that is trusted, such as a compiler, within limits.
pub(crate) fn watch_tool(
    mut command: Command,
    limits: Limits,
    stops: &dyn Fn() -> bool,
) -> io::Result<Finished> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    watch(command, limits, stops)
}

/// Watches a command in a process group of its own until it ends or has to be ended.
fn watch(mut command: Command, limits: Limits, stops: &dyn Fn() -> bool) -> io::Result<Finished> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    let process = child.id();
    let reader = child.stderr.take().map(|pipe| thread::spawn(move || read(pipe, limits.output)));
    let mut stopped = None;
    while stopped.is_none() && !os::has_ended(process) {
        stopped = exceeded(process, start, limits).or(stops().then_some(Limit::User));
        if stopped.is_none() {
            thread::sleep(POLL);
        }
    }
    // What the program started goes with it; its own id is reserved until it is reaped.
    os::kill_group(process);
    let exit = loop {
        match os::try_wait(process)? {
            Some(exit) => break exit,
            None => thread::sleep(Duration::from_millis(1)),
        }
    };
    let output = reader.and_then(|reader| reader.join().ok()).unwrap_or_default();
    let ending = match (stopped, exit.code, exit.signal) {
        (Some(limit), ..) => Ending::Stopped(limit),
        (None, ..) if output.is_cut => Ending::Stopped(Limit::Output),
        (None, None, Some(libc::SIGXCPU)) => Ending::Stopped(Limit::Time),
        (None, Some(code), _) => Ending::Exited(code),
        (None, None, signal) => Ending::Signal(signal.unwrap_or_default()),
    };
    Ok(Finished { ending, messages: String::from_utf8_lossy(&output.bytes).into_owned() })
}

/// The limit that a running process has exceeded.
fn exceeded(process: u32, start: Instant, limits: Limits) -> Option<Limit> {
    if start.elapsed() > limits.time {
        Some(Limit::Time)
    } else if os::resident_memory(Some(process)).is_some_and(|held| held > limits.memory) {
        Some(Limit::Memory)
    } else if children(process) > limits.processes {
        Some(Limit::Processes)
    } else {
        None
    }
}

/// How many children the first thread of a process has.
fn children(process: u32) -> usize {
    let text = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    text.unwrap_or_default().split_ascii_whitespace().count()
}

/// What was read from a pipe.
#[derive(Default)]
struct Output {
    bytes: Vec<u8>,
    /// There was more.
    is_cut: bool,
}

/// Reads up to a limit, and then no more: who goes on writing is ended by a signal.
fn read(pipe: impl Read, limit: u64) -> Output {
    let mut bytes = Vec::new();
    let _ = pipe.take(limit).read_to_end(&mut bytes);
    Output { is_cut: bytes.len() as u64 >= limit, bytes }
}
