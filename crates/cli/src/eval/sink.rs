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
use super::results::Content;
use crate::error::CliError;
use crate::output::Output;

pub(super) enum Sink {
    Bytes(Output),
    #[cfg(feature = "columns")]
    Table(Box<table::TableSink>),
}

impl Sink {
    pub(super) fn create(job: &Job) -> Result<Self, CliError> {
        #[cfg(feature = "columns")]
        if let Some(place) = &job.table {
            // Before the output: who reads a file that is not there leaves none.
            let table = table::TableSink::prepare(job, place)?;
            return Ok(Self::Table(Box::new(table.start(Output::create(job.out.as_deref())?))));
        }
        Output::create(job.out.as_deref()).map(Self::Bytes)
    }

    /// Takes the next results, and gives back memory that others may use again.
    pub(super) fn write<B: Base>(&mut self, content: Content<B>, board: &Board<B>) -> Result<(), CliError> {
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
    pub(super) fn reserve(&mut self, bytes: u64) {
        match self {
            Self::Bytes(output) => output.reserve(bytes),
            #[cfg(feature = "columns")]
            Self::Table(_) => {}
        }
    }

    pub(super) fn finish(self) -> Result<(), CliError> {
        match self {
            Self::Bytes(output) => output.finish(),
            #[cfg(feature = "columns")]
            Self::Table(table) => table.finish(),
        }
    }
}
