//! Values that loops carry and that arms give.

use limbforge_algos::program::{Node, ValueId};

use super::Lowerer;
use super::values::{Held, is_scalar};
use crate::program::tape::code::{Class, Var};

impl Lowerer<'_> {
    /// Variables for carried values, with their first values.
    pub(super) fn begin(&mut self, carried: &[ValueId]) -> Vec<Vec<Var>> {
        let begin = |lowerer: &mut Self, &value: &ValueId| {
            let vars = lowerer.vars(value);
            let param = |&var: &Var| {
                let param = lowerer.b.var(lowerer.b.class(var));
                lowerer.b.assign(param, var);
                param
            };
            vars.iter().map(param).collect()
        };
        carried.iter().map(|value| begin(self, value)).collect()
    }

    /// The variables of a value: one, or those of an array's elements.
    pub(super) fn vars(&mut self, value: ValueId) -> Vec<Var> {
        let (held, element) = (self.held(value), self.element(value));
        match held {
            Held::Array(elements) => elements.iter().map(|held| self.var_of(held, element)).collect(),
            held => vec![self.var_of(&held, element)],
        }
    }

    pub(super) fn bind(&mut self, params: &[ValueId], vars: &[Vec<Var>]) {
        for (&param, vars) in params.iter().zip(vars) {
            self.set_vars(param, vars);
        }
    }

    pub(super) fn set_vars(&mut self, value: ValueId, vars: &[Var]) {
        let held = match (self.ty(value).length, vars) {
            (None, &[var]) => Held::Var(var),
            _ => Held::Array(vars.iter().map(|&var| Held::Var(var)).collect()),
        };
        self.set(value, held);
    }

    /// The next round's values, all at once.
    pub(super) fn carry(&mut self, yields: &[ValueId], params: &[Vec<Var>]) {
        let next: Vec<Var> = yields.iter().flat_map(|&value| self.vars(value)).collect();
        let params: Vec<Var> = params.iter().flatten().copied().collect();
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
    }

    /// Behind a loop its variables are the results.
    pub(super) fn end(&mut self, node: &Node, params: &[Vec<Var>]) {
        params.iter().flatten().for_each(|&var| self.b.moved(var));
        for (&result, vars) in node.results.iter().zip(params) {
            self.set_vars(result, vars);
        }
    }

    pub(super) fn new_vars(&mut self, value: ValueId) -> Vec<Var> {
        let class = if is_scalar(self.element(value)) { Class::Scalar } else { Class::Number };
        (0..self.ty(value).length.unwrap_or(1)).map(|_| self.b.var(class)).collect()
    }
}
