//! Nodes of values that are no arrays.

use limbforge_algos::program::{Kind as NodeKind, Node};

use super::Lowerer;
use super::arrays::is_true;
use super::values::{Held, is_scalar};
use crate::program::tape::code::{Instr, What};
use crate::spec::SpecError;

impl Lowerer<'_> {
    /// A node of values that are no arrays.
    pub(super) fn simple(&mut self, node: &Node) -> Result<(), SpecError> {
        let result = node.results[0];
        let var = match &node.kind {
            NodeKind::Constant(constant) => {
                self.set(result, Held::Constant(constant.clone()));
                return Ok(());
            }
            NodeKind::Integer(op) => return self.integer(node, op),
            NodeKind::Residue(op) => return self.residue(node, *op),
            NodeKind::Cast => {
                self.cast(result, node.args[0]);
                return Ok(());
            }
            NodeKind::Select => return self.select_node(node),
            NodeKind::Shift { left } => return self.shift(node, *left),
            NodeKind::Not => {
                let x = self.var(node.args[0]);
                self.negated(x)
            }
            NodeKind::And | NodeKind::Or => {
                let (x, y) = (self.var(node.args[0]), self.var(node.args[1]));
                let what = if node.kind == NodeKind::And { What::ScalarAnd } else { What::ScalarOr };
                self.b.scalar(Instr::new(what).x(x).y(y), 1, false)
            }
            NodeKind::Bit => return self.bit(node),
            NodeKind::BitLength => self.bit_length(node.args[0]),
            NodeKind::Instance => self.instance(),
            NodeKind::Random => self.random(node),
            _ => {
                return Err(self.refused(node, "this operation on an array".to_owned(), "others".to_owned()));
            }
        };
        self.set(result, Held::Var(var));
        Ok(())
    }

    pub(super) fn select_node(&mut self, node: &Node) -> Result<(), SpecError> {
        let (condition, x, y, result) = (node.args[0], node.args[1], node.args[2], node.results[0]);
        let held = if let Some(constant) = self.as_constant(condition) {
            self.held(if is_true(&constant) { x } else { y })
        } else {
            let condition = self.var(condition);
            let (x, y) = (self.var(x), self.var(y));
            let scalar = is_scalar(self.element(result));
            Held::Var(if scalar { self.scalar_select(condition, x, y) } else { self.select(condition, x, y) })
        };
        self.set(result, held);
        Ok(())
    }
}
