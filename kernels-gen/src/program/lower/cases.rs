//! Operations on integers that the kernel has a case for.

use limbforge_algos::expr::Expr;
use limbforge_algos::op::{Class as OpClass, Op, class};
use limbforge_limb::{IntType, Layout};

use super::Lowerer;
use crate::lower::{Single, single};
use crate::program::tape::code::{Class, Instr, Var, What};
use crate::spec::{InputSpec, KernelSpec, LimbKind, Mapping, SpecError, Target};

/// An operation on numbers of all padded words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Case {
    pub(crate) op: Op,
    pub(crate) signed: bool,
    /// Whether its last operand is the modulus of a program's residues, which is odd, and the others are below it.
    pub(crate) of_residues: bool,
    /// The bits of the type, where a thread computes what depends on them; else numbers have all padded words.
    pub(crate) bits: Option<u32>,
}

impl Case {
    /// Whether its result is a truth value.
    fn is_truth(&self) -> bool {
        matches!(
            self.op.class(),
            OpClass::Comparison(_)
                | OpClass::Primality(_)
                | OpClass::Division(class::Division::Divisible)
                | OpClass::Root(class::Root::IsSquare | class::Root::IsPerfectPower)
        )
    }

    /// The specification of a kernel of the operation alone.
    pub(crate) fn spec(&self, mapping: Mapping, target: Target) -> Result<KernelSpec, SpecError> {
        let names = &["a", "b", "c", "d"][..self.op.arity()];
        let expr = Expr::operation(self.op.clone(), names.iter().map(|name| Expr::input(name)).collect());
        let bits = u64::from(32 * mapping.padded_words());
        let ty = IntType::new(bits, self.signed)
            .map_err(|error| SpecError::Internal { what: error.to_string() })?;
        let layout = Layout::InstanceMajor;
        let inputs = names.iter().map(|name| InputSpec::integers(name, layout, false)).collect();
        KernelSpec::new(expr.to_dag(), ty, LimbKind::of::<u32>(), inputs, layout, mapping, target)
    }

    /// Its statements on `x0`, `x1` and `x2`.
    pub(crate) fn statements(&self, mapping: Mapping, target: Target) -> Result<Single, SpecError> {
        Ok(single(&self.spec(mapping, target)?))
    }
}

impl Lowerer<'_> {
    /// An operation on numbers, which fails at a place or never. The result is a scalar where it is a truth
    /// value, else a number.
    pub(super) fn integer_case(&mut self, op: &Op, signed: bool, args: &[Var], place: Option<u32>) -> Var {
        self.case(Case { op: op.clone(), signed, of_residues: false, bits: None }, args, place)
    }

    /// An operation on a residue's number and the modulus.
    pub(super) fn residue_case(&mut self, op: &Op, args: &[Var], place: Option<u32>) -> Var {
        self.case(Case { op: op.clone(), signed: false, of_residues: true, bits: None }, args, place)
    }

    pub(super) fn case(&mut self, case: Case, args: &[Var], place: Option<u32>) -> Var {
        let class = if case.is_truth() { Class::Scalar } else { Class::Number };
        let known = self.cases.iter().position(|known| *known == case);
        let index = known.unwrap_or_else(|| {
            self.cases.push(case);
            self.cases.len() - 1
        });
        let mut instr = Instr::new(What::Integer(index as u16)).x(args[0]);
        if let Some(&y) = args.get(1) {
            instr = instr.y(y);
        }
        if let Some(&third) = args.get(2) {
            instr = instr.third(third);
        }
        if let Some(&fourth) = args.get(3) {
            // Operations of four operands never fail.
            instr = instr.fourth(fourth);
        }
        match place {
            Some(place) => self.b.fallible(instr.high(place), class),
            None => self.b.pure(instr, class),
        }
    }
}
