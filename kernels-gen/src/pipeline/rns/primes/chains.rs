//! Chains of products of the instances of a list, and expressions over values around them.

use limbforge_algos::expr::{Dag, Expr};
use limbforge_limb::Layout;

use super::super::{named, unsigned};
use super::lists::List;
use super::{Computed, EMPTY, Test};
use crate::kernel::modmul_rns::{Instances, chain};
use crate::pipeline::build::{Builder, Value, internal};
use crate::pipeline::{Source, Table};
use crate::spec::{InputForm, SpecError};

impl Builder<'_> {
    /// Multiples of P modulo each number of a list.
    pub(super) fn forms<const N: usize>(
        &mut self,
        test: &mut Test,
        times: [u32; N],
        list: &List,
    ) -> Result<[Value; N], SpecError> {
        let (mut exprs, mut widest) = (vec![], self.spec.ty);
        for times in times {
            let radix = test.system.radix() * times;
            let (radix, ty) = self.constant(test.node, test.letter(), &radix)?;
            exprs.push(named(&radix) % named(&list.numbers));
            widest = if ty.bits() > widest.bits() { ty } else { widest };
        }
        let exprs = array(exprs)?;
        Ok(self.values_of(test, exprs, &list.computed([widest, self.spec.ty])))
    }

    /// Powers of 2, of one column, or the two numbers of Lucas sequences for the exponents of a list, modulo its
    /// numbers; and whether they were served. The first two operands are what chains begin with.
    pub(super) fn chains<const N: usize>(
        &mut self,
        test: &mut Test,
        (x, other): (&Value, Source),
        exponents: &Value,
        list: &List,
    ) -> Result<([Value; N], Source), SpecError> {
        let words = self.spec.limb.instance_words(self.spec.ty);
        let instances = Instances { words, columns: N as u32, is_dense: true };
        let (n, places) = (&list.numbers, Some(list.places));
        let (system, shape) = (test.system.clone(), test.shape);
        let [state, moduli, served] = self.entered(&system, &shape, instances, ([x, n], other, places))?;
        let kernel = chain(&system, &shape, instances, (self.spec.target, self.limits))?;
        let constants = self.program.add_table(Table::Words(system.power_constants(&shape)));
        let rows = self.program.add_table(Table::Words(system.rows(&shape)));
        let (mut sinks, mut left) = (vec![], vec![]);
        for _ in 0..N {
            let (sink, source) = self.sink(system.residues().into());
            sinks.push(sink);
            left.push(source);
        }
        if N == 2 {
            // What products have subtracted, of each column.
            sinks.push(self.sink(shape.modulus_words().into()).0);
        }
        self.program.push(kernel, vec![state, moduli, exponents.source, constants, rows, list.places], sinks);
        let mut exprs = vec![];
        for residues in left {
            // Each number by itself.
            let instances = Instances { columns: 1, ..instances };
            let number = self.left_residues(&system, instances, residues, (n, places))?;
            let form = InputForm::Narrow { words: system.value_words() };
            let number = self.named(test.node, test.letter(), number, form);
            exprs.push(named(&number) % named(n));
        }
        let ty = unsigned(32 * u64::from(system.value_words().max(words)))?;
        let exprs = array(exprs)?;
        Ok((self.values_of(test, exprs, &list.computed([ty, self.spec.ty])), served))
    }

    /// Adds a kernel of expressions over values.
    pub(super) fn values_of<const N: usize>(
        &mut self,
        test: &mut Test,
        exprs: [Expr; N],
        computed: &Computed,
    ) -> [Value; N] {
        let &Computed { types, part, list } = computed;
        let fails = self.fails(&[test.node; N]);
        let (mut spec, mut sources) =
            self.kernel_of(Dag::of_all(&exprs), types, Layout::InstanceMajor, fails);
        if spec.fails.is_empty() && N > 1 {
            // All fail the only result.
            spec.fails = vec![1; N];
        }
        spec.part = part;
        spec.unless = list.map(|_| EMPTY);
        sources.extend(list);
        let words = self.spec.limb.instance_words(types[1]).into();
        let places = exprs.map(|_| self.sink(words));
        self.program.push(spec, sources, places.iter().map(|(sink, _)| *sink).collect());
        places.map(|(_, source)| self.named(test.node, test.letter(), source, InputForm::Integers))
    }
}

/// As many expressions as were made.
fn array<const N: usize>(exprs: Vec<Expr>) -> Result<[Expr; N], SpecError> {
    exprs.try_into().map_err(|_| internal("a test has as many expressions as it asks for"))
}
