//! What the tests share.
#![allow(dead_code, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of its own for a test, removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("aster-confirm-test-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// True if gcc makes programs with these options that run here.
pub fn has_compiler(folder: &Folder, options: &[&str]) -> bool {
    let source = folder.write("probe.c", "#include <stdio.h>\nint main(void) { return 0; }\n");
    let program = folder.path("probe");
    let compiled = Command::new("gcc").args(options).arg(&source).arg("-o").arg(&program).output();
    let works = compiled.is_ok_and(|output| output.status.success())
        && Command::new(Path::new(&program)).status().is_ok_and(|status| status.success());
    if !works {
        eprintln!("skipped: gcc {} makes no programs that run here", options.join(" "));
    }
    works
}
