//! One compilation.
#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_int};
use std::ptr;

use cudarc::nvrtc::sys::nvrtcProgram;

use super::api::{Api, Status};
use super::error::{CompileError, NvrtcError};
use super::{Compiled, Image};
use crate::arch::Target;

/// nvrtc's results for a source, and for an option, that is wrong.
const WRONG_SOURCE: Status = 6;
const WRONG_OPTION: Status = 5;

/// A program of nvrtc's, destroyed when dropped.
struct Program<'a> {
    api: &'a Api,
    handle: nvrtcProgram,
}

type SizeOf = unsafe extern "C" fn(nvrtcProgram, *mut usize) -> Status;
type Copy = unsafe extern "C" fn(nvrtcProgram, *mut c_char) -> Status;

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle was created by this nvrtc and is destroyed once. A failure leaks it, no more.
        let _ = unsafe { (self.api.destroy)(&raw mut self.handle) };
    }
}

impl<'a> Program<'a> {
    fn new(api: &'a Api, source: &CString) -> Result<Self, NvrtcError> {
        let mut handle: nvrtcProgram = ptr::null_mut();
        let name = c"kernel.cu";
        // SAFETY: the texts end with NUL and are copied by nvrtc; there are no headers, so their arrays may
        // be null.
        let status = unsafe {
            (api.create)(&raw mut handle, source.as_ptr(), name.as_ptr(), 0, ptr::null(), ptr::null())
        };
        api.check("take the source", status)?;
        Ok(Self { api, handle })
    }

    fn compile(&self, options: &[CString]) -> Status {
        let pointers: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let count = c_int::try_from(pointers.len()).unwrap_or(c_int::MAX);
        // SAFETY: the handle is alive, and `pointers` has `count` texts that end with NUL and outlive the
        // call.
        unsafe { (self.api.compile)(self.handle, count, pointers.as_ptr()) }
    }

    /// Something that nvrtc gives as a size and then the bytes.
    fn bytes(&self, action: &'static str, size_of: SizeOf, copy: Copy) -> Result<Vec<u8>, NvrtcError> {
        let mut size = 0;
        // SAFETY: the handle is alive and the pointer is to an integer of this function.
        self.api.check(action, unsafe { size_of(self.handle, &raw mut size) })?;
        let mut bytes = vec![0_u8; size];
        // SAFETY: the handle is alive and `bytes` has the size that nvrtc said it would write.
        self.api.check(action, unsafe { copy(self.handle, bytes.as_mut_ptr().cast()) })?;
        Ok(bytes)
    }

    /// Text comes with a NUL at its end.
    fn text(&self, action: &'static str, size_of: SizeOf, copy: Copy) -> Result<String, NvrtcError> {
        let bytes = self.bytes(action, size_of, copy)?;
        let text = bytes.split(|&byte| byte == 0).next().unwrap_or(&[]);
        Ok(String::from_utf8_lossy(text).into_owned())
    }
}

pub(super) fn compile(
    api: &Api,
    source: &str,
    target: Target,
    options: &[String],
) -> Result<Compiled, NvrtcError> {
    let text = CString::new(source).map_err(|_| NvrtcError::Nul { what: "source" })?;
    let arguments: Result<Vec<_>, _> = options.iter().map(|option| CString::new(option.as_str())).collect();
    let arguments = arguments.map_err(|_| NvrtcError::Nul { what: "option" })?;
    let program = Program::new(api, &text)?;
    let status = program.compile(&arguments);
    let log = program.text("give its log", api.get_log_size, api.get_log)?;
    match status {
        0 => {}
        WRONG_SOURCE | WRONG_OPTION => {
            return Err(NvrtcError::Compile(Box::new(CompileError::new(log, source, options))));
        }
        _ => {
            let reason = format!("{}\n{log}", api.describe(status)).trim_end().to_owned();
            return Err(NvrtcError::Call { action: "compile", reason });
        }
    }
    let image = match target {
        Target::Cubin(_) => {
            Image::Cubin(program.bytes("give the machine code", api.get_cubin_size, api.get_cubin)?)
        }
        Target::Ptx(_) => Image::Ptx(program.text("give the PTX", api.get_ptx_size, api.get_ptx)?),
    };
    Ok(Compiled { image, log: log.trim_end().to_owned() })
}
