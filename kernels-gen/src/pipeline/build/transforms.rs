//! Products by transforms: kernels that multiply several pairs, and the values that they leave.

use super::{Builder, internal};
use crate::invariant::broken_invariant;
use crate::ntt::{
    Addend, Destination, Factor, MulNttSpec, NttInput, NttStep, Pointwise, ProductForm, ProductPlan, Residues,
};
use crate::pipeline::products::Batch;
use crate::pipeline::{ProductMapping, Source, Table};
use crate::spec::{InputForm, LimbKind, SpecError};

impl Builder<'_> {
    /// Adds a kernel of transforms, after those that compute its operands.
    pub(super) fn batch(&mut self, batch: &Batch) -> Result<(), SpecError> {
        let form = ProductForm::of(self.op(batch.residues[0]));
        let words = self.spec.limb.instance_words(self.spec.ty);
        let mut plan = ProductPlan::new(words, form, self.products.most_terms() as u32)?;
        if let Some(ProductMapping::Points { threads, instances }) = self.mapping {
            plan = plan.with_threads(words, threads, instances)?;
        }
        let plan = plan.for_results(batch.results());
        let mut nodes: Vec<usize> = batch.pairs.iter().flat_map(|pair| pair.operands.clone()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        for &node in &nodes {
            self.integers(node)?;
        }
        let operand = |node| (NttInput::Integers(self.values[node].input.clone()), self.values[node].source);
        let mut operands: Vec<(NttInput, Source)> = nodes.iter().map(operand).collect();
        let mut spectrum = None;
        if batch.takes_spectrum {
            let left = batch.sum.and_then(|sum| self.spectra.get(&sum));
            spectrum = Some(operands.len());
            operands
                .push(left.ok_or_else(|| internal("an earlier kernel has left a part of the sum"))?.clone());
        }
        let mut steps = self.batch_steps(batch, &nodes, spectrum);
        if !plan.holds_pairs()
            && let Some(step) = steps.iter_mut().find(|step| step.operands.len() > 1)
        {
            // Shared memory holds one operand only: a kernel of its own transforms the second one.
            let (input, source) = operands[step.operands.remove(1)].clone();
            let spectrum = self.spectrum(&plan, (words, self.spec.limb), input, source);
            step.results.iter_mut().for_each(|product| product.right = Factor::Spectrum(operands.len()));
            operands.push((NttInput::Spectrum { broadcast: false, first: 0 }, spectrum));
        }
        let (source, spec) = self.transforms((words, self.spec.limb), operands, steps, plan);
        for (index, &node) in (0..).zip(&batch.residues) {
            let (primes, digits) = (spec.plan.primes.clone(), spec.plan.out_digits);
            let form = InputForm::Residues(Residues { primes, digits, index });
            self.keep(node, source, &format!("%{node}"), form);
        }
        if let Some(sum) = batch.sum.filter(|_| !batch.ends_sum) {
            let input = NttInput::Spectrum { broadcast: false, first: spec.residue_words() };
            self.spectra.insert(sum, (input, source));
        }
        Ok(())
    }

    /// The steps of a kernel, one for each pair; the last one has the results that are not of the sum.
    fn batch_steps(&self, batch: &Batch, nodes: &[usize], spectrum: Option<usize>) -> Vec<NttStep> {
        let input = |node: &usize| place(nodes, *node);
        let last = batch.pairs.len() - 1;
        let steps = batch.pairs.iter().enumerate().map(|(i, pair)| {
            let mut results = vec![];
            if pair.is_term {
                let mut addends = vec![];
                if i > 0 {
                    addends.push(Addend::Sum);
                }
                if i == last {
                    addends.extend(spectrum.map(Addend::Spectrum));
                }
                let to = match (i == last, batch.ends_sum) {
                    (false, _) => Destination::Sum,
                    (true, true) => Destination::Residues,
                    (true, false) => Destination::Spectrum,
                };
                let right = Factor::Operand(pair.operands.len() - 1);
                results.push(Pointwise { left: 0, right, addends, to });
            }
            if i == last && !batch.ends_sum {
                for &product in &batch.residues {
                    let args = &self.spec.dag.nodes()[product].args;
                    let operand = |arg: usize| place(&pair.operands, arg);
                    let left = operand(args[0].index());
                    let right = args.last().map_or(left, |arg| operand(arg.index()));
                    let (right, addends, to) = (Factor::Operand(right), vec![], Destination::Residues);
                    results.push(Pointwise { left, right, addends, to });
                }
            }
            NttStep { operands: pair.operands.iter().map(input).collect(), results }
        });
        steps.collect()
    }

    /// Adds a kernel that transforms a number for products by this plan.
    pub(in crate::pipeline) fn spectrum(
        &mut self,
        plan: &ProductPlan,
        of: (u32, LimbKind),
        input: NttInput,
        source: Source,
    ) -> Source {
        let spectrum = Pointwise { left: 0, right: Factor::One, addends: vec![], to: Destination::Spectrum };
        let steps = vec![NttStep { operands: vec![0], results: vec![spectrum] }];
        self.transforms(of, vec![(input, source)], steps, plan.clone()).0
    }

    /// Adds a kernel of transforms of numbers of so many words.
    pub(in crate::pipeline) fn transforms(
        &mut self,
        (words, limb): (u32, LimbKind),
        operands: Vec<(NttInput, Source)>,
        steps: Vec<NttStep>,
        plan: ProductPlan,
    ) -> (Source, MulNttSpec) {
        let (inputs, mut sources): (Vec<_>, Vec<_>) = operands.into_iter().unzip();
        sources.push(self.table(&plan));
        sources.extend(self.skip.map(|skip| skip.1));
        let (unless, target) = (self.mask(), self.spec.target);
        let spec = MulNttSpec { words, limb, inputs, steps, plan, unless, target };
        (self.launch(spec.clone(), sources, spec.out_words()), spec)
    }

    /// The factors of a plan's transforms.
    fn table(&mut self, plan: &ProductPlan) -> Source {
        let key = (plan.radices, plan.rows, &plan.primes);
        let same = |table: &Table| matches!(table, Table::Product(other) if (other.radices, other.rows, &other.primes) == key);
        let known = self.program.tables.iter().position(same);
        known.map_or_else(|| self.program.add_table(Table::Product(Box::new(plan.clone()))), Source::Table)
    }
}

/// The index of a node among nodes that must contain it: another factor would be multiplied.
fn place(nodes: &[usize], node: usize) -> usize {
    let place = nodes.iter().position(|&other| other == node);
    place.unwrap_or_else(|| broken_invariant("a product's factors are operands of its kernel"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "a product's factors are operands of its kernel")]
    fn a_factor_that_is_no_operand_is_no_other_one() {
        assert_eq!(place(&[3, 5], 5), 1);
        place(&[3, 5], 4);
    }
}
