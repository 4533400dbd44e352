//! Results as lines, and as rows of a table.

use std::ops::Range;

use limbforge::limb::io::{NumberFormat, write_instances};
use limbforge::prelude::*;
use rayon::prelude::*;

use super::outputs::Marks;

/// Instances that one thread writes at a time.
const TASK: usize = 64;

/// The integers of these instances, one on each line.
pub(super) fn lines(
    batch: &Batch<u64>,
    instances: usize,
    range: Range<usize>,
    marks: &Marks<'_>,
    format: NumberFormat,
) -> Vec<u8> {
    // A result that does not depend on the instance is there for each.
    let elements = batch.instances() / instances.max(1);
    let write = |first: usize| {
        let (last, mut text) = (range.end.min(first + TASK), vec![]);
        if marks.is_empty() {
            write_instances(batch, first * elements..last * elements, format, &mut text);
            return text;
        }
        for i in first..last {
            match marks.get(i) {
                None => write_instances(batch, i * elements..(i + 1) * elements, format, &mut text),
                Some(mark) => text.extend(format!("!{mark}\n").repeat(elements).into_bytes()),
            }
        }
        text
    };
    let starts: Vec<usize> = range.clone().step_by(TASK).collect();
    let pieces: Vec<Vec<u8>> = starts.into_par_iter().map(write).collect();
    pieces.concat()
}

/// All results of these instances, those of each on a line.
pub(super) fn cells(
    run: &ProgramRun<u64>,
    range: Range<usize>,
    marks: &Marks<'_>,
    format: NumberFormat,
    separator: char,
) -> Vec<u8> {
    let columns = run.results().map(|(_, batch)| {
        let elements = batch.instances() / run.instances().max(1);
        (elements, lines(batch, run.instances(), range.clone(), marks, format))
    });
    let columns: Vec<(usize, Vec<u8>)> = columns.collect();
    let mut cells: Vec<_> =
        columns.iter().map(|(elements, text)| (*elements, text.split(|&byte| byte == b'\n'))).collect();
    let mut table = vec![];
    for _ in range {
        let mut is_first = true;
        for (elements, column) in &mut cells {
            for cell in column.take(*elements) {
                if !is_first {
                    table.push(separator as u8);
                }
                is_first = false;
                table.extend_from_slice(cell);
            }
        }
        table.push(b'\n');
    }
    table
}

/// These rows of a list, each on a line.
pub(super) fn rows(
    list: &ProgramList<u64>,
    range: Range<usize>,
    format: NumberFormat,
    separator: char,
) -> Vec<u8> {
    let write = |column: &Batch<u64>| {
        let mut text = vec![];
        write_instances(column, range.clone(), format, &mut text);
        text
    };
    let columns: Vec<Vec<u8>> = list.columns().par_iter().map(write).collect();
    let mut cells: Vec<_> = columns.iter().map(|text| text.split(|&byte| byte == b'\n')).collect();
    let mut table = vec![];
    for _ in range.clone() {
        for (i, cell) in cells.iter_mut().filter_map(Iterator::next).enumerate() {
            if i > 0 {
                table.push(separator as u8);
            }
            table.extend_from_slice(cell);
        }
        table.push(b'\n');
    }
    table
}
