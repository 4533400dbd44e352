//! `limbforge._limbforge`: arrays of integers for Python. Users import `limbforge`, which is
//! `limbforge/__init__.py`.
//!
//! | file | content |
//! | --- | --- |
//! | `array.rs`, `array/` | `IntArray`: building, indexing, comparisons, pickles |
//! | `arithmetic.rs`, `arithmetic/` | the operators of all classes of arrays |
//! | `ints.rs`, `ints/` | Python's integers to limbs and back |
//! | `engine.rs`, `engine/` | engines, and what they keep prepared |
//! | `run.rs`, `run/`, `pool.rs`, `looks.rs`, `recycled.rs` | how evaluations run: signals, threads, `fork`, memory |
//! | `device.rs`, `device/` | arrays that stay on a GPU |
//! | `born.rs` | zeros, constants, counters and random integers, on the host and on GPUs |
//! | `program.rs`, `expr.rs`, `request.rs`, `eval.rs` | expressions, and their evaluation over named arrays |
//! | `language.rs`, `language/` | programs with loops and several results, and their runs in slices |
//! | `table.rs` | the functions of the table of operations |
//! | `arrow.rs`, `limbs.rs` | memory shared with Apache Arrow and NumPy |
//! | `dlpack.rs`, `dlpack/` | memory shared with all that know DLPack |
//! | `field.rs` | prime fields, transforms, polynomials |
//! | `residues.rs`, `residues/` | residues that stay on a GPU |

#![allow(unsafe_op_in_unsafe_fn, reason = "the macros of pyo3 within ours expand to such functions")]

mod arithmetic;
mod array;
mod arrow;
mod born;
mod checked;
mod device;
mod dlpack;
mod dtype;
mod engine;
mod errors;
mod eval;
mod exact;
mod expr;
mod field;
mod floor;
mod ints;
mod language;
mod limbs;
mod looks;
mod operand;
mod pool;
mod program;
mod recycled;
mod request;
mod residues;
mod run;
mod table;

use pyo3::prelude::*;

/// How this interpreter's integers are read and written.
#[pyfunction]
#[pyo3(name = "_int_access")]
fn int_access(py: Python<'_>) -> &'static str {
    ints::Ints::get(py).name()
}

#[pymodule]
fn _limbforge(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add("DeviceError", py.get_type::<errors::DeviceError>())?;
    m.add("_engine", engine::variable(py)?)?;
    m.add_class::<dtype::IntType>()?;
    m.add_class::<array::IntArray>()?;
    m.add_class::<expr::Expr>()?;
    m.add_class::<engine::Engine>()?;
    m.add_class::<checked::Checked>()?;
    m.add_class::<device::DeviceArray>()?;
    m.add_class::<residues::DeviceResidues>()?;
    m.add_class::<field::Field>()?;
    m.add_class::<language::ProgramText>()?;
    m.add_class::<language::Session>()?;
    macro_rules! functions {
        ($($function:path),* $(,)?) => {
            $(m.add_function(wrap_pyfunction!($function, m)?)?;)*
        };
    }
    functions!(
        int_access,
        array::array,
        array::from_limbs,
        array::from_bytes,
        array::from_hex,
        array::concatenate,
        array::choose,
        array::rebuild,
        arrow::from_arrow,
        engine::current_engine,
        engine::engine_of_object,
        eval::eval,
        eval::eval_checked,
        eval::eval_all,
        eval::eval_all_checked,
        language::resume,
        device::device,
        dlpack::from_dlpack,
        born::zeros,
        born::constant,
        born::counter,
        born::random,
        table::functions,
        table::apply,
        residues::residues,
        field::ntt,
        field::poly_mul,
        field::poly_divmod,
        field::poly_gcd,
    );
    Ok(())
}
