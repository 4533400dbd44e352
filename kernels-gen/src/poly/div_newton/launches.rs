//! The single launches of a division by Newton's inverse.

use limbforge_algos::transform::ntt::{Direction, Wrap};
use minijinja::context;

use super::{Builder, PAIR, PolyNewtonSpec, Slice};
use crate::ntt::{TransformPlan, TransformSpec};
use crate::pipeline::{Source, Table, rendered};
use crate::poly::render::{INVERSE, common_templates, render_source};
use crate::spec::SpecError;
use crate::template::ENTRY;

const START: &str = include_str!("../../../templates/poly_newton_start.cu.j2");
const SLICES: &str = include_str!("../../../templates/poly_slices.cu.j2");
const PRODUCTS: &str = include_str!("../../../templates/poly_products.cu.j2");

/// Threads of the kernels between the transforms.
const THREADS: u32 = 256;

/// Coefficients of each of these threads.
const EACH: u32 = 4;

/// The other one of two buffers.
pub(super) const fn other(pair: [usize; 2], one: usize) -> usize {
    if one == pair[0] { pair[1] } else { pair[0] }
}

impl Builder<'_> {
    /// Both slices with so many points, transformed; the buffer that they are in.
    pub(super) fn transformed_pair(&mut self, pair: &[Slice; 2], points: u32) -> Result<usize, SpecError> {
        self.slices(PAIR[0], pair, points)?;
        self.transform(PAIR, PAIR[0], points, Direction::Forward, 2)
    }

    /// Transforms what is in one of two buffers, and says in which one it is then.
    pub(super) fn transform(
        &mut self,
        buffers: [usize; 2],
        from: usize,
        points: u32,
        direction: Direction,
        repeats: u32,
    ) -> Result<usize, SpecError> {
        let spec = TransformSpec::new(&self.spec.field, points, Wrap::Cyclic, direction)?;
        let plan = TransformPlan::for_limits(spec, self.limits)?;
        self.program.transform(&plan, self.limits, Source::Buffer(from), buffers, repeats)
    }

    pub(super) fn slices<const COUNT: usize>(
        &mut self,
        to: usize,
        slices: &[Slice; COUNT],
        points: u32,
    ) -> Result<(), SpecError> {
        let count = COUNT as u32;
        let mut sizes = vec![points, count, (count * points).div_ceil(THREADS * EACH)];
        for slice in slices {
            sizes.extend([slice.stride, slice.start, slice.downwards.into(), slice.terms]);
        }
        // One slice is given twice, and read once.
        let read = [slices[0].from, slices[COUNT - 1].from].to_vec();
        self.with_table(to, SLICES, read, sizes, count * points)
    }

    /// Products of values of two buffers: where the values begin, and how many times the points lie between
    /// instances.
    pub(super) fn products(
        &mut self,
        to: usize,
        factors: [(usize, u32, u32); 2],
        points: u32,
    ) -> Result<(), SpecError> {
        let mut sizes = vec![points, points.div_ceil(THREADS * EACH)];
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
        mut sizes: Vec<u32>,
        written: u32,
    ) -> Result<(), SpecError> {
        sizes.push(written.div_ceil(THREADS * EACH));
        self.with_table(to, template, read, sizes, written)
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
        let templates = common_templates(self.spec.modulus())?;
        let source = render_source(
            template,
            context! { spec, entry => ENTRY, threads => THREADS, each => EACH, templates },
        )?;
        let mut inputs: Vec<String> = (0..read.len()).map(|i| format!("in{i}")).collect();
        inputs.push("sizes".to_owned());
        let blocks = rendered::blocks(THREADS, written.div_ceil(THREADS * EACH), 0);
        let kernel = self.program.add_kernel(rendered::kernel(source, inputs, blocks, self.limits)?);
        read.push(self.program.add_table(Table::Words(sizes)));
        self.launch(to, kernel, read, written);
        Ok(())
    }

    pub(super) fn launch(&mut self, to: usize, kernel: usize, read: Vec<Source>, written: u32) {
        self.program.launch_to(to, kernel, read, 1, self.words * u64::from(written));
    }

    pub(super) fn start_kernel(&mut self, precision: u32) -> Result<usize, SpecError> {
        let PolyNewtonSpec { m, .. } = self.spec;
        let mut templates = common_templates(self.spec.modulus())?;
        templates.push(INVERSE.to_owned());
        let threads = precision.next_multiple_of(32);
        let source = render_source(
            START,
            context! { spec => format!("{} start", self.spec), entry => ENTRY, m, precision, threads, templates },
        )?;
        let kernel = rendered::kernel(source, ["b"], rendered::blocks(threads, 1, 0), self.limits)?;
        Ok(self.program.add_kernel(kernel))
    }
}
