//! The files of a run, opened.

use limbforge::prelude::*;

use super::arguments::OnError;
use super::job::Job;
use super::source::{Length, Limited, Opened, Opening, is_whole};
use crate::error::CliError;

/// Opens all files at once, and waits for each in their order.
pub(super) fn open_all<B: Base>(job: &Job) -> Result<Vec<Opened<B>>, CliError> {
    let mut reading = job.reading();
    if job.part.is_some() {
        // Lines before a part may be anything.
        reading.on_error = OnError::Mark;
    }
    let is_whole = is_whole::<B>(reading.format, reading.ty);
    let skip = |input: usize| job.part.as_ref().map_or(0, |part| part.skip(input));
    let inputs = || job.inputs().iter().enumerate();
    let start = |(i, argument)| Opening::start(argument, reading, &job.sizes, is_whole, skip(i));
    let started: Vec<_> = inputs().map(start).collect();
    let mut opened: Vec<Opened<B>> = vec![];
    for ((i, argument), opening) in inputs().zip(started) {
        let mut input = opening?.finish(argument, reading, skip(i))?;
        if let Some(part) = &job.part {
            input.is_single = part.is_single[i];
            if !input.is_single {
                let Opened { source, .. } = input;
                let (left, ty, path) = (part.count, job.ty, argument.shown());
                input = Opened {
                    source: Box::new(Limited { source, left, ty, path }),
                    is_single: false,
                    length: Length::Known(left),
                };
            }
        }
        opened.push(input);
    }
    Ok(opened)
}
