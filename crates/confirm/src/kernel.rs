//! What the kernel offers to confine a program, and confining one with it.

use std::io;
use std::path::Path;

/// What the kernel of this machine offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Files and signals can be put out of a process's reach (Landlock).
    pub files: bool,
    /// System calls can be filtered (seccomp).
    pub calls: bool,
}

impl Kernel {
    /// True if a program can be kept from everything that is none of its business.
    pub fn confines(self) -> bool {
        self.files && self.calls
    }
}

/// What a confined program may use.
pub(crate) struct Permissions<'a> {
    /// The program.
    pub(crate) executable: &'a Path,
    /// It looks for leaks, for which it needs to be traced by a process of its own.
    pub(crate) finds_leaks: bool,
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(crate) use linux::Confinement;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod linux {
    use super::{Kernel, Permissions, io};
    use crate::filter::filter;
    use landlock::{
        ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
        RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
    };
    use seccompiler::BpfProgram;

    /// What programs read: libraries, what the loader knows about them, and what sanitizers want to know of the process, whose
    /// part of `/proc` has no name yet.
    const READ: [&str; 9] = [
        "/usr",
        "/lib",
        "/lib32",
        "/lib64",
        "/libx32",
        "/etc/ld.so.cache",
        "/proc",
        "/dev/null",
        "/dev/urandom",
    ];

    /// The loaders of dynamic libraries, which are executed along with the program.
    const LOADERS: [&str; 2] = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux.so.2"];

    impl Kernel {
        /// Asks the kernel.
        pub fn probe() -> Self {
            Kernel { files: ruleset(CompatLevel::HardRequirement).is_ok(), calls: has_filters() }
        }
    }

    fn has_filters() -> bool {
        let action = libc::SECCOMP_RET_ERRNO;
        // SAFETY: the pointer is to a live variable of the type that this operation reads.
        let result =
            unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) };
        result == 0
    }

    /// A set of rules that allows nothing. What later kernels can forbid in addition is forbidden where they do.
    fn ruleset(level: CompatLevel) -> Result<RulesetCreated, RulesetError> {
        Ruleset::default()
            .set_compatibility(level)
            .handle_access(AccessFs::from_all(ABI::V1))?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(ABI::V5))?
            .handle_access(AccessNet::from_all(ABI::V4))?
            .scope(Scope::from_all(ABI::V6))?
            .create()
    }

    /// All that is needed to confine a process, made ready before it exists: between `fork` and `exec` no memory may be
    /// allocated.
    pub(crate) struct Confinement {
        rules: Option<RulesetCreated>,
        filter: Option<BpfProgram>,
    }

    impl Confinement {
        /// As strict as the kernel allows.
        pub(crate) fn new(kernel: Kernel, permissions: &Permissions<'_>) -> io::Result<Self> {
            let rules = kernel.files.then(|| rules(permissions)).transpose().map_err(io::Error::other)?;
            let filter = kernel.calls.then(|| filter(permissions.finds_leaks)).transpose();
            Ok(Confinement { rules, filter: filter.map_err(io::Error::other)? })
        }

        /// Confines this process for good. Allocates nothing.
        pub(crate) fn enter(&mut self) -> io::Result<()> {
            if let Some(rules) = self.rules.take() {
                match rules.restrict_self() {
                    Ok(status) if status.ruleset != RulesetStatus::NotEnforced => {}
                    _ => return Err(io::Error::from_raw_os_error(libc::EOPNOTSUPP)),
                }
            }
            if let Some(filter) = &self.filter
                && seccompiler::apply_filter(filter).is_err()
            {
                return Err(io::Error::from_raw_os_error(libc::EOPNOTSUPP));
            }
            Ok(())
        }
    }

    fn rules(permissions: &Permissions<'_>) -> Result<RulesetCreated, RulesetError> {
        let read = AccessFs::ReadFile | AccessFs::ReadDir;
        let mut rules = ruleset(CompatLevel::HardRequirement)?;
        let executed = LOADERS.iter().map(std::path::Path::new).chain([permissions.executable]);
        let allowed = READ.iter().map(|path| (std::path::Path::new(path), read));
        for (path, access) in
            allowed.chain(executed.map(|path| (path, AccessFs::Execute | AccessFs::ReadFile)))
        {
            // What is not there cannot be used either.
            let Ok(opened) = PathFd::new(path) else { continue };
            let of_files: BitFlags<AccessFs> = AccessFs::from_file(ABI::V5);
            let access = if path.is_dir() { access } else { access & of_files };
            rules = rules.add_rule(PathBeneath::new(opened, access))?;
        }
        Ok(rules)
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(crate) struct Confinement;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
impl Kernel {
    /// Nothing is known about confining programs here.
    pub fn probe() -> Self {
        Kernel { files: false, calls: false }
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
impl Confinement {
    pub(crate) fn new(_: Kernel, _: &Permissions<'_>) -> io::Result<Self> {
        Ok(Confinement)
    }

    pub(crate) fn enter(&mut self) -> io::Result<()> {
        Ok(())
    }
}
