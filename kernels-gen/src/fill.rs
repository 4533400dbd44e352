//! Kernels of batches that are computed from nothing: constants, counters and random integers.
//!
//! They give the integers of [`Fill`], bit for bit as on the CPU. `docs/fill.md` has how.

mod operand;

use core::fmt;

use limbforge_algos::fill::Fill;
use limbforge_limb::{IntType, Layout};
use minijinja::context;

use crate::kernel::Geometry;
use crate::pipeline::{Program, Source, rendered};
use crate::spec::{LimbKind, Limits, SpecError, layout_name};
use crate::template::{ENTRY, render_source};

const KERNEL: &str = include_str!("../templates/fill.cu.j2");
const CONSTANT: &str = include_str!("../templates/fill_constant.cuh");
const COUNTER: &str = include_str!("../templates/fill_counter.cuh");
const RANDOM: &str = include_str!("../templates/fill_random.cuh");
/// Threads of a block, and vectors of four words that each of them writes.
const THREADS: u32 = 256;
const VECTORS: u32 = 4;
/// Words of a thread, and of a block.
const THREAD_WORDS: u32 = 4 * VECTORS;
const BLOCK_WORDS: u32 = THREADS * THREAD_WORDS;

/// A batch that a kernel computes from nothing. Its kernel is the same for all constants, all counters and all
/// seeds: they are the program's only operand.
#[derive(Clone, Copy, Debug)]
pub struct FillSpec<'f> {
    fill: &'f Fill,
    bits: u32,
    limb: LimbKind,
    layout: Layout,
}

impl<'f> FillSpec<'f> {
    /// Of integers of this type, in this limb and layout.
    #[must_use]
    pub fn new(fill: &'f Fill, ty: IntType, limb: LimbKind, layout: Layout) -> Self {
        // Integers of one limb lie in one way.
        let layout = if limb.instance_words(ty) == limb.words() { Layout::InstanceMajor } else { layout };
        Self { fill, bits: ty.bits(), limb, layout }
    }

    /// Words of 32 bits of an instance.
    const fn words(&self) -> u32 {
        self.bits.div_ceil(32 * self.limb.words()) * self.limb.words()
    }

    /// Words of them that have bits below the width.
    const fn width_words(&self) -> u32 {
        self.bits.div_ceil(32)
    }

    /// Instances of a block, and blocks of the same instances.
    fn tile(&self) -> [u32; 2] {
        let words = self.words();
        match self.layout {
            // Four instances of any number of words are whole vectors of 16 bytes.
            Layout::InstanceMajor => {
                let instances = 4 * (BLOCK_WORDS / (4 * words)).max(1);
                [instances, (instances * words).div_ceil(BLOCK_WORDS)]
            }
            Layout::Interleaved => [THREADS * (THREAD_WORDS / words).max(1), words.div_ceil(THREAD_WORDS)],
        }
    }

    /// The program: one kernel, whose operand is [`operand`](Self::operand). Its instances must not be cut.
    ///
    /// ```
    /// use limbforge_algos::fill::Fill;
    /// use limbforge_kernels_gen::{LimbKind, Limits, fill::FillSpec};
    /// use limbforge_limb::Layout;
    ///
    /// let fill = Fill::random(7);
    /// let spec = FillSpec::new(&fill, "u131".parse()?, LimbKind::of::<u64>(), Layout::InstanceMajor);
    /// assert_eq!(spec.to_string(), "fill random bits=131 limb=u64 out=major");
    /// let program = spec.program(&Limits::SM_90)?;
    /// assert_eq!((program.kernels.len(), program.result_words), (1, vec![6]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SpecError::Threads`] if a block has more threads than the limits give.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let [instances, planes] = self.tile();
        let (words, width_words) = (self.words(), self.width_words());
        let values = match self.fill {
            Fill::Constant(_) => CONSTANT,
            Fill::Counter { .. } => COUNTER,
            Fill::Random { .. } => RANDOM,
        };
        let numbers = context! {
            spec => self.to_string(), entry => ENTRY, threads => THREADS, vectors => VECTORS,
            words, width_words, limb_words => self.limb.words(), instances, planes,
            top_mask => format!("{:#x}u", u32::MAX >> (32 * width_words - self.bits)),
            values, is_constant => matches!(self.fill, Fill::Constant(_)),
            interleaved => self.layout == Layout::Interleaved,
        };
        let source = render_source(KERNEL, numbers)?;
        let geometry = Geometry { threads: THREADS, instances, planes, shared_bytes: 0 };
        // One operand, the same for all instances.
        let mut program = Program::empty(vec![0]);
        let kernel = program.add_kernel(rendered(source, &["values"], geometry, limits)?);
        program.launch_to(0, kernel, vec![Source::Input(0)], 1, words.into());
        Ok(Program { chunk: u64::MAX, ..program.finished() })
    }
}

/// The canonical text.
impl fmt::Display for FillSpec<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.fill {
            Fill::Constant(_) => "constant",
            Fill::Counter { .. } => "counter",
            Fill::Random { .. } => "random",
        };
        let Self { bits, limb, layout, .. } = self;
        write!(f, "fill {kind} bits={bits} limb={limb} out={}", layout_name(*layout))
    }
}
