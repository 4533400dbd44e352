//! Divisions.

use limbforge_algos::expr::{DagNode, Op};

use super::{Emitter, Form};

impl Emitter<'_> {
    /// `div_wide` or `rem_wide(high, low, d)`; both of the same operands share one division.
    pub(super) fn wide_division(&mut self, i: usize, node: &DagNode) -> Form {
        let (high, low) = self.two(node);
        let operands = (format!("{high}, {low}"), self.number(node.args[2]));
        let division = match self.divisions.get(&operands) {
            Some(&division) => division,
            None => {
                let templates = &mut self.out.templates;
                (templates.div, templates.cmp, templates.div_wide) = (true, true, true);
                let (dividend, divisor) = &operands;
                self.line(format!(
                    "const WideDivision d{i} = divide_wide({dividend}, {divisor}, slot, exchange, at);"
                ));
                self.divisions.insert(operands, i);
                i
            }
        };
        let (result, is_long) = match node.op {
            Op::DivWide => ("quotient", format!(" || d{division}.is_long")),
            _ => ("remainder", String::new()),
        };
        self.line(format!("mark(marks, d{division}.by_zero{is_long}, at);"));
        self.num(i, &format!("d{division}.{result}"))
    }

    /// A quotient, a remainder, or what is made of them. Those of the same operands share one division.
    pub(super) fn division(&mut self, i: usize, node: &DagNode) -> Form {
        let operands = self.two(node);
        let signed = self.spec.ty.is_signed();
        let dividend = operands.0.clone();
        let division = match self.divisions.get(&operands) {
            Some(&division) => division,
            None => {
                self.out.templates.div = true;
                self.out.templates.cmp = true;
                let (u, v) = &operands;
                self.line(format!(
                    "const SignedDivision d{i} = divide<{signed}>({u}, {v}, slot, exchange, at);"
                ));
                self.divisions.insert(operands, i);
                i
            }
        };
        let by_zero = format!("d{division}.by_zero");
        let fails = match node.op {
            Op::Divisible => None,
            // All lanes vote first.
            Op::DivExact => Some(format!("!is_zero(d{division}.remainder, at) || {by_zero}")),
            _ => Some(by_zero),
        };
        if let Some(fails) = fails {
            self.line(format!("mark(marks, {fails}, at);"));
        }
        let function = match node.op {
            Op::Divisible => {
                self.line(format!("const bool x{i} = divides<{signed}>(d{division}, {dividend}, at);"));
                return Form::Truth;
            }
            Op::Rem => "remainder",
            Op::DivEuclid => "quotient_euclid",
            Op::RemEuclid => "remainder_euclid",
            _ => "quotient",
        };
        self.num(i, &format!("{function}<{signed}>(d{division}, exchange, at)"))
    }
}
