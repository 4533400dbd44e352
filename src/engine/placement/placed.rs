//! Where the operands and the result of a certain expression lie.

use limbforge_algos::cpu::{EvalError, Shape};
use limbforge_algos::expr::Dag;
use limbforge_limb::{Base, Batch, IntType, Layout};

use super::Placement;
use crate::engine::error::{EngineError, PlacementError};

impl Placement {
    /// For the operands of an expression, in its order.
    pub(in crate::engine) fn resolve(&self, dag: &Dag) -> Result<Placed, PlacementError> {
        for name in self.layouts.iter().map(|(name, _)| name).chain(&self.broadcast) {
            if !dag.inputs().any(|operand| operand == name) {
                return Err(PlacementError::unknown(name, dag));
            }
        }
        let operand = |name: &str| {
            let layout = self.layouts.iter().find(|(named, _)| named == name).map(|(_, layout)| *layout);
            let broadcast = self.broadcast.iter().any(|named| named == name);
            Operand { layout: layout.unwrap_or(self.layout), broadcast }
        };
        let operands = dag.inputs().map(operand).collect();
        Ok(Placed { operands, result: self.result.unwrap_or(self.layout) })
    }
}

/// The layout of one operand, and whether it is one integer for all instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Operand {
    pub(in crate::engine) layout: Layout,
    pub(in crate::engine) broadcast: bool,
}

/// Integers of one type, wherever they are.
pub(in crate::engine) trait Integers {
    fn ty(&self) -> IntType;
    fn layout(&self) -> Layout;
    fn instances(&self) -> usize;
}

impl<B: Base> Integers for Batch<B> {
    fn ty(&self) -> IntType {
        self.ty()
    }

    fn layout(&self) -> Layout {
        self.layout()
    }

    fn instances(&self) -> usize {
        self.instances()
    }
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
    pub(in crate::engine) fn bind<'b, T: Integers>(
        &self,
        dag: &Dag,
        ty: IntType,
        inputs: &[(&str, &'b T)],
        result: Option<usize>,
    ) -> Result<(Vec<&'b T>, usize), EngineError> {
        for (i, (name, _)) in inputs.iter().enumerate() {
            if !dag.inputs().any(|operand| operand == *name) {
                return Err(PlacementError::unknown(name, dag).into());
            }
            if inputs[..i].iter().any(|(other, _)| other == name) {
                return Err(PlacementError::Twice { name: (*name).to_owned() }.into());
            }
        }
        let find = |name: &str| inputs.iter().find(|(given, _)| *given == name).map(|(_, batch)| *batch);
        let given = || inputs.iter().map(|(name, _)| (*name).to_owned()).collect();
        let unknown = |name: &str| EvalError::UnknownVariable { name: name.to_owned(), given: given() };
        let operands: Result<Vec<&T>, _> =
            dag.inputs().map(|name| find(name).ok_or_else(|| unknown(name))).collect();
        let operands = operands?;
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
