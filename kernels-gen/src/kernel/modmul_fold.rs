//! Kernels of powers modulo one number for all instances, by folds: `docs/modmul_fold.md`.

use limbforge_algos::modmul_fold::Fold;
use minijinja::context;

use crate::kernel::{Geometry, Kernel};
use crate::pipeline::rendered;
use crate::spec::{Limits, SpecError, Target};
use crate::template::{Instructions, Template, Templates, render_source};

const POWER: &str = include_str!("../../templates/modmul_fold.cu.j2");
const ROWS: &str = include_str!("../../templates/modmul_fold_rows.cu.j2");

/// Threads of a block that makes rows.
const ROW_THREADS: u32 = 32;

/// (words, most warps of a block): a thread holds two numbers and a product of twice the words, so that longer numbers
/// leave registers to fewer threads. Measured on an H200 at 8, 16, 24, 32, 40 and 48 words.
const MEASURED: [(u32, u32); 3] = [(24, 16), (34, 12), (48, 8)];

/// The instances and the memory of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Words of an integer.
    words: u32,
    /// Of 32 instances each.
    warps: u32,
}

impl Shape {
    /// Whether integers of so many words have powers by folds.
    pub(crate) fn exists(words: u32) -> bool {
        Fold::new(words).is_some() && words <= MEASURED[MEASURED.len() - 1].0
    }

    /// The most warps that fit; None if integers are longer than those that [exist](Self::exists).
    pub(crate) fn new(words: u32, limits: &Limits) -> Option<Result<Self, SpecError>> {
        let &(_, most) = MEASURED.iter().find(|(longest, _)| words <= *longest)?;
        let of_warps = |warps| Self { words, warps };
        let fits =
            |shape: &Self| shape.shared_bytes() <= limits.shared_bytes && 32 * shape.warps <= limits.threads;
        let least =
            SpecError::SharedMemory { needed: of_warps(1).shared_bytes(), limit: limits.shared_bytes };
        Some((1..=most).rev().map(of_warps).find(fits).ok_or(least))
    }

    /// Instances of a block.
    pub(crate) const fn instances(&self) -> u32 {
        32 * self.warps
    }

    /// Chunks of 16 bytes of a number, which has a word more than an integer.
    const fn chunks(&self) -> u32 {
        (self.words + 1).div_ceil(4)
    }

    /// Words of a number in memory.
    pub(crate) const fn entry_words(&self) -> u32 {
        4 * self.chunks()
    }

    /// Bits of a digit of an exponent, at most.
    pub(crate) fn window(&self) -> u32 {
        Fold::window(32 * self.words)
    }

    /// Words of the table of an instance.
    pub(crate) fn table_words(&self) -> u32 {
        self.entry_words() << self.window()
    }

    /// Units of 8 words of a result.
    const fn units(&self) -> u32 {
        self.words.div_ceil(8)
    }

    /// Words of all rows.
    pub(crate) const fn row_words(&self) -> u32 {
        128 * self.chunks() * self.units()
    }

    /// Rows, and numbers or sums of each warp.
    fn shared_bytes(&self) -> u64 {
        let (number, sums) = (4 * (self.chunks() | 1), 16 * self.units() + 4);
        4 * u64::from(self.row_words() + 32 * self.warps * number.max(sums))
    }

    fn geometry(&self) -> Geometry {
        let instances = self.instances();
        Geometry { threads: instances, instances, planes: 1, shared_bytes: self.shared_bytes() as u32 }
    }
}

/// From the modulus of all instances to the rows.
pub(crate) fn rows(shape: &Shape, (target, limits): (Target, &Limits)) -> Result<Kernel, SpecError> {
    let words = shape.words;
    let values = context! {
        spec => format!("modmul_fold rows words={words} target={target}"),
        words,
        threads => ROW_THREADS,
        templates => Template::DigitRows.text(),
    };
    let geometry = Geometry { threads: ROW_THREADS, instances: 1, planes: 1, shared_bytes: 0 };
    let kernel = rendered(render_source(ROWS, values)?, &["n"], geometry, limits)?;
    Ok(kernel.with_planes((16 * shape.chunks()).div_ceil(ROW_THREADS)))
}

/// From bases, exponents and rows to numbers that are the powers modulo N; the second result is the table of powers. Bases
/// and exponents may be one for all.
pub(crate) fn power(
    shape: &Shape,
    [base, exponent]: [bool; 2],
    (target, limits): (Target, &Limits),
) -> Result<Kernel, SpecError> {
    if !limits.matrices {
        return Err(SpecError::Matrices);
    }
    let Shape { words, warps } = *shape;
    let stride = |is_broadcast: bool| if is_broadcast { 0 } else { words };
    let instructions = [
        Instructions::Matrices,
        Instructions::Residues,
        Instructions::Multiples,
        Instructions::ThreadProducts(words + 1),
    ];
    let values = context! {
        spec => format!("modmul_fold power words={words} broadcast={base},{exponent} warps={warps} target={target}"),
        words,
        warps,
        window => shape.window(),
        base_stride => stride(base),
        exponent_stride => stride(exponent),
        instructions => Instructions::text(&instructions, target)?,
        templates => Templates::of([Template::ModmulFold]).texts(),
    };
    let kernel = rendered(render_source(POWER, values)?, &["x", "e", "rows"], shape.geometry(), limits)?;
    Ok(kernel.with_outputs(2))
}
