//! A file that gets its name when it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::reserve::Reservation;
use crate::links::folder;

/// Bytes that are written at once.
const BUFFER_BYTES: usize = 256 << 10;

/// This variable forces a temporary name, as on file systems without unnamed files.
const NAMED: &str = "LIMBFORGE_NAMED_TEMP";

/// The file that is being written. Without a name nothing stays of it, whatever ends the program.
pub(super) struct Unfinished {
    /// The name that it will have.
    path: PathBuf,
    file: BufWriter<File>,
    /// Its name until then, where the file system has no unnamed files.
    temporary: Option<TempPath>,
    reservation: Option<Reservation>,
}

impl Unfinished {
    /// Creates a file in the folder of `path`, with the mode and owner of an existing file, else those of any
    /// new file. An existing file must be writable.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let old = match File::options().write(true).open(path) {
            Ok(old) => Some(old.metadata()?),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(explained(&error, "the file exists and is not writable")),
        };
        // Until it has the mode of another file, only the owner may read it.
        let (file, temporary) = temporary(folder(path), if old.is_some() { 0o600 } else { 0o666 })?;
        if let Some(old) = old {
            keep_permissions(&file, &old)?;
        }
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(Self { path: path.to_owned(), file, temporary, reservation: None })
    }

    pub(super) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Asks for room for so many bytes. Without it there is more to do for each write.
    pub(super) fn reserve(&mut self, bytes: u64) {
        self.reservation = Reservation::start(self.file.get_ref(), bytes).ok();
    }

    /// Writes all to the disk, and then gives the file its name.
    pub(super) fn finish(self) -> io::Result<()> {
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(reservation) = self.reservation {
            reservation.end(&mut file)?;
        }
        match file.sync_data() {
            // Some file systems cannot report when data are on the disk.
            Err(error) if !matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
                return Err(error);
            }
            _ => {}
        }
        match self.temporary {
            Some(temporary) => replace(temporary, &self.path),
            None => name(&file, &self.path),
        }
    }
}

/// A file without name, or else one beside the requested one.
fn temporary(folder: &Path, mode: u32) -> io::Result<(File, Option<TempPath>)> {
    if std::env::var_os(NAMED).is_none()
        && let Some(file) = unnamed(folder, mode)
    {
        return Ok((file, None));
    }
    let create = || named(folder, mode);
    #[cfg(unix)]
    let created = super::unix::create_removable(create);
    #[cfg(not(unix))]
    let created = create();
    let file = created.map_err(|error| {
        explained(&error, &format!("its folder {} must exist and be writable", folder.display()))
    })?;
    let (file, path) = file.into_parts();
    Ok((file, Some(path)))
}

fn replace(temporary: TempPath, path: &Path) -> io::Result<()> {
    let replaced = temporary.persist(path);
    replaced.map_err(|error| explained(&error.error, "the complete file could not take this name"))
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
    // The error itself, without the unknown name of a temporary file.
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

/// A file without name in this folder; None where the file system has no such files.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path, mode: u32) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::TMPFILE.bits().cast_signed();
    let file = File::options().read(true).write(true).custom_flags(flags).mode(mode).open(folder).ok()?;
    // Without /proc the file would stay nameless.
    fs::exists(link_of(&file)).is_ok_and(|is_there| is_there).then_some(file)
}

/// Gives an unnamed file its name. The kernel links no file over another: where there is one, the file is
/// linked beside it and renamed.
#[cfg(target_os = "linux")]
fn name(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    let link =
        |path: &Path| linkat(CWD, link_of(file), CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from);
    match link(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            replace(builder().make_in(folder(path), link)?.into_temp_path(), path)
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

/// Copies mode and owner, the owner as far as the user may give files away.
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

fn explained(error: &io::Error, why: &str) -> io::Error {
    io::Error::new(error.kind(), format!("{error}: {why}"))
}
