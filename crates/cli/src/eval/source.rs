//! The integers of a variable's file, some at a time.

mod blocks;
#[cfg(feature = "columns")]
mod columns;
mod limited;
mod lines;
mod loaded;
mod ranges;
mod raw;
mod tap;
mod text;
mod whole;

use std::thread;

use limbforge::prelude::*;

pub(super) use self::limited::Limited;
pub(super) use self::lines::Lines;
pub(super) use self::loaded::{BadRecord, End, Length, Loaded, Reading, Source, none};
use self::ranges::Ranges;
use self::raw::Raw;
use self::text::Text;
pub(super) use self::whole::is_whole;
use super::arguments::InputArgument;
use super::sizes::Sizes;
use crate::error::CliError;
use crate::input::{self, Kind, open_ranges};

/// A file whose first integers were read.
pub(super) struct Opened<B> {
    pub(super) source: Box<dyn Source<B>>,
    /// It has one integer, which is used for every instance.
    pub(super) is_single: bool,
    pub(super) length: Length,
}

/// A file that is opened while others are.
pub(super) enum Opening {
    Text(blocks::Opening),
    Binary,
    #[cfg(feature = "columns")]
    Columns(columns::Opening),
}

impl Opening {
    /// Starts to read lines, or rows after so many. Binary records are read when they are asked for.
    pub(super) fn start(
        argument: &InputArgument,
        reading: Reading,
        sizes: &Sizes,
        is_whole: bool,
        skip: u64,
    ) -> Result<Self, CliError> {
        #[cfg(feature = "columns")]
        if let Some(place) = &argument.place {
            return columns::Opening::start(argument, place, reading, skip).map(Self::Columns);
        }
        #[cfg(not(feature = "columns"))]
        let _ = skip;
        if is_whole {
            return Ok(Self::Binary);
        }
        blocks::Opening::start(&argument.path, reading, sizes).map(Self::Text)
    }

    /// Waits for the first integers, and passes over `skip`.
    pub(super) fn finish<B: Base>(
        self,
        argument: &InputArgument,
        reading: Reading,
        skip: u64,
    ) -> Result<Opened<B>, CliError> {
        let path = &argument.path;
        match self {
            Self::Text(opening) => {
                let (mut text, is_single, length) = Text::first(path, opening, reading)?;
                text.skip(skip);
                Ok(Opened { source: Box::new(text), is_single, length })
            }
            #[cfg(feature = "columns")]
            Self::Columns(opening) => {
                let (column, is_single, rows) = columns::Column::first(argument, opening, skip)?;
                let length = rows.map_or(Length::Unknown, Length::Known);
                Ok(Opened { source: Box::new(column), is_single, length })
            }
            Self::Binary => match open_ranges(path)? {
                Some((file, bytes)) => {
                    let mut ranges = Ranges::new(path, file, bytes, reading.ty);
                    ranges.skip(skip);
                    let records = ranges.records();
                    let length = Length::Known(records);
                    Ok(Opened { source: Box::new(ranges), is_single: records == 1, length })
                }
                None => {
                    let content = input::open(path, Kind::Binary)?;
                    let (mut raw, is_single) = Raw::first(path, content, reading.ty)?;
                    raw.skip(skip);
                    Ok(Opened { source: Box::new(raw), is_single, length: Length::Unknown })
                }
            },
        }
    }
}

/// Fills so many limbs of each batch from its file, all files at once.
pub(super) fn load_all<B: Base>(
    sources: &mut [Box<dyn Source<B>>],
    batches: &mut [Batch<B>],
    limbs: usize,
) -> Result<Vec<Loaded>, CliError> {
    // The batches are this thread's alone: nothing is copied.
    let files = sources.iter_mut().zip(batches);
    let mut files = files.map(|(source, batch)| move || source.load(&mut batch.limbs_mut()[..limbs]));
    let Some(mut first) = files.next() else { return Ok(vec![]) };
    thread::scope(|scope| {
        let start = |load| thread::Builder::new().name("reader".to_owned()).spawn_scoped(scope, load);
        let others: Vec<_> = files.map(start).collect();
        let mut loaded = vec![first()];
        for other in others {
            let other =
                other.map_err(|error| CliError::Internal(format!("no thread for a file: {error}")))?;
            loaded.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        Ok(loaded)
    })
}
