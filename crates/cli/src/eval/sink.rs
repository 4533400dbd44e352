//! The destination of results: bytes as they are, or a column of a table.

#[cfg(feature = "arrow")]
mod arrow;
#[cfg(feature = "csv")]
mod cells;
#[cfg(feature = "csv")]
mod csv;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "columns")]
mod table;

use limbforge::prelude::*;

use super::board::Board;
use super::job::Job;
use super::outputs::Target;
use super::results::Content;
use crate::error::CliError;
use crate::output::Output;

enum Sink {
    Bytes(Output),
    #[cfg(feature = "columns")]
    Table(Box<table::TableSink>),
}

/// The destinations of all results of a run; None where a reader has left.
pub(super) struct Sinks(Vec<Option<Sink>>);

impl Sinks {
    pub(super) fn create(job: &Job) -> Result<Self, CliError> {
        let sinks = job.targets.iter().map(|target| Sink::create(job, target).map(Some));
        sinks.collect::<Result<_, _>>().map(Self)
    }

    /// Takes the next instances of all results.
    ///
    /// # Errors
    /// [`CliError::ReaderLeft`] if nobody reads any of them any more.
    pub(super) fn write<B: Base>(
        &mut self,
        contents: Vec<Content<B>>,
        board: &Board<B>,
    ) -> Result<(), CliError> {
        for (place, content) in self.0.iter_mut().zip(contents) {
            let Some(sink) = place else { continue };
            match sink.write(content, board) {
                Err(CliError::ReaderLeft) => *place = None,
                written => written?,
            }
        }
        if self.0.iter().any(Option::is_some) { Ok(()) } else { Err(CliError::ReaderLeft) }
    }

    /// Asks for the room of so many bytes for each, where they are not 0.
    pub(super) fn reserve(&mut self, bytes: impl Iterator<Item = u64>) {
        let sinks = self.0.iter_mut().flatten().zip(bytes);
        sinks.filter(|(_, bytes)| *bytes > 0).for_each(|(sink, bytes)| sink.reserve(bytes));
    }

    /// Writes all that waits; files get their names.
    ///
    /// # Errors
    /// As of [`write`](Self::write).
    pub(super) fn finish(self) -> Result<(), CliError> {
        let mut has_readers = false;
        for sink in self.0.into_iter().flatten() {
            match sink.finish() {
                Err(CliError::ReaderLeft) => {}
                finished => (has_readers, _) = (true, finished?),
            }
        }
        if has_readers { Ok(()) } else { Err(CliError::ReaderLeft) }
    }
}

impl Sink {
    fn create(job: &Job, target: &Target) -> Result<Self, CliError> {
        let path = target.out.path.as_deref();
        #[cfg(feature = "columns")]
        if let Some(place) = &target.out.table {
            // Before the output: who reads a file that is not there leaves none.
            let table = table::TableSink::prepare(job, target, place)?;
            return Ok(Self::Table(Box::new(table.start(Output::create(path)?))));
        }
        #[cfg(not(feature = "columns"))]
        let _ = job;
        Output::create(path).map(Self::Bytes)
    }

    /// Takes the next results, and gives back memory that others may use again.
    fn write<B: Base>(&mut self, content: Content<B>, board: &Board<B>) -> Result<(), CliError> {
        match (self, content) {
            (Self::Bytes(output), Content::Limbs(batch)) => {
                output.write(bytemuck::cast_slice::<B, u8>(batch.limbs()))?;
                board.give_back(batch);
                output.flush()
            }
            (Self::Bytes(output), Content::Text(pieces)) => {
                pieces.iter().try_for_each(|piece| output.write(piece))?;
                output.flush()
            }
            #[cfg(feature = "columns")]
            (Self::Table(table), Content::Column(column)) => table.write(column),
            #[cfg(feature = "columns")]
            _ => Err(CliError::Internal(
                "results have another form than their file; please report this".to_owned(),
            )),
        }
    }

    /// Asks for the room of so many bytes.
    fn reserve(&mut self, bytes: u64) {
        match self {
            Self::Bytes(output) => output.reserve(bytes),
            #[cfg(feature = "columns")]
            Self::Table(_) => {}
        }
    }

    fn finish(self) -> Result<(), CliError> {
        match self {
            Self::Bytes(output) => output.finish(),
            #[cfg(feature = "columns")]
            Self::Table(table) => table.finish(),
        }
    }
}
