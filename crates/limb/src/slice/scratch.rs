//! Working memory of products and divisions.

/// Reused working memory of products and divisions. It grows to the largest need. Use one for each thread.
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

    /// `len` words of unspecified value.
    pub(super) fn take(&mut self, len: usize) -> &mut [u64] {
        if self.words.len() < len {
            self.words.resize(len, 0);
        }
        &mut self.words[..len]
    }
}
