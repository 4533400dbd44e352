//! The folder of a hunt: its state, and files that appear whole.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::HuntError;

/// The file of the state.
const STATE: &str = "state.json";

/// A folder that a hunt goes on from.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder of this name, made if it is not there.
    ///
    /// # Errors
    /// [`HuntError::File`] if it cannot be made.
    pub fn open(path: &Path) -> Result<Self, HuntError> {
        fs::create_dir_all(path).map_err(HuntError::file(path))?;
        Ok(Self { path: path.to_owned() })
    }

    /// A file of the folder.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The state that was written last; None in a new folder.
    ///
    /// # Errors
    /// [`HuntError::State`] if it is of another hunt than `hunt` names, or no state.
    pub fn state(&self, hunt: &str) -> Result<Option<Value>, HuntError> {
        let path = self.file(STATE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(HuntError::File { path, source }),
        };
        let wrong = |why: String| HuntError::State { path: path.clone(), why };
        let state: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let found = state["hunt"].as_str().unwrap_or_default();
        if found != hunt {
            return Err(wrong(format!("expected the hunt `{hunt}`, found `{found}`: name another folder")));
        }
        Ok(Some(state))
    }

    /// Writes the state of a hunt in place of the one before. It is on the disk when this returns.
    ///
    /// # Errors
    /// [`HuntError::File`] if it cannot be written.
    pub fn write_state(&self, hunt: &str, mut state: Value) -> Result<(), HuntError> {
        state["hunt"] = hunt.into();
        self.write(STATE, format!("{state:#}\n").as_bytes())
    }

    /// Writes a file whole, or leaves the one before.
    ///
    /// # Errors
    /// [`HuntError::File`] if it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), HuntError> {
        let (path, new) = (self.file(name), self.file(&format!("{name}.new")));
        let written = File::create(&new).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        written.map_err(HuntError::file(&new))?;
        fs::rename(&new, &path).map_err(HuntError::file(&path))?;
        #[cfg(unix)]
        File::open(&self.path).and_then(|folder| folder.sync_all()).map_err(HuntError::file(&self.path))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_that_of_its_hunt() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(&place.path().join("new")).unwrap();
        assert!(folder.state("a").unwrap().is_none());
        folder.write_state("a", serde_json::json!({ "next": 5 })).unwrap();
        folder.write_state("a", serde_json::json!({ "next": 7 })).unwrap();
        assert_eq!(folder.state("a").unwrap().unwrap()["next"], 7);
        let error = folder.state("b").unwrap_err().to_string();
        assert!(error.contains("expected the hunt `b`, found `a`"), "{error}");
        fs::write(folder.file(STATE), "{").unwrap();
        assert!(matches!(folder.state("a"), Err(HuntError::State { .. })));
    }
}
