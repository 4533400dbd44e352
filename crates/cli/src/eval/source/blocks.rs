//! The thread that splits a file into records, block by block.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::{fs, thread};

use limbforge::limb::io::{NumberFormat, RecordReader, Records};

use super::loaded::{End, Length, Reading};
use super::tap::{Fault, Tap};
use crate::error::CliError;
use crate::eval::arguments::OnError;
use crate::eval::sizes::Sizes;
use crate::input::{self, Count, Kind};

/// Blocks that wait for their parser.
const WAITING: usize = 2;

/// Bytes of the first block. They grow by this factor: the first lines are there at once.
const FIRST_BLOCK: usize = 64 << 10;
const GROWTH: usize = 4;

/// Consecutive records.
pub(super) struct Block {
    pub(super) records: Records,
    /// Those of them that are complete.
    pub(super) count: usize,
    /// Bytes of the file up to their end.
    pub(super) bytes: u64,
    /// There is no other record in the file.
    pub(super) is_single: bool,
}

pub(super) enum Message {
    Block(Block),
    /// Nothing comes after it.
    End(End),
}

/// A file whose first block is being read.
pub(in super::super) struct Opening {
    pub(super) blocks: Receiver<Message>,
    pub(super) length: Length,
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
    let Reading { format, ty, is_lenient, on_error, .. } = reading;
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
        // Of a file that is not compressed, not what lies in the buffer.
        let bytes = count.load(Ordering::Relaxed).min(fault.consumed());
        let next = records.number(records.len());
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
