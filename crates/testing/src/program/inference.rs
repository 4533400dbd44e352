//! Variables without a written type.

use super::writer::{Type, Writer, int};

impl Writer<'_> {
    /// A variable that starts as a number and gets its type from what it meets.
    pub(super) fn untyped(&mut self) {
        let name = self.fresh("s");
        let (kind, int_type) = (self.below(5), self.integer_type());
        let start = if kind < 3 { self.literal(int_type) } else { self.below(18).to_string() };
        self.line(&format!("var {name} = {start}"));
        let ty = Type::Int(int_type);
        match kind {
            // It meets a type at once.
            0 => {
                let value = self.expression(&ty, 1);
                self.line(&format!("{name} = {name} + {value}"));
                self.declare(&name, ty, true);
            }
            // Only after a loop or an arm that changes it.
            1 => {
                self.line(&format!("repeat 4 {{ {name} = {name} + {name} - 1 }}"));
                let value = self.expression(&ty, 1);
                self.line(&format!("{name} = {name} ^ {value}"));
                self.declare(&name, ty, true);
            }
            2 => {
                let condition = self.truth(1);
                self.line(&format!("if {condition} {{ {name} = {name} - 1 }}"));
                let value = self.expression(&ty, 1);
                let result = self.fresh("s");
                self.line(&format!("let {result} = {name} < {value}"));
                self.declare(&name, ty, true);
                self.declare(&result, Type::Bool, false);
            }
            // It becomes a residue.
            3 => {
                let value = self.residue(1);
                self.line(&format!("repeat 3 {{ {name} = {name} * {value} + 1 }}"));
                self.declare(&name, Type::Residue, true);
            }
            // Nothing says a type.
            _ => {
                let condition = self.truth(1);
                self.line(&format!("if {condition} {{ {name} = {name} * {name} }}"));
                self.declare(&name, Type::Index, false);
                let other = self.fresh("s");
                self.line(&format!("let {other} = u64({name} + 1) << 3"));
                self.declare(&other, Type::Int(int(64, false)), false);
            }
        }
    }
}
