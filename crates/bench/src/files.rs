//! Writing result files: all of a file or what was there before, and nothing in the place of what is no regular file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// Temporary files that have not taken their final name yet.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Writes a file. A regular file (or none at all) is replaced in one go, with the permissions that it had, and whoever looks finds
/// all of the old or all of the new content. A link leads to what it names. Devices, pipes and the like are written to as they are. What
/// is read-only is an error.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    if is_any(path, &["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]) {
        return write_stream(io::stdout().lock(), content);
    }
    if is_any(path, &["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"]) {
        return write_stream(io::stderr().lock(), content);
    }
    match fs::metadata(path) {
        Ok(found) if found.is_file() && is_descriptor(path) => {
            write_stream(OpenOptions::new().append(true).open(path)?, content)
        }
        Ok(found) if found.is_file() => replace(path, &found, content),
        Ok(_) => write_stream(OpenOptions::new().write(true).open(path)?, content),
        Err(error) if error.kind() == ErrorKind::NotFound => create(path, content),
        Err(error) => Err(error),
    }
}

/// Removes what was begun to be written and never will be finished, since the process ends now.
pub fn abandon() {
    // Whoever holds the lock only adds or removes a name. A thread that ended in a panic left a list that is as good.
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    for path in unfinished.drain(..) {
        let _ = fs::remove_file(path);
    }
}

fn is_any(path: &Path, names: &[&str]) -> bool {
    names.iter().any(|name| path == Path::new(name))
}

/// True for names of files that are open: there is somebody else who goes on writing to them.
fn is_descriptor(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc")
}

fn write_stream(mut stream: impl Write, content: &[u8]) -> io::Result<()> {
    stream.write_all(content).and_then(|()| stream.flush())
}

/// Writes a file that is not there. A link that leads nowhere makes the file that it names.
fn create(path: &Path, content: &[u8]) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(_) => fs::write(path, content),
        Err(_) => Temporary::beside(path)?.finish(path, None, content),
    }
}

fn replace(path: &Path, found: &fs::Metadata, content: &[u8]) -> io::Result<()> {
    if found.permissions().readonly() {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
    }
    // What a new file would change besides its content: other names of the file, and who it belongs to.
    if is_shared(found) {
        return fs::write(path, content);
    }
    let path = fs::canonicalize(path)?;
    match Temporary::beside(&path) {
        Ok(temporary) => temporary.finish(&path, Some(found.permissions()), content),
        // A folder in which nothing may be made can hold a file that may be written.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => fs::write(&path, content),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn is_shared(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    found.nlink() > 1 || found.uid() != crate::os::own_user()
}

#[cfg(not(unix))]
fn is_shared(_: &fs::Metadata) -> bool {
    false
}

/// A file that is not complete; it goes away unless it is finished.
struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    /// In the same folder, because files cannot be renamed from one file system to another.
    fn beside(path: &Path) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        if path.file_name().is_none() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it has no file name"));
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_file_name(format!(".aster-{}-{number}.tmp", std::process::id()));
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        unfinished.push(temporary.clone());
        Ok(Temporary { path: temporary, file })
    }

    fn finish(mut self, path: &Path, permissions: Option<fs::Permissions>, content: &[u8]) -> io::Result<()> {
        self.file.write_all(content)?;
        if let Some(permissions) = permissions {
            self.file.set_permissions(permissions)?;
        }
        fs::rename(&self.path, path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // After `abandon` the name is not in the list any more, and after `finish` the file has another one.
        if let Some(index) = unfinished.iter().position(|path| *path == self.path) {
            unfinished.swap_remove(index);
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("aster-files-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<_> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn files_are_made_and_replaced() {
        let folder = Folder::new("replaced");
        let file = folder.path("out");
        write(&file, b"one").unwrap();
        write(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(folder.names(), ["out"]);
        assert_eq!(write(&folder.path("missing/out"), b"x").unwrap_err().kind(), ErrorKind::NotFound);
        assert!(write(&folder.0, b"x").is_err(), "a folder is no file");
        assert_eq!(folder.names(), ["out"]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_and_read_only_files_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("permissions");
        let file = folder.path("out");
        write(&file, b"one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        write(&file, b"two").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        assert_eq!(write(&file, b"three").unwrap_err().to_string(), "the file is read-only");
        assert_eq!(fs::read(&file).unwrap(), b"two");
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_the_file() {
        let folder = Folder::new("links");
        let (file, link, nowhere, other) =
            (folder.path("file"), folder.path("link"), folder.path("nowhere"), folder.path("other"));
        write(&file, b"one").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        std::os::unix::fs::symlink("made", &nowhere).unwrap();
        fs::hard_link(&file, &other).unwrap();
        write(&link, b"two").unwrap();
        write(&nowhere, b"three").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::read(&other).unwrap(), b"two");
        assert_eq!(fs::read(folder.path("made")).unwrap(), b"three");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::symlink_metadata(&nowhere).unwrap().is_symlink());
        fs::remove_file(&other).unwrap();
        write(&link, b"four").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"four");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(folder.names(), ["file", "link", "made", "nowhere"]);
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_written_to() {
        use std::os::unix::fs::FileTypeExt;
        let null = Path::new("/dev/null");
        write(null, b"nothing").unwrap();
        assert!(fs::metadata(null).unwrap().file_type().is_char_device());
        let folder = Folder::new("pipe");
        let pipe = folder.path("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if !made.is_ok_and(|status| status.success()) {
            eprintln!("skipped: there is no mkfifo");
            return;
        }
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        write(&pipe, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), b"through");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(folder.names(), ["pipe"]);
    }

    #[test]
    fn what_is_not_finished_leaves_nothing() {
        let folder = Folder::new("unfinished");
        drop(Temporary::beside(&folder.path("out")).unwrap());
        assert!(folder.names().is_empty());
    }
}
