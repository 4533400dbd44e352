//! Lines, or binary records that are not limbs, split by a thread of their own and parsed by all others.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::{fs, thread};

use limbforge::limb::io::{NumberFormat, RecordReader, Records};
use limbforge::prelude::*;
use rayon::prelude::*;

use super::tap::{Fault, Tap};
use super::{BadRecord, End, Length, Lines, Loaded, Reading, Source, none};
use crate::error::CliError;
use crate::eval::{arguments::OnError, sizes::Sizes};
use crate::input::{self, Count, Kind};

/// Blocks that wait for their parser.
const WAITING: usize = 2;

/// Bytes of the first block. They grow by this factor: the first lines are there at once.
const FIRST_BLOCK: usize = 64 << 10;
const GROWTH: usize = 4;

/// Bytes of limbs that are worth a task of a thread.
const TASK_BYTES: usize = 8 << 10;

/// Consecutive records.
struct Block {
    records: Records,
    /// Those of them that are complete.
    count: usize,
    /// Bytes of the file up to their end.
    bytes: u64,
    /// There is no other record in the file.
    is_single: bool,
}

enum Message {
    Block(Block),
    /// Nothing comes after it.
    End(End),
}

/// A file whose first block is being read.
pub(in crate::eval) struct Opening {
    blocks: Receiver<Message>,
    length: Length,
}

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

impl Opening {
    pub(super) fn start(path: &Path, reading: Reading, sizes: &Sizes) -> Result<Self, CliError> {
        let (sender, blocks) = mpsc::sync_channel(WAITING);
        let (owned, most) = (path.to_owned(), sizes.block);
        let work = move || {
            if let Err(error) = split(&owned, reading, most, &sender) {
                // Whoever does not listen any more has ended the run.
                let _ = sender.send(Message::End(End::Failed(error)));
            }
        };
        let thread = thread::Builder::new().name("reader".to_owned()).spawn(work);
        thread.map_err(CliError::file(path, "read"))?;
        let file = fs::metadata(path).ok().filter(|file| file.is_file() && file.len() > 0);
        Ok(Self { blocks, length: file.map_or(Length::Unknown, |file| Length::Text(file.len())) })
    }
}

/// Sends the records of a file block by block.
fn split(path: &Path, reading: Reading, most: usize, sender: &SyncSender<Message>) -> Result<(), CliError> {
    let Reading { format, ty, is_lenient, on_error } = reading;
    let kind = if format == NumberFormat::Bin { Kind::Binary } else { Kind::Text };
    let (count, fault) = (Count::default(), Fault::default());
    let content = input::open_counted(path, kind, count.clone())?;
    let mut reader = RecordReader::new(Tap::new(content, fault.clone()), format, ty).lenient(is_lenient);
    let failed = CliError::file(path, "read");
    let mut size = FIRST_BLOCK.min(most);
    let mut is_first = true;
    loop {
        let records = reader.read(usize::MAX, size).map_err(&failed)?;
        // A line that is too long is refused without looking for its end, which may be far away.
        let is_refused = records.is_cut() && on_error == OnError::Fail;
        let may_be_single = is_first && records.len() == 1 && !is_refused;
        let is_last = may_be_single && reader.at_end().map_err(&failed)?;
        let error = fault.take();
        let (bytes, next) = (count.load(Ordering::Relaxed), records.number(records.len()));
        // What an error has cut off is no record.
        let is_incomplete = match (&error, format) {
            (Some(_), NumberFormat::Bin) => records.bytes() % ty.bytes() != 0,
            (Some((_, is_in_line)), _) => *is_in_line,
            (None, _) => false,
        };
        let (count, is_empty) = (records.len().saturating_sub(is_incomplete.into()), records.is_empty());
        if count > 0 {
            let block = Block { records, count, bytes, is_single: is_last && error.is_none() };
            if sender.send(Message::Block(block)).is_err() {
                return Ok(());
            }
        }
        let end = match error {
            Some((error, _)) => End::Failed(failed(error)),
            None if is_empty || is_refused => End::Ended { next },
            None => {
                (size, is_first) = (size.saturating_mul(GROWTH).min(most), false);
                continue;
            }
        };
        let _ = sender.send(Message::End(end));
        return Ok(());
    }
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

    /// Notes the lines of the next `count` records, which become instances from `first` on.
    fn note_lines(&self, first: usize, count: usize, lines: &mut Lines) {
        let noted = if self.is_lenient { count } else { count.min(1) };
        (0..noted).for_each(|i| lines.push(first + i, self.block.records.number(self.position + i)));
    }
}

/// The error of a thread that has ended without one.
fn stopped(path: &Path) -> CliError {
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
            let limbs = out[filled * m..(filled + count) * m].par_chunks_exact_mut(m);
            bad.par_extend(limbs.with_min_len(task).enumerate().filter_map(|(i, limbs)| {
                let error = records.parse(position + i, limbs).err()?;
                limbs.fill(B::ZERO);
                Some(BadRecord { instance: filled + i, number: records.number(position + i), error })
            }));
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
