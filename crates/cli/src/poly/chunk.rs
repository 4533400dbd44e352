//! Lines of several files of polynomials, in step.

use std::mem;

use super::file::{PolyFile, Polynomial};
use crate::error::CliError;

/// Lines of each file that are in memory at once.
const MOST_LINES: usize = 1024;

/// Coefficients of a chunk after which no further lines are read.
const MOST_TERMS: usize = 1 << 22;

/// The same lines of all files.
pub(super) struct Chunk {
    /// The polynomials of each file, or the one that is used for all lines.
    pub(super) columns: Vec<Vec<Polynomial>>,
    /// The line numbers of the second file, that of divisors.
    divisors: Vec<u64>,
}

/// The files, of which those with one line are used for all lines of the others.
pub(super) struct Chunks {
    inputs: Vec<PolyFile>,
    /// All files have one line, which was read.
    is_done: bool,
}

impl Chunks {
    pub(super) const fn new(inputs: Vec<PolyFile>) -> Self {
        Self { inputs, is_done: false }
    }

    /// The next lines, or `None` when all files have ended.
    pub(super) fn next(&mut self) -> Result<Option<Chunk>, CliError> {
        let singles = self.inputs.iter().map(|input| input.single.as_ref());
        let columns =
            singles.map(|single| single.map(|(_, one)| one.clone()).into_iter().collect()).collect();
        let divisor = self.inputs.get(1).and_then(|input| Some(input.single.as_ref()?.0));
        let mut chunk = Chunk { columns, divisors: divisor.into_iter().collect() };
        if self.inputs.iter().all(|input| input.single.is_some()) {
            return Ok((!mem::replace(&mut self.is_done, true)).then_some(chunk));
        }
        // A polynomial that is used for all lines makes each result as much longer.
        let of_singles: usize = chunk.columns.iter().flatten().map(Vec::len).sum();
        let (mut lines, mut terms) = (0, 0);
        while lines < MOST_LINES && terms < MOST_TERMS {
            let Some(read) = self.read_line(&mut chunk)? else { break };
            terms += read + of_singles;
            lines += 1;
        }
        Ok((lines > 0).then_some(chunk))
    }

    /// Reads a line of each file that has several; returns the number of coefficients, or `None` when all
    /// have ended.
    fn read_line(&mut self, chunk: &mut Chunk) -> Result<Option<usize>, CliError> {
        let (mut terms, mut ended, mut going) = (0, None, None);
        for (i, input) in self.inputs.iter_mut().enumerate().filter(|(_, input)| input.single.is_none()) {
            let Some((line, polynomial)) = input.next()? else {
                ended = Some(i);
                continue;
            };
            going = Some(i);
            terms += polynomial.len();
            chunk.columns[i].push(polynomial);
            if i == 1 {
                chunk.divisors.push(line);
            }
        }
        match (ended, going) {
            (Some(ended), Some(going)) => {
                let (ended, longer) = (&self.inputs[ended], &self.inputs[going].path);
                Err(CliError::ended(&ended.path, ended.lines + 1, longer, ["polynomial", "lines"]))
            }
            (_, going) => Ok(going.map(|_| terms)),
        }
    }

    /// The error of the divisor of this pair.
    pub(super) fn divisor_error(&self, chunk: &Chunk, pair: usize, why: String) -> CliError {
        let line = chunk.divisors.get(pair).or(chunk.divisors.first()).copied().unwrap_or_default();
        self.inputs[1].line_error(line, why)
    }
}
