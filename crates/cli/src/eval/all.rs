//! All integers of a file in memory, for commands that need them at once.

use limbforge::limb::io::NumberFormat;
use limbforge::prelude::*;

use super::arguments::{InputArgument, OnError};
use super::columns;
use super::sizes::Sizes;
use super::source::{End, Loaded, Opening, Reading, is_whole};
use crate::error::CliError;

/// How files are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// The format, if it was asked for.
    pub(crate) format: Option<NumberFormat>,
    pub(crate) is_lenient: bool,
}

/// Refuses a file that the program cannot read. The argument is `written`.
pub(crate) fn check_file(input: &InputArgument, written: &str, form: Form) -> Result<(), String> {
    let is_bin = form.format == Some(NumberFormat::Bin);
    columns::refused(&input.path, input.place.as_ref(), is_bin, false)
        .map_or(Ok(()), |why| Err(format!("`{written}`: {why}")))
}

/// The type that the column of a file names, if it is one.
pub(crate) fn type_of_file(input: &InputArgument) -> Result<Option<IntType>, CliError> {
    #[cfg(feature = "columns")]
    return columns::type_of_input(input);
    #[cfg(not(feature = "columns"))]
    {
        let _ = input;
        Ok(None)
    }
}

/// Reads all integers of a file.
pub(crate) fn read_all<B: Base>(
    input: &InputArgument,
    ty: IntType,
    form: Form,
) -> Result<Batch<B>, CliError> {
    let reading = Reading {
        format: form.format.unwrap_or_default(),
        #[cfg(feature = "columns")]
        given: form.format,
        ty,
        is_lenient: form.is_lenient,
        on_error: OnError::Fail,
    };
    let sizes = Sizes::default();
    let is_whole = is_whole::<B>(reading.format, ty);
    let opening = Opening::start(input, reading, &sizes, is_whole, 0)?;
    let mut source = opening.finish::<B>(input, reading, 0)?.source;
    let m = ty.limbs::<B>();
    let instances = (sizes.chunk / (m * B::BYTES)).max(1);
    let mut limbs = vec![];
    loop {
        let before = limbs.len();
        limbs.resize(before + instances * m, B::ZERO);
        let Loaded { instances: loaded, bad, end, .. } = source.load(&mut limbs[before..]);
        if let Some(bad) = bad.first() {
            return Err(reading.record_error(input, bad.number, bad.error));
        }
        limbs.truncate(before + loaded * m);
        match end {
            Some(End::Failed(error)) => return Err(error),
            Some(End::Ended { .. }) => break,
            None => {}
        }
    }
    let batch = Batch::from_limbs(ty, Layout::InstanceMajor, limbs);
    batch.map_err(|error| CliError::Internal(format!("{}: {error}", input.path.display())))
}
