//! Sizes that compressed buffers of Arrow data claim to have, checked before they are decoded: the decoder
//! takes the memory at once, and where there is none it ends the process.
//!
//! A message is a length of 4 bytes (after 4 bytes of 255 in all but old streams), metadata of that length, and
//! a body; a compressed buffer of the body begins with its size, 8 bytes. Source: the Arrow columnar format,
//! "Serialization and Interprocess Communication".

use std::collections::VecDeque;
use std::io::{self, Read, Seek, SeekFrom};
use std::{iter, mem};

use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{Block, root_as_footer, root_as_message};

const CONTINUATION: [u8; 4] = [255; 4];

/// Bytes of a size.
const SIZE: u64 = 8;

/// The length of a message's body, and where in it sizes are, in order. None for metadata that no decoder takes.
fn sizes(metadata: &[u8]) -> Option<(u64, Vec<u64>)> {
    let message = root_as_message(metadata).ok()?;
    let length = u64::try_from(message.bodyLength()).ok()?;
    let dictionary = || message.header_as_dictionary_batch()?.data();
    let batch = message.header_as_record_batch().or_else(dictionary);
    let Some(batch) = batch.filter(|batch| batch.compression().is_some()) else {
        return Some((length, vec![]));
    };
    let buffers = batch.buffers().into_iter().flatten().filter(|buffer| buffer.length() >= SIZE as i64);
    let mut offsets: Vec<u64> = buffers.filter_map(|buffer| u64::try_from(buffer.offset()).ok()).collect();
    offsets.sort_unstable();
    offsets.dedup_by(|next, before| *next - *before < SIZE);
    offsets.retain(|offset| offset.checked_add(SIZE).is_some_and(|end| end <= length));
    Some((length, offsets))
}

/// Checks a size; -1 is that of a buffer which is not compressed, and the decoder refuses other negative ones.
fn check(size: [u8; 8]) -> io::Result<()> {
    let Ok(size) = usize::try_from(i64::from_le_bytes(size)) else { return Ok(()) };
    Vec::<u8>::new().try_reserve_exact(size).map_err(|_| {
        let why = format!("a compressed buffer claims {size} bytes, for which there is no memory");
        io::Error::new(io::ErrorKind::InvalidData, why)
    })
}

/// Checks all sizes of a file.
pub(super) fn check_file(file: &mut (impl Read + Seek)) -> io::Result<()> {
    let mut end = [0; 10];
    let found = file.seek(SeekFrom::End(-10)).and_then(|_| file.read_exact(&mut end));
    let Some(length) = found.ok().and_then(|()| read_footer_length(end).ok()) else { return Ok(()) };
    if file.seek(SeekFrom::End(-10 - length as i64)).is_err() {
        return Ok(());
    }
    let mut footer = vec![];
    file.take(length as u64).read_to_end(&mut footer)?;
    let Ok(footer) = root_as_footer(&footer) else { return Ok(()) };
    let blocks = footer.dictionaries().into_iter().chain(footer.recordBatches()).flatten();
    blocks.into_iter().try_for_each(|block| check_block(file, block))
}

fn check_block(file: &mut (impl Read + Seek), block: &Block) -> io::Result<()> {
    let (Ok(start), Ok(length)) = (u64::try_from(block.offset()), u64::try_from(block.metaDataLength()))
    else {
        return Ok(());
    };
    let mut head = vec![];
    file.seek(SeekFrom::Start(start))?;
    file.take(length).read_to_end(&mut head)?;
    let metadata = head.get(if head.starts_with(&CONTINUATION) { 8.. } else { 4.. });
    let Some((_, offsets)) = metadata.and_then(sizes) else { return Ok(()) };
    for offset in offsets {
        let mut size = [0; SIZE as usize];
        let at = start.saturating_add(length).saturating_add(offset);
        // A file that is too short is the decoder's to refuse.
        if file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut size)).is_ok() {
            check(size)?;
        }
    }
    Ok(())
}

/// What the bytes that a [`Checked`] collects are.
#[derive(Clone, Copy)]
enum Part {
    Prefix,
    Length,
    Metadata,
    Size,
}

/// A stream whose sizes are checked as it is read.
pub(super) struct Checked<R> {
    stream: R,
    /// What comes after `skip` bytes: `wanted` bytes, of which these are collected.
    part: Part,
    skip: u64,
    wanted: usize,
    collected: Vec<u8>,
    /// Sizes of the body that are to come, each with the bytes before it, and the bytes behind the last one.
    gaps: VecDeque<u64>,
    rest: u64,
}

impl<R: Read> Checked<R> {
    pub(super) fn new(stream: R) -> Self {
        Self {
            stream,
            part: Part::Prefix,
            skip: 0,
            wanted: 4,
            collected: vec![],
            gaps: VecDeque::new(),
            rest: 0,
        }
    }

    fn watch(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let passed = self.skip.min(bytes.len() as u64);
            self.skip -= passed;
            bytes = &bytes[passed as usize..];
            let taken = bytes.len().min(self.wanted - self.collected.len());
            self.collected.extend_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            if self.collected.len() == self.wanted {
                let part = mem::take(&mut self.collected);
                self.step(&part)?;
            }
        }
        Ok(())
    }

    /// Goes on behind a part that is collected.
    fn step(&mut self, part: &[u8]) -> io::Result<()> {
        match self.part {
            Part::Prefix if part == CONTINUATION => (self.part, self.wanted) = (Part::Length, 4),
            Part::Prefix | Part::Length => {
                let length = part.try_into().ok().map(i32::from_le_bytes);
                match length.and_then(|length| usize::try_from(length).ok()) {
                    // The end, or what the decoder refuses.
                    None | Some(0) => self.skip = u64::MAX,
                    Some(length) => (self.part, self.wanted) = (Part::Metadata, length),
                }
            }
            Part::Metadata => {
                let Some((length, offsets)) = sizes(part) else {
                    self.skip = u64::MAX;
                    return Ok(());
                };
                let ends = iter::once(0).chain(offsets.iter().map(|offset| offset + SIZE));
                self.gaps = offsets.iter().zip(ends).map(|(offset, end)| offset - end).collect();
                self.rest = length - offsets.last().map_or(0, |offset| offset + SIZE);
                self.next_size();
            }
            Part::Size => {
                part.try_into().map_or(Ok(()), check)?;
                self.next_size();
            }
        }
        Ok(())
    }

    fn next_size(&mut self) {
        (self.part, self.skip, self.wanted) = match self.gaps.pop_front() {
            Some(gap) => (Part::Size, gap, SIZE as usize),
            None => (Part::Prefix, self.rest, 4),
        };
    }
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(bytes)?;
        self.watch(&bytes[..count])?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
