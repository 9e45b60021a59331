//! Which system calls a confined program may make, for 64-bit and for 32-bit programs.
//!
//! Everything that is not in the table fails with `EPERM`: sockets, other processes, signals, changes to files. What is in it
//! is what the C library and the sanitizers need to start, compute, use memory, read files and print.

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};
use std::collections::BTreeMap;

/// When a call is allowed.
#[derive(Clone, Copy)]
enum When {
    Always,
    /// The flags in the argument at this position open nothing for writing.
    OnlyReads(u8),
    /// The argument at this position is one of these.
    Among(u8, &'static [u64]),
    /// The first two arguments are these.
    Both(u64, u64),
}

/// What `open` must not be asked for: writing, creating, truncating. A temporary file needs writing.
const WRITING: u64 = (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC) as u64;

/// Whether a stream is a terminal.
const TERMINAL: &[u64] = &[libc::TCGETS];

/// Looking at and changing what happens to a file at `exec`; not who gets signals for it.
const FILE_STATUS: &[u64] = &[libc::F_GETFD as u64, libc::F_SETFD as u64, libc::F_GETFL as u64];

/// The name of the thread (15 and 16), names of memory (0x53564d41), and what a process that looks for leaks says of itself:
/// it may be looked into (3 and 4) by a process of its own (0x59616d61).
const ABOUT_ITSELF: &[u64] = &[3, 4, 15, 16, 0x5356_4d41, 0x5961_6d61];

/// Limits of itself only.
const SELF: &[u64] = &[0];

/// A call with its numbers on x86-64 and on i386; `None` where it does not exist or is not needed.
type Row = (Option<i64>, Option<i64>, When);

const ALLOWED: &[Row] = &[
    // Files, for reading.
    (Some(0), Some(3), When::Always),                   // read
    (Some(1), Some(4), When::Always),                   // write, to what is open
    (Some(2), Some(5), When::OnlyReads(1)),             // open
    (Some(257), Some(295), When::OnlyReads(2)),         // openat
    (Some(3), Some(6), When::Always),                   // close
    (Some(4), Some(106), When::Always),                 // stat
    (Some(5), Some(108), When::Always),                 // fstat
    (Some(6), Some(107), When::Always),                 // lstat
    (None, Some(195), When::Always),                    // stat64
    (None, Some(196), When::Always),                    // lstat64
    (None, Some(197), When::Always),                    // fstat64
    (Some(262), Some(300), When::Always),               // newfstatat, fstatat64
    (Some(332), Some(383), When::Always),               // statx
    (Some(8), Some(19), When::Always),                  // lseek
    (None, Some(140), When::Always),                    // _llseek
    (Some(16), Some(54), When::Among(1, TERMINAL)),     // ioctl
    (Some(72), Some(221), When::Among(1, FILE_STATUS)), // fcntl, fcntl64
    (Some(17), Some(180), When::Always),                // pread64
    (Some(19), Some(145), When::Always),                // readv
    (Some(20), Some(146), When::Always),                // writev
    (Some(21), Some(33), When::Always),                 // access
    (Some(269), Some(307), When::Always),               // faccessat
    (Some(439), Some(439), When::Always),               // faccessat2
    (Some(89), Some(85), When::Always),                 // readlink
    (Some(267), Some(305), When::Always),               // readlinkat
    (Some(79), Some(183), When::Always),                // getcwd
    (Some(217), Some(220), When::Always),               // getdents64
    (Some(78), Some(141), When::Always),                // getdents
    (Some(7), Some(168), When::Always),                 // poll
    (Some(22), Some(42), When::Always), // pipe: AddressSanitizer asks with one whether memory can be read
    (Some(293), Some(331), When::Always), // pipe2
    // Memory.
    (Some(9), Some(192), When::Always),  // mmap, mmap2
    (None, Some(90), When::Always),      // mmap of old
    (Some(10), Some(125), When::Always), // mprotect
    (Some(11), Some(91), When::Always),  // munmap
    (Some(12), Some(45), When::Always),  // brk
    (Some(25), Some(163), When::Always), // mremap
    (Some(27), Some(218), When::Always), // mincore
    (Some(28), Some(219), When::Always), // madvise
    // Its own signals and threads.
    (Some(13), Some(174), When::Always),                  // rt_sigaction
    (Some(14), Some(175), When::Always),                  // rt_sigprocmask
    (Some(15), Some(173), When::Always),                  // rt_sigreturn
    (None, Some(119), When::Always),                      // sigreturn
    (Some(131), Some(186), When::Always),                 // sigaltstack
    (Some(202), Some(240), When::Always),                 // futex
    (None, Some(422), When::Always),                      // futex_time64
    (Some(218), Some(258), When::Always),                 // set_tid_address
    (Some(273), Some(311), When::Always),                 // set_robust_list
    (Some(334), Some(386), When::Always),                 // rseq
    (Some(158), Some(384), When::Always),                 // arch_prctl
    (None, Some(243), When::Always),                      // set_thread_area
    (None, Some(244), When::Always),                      // get_thread_area
    (Some(24), Some(158), When::Always),                  // sched_yield
    (Some(204), Some(242), When::Always),                 // sched_getaffinity
    (Some(157), Some(172), When::Among(0, ABOUT_ITSELF)), // prctl
    // Who and when it is.
    (Some(39), Some(20), When::Always),           // getpid
    (Some(186), Some(224), When::Always),         // gettid
    (Some(110), Some(64), When::Always),          // getppid
    (Some(102), Some(199), When::Always),         // getuid
    (Some(104), Some(200), When::Always),         // getgid
    (Some(107), Some(201), When::Always),         // geteuid
    (Some(108), Some(202), When::Always),         // getegid
    (Some(63), Some(122), When::Always),          // uname
    (Some(99), Some(116), When::Always),          // sysinfo
    (Some(96), Some(78), When::Always),           // gettimeofday
    (Some(201), Some(13), When::Always),          // time
    (Some(228), Some(265), When::Always),         // clock_gettime
    (None, Some(403), When::Always),              // clock_gettime64
    (Some(229), Some(266), When::Always),         // clock_getres
    (None, Some(406), When::Always),              // clock_getres_time64
    (Some(35), Some(162), When::Always),          // nanosleep
    (Some(230), Some(267), When::Always),         // clock_nanosleep
    (None, Some(407), When::Always),              // clock_nanosleep_time64
    (Some(98), Some(77), When::Always),           // getrusage
    (Some(100), Some(43), When::Always),          // times
    (Some(97), Some(191), When::Always),          // getrlimit, ugetrlimit
    (Some(302), Some(340), When::Among(0, SELF)), // prlimit64
    (Some(318), Some(355), When::Always),         // getrandom
    // Beginning and end. The sandbox says which files may be executed.
    (Some(59), Some(11), When::Always),   // execve
    (Some(60), Some(1), When::Always),    // exit
    (Some(231), Some(252), When::Always), // exit_group
];

/// How LeakSanitizer makes the process that looks into its memory: with the memory, files and directory of the program, and
/// not traced. Nothing else is made this way.
const TRACER: &[u64] =
    &[(libc::CLONE_VM | libc::CLONE_FS | libc::CLONE_FILES | libc::CLONE_UNTRACED) as u32 as u64];

/// What LeakSanitizer needs besides.
const ALLOWED_FOR_LEAKS: &[Row] = &[
    (Some(56), Some(120), When::Among(0, TRACER)), // clone
    (Some(37), Some(27), When::Always),            // alarm, to look for them while the program runs
    (Some(101), Some(26), When::Always),           // ptrace; the sandbox keeps it from processes outside
    (Some(61), Some(114), When::Always),           // wait4
    (Some(157), Some(172), When::Both(libc::PR_SET_PDEATHSIG as u64, libc::SIGKILL as u64)), // prctl: it ends with the program
    (None, Some(7), When::Always),                                                           // waitpid
];

/// How the kernel calls the instruction sets (`linux/audit.h`).
const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;
const AUDIT_ARCH_I386: u32 = 0x4000_0003;

/// Where a filter finds the instruction set among what it is told of a call (`struct seccomp_data`).
const OFFSET_OF_ARCH: u32 = 4;

/// The filter for programs, with what LeakSanitizer needs if they look for leaks.
///
/// seccompiler knows no i386: the filter with the numbers of i386 is made as one for x86-64 and told to be for the other one. Both
/// stand behind a jump that tells them apart; each of them ends the process if it is not meant.
pub(crate) fn filter(finds_leaks: bool) -> Result<BpfProgram, BackendError> {
    let rows = || ALLOWED.iter().chain(if finds_leaks { ALLOWED_FOR_LEAKS } else { &[] });
    let wide = part(rows().filter_map(|(wide, _, when)| Some(((*wide)?, *when))))?;
    let mut narrow = part(rows().filter_map(|(_, narrow, when)| Some(((*narrow)?, *when))))?;
    // The first two instructions load the instruction set and compare it.
    match narrow.get_mut(1) {
        Some(comparison) if comparison.k == AUDIT_ARCH_X86_64 => comparison.k = AUDIT_ARCH_I386,
        _ => return Err(BackendError::InvalidTargetArch("i386".to_owned())),
    }
    let instruction = |code: u32, jt, jf, k| sock_filter { code: code as u16, jt, jf, k };
    let mut program = vec![
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, OFFSET_OF_ARCH),
        instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, 1, AUDIT_ARCH_I386),
        instruction(libc::BPF_JMP | libc::BPF_JA, 0, 0, wide.len() as u32),
    ];
    program.extend(wide);
    program.extend(narrow);
    Ok(program)
}

/// The filter for one instruction set. A call that is always allowed has one row.
fn part(rows: impl Iterator<Item = (i64, When)>) -> Result<BpfProgram, BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for (number, when) in rows {
        rules.entry(number).or_default().extend(alternatives(when)?);
    }
    let denied = SeccompAction::Errno(libc::EPERM as u32);
    SeccompFilter::new(rules, denied, SeccompAction::Allow, TargetArch::x86_64)?.try_into()
}

/// The rules of which one must hold; none if the call is always allowed. What is compared are numbers of 32 bits, as the kernel
/// reads them.
fn alternatives(when: When) -> Result<Vec<SeccompRule>, BackendError> {
    let condition =
        |argument, operator, value| SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value);
    let rule = |argument, operator, value| SeccompRule::new(vec![condition(argument, operator, value)?]);
    match when {
        When::Always => Ok(Vec::new()),
        When::OnlyReads(argument) => Ok(vec![rule(argument, SeccompCmpOp::MaskedEq(WRITING), 0)?]),
        When::Both(first, second) => {
            let equal = |argument, value| condition(argument, SeccompCmpOp::Eq, value);
            Ok(vec![SeccompRule::new(vec![equal(0, first)?, equal(1, second)?])?])
        }
        When::Among(argument, values) => {
            values.iter().map(|&value| rule(argument, SeccompCmpOp::Eq, value)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_fit_into_the_kernel() {
        for finds_leaks in [false, true] {
            let filter = filter(finds_leaks).unwrap();
            assert!(filter.len() < 4096, "{}", filter.len());
        }
        assert!(filter(true).unwrap().len() > filter(false).unwrap().len());
    }
}
