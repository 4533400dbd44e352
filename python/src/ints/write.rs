//! From limbs to an integer.

use limbforge::limb::{bytemuck, slice};
use limbforge::prelude::IntType;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};
use pyo3::{ffi, intern};

use super::{Access, DIGIT, Export, Ints, NewLong, digits};

/// Where the digits of an integer begin, after its header and its size.
const DIGITS: usize = 24;
/// Where its size lies, after its header.
const SIZE: usize = 16;

impl Ints {
    /// The integer of a residue in the limbs of the type. `room` is scratch memory.
    pub(crate) fn write<'py>(
        &self,
        py: Python<'py>,
        limbs: &[u64],
        ty: IntType,
        room: &mut Vec<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let negative = ty.is_signed() && slice::cmp::is_negative(limbs, ty.bits());
        let magnitude = if negative {
            room.clear();
            room.extend_from_slice(limbs);
            slice::sub::neg_assign(room);
            slice::bits::truncate(room, ty.bits());
            &room[..]
        } else {
            limbs
        };
        let used = magnitude.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1);
        let magnitude = &magnitude[..used];
        // The interpreter keeps small integers and compares them by address.
        if let ([] | [_], false) = (magnitude, negative) {
            return Ok(magnitude.first().copied().unwrap_or(0).into_pyobject(py)?.into_any());
        }
        if let (&[word @ ..=0x7fff_ffff_ffff_ffff], true) = (magnitude, negative) {
            return Ok((-(word as i64)).into_pyobject(py)?.into_any());
        }
        match self.access {
            // SAFETY: the function and the layout are those of this interpreter.
            Access::Size(new) => unsafe {
                write_object(py, new, magnitude, |count| if negative { -count } else { count })
            },
            // SAFETY: as above; without a sign the tag is what the function has stored.
            Access::Tag(new) => unsafe {
                write_object(py, new, magnitude, |count| (count << 3) | if negative { 2 } else { 0 })
            },
            Access::Export(export) => write_export(py, &export, magnitude, negative),
            Access::Bytes => write_bytes(py, magnitude, negative),
        }
    }
}

/// Digits of a magnitude whose highest limb is not 0.
fn count(magnitude: &[u64]) -> usize {
    let bits = 64 * magnitude.len() - magnitude.last().map_or(0, |top| top.leading_zeros() as usize);
    bits.div_ceil(DIGIT as usize)
}

/// A new integer whose digits are written in place.
///
/// # Safety
/// `new` is `_PyLong_New`, and `size` encodes the number of digits and the sign as this interpreter does.
unsafe fn write_object<'py>(
    py: Python<'py>,
    new: NewLong,
    magnitude: &[u64],
    size: impl Fn(isize) -> isize,
) -> PyResult<Bound<'py, PyAny>> {
    let count = count(magnitude);
    // SAFETY: the new integer has room for these digits, all of which are written before anybody sees it, and
    // the highest of which is not 0; the interpreter's layout is known.
    unsafe {
        let value = Bound::from_owned_ptr_or_err(py, new(count as ffi::Py_ssize_t))?;
        let object = value.as_ptr().cast::<u8>();
        digits::write(magnitude, std::slice::from_raw_parts_mut(object.add(DIGITS).cast(), count));
        object.add(SIZE).cast::<isize>().write(size(count as isize));
        Ok(value)
    }
}

fn write_export<'py>(
    py: Python<'py>,
    api: &Export,
    magnitude: &[u64],
    negative: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let count = count(magnitude);
    let mut out = std::ptr::null_mut();
    // SAFETY: the writer has room for these digits, all of which are written, and is finished once.
    unsafe {
        let writer = (api.create)(negative.into(), count as ffi::Py_ssize_t, &raw mut out);
        if writer.is_null() {
            return Err(PyErr::fetch(py));
        }
        digits::write(magnitude, std::slice::from_raw_parts_mut(out.cast(), count));
        Bound::from_owned_ptr_or_err(py, (api.finish)(writer))
    }
}

/// By `int.from_bytes`, in any interpreter.
fn write_bytes<'py>(py: Python<'py>, magnitude: &[u64], negative: bool) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyBytes::new(py, bytemuck::cast_slice(magnitude));
    let value =
        py.get_type::<PyInt>().call_method1(intern!(py, "from_bytes"), (bytes, intern!(py, "little")))?;
    if negative { value.neg() } else { Ok(value) }
}
