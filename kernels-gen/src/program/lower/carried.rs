//! Values that loops carry and that arms give.

use limbforge_algos::program::{Node, ValueId};

use super::Lowerer;
use super::memory::Block;
use super::values::{Held, is_scalar};
use crate::program::tape::code::{Class, Var};
use crate::spec::SpecError;

/// Where a carried value lies: a variable for each element, or an array in memory.
#[derive(Clone, Debug)]
pub(super) enum Carried {
    Vars(Vec<Var>),
    Block(Block),
}

impl Carried {
    pub(super) fn vars(&self) -> &[Var] {
        if let Self::Vars(vars) = self { vars } else { &[] }
    }

    const fn block(&self) -> Option<Block> {
        if let Self::Block(block) = self { Some(*block) } else { None }
    }
}

impl Lowerer<'_> {
    /// Places for the values that a loop carries, with their first values. Those of a loop that is `cut` are read
    /// from a state, for it alone.
    pub(super) fn begin(
        &mut self,
        node: &Node,
        carried: &[ValueId],
        is_cut: bool,
    ) -> Result<Vec<Carried>, SpecError> {
        let begin = |&value: &ValueId| {
            if self.in_memory(value) {
                return self.carried_block(value, node, is_cut).map(Carried::Block);
            }
            let vars = self.vars(value);
            let param = |&var: &Var| {
                let param = self.b.var(self.b.class(var));
                self.b.assign(param, var);
                param
            };
            Ok(Carried::Vars(vars.iter().map(param).collect()))
        };
        carried.iter().map(begin).collect()
    }

    /// The variables of a value: one, or those of an array's elements.
    pub(super) fn vars(&mut self, value: ValueId) -> Vec<Var> {
        let (held, element) = (self.held(value), self.element(value));
        match held {
            Held::Array(elements) => elements.iter().map(|held| self.var_of(held, element)).collect(),
            Held::Block(block) => {
                let index = |i: u32| self.b.constant(i.into());
                let indices: Vec<Var> = (0..block.length).map(index).collect();
                indices.into_iter().map(|index| self.block_read(block, index)).collect()
            }
            held => vec![self.var_of(&held, element)],
        }
    }

    pub(super) fn bind(&mut self, params: &[ValueId], carried: &[Carried]) {
        for (&param, carried) in params.iter().zip(carried) {
            self.set_carried(param, carried);
        }
    }

    pub(super) fn set_carried(&mut self, value: ValueId, carried: &Carried) {
        let held = match (self.ty(value).length, carried) {
            (_, Carried::Block(block)) => Held::Block(*block),
            (None, Carried::Vars(vars)) if vars.len() == 1 => Held::Var(vars[0]),
            (_, Carried::Vars(vars)) => Held::Array(vars.iter().map(|&var| Held::Var(var)).collect()),
        };
        self.set(value, held);
    }

    /// The next round's values, all at once.
    pub(super) fn carry(&mut self, yields: &[ValueId], params: &[Carried]) -> Result<(), SpecError> {
        self.carry_blocks(yields, params)?;
        let in_vars = yields.iter().zip(params).filter(|(_, param)| param.block().is_none());
        let next: Vec<Var> = in_vars.flat_map(|(&value, _)| self.vars(value)).collect();
        let params: Vec<Var> = params.iter().flat_map(Carried::vars).copied().collect();
        let moved: Vec<(Var, Var)> = next
            .iter()
            .zip(&params)
            .map(|(&var, &param)| {
                // A value that another one replaces first.
                let source = if params.contains(&var) && var != param {
                    let copy = self.b.var(self.b.class(var));
                    self.b.assign(copy, var);
                    copy
                } else {
                    var
                };
                (param, source)
            })
            .collect();
        for (param, source) in moved {
            if param != source {
                self.b.assign(param, source);
            }
        }
        Ok(())
    }

    /// The arrays in memory among them. One that lies where another one goes moves away first.
    fn carry_blocks(&mut self, yields: &[ValueId], params: &[Carried]) -> Result<(), SpecError> {
        let taken: Vec<Block> = params.iter().filter_map(Carried::block).collect();
        let mut moved = vec![];
        for (&value, param) in yields.iter().zip(params) {
            let Some(to) = param.block() else { continue };
            let mut from = self.as_block(value)?;
            if from != to && taken.contains(&from) {
                let aside = self.new_block(value);
                self.copy_block(from, aside)?;
                from = aside;
            }
            moved.push((from, to));
        }
        moved.into_iter().try_for_each(|(from, to)| self.copy_block(from, to))
    }

    /// Behind a loop its variables are the results.
    pub(super) fn end(&mut self, node: &Node, params: &[Carried]) {
        params.iter().flat_map(Carried::vars).for_each(|&var| self.b.moved(var));
        for (&result, carried) in node.results.iter().zip(params) {
            self.set_carried(result, carried);
        }
    }

    /// Places for the results of arms.
    pub(super) fn new_carried(&mut self, value: ValueId) -> Carried {
        if self.in_memory(value) {
            return Carried::Block(self.new_block(value));
        }
        let class = if is_scalar(self.element(value)) { Class::Scalar } else { Class::Number };
        Carried::Vars((0..self.ty(value).length.unwrap_or(1)).map(|_| self.b.var(class)).collect())
    }
}
