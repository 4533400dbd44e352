//! Layouts of the operands and the result of a prepared expression.

use limbforge_algos::cpu::{EvalError, Shape};
use limbforge_algos::expr::Dag;
use limbforge_limb::{Base, Batch, IntType, Layout};

use super::error::{EngineError, PlacementError};

/// The layouts of an expression's operands and of its result, and the operands that are one integer for all
/// instances.
///
/// ```
/// use limbforge::prelude::*;
///
/// // b lies limb by limb, m is one modulus for all, everything else lies instance by instance.
/// let placement = Placement::new(Layout::InstanceMajor)
///     .with_layout("b", Layout::Interleaved)
///     .with_broadcast("m");
/// let mulmod = Engine::cpu().prepare::<u64>(&Expr::parse("mulmod(a, b, m)")?, "u256".parse()?, &placement)?;
/// assert_eq!(mulmod.operands().collect::<Vec<_>>(), ["a", "b", "m"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// The layout of all that is not named.
    layout: Layout,
    layouts: Vec<(String, Layout)>,
    broadcast: Vec<String>,
    result: Option<Layout>,
}

impl Placement {
    /// All operands and the result in one layout, none of them one integer for all instances.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// assert_eq!(Placement::new(Layout::InstanceMajor), Placement::default());
    /// ```
    #[must_use]
    pub const fn new(layout: Layout) -> Self {
        Self { layout, layouts: vec![], broadcast: vec![], result: None }
    }

    /// The same with another layout of one operand.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let placement = Placement::default().with_layout("a", Layout::Interleaved);
    /// let double = Engine::cpu().prepare::<u32>(&Expr::parse("a + a")?, "u96".parse()?, &placement)?;
    /// let a = Batch::zeros(double.ty(), Layout::Interleaved, 5)?;
    /// assert_eq!(double.eval(&[("a", &a)])?.instances(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_layout(mut self, operand: &str, layout: Layout) -> Self {
        self.layouts.retain(|(name, _)| name != operand);
        self.layouts.push((operand.to_owned(), layout));
        self
    }

    /// The same with one operand a batch of one integer, which is used for all instances.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let placement = Placement::default().with_broadcast("m");
    /// let rem = Engine::cpu().prepare::<u32>(&Expr::parse("a % m")?, "u64".parse()?, &placement)?;
    /// let batch = |values: &[u64]| values.iter().map(|&x| UintM::<u32, 2>::from(x)).collect::<Batch<u32>>();
    /// let found = rem.eval(&[("a", &batch(&[10, 11, 12])), ("m", &batch(&[7]))])?;
    /// assert_eq!(found, batch(&[3, 4, 5]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_broadcast(mut self, operand: &str) -> Self {
        self.broadcast.push(operand.to_owned());
        self
    }

    /// The same with another layout of the result.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let placement = Placement::default().with_result(Layout::Interleaved);
    /// let square = Engine::cpu().prepare::<u32>(&Expr::input("a").sqr(), "u96".parse()?, &placement)?;
    /// let a = Batch::zeros(square.ty(), Layout::InstanceMajor, 5)?;
    /// assert_eq!(square.eval(&[("a", &a)])?.layout(), Layout::Interleaved);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_result(mut self, layout: Layout) -> Self {
        self.result = Some(layout);
        self
    }

    /// For the operands of an expression, in its order.
    pub(super) fn resolve(&self, dag: &Dag) -> Result<Placed, PlacementError> {
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
pub(super) struct Operand {
    pub(super) layout: Layout,
    pub(super) broadcast: bool,
}

/// Integers of one type, wherever they are.
pub(super) trait Integers {
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
pub(super) struct Placed {
    pub(super) operands: Vec<Operand>,
    pub(super) result: Layout,
}

impl Placed {
    /// As these operands lie.
    pub(super) fn of<B: Base>(operands: &[&Batch<B>], shape: Shape) -> Self {
        let is_one_for_all = |batch: &Batch<B>| batch.instances() == 1 && shape.instances != 1;
        let operand =
            |batch: &&Batch<B>| Operand { layout: batch.layout(), broadcast: is_one_for_all(batch) };
        Self { operands: operands.iter().map(operand).collect(), result: shape.layout }
    }

    /// The batches in the order of the expression's operands, and their number of instances; `result` if none
    /// sets it.
    pub(super) fn bind<'b, T: Integers>(
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
