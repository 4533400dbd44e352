//! Pinned memory of a thread that copies between ordinary memory and a device, piece by piece.
#![allow(unsafe_code)]

use std::mem;

use cudarc::driver::{CudaEvent, CudaStream, result};

use crate::device::Device;
use crate::driver::failed;
use crate::error::GpuError;
use crate::invariant::broken_invariant;
use crate::pinned::Pinned;

/// Bytes of a piece. On an H200 with 16 cores, a product of 2^32 bits an operand takes 44 ms from call to result
/// with pieces of 2 MiB, 56 with 1 MiB, 70 with 512 KiB and 87 with 256 KiB: threads wait for each other where
/// they start copies, of which smaller pieces need more.
const PIECE: usize = 2 << 20;

/// Two pieces: while the device copies one, the thread copies the other.
#[derive(Debug)]
pub(crate) struct Ring {
    rooms: [Room; 2],
    turn: usize,
}

#[derive(Debug)]
struct Room {
    bytes: Pinned<u8>,
    /// Recorded after the device's last copy from or to the room.
    copied: CudaEvent,
}

impl Ring {
    pub(crate) fn new(device: &Device) -> Result<Self, GpuError> {
        let room = || {
            let copied = device.context().new_event(None).map_err(failed("create an event"))?;
            Ok::<_, GpuError>(Room { bytes: device.pinned(PIECE)?, copied })
        };
        Ok(Self { rooms: [room()?, room()?], turn: 0 })
    }

    /// Copies rows of bytes, one behind the other, to an address of the device, in a stream of a bound
    /// context. Returns when the bytes are no longer needed. The ring must outlive the stream's work.
    pub(crate) fn push<'b>(
        &mut self,
        rows: impl IntoIterator<Item = &'b [u8]>,
        to: u64,
        stream: &CudaStream,
    ) -> Result<(), GpuError> {
        let (mut to, mut filled) = (to, 0);
        for mut row in rows {
            while !row.is_empty() {
                let room = if filled == 0 { self.next()? } else { self.last() };
                let (bytes, rest) = row.split_at(row.len().min(PIECE - filled));
                room.bytes.as_mut_slice()[filled..][..bytes.len()].copy_from_slice(bytes);
                (row, filled) = (rest, filled + bytes.len());
                if filled == PIECE {
                    room.push(filled, to, stream)?;
                    (to, filled) = (to + filled as u64, 0);
                }
            }
        }
        if filled == 0 { Ok(()) } else { self.last().push(filled, to, stream) }
    }

    /// Copies from an address of the device, behind the work of a stream of a bound context, to rows of
    /// bytes, one behind the other, and waits.
    pub(crate) fn pull(
        &mut self,
        from: u64,
        rows: &mut [&mut [u8]],
        stream: &CudaStream,
    ) -> Result<(), GpuError> {
        let bytes: usize = rows.iter().map(|row| row.len()).sum();
        let size = |at: usize| PIECE.min(bytes - at);
        let mut rows = rows.iter_mut().map(|row| &mut **row);
        let mut row: &mut [u8] = &mut [];
        let mut before = None;
        for at in (0..bytes).step_by(PIECE).map(Some).chain([None]) {
            if let Some(at) = at {
                self.next()?.pull(from + at as u64, size(at), stream)?;
            }
            // The room of the piece before: the device copies to the other one.
            let Some(done) = mem::replace(&mut before, at) else { continue };
            let turn = if at.is_some() { 1 - self.turn } else { self.turn };
            let mut piece = self.rooms[turn].wait(size(done))?;
            while !piece.is_empty() {
                if row.is_empty() {
                    row = rows.next().unwrap_or_else(|| broken_invariant("rows have all bytes"));
                }
                let count = piece.len().min(row.len());
                let (bytes, rest) = piece.split_at(count);
                let (room, others) = mem::take(&mut row).split_at_mut(count);
                room.copy_from_slice(bytes);
                (piece, row) = (rest, others);
            }
        }
        Ok(())
    }

    /// The other room, after the device's last copy from or to it.
    fn next(&mut self) -> Result<&mut Room, GpuError> {
        self.turn = 1 - self.turn;
        let room = self.last();
        room.copied.synchronize().map_err(failed("copy a batch"))?;
        Ok(room)
    }

    const fn last(&mut self) -> &mut Room {
        &mut self.rooms[self.turn]
    }
}

impl Room {
    /// Starts the copy of its first bytes to the device.
    fn push(&self, bytes: usize, to: u64, stream: &CudaStream) -> Result<(), GpuError> {
        let bytes = &self.bytes.as_slice()[..bytes];
        // SAFETY: the memory at the address has these bytes, and the room is not written before its event.
        let started = unsafe { result::memcpy_htod_async(to, bytes, stream.cu_stream()) };
        started.map_err(failed("copy to the GPU"))?;
        self.copied.record(stream).map_err(failed("record an event"))
    }

    /// Starts a copy from the device.
    fn pull(&mut self, from: u64, bytes: usize, stream: &CudaStream) -> Result<(), GpuError> {
        let bytes = &mut self.bytes.as_mut_slice()[..bytes];
        // SAFETY: the memory at the address has these bytes, and the room is not read before its event.
        let started = unsafe { result::memcpy_dtoh_async(bytes, from, stream.cu_stream()) };
        started.map_err(failed("copy from the GPU"))?;
        self.copied.record(stream).map_err(failed("record an event"))
    }

    /// Its first bytes, after the copy from the device.
    fn wait(&self, bytes: usize) -> Result<&[u8], GpuError> {
        self.copied.synchronize().map_err(failed("copy from the GPU"))?;
        Ok(&self.bytes.as_slice()[..bytes])
    }
}
