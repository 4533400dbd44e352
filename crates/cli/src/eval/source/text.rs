//! Lines, or binary records that are not limbs, split by a thread of their own and parsed by all others.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

use limbforge::limb::io::RecordError;
use limbforge::prelude::*;
use rayon::prelude::*;

use super::blocks::{Block, Message, Opening};
use super::lines::Lines;
use super::loaded::{BadRecord, End, Length, Loaded, Reading, Source, TASK_BYTES, none};
use crate::error::CliError;

/// The lines of a file.
pub(super) struct Text {
    path: PathBuf,
    blocks: Receiver<Message>,
    block: Block,
    position: usize,
    /// Records of all blocks so far.
    records: u64,
    length: Length,
    ty: IntType,
    is_lenient: bool,
    end: Option<End>,
}

impl Text {
    /// Waits for the first block; true if there is one record.
    pub(super) fn first(
        path: &Path,
        opening: Opening,
        reading: Reading,
    ) -> Result<(Self, bool, Length), CliError> {
        let Opening { blocks, length } = opening;
        let block = match blocks.recv() {
            Ok(Message::Block(block)) => block,
            Ok(Message::End(End::Ended { .. })) => return Err(none(path)),
            Ok(Message::End(End::Failed(error))) => return Err(error),
            Err(_) => return Err(stopped(path)),
        };
        let (records, is_single) = (block.count as u64, block.is_single);
        let Reading { ty, is_lenient, .. } = reading;
        let path = path.to_owned();
        let text = Self { path, blocks, block, position: 0, records, length, ty, is_lenient, end: None };
        Ok((text, is_single, length))
    }

    /// Waits for the next block if this one is used up; false at the end.
    fn advance(&mut self) -> bool {
        while self.position == self.block.count && self.end.is_none() {
            match self.blocks.recv() {
                Ok(Message::Block(block)) => {
                    self.records += block.count as u64;
                    (self.block, self.position) = (block, 0);
                }
                Ok(Message::End(end)) => self.end = Some(end),
                Err(_) => self.end = Some(End::Failed(stopped(&self.path))),
            }
        }
        self.position < self.block.count
    }

    /// Passes over so many records, as far as there are some.
    pub(super) fn skip(&mut self, records: u64) {
        let mut left = records;
        while left > 0 && self.advance() {
            let count = left.min((self.block.count - self.position) as u64);
            self.position += count as usize;
            left -= count;
        }
    }

    /// Notes the lines of the next `count` records, which become instances from `first` on.
    fn note_lines(&self, first: usize, count: usize, lines: &mut Lines) {
        let noted = if self.is_lenient { count } else { count.min(1) };
        (0..noted).for_each(|i| lines.push(first + i, self.block.records.number(self.position + i)));
    }
}

/// The error of a thread that has ended without one.
pub(super) fn stopped(path: &Path) -> CliError {
    CliError::Internal(format!("{}: its reader has stopped; please report this", path.display()))
}

impl<B: Base> Source<B> for Text {
    fn load(&mut self, out: &mut [B]) -> Loaded {
        let m = self.ty.limbs::<B>();
        let (wanted, task) = (out.len() / m, (TASK_BYTES / (m * B::BYTES)).max(1));
        let (mut filled, mut bad, mut lines) = (0, vec![], Lines::default());
        while filled < wanted && self.advance() {
            let count = (wanted - filled).min(self.block.count - self.position);
            self.note_lines(filled, count, &mut lines);
            let (position, records) = (self.position, &self.block.records);
            let limbs = out[filled * m..(filled + count) * m].par_chunks_mut(task * m);
            let failed = limbs.enumerate().map(|(i, limbs)| {
                let first = position + i * task;
                records.parse_range(first..first + limbs.len() / m, limbs)
            });
            // All lines may fail: they are moved as few times as can be.
            let failed: Vec<Vec<(usize, RecordError)>> = failed.collect();
            let record =
                |(i, error)| BadRecord { instance: filled + i - position, number: records.number(i), error };
            bad.reserve(failed.iter().map(Vec::len).sum());
            failed.into_iter().for_each(|failed| bad.extend(failed.into_iter().map(record)));
            filled += count;
            self.position += count;
        }
        let end = if filled < wanted { self.end.take() } else { None };
        if let Some(End::Ended { next }) = end {
            self.end = Some(End::Ended { next });
        }
        Loaded { instances: filled, bad, lines, end }
    }

    fn estimate(&self) -> Option<u64> {
        match self.length {
            Length::Text(bytes) if self.end.is_none() => {
                let part = bytes as f64 / self.block.bytes.clamp(1, bytes) as f64;
                Some((self.records as f64 * part) as u64)
            }
            _ => None,
        }
    }
}
