//! Kernels of radix sort: u32 and u64 keys, least significant digit first, s bits a pass.
//!
//! The program of section 4 of Haque, Moreno Maza and Xie (2014), after Satish, Harris and Garland (2009),
//! which `limbforge_algos::model` estimates: in each pass tiles are sorted and their digits counted, the
//! counts are summed up, and keys are moved.

use core::fmt;

use minijinja::context;

use crate::pipeline::{Program, Source};
use crate::poly::{check, check_threads};
use crate::spec::{Limits, SpecError};
use crate::template::{Template, render_source};

const TILE: &str = include_str!("../templates/sort_tile.cuh");
const SCAN: &str = Template::Scan.text();
const LOCAL_KERNEL: &str = include_str!("../templates/sort_local.cu.j2");
const SCAN_KERNEL: &str = include_str!("../templates/sort_scan.cu.j2");
const CHUNKS_KERNEL: &str = include_str!("../templates/sort_chunks.cu.j2");
const MOVE_KERNEL: &str = include_str!("../templates/sort_move.cu.j2");
/// Keys of a thread, and counts of a thread.
const EACH: u32 = 4;
/// Most bits of a digit.
const MOST_S: u32 = 12;
/// The buffers: sorted tiles with their counts, sums of counts, sums of chunks, keys between passes.
const SORTED: usize = 0;
const SUMS: usize = 1;
const CHUNKS: usize = 2;
const KEYS: usize = 3;

/// Sorts of n keys of 32 or 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SortSpec {
    n: u32,
    key_bits: u32,
    s: u32,
    threads: u32,
}

impl SortSpec {
    /// Of `n` keys, 1 to 2^30, of `key_bits` 32 or 64 bits, by `s` bits a pass, 1 to 12, with blocks of
    /// `threads` threads, a multiple of 32 up to 1024, four keys each.
    ///
    /// # Errors
    /// [`SpecError::Mapping`] for other numbers, or if there are 2^31 counts of digits or more.
    pub fn new(n: u32, key_bits: u32, s: u32, threads: u32) -> Result<Self, SpecError> {
        check("keys", n, 1..=1 << 30, "1 to 2^30")?;
        if key_bits != 32 {
            check("bits of a key", key_bits, 64..=64, "32 or 64")?;
        }
        check("s", s, 1..=MOST_S, "1 to 12 bits of a digit")?;
        check_threads(threads)?;
        let spec = Self { n, key_bits, s, threads };
        let counts = u32::try_from(u64::from(spec.tiles()) << s).unwrap_or(u32::MAX);
        check("counts", counts, 1..=i32::MAX as u32, "fewer than 2^31: use a smaller s or more threads")?;
        Ok(spec)
    }

    /// Passes over the keys.
    #[must_use]
    pub const fn passes(&self) -> u32 {
        self.key_bits.div_ceil(self.s)
    }

    /// Tiles of keys.
    const fn tiles(&self) -> u32 {
        self.n.div_ceil(EACH * self.threads)
    }

    /// The program: four kernels a pass.
    ///
    /// # Errors
    /// [`SpecError`] if a block needs more than the limits give.
    pub fn program(&self, limits: &Limits) -> Result<Program, SpecError> {
        let (key_words, counts) = (self.key_bits / 32, self.tiles() << self.s);
        let chunks = counts.div_ceil(EACH * self.threads);
        let shared_bytes = 4 * (EACH * self.threads * key_words + 2 * (1 << self.s));
        let keys = u64::from(self.n) * u64::from(key_words);
        let (sorted, sums) = (keys + u64::from(counts), u64::from(counts) + u64::from(chunks));
        let mut program = Program::empty(vec![keys]);
        let base = context! { spec => self.to_string(), counts, chunks };
        let mut kernel = |template, values, inputs: &[&str], tiles, shared_bytes| {
            let values = context! { ..values, ..base.clone() };
            program.add_rendered(limits, (template, values), inputs, [self.threads, tiles, shared_bytes])
        };
        let values = context! { stride => sorted, skip => keys, templates => [SCAN] };
        let scan = kernel(SCAN_KERNEL, values, &["counts"], chunks, 0)?;
        let chunk = kernel(CHUNKS_KERNEL, context! { templates => [SCAN] }, &["sums"], 1, 0)?;
        let mut launches = vec![];
        for pass in 0..self.passes() {
            let (s, shift, tiles) = (self.s, pass * self.s, self.tiles());
            let tile = render_source(TILE, context! { n => self.n, s, shift, tiles, key_words })?;
            let values = context! { templates => [SCAN.to_owned(), tile.clone()] };
            let local = kernel(LOCAL_KERNEL, values, &["keys"], tiles, shared_bytes)?;
            let values = context! { chunk => EACH * self.threads, templates => [tile] };
            let moved = kernel(MOVE_KERNEL, values, &["sorted", "sums", "chunks"], tiles, shared_bytes)?;
            let from = if pass == 0 { Source::Input(0) } else { Source::Buffer(KEYS) };
            let read = [SORTED, SUMS, CHUNKS].map(Source::Buffer);
            launches.push((SORTED, local, vec![from], sorted));
            launches.push((SUMS, scan, vec![read[0]], sums));
            launches.push((CHUNKS, chunk, vec![read[1]], chunks.into()));
            launches.push((KEYS, moved, read.to_vec(), keys));
        }
        for (to, kernel, read, words) in launches {
            program.launch_to(to, kernel, read, 1, words);
        }
        Ok(program.finished())
    }
}

impl fmt::Display for SortSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n, key_bits, s, threads } = self;
        write!(f, "sort n={n} key_bits={key_bits} s={s} threads={threads}")
    }
}
