//! From an integer to limbs.

use limbforge::limb::{RangeError, convert};
use limbforge::prelude::IntType;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

use super::{Access, Export, Ints, PyLongExport, digits};

/// Where the digits of an integer begin, after its header and its size.
const DIGITS: usize = 24;
/// Where its size lies, after its header.
const SIZE: usize = 16;

impl Ints {
    /// Writes an integer, or any object with `__index__`, as its residue in the limbs of the type; an error
    /// within if it is not of the type.
    ///
    /// # Errors
    /// `TypeError` if it is not an integer, and what its `__index__` raises.
    pub(crate) fn read(
        &self,
        value: &Bound<'_, PyAny>,
        ty: IntType,
        out: &mut [u64],
    ) -> PyResult<Result<(), RangeError>> {
        let index;
        let value = match value.cast::<PyInt>() {
            Ok(int) => int,
            Err(_) => {
                index = index_of(value)?;
                &index
            }
        };
        // SAFETY: `value` is an int of this interpreter, whose layout `find` has chosen by the version. Ints
        // never change, and `value` keeps it.
        let (digits, negative) = unsafe {
            let object = value.as_ptr().cast::<u8>();
            let digits = object.add(DIGITS).cast::<u32>();
            match self.access {
                Access::Size(_) => {
                    let size = object.add(SIZE).cast::<isize>().read();
                    (std::slice::from_raw_parts(digits, size.unsigned_abs()), size < 0)
                }
                Access::Tag(_) => {
                    let tag = object.add(SIZE).cast::<usize>().read();
                    (std::slice::from_raw_parts(digits, tag >> 3), tag & 3 == 2)
                }
                Access::Export(export) => return read_export(&export, value, ty, out),
                Access::Bytes => return read_bytes(value, ty, out),
            }
        };
        Ok(digits::read(digits, negative, ty, out))
    }
}

fn index_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyInt>> {
    let wrong = || {
        let found = value.get_type();
        PyTypeError::new_err(format!("expected an int or an object with __index__, found {found}"))
    };
    if !value.hasattr(intern!(value.py(), "__index__"))? {
        return Err(wrong());
    }
    // Errors of its own are passed on.
    let index = value.call_method0(intern!(value.py(), "__index__"))?;
    index.cast_into::<PyInt>().map_err(|_| wrong())
}

fn read_export(
    api: &Export,
    value: &Bound<'_, PyInt>,
    ty: IntType,
    out: &mut [u64],
) -> PyResult<Result<(), RangeError>> {
    let mut export =
        PyLongExport { value: 0, negative: 0, ndigits: 0, digits: std::ptr::null(), reserved: 0 };
    // SAFETY: an int, and room for what is exported.
    if unsafe { (api.export)(value.as_ptr(), &raw mut export) } != 0 {
        return Err(PyErr::fetch(value.py()));
    }
    if export.digits.is_null() {
        let magnitude = export.value.unsigned_abs();
        let digits = [0, 1, 2].map(|i| (magnitude >> (super::DIGIT * i)) as u32 & ((1 << super::DIGIT) - 1));
        return Ok(digits::read(&digits, export.value < 0, ty, out));
    }
    // SAFETY: the digits stay until they are freed below.
    let digits =
        unsafe { std::slice::from_raw_parts(export.digits.cast::<u32>(), export.ndigits.unsigned_abs()) };
    let read = digits::read(digits, export.negative != 0, ty, out);
    // SAFETY: exported above, and freed once.
    unsafe { (api.free)(&raw mut export) };
    Ok(read)
}

/// By `int.to_bytes`, in any interpreter.
fn read_bytes(value: &Bound<'_, PyInt>, ty: IntType, out: &mut [u64]) -> PyResult<Result<(), RangeError>> {
    let py = value.py();
    let bits: u64 = value.call_method0(intern!(py, "bit_length"))?.extract()?;
    let negative = value.lt(0)?;
    let magnitude = value.abs()?;
    let is_power_of_two = || magnitude.call_method0("bit_count").and_then(|ones| ones.eq(1)).unwrap_or(false);
    if let Err(error) = digits::check(bits, negative, ty, is_power_of_two) {
        return Ok(Err(error));
    }
    // One bit more than the magnitude is room for the sign.
    let kwargs = pyo3::types::PyDict::new(py);
    kwargs.set_item(intern!(py, "signed"), true)?;
    let args = (bits / 8 + 1, intern!(py, "little"));
    let bytes = value.call_method(intern!(py, "to_bytes"), args, Some(&kwargs))?;
    let mut record = bytes.cast::<PyBytes>()?.as_bytes();
    if !ty.is_signed() && record.last() == Some(&0) {
        record = &record[..record.len() - 1];
    }
    Ok(convert::from_le_record(record, ty, out))
}
