//! Memory of products and divisions.

/// Memory that products or divisions work in. It grows to what the largest one needed and is reused; one per thread.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    words: Vec<u64>,
}

impl Scratch {
    /// An empty scratch; the first use allocates.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: Vec::new() }
    }

    /// `len` words, which hold anything.
    pub(super) fn take(&mut self, len: usize) -> &mut [u64] {
        if self.words.len() < len {
            self.words.resize(len, 0);
        }
        &mut self.words[..len]
    }
}
