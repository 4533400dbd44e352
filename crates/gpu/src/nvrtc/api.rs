//! nvrtc's functions.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int};
use std::path::{Path, PathBuf};

use cudarc::nvrtc::sys::nvrtcProgram;
use libloading::Library;

use super::error::NvrtcError;
use crate::version::Version;

/// nvrtc's result: 0 is success. An integer rather than cudarc's enumeration, because a newer nvrtc may
/// return values that the enumeration does not have.
pub(super) type Status = c_int;

macro_rules! api {
    ($($field:ident = $symbol:literal: fn($($argument:ty),*) -> $result:ty;)*) => {
        /// The functions of one open nvrtc, which is never closed.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Api {
            $(pub(super) $field: unsafe extern "C" fn($($argument),*) -> $result,)*
        }

        impl Api {
            fn of(library: &'static Library, path: &Path) -> Result<Self, NvrtcError> {
                Ok(Self {
                    // SAFETY: each type is that of the function in nvrtc.h, the same from 11 to 13, and the
                    // library is never closed.
                    $($field: *unsafe { library.get($symbol) }
                        .map_err(|_| NvrtcError::Symbol { path: path.to_owned(), symbol: $symbol })?,)*
                })
            }
        }
    };
}

api! {
    get_version = "nvrtcVersion": fn(*mut c_int, *mut c_int) -> Status;
    get_error_string = "nvrtcGetErrorString": fn(Status) -> *const c_char;
    get_num_supported_archs = "nvrtcGetNumSupportedArchs": fn(*mut c_int) -> Status;
    get_supported_archs = "nvrtcGetSupportedArchs": fn(*mut c_int) -> Status;
    create = "nvrtcCreateProgram": fn(
        *mut nvrtcProgram, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char
    ) -> Status;
    destroy = "nvrtcDestroyProgram": fn(*mut nvrtcProgram) -> Status;
    compile = "nvrtcCompileProgram": fn(nvrtcProgram, c_int, *const *const c_char) -> Status;
    get_log_size = "nvrtcGetProgramLogSize": fn(nvrtcProgram, *mut usize) -> Status;
    get_log = "nvrtcGetProgramLog": fn(nvrtcProgram, *mut c_char) -> Status;
    get_cubin_size = "nvrtcGetCUBINSize": fn(nvrtcProgram, *mut usize) -> Status;
    get_cubin = "nvrtcGetCUBIN": fn(nvrtcProgram, *mut c_char) -> Status;
    get_ptx_size = "nvrtcGetPTXSize": fn(nvrtcProgram, *mut usize) -> Status;
    get_ptx = "nvrtcGetPTX": fn(nvrtcProgram, *mut c_char) -> Status;
}

/// Opens a library and keeps it open until the process ends.
fn open_for_ever(path: &Path) -> Result<&'static Library, NvrtcError> {
    // SAFETY: opening a library runs its initialisers. These are NVIDIA's, or what the user says is NVIDIA's.
    match unsafe { Library::new(path) } {
        Ok(library) => Ok(Box::leak(Box::new(library))),
        Err(error) => Err(NvrtcError::Open { path: path.to_owned(), reason: error.to_string() }),
    }
}

impl Api {
    pub(super) fn open(library: &Path, builtins: &[PathBuf]) -> Result<Self, NvrtcError> {
        for builtins in builtins {
            open_for_ever(builtins)?;
        }
        Self::of(open_for_ever(library)?, library)
    }

    pub(super) fn version(&self) -> Result<Version, NvrtcError> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both pointers are to integers of this function.
        let status = unsafe { (self.get_version)(&raw mut major, &raw mut minor) };
        self.check("say its version", status)?;
        let part = |number| u32::try_from(number).unwrap_or(0);
        Ok(Version { major: part(major), minor: part(minor) })
    }

    /// Numbers of architectures, ascending.
    pub(super) fn architectures(&self) -> Result<Vec<u32>, NvrtcError> {
        let action = "list its architectures";
        let mut count = 0;
        // SAFETY: the pointer is to an integer of this function.
        self.check(action, unsafe { (self.get_num_supported_archs)(&raw mut count) })?;
        let mut numbers: Vec<c_int> = vec![0; usize::try_from(count).unwrap_or(0)];
        // SAFETY: the array has as many elements as nvrtc said it would write.
        self.check(action, unsafe { (self.get_supported_archs)(numbers.as_mut_ptr()) })?;
        let mut numbers: Vec<_> =
            numbers.into_iter().filter_map(|number| u32::try_from(number).ok()).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    pub(super) fn check(&self, action: &'static str, status: Status) -> Result<(), NvrtcError> {
        match status {
            0 => Ok(()),
            _ => Err(NvrtcError::Call { action, reason: self.describe(status) }),
        }
    }

    pub(super) fn describe(&self, status: Status) -> String {
        // SAFETY: takes any number and returns a static text.
        let text = unsafe { (self.get_error_string)(status) };
        if text.is_null() {
            return format!("error {status}");
        }
        // SAFETY: not null, and nvrtc's texts end with NUL and live as long as the library.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }
}
