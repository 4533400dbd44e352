//! A placement for the operands of one expression.

use limbforge_algos::cpu::{self, EvalError, Shape};
use limbforge_algos::expr::Dag;
use limbforge_limb::{Base, Batch, IntType, Layout};

use super::error::PlacementError;
use crate::engine::error::EngineError;

/// Where one operand lies, and whether it is one integer for all instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Operand {
    pub(in crate::engine) layout: Layout,
    pub(in crate::engine) broadcast: bool,
}

/// The placement of the operands of [`Dag::inputs`], in that order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Placed {
    pub(in crate::engine) operands: Vec<Operand>,
    pub(in crate::engine) result: Layout,
}

impl Placed {
    /// As these operands lie.
    pub(in crate::engine) fn of<B: Base>(operands: &[&Batch<B>], shape: Shape) -> Self {
        let is_one_for_all = |batch: &Batch<B>| batch.instances() == 1 && shape.instances != 1;
        let operand =
            |batch: &&Batch<B>| Operand { layout: batch.layout(), broadcast: is_one_for_all(batch) };
        Self { operands: operands.iter().map(operand).collect(), result: shape.layout }
    }

    /// The batches in the order of the expression's operands, and their number of instances; `result` if none
    /// sets it.
    pub(in crate::engine) fn bind<'b, B: Base>(
        &self,
        dag: &Dag,
        ty: IntType,
        inputs: &[(&str, &'b Batch<B>)],
        result: Option<usize>,
    ) -> Result<(Vec<&'b Batch<B>>, usize), EngineError> {
        for (i, (name, _)) in inputs.iter().enumerate() {
            if !dag.inputs().any(|operand| operand == *name) {
                return Err(PlacementError::unknown(name, dag).into());
            }
            if inputs[..i].iter().any(|(other, _)| other == name) {
                return Err(PlacementError::Twice { name: (*name).to_owned() }.into());
            }
        }
        let operands = cpu::bind(dag, inputs)?;
        let mut counted = result.map(|instances| ("the batch for the result".to_owned(), instances));
        for ((name, batch), place) in dag.inputs().zip(&operands).zip(&self.operands) {
            let (name, found) = (name.to_owned(), batch.instances());
            if batch.ty() != ty {
                return Err(EvalError::OperandType { name, expected: ty, found: batch.ty() }.into());
            }
            // One instance lies the same way in both.
            if batch.layout() != place.layout && found > 1 {
                let (expected, found) = (place.layout, batch.layout());
                return Err(PlacementError::Layout { name, expected, found }.into());
            }
            if place.broadcast && found != 1 {
                return Err(PlacementError::Broadcast { name, found }.into());
            }
            if place.broadcast {
                continue;
            }
            let (first, expected) = counted.get_or_insert_with(|| (format!("`{name}`"), found));
            if *expected != found {
                let (first, expected) = (first.clone(), *expected);
                return Err(PlacementError::Instances { name, expected, found, first }.into());
            }
        }
        Ok((operands, counted.map_or(1, |(_, instances)| instances)))
    }
}
