//! The results of a piece, with marks in place of missing results.

#[cfg(feature = "columns")]
use std::sync::Arc;

#[cfg(feature = "columns")]
use arrow_array::ArrayRef;
#[cfg(feature = "csv")]
use arrow_array::builder::LargeStringBuilder;
#[cfg(feature = "csv")]
use arrow_buffer::NullBuffer;
use limbforge::limb::io::{NumberFormat, write_instances};
use limbforge::prelude::*;
#[cfg(feature = "columns")]
use limbforge_arrow::{nulls_of, to_array_of};
use rayon::prelude::*;

#[cfg(feature = "columns")]
use super::columns::Kind;
use crate::error::CliError;

/// Bytes of limbs that one thread turns into text at a time.
const TASK_BYTES: usize = 16 << 10;

/// What becomes of the instances of a piece.
pub(super) struct Results<B> {
    pub(super) instances: usize,
    /// Of each result of the run.
    pub(super) contents: Vec<Content<B>>,
    /// Lines that are not integers, and instances without result: their number, and the first.
    pub(super) bad_lines: Option<(usize, CliError)>,
    pub(super) failures: Option<(usize, CliError)>,
    /// The error that ends the run after them.
    pub(super) end: Option<CliError>,
    /// The instances of the whole run, as far as it is known.
    pub(super) total: Option<u64>,
}

/// Results as they are written.
pub(super) enum Content<B> {
    /// Limbs that are the records themselves.
    Limbs(Batch<B>),
    /// Lines or records in pieces.
    Text(Vec<Vec<u8>>),
    /// A column of a table.
    #[cfg(feature = "columns")]
    Column(ArrayRef),
}

/// The integers as a column of text.
#[cfg(feature = "csv")]
pub(super) fn text_column<B: Base>(
    batch: &Batch<B>,
    format: NumberFormat,
    nulls: Option<&NullBuffer>,
) -> ArrayRef {
    let pieces = Marks::new(batch.instances()).write(batch, format);
    let mut text = LargeStringBuilder::with_capacity(batch.instances(), pieces.iter().map(Vec::len).sum());
    let lines =
        pieces.iter().flat_map(|piece| piece.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()));
    for (row, line) in lines.enumerate() {
        let is_null = nulls.is_some_and(|nulls| nulls.is_null(row));
        text.append_option(std::str::from_utf8(line).ok().filter(|_| !is_null));
    }
    Arc::new(text.finish())
}

/// The marks of instances: a byte each, as all may fail.
pub(super) struct Marks {
    /// For each instance 0, or 1 + the place of its mark in `names`. Empty while no instance has one.
    codes: Vec<u8>,
    instances: usize,
    names: Vec<&'static str>,
}

impl Marks {
    pub(super) const fn new(instances: usize) -> Self {
        Self { codes: Vec::new(), instances, names: Vec::new() }
    }

    /// Marks an instance; false if it had a mark, which stays.
    pub(super) fn add(&mut self, instance: usize, name: &'static str) -> bool {
        if self.codes.is_empty() {
            self.codes.resize(self.instances, 0);
        }
        let is_new = self.codes[instance] == 0;
        if is_new {
            let at = self.names.iter().position(|&known| known == name).unwrap_or(self.names.len());
            if at == self.names.len() {
                self.names.push(name);
            }
            self.codes[instance] = at as u8 + 1;
        }
        is_new
    }

    /// The results as a column of a table of this kind.
    #[cfg(feature = "columns")]
    pub(super) fn column<B: Base>(
        &self,
        batch: &Batch<B>,
        kind: Kind,
        format: NumberFormat,
    ) -> Result<ArrayRef, CliError> {
        // Of a run that ends with a failure there are only the results before it.
        let codes = self.codes.iter().take(batch.instances()).enumerate();
        let marked = codes.filter(|(_, code)| **code > 0).map(|(row, _)| row);
        let nulls = nulls_of(batch.instances(), marked);
        match kind {
            #[cfg(feature = "csv")]
            Kind::Csv => Ok(text_column(batch, format, nulls.as_ref())),
            _ => {
                let _ = format;
                let column = to_array_of::<u64, B>(batch, nulls);
                Ok(Arc::new(column.map_err(|error| CliError::Internal(error.to_string()))?))
            }
        }
    }

    fn get(&self, instance: usize) -> Option<&'static str> {
        let code = *self.codes.get(instance)?;
        Some(self.names[usize::from(code.checked_sub(1)?)])
    }

    /// The results as lines or records, in pieces written by several threads.
    pub(super) fn write<B: Base>(&self, batch: &Batch<B>, format: NumberFormat) -> Vec<Vec<u8>> {
        let task = (TASK_BYTES / (batch.limbs_per_instance() * B::BYTES)).max(1);
        let write_task = |first: usize| {
            let (mut text, range) = (vec![], first..batch.instances().min(first + task));
            if self.codes.is_empty() {
                write_instances(batch, range, format, &mut text);
                return text;
            }
            for i in range {
                match self.get(i) {
                    // All instances may fail: no allocation for each.
                    Some(mark) => ["!", mark, "\n"].iter().for_each(|part| text.extend(part.as_bytes())),
                    None => write_instances(batch, i..i + 1, format, &mut text),
                }
            }
            text
        };
        (0..batch.instances().div_ceil(task)).into_par_iter().map(|i| write_task(i * task)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_mark_of_an_instance_stays() {
        let mut marks = Marks::new(5);
        assert_eq!(marks.get(4), None);
        assert!(
            marks.add(3, "DIV0") && marks.add(0, "EVEN") && !marks.add(3, "EVEN") && marks.add(4, "DIV0")
        );
        let found: Vec<_> = (0..5).map(|i| marks.get(i).unwrap_or_default()).collect();
        assert_eq!(found, ["EVEN", "", "", "DIV0", "DIV0"]);
    }
}
