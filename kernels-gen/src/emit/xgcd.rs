//! Coefficients of greatest common divisors.

use limbforge_algos::expr::{DagNode, Op};

use super::{Emitter, Form};

impl Emitter<'_> {
    /// `xgcd_x(a, b)` or `xgcd_y(a, b)`. Those of the same operands are computed together.
    pub(super) fn xgcd(&mut self, i: usize, node: &DagNode) -> Form {
        let (x, y) = self.two(node);
        let operands = [node.args[0], node.args[1]];
        let together = *self.coefficients.entry(operands).or_insert(i);
        if together == i {
            let templates = &mut self.out.templates;
            (templates.div, templates.cmp, templates.xgcd) = (true, true, true);
            let asked =
                |op: &Op| self.spec.dag.nodes().iter().any(|node| node.op == *op && *node.args == operands);
            let (signed, x_asked, y_asked) = (self.spec.ty.is_signed(), asked(&Op::XgcdX), asked(&Op::XgcdY));
            self.line(format!(
                "const Coefficients g{i} = xgcd<{signed}, {x_asked}, {y_asked}>({x}, {y}, slot, exchange, at);"
            ));
        }
        let member = if node.op == Op::XgcdX { "x" } else { "y" };
        self.num(i, &format!("g{together}.{member}"))
    }
}
