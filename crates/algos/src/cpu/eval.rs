//! Evaluation of a schedule over batches.

use core::mem;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use limbforge_limb::{Base, Batch, IntType, Layout, convert};
use rayon::prelude::*;

use super::{Checked, EvalError, Failure, Operand, Schedule, Source, Why, Workspace};
use crate::expr::{Dag, NodeId};
use crate::invariant::broken_invariant;

/// Bytes of one buffer of a tile. A few of them fit the first-level cache, and a tile is long enough that the
/// choice of the operation costs nothing beside it.
const TILE_BYTES: usize = 8 << 10;

/// The values of `dag` over the named batches, instance by instance, in the layout of the first batch and of the type
/// that [`Dag::result_type`] says.
///
/// All batches have one type; all have N instances, or 1, which is broadcast. Batches that the expression does not
/// use count for N too.
///
/// # Errors
/// [`EvalError`], before anything is computed; and [`EvalError::Failed`] if an instance has no result.
pub fn eval<B: Base>(dag: &Dag, inputs: &[(&str, &Batch<B>)]) -> Result<Batch<B>, EvalError> {
    eval_checked(dag, inputs)?.complete()
}

/// As [`eval`], with the instances that failed beside the results of all others.
///
/// # Errors
/// [`EvalError`], before anything is computed.
pub fn eval_checked<B: Base>(dag: &Dag, inputs: &[(&str, &Batch<B>)]) -> Result<Checked<B>, EvalError> {
    let shape = Shape::of(inputs)?;
    let ty = dag.result_type(shape.ty)?;
    let mut result = Batch::zeros(ty, Layout::InstanceMajor, shape.instances)?;
    let failures = eval_into_checked(dag, inputs, &mut result)?;
    Ok(Checked { values: result.into_layout(shape.layout), failures })
}

/// As [`eval`], into a batch of the result's type and the inputs' number of instances, in its own layout. Spares the allocation
/// when one result after the other is computed.
///
/// # Errors
/// [`EvalError`], before anything is computed; and [`EvalError::Failed`] if an instance has no result, with the others' in
/// the batch.
pub fn eval_into<B: Base>(
    dag: &Dag,
    inputs: &[(&str, &Batch<B>)],
    result: &mut Batch<B>,
) -> Result<(), EvalError> {
    let failures = eval_into_checked(dag, inputs, result)?;
    let count = failures.len();
    failures.into_iter().next().map_or(Ok(()), |first| Err(EvalError::Failed { first, count }))
}

/// As [`eval_into`], with the instances that failed; their results are 0.
///
/// # Errors
/// [`EvalError`], before anything is computed.
pub fn eval_into_checked<B: Base>(
    dag: &Dag,
    inputs: &[(&str, &Batch<B>)],
    result: &mut Batch<B>,
) -> Result<Vec<Failure>, EvalError> {
    let schedule = Schedule::new(dag);
    let Shape { ty, instances, .. } = Shape::of(inputs)?;
    let operands = bind(dag, inputs)?;
    let expected = dag.result_type(ty)?;
    let literals = literals(&schedule, ty);
    if (result.ty(), result.instances()) != (expected, instances) {
        let (found, found_instances) = (result.ty(), result.instances());
        return Err(EvalError::ResultMismatch { expected, instances, found, found_instances });
    }
    if result.layout() == Layout::Interleaved {
        let mut major = Batch::zeros(expected, Layout::InstanceMajor, instances)?;
        let failures = eval_into_checked(dag, inputs, &mut major)?;
        *result = major.into_layout(Layout::Interleaved);
        return Ok(failures);
    }

    let (m, result_m) = (ty.limbs::<B>(), expected.limbs::<B>());
    let instances_per_tile = (TILE_BYTES / (m * B::BYTES)).max(1);
    let failed = Mutex::new(vec![]);
    result.limbs_mut().par_chunks_mut(instances_per_tile * result_m).enumerate().for_each_init(
        // Not on the stack, of which calls from many threads at once take a part for each.
        || Box::new(Tile::new(&schedule, ty)),
        |tile, (index, out)| {
            let (first, len) = (index * instances_per_tile, out.len() / result_m * m);
            tile.values.load(&operands, first, len);
            tile.run(&operands, &literals, first, len, out);
            if !tile.failed.is_empty() {
                for &(instance, ..) in &tile.failed {
                    let start = (instance - first) * result_m;
                    out[start..start + result_m].fill(B::ZERO);
                }
                // Of a tile they lie in the cache, and are mostly in order.
                tile.failed.sort_unstable();
                let of_tile = (first, mem::take(&mut tile.failed));
                failed.lock().unwrap_or_else(PoisonError::into_inner).push(of_tile);
            }
        },
    );
    Ok(failures(dag, failed.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

/// What failed in a tile, in order, and the tile's first instance.
type FailedTile = (usize, Vec<(usize, NodeId, Why)>);

/// What failed in tiles, in order, with names.
fn failures(dag: &Dag, mut tiles: Vec<FailedTile>) -> Vec<Failure> {
    tiles.sort_unstable_by_key(|&(first, _)| first);
    let mut names: HashMap<NodeId, Arc<str>> = HashMap::new();
    let mut failures = Vec::with_capacity(tiles.iter().map(|(_, failed)| failed.len()).sum());
    // Mostly one operand is to blame for one failure after the other.
    let mut last: Option<(NodeId, Arc<str>)> = None;
    for (instance, operation, why) in tiles.into_iter().flat_map(|(_, failed)| failed) {
        let operands = &dag.nodes()[operation.index()].args;
        let node = operands[why.operand(operands.len())];
        let operand = match last {
            Some((named, ref operand)) if named == node => Arc::clone(operand),
            _ => {
                let name = names.entry(node).or_insert_with(|| Arc::from(dag.describe(node)));
                last = Some((node, Arc::clone(name)));
                Arc::clone(name)
            }
        };
        failures.push(Failure { instance, operation, operand, why });
    }
    failures
}

/// The type, layout and number of instances that batches evaluate to together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The type of all batches.
    pub ty: IntType,
    /// The layout of the first batch, which the result takes.
    pub layout: Layout,
    /// N of all batches that are not broadcast.
    pub instances: usize,
}

impl Shape {
    /// The shape of these batches.
    ///
    /// # Errors
    /// [`EvalError::NoInputs`], [`EvalError::TypeMismatch`], [`EvalError::CountMismatch`].
    pub fn of<B: Base>(inputs: &[(&str, &Batch<B>)]) -> Result<Self, EvalError> {
        let &(first, batch) = inputs.first().ok_or(EvalError::NoInputs)?;
        let (ty, layout) = (batch.ty(), batch.layout());
        // The first batch that is not broadcast sets the count.
        let &(counted, counting) =
            inputs.iter().find(|(_, batch)| batch.instances() != 1).unwrap_or(&inputs[0]);
        let instances = counting.instances();
        for (name, batch) in inputs {
            if batch.ty() != ty {
                let (first, name) = (first.to_owned(), (*name).to_owned());
                return Err(EvalError::TypeMismatch { first, expected: ty, name, found: batch.ty() });
            }
            if ![1, instances].contains(&batch.instances()) {
                let (first, name) = (counted.to_owned(), (*name).to_owned());
                let found = batch.instances();
                return Err(EvalError::CountMismatch { first, expected: instances, name, found });
            }
        }
        Ok(Self { ty, layout, instances })
    }
}

/// The batches of the variables of `dag`, in the order of [`Dag::inputs`].
///
/// # Errors
/// [`EvalError::UnknownVariable`] for a variable without a batch.
pub fn bind<'b, B: Base>(dag: &Dag, inputs: &[(&str, &'b Batch<B>)]) -> Result<Vec<&'b Batch<B>>, EvalError> {
    let find = |name: &str| inputs.iter().find(|(given, _)| *given == name).map(|(_, batch)| *batch);
    dag.inputs()
        .map(|name| {
            find(name).ok_or_else(|| EvalError::UnknownVariable {
                name: name.to_owned(),
                given: inputs.iter().map(|(name, _)| (*name).to_owned()).collect(),
            })
        })
        .collect()
}

/// The limbs of the constants, which are known to fit the type.
fn literals<B: Base>(schedule: &Schedule, ty: IntType) -> Vec<Vec<B>> {
    let limbs = |value| {
        let mut limbs = vec![B::ZERO; ty.limbs::<B>()];
        if !convert::from_biguint(value, &mut limbs) {
            broken_invariant("constants were found to fit the type");
        }
        limbs
    };
    schedule.literals().iter().map(limbs).collect()
}

/// What a thread computes tiles with.
struct Tile<'s, B> {
    schedule: &'s Schedule,
    values: Values<B>,
    workspace: Workspace<B>,
    failed: Vec<(usize, NodeId, Why)>,
}

/// A thread's buffers, and copies of the inputs that do not lie instance-major.
struct Values<B> {
    ty: IntType,
    buffers: Vec<Vec<B>>,
    gathered: Vec<Vec<B>>,
}

impl<'s, B: Base> Tile<'s, B> {
    fn new(schedule: &'s Schedule, ty: IntType) -> Self {
        let buffers = vec![vec![]; schedule.buffers()];
        let gathered = vec![vec![]; schedule.inputs().len()];
        let values = Values { ty, buffers, gathered };
        Self { schedule, values, workspace: Workspace::default(), failed: vec![] }
    }

    /// Computes the result of the instances whose operands are `len` limbs.
    fn run(&mut self, inputs: &[&Batch<B>], literals: &[Vec<B>], first: usize, len: usize, out: &mut [B]) {
        let Self { schedule, values, workspace, failed } = self;
        if schedule.steps().is_empty() {
            let operand = values.operand(schedule.result(), inputs, literals, first, len);
            let m = values.ty.limbs::<B>();
            for (i, out) in out.chunks_exact_mut(m).enumerate() {
                out.copy_from_slice(operand.get(i, m));
            }
        }
        for step in schedule.steps() {
            // The buffer leaves its place while it is written; no operand of the step lies in it.
            let mut buffer = step.into.map(|into| mem::take(&mut values.buffers[into]));
            let room = buffer.as_deref_mut().unwrap_or(&mut *out);
            let mut args = [Operand::broadcast(&[]); 4];
            for (arg, &source) in args.iter_mut().zip(&step.args) {
                *arg = values.operand(source, inputs, literals, first, len);
            }
            workspace.apply(&step.op, values.ty, room, &args[..step.args.len()]);
            let failures = workspace.take_failures();
            failed.extend(failures.map(|(instance, why)| (first + instance, step.node, why)));
            if let (Some(into), Some(buffer)) = (step.into, buffer) {
                values.buffers[into] = buffer;
            }
        }
    }
}

impl<B: Base> Values<B> {
    /// Makes room for `len` limbs of operands in every buffer and gathers what is not instance-major.
    fn load(&mut self, inputs: &[&Batch<B>], first: usize, len: usize) {
        for buffer in &mut self.buffers {
            buffer.resize(len, B::ZERO);
        }
        for (gathered, batch) in self.gathered.iter_mut().zip(inputs) {
            if batch.layout() == Layout::Interleaved {
                let broadcast = batch.instances() == 1;
                gathered.resize(if broadcast { self.ty.limbs::<B>() } else { len }, B::ZERO);
                batch.read_instances(if broadcast { 0 } else { first }, gathered);
            }
        }
    }

    fn operand<'t>(
        &'t self,
        source: Source,
        inputs: &[&'t Batch<B>],
        literals: &'t [Vec<B>],
        first: usize,
        len: usize,
    ) -> Operand<'t, B> {
        let m = self.ty.limbs::<B>();
        match source {
            Source::Literal(i) => Operand::broadcast(&literals[i]),
            Source::Buffer(i) => Operand::each(&self.buffers[i], m),
            Source::Input(i) => {
                let batch = inputs[i];
                let gathered = batch.layout() == Layout::Interleaved;
                match (gathered, batch.instances()) {
                    (true, 1) => Operand::broadcast(&self.gathered[i]),
                    (true, _) => Operand::each(&self.gathered[i], m),
                    (false, 1) => Operand::broadcast(batch.limbs()),
                    (false, _) => Operand::each(&batch.limbs()[first * m..first * m + len], m),
                }
            }
        }
    }
}
