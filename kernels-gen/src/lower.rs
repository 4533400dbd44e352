//! A row for each operation, in the file of its class.

mod arithmetic;
mod bits;
mod division;
mod emitter;
mod fields;
mod gcd;
mod lane_words;
mod marks;
mod modular;
mod roots;
mod row;
mod transfer;

use limbforge_algos::expr::Dag;
use limbforge_algos::op::{Class, Op};

use crate::spec::KernelSpec;
use crate::template::Templates;
pub(crate) use emitter::Statements;
use emitter::{Emitter, Held};
pub(crate) use lane_words::LaneWords;
use row::Lowering;
pub(crate) use row::factor_words;

/// The row of an operation.
pub(crate) const fn lowering(op: &Op) -> Lowering {
    match op.class() {
        Class::Leaf => arithmetic::leaf(),
        Class::Sum(op) => arithmetic::sum(op),
        Class::Product(op) => arithmetic::product(op),
        Class::Comparison(op) => arithmetic::comparison(op),
        Class::Choice(op) => arithmetic::choice(op),
        Class::Bitwise(op) => bits::bitwise(op),
        Class::Count(op) => bits::count(op),
        Class::FixedShift(op) => bits::fixed_shift(op),
        Class::Shift(op) => bits::shift(op),
        Class::Field(op) => bits::field(op),
        Class::Division(op) => division::division(op),
        Class::WideDivision(op) => division::wide_division(op),
        Class::Gcd(op) => gcd::gcd(op),
        Class::Modular(op) => modular::modular(op),
        Class::Montgomery(op) => modular::montgomery(op),
        Class::Root(op) => roots::root(op),
        Class::Primality(op) => roots::primality(op),
    }
}

/// The rows of an expression's operations.
pub(crate) fn lowerings(dag: &Dag) -> impl Iterator<Item = Lowering> {
    dag.nodes().iter().map(|node| lowering(&node.op))
}

/// The statements that compute the specification's expression: one or two per node, in order of computation.
pub(crate) fn statements(spec: &KernelSpec) -> Statements {
    let mut emitter = Emitter::new(spec);
    emitter.loads();
    for (i, node) in spec.dag.nodes().iter().enumerate() {
        let row = lowering(&node.op);
        row.templates.iter().for_each(|&template| emitter.calls(template));
        emitter.i = i;
        emitter.frees_shared(&node.op);
        emitter.forms[i] = (row.emit)(&mut emitter);
        // At once, so that a result takes no registers beside later values.
        emitter.store();
    }
    emitter.out
}

/// An operation by itself, on numbers `x0`, `x1` and so on.
#[derive(Clone, Debug)]
pub(crate) struct Single {
    /// Its statements; those of an operation that may fail call `mark`.
    pub(crate) lines: Vec<String>,
    /// The number, or the truth value, after them.
    pub(crate) result: String,
    pub(crate) is_truth: bool,
    pub(crate) templates: Templates,
    /// Words of an instance's slot of shared memory.
    pub(crate) slot: u32,
    /// Registers of a long operation, as compiled.
    pub(crate) registers: Option<u32>,
}

/// The one operation of a specification.
pub(crate) fn single(spec: &KernelSpec) -> Single {
    let mut emitter = Emitter::new(spec);
    let last = spec.dag.nodes().len() - 1;
    let row = lowering(&spec.dag.nodes()[last].op);
    row.templates.iter().for_each(|&template| emitter.calls(template));
    emitter.i = last;
    emitter.forms[last] = (row.emit)(&mut emitter);
    let is_truth = emitter.forms[last] == Held::Truth;
    let result = if is_truth { format!("x{last}") } else { emitter.number(last) };
    let Statements { lines, templates, .. } = emitter.out;
    let (slot, registers) = ((row.slot)(spec), row.registers.map(|registers| registers(spec)));
    Single { lines, result, is_truth, templates, slot, registers }
}
