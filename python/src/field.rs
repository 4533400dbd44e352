//! Prime fields, their transforms, and polynomials over them.

use limbforge::algos::transform::ntt::{Direction, NttPlan, Wrap};
use limbforge::field::DynField;
use limbforge::prelude::PolyRing;
use limbforge::{Engine as Core, EngineError};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList, PyType};

use crate::engine::engine_of;
use crate::errors::{of_engine, value_error};
use crate::run;

/// The field of p elements, for an odd prime p below 2^64; its elements are the residues 0 to p - 1.
///
/// ``root`` is an element of order 2^n for p = k * 2^n + 1, k odd; one is found if it is not given.
///
/// >>> import limbforge as lf
/// >>> field = lf.Field(998244353)
/// >>> field.k, field.adicity
/// (119, 23)
/// >>> pow(field.root_of_unity(8), 8, field.modulus)
/// 1
/// >>> lf.Field(15)
/// Traceback (most recent call last):
/// ValueError: modulus 15 is composite: expected a prime
#[pyclass(frozen, module = "limbforge")]
pub(crate) struct Field(pub(crate) DynField);

#[pymethods]
impl Field {
    #[new]
    #[pyo3(signature = (p, /, root=None))]
    fn new(p: u64, root: Option<u64>) -> PyResult<Self> {
        let field = root.map_or_else(|| DynField::new(p), |root| DynField::with_root(p, root));
        field.map(Self).map_err(value_error)
    }

    /// p.
    #[getter]
    fn modulus(&self) -> u64 {
        self.0.modulus()
    }

    /// The odd k in p = k * 2^n + 1.
    #[getter]
    fn k(&self) -> u64 {
        self.0.k()
    }

    /// n in p = k * 2^n + 1: transforms have up to 2^n points, or 3 * 2^n if 3 divides k.
    #[getter]
    fn adicity(&self) -> u32 {
        self.0.adicity()
    }

    /// The element of order 2^n.
    #[getter]
    fn root(&self) -> u64 {
        self.0.value(self.0.root())
    }

    /// An element of this order, which is 2^k or 3 * 2^k and divides p - 1.
    #[pyo3(signature = (order, /))]
    fn root_of_unity(&self, order: u64) -> PyResult<u64> {
        let root = self.0.root_of_unity(order).map(|root| self.0.value(root));
        root.ok_or_else(|| {
            let p = self.0.modulus();
            PyValueError::new_err(format!(
                "order {order}: expected 2^k or 3 * 2^k that divides p - 1, for p = {p}"
            ))
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        self.0.modulus()
    }

    fn __repr__(&self) -> String {
        format!("Field({})", self.0.modulus())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (u64, u64)) {
        (py.get_type::<Self>(), (self.modulus(), self.root()))
    }
}

fn words(value: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    PyBuffer::<u64>::get(value)?.to_vec(value.py())
}

fn bytes<'py>(py: Python<'py>, words: &[u64]) -> Bound<'py, PyByteArray> {
    PyByteArray::new(py, limbforge::limb::bytemuck::cast_slice(words))
}

/// The transforms of every `points` words of an array, as bytes.
#[pyfunction]
#[pyo3(name = "_ntt")]
pub(crate) fn ntt<'py>(
    field: &Bound<'py, Field>,
    values: &Bound<'py, PyAny>,
    points: usize,
    is_negacyclic: bool,
    is_inverse: bool,
    engine: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let (py, field, mut values) = (values.py(), field.get().0, words(values)?);
    let wrap = if is_negacyclic { Wrap::Negacyclic } else { Wrap::Cyclic };
    let direction = if is_inverse { Direction::Inverse } else { Direction::Forward };
    let plan = NttPlan::new(points, wrap).map_err(value_error)?;
    let (core, _) = engine_of(py, engine)?.get().core_for(values.len())?;
    let found =
        run::wait(py, move |_| core.transform(&field, &plan, direction, &mut values).map(|()| values))?;
    Ok(bytes(py, &found.map_err(|error| of_engine(&error))?))
}

/// Polynomials as coefficients, from low to high.
type Polys = Vec<Vec<u64>>;

/// Results of pairs of polynomials: one for each pair, or two.
fn pairs<'py>(
    field: &Bound<'py, Field>,
    [a, b]: [&Bound<'py, PyList>; 2],
    engine: Option<&Bound<'py, PyAny>>,
    compute: impl FnOnce(&Core, &PolyRing<DynField>, [Polys; 2]) -> Result<Polys, EngineError> + Send + 'static,
) -> PyResult<Bound<'py, PyList>> {
    let py = a.py();
    let [a, b] = [a, b].map(|polys| polys.iter().map(|poly| words(&poly)).collect::<PyResult<Polys>>());
    let (a, b, ring) = (a?, b?, PolyRing::new(field.get().0));
    let coefficients = a.iter().chain(&b).map(Vec::len).sum();
    let (core, _) = engine_of(py, engine)?.get().core_for(coefficients)?;
    let found = run::wait(py, move |_| compute(&core, &ring, [a, b]))?.map_err(|error| of_engine(&error))?;
    PyList::new(py, found.iter().map(|poly| bytes(py, poly)))
}

macro_rules! polynomials {
    ($($(#[$doc:meta])* $name:ident $python:literal $method:ident |$ring:ident, $found:ident| $results:expr;)*) => {$(
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(name = $python)]
        pub(crate) fn $name<'py>(
            field: &Bound<'py, Field>,
            a: &Bound<'py, PyList>,
            b: &Bound<'py, PyList>,
            engine: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Bound<'py, PyList>> {
            pairs(field, [a, b], engine, |engine, ring, [a, b]| {
                let [a, b] = [a, b].map(|polys| polys.iter().map(|poly| ring.from_integers(poly)).collect::<Vec<_>>());
                let ($ring, $found) = (ring, engine.$method(ring, &a, &b)?);
                Ok($results)
            })
        }
    )*};
}

polynomials! {
    /// The products, pair by pair.
    poly_mul "_poly_mul" poly_mul |ring, found| found.iter().map(|poly| ring.to_integers(poly)).collect();
    /// The quotients and remainders, pair by pair, one after the other.
    poly_divmod "_poly_divmod" poly_div_rem |ring, found| {
        found.iter().flat_map(|(quotient, rest)| [ring.to_integers(quotient), ring.to_integers(rest)]).collect()
    };
    /// The monic greatest common divisors, pair by pair.
    poly_gcd "_poly_gcd" poly_gcd |ring, found| found.iter().map(|poly| ring.to_integers(poly)).collect();
}
