//! Loops and branches.

use limbforge_algos::op::Why;
use limbforge_algos::program::{Kind as NodeKind, Node, Region, Rounds, ValueId};
use num_bigint::BigInt;

use super::builder::Kind;
use super::carried::Carried;
use super::rounds::Source;
use super::values::Held;
use super::{Lowerer, Style};
use crate::invariant::broken_invariant;
use crate::program::tape::code::{Class, Instr, Item, Var, What};
use crate::spec::SpecError;

/// The rounds that a launch runs of a loop that is cut: scalars.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) from: Var,
    pub(super) to: Var,
}

impl Lowerer<'_> {
    /// A loop's operands that are not carried, and the carried ones.
    pub(super) fn split<'n>(&self, node: &'n Node) -> (&'n [ValueId], &'n [ValueId]) {
        node.args.split_at(node.args.len() - node.results.len())
    }

    /// A loop, or the rounds of a launch; those that are left behind them are the scalar that is returned.
    pub(super) fn for_loop(&mut self, node: &Node, cut: Option<Cut>) -> Result<Option<Var>, SpecError> {
        let NodeKind::For { over, after, body } = &node.kind else { broken_invariant("a loop is one") };
        let (over_args, carried) = self.split(node);
        let in_memory = |value: &ValueId| self.in_memory(*value);
        let arrays =
            node.results.iter().chain(body.nodes.iter().flat_map(|node| &node.results)).any(in_memory);
        if let Some(rounds) = self.few_rounds(*over, over_args, body).filter(|_| cut.is_none() && !arrays) {
            return self.written_rounds(node, body, rounds - after.min(&rounds)).map(|()| None);
        }
        let (all, source) = self.rounds(*over, over_args);
        // A loop that goes on has its values under the names of the results.
        let params = self.begin(node, if cut.is_some() { &node.results } else { carried }, cut.is_some())?;
        let index = self.b.var(Class::Scalar);
        let (mut start, mut count) = (self.b.constant(*after), all);
        if let Some(Cut { from, to }) = cut {
            let to = self.b.scalar(Instr::new(What::ScalarAdd).x(to).y(start), 64, false);
            start = self.b.scalar(Instr::new(What::ScalarAdd).x(from).y(start), 64, false);
            let less = self.b.scalar(Instr::new(What::ScalarLess).x(to).y(count), 1, false);
            count = self.scalar_select(less, to, count);
        }
        self.b.assign(index, start);
        self.b.open(Kind::Loop);
        self.b.moved(index);
        params.iter().flat_map(Carried::vars).for_each(|&var| self.b.moved(var));
        let first = body.params.len() - node.results.len();
        self.bind(&body.params[first..], &params);
        let given = match source {
            Source::None => None,
            source => Some(self.index(node, source, index, all)?),
        };
        match (given, body.params.first()) {
            (Some(bit), Some(&param))
                if *over == Rounds::Bits && self.style == Style::Tape && self.is_switch(node, body) =>
            {
                self.switched(body, param, bit, &params)?;
            }
            (given, param) => {
                if let (Some(given), Some(&param)) = (given, param) {
                    self.set(param, Held::Var(given));
                }
                self.region(body)?;
                self.carry(&body.yields, &params)?;
            }
        }
        let body = self.b.close();
        self.end(node, &params);
        self.b.item(Item::Loop { index, count, test: None, body });
        Ok(cut.map(|_| self.b.scalar(Instr::new(What::ScalarLess).x(count).y(all), 1, false)))
    }

    /// Whether a loop over bits that are one for all, without loops in it, gets a body for each bit.
    fn is_switch(&self, node: &Node, body: &Region) -> bool {
        let (Some(&bit), simple) =
            (body.params.first(), body.nodes.iter().all(|node| node.kind.regions().is_empty()))
        else {
            return false;
        };
        let chooses = |node: &Node| matches!(node.kind, NodeKind::Select) && node.args[0] == bit;
        simple && self.uniform.contains(node.args[0]) && body.nodes.iter().any(chooses)
    }

    /// A body for each value of a bit that is one for all: choices by it only rename.
    fn switched(
        &mut self,
        body: &Region,
        param: ValueId,
        bit: Var,
        params: &[Carried],
    ) -> Result<(), SpecError> {
        let mut arms = [vec![], vec![]];
        for (value, arm) in arms.iter_mut().enumerate() {
            self.b.open(Kind::Variant);
            self.set(param, Held::Constant(BigInt::from(value)));
            self.region(body)?;
            self.carry(&body.yields, params)?;
            *arm = self.b.close();
        }
        let [otherwise, then] = arms;
        self.b.item(Item::Branch { condition: bit, then, otherwise });
        Ok(())
    }

    /// A loop with a condition, or the rounds of a launch.
    pub(super) fn while_loop(&mut self, node: &Node, cut: Option<Cut>) -> Result<Option<Var>, SpecError> {
        let NodeKind::While { limit, condition, body } = &node.kind else {
            broken_invariant("a loop is one")
        };
        let params =
            self.begin(node, if cut.is_some() { &node.results } else { &node.args }, cut.is_some())?;
        let index = self.b.var(Class::Scalar);
        let (start, count) = match cut {
            Some(Cut { from, to }) => (from, to),
            None => (self.b.constant(0), self.b.constant(u64::MAX)),
        };
        self.b.assign(index, start);
        let limit = self.b.constant(*limit);
        self.b.open(Kind::Loop);
        self.b.moved(index);
        params.iter().flat_map(Carried::vars).for_each(|&var| self.b.moved(var));
        self.bind(&condition.params, &params);
        self.region(condition)?;
        let holds = self.var(condition.yields[0]);
        let test = self.b.close();
        self.b.open(Kind::Loop);
        self.bind(&body.params, &params);
        let over = self.b.scalar(Instr::new(What::ScalarEq).x(index).y(limit), 1, false);
        self.fail(over, node, Why::Limit);
        self.region(body)?;
        self.carry(&body.yields, &params)?;
        let body = self.b.close();
        self.b.moved(index);
        self.end(node, &params);
        self.b.item(Item::Loop { index, count, test: Some((test, holds)), body });
        Ok(cut.map(|Cut { to, .. }| self.b.scalar(Instr::new(What::ScalarEq).x(index).y(to), 1, false)))
    }

    pub(super) fn branch(&mut self, node: &Node, then: &Region, otherwise: &Region) -> Result<(), SpecError> {
        if let Some(constant) = self.as_constant(node.args[0]) {
            let arm = if constant == BigInt::from(0) { otherwise } else { then };
            self.region(arm)?;
            for (&result, &value) in node.results.iter().zip(&arm.yields) {
                let held = match self.held(value) {
                    // Both names may change from here on.
                    Held::Block(block) => {
                        let copy = self.new_block(value);
                        self.copy_block(block, copy)?;
                        Held::Block(copy)
                    }
                    held => held,
                };
                self.set(result, held);
            }
            return Ok(());
        }
        let condition = self.var(node.args[0]);
        let results: Vec<Carried> = node.results.iter().map(|&result| self.new_carried(result)).collect();
        let mut arms = [vec![], vec![]];
        for (arm, region) in arms.iter_mut().zip([then, otherwise]) {
            self.b.open(Kind::Arm);
            self.region(region)?;
            self.carry(&region.yields, &results)?;
            *arm = self.b.close();
        }
        for (&result, vars) in node.results.iter().zip(&results) {
            self.set_carried(result, vars);
        }
        let [then, otherwise] = arms;
        self.b.item(Item::If { condition, then, otherwise });
        Ok(())
    }

    /// Instances fail where the scalar holds.
    pub(super) fn fail(&mut self, condition: Var, node: &Node, why: Why) {
        let place = self.place(node.span, &[why]);
        self.b.effect(Instr::new(What::Fail).x(condition).low(place));
    }
}
