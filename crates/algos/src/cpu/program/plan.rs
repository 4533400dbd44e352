//! Where the values of a program lie within a tile, and which buffers they share.

mod slots;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use limbforge_limb::{Batch, IntType, convert};

use self::slots::Slots;
use super::lists::Emitted;
use crate::cpu::Why;
use crate::integer::modulus::constants::Ring;
use crate::invariant::broken_invariant;
use crate::program::{Kind, Region, Stage, TypedProgram, Uniform, ValueId, stages};

/// Where the rows of a value lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Constants, and inputs that are one for all: a row that all tiles share.
    Shared(usize),
    /// A buffer of the tile.
    Slot(usize),
}

/// A kind of buffer: those of one kind can be exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Size {
    /// Words of a row.
    pub(super) row: usize,
    /// One row for all instances, or one for each.
    pub(super) uniform: bool,
}

/// A yield of a region that becomes a carried value or a result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) from: ValueId,
    pub(super) to: ValueId,
    /// A buffer for its copy, if it is itself carried and may be overwritten by a move before.
    pub(super) stash: Option<usize>,
    /// Whether the buffers may be exchanged: nobody needs what it comes from any more.
    pub(super) swap: bool,
}

/// A program with the places of its values.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) program: TypedProgram,
    pub(super) stages: Vec<Stage>,
    pub(super) uniform: Uniform,
    places: Vec<Option<Place>>,
    pub(super) slots: Vec<Size>,
    /// The rows that all tiles share.
    pub(super) shared: Vec<Vec<u64>>,
    /// By the first result of a loop or a branch, and which of its regions.
    moves: HashMap<(ValueId, usize), Vec<Move>>,
    /// The rows of each list.
    pub(super) emitted: Vec<Emitted>,
    /// The numbers of instances in a larger batch.
    pub(super) numbers: Option<Vec<u64>>,
    /// The moduli that are one for all instances, prepared by the first tile that needs them.
    pub(super) rings: Vec<OnceLock<Result<Arc<Ring>, Why>>>,
}

impl Plan {
    /// The plan for inputs, each given with whether it is one for all instances.
    pub(super) fn new(program: &TypedProgram, inputs: &[Batch<u64>], one_for_all: &[bool]) -> Self {
        let uniform = Uniform::new(program, one_for_all);
        let mut plan = Self {
            program: program.clone(),
            stages: stages(program),
            places: vec![None; program.types().len()],
            uniform,
            slots: vec![],
            shared: vec![],
            moves: HashMap::new(),
            emitted: program.lists().iter().map(|_| Emitted::default()).collect(),
            numbers: None,
            rings: program.moduli().iter().map(|_| OnceLock::new()).collect(),
        };
        for ((input, batch), _) in
            program.inputs().iter().zip(inputs).zip(one_for_all).filter(|(_, one)| **one)
        {
            for part in &input.parts {
                let mut row = vec![];
                for element in 0..program.elements(part.value) {
                    row.extend(batch.instance(part.first as usize + element * part.stride as usize));
                }
                plan.share(part.value, row);
            }
        }
        plan.share_constants(program.body());
        let Slots { sizes, places, moves, .. } = Slots::new(program, &plan.uniform, plan.places);
        Self { slots: sizes, places, moves, ..plan }
    }

    /// The number of an instance for the program.
    pub(super) fn number(&self, instance: usize) -> u64 {
        self.numbers.as_ref().and_then(|numbers| numbers.get(instance)).copied().unwrap_or(instance as u64)
    }

    fn share(&mut self, value: ValueId, row: Vec<u64>) {
        self.places[value.index()] = Some(Place::Shared(self.shared.len()));
        self.shared.push(row);
    }

    fn share_constants(&mut self, region: &Region) {
        for node in &region.nodes {
            if let (Kind::Constant(number), [value]) = (&node.kind, &node.results[..]) {
                let ty = self.program.plain(*value);
                let mut row = vec![0; ty.limbs::<u64>()];
                if convert::from_bigint(number, ty, &mut row).is_err() {
                    broken_invariant("constants fit their types");
                }
                self.share(*value, row);
            }
            node.kind.regions().into_iter().for_each(|region| self.share_constants(region));
        }
    }

    /// Where a value lies; `None` for an input that nothing uses.
    pub(super) fn find(&self, value: ValueId) -> Option<Place> {
        self.places[value.index()]
    }

    pub(super) fn place(&self, value: ValueId) -> Place {
        self.find(value).unwrap_or_else(|| broken_invariant("a value that is used has a place"))
    }

    /// The buffer of a value that is computed.
    pub(super) fn slot(&self, value: ValueId) -> usize {
        match self.place(value) {
            Place::Slot(slot) => slot,
            Place::Shared(_) => broken_invariant("constants are not computed"),
        }
    }

    /// The moves at the end of a region of the node with these results.
    pub(super) fn moves(&self, results: &[ValueId], region: usize) -> &[Move] {
        results.first().and_then(|&first| self.moves.get(&(first, region))).map_or(&[], Vec::as_slice)
    }

    /// The type of an integer of a value.
    pub(super) fn ty(&self, value: ValueId) -> IntType {
        self.program.plain(value)
    }

    /// Words of an element.
    pub(super) fn words(&self, value: ValueId) -> usize {
        self.ty(value).limbs::<u64>()
    }

    /// Bytes of all buffers for one more instance.
    pub(super) fn bytes_per_instance(&self) -> usize {
        self.slots.iter().filter(|size| !size.uniform).map(|size| size.row * size_of::<u64>()).sum()
    }
}
