//! How programs are made, kernel by kernel and launch by launch.

use minijinja::{Value, context};

use super::graph::{Launch, Program, Sink, Source, Table};
use super::kernel::{ProgramKernel, rendered};
use crate::kernel::Geometry;
use crate::spec::{Limits, SpecError};
use crate::template::{ENTRY, render_source};

impl Program {
    /// Leaves room in buffers for whole groups of so many instances, too.
    pub(crate) const fn fill_groups_of(&mut self, instances: u64) {
        let (mut gcd, mut rest) = (self.group, instances);
        while rest > 0 {
            (gcd, rest) = (rest, gcd % rest);
        }
        self.group = self.group / gcd * instances;
    }

    /// No launches yet, operands of these sizes.
    pub(crate) fn empty(input_words: Vec<u64>) -> Self {
        Self {
            kernels: vec![],
            launches: vec![],
            tables: vec![],
            buffers: vec![],
            uniforms: vec![],
            chunk: u64::MAX,
            group: 1,
            input_words,
            result_words: vec![0],
        }
    }

    /// Adds a kernel unless it is there; returns its index.
    pub(crate) fn add_kernel(&mut self, kernel: impl Into<ProgramKernel>) -> usize {
        place(&mut self.kernels, kernel.into())
    }

    /// Adds constants unless they are there.
    pub(crate) fn add_table(&mut self, table: Table) -> Source {
        Source::Table(place(&mut self.tables, table))
    }

    /// Adds a launch of a kernel.
    pub(super) fn push(&mut self, kernel: impl Into<ProgramKernel>, inputs: Vec<Source>, outputs: Vec<Sink>) {
        let kernel = self.add_kernel(kernel);
        self.launches.push(Launch { kernel, inputs, outputs, repeats: 1 });
    }

    /// The output of the last launch, or the first operand.
    pub(crate) fn last(&self) -> Source {
        match self.launches.last().map(|launch| &*launch.outputs) {
            Some(&[Sink::Buffer(i)]) => Source::Buffer(i),
            _ => Source::Input(0),
        }
    }

    /// Adds a launch that writes so many words to the one of two buffers that the last launch did not write.
    pub(crate) fn launch(&mut self, kernel: usize, inputs: Vec<Source>, out_words: u64) {
        let output = if self.last() == Source::Buffer(0) { 1 } else { 0 };
        self.launch_to(output, kernel, inputs, 1, out_words);
    }

    /// Adds a launch that writes so many words to this buffer.
    pub(crate) fn launch_to(
        &mut self,
        output: usize,
        kernel: usize,
        inputs: Vec<Source>,
        repeats: u32,
        out_words: u64,
    ) {
        self.buffers.resize(self.buffers.len().max(output + 1), 0);
        self.buffers[output] = self.buffers[output].max(out_words);
        self.result_words = vec![out_words];
        self.launches.push(Launch { kernel, inputs, outputs: vec![Sink::Buffer(output)], repeats });
    }

    /// Adds a kernel of a template with these values, `entry`, `threads` and `tiles`: blocks per instance.
    pub(crate) fn add_rendered(
        &mut self,
        limits: &Limits,
        (template, values): (&str, Value),
        inputs: &[&str],
        [threads, tiles, shared_bytes]: [u32; 3],
    ) -> Result<usize, SpecError> {
        let source =
            render_source(template, context! { ..values, ..context! { entry => ENTRY, threads, tiles } })?;
        let geometry = Geometry { threads, instances: 1, planes: tiles, shared_bytes };
        Ok(self.add_kernel(rendered(source, inputs, geometry, limits)?))
    }
}

/// The index in a list, where it is added unless it is there.
fn place<T: PartialEq>(all: &mut Vec<T>, one: T) -> usize {
    all.iter().position(|known| *known == one).unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    })
}
