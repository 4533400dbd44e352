//! Operations on integers in straight kernels: of types of any width, with constants as amounts.

use limbforge_algos::expr::Amount;
use limbforge_algos::op::Op;
use limbforge_algos::program::Node;
use limbforge_limb::IntType;
use num_bigint::{BigInt, Sign};

use super::integers::{depends_on_width, reasons};
use super::{Case, Lowerer};
use crate::program::lower::values::Held;
use crate::program::tape::code::{Class, Var};
use crate::spec::SpecError;

impl Lowerer<'_> {
    pub(super) fn of_thread(&mut self, node: &Node, op: &Op, ty: IntType) -> Result<(), SpecError> {
        let values: Vec<Var> = node.args.iter().map(|&arg| self.as_number(arg)).collect();
        let args = self
            .with_operands(op, ty, &values)
            .ok_or_else(|| self.refused(node, op.to_string(), "a start that is not negative".to_owned()))?;
        let place = op.may_fail(ty.is_signed()).then(|| self.place(node.span, &reasons(op)));
        let bits = depends_on_width(op, ty).then_some(ty.bits());
        let case = Case { op: op.clone(), signed: ty.is_signed(), of_residues: false, bits };
        let var = self.case(case, &args, place);
        match self.b.class(var) {
            Class::Scalar => self.set(node.results[0], Held::Var(var)),
            Class::Number => self.set_number(node.results[0], var),
        }
        Ok(())
    }

    /// The operands, with constant amounts among them, none of which is negative. None for an insertion from
    /// below bit 0 on whose length is known only when the program runs.
    fn with_operands(&mut self, op: &Op, ty: IntType, values: &[Var]) -> Option<Vec<Var>> {
        let zero = BigInt::from(0);
        let mut amounts: Vec<Option<BigInt>> = op
            .amounts()
            .into_iter()
            .map(|amount| if let Amount::Constant(n) = amount { Some(n.clone()) } else { None })
            .collect();
        let (values, operands) =
            values.split_at(values.len() - amounts.iter().filter(|n| n.is_none()).count());
        let mut values = values.to_vec();
        match (op, &mut amounts[..]) {
            (Op::Rotl(_) | Op::Rotr(_), [Some(n)]) => *n = Amount::turns(n, ty.bits()).into(),
            (Op::Extract { .. }, [Some(start), _]) if start.sign() == Sign::Minus => {
                let far = Op::Shl(Amount::near(&-&*start) as u32);
                values[0] = self.integer_case(&far, ty.is_signed(), &values, None);
                *start = zero.clone();
            }
            (Op::Insert { .. }, [Some(start), length]) if start.sign() == Sign::Minus => {
                let length = length.as_mut()?;
                let far = Op::Shr(Amount::near(&-&*start) as u32);
                values[1] = self.integer_case(&far, ty.is_signed(), &values[1..], None);
                // An empty field stays empty.
                *length = (&*start + &*length.max(&mut zero.clone())).max(zero.clone());
                *start = zero.clone();
            }
            _ => {}
        }
        let mut operands = operands.iter();
        for n in amounts {
            values.push(match n {
                Some(n) => self.number_constant(&Amount::near(&n.max(zero.clone())).into()),
                None => *operands.next()?,
            });
        }
        Some(values)
    }
}
