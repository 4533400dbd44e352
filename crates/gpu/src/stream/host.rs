//! Operands and results in the machine's memory.

use super::plan::Chunk;

/// An operand in the machine's memory.
#[derive(Clone, Copy, Debug)]
pub struct HostBatch<'a> {
    pub(super) bytes: &'a [u8],
    /// Rows of equal length, each with a part of every instance.
    pub(super) rows: usize,
}

/// Writes the operands of a chunk, each into its buffer.
pub type ReadOperands<'a, E> = dyn Fn(&Chunk, &mut [&mut [u8]]) -> Result<(), E> + Sync + 'a;

/// Takes the results of a chunk, and the words that mark its instances.
pub type WriteResults<'a, E> = dyn Fn(&Chunk, &[&[u8]], &[u32]) -> Result<(), E> + Sync + 'a;

/// The operands of N instances.
#[expect(missing_debug_implementations, reason = "a function has no text")]
pub enum Operands<'a, E> {
    /// In memory, in the order of the program's operands.
    Memory(&'a [HostBatch<'a>]),
    /// Written by a function into a buffer for each operand. It is called once for each chunk, by several
    /// threads; a chunk that a GPU has lost is asked for again.
    Read(&'a ReadOperands<'a, E>),
}

/// Where the results of N instances go.
#[expect(missing_debug_implementations, reason = "a function has no text")]
pub enum Results<'a, E> {
    /// To memory, in the order of the program's results.
    Memory(Vec<HostResult<'a>>),
    /// To a function, which gets the bytes of each chunk's results once, with a word for each instance: a bit
    /// for every result that it lacks (no words if the program marks no instances). Several threads call it,
    /// in any order.
    Write(&'a WriteResults<'a, E>),
}

/// Memory for a result.
#[derive(Debug)]
pub struct HostResult<'a> {
    pub(super) bytes: &'a mut [u8],
    /// Rows of equal length, each with a part of every instance.
    pub(super) rows: usize,
}

impl<'a> HostResult<'a> {
    /// For instances one after the other.
    #[must_use]
    pub const fn new(bytes: &'a mut [u8]) -> Self {
        Self { bytes, rows: 1 }
    }

    /// For an interleaved batch of M limbs: a row for each.
    #[must_use]
    pub const fn interleaved(bytes: &'a mut [u8], limbs: usize) -> Self {
        Self { bytes, rows: limbs }
    }
}

impl<'a> HostBatch<'a> {
    /// The bytes of instances one after the other, or of the one instance that all use.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, rows: 1 }
    }

    /// The bytes of an interleaved batch of M limbs: a row for each.
    #[must_use]
    pub const fn interleaved(bytes: &'a [u8], limbs: usize) -> Self {
        Self { bytes, rows: limbs }
    }

    /// The part of a chunk in each row, of a batch of N instances.
    pub(super) fn rows(self, chunk: Chunk, instances: u64) -> impl Iterator<Item = &'a [u8]> {
        let row = self.bytes.len() / self.rows;
        let range = chunk.bytes(row as u64 / instances);
        self.bytes.chunks_exact(row.max(1)).map(move |row| &row[range.clone()])
    }

    /// The part of a chunk if the device can copy it by itself.
    pub(super) const fn is_one_row(self) -> bool {
        self.rows == 1
    }
}
