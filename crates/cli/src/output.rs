//! Where results go: complete or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

use tempfile::{NamedTempFile, SpooledTempFile};

use crate::error::CliError;

/// Results that standard output waits for in memory; more wait in a temporary file.
const SPOOL_BYTES: usize = 16 << 20;

/// The destination of all results.
pub(crate) enum Output {
    /// A file beside the one that is asked for, which takes its name when it is complete.
    File { path: PathBuf, file: BufWriter<NamedTempFile> },
    /// Results for a stream (standard output, a device, a pipe) wait here until they are complete.
    Stream { path: Option<PathBuf>, spool: SpooledTempFile },
}

impl Output {
    pub(crate) fn create(path: Option<&Path>) -> Result<Self, CliError> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Ok(Self::Stream { path: None, spool: SpooledTempFile::new(SPOOL_BYTES) });
        };
        // A link is followed, so that the file it names is replaced and not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            return Ok(Self::Stream { path: Some(path), spool: SpooledTempFile::new(SPOOL_BYTES) });
        }
        let file = create_beside(&path).map_err(|error| failed(&path, "create", error))?;
        remove_on_interrupt(file.path());
        Ok(Self::File { path, file: BufWriter::new(file) })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        let written = match self {
            Self::File { file, .. } => file.write_all(bytes),
            Self::Stream { spool, .. } => spool.write_all(bytes),
        };
        written.map_err(|error| failed(self.path(), "write", error))
    }

    /// Makes the results visible.
    pub(crate) fn finish(self) -> Result<(), CliError> {
        let path = self.path().to_owned();
        let finished = match self {
            Self::File { path, file } => file
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(|file| Ok(file.persist(path)?))
                .map(drop),
            Self::Stream { path: None, spool } => copy(spool, io::stdout().lock()),
            Self::Stream { path: Some(path), spool } => {
                File::options().write(true).open(path).and_then(|stream| copy(spool, stream))
            }
        };
        finished.map_err(|error| failed(&path, "write", error))
    }

    fn path(&self) -> &Path {
        match self {
            Self::File { path, .. } | Self::Stream { path: Some(path), .. } => path,
            Self::Stream { path: None, .. } => Path::new("standard output"),
        }
    }
}

fn failed(path: &Path, action: &'static str, source: io::Error) -> CliError {
    CliError::File { path: path.to_owned(), action, source }
}

fn create_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".limbforge-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What any new file gets; the process's umask takes its part off.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Copies the complete results to a stream. A reader that goes away early has what it wanted.
fn copy(mut spool: SpooledTempFile, mut stream: impl Write) -> io::Result<()> {
    spool.rewind()?;
    match io::copy(&mut spool, &mut stream).and_then(|_| stream.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        copied => copied,
    }
}

/// Removes the unfinished file when the user interrupts the program.
fn remove_on_interrupt(path: &Path) {
    static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);
    static HANDLER: Once = Once::new();
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = Some(path.to_owned());
    HANDLER.call_once(|| {
        let handler = || {
            if let Some(path) = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take() {
                // There is nobody to tell, and nothing else to do, if it is already gone.
                let _ = fs::remove_file(path);
            }
            std::process::exit(130);
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            eprintln!("warning: an interrupt will leave a temporary file: {error}");
        }
    });
}
