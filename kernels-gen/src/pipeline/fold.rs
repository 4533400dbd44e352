//! Powers modulo one number for all instances, by folds: `docs/modmul_fold.md`.
//!
//! | launch | result |
//! | --- | --- |
//! | rows, once | the residues by which powers fold |
//! | power | a number that is the power modulo n |
//! | `number % n` | the result |

mod sequences;

use limbforge_algos::expr::{Expr, Op};
use limbforge_limb::IntType;

use super::build::{Builder, internal};
use super::rns::{named, unsigned};
use crate::kernel::modmul_fold::{Shape, power, rows};
use crate::spec::{InputForm, SpecError};

impl Builder<'_> {
    /// Whether a node is a power by folds: of unsigned numbers, modulo one that is the same for all instances.
    pub(super) fn is_folded(&self, node: usize) -> bool {
        let ty = self.spec.ty;
        let is_power = self.has_folds && *self.op(node) == Op::PowMod && !ty.is_signed();
        let modulus = || self.spec.dag.nodes()[node].args[2].index();
        is_power && Shape::exists(self.spec.limb.instance_words(ty)) && self.is_one_for_all(modulus())
    }

    /// Adds the kernels of such a power; returns it in terms of what they leave, to be computed in the returned type.
    pub(super) fn folded(&mut self, node: usize) -> Result<(Expr, IntType), SpecError> {
        let [x, e, n] = [0, 1, 2].map(|i| self.spec.dag.nodes()[node].args[i].index());
        self.uniform(|builder| builder.integers(n))?;
        let (x, e, n) = (self.instances(x)?, self.instances(e)?, self.instances(n)?);
        let words = self.spec.limb.instance_words(self.spec.ty);
        let shape =
            Shape::new(words, self.limits).ok_or_else(|| internal("powers by folds have a shape"))??;
        let device = (self.spec.target, self.limits);
        let of_modulus = rows(&shape, device)?;
        let rows =
            self.uniform(|builder| builder.launch(of_modulus, vec![n.source], shape.modulus_words().into()));
        let kernel = power(&shape, [x.input.broadcast, e.input.broadcast], device)?;
        let (sink, number) = self.sink(shape.entry_words().into());
        let (table, _) = self.sink(shape.table_words().into());
        self.program.push(kernel, vec![x.source, e.source, rows], vec![sink, table]);
        let form = InputForm::Narrow { words: shape.entry_words() };
        let number = self.named(node, 'v', number, form);
        Ok((named(&number) % named(&n), unsigned(32 * u64::from(shape.entry_words()))?))
    }
}
