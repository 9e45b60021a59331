//! The models of library functions do what the C library does.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The texts of the models, in the order in which the front end reads them.
const TEXTS: [&str; 9] = [
    include_str!("../src/library/prelude.c"),
    include_str!("../src/library/string.c"),
    include_str!("../src/library/ctype.c"),
    include_str!("../src/library/tokens.c"),
    include_str!("../src/library/stdlib.c"),
    include_str!("../src/library/checked.c"),
    include_str!("../src/library/wide.c"),
    include_str!("../src/library/time.c"),
    include_str!("../src/library/stdio.c"),
];

/// The results are those of glibc, which other libraries need not share.
const PROBE: &str = "#include <stdlib.h>\n#ifndef __GLIBC__\n#error\n#endif\nint main(void) { return 0; }\n";

struct Directory(PathBuf);

impl Directory {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("aster-library-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary directory");
        Directory(path)
    }

    /// Compiles files; gives the program, or what the compiler says.
    fn compile(&self, model: &str, files: &[&Path]) -> Result<PathBuf, String> {
        let program = self.0.join("program");
        let output = Command::new("gcc")
            .args([model, "-std=gnu11", "-O1", "-w", "-fno-builtin"])
            .args(files)
            .arg("-o")
            .arg(&program)
            .output()
            .map_err(|error| error.to_string())?;
        if output.status.success() {
            Ok(program)
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn models_agree_with_the_c_library() {
    let directory = Directory::new();
    let (probe, models) = (directory.0.join("probe.c"), directory.0.join("models.c"));
    std::fs::write(&probe, PROBE).unwrap();
    std::fs::write(&models, TEXTS.concat()).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library");
    let (driver, outside) = (folder.join("driver.c"), folder.join("outside.c"));
    for model in ["-m64", "-m32"] {
        if directory.compile(model, &[&probe]).is_err() {
            eprintln!("skipped: gcc {model} with glibc is not available");
            continue;
        }
        let program =
            directory.compile(model, &[&driver, &outside, &models]).unwrap_or_else(|error| panic!("{error}"));
        let output = Command::new(program).current_dir(&directory.0).output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "gcc {model}:\n{shown}");
        assert!(shown.contains("comparisons, 0 differences"), "{shown}");
    }
}
