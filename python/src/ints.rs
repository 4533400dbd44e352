//! Python's integers to limbs and back, the fastest way that the interpreter has.

mod digits;
mod read;
mod write;

use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;

use pyo3::ffi;
use pyo3::prelude::*;

pub(crate) use self::digits::check;

/// Bits of a digit of CPython's integers.
const DIGIT: u32 = 30;

/// How the digits of an integer are reached.
#[derive(Clone, Copy)]
enum Access {
    /// In the object: the signed number of digits, then the digits. CPython 3.11.
    Size(NewLong),
    /// In the object: the number of digits and a sign, then the digits. CPython 3.12 and 3.13.
    Tag(NewLong),
    /// `PyLong_Export` and `PyLongWriter`, from CPython 3.14 on.
    Export(Export),
    /// `int.to_bytes` and `int.from_bytes`, everywhere else.
    Bytes,
}

/// `_PyLong_New`: an integer with room for this number of digits.
type NewLong = unsafe extern "C" fn(ffi::Py_ssize_t) -> *mut ffi::PyObject;

/// The functions of PEP 757, which are not in the stable ABI of 3.11.
#[derive(Clone, Copy)]
struct Export {
    export: unsafe extern "C" fn(*mut ffi::PyObject, *mut PyLongExport) -> c_int,
    free: unsafe extern "C" fn(*mut PyLongExport),
    create: unsafe extern "C" fn(c_int, ffi::Py_ssize_t, *mut *mut c_void) -> *mut c_void,
    finish: unsafe extern "C" fn(*mut c_void) -> *mut ffi::PyObject,
}

/// `PyLongExport` of PEP 757.
#[repr(C)]
struct PyLongExport {
    value: i64,
    negative: u8,
    ndigits: ffi::Py_ssize_t,
    digits: *const c_void,
    reserved: usize,
}

/// Conversions in this interpreter.
pub(crate) struct Ints {
    access: Access,
}

impl Ints {
    pub(crate) fn get(py: Python<'_>) -> &'static Self {
        static INTS: OnceLock<Ints> = OnceLock::new();
        INTS.get_or_init(|| Self { access: find(py).unwrap_or(Access::Bytes) })
    }

    /// The way in which digits are reached.
    pub(crate) fn name(&self) -> &'static str {
        match self.access {
            Access::Size(_) | Access::Tag(_) => "digits",
            Access::Export(_) => "PyLong_Export",
            Access::Bytes => "bytes",
        }
    }
}

/// `LIMBFORGE_INTS=bytes` in the environment chooses the way that every interpreter has.
fn find(py: Python<'_>) -> PyResult<Access> {
    let sys = py.import("sys")?;
    let is_cpython = sys.getattr("implementation")?.getattr("name")?.extract::<String>()? == "cpython";
    let digit: u32 = sys.getattr("int_info")?.getattr("bits_per_digit")?.extract()?;
    let is_forced = std::env::var("LIMBFORGE_INTS").is_ok_and(|way| way == "bytes");
    if !is_cpython || digit != DIGIT || is_forced {
        return Ok(Access::Bytes);
    }
    let version = py.version_info();
    Ok(match (version.major, version.minor) {
        (3, 11) => new_long().map_or(Access::Bytes, Access::Size),
        (3, 12 | 13) => new_long().map_or(Access::Bytes, Access::Tag),
        _ => export().map_or(Access::Bytes, Access::Export),
    })
}

fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name is terminated; the lookup is among what is loaded.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

fn new_long() -> Option<NewLong> {
    // SAFETY: CPython 3.11 to 3.13 export this function with this type.
    symbol(c"_PyLong_New").map(|f| unsafe { std::mem::transmute::<*mut c_void, NewLong>(f) })
}

fn export() -> Option<Export> {
    let [export, free, create, finish] =
        [c"PyLong_Export", c"PyLong_FreeExport", c"PyLongWriter_Create", c"PyLongWriter_Finish"].map(symbol);
    let (export, free, create, finish) = (export?, free?, create?, finish?);
    // SAFETY: PEP 757 fixes the types of the functions of these names.
    Some(unsafe {
        Export {
            export: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(*mut ffi::PyObject, *mut PyLongExport) -> c_int,
            >(export),
            free: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut PyLongExport)>(free),
            create: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(c_int, ffi::Py_ssize_t, *mut *mut c_void) -> *mut c_void,
            >(create),
            finish: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_void) -> *mut ffi::PyObject>(
                finish,
            ),
        }
    })
}
