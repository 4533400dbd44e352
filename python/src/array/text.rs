//! Arrays from and to bytes and hexadecimal digits.

use limbforge::limb::slice::{bits, sub};
use limbforge::limb::{convert, text};
use limbforge::prelude::IntType;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString};

use super::build::made;
use super::{IntArray, memory};
use crate::dtype;
use crate::errors::value_error;
use crate::looks::Looks;

/// The array of integers of ``ceil(bits / 8)`` bytes each, one after the other, in two's complement for a
/// signed type: the binary files of the program ``limbforge``, and ``int.to_bytes``.
///
/// >>> import limbforge as lf
/// >>> lf.from_bytes(bytes([1, 0, 0, 2, 0, 255]), "i24").tolist()
/// [1, -65534]
/// >>> lf.from_bytes(b"\x01\x02", "u16", byteorder="big").tolist()
/// [258]
#[pyfunction]
#[pyo3(signature = (data, /, dtype, *, byteorder="little"))]
pub(crate) fn from_bytes(
    data: &Bound<'_, PyAny>,
    dtype: &Bound<'_, PyAny>,
    byteorder: &str,
) -> PyResult<IntArray> {
    let (py, ty) = (data.py(), dtype::dtype(dtype)?);
    let is_big = is_big(byteorder)?;
    let bytes = py.get_type::<PyBytes>().call1((PyMemoryView::from(data)?,))?;
    let bytes = bytes.cast::<PyBytes>()?.as_bytes();
    let size = ty.bytes();
    if !bytes.len().is_multiple_of(size) {
        let found = bytes.len();
        return Err(PyValueError::new_err(format!(
            "expected a multiple of {size} bytes for {ty}, found {found}"
        )));
    }
    let (m, mut record, mut looks) = (ty.limbs::<u64>(), vec![0; size], Looks::default());
    let mut limbs = memory::zeros((bytes.len() / size).saturating_mul(m))?;
    for (i, (out, bytes)) in limbs.chunks_exact_mut(m).zip(bytes.chunks_exact(size)).enumerate() {
        looks.after(py, m)?;
        record.copy_from_slice(bytes);

        if is_big {
            record.reverse();
        }
        convert::from_le_record(&record, ty, out)
            .map_err(|error| PyOverflowError::new_err(format!("instance {i}: {error}")))?;
    }
    made(ty, limbs)
}

fn is_big(byteorder: &str) -> PyResult<bool> {
    match byteorder {
        "little" => Ok(false),
        "big" => Ok(true),
        _ => {
            Err(PyValueError::new_err(format!("byteorder: expected 'little' or 'big', found '{byteorder}'")))
        }
    }
}

#[pymethods]
impl IntArray {
    /// The integers of ``ceil(bits / 8)`` bytes each, as ``lf.from_bytes`` reads them.
    ///
    /// >>> import limbforge as lf
    /// >>> lf.array([1, -2], "i16").tobytes()
    /// b'\x01\x00\xfe\xff'
    #[pyo3(signature = (*, byteorder="little"))]
    fn tobytes<'py>(&self, py: Python<'py>, byteorder: &str) -> PyResult<Bound<'py, PyBytes>> {
        let (ty, is_big) = (self.0.ty(), is_big(byteorder)?);
        let (size, m) = (ty.bytes(), self.0.limbs_per_instance());
        let sign = ty.bits() as usize - 1;
        PyBytes::new_with(py, self.0.instances() * size, |out| {
            for (record, limbs) in out.chunks_exact_mut(size).zip(self.0.limbs().chunks_exact(m)) {
                convert::to_le_bytes(limbs, record);
                if ty.is_signed() && record[sign / 8] >> (sign % 8) & 1 == 1 {
                    record[sign / 8] |= 0xff << (sign % 8);
                }
                if is_big {
                    record.reverse();
                }
            }
            Ok(())
        })
    }
}

/// The array of an iterable of hexadecimal digits, each with or without ``0x``, and a sign for a signed type.
///
/// >>> import limbforge as lf
/// >>> lf.from_hex(["ff", "0x10"], "u2048").tolist()
/// [255, 16]
#[pyfunction]
#[pyo3(signature = (texts, /, dtype))]
pub(crate) fn from_hex(texts: &Bound<'_, PyAny>, dtype: &Bound<'_, PyAny>) -> PyResult<IntArray> {
    let ty = dtype::dtype(dtype)?;
    if texts.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(
            "expected an iterable of texts, found one text: use [text] or text.split()",
        ));
    }
    let (m, mut limbs, mut looks) = (ty.limbs::<u64>(), vec![], Looks::default());
    for (i, value) in texts.try_iter()?.enumerate() {
        let value = value?;
        let text = value.cast::<PyString>().map_err(|_| {
            PyTypeError::new_err(format!("instance {i}: expected a text, found {}", value.get_type()))
        })?;
        looks.after(value.py(), m)?;
        let start = limbs.len();

        limbs.resize(start + m, 0);
        read_hex(text.to_cow()?.trim(), ty, &mut limbs[start..]).map_err(|error| {
            let message = format!("instance {i}: {error}");
            match error {
                text::ParseError::TooWide { .. } | text::ParseError::Range(_) => {
                    PyOverflowError::new_err(message)
                }
                _ => value_error(message),
            }
        })?;
    }
    made(ty, limbs)
}

fn read_hex(digits: &str, ty: IntType, out: &mut [u64]) -> Result<(), text::ParseError> {
    let (negative, rest) = digits.strip_prefix('-').map_or((false, digits), |rest| (true, rest));
    let rest = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")).unwrap_or(rest);
    text::parse_hex(rest.as_bytes(), out).map_err(|error| error.offset(digits.len() - rest.len()))?;
    let needed = u64::from(bits::bit_len(out));
    let is_power_of_two = bits::count_ones(out) == 1;
    crate::ints::check(needed, negative && needed > 0, ty, || is_power_of_two)?;
    if negative {
        sub::neg_assign(out);
        bits::truncate(out, ty.bits());
    }
    Ok(())
}
