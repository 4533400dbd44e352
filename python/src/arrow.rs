//! Columns of Apache Arrow by its PyCapsule interface: those of pyarrow, polars, DuckDB and others.

use limbforge::prelude::Batch;
use limbforge_arrow::arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use limbforge_arrow::arrow_buffer::NullBuffer;
use limbforge_arrow::{Column, ColumnError};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::array::{IntArray, booleans};
use crate::errors::of_batch;

fn of_column(error: &ColumnError) -> PyErr {
    match error {
        ColumnError::Value { .. } => PyOverflowError::new_err(error.to_string()),
        ColumnError::Kind { .. } => PyTypeError::new_err(error.to_string()),
        ColumnError::Untyped { bytes } => PyTypeError::new_err(format!(
            "{error}: name it, as in from_arrow(column, \"u{}\"); where pyarrow is imported before limbforge, it \
             reads the type from files",
            8 * bytes
        )),
        ColumnError::Batch(error) => of_batch(error),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// The capsules of a schema and a column, which share the memory of the batch.
pub(crate) fn export<'py>(
    py: Python<'py>,
    batch: &Batch<u64>,
    nulls: Option<NullBuffer>,
) -> PyResult<Bound<'py, PyTuple>> {
    let (array, schema) = limbforge_arrow::export(batch, nulls).map_err(|error| of_column(&error))?;
    let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
    let array = PyCapsule::new_with_value(py, array, c"arrow_array")?;
    (schema, array).into_pyobject(py)
}

#[pymethods]
impl IntArray {
    /// The column of Apache Arrow, which shares memory: pyarrow, polars and others take the array as it is.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // A producer may leave out the conversion to a schema that is asked for.
        drop(requested_schema);
        export(py, &self.0, None)
    }

    /// The column of pyarrow, as from ``lf.to_arrow``.
    ///
    /// >>> import limbforge as lf
    /// >>> lf.array([1, 2], "u2048").to_arrow(extension=False).type
    /// FixedSizeBinaryType(fixed_size_binary[256])
    #[pyo3(signature = (*, extension=true))]
    fn to_arrow<'py>(slf: Bound<'py, Self>, extension: bool) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let kwargs = pyo3::types::PyDict::new(py);
        kwargs.set_item("extension", extension)?;
        py.import("limbforge._views")?.call_method("to_arrow", (slf,), Some(&kwargs))
    }
}

/// The array of a column of Apache Arrow: of any object with ``__arrow_c_array__``, whose values are binary
/// of a fixed size, and of the chunked arrays of pyarrow. Memory is shared where it lies as limbs do.
///
/// The type is ``dtype``, else that of the column, ``limbforge.int``; a column without is a ``TypeError``. Where
/// pyarrow is imported before limbforge, it reads the type from files.
/// Nulls are a ``ValueError``; with ``mask=True`` the result is the array, 0 for nulls, and a mask that is
/// true for values.
///
/// >>> import limbforge as lf
/// >>> a = lf.array([1, 2**1000], "u2048")
/// >>> lf.from_arrow(a.to_arrow()).equals(a)
/// True
#[pyfunction]
#[pyo3(signature = (column, /, dtype=None, *, mask=false))]
pub(crate) fn from_arrow(
    py: Python<'_>,
    column: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    mask: bool,
) -> PyResult<Py<PyAny>> {
    let ty = dtype.map(crate::dtype::dtype).transpose()?;
    let Column { batch, nulls } = import(&one_chunk(column)?, ty)?;
    let array = Py::new(py, IntArray::new(batch))?;
    if mask {
        let valid = match &nulls {
            Some(nulls) => nulls.iter().map(u8::from).collect(),
            None => vec![1; array.get().0.instances()],
        };
        return Ok((array, booleans(py, &valid)?).into_pyobject(py)?.into_any().unbind());
    }
    let Some(nulls) = nulls else { return Ok(array.into_any()) };
    let (count, first) = (nulls.null_count(), nulls.iter().position(|valid| !valid).unwrap_or(0));
    Err(PyValueError::new_err(format!(
        "the column has {count} nulls, the first in row {first}: mask=True returns which rows have a value"
    )))
}

/// The column itself, or the only or combined chunk of a chunked array.
fn one_chunk<'py>(column: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if column.hasattr("__arrow_c_array__")? {
        return Ok(column.clone());
    }
    if !column.hasattr("combine_chunks")? {
        let found = column.get_type();
        return Err(PyTypeError::new_err(format!(
            "expected an object with __arrow_c_array__, found {found}"
        )));
    }
    match column.getattr("num_chunks")?.extract::<usize>()? {
        1 => column.call_method1("chunk", (0,)),
        _ => column.call_method0("combine_chunks"),
    }
}

fn import(column: &Bound<'_, PyAny>, ty: Option<limbforge::prelude::IntType>) -> PyResult<Column<u64>> {
    let capsules = column.call_method0("__arrow_c_array__")?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(c"arrow_array"))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold these structures, and both are those of one column. The array is
    // moved out, which marks what stays in the capsule as released.
    let imported = unsafe {
        let array = FFI_ArrowArray::from_raw(array.as_ptr());
        limbforge_arrow::import(array, schema.as_ref(), ty)
    };
    imported.map(|(column, _)| column).map_err(|error| of_column(&error))
}
