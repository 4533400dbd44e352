//! Expressions of other types: truth values, residues, elements of arrays, choices and calls.

use super::writer::{Type, Writer, int};

impl Writer<'_> {
    /// An expression of a type.
    pub(super) fn expression(&mut self, ty: &Type, depth: u32) -> String {
        match ty {
            Type::Int(ty) => self.integer(*ty, depth),
            Type::Bool => self.truth(depth),
            Type::Residue => self.residue(depth),
            Type::Index => "0".to_owned(),
            Type::Pair(a, b) => {
                let (a, b) = (self.expression(a, depth), self.expression(b, depth));
                format!("({a}, {b})")
            }
            Type::Array(element, length) => self.array(element, *length, depth),
        }
    }

    fn array(&mut self, element: &Type, length: usize, depth: u32) -> String {
        let ty = Type::Array(Box::new(element.clone()), length);
        let name = self.name_of(&ty);
        match (self.below(5), name) {
            (0 | 1, Some(name)) => name,
            // Elementwise.
            (2, Some(name)) if *element != Type::Bool => {
                let signs: &[&str] =
                    if *element == Type::Residue { &["+", "-", "*", "/"] } else { &["+", "-", "*"] };
                let sign = self.one_of(signs);
                // Beside an array stands one value for all elements, or another array.
                let beside = self.name_of(&ty).filter(|_| sign == "/" && self.below(2) == 0);
                let beside = match beside {
                    Some(other) => other,
                    None => self.expression(element, depth.min(1)),
                };
                format!("({name} {sign} {beside})")
            }
            (3, _) => {
                let i = self.fresh("i");
                self.declare(&i, Type::Index, false);
                let body = self.expression(element, depth.min(1));
                self.names.pop();
                format!("[{body} for {i} in 0 .. {length}]")
            }
            _ => {
                let elements: Vec<String> =
                    (0..length).map(|_| self.expression(element, depth.min(1))).collect();
                format!("[{}]", elements.join(", "))
            }
        }
    }

    /// A truth value.
    pub(super) fn truth(&mut self, depth: u32) -> String {
        if depth == 0 || self.left == 0 {
            return match self.name_of(&Type::Bool) {
                Some(name) if self.below(4) > 0 => name,
                _ => self.one_of(&["true", "false", "(0 == 1)"]).to_owned(),
            };
        }
        self.left -= 1;
        let depth = depth - 1;
        match self.below(12) {
            0 => format!("({} and {})", self.truth(depth), self.truth(depth)),
            1 => format!("({} or {})", self.truth(depth), self.truth(depth)),
            2 => format!("(not {})", self.truth(depth)),
            3 => {
                let sign = self.one_of(&["==", "!="]);
                format!("({} {sign} {})", self.residue(depth), self.residue_operand(depth))
            }
            4 => {
                let (ty, other) = (self.integer_type(), self.narrow);
                format!("bit({}, {})", self.integer(ty, depth), self.integer(other, depth))
            }
            5 => self.choice(&Type::Bool, depth),
            6 => self.truth(0),
            7 => self.element(&Type::Bool, depth),
            _ => self.test(depth),
        }
    }

    /// A residue modulo n.
    pub(super) fn residue(&mut self, depth: u32) -> String {
        if depth == 0 || self.left == 0 {
            return match self.name_of(&Type::Residue) {
                Some(name) => name,
                None => {
                    let ty = self.integer_type();
                    format!("({} mod n)", self.integer_leaf(ty))
                }
            };
        }
        self.left -= 1;
        let depth = depth - 1;
        match self.below(14) {
            0 => self.residue(0),
            1 | 2 if self.in_function => self.residue(0),
            1 => {
                let ty = self.integer_type();
                format!("({} mod n)", self.integer(ty, depth))
            }
            2 => format!("({} mod n)", self.in_ring(depth)),
            3 => format!("sqr({})", self.residue(depth)),
            4 => format!("(-{})", self.residue(depth)),
            5 => format!("({} / {})", self.residue(depth), self.residue_operand(depth)),
            6 => format!("({} / {})", self.residue(depth), 1_u64 << self.below(33)),
            7 => {
                let exponents = [self.narrow, self.wide, int(8, false)];
                let ty = self.one_of(&exponents);
                let exponent = match self.below(4) {
                    0 => self.below(18).to_string(),
                    1 => format!("-{}", self.below(6)),
                    _ => self.integer(ty, depth),
                };
                format!("({} ** {exponent})", self.residue(depth))
            }
            8 => self.choice(&Type::Residue, depth),
            9 => self.element(&Type::Residue, depth),
            10 => self.call(&Type::Residue, depth),
            _ => {
                let sign = self.one_of(&["+", "-", "*"]);
                format!("({} {sign} {})", self.residue(depth), self.residue_operand(depth))
            }
        }
    }

    /// A residue, or an integer that becomes one beside it.
    fn residue_operand(&mut self, depth: u32) -> String {
        let ty = self.integer_type();
        match self.below(6) {
            4 => self.literal(ty),
            5 => self.integer(ty, depth),
            _ => self.residue(depth),
        }
    }

    /// What stands before `mod n`: operators are those of the ring.
    fn in_ring(&mut self, depth: u32) -> String {
        let ty = self.integer_type();
        if depth == 0 {
            return match self.below(3) {
                0 => self.literal(ty),
                1 => self.residue(0),
                _ => self.integer_leaf(ty),
            };
        }
        match self.below(6) {
            0 => format!("(-{})", self.in_ring(depth - 1)),
            1 => format!("({} / {})", self.in_ring(depth - 1), self.in_ring(depth - 1)),
            2 => format!("({} ** {})", self.in_ring(depth - 1), self.below(9)),
            3 => format!("({})", self.integer(ty, depth - 1)),
            _ => {
                let sign = self.one_of(&["+", "-", "*"]);
                format!("({} {sign} {})", self.in_ring(depth - 1), self.in_ring(depth - 1))
            }
        }
    }

    /// One of two values, by `if` or `select`.
    pub(super) fn choice(&mut self, ty: &Type, depth: u32) -> String {
        let condition = self.truth(depth);
        let (a, b) = (self.expression(ty, depth), self.expression(ty, depth));
        match self.below(3) {
            0 => format!("select({condition}, {a}, {b})"),
            1 => format!("(if {condition} {{ {a} }} else {{ {b} }})"),
            _ => {
                let name = self.fresh("c");
                format!("(if {condition} {{ let {name} = {a}; {name} }} else {{ {b} }})")
            }
        }
    }

    /// An element of an array, where there is one. Some indices lie outside.
    pub(super) fn element(&mut self, ty: &Type, depth: u32) -> String {
        let arrays = self.named(|name| matches!(&name.ty, Type::Array(element, _) if **element == *ty));
        if arrays.is_empty() {
            return self.expression(ty, depth);
        }
        let array = self.one_of(&arrays);
        let Type::Array(_, length) = array.ty else { return self.expression(ty, depth) };
        format!("{}[{}]", array.text, self.index(length, depth))
    }

    /// An index, mostly within an array.
    pub(super) fn index(&mut self, length: usize, depth: u32) -> String {
        let ty = self.integer_type();
        match self.below(12) {
            0..=3 => self.below(length as u32).to_string(),
            4..=10 if ty.bits() > 4 => format!("rem_euclid({}, {length})", self.integer(ty, depth)),
            _ => {
                let narrow = self.narrow;
                self.integer(narrow, depth)
            }
        }
    }

    /// A call of a function with this result, where there is one.
    pub(super) fn call(&mut self, ty: &Type, depth: u32) -> String {
        let functions: Vec<_> =
            self.functions.iter().filter(|function| function.result == *ty).cloned().collect();
        if functions.is_empty() {
            return self.expression(ty, depth);
        }
        let function = self.one_of(&functions);
        let operands: Vec<String> = function.parameters.iter().map(|ty| self.expression(ty, depth)).collect();
        format!("{}({})", function.name, operands.join(", "))
    }
}
