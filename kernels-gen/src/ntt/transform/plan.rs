//! How a transform is computed: launches, passes, buffers. Data first: nothing here is CUDA.

use core::fmt;

use limbforge_algos::ntt::{Direction, Wrap};

use super::TransformSpec;
use super::bounds::TransformReductions;
use super::class::ResidueClass;
use crate::error::SpecError;
use crate::kernel::Geometry;

/// The launches of a transform.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TransformPlan {
    /// What is transformed.
    pub spec: TransformSpec,
    /// How residues are held.
    pub class: ResidueClass,
    /// What is launched, one after the other: whole transforms, or columns and then rows.
    pub launches: Vec<TransformLaunch>,
}

/// Which points are transformed by a launch. A long transform is a matrix, row by row: first its columns are transformed,
/// which is the first stages of the whole; the rest of the stages is a transform of each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransformPass {
    /// All n.
    Whole,
    /// Those of a column: they lie `stride` points apart.
    Columns {
        /// Columns of the matrix.
        stride: u32,
    },
    /// Those of a row. Its results go to a column, `stride` points apart: that is the natural order.
    Rows {
        /// Rows of the matrix.
        stride: u32,
    },
}

/// A batch in memory, n points for each instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransformBuffer {
    /// The caller's.
    Input,
    /// Between two launches, of the same size.
    Workspace,
    /// The result.
    Output,
}

/// One kernel of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TransformLaunch {
    /// Which points.
    pub pass: TransformPass,
    /// Points of a thread in the outer, middle and inner pass.
    pub radices: [u32; 3],
    /// Threads of a transform.
    pub threads: u32,
    /// Transforms of a block.
    pub slots: u32,
    /// Blocks that a multiprocessor should hold: what the compiler is asked to save registers for.
    pub blocks: u32,
    /// Instances that a block of tiles computes one after the other, with the same factors.
    pub rounds: u32,
    /// What is read.
    pub from: TransformBuffer,
    /// What is written.
    pub to: TransformBuffer,
}

/// Points of a thread in the passes, by log2 of the points from 2^2 on. The first radix is the largest.
const RADICES: [[u32; 3]; 14] = [
    [4, 1, 1],
    [4, 1, 2],
    [4, 1, 4],
    [8, 1, 4],
    [8, 1, 8],
    [16, 1, 8],
    [16, 1, 16],
    [32, 1, 16],
    [32, 1, 32],
    [32, 4, 16],
    [32, 8, 16],
    [32, 16, 16],
    [32, 32, 16],
    [32, 32, 32],
];

/// The same of 64-bit words, of which fewer fit the registers.
const RADICES_64: [[u32; 3]; 4] = [[16, 4, 8], [16, 4, 16], [16, 8, 16], [16, 16, 16]];

/// Threads of a block at least, if a transform has fewer.
const MIN_BLOCK: u32 = 64;

/// Threads of a block of tiles.
const TILE_BLOCK: u32 = 256;

/// Threads of a block at most: with more, too few registers are left to each.
const MAX_BLOCK: u32 = 512;

/// Registers of a thread that the passes want, of 32-bit and of 64-bit words.
const REGISTERS: [u32; 2] = [96, 128];

/// Instances for which a block of rows uses its factors, which it then finds in the first-level cache.
const ROUNDS: u32 = 4;

/// log2 of the points of a block's transform at most.
const LOG2_WHOLE: u32 = 14;

impl TransformPlan {
    /// The plan for a specification: one launch up to 2^14 points, else two.
    ///
    /// # Errors
    /// [`SpecError::ResidueClass`] if no ranges are proved.
    pub fn new(spec: TransformSpec) -> Result<Self, SpecError> {
        let log2 = spec.points().ilog2();
        let columns = if log2 <= LOG2_WHOLE { 0 } else { log2 / 2 };
        Self::with_columns(spec, ResidueClass::of(spec.modulus()), columns)
    }

    /// The plan with this class, and with columns of `2^log2_columns` points, or one launch for 0.
    ///
    /// # Errors
    /// [`SpecError::ResidueClass`] if the class is not proved for p, [`SpecError::Columns`] if rows or columns have fewer
    /// than 2^4 points or more than a block takes.
    pub fn with_columns(
        spec: TransformSpec,
        class: ResidueClass,
        log2_columns: u32,
    ) -> Result<Self, SpecError> {
        if class.word_bits() != 32 * spec.point_words() {
            return Err(SpecError::ResidueClass { p: spec.modulus(), class: format!("{class:?}") });
        }
        let (input, workspace, output) =
            (TransformBuffer::Input, TransformBuffer::Workspace, TransformBuffer::Output);
        let launch = |pass, from, to| TransformLaunch::new(&spec, class, pass, from, to);
        let launches = if log2_columns == 0 {
            vec![launch(TransformPass::Whole, input, output)?]
        } else {
            let rows = 1_u32.checked_shl(log2_columns).unwrap_or(0);
            let columns = spec.points().checked_div(rows).unwrap_or(0);
            if rows < 16 || columns < 16 {
                return Err(SpecError::Columns { points: spec.points(), log2_columns });
            }
            vec![
                launch(TransformPass::Columns { stride: columns }, input, workspace)?,
                launch(TransformPass::Rows { stride: rows }, workspace, output)?,
            ]
        };
        let plan = Self { spec, class, launches };
        plan.reductions()?;
        Ok(plan)
    }

    /// Where each launch reduces residues.
    ///
    /// # Errors
    /// [`SpecError::ResidueClass`] if the class's ranges are not proved for p and these radices.
    pub fn reductions(&self) -> Result<Vec<TransformReductions>, SpecError> {
        let radices: Vec<[u32; 3]> = self.launches.iter().map(|launch| launch.radices).collect();
        TransformReductions::prove(self.class, self.spec.modulus(), &radices, !self.spec.splits_plus())
    }
}

impl TransformLaunch {
    fn new(
        spec: &TransformSpec,
        class: ResidueClass,
        pass: TransformPass,
        from: TransformBuffer,
        to: TransformBuffer,
    ) -> Result<Self, SpecError> {
        let (points, word) = (spec.points() / pass.stride(), class.word_bits() / 8);
        let radices = radices(points, word).ok_or(SpecError::Columns {
            points: spec.points(),
            log2_columns: if pass == TransformPass::Whole { 0 } else { points.ilog2() },
        })?;
        let tasks = radices[1] * radices[2];
        let (threads, slots) = if pass == TransformPass::Whole {
            let threads = tasks.min(MAX_BLOCK);
            (threads, (MIN_BLOCK / threads).max(1))
        } else {
            // Tiles of a sector of 32 bytes at least, a line of 128 bytes at most.
            let slots = (TILE_BLOCK / tasks).clamp(32 / word, 128 / word).min(pass.stride());
            (tasks.min(MAX_BLOCK / slots), slots)
        };
        let registers = REGISTERS[usize::from(word == 8)];
        let blocks = (65_536 / (threads * slots * registers)).clamp(1, 16);
        let rounds = if matches!(pass, TransformPass::Rows { .. }) { ROUNDS } else { 1 };
        Ok(Self { pass, radices, threads, slots, blocks, rounds, from, to })
    }

    /// Points of each transform of the launch.
    #[must_use]
    pub fn points(&self) -> u32 {
        self.radices.iter().product()
    }

    /// Blocks of an instance, or 1 if a block has whole instances.
    #[must_use]
    pub const fn tiles(&self) -> u32 {
        match self.pass {
            TransformPass::Whole => 1,
            TransformPass::Columns { stride } | TransformPass::Rows { stride } => stride / self.slots,
        }
    }

    /// Residues from one slot of shared memory to the next: so many that a warp's slots lie in different banks.
    #[must_use]
    pub fn slot(&self, class: ResidueClass) -> u32 {
        let [outer, middle, inner] = self.radices;
        let banks = 1024 / class.word_bits();
        let together = match self.pass {
            TransformPass::Whole => banks.div_ceil(self.threads),
            _ => self.slots.min(banks),
        };
        let (least, wanted) = (outer * (middle * inner + 1), banks / together % banks);
        if self.slots == 1 { least } else { least + (wanted + banks - least % banks) % banks }
    }

    /// How the kernel is launched.
    #[must_use]
    pub fn geometry(&self, class: ResidueClass) -> Geometry {
        let whole = self.pass == TransformPass::Whole;
        Geometry {
            threads: self.threads * self.slots,
            instances: if whole { self.slots } else { self.rounds },
            planes: self.tiles(),
            shared_bytes: self.slots * self.slot(class) * class.word_bits() / 8,
        }
    }
}

impl TransformPass {
    /// Transforms of an instance, which is also the distance of a column's points.
    #[must_use]
    pub const fn stride(self) -> u32 {
        match self {
            Self::Whole => 1,
            Self::Columns { stride } | Self::Rows { stride } => stride,
        }
    }
}

/// The passes of a transform of a block, if there is one of this length.
fn radices(points: u32, word: u32) -> Option<[u32; 3]> {
    let log2 = points.ilog2();
    let wide = if word == 8 { log2.checked_sub(9).and_then(|i| RADICES_64.get(i as usize)) } else { None };
    wide.or_else(|| RADICES.get(log2.checked_sub(2)? as usize)).copied()
}

/// What a kernel multiplies its results with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Finish {
    /// Nothing.
    Nothing,
    /// 1 / n.
    Scale,
    /// `psi^-i / n`.
    Twist,
}

impl TransformPlan {
    /// What a launch does last.
    pub(crate) fn finish(&self, launch: &TransformLaunch) -> Finish {
        match (self.spec.direction(), self.spec.wrap()) {
            _ if launch.to != TransformBuffer::Output => Finish::Nothing,
            (Direction::Forward, _) => Finish::Nothing,
            (Direction::Inverse, Wrap::Cyclic) => Finish::Scale,
            (Direction::Inverse, Wrap::Negacyclic) => Finish::Twist,
        }
    }
}

impl fmt::Display for TransformLaunch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([outer, middle, inner], Self { threads, slots, blocks, rounds, .. }) = (self.radices, self);
        write!(f, "{:?} points={outer}x{middle}x{inner} threads={threads}", self.pass)?;
        write!(f, " slots={slots} blocks={blocks} rounds={rounds}")
    }
}
