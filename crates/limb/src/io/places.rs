//! The places of records in a block of bytes.

use core::ops::Range;

use memchr::{memchr, memchr_iter};

/// Where each record of a block lies.
#[derive(Clone, Debug)]
pub(super) enum Places {
    /// Binary records of `size` bytes; the last one may be shorter.
    Equal { size: usize, len: usize },
    /// Lines; each starts one byte after the end of the line before.
    Adjacent { ends: Vec<usize> },
    /// Lines between which others were skipped.
    Apart {
        ranges: Vec<Range<usize>>,
        /// (record i, lines skipped before record i and each later one up to the next entry).
        skipped: Vec<(usize, u64)>,
    },
}

impl Places {
    /// Number of records.
    pub(super) const fn len(&self) -> usize {
        match self {
            Self::Equal { size, len } => len.div_ceil(*size),
            Self::Adjacent { ends } => ends.len(),
            Self::Apart { ranges, .. } => ranges.len(),
        }
    }

    /// The bytes of record `i`, without the end of the line.
    ///
    /// # Panics
    /// If there is no record `i`, as indexing does.
    pub(super) fn range(&self, i: usize) -> Range<usize> {
        match self {
            Self::Equal { size, len } => {
                assert!(i < self.len(), "the block has this record");
                i * size..((i + 1) * size).min(*len)
            }
            Self::Adjacent { ends } => (if i == 0 { 0 } else { ends[i - 1] + 1 })..ends[i],
            Self::Apart { ranges, .. } => ranges[i].clone(),
        }
    }

    /// Lines that were skipped before record `i`.
    pub(super) fn skipped(&self, i: usize) -> u64 {
        let Self::Apart { skipped, .. } = self else { return 0 };
        let at = skipped.partition_point(|&(record, _)| record <= i);
        if at == 0 { 0 } else { skipped[at - 1].1 }
    }

    /// The lines of a block, the last of which may have no end. Lenient lines lose comments, and empty ones
    /// are skipped. Returns the number of lines with the skipped ones, too.
    pub(super) fn of_lines(block: &[u8], is_lenient: bool) -> (Self, u64) {
        // Counting takes a fraction of the time, and the vector is then allocated once.
        let newlines = memchr_iter(b'\n', block);
        let has_open_line = block.last().is_some_and(|&last| last != b'\n');
        let count = newlines.clone().count() + usize::from(has_open_line);
        let mut ends = Vec::with_capacity(count);
        ends.extend(newlines);
        if has_open_line {
            ends.push(block.len());
        }
        let lines = Self::Adjacent { ends };
        (if is_lenient { lines.without_comments(block) } else { lines }, count as u64)
    }

    fn without_comments(self, block: &[u8]) -> Self {
        let (mut ranges, mut skipped) = (vec![], vec![]);
        for line in 0..self.len() {
            let range = self.range(line);
            let content = without_comment(&block[range.clone()]);
            if !content.trim_ascii().is_empty() {
                push_apart(&mut ranges, &mut skipped, range.start..range.start + content.len(), line as u64);
            }
        }
        Self::Apart { ranges, skipped }
    }
}

/// Appends a record that is line `line` of those of the block, from 0.
pub(super) fn push_apart(
    ranges: &mut Vec<Range<usize>>,
    skipped: &mut Vec<(usize, u64)>,
    range: Range<usize>,
    line: u64,
) {
    let before = line - ranges.len() as u64;
    if before != skipped.last().map_or(0, |&(_, before)| before) {
        skipped.push((ranges.len(), before));
    }
    ranges.push(range);
}

/// The line up to its comment.
pub(super) fn without_comment(line: &[u8]) -> &[u8] {
    &line[..memchr(b'#', line).unwrap_or(line.len())]
}
