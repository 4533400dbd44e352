//! A file that has its name when it is complete, and not before.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::path::folder;

/// Bytes that are written at once.
const BUFFER_BYTES: usize = 256 << 10;

/// A name for an unfinished file is asked for by this variable, as on file systems without files that have
/// none.
const NAMED: &str = "LIMBFORGE_NAMED_TEMP";

/// The file that is being written.
pub(super) struct Unfinished {
    /// The name that it will have.
    path: PathBuf,
    file: BufWriter<Temporary>,
}

enum Temporary {
    /// A file without name: whatever ends the program, nothing stays of it.
    Unnamed(File),
    /// A file beside the one that is asked for, where the file system has no unnamed files.
    Named(NamedTempFile),
}

impl Unfinished {
    /// A file in the folder of `path`, with the mode and owner of the file that is there, else those of any
    /// new file.
    ///
    /// # Errors
    /// A folder in which no file can be created; an existing file that may not be written.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let old = match File::options().write(true).open(path) {
            Ok(old) => Some(old.metadata()?),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(explained(&error, "the file is there and may not be written")),
        };
        let file = Temporary::create(folder(path), old.is_some())?;
        if let Some(old) = old {
            keep_permissions(file.as_file(), &old)?;
        }
        Ok(Self { path: path.to_owned(), file: BufWriter::with_capacity(BUFFER_BYTES, file) })
    }

    pub(super) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Writes all to the disk, and then gives the file its name.
    pub(super) fn finish(self) -> io::Result<()> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        match file.as_file().sync_data() {
            // Some file systems cannot say when data are on the disk.
            Err(error) if !matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
                return Err(error);
            }
            _ => {}
        }
        match file {
            Temporary::Named(file) => {
                file.persist(&self.path).map(drop).map_err(|error| not_replaced(&error.error))
            }
            Temporary::Unnamed(file) => name(&file, &self.path),
        }
    }
}

impl Temporary {
    /// `is_private`: only the owner may read the file, until it has the mode of another one.
    fn create(folder: &Path, is_private: bool) -> io::Result<Self> {
        let mode = if is_private { 0o600 } else { 0o666 };
        if std::env::var_os(NAMED).is_none()
            && let Some(file) = unnamed(folder, mode)
        {
            return Ok(Self::Unnamed(file));
        }
        let create = || named(folder, mode);
        #[cfg(unix)]
        let created = super::signals::create_removable(create);
        #[cfg(not(unix))]
        let created = create();
        let file = created.map_err(|error| {
            let why = format!("its folder {} must be there and writable", folder.display());
            explained(&error, &why)
        })?;
        Ok(Self::Named(file))
    }

    fn as_file(&self) -> &File {
        match self {
            Self::Unnamed(file) => file,
            Self::Named(file) => file.as_file(),
        }
    }
}

/// The errors are those of the file itself, without the name of a temporary one.
impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.as_file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".limbforge-").suffix(".tmp");
    builder
}

fn named(folder: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    // The error itself, without the name of a temporary file, which nobody knows.
    let mut cause = None;
    let create = |path: &Path| {
        options.open(path).map_err(|error| {
            let kind = error.kind();
            cause = Some(error);
            kind.into()
        })
    };
    builder().make_in(folder, create).map_err(|error| cause.unwrap_or(error))
}

/// A file without name in this folder, that can get one. None where the file system has no such files.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path, mode: u32) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::TMPFILE.bits().cast_signed();
    let file = File::options().read(true).write(true).custom_flags(flags).mode(mode).open(folder).ok()?;
    // Without /proc the file would stay nameless.
    fs::exists(link_of(&file)).is_ok_and(|is_there| is_there).then_some(file)
}

/// Gives an unnamed file its name. The kernel links no file over another: where there is one, the file is
/// linked beside it and renamed at once.
#[cfg(target_os = "linux")]
fn name(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    let link =
        |path: &Path| linkat(CWD, link_of(file), CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from);
    match link(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let beside = builder().make_in(folder(path), link)?;
            beside.persist(path).map(drop).map_err(|error| not_replaced(&error.error))
        }
        linked => linked,
    }
}

#[cfg(target_os = "linux")]
fn link_of(file: &File) -> String {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path, _: u32) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
fn name(_: &File, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Takes over who may read and write a file, and whose it is as far as the user may give files away.
#[cfg(unix)]
fn keep_permissions(file: &File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid())
        && fchown(file, Some(old.uid()), Some(old.gid())).is_err()
    {
        // Only root may give a file away; a group of the user's own can be kept.
        let _ = fchown(file, None, Some(old.gid()));
    }
    file.set_permissions(fs::Permissions::from_mode(old.mode() & 0o777))
}

#[cfg(not(unix))]
fn keep_permissions(_: &File, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

fn not_replaced(error: &io::Error) -> io::Error {
    explained(error, "the complete file could not take this name")
}

fn explained(error: &io::Error, why: &str) -> io::Error {
    io::Error::new(error.kind(), format!("{error}: {why}"))
}
