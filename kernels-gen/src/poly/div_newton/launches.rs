//! The single launches of a division by Newton's inverse.

use limbforge_algos::transform::ntt::Direction;
use minijinja::context;

use super::{Division, PAIR, Slice};
use crate::pipeline::{Source, Table};
use crate::poly::builder::{EACH, INVERSE, THREADS};
use crate::spec::SpecError;

const START: &str = include_str!("../../../templates/poly_newton_start.cu.j2");
const SLICES: &str = include_str!("../../../templates/poly_slices.cu.j2");
const PRODUCTS: &str = include_str!("../../../templates/poly_products.cu.j2");

/// The other one of two buffers.
pub(super) const fn other(pair: [usize; 2], one: usize) -> usize {
    if one == pair[0] { pair[1] } else { pair[0] }
}

impl Division<'_> {
    /// Transforms both slices, each of so many points; returns the buffer of the results.
    pub(super) fn transformed_pair(&mut self, pair: [Slice; 2], points: u32) -> Result<usize, SpecError> {
        self.slices(PAIR[0], pair, points)?;
        self.transform(PAIR, PAIR[0], (points, Direction::Forward), 2)
    }

    /// Transforms what is in one of two buffers; returns the buffer of the results.
    pub(super) fn transform(
        &mut self,
        buffers: [usize; 2],
        from: usize,
        of: (u32, Direction),
        repeats: u32,
    ) -> Result<usize, SpecError> {
        self.builder.transform(&self.spec.field, of, Source::Buffer(from), buffers, repeats)
    }

    /// Pads slices to so many points each, one after the other.
    pub(super) fn slices<const COUNT: usize>(
        &mut self,
        to: usize,
        slices: [Slice; COUNT],
        points: u32,
    ) -> Result<(), SpecError> {
        let count = COUNT as u32;
        let mut sizes = vec![points, count, blocks(count * points)];
        sizes.extend(slices.iter().flat_map(|slice| slice.1));
        // One slice is given twice, and read once.
        let read = vec![slices[0].0, slices[COUNT - 1].0];
        self.with_table(to, SLICES, read, sizes, count * points)
    }

    /// Multiplies values of two buffers pointwise. Each factor is a buffer, the first value, and how many
    /// times the points lie between instances.
    pub(super) fn products(
        &mut self,
        to: usize,
        factors: [(usize, u32, u32); 2],
        points: u32,
    ) -> Result<(), SpecError> {
        let mut sizes = vec![points, blocks(points)];
        sizes.extend(factors.iter().flat_map(|&(_, start, times)| [times * points, start]));
        let read = factors.map(|(buffer, ..)| Source::Buffer(buffer)).to_vec();
        self.with_table(to, PRODUCTS, read, sizes, points)
    }

    /// A launch whose table ends with the blocks of an instance.
    pub(super) fn sized(
        &mut self,
        to: usize,
        template: &str,
        read: Vec<Source>,
        sizes: &[u32],
        written: u32,
    ) -> Result<(), SpecError> {
        self.with_table(to, template, read, [sizes, &[blocks(written)]].concat(), written)
    }

    /// A launch of a kernel that reads its sizes, so that one source is for all.
    fn with_table(
        &mut self,
        to: usize,
        template: &str,
        mut read: Vec<Source>,
        sizes: Vec<u32>,
        written: u32,
    ) -> Result<(), SpecError> {
        let spec = format!("poly div newton p={}", self.spec.modulus());
        let inputs = [&["in0", "in1", "in2", "in3"][..read.len()], &["sizes"]].concat();
        let values = context! { spec, each => EACH };
        let kernel = self.builder.kernel((template, values), &[], &inputs, [THREADS, blocks(written), 0])?;
        read.push(self.builder.program.add_table(Table::Words(sizes)));
        self.launch(to, kernel, read, written);
        Ok(())
    }

    /// Finds the first terms of the inverse.
    pub(super) fn start(&mut self, to: usize, precision: u32) -> Result<(), SpecError> {
        let values = context! { spec => format!("{} start", self.spec), m => self.spec.m, precision };
        let grid = [precision.next_multiple_of(32), 1, 0];
        let kernel = self.builder.kernel((START, values), &[INVERSE], &["b"], grid)?;
        self.launch(to, kernel, vec![Source::Input(1)], precision);
        Ok(())
    }

    fn launch(&mut self, to: usize, kernel: usize, read: Vec<Source>, written: u32) {
        self.builder.program.launch_to(to, kernel, read, 1, self.builder.words(written.into()));
    }
}

/// Blocks that write so many coefficients.
const fn blocks(written: u32) -> u32 {
    written.div_ceil(THREADS * EACH)
}
