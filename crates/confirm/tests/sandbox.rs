//! Hostile programs in the sandbox: none has an effect outside, and every run ends.
#![allow(clippy::unwrap_used)]

mod common;

use aster_confirm::{Ending, Finished, Limit, Limits, Sandbox, Task};
use common::{Folder, has_compiler};
use std::process::Command;
use std::time::{Duration, Instant};

/// With and without sanitizers, and for both data models where gcc has them.
const WAYS: [&[&str]; 3] = [&["-m64"], &["-m64", "-fsanitize=address,undefined"], &["-m32"]];

fn sandbox(time: u64) -> Option<Sandbox> {
    let sandbox = Sandbox::of_this_machine();
    if !sandbox.kernel.confines() {
        eprintln!("skipped: this kernel confines no programs: {:?}", sandbox.kernel);
        return None;
    }
    Some(Sandbox { limits: Limits { time: Duration::from_secs(time), ..sandbox.limits }, ..sandbox })
}

fn run(sandbox: &Sandbox, folder: &Folder, text: &str, options: &[&str], finds_leaks: bool) -> Finished {
    let source = folder.write("hostile.c", text);
    let executable = folder.path("hostile");
    let output =
        Command::new("gcc").args(["-w", "-g", "-o"]).arg(&executable).args(options).arg(source).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let empty = folder.path("empty");
    let _ = std::fs::create_dir(&empty);
    let options = format!("external_symbolizer_path=:detect_leaks={}", u8::from(finds_leaks));
    let task = Task {
        executable: &executable,
        folder: &empty,
        environment: &[("ASAN_OPTIONS", options)],
        finds_leaks,
    };
    let finished = sandbox.run(task, &|| false).unwrap();
    assert_eq!(std::fs::read_dir(&empty).unwrap().count(), 0, "something was written: {}", finished.messages);
    finished
}

/// Runs what should fail, in every way; the program says what it managed to do.
fn fails(name: &str, body: impl Fn(&Folder) -> String) {
    let folder = Folder::new(name);
    let Some(sandbox) = sandbox(20) else { return };
    for options in WAYS {
        if !has_compiler(&folder, options) {
            continue;
        }
        let text = format!(
            "#define _GNU_SOURCE\n#include <errno.h>\n#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
             #include <string.h>\n#include <unistd.h>\n#include <sched.h>\n#include <sys/socket.h>\n#include <sys/syscall.h>\n\
             #include <sys/stat.h>\n#include <sys/prctl.h>\n#include <sys/wait.h>\n#include <netinet/in.h>\n\
             static void managed(const char *what) {{ fprintf(stderr, \"managed %s\\n\", what); }}\n\
             int main(int argc, char **argv) {{ {}\n fprintf(stderr, \"came to the end\\n\"); return 0; }}\n",
            body(&folder)
        );
        let finished = run(&sandbox, &folder, &text, options, false);
        assert!(!finished.messages.contains("managed"), "{options:?}: {}", finished.messages);
        assert!(finished.messages.contains("came to the end"), "{options:?}: {finished:?}");
        assert_eq!(finished.ending, Ending::Exited(0), "{options:?}: {}", finished.messages);
    }
}

/// Ways to write by system calls that no library stands in front of.
const DIRECTLY: &str =
    "if (syscall(SYS_openat, AT_FDCWD, PATH, O_WRONLY | O_CREAT, 0600) >= 0) managed(\"openat\");
    if (syscall(SYS_open, PATH, O_RDWR | O_CREAT, 0600) >= 0) managed(\"open\");
    if (syscall(SYS_creat, PATH, 0600) >= 0) managed(\"creat\");
    if (syscall(SYS_truncate, PATH, 0) >= 0) managed(\"truncate\");";

#[test]
fn nothing_is_written() {
    fails("write", |folder| {
        let victim = folder.write("victim", "precious\n");
        let victim = victim.to_str().unwrap();
        format!(
            "const char *const PATH = \"{victim}\"; {DIRECTLY}
            if (fopen(PATH, \"w\") || fopen(PATH, \"a\") || fopen(\"here\", \"w\") || fopen(\"/tmp/aster-hostile\", \"w\")) managed(\"fopen\");
            if (!unlink(PATH) || !rename(PATH, \"other\") || !chmod(PATH, 0) || !mkdir(\"here\", 0700)) managed(\"unlink\");
            if (!symlink(PATH, \"here\") || !link(PATH, \"here\") || !chdir(\"..\")) managed(\"link\");"
        )
    });
    // The same program harms where nothing confines it, so that the test means something.
    let folder = Folder::new("write-freely");
    if has_compiler(&folder, &["-m64"]) {
        let victim = folder.path("victim");
        let text = format!(
            "#include <fcntl.h>\nint main(void) {{ return open(\"{}\", O_WRONLY | O_CREAT, 0600) < 0; }}",
            victim.display()
        );
        let source = folder.write("free.c", text);
        let executable = folder.path("free");
        assert!(Command::new("gcc").arg(source).arg("-o").arg(&executable).status().unwrap().success());
        assert!(Command::new(executable).status().unwrap().success() && victim.exists());
    }
}

#[test]
fn private_files_are_not_read() {
    fails("read", |folder| {
        let secret = folder.write("secret", "secret\n");
        format!(
            "if (open(\"{}\", O_RDONLY) >= 0 || open(\"/etc/passwd\", O_RDONLY) >= 0) managed(\"open\");",
            secret.display()
        )
    });
}

#[test]
fn nobody_is_talked_to() {
    fails("network", |_| {
        "if (socket(AF_INET, SOCK_STREAM, 0) >= 0) managed(\"tcp\");
         if (socket(AF_INET, SOCK_DGRAM, 0) >= 0) managed(\"udp\");
         if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0) managed(\"unix\");
         int pair[2]; if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) managed(\"socketpair\");
         if (kill(getppid(), 0) == 0 || kill(getppid(), SIGKILL) == 0 || kill(-1, 0) == 0) managed(\"kill\");"
            .to_owned()
    });
}

#[test]
fn no_processes_are_made() {
    fails("fork", |_| {
        "int child = fork(); if (child == 0) { managed(\"fork\"); _exit(0); } if (child > 0) managed(\"fork\");
         if (system(\"echo managed > /dev/stderr\") == 0) managed(\"system\");
         if (popen(\"true\", \"r\")) managed(\"popen\");
         char *shell[] = {\"/bin/sh\", \"-c\", \"echo managed >&2\", 0}; execv(shell[0], shell);
         if (prctl(PR_SET_PDEATHSIG, 0) == 0) managed(\"to outlive\");
         if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0) managed(\"clone\");"
            .to_owned()
    });
}

/// Where leaks are looked for, one process can be made: not more.
#[test]
fn processes_that_look_for_leaks_do_not_multiply() {
    let folder = Folder::new("clones");
    let Some(sandbox) = sandbox(5) else { return };
    if !has_compiler(&folder, &["-m64"]) {
        return;
    }
    let text = "#define _GNU_SOURCE\n#include <sched.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n
        static int wait_forever(void *unused) { for (;;) pause(); }
        int main(void) {
            for (;;) {
                char *stack = malloc(65536);
                int made = clone(wait_forever, stack + 65536, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_UNTRACED, 0);
                if (made < 0) { fprintf(stderr, \"no more\\n\"); return 1; }
            }
        }";
    let finished = run(&sandbox, &folder, text, &["-m64"], true);
    let ended = finished.ending == Ending::Stopped(Limit::Processes) || finished.messages.contains("no more");
    assert!(ended, "{finished:?}");
    let left = Command::new("pgrep").args(["-f", folder.path("hostile").to_str().unwrap()]).output();
    assert!(left.is_err() || left.is_ok_and(|output| output.stdout.is_empty()), "processes are left");
}

fn ends(name: &str, time: u64, text: &str, expected: &[Ending]) {
    let folder = Folder::new(name);
    let Some(sandbox) = sandbox(time) else { return };
    for options in WAYS {
        if has_compiler(&folder, options) {
            let start = Instant::now();
            let finished = run(&sandbox, &folder, text, options, false);
            assert!(start.elapsed() < Duration::from_secs(60));
            assert!(expected.contains(&finished.ending), "{options:?}: {:?}", finished.ending);
        }
    }
}

#[test]
fn endless_runs_are_ended() {
    ends("endless", 1, "int main(void) { for (;;) ; }", &[Ending::Stopped(Limit::Time)]);
    let sleeping = "#include <unistd.h>\n#include <signal.h>\n\
        int main(void) { for (int i = 1; i < 64; i++) signal(i, SIG_IGN); for (;;) sleep(1000); }";
    ends("sleeping", 1, sleeping, &[Ending::Stopped(Limit::Time)]);
}

#[test]
fn memory_is_limited() {
    let text = "#include <stdlib.h>\n#include <string.h>\n\
        int main(void) { for (;;) { char *block = malloc(1 << 20); if (!block) return 7; memset(block, 1, 1 << 20); } }";
    ends("memory", 30, text, &[Ending::Stopped(Limit::Memory), Ending::Exited(7)]);
}

#[test]
fn output_is_limited() {
    let text = "#include <stdio.h>\nint main(void) { for (;;) fputs(\"a long story, told again and again\\n\", stderr); }";
    ends("output", 30, text, &[Ending::Stopped(Limit::Output)]);
}

#[test]
fn the_user_can_end_it() {
    let folder = Folder::new("user");
    let Some(sandbox) = sandbox(60) else { return };
    if !has_compiler(&folder, &["-m64"]) {
        return;
    }
    run(&sandbox, &folder, "int main(void) { return 0; }", &["-m64"], false);
    let source = folder.write("endless.c", "int main(void) { for (;;) ; }");
    let executable = folder.path("endless");
    assert!(Command::new("gcc").arg(source).arg("-o").arg(&executable).status().unwrap().success());
    let empty = folder.path("empty");
    let task = Task { executable: &executable, folder: &empty, environment: &[], finds_leaks: false };
    let finished = sandbox.run(task, &|| true).unwrap();
    assert_eq!(finished.ending, Ending::Stopped(Limit::User));
}
