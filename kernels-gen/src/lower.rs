//! What kernels do for each operation: its statements, templates, shared memory, registers and cost, a row in the file of its class.

mod arithmetic;
mod bits;
mod division;
mod emitter;
mod fields;
mod gcd;
mod modular;
mod montgomery;
mod primality;
mod residues;
mod roots;
mod row;
mod sums;
mod transfer;

use limbforge_algos::expr::{Dag, Op};

use crate::spec::KernelSpec;
use crate::template::Templates;
use emitter::Emitter;
use row::Lowering;
pub(crate) use row::factor_words;

/// The row of an operation.
pub(crate) const fn lowering(op: &Op) -> &'static Lowering {
    match op {
        Op::Input(_) => &arithmetic::INPUT,
        Op::Literal(_) => &arithmetic::LITERAL,
        Op::Neg => &arithmetic::NEG,
        Op::Add => &arithmetic::ADD,
        Op::Sub => &arithmetic::SUB,
        Op::Mul | Op::Sqr => &arithmetic::MUL,
        Op::MulHigh => &arithmetic::MUL_HIGH,
        Op::MulWide | Op::SqrWide => &arithmetic::MUL_WIDE,
        Op::Min => &arithmetic::MIN,
        Op::Max => &arithmetic::MAX,
        Op::Eq => &arithmetic::EQ,
        Op::Ne => &arithmetic::NE,
        Op::Lt => &arithmetic::LT,
        Op::Le => &arithmetic::LE,
        Op::Select => &arithmetic::SELECT,
        Op::And | Op::Or | Op::Xor => &bits::LOGIC,
        Op::Not => &bits::NOT,
        Op::Shl(_) => &bits::SHL,
        Op::Shr(_) => &bits::SHR,
        Op::ShlBy => &bits::SHL_BY,
        Op::ShrBy => &bits::SHR_BY,
        Op::Rotl(_) => &bits::ROTL,
        Op::Rotr(_) => &bits::ROTR,
        Op::Popcount => &bits::POPCOUNT,
        Op::Clz => &bits::CLZ,
        Op::Ctz => &bits::CTZ,
        Op::Extract { .. } => &bits::EXTRACT,
        Op::Insert { .. } => &bits::INSERT,
        Op::Mask(_) => &bits::MASK,
        Op::MaskHigh(_) => &bits::MASK_HIGH,
        Op::Div => &division::DIV,
        Op::Rem => &division::REM,
        Op::DivEuclid => &division::DIV_EUCLID,
        Op::RemEuclid => &division::REM_EUCLID,
        Op::DivExact => &division::DIV_EXACT,
        Op::Divisible => &division::DIVISIBLE,
        Op::DivWide => &division::DIV_WIDE,
        Op::RemWide => &division::REM_WIDE,
        Op::Gcd => &gcd::GCD,
        Op::Lcm => &gcd::LCM,
        Op::XgcdX => &gcd::XGCD_X,
        Op::XgcdY => &gcd::XGCD_Y,
        Op::AddMod | Op::SubMod => &modular::ADDMOD,
        Op::MulMod => &modular::MULMOD,
        Op::PowMod => &modular::POWMOD,
        Op::ModInv => &modular::MODINV,
        Op::ModInv2k => &modular::MODINV2K,
        Op::Jacobi => &modular::JACOBI,
        Op::ToMont | Op::FromMont | Op::MontMul | Op::MontReduce => &montgomery::MONT,
        Op::Isqrt => &roots::ISQRT,
        Op::IsqrtRem => &roots::ISQRT_REM,
        Op::IsSquare => &roots::IS_SQUARE,
        Op::Root => &roots::ROOT,
        Op::IsPerfectPower => &roots::IS_PERFECT_POWER,
        Op::IsPrime => &primality::IS_PRIME,
        Op::IsStrongProbablePrime => &primality::IS_STRONG_PROBABLE_PRIME,
    }
}

/// The rows of an expression's operations.
pub(crate) fn lowerings(dag: &Dag) -> impl Iterator<Item = &'static Lowering> {
    dag.nodes().iter().map(|node| lowering(&node.op))
}

/// The kernel's statements, and what they need.
#[derive(Debug)]
pub(crate) struct Statements {
    pub(crate) lines: Vec<String>,
    /// Templates of the operations that are called.
    pub(crate) templates: Templates,
    /// Types with the constants of the operands.
    pub(crate) types: Vec<String>,
}

/// The statements that compute the specification's expression: one or two per node, in order of computation.
pub(crate) fn statements(spec: &KernelSpec) -> Statements {
    let mut emitter = Emitter::new(spec);
    emitter.loads();
    for (i, node) in spec.dag.nodes().iter().enumerate() {
        let row = lowering(&node.op);
        row.templates.iter().for_each(|&template| emitter.calls(template));
        let form = (row.emit)(&mut emitter, i, node);
        emitter.hold(form);
    }
    emitter.store();
    let Emitter { lines, templates, types, .. } = emitter;
    Statements { lines, templates, types }
}
