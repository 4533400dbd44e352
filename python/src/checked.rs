//! Results together with the instances that have none.

use limbforge::prelude::{Checked as Core, Failure};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::array::{IntArray, booleans};

/// The values of ``lf.eval_checked``, and which of them are results.
///
/// >>> import limbforge as lf
/// >>> found = lf.eval_checked("a / b", a=lf.array([7, 8], "u64"), b=lf.array([2, 0], "u64"))
/// >>> found.values.tolist(), found.ok.tolist()
/// ([3, 0], [True, False])
/// >>> found.failures[0]
/// Failure(instance=1, mark='DIV0', message='division by zero: `b` is 0')
#[pyclass(frozen, module = "limbforge")]
pub(crate) struct Checked {
    values: Py<IntArray>,
    failures: Vec<Failure>,
}

impl Checked {
    pub(crate) fn new(py: Python<'_>, core: Core<u64>) -> PyResult<Self> {
        Ok(Self { values: Py::new(py, IntArray::new(core.values))?, failures: core.failures })
    }

    fn instances(&self) -> usize {
        self.values.get().0.instances()
    }
}

#[pymethods]
impl Checked {
    /// The results; 0 for instances that failed.
    #[getter]
    fn values(&self, py: Python<'_>) -> Py<IntArray> {
        self.values.clone_ref(py)
    }

    /// True where there is a result: NumPy's array of bools.
    #[getter]
    fn ok(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut bytes = vec![1; self.instances()];
        self.failures.iter().for_each(|failure| bytes[failure.instance] = 0);
        booleans(py, &bytes)
    }

    /// The failures in order, each with its ``instance``, its ``mark`` such as ``DIV0``, and a ``message``.
    #[getter]
    fn failures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let class = py.import("limbforge._types")?.getattr("Failure")?;
        let failures = self
            .failures
            .iter()
            .map(|failure| class.call1((failure.instance, failure.why.mark(), failure.reason())));
        PyList::new(py, failures.collect::<PyResult<Vec<_>>>()?)
    }

    fn __len__(&self) -> usize {
        self.instances()
    }

    /// The column of Apache Arrow, with nulls for instances that failed.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        drop(requested_schema);
        let failed = self.failures.iter().map(|failure| failure.instance);
        crate::arrow::export(py, &self.values.get().0, limbforge_arrow::nulls_of(self.instances(), failed))
    }

    fn __repr__(&self) -> String {
        let (n, ty, failed) = (self.instances(), self.values.get().0.ty(), self.failures.len());
        format!("Checked({n} integers of {ty}, {failed} failures)")
    }
}
