//! Opening untrusted files: without blocking on a pipe, without writing through a link, and without reading more than a
//! given number of bytes.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Opens a regular file for reading. Links are followed.
///
/// # Errors
///
/// As [`File::open`], and for pipes, devices, sockets and folders: reading these could block, or never end.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    // Opening a pipe would wait for a writer.
    flags::add(&mut options, flags::NO_WAIT);
    let file = options.open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(not_regular()),
    }
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
///
/// As [`open_regular`], and [`io::ErrorKind::FileTooLarge`] for a longer file, whatever size its metadata state.
pub fn read_at_most(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    // A buffer that grows would be up to twice as large as a file of known size.
    let expected = file.metadata()?.len();
    if expected > limit {
        return Err(too_long(limit));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    within(bytes, limit)
}

/// Reads a regular file of at most `limit` bytes that holds UTF-8.
///
/// # Errors
///
/// As [`read_at_most`], and if it is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    utf8(read_at_most(path, limit)?)
}

/// Whether a regular file holds just these bytes.
pub fn holds(path: &Path, bytes: &[u8]) -> bool {
    read_at_most(path, bytes.len() as u64).is_ok_and(|found| found == bytes)
}

/// Longest input file that the user names, in bytes.
const LONGEST_INPUT: u64 = 256 << 20;

/// Reads UTF-8 from a file or pipe that the user named. Waits for the writer of a pipe.
///
/// # Errors
///
/// As [`File::open`], if it is not UTF-8, and [`io::ErrorKind::FileTooLarge`] beyond 256 MiB: devices may never end.
pub fn read_input(path: &Path) -> io::Result<String> {
    read_input_from(File::open(path)?)
}

/// Reads UTF-8 from standard input or another source that the user named.
///
/// # Errors
///
/// As [`read_input`].
pub fn read_input_from(source: impl Read) -> io::Result<String> {
    utf8(read_input_bytes(source)?)
}

/// Reads bytes from standard input or another source that the user named.
///
/// # Errors
///
/// As [`read_input`], in any encoding.
pub fn read_input_bytes(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LONGEST_INPUT + 1).read_to_end(&mut bytes)?;
    within(bytes, LONGEST_INPUT)
}

/// The bytes; an error if they are more than `limit`.
fn within(bytes: Vec<u8>, limit: u64) -> io::Result<Vec<u8>> {
    match bytes.len() as u64 <= limit {
        true => Ok(bytes),
        false => Err(too_long(limit)),
    }
}

fn too_long(limit: u64) -> io::Error {
    let reason = format!(
        "is longer than the {limit} bytes that are read of such a file; shorten or split it"
    );
    io::Error::new(io::ErrorKind::FileTooLarge, reason)
}

/// The bytes as text; an error if they are not UTF-8.
fn utf8(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| {
        let reason = "is not UTF-8; save it as UTF-8";
        io::Error::new(io::ErrorKind::InvalidData, reason)
    })
}

/// Whether the error means that the path does not exist.
pub fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Opens a lock file for reading and writing, and creates it if it does not exist.
///
/// # Errors
///
/// As [`OpenOptions::open`], and for a link: writing through it could destroy its target.
pub fn open_lock(path: &Path) -> io::Result<File> {
    open_or_create(path, OpenOptions::new().write(true).truncate(false))
}

/// Opens a file for reading and for adding to its end, and creates it if it does not exist.
///
/// # Errors
///
/// As [`open_lock`].
pub fn open_to_append(path: &Path) -> io::Result<File> {
    open_or_create(path, OpenOptions::new().append(true))
}

/// Opens a regular file for reading and what `options` say, and creates it if it does not exist.
fn open_or_create(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    refuse_link(path)?;
    options.read(true).create(true);
    flags::add(options, flags::NO_WAIT | flags::NO_LINK);
    let file = options.open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(not_regular()),
    }
}

/// Refuses a path whose last component is a link. A path that does not exist is fine.
///
/// # Errors
///
/// The path is a link; the message says what to do.
pub fn refuse_link(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => Err(io::Error::other(match path.exists() {
            true => LINK,
            false => BROKEN_LINK,
        })),
        _ => Ok(()),
    }
}

/// Refuses a path where no file can be put or replaced: a link, a folder, a pipe, a device or a socket. A path that does not
/// exist is fine.
///
/// # Errors
///
/// What is there; the message says what to do. Its kind is [`io::ErrorKind::InvalidInput`] for a pipe, a device or a socket.
pub fn refuse_irregular(path: &Path) -> io::Result<()> {
    let Ok(found) = path.symlink_metadata() else {
        return Ok(());
    };
    // These links lead to whatever the streams of the process are at present.
    let streams = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    let is_device = streams.iter().any(|stream| path.starts_with(stream)) || {
        let target = path.metadata();
        target.is_ok_and(|target| !target.is_file() && !target.is_dir())
    };
    match is_device {
        true => Err(io::Error::new(io::ErrorKind::InvalidInput, DEVICE)),
        false if found.is_symlink() => refuse_link(path),
        false if found.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, FOLDER)),
        false => Ok(()),
    }
}

/// Refuses links among the components of `relative` below `root`, which may be a link itself.
///
/// # Errors
///
/// A component is a link; the message names it and says what to do.
pub fn refuse_links_below(root: &Path, relative: &Path) -> io::Result<()> {
    let mut path = root.to_owned();
    for component in relative.components() {
        path.push(component);
        refuse_link(&path)
            .map_err(|error| io::Error::other(format!("'{}' {error}", path.display())))?;
    }
    Ok(())
}

/// The target of a link to a folder in a walk that follows links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// A folder that no link led to before; it is walked.
    New,
    /// The root of the walk, or a folder above it.
    Ancestor,
    /// A folder that another link led to.
    Seen,
}

/// The folders that links led to in a walk. Each is followed once: the paths through folders of links to folders of links
/// grow exponentially.
#[derive(Debug)]
pub struct FolderLinks {
    root: PathBuf,
    targets: HashSet<PathBuf>,
}

impl FolderLinks {
    /// Creates the set for a walk that begins in `root`.
    pub fn new(root: &Path) -> FolderLinks {
        FolderLinks {
            root: root.canonicalize().unwrap_or_else(|_| root.to_owned()),
            targets: HashSet::new(),
        }
    }

    /// Classifies the link at `path`. A broken link counts as new: the walk reports its error.
    pub fn follow(&mut self, path: &Path) -> LinkTarget {
        match path.canonicalize() {
            Ok(folder) if self.root.starts_with(&folder) => LinkTarget::Ancestor,
            Ok(folder) => match self.targets.insert(folder) {
                true => LinkTarget::New,
                false => LinkTarget::Seen,
            },
            Err(_) => LinkTarget::New,
        }
    }
}

const LINK: &str =
    "is a symbolic link, and endpaper never writes through one; replace it with its target";

const BROKEN_LINK: &str = "is a symbolic link whose target does not exist, and endpaper never writes through one; remove it";

const FOLDER: &str = "is a folder; name a file";

const DEVICE: &str = "is a pipe, a device or a socket, which is never written over; name a file";

/// The path is not a regular file.
fn not_regular() -> io::Error {
    let reason = "is not a regular file (a pipe, a device or a folder); name a file";
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}

#[cfg(unix)]
mod flags {
    use std::fs::OpenOptions;
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    pub const NO_WAIT: i32 = OFlags::NONBLOCK.bits() as i32;
    pub const NO_LINK: i32 = OFlags::NOFOLLOW.bits() as i32;

    /// Sets the system's flags for opening.
    pub fn add(options: &mut OpenOptions, flags: i32) {
        options.custom_flags(flags);
    }
}

#[cfg(not(unix))]
mod flags {
    use std::fs::OpenOptions;

    pub const NO_WAIT: i32 = 0;
    pub const NO_LINK: i32 = 0;

    /// Flags are unknown on this system.
    pub fn add(_: &mut OpenOptions, _: i32) {}
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn pipe(path: &Path) {
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    }

    #[test]
    fn open_regular_takes_files_and_links_to_them_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        symlink(at("file"), at("link")).unwrap();
        symlink("/dev/zero", at("zero")).unwrap();
        pipe(&at("pipe"));
        for (name, taken) in [
            ("file", true),
            ("link", true),
            ("zero", false),
            ("pipe", false),
            (".", false),
            ("nothing", false),
        ] {
            assert_eq!(open_regular(&at(name)).is_ok(), taken, "{name}");
        }
    }

    #[test]
    fn read_at_most_stops_one_byte_after_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_at_most(&path, 5).unwrap(), b"12345");
        let error = read_at_most(&path, 4).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        // The metadata of this file state the size 0.
        assert!(read_at_most(Path::new("/proc/self/status"), 10).is_err());
    }

    #[test]
    fn open_lock_refuses_links_and_pipes_and_makes_nothing_behind_them() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        open_lock(&at("lock")).unwrap();
        open_lock(&at("lock")).unwrap();
        symlink(at("elsewhere"), at("link")).unwrap();
        pipe(&at("pipe"));
        let error = open_lock(&at("link")).unwrap_err().to_string();
        assert!(error.starts_with("is a symbolic link"), "{error}");
        assert!(open_lock(&at("pipe")).is_err());
        assert!(!at("elsewhere").exists());
    }

    #[test]
    fn only_regular_files_are_written_over_and_the_repair_fits_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        pipe(&at("pipe"));
        for (target, link) in [("file", "link"), ("gone", "broken"), ("pipe", "to-pipe")] {
            symlink(at(target), at(link)).unwrap();
        }
        for name in ["file", "nothing"] {
            refuse_irregular(&at(name)).unwrap();
        }
        for (path, repair) in [
            (at("link"), "replace it with its target"),
            (at("broken"), "remove it"),
            (at("pipe"), DEVICE),
            (at("to-pipe"), DEVICE),
            ("/dev/null".into(), DEVICE),
            ("/dev/stdout".into(), DEVICE),
            (folder.path().to_owned(), FOLDER),
        ] {
            let error = refuse_irregular(&path).unwrap_err().to_string();
            assert!(error.ends_with(repair), "{}: {error}", path.display());
        }
    }

    #[test]
    fn links_below_a_folder_are_refused_by_name_and_the_folder_may_be_one() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("real/inner")).unwrap();
        symlink(at("real"), at("root")).unwrap();
        symlink(at("real"), at("real/loop")).unwrap();
        let check = |relative: &str| refuse_links_below(&at("root"), Path::new(relative));
        check("inner/new").unwrap();
        check("new/newer").unwrap();
        let error = check("loop/new").unwrap_err().to_string();
        assert!(error.contains("loop' is a symbolic link"), "{error}");
    }
}
