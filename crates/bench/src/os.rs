//! What the standard library lacks: resource usage of processes, signals, leaving at once.

use serde::{Deserialize, Serialize};
use std::fs;
use std::time::{Duration, Instant};

/// Which time a time limit counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// The time that passes.
    #[default]
    Wall,
    /// The time that the process is given by the processors; that of processes it starts is not counted.
    Cpu,
}

impl Clock {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Wall => "wall",
            Clock::Cpu => "cpu",
        }
    }

    /// The time that this process has used, if it started at the given moment.
    pub fn elapsed(self, start: Instant) -> Duration {
        match self {
            Clock::Wall => start.elapsed(),
            Clock::Cpu => own_cpu_time(),
        }
    }
}

/// How a process ended and what it used.
#[derive(Clone, Copy, Debug)]
pub struct Exit {
    /// Its exit code, unless a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// CPU time of the process and of the children that it waited for.
    pub cpu: Duration,
    /// The most memory that it held, in bytes.
    pub peak_memory: u64,
}

/// Asks whether a child process has ended, and reaps it if so. The child must not be waited for in any other way.
pub fn try_wait(pid: u32) -> std::io::Result<Option<Exit>> {
    let mut status = 0;
    let mut usage = empty_usage();
    let pid = pid as libc::pid_t;
    // SAFETY: both pointers are to live variables of the right types.
    let result = unsafe { libc::wait4(pid, &mut status, libc::WNOHANG, &mut usage) };
    if result == 0 {
        return Ok(None);
    }
    if result < 0 {
        let error = std::io::Error::last_os_error();
        return if error.kind() == std::io::ErrorKind::Interrupted { Ok(None) } else { Err(error) };
    }
    Ok(Some(Exit {
        code: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
        cpu: cpu_time(&usage),
        peak_memory: peak_memory(&usage),
    }))
}

/// True once a child process has ended; it is not reaped, so that its id stays reserved.
pub fn has_ended(pid: u32) -> bool {
    // SAFETY: all-zero is a valid value of this plain C structure.
    let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: the pointer is to a live variable of the right type.
    let result = unsafe { libc::waitid(libc::P_PID, pid as libc::id_t, &mut info, options) };
    // SAFETY: the field is set by `waitid`, and zero if nothing ended.
    result < 0 || unsafe { info.si_pid() } != 0
}

/// Ends all processes of a group at once. The group must be one that this process made and has not reaped.
pub fn kill_group(group: u32) {
    let group = group as libc::pid_t;
    if group > 1 {
        // SAFETY: only numbers are passed; the group is not ours (0) and not everybody (1).
        unsafe { libc::killpg(group, libc::SIGKILL) };
    }
}

/// CPU time that this process has used.
pub fn own_cpu_time() -> Duration {
    let mut usage = empty_usage();
    // SAFETY: the pointer is to a live variable of the right type.
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    cpu_time(&usage)
}

/// The most memory that this process held so far, in bytes.
pub fn own_peak_memory() -> u64 {
    let mut usage = empty_usage();
    // SAFETY: the pointer is to a live variable of the right type.
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    peak_memory(&usage)
}

/// Ends this process without running destructors or exit handlers, which other threads that still run
/// could trip over.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: it does not return, and nothing of this process is used afterwards.
    unsafe { libc::_exit(code) }
}

/// Memory that a process holds now (resident set), in bytes; `None` where `/proc` does not say.
pub fn resident_memory(pid: Option<u32>) -> Option<u64> {
    let path = pid.map_or_else(|| "/proc/self/statm".to_owned(), |pid| format!("/proc/{pid}/statm"));
    let text = fs::read_to_string(path).ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * page_size())
}

/// CPU time that a running process has used so far; `None` where `/proc` does not say.
pub fn cpu_time_of(pid: u32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything; user and system time are the 12th and 13th field after it.
    let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    let ticks = ticks()? + ticks()?;
    // SAFETY: only a number is passed.
    let per_second = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).ok()?;
    Some(Duration::from_millis(ticks.saturating_mul(1000).checked_div(per_second)?))
}

/// Memory of this machine (or of the control group that this process is confined to), in bytes.
pub fn total_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kibibytes: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    let machine = kibibytes * 1024;
    let confined =
        fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    Some(confined.map_or(machine, |limit: u64| limit.min(machine)))
}

/// The processes that this process started, those that they started in turn, and so on, where `/proc` says so.
pub fn descendants() -> Vec<u32> {
    let mut all = children("self");
    let mut next = 0;
    while let Some(pid) = all.get(next) {
        let theirs = children(&pid.to_string());
        all.extend(theirs);
        next += 1;
    }
    all
}

fn children(process: &str) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let mut children = Vec::new();
    for thread in threads.flatten() {
        let text = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        children.extend(text.split_ascii_whitespace().filter_map(|pid| pid.parse::<u32>().ok()));
    }
    children
}

/// The user that this process acts for.
pub fn own_user() -> u32 {
    // SAFETY: nothing is passed, and it cannot fail.
    unsafe { libc::geteuid() }
}

/// Ends a process at once. It must be one that this process or one of its descendants started and that was not reaped yet.
pub fn kill(pid: u32) {
    let pid = pid as libc::pid_t;
    if pid > 1 {
        // SAFETY: only numbers are passed.
        unsafe { libc::kill(pid, libc::SIGKILL) };
    }
}

fn page_size() -> u64 {
    // SAFETY: only a number is passed.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(size).unwrap_or(4096)
}

fn empty_usage() -> libc::rusage {
    // SAFETY: all-zero is a valid value of this plain C structure.
    unsafe { std::mem::zeroed() }
}

fn cpu_time(usage: &libc::rusage) -> Duration {
    let time = |value: libc::timeval| {
        Duration::from_secs(value.tv_sec.unsigned_abs()) + Duration::from_micros(value.tv_usec.unsigned_abs())
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

fn peak_memory(usage: &libc::rusage) -> u64 {
    let peak = usage.ru_maxrss.unsigned_abs();
    // Apple's systems count bytes, all others kibibytes.
    if cfg!(target_vendor = "apple") { peak } else { peak * 1024 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufRead;
    use std::path::Path;
    use std::process::{Command, Stdio};

    // The process is reaped by `try_wait`.
    #[allow(clippy::zombie_processes)]
    #[test]
    fn exits_are_told_apart() {
        for (script, code, signal) in [("exit 7", Some(7), None), ("kill -9 $$", None, Some(9))] {
            let child = Command::new("sh").args(["-c", script]).stdin(Stdio::null()).spawn().unwrap();
            let exit = loop {
                if let Some(exit) = try_wait(child.id()).unwrap() {
                    break exit;
                }
                std::thread::sleep(Duration::from_millis(5));
            };
            assert_eq!((exit.code, exit.signal), (code, signal));
            assert!(exit.peak_memory > 0);
        }
    }

    #[test]
    fn grandchildren_are_descendants() {
        if !Path::new("/proc/self/task").exists() {
            eprintln!("skipped: there is no /proc");
            return;
        }
        let script = "sleep 60 & echo $!; wait";
        let mut shell = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufReader::new(shell.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let grandchild: u32 = line.trim().parse().unwrap();
        let all = descendants();
        kill(grandchild);
        kill(shell.id());
        shell.wait().unwrap();
        assert!(all.contains(&shell.id()) && all.contains(&grandchild), "{grandchild} is not in {all:?}");
    }

    #[test]
    fn memory_is_measured() {
        if let Some(resident) = resident_memory(None) {
            assert!(resident > 100_000, "{resident}");
            assert!(resident < total_memory().unwrap());
        }
        assert!(own_peak_memory() > 100_000);
    }
}
