//! The nodes of a round.

use super::form::{Form, MOST};
use super::{Lowering, NotResidues};
use crate::program::region::{Kind, Node, Region, ResidueOp};
use crate::program::ty::{Ty, ValueId};

impl Lowering<'_> {
    /// Adds the steps of a node.
    pub(super) fn node(&mut self, node: &Node) -> Result<(), NotResidues> {
        let refused = || NotResidues::Operation { operation: node.kind.to_string(), span: node.span };
        if let (Kind::If { then, otherwise }, &[bit]) = (&node.kind, &*node.args) {
            return self.branch(bit, [then, otherwise], &node.results).ok_or_else(refused)?;
        }
        let &[result] = &*node.results else { return Err(refused()) };
        match (&node.kind, &*node.args) {
            // Of these only residues and truths by them are looked at.
            (Kind::Constant(_), _) => return Ok(()),
            (Kind::Not, &[a]) => {
                let bit = *self.bits.get(&a).ok_or_else(refused)?;
                self.bits.insert(result, !bit);
                return Ok(());
            }
            _ if self.program.ty(result).length.is_some() || self.program.ty(result) == Ty::BOOL => {
                return Err(refused());
            }
            _ => {}
        }
        let form = match (&node.kind, &*node.args) {
            (Kind::Residue(ResidueOp::Of), &[a]) => {
                Form::of(self.one).times(self.small_number(a).ok_or_else(refused)?)
            }
            (Kind::Residue(ResidueOp::Add), &[a, b]) => self.added(a, b, 1).ok_or_else(refused)??,
            (Kind::Residue(ResidueOp::Sub), &[a, b]) => self.added(a, b, -1).ok_or_else(refused)??,
            (Kind::Residue(ResidueOp::Neg), &[a]) => self.form(a).ok_or_else(refused)?.times(-1),
            (Kind::Residue(ResidueOp::Mul), &[a, b]) => self.multiplied(a, b).ok_or_else(refused)??,
            (Kind::Residue(ResidueOp::Sqr), &[a]) => self.multiplied(a, a).ok_or_else(refused)??,
            (Kind::Select, &[bit, a, b]) => {
                let bit = *self.bits.get(&bit).ok_or_else(refused)?;
                let (set, unset) = if bit { (a, b) } else { (b, a) };
                self.chosen(set, unset).ok_or_else(refused)??
            }
            _ => return Err(refused()),
        };
        self.forms.insert(result, form);
        Ok(())
    }

    /// Both sides of a branch, of which the bit chooses the values.
    fn branch(
        &mut self,
        bit: ValueId,
        [then, otherwise]: [&Region; 2],
        results: &[ValueId],
    ) -> Option<Result<(), NotResidues>> {
        let bit = *self.bits.get(&bit)?;
        for node in then.nodes.iter().chain(&otherwise.nodes) {
            if let Err(error) = self.node(node) {
                return Some(Err(error));
            }
        }
        for ((&a, &b), &result) in then.yields.iter().zip(&otherwise.yields).zip(results) {
            let (set, unset) = if bit { (a, b) } else { (b, a) };
            match self.chosen(set, unset)? {
                Ok(form) => self.forms.insert(result, form),
                Err(error) => return Some(Err(error)),
            };
        }
        Some(Ok(()))
    }

    pub(super) fn form(&self, value: ValueId) -> Option<Form> {
        self.forms.get(&value).cloned()
    }

    /// a + b or a - b. A sum that would be too large has its larger side multiplied by 1.
    fn added(&mut self, a: ValueId, b: ValueId, sign: i32) -> Option<Result<Form, NotResidues>> {
        let (mut a, mut b) = (self.form(a)?, self.form(b)?);
        let sum = loop {
            let sum = a.plus(&b.times(sign));
            if sum.weight(&self.bounds) <= MOST {
                break Ok(sum);
            }
            let larger = if a.weight(&self.bounds) >= b.weight(&self.bounds) { &mut a } else { &mut b };
            match self.multiplied_by_one(larger) {
                Ok(product) => *larger = product,
                Err(error) => break Err(error),
            }
        };
        Some(sum)
    }

    /// A product, or a multiple where a factor is a small number.
    fn multiplied(&mut self, a: ValueId, b: ValueId) -> Option<Result<Form, NotResidues>> {
        let (a, b) = (self.form(a)?, self.form(b)?);
        for (number, other) in [(&a, &b), (&b, &a)] {
            if let Some(number) = number.multiple_of(self.one) {
                let multiple = other.times(number);
                if multiple.weight(&self.bounds) <= MOST {
                    return Some(Ok(multiple));
                }
            }
        }
        Some(self.product(&a, &b))
    }

    /// One value where the bit is 1, and the other one where it is 0.
    fn chosen(&mut self, set: ValueId, unset: ValueId) -> Option<Result<Form, NotResidues>> {
        let (set, unset) = (self.form(set)?, self.form(unset)?);
        if let Some(chosen) = set.where_set(&unset).filter(|chosen| chosen.weight(&self.bounds) <= MOST) {
            return Some(Ok(chosen));
        }
        let mut one_variable =
            |form: Form| if form.variable().is_some() { Ok(form) } else { self.sum(&form) };
        let both = one_variable(set).and_then(|set| Ok((set, one_variable(unset)?)));
        Some(both.and_then(|(set, unset)| set.where_set(&unset).ok_or(NotResidues::Long)))
    }
}
