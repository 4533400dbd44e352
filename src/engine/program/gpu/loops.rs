//! Loops over residues of one modulus by products of matrices: rounds of a chunk by kernels of their own, from its
//! state to its next state.

use core::ops::Range;

use limbforge_algos::program::{Kind, Node, ResidueLoop, Rounds, residue_loop};
use limbforge_kernels_gen::program::Plane;
use limbforge_kernels_gen::{Product, SequenceSpec, Target};
use limbforge_limb::slice::bits;

use super::member::Member;
use super::rounds::Place;
use super::run::{Context, Run};
use crate::engine::EngineError;

/// A loop that qualifies, and the integer whose bits are those of its rounds. All instances have as many
/// rounds.
#[derive(Debug)]
pub(super) struct StageLoop {
    found: ResidueLoop,
    /// Whether its modulus is one for all instances.
    one_modulus: bool,
    /// How it is computed where nothing was measured.
    product: Product,
    /// Words of 32 bits of that integer, one for all instances.
    bits: Vec<u32>,
    /// The place of the bit of the first round.
    top: u64,
}

/// Words of 32 bits of limbs.
fn words(limbs: &[u64]) -> impl Iterator<Item = u32> {
    limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32])
}

impl Run {
    /// For each stage its loop, if it qualifies and all instances have as many rounds and the same bits.
    pub(super) fn residue_loops(&self) -> Result<Vec<Option<StageLoop>>, EngineError> {
        let of_stage = |stage: &limbforge_algos::program::Stage| match stage.cut_loop(&self.program) {
            Some(node) => self.residue_loop(node),
            None => Ok(None),
        };
        self.stages.iter().map(of_stage).collect()
    }

    fn residue_loop(&self, node: &Node) -> Result<Option<StageLoop>, EngineError> {
        let (Ok(found), Kind::For { over, after, .. }) = (residue_loop(&self.program, node), &node.kind)
        else {
            return Ok(None);
        };
        let (modulus, one_modulus) = (self.program.modulus(found.modulus), self.is_modulus_of_all(&found));
        let Some(product) = SequenceSpec::product_of(modulus.ty, one_modulus) else { return Ok(None) };
        let mut of_rounds = vec![];
        for &value in &node.args[..node.args.len() - node.results.len()] {
            let Some(limbs) = self.one_for_all(value)? else { return Ok(None) };
            of_rounds.push(limbs);
        }
        let (mut bits, mut top) = (vec![0], 0);
        if let (Rounds::Bits, [limbs]) = (over, &*of_rounds) {
            bits = words(limbs).collect();
            top = u64::from(bits::bit_len(limbs)).saturating_sub(after.saturating_add(1));
        }
        Ok(Some(StageLoop { found, one_modulus, product, bits, top }))
    }

    /// The limbs of a constant, or of an input that is one for all.
    fn one_for_all(&self, value: limbforge_algos::program::ValueId) -> Result<Option<Vec<u64>>, EngineError> {
        match self.place(value, &[]).transpose()? {
            Some(Place::Constant(limbs)) => Ok(Some(limbs)),
            Some(Place::Input(input, element)) if self.one_for_all[input] => {
                let mut limbs = vec![0; self.program.plain(value).limbs::<u64>()];
                self.inputs[input].read_instances(element, &mut limbs);
                Ok(Some(limbs))
            }
            _ => Ok(None),
        }
    }

    /// The launches of the loops, in the order of stages.
    pub(super) fn sequences(&self) -> Vec<Option<SequenceSpec<'_>>> {
        self.loops.iter().map(|of| of.as_ref().map(|of| self.sequence(of))).collect()
    }

    fn sequence<'r>(&'r self, of: &'r StageLoop) -> SequenceSpec<'r> {
        let ty = self.program.modulus(of.found.modulus).ty;
        let StageLoop { found, one_modulus, product, .. } = of;
        let broadcast = (*one_modulus, vec![false; found.given.len()]);
        SequenceSpec { sequence: &found.sequence, ty, broadcast, product: *product, target: Target::Cuda }
    }

    /// Whether a loop's modulus is one for all instances.
    fn is_modulus_of_all(&self, found: &ResidueLoop) -> bool {
        match self.place(self.program.modulus(found.modulus).value, &[]) {
            Some(Ok(Place::Input(input, _))) => self.one_for_all[input],
            Some(Ok(Place::Constant(_))) => true,
            _ => false,
        }
    }

    /// The words of the modulus of some instances, or of the one for all.
    fn moduli(
        &self,
        of: &StageLoop,
        (planes, state): (&[Plane], &[u32]),
        instances: Range<usize>,
    ) -> Result<Option<Vec<u32>>, EngineError> {
        let modulus = self.program.modulus(of.found.modulus);
        let each = modulus.ty.bits().div_ceil(32) as usize;
        Ok(match self.place(modulus.value, planes).transpose()? {
            Some(Place::Constant(limbs)) => Some(words(&limbs).take(each).collect()),
            Some(Place::Input(input, element)) => {
                let elements = self.program.inputs()[input].elements as usize;
                let rows = if self.one_for_all[input] { 0..1 } else { instances };
                let mut limbs = vec![0; modulus.ty.limbs::<u64>()];
                let mut all = Vec::with_capacity(rows.len() * each);
                for row in rows {
                    self.inputs[input].read_instances(row * elements + element, &mut limbs);
                    all.extend(words(&limbs).take(each));
                }
                Some(all)
            }
            Some(Place::State(plane)) => Some(state[place(&plane, instances.len())].to_vec()),
            None => None,
        })
    }
}

impl StageLoop {
    /// The planes of what the sequence is given, in its order.
    fn planes(&self, planes: &[Plane]) -> Option<Vec<Plane>> {
        let of = |value| planes.iter().find(|plane| plane.value == value && plane.element == 0).copied();
        self.found.given.iter().map(|&value| of(value)).collect()
    }

    /// The rounds from one on, and the place of its bit.
    fn rounds(&self, rounds: &Range<u64>) -> Option<Vec<u32>> {
        let count = u32::try_from(rounds.end - rounds.start).ok()?;
        let top = if self.found.has_bits { self.top.checked_sub(rounds.start)? } else { 0 };
        Some(vec![count, u32::try_from(top).ok()?, 0, 0])
    }
}

/// The words of a plane in the state of so many instances.
const fn place(plane: &Plane, instances: usize) -> Range<usize> {
    let first = plane.before as usize * instances;
    first..first + plane.words as usize * instances
}

impl Member {
    /// Runs rounds of a chunk by products of matrices. False if the program's own kernel has to: if the loop does
    /// not qualify, the device has no kernel for it or one of the moduli has none.
    pub(super) fn rounds_by_residues(
        &mut self,
        context: &Context<'_>,
        chunk: usize,
        (stage, from, to): (usize, u64, u64),
    ) -> Result<bool, EngineError> {
        let (run, to) = (context.run, to.min(context.rounds));
        let Some(of) = run.loops.get(stage).and_then(Option::as_ref).filter(|_| from < to) else {
            return Ok(false);
        };
        let (instances, planes) =
            (self.chunks[chunk].instances.clone(), self.device.tape().states[stage].clone());
        let count = instances.len();
        let mut state = self.state_words(chunk)?;
        let moduli = run.moduli(of, (&planes, &state), instances)?;
        let (Some(moduli), Some(given), Some(rounds)) = (moduli, of.planes(&planes), of.rounds(&(from..to)))
        else {
            return Ok(false);
        };
        let numbers = given.iter().map(|plane| state[place(plane, count)].to_vec());
        let operands: Vec<Vec<u32>> =
            [moduli].into_iter().chain(numbers).chain([of.bits.clone(), rounds]).collect();
        let Some(results) = self.device.rounds(stage, &operands, count)? else { return Ok(false) };
        // Residue number systems flag moduli that they do not serve. Instances that failed before have any modulus.
        let Some((results, flags)) = results.split_at_checked(of.found.sequence.outputs().len()) else {
            return Ok(false);
        };
        let is_flagged = |flags: &[u32]| (0..count).any(|i| state[i] == 0 && flags[4 * i + 1] != 1);
        if flags.first().is_some_and(|flags| is_flagged(flags)) {
            return Ok(false);
        }
        for (plane, result) in given.iter().zip(results) {
            state[place(plane, count)].copy_from_slice(result);
        }
        self.set_state(chunk, state)?;
        self.chunks[chunk].is_open = to < context.rounds;
        Ok(true)
    }
}
