//! Products by transforms: kernels that multiply several pairs, and what they leave for the kernels of the
//! expression.

use limbforge_limb::Layout;

use super::{Builder, Value, internal};
use crate::invariant::broken_invariant;
use crate::ntt::{
    Addend, Destination, Factor, MulNttSpec, NttInput, NttStep, Pointwise, ProductForm, ProductPlan, Residues,
};
use crate::pipeline::products::Batch;
use crate::pipeline::{ProductMapping, Source, Table};
use crate::spec::{InputForm, InputSpec, LimbKind, SpecError};

impl Builder<'_> {
    /// A kernel of transforms, after those that compute its operands.
    pub(super) fn batch(&mut self, batch: &Batch) -> Result<(), SpecError> {
        let form = ProductForm::of(self.op(batch.residues[0]));
        let words = self.spec.limb.instance_words(self.spec.ty);
        let mut plan = ProductPlan::new(words, form, self.terms)?;
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
        let values: Vec<Value> = nodes.iter().map(|node| self.values[node].clone()).collect();
        let mut inputs: Vec<NttInput> =
            values.iter().map(|value| NttInput::Integers(value.input.clone())).collect();
        let mut sources: Vec<Source> = values.iter().map(|value| value.source).collect();
        let mut spectrum = None;
        if batch.takes_spectrum {
            let left = batch.sum.and_then(|sum| self.spectra.get(&sum));
            let (source, input) =
                left.ok_or_else(|| internal("an earlier kernel has left a part of the sum"))?;
            spectrum = Some(inputs.len());
            inputs.push(input.clone());
            sources.push(*source);
        }
        let mut steps = self.steps(batch, &nodes, spectrum);
        if !plan.holds_pairs() {
            self.transform_second(&plan, &mut inputs, &mut sources, &mut steps);
        }
        let (limb, target) = (self.spec.limb, self.spec.target);
        let spec = MulNttSpec { words, limb, inputs, steps, plan, unless: None, target };
        sources.push(self.table(&spec.plan));
        let source = self.launch(spec.clone(), sources, spec.out_words());
        self.results(batch, &spec, source);
        Ok(())
    }

    /// What the kernel does with each pair: products of the sum are added up, the last pair's other products
    /// come out.
    fn steps(&self, batch: &Batch, nodes: &[usize], spectrum: Option<usize>) -> Vec<NttStep> {
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

    /// Where shared memory holds one operand only, the second one is transformed by a kernel of its own.
    fn transform_second(
        &mut self,
        plan: &ProductPlan,
        inputs: &mut Vec<NttInput>,
        sources: &mut Vec<Source>,
        steps: &mut [NttStep],
    ) {
        let Some(step) = steps.iter_mut().find(|step| step.operands.len() > 1) else { return };
        let second = step.operands.remove(1);
        let limb = self.spec.limb;
        let words = limb.instance_words(self.spec.ty);
        let spectrum = self.spectrum(plan, (words, limb), inputs[second].clone(), sources[second]);
        for product in &mut step.results {
            product.right = Factor::Spectrum(inputs.len());
        }
        inputs.push(NttInput::Spectrum { broadcast: false, first: 0 });
        sources.push(spectrum);
    }

    /// The transform of a number, for products by this plan.
    pub(in crate::pipeline) fn spectrum(
        &mut self,
        plan: &ProductPlan,
        (words, limb): (u32, LimbKind),
        input: NttInput,
        source: Source,
    ) -> Source {
        let spectrum = Pointwise { left: 0, right: Factor::One, addends: vec![], to: Destination::Spectrum };
        let spec = MulNttSpec {
            words,
            limb,
            inputs: vec![input],
            steps: vec![NttStep { operands: vec![0], results: vec![spectrum] }],
            plan: plan.clone(),
            unless: None,
            target: self.spec.target,
        };
        let (read, words) = (vec![source, self.table(plan)], spec.out_words());
        self.launch(spec, read, words)
    }

    /// The values that a kernel of transforms leaves.
    fn results(&mut self, batch: &Batch, spec: &MulNttSpec, source: Source) {
        let (primes, digits) = (spec.plan.primes.clone(), spec.plan.out_digits);
        for (index, &node) in batch.residues.iter().enumerate() {
            let residues = Residues { primes: primes.clone(), digits, index: index as u32 };
            let input = InputSpec {
                name: format!("%{node}"),
                layout: Layout::InstanceMajor,
                broadcast: false,
                form: InputForm::Residues(residues),
            };
            self.values.insert(node, Value { source, input });
        }
        if let Some(sum) = batch.sum.filter(|_| !batch.ends_sum) {
            let input = NttInput::Spectrum { broadcast: false, first: spec.residue_words() };
            self.spectra.insert(sum, (source, input));
        }
    }

    /// The factors of a plan's transforms.
    pub(in crate::pipeline) fn table(&mut self, plan: &ProductPlan) -> Source {
        let key = (plan.radices, plan.rows, &plan.primes);
        let same = |table: &Table| matches!(table, Table::Product(other) if (other.radices, other.rows, &other.primes) == key);
        let known = self.program.tables.iter().position(same);
        known.map_or_else(|| self.program.add_table(Table::Product(Box::new(plan.clone()))), Source::Table)
    }
}

/// Where a node is among some of which it must be one: another factor would be multiplied.
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
