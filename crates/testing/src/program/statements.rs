//! Whole programs: inputs, functions, statements, results.

use super::writer::{Declared, Function, Kind, Program, Type, Writer, int};

/// Constant moduli: of few bits, a Mersenne prime, next to powers of two, 1, and a product of small primes.
const MODULI: [&str; 6] = ["97", "2**61 - 1", "2**32 + 15", "2**127 - 1", "1", "3 * 5 * 7 * 11 * 13"];

impl Writer<'_> {
    pub(super) fn program(mut self) -> Program {
        self.declare_inputs();
        self.declare_list();
        for _ in 0..self.below(3) {
            self.function();
        }
        let statements = 1 + self.below(7);
        for _ in 0..statements {
            self.statement(3);
        }
        self.results();
        Program { text: self.text, inputs: self.inputs }
    }

    fn input(&mut self, name: &'static str, ty: Type, is_written: bool) {
        let (elements, integers) = match &ty {
            Type::Array(element, length) => (*length, (**element).clone()),
            ty => (1, ty.clone()),
        };
        let batch = match integers {
            Type::Int(ty) => ty,
            Type::Bool => int(1, false),
            _ => self.modulus,
        };
        let kind = if name == "n" { Kind::Modulus } else { Kind::Number };
        let one_for_all = self.one_in(3);
        self.inputs.push(Declared { name, ty: batch, elements, one_for_all, kind });
        let written = self.written(&ty);
        self.line(&if is_written { format!("in {name}: {written}") } else { format!("in {name}") });
        self.declare(name, ty, false);
    }

    fn declare_inputs(&mut self) {
        let (bits, signed) = (self.wide_bits(), self.one_in(3));
        self.wide = int(bits, signed);
        let (bits, signed) = (2 + self.below(63), self.one_in(3));
        self.narrow = int(bits, signed);
        let is_constant = self.one_in(4);
        self.modulus = if self.one_in(3) { int(self.wide_bits(), self.one_in(5)) } else { self.wide };
        if is_constant {
            let text = self.one_of(&MODULI);
            self.line(&format!("const n = {text}"));
            let bits =
                [7, 61, 33, 127, 1, 14][MODULI.iter().position(|modulus| *modulus == text).unwrap_or(0)];
            self.modulus = int(bits, false);
        } else {
            let ty = Type::Int(self.modulus);
            self.input("n", ty, false);
        }
        let (wide, narrow) = (Type::Int(self.wide), Type::Int(self.narrow));
        self.input("a", wide.clone(), false);
        let is_written = self.below(2) == 1;
        self.input("b", wide, is_written);
        self.input("k", narrow, true);
        let length = 1 + self.below(5) as usize;
        match self.below(5) {
            0 => {}
            1 => self.input("t", Type::Array(Box::new(Type::Int(self.narrow)), length), true),
            2 => self.input("t", Type::Array(Box::new(Type::Residue), length), true),
            3 => self.input("t", Type::Residue, true),
            _ => self.input("t", Type::Bool, true),
        }
    }

    /// `fn f(x, y) = ...`: of a residue and two integers.
    fn function(&mut self) {
        let name = self.fresh("f");
        let (first, second) = (Type::Int(self.integer_type()), Type::Int(self.narrow));
        let outside = core::mem::take(&mut self.names);
        let pair = Type::Pair(Box::new(first.clone()), Box::new(Type::Residue));
        let names = [("x", first.clone()), ("y", Type::Residue), ("z", second.clone())];
        names.into_iter().for_each(|(name, ty)| self.declare(name, ty, false));
        self.in_function = true;
        let result = if self.below(2) == 0 { first.clone() } else { Type::Residue };
        let takes_a_tuple = self.below(2) == 1;
        let (parameters, types) = if takes_a_tuple {
            ("(x, y), z", vec![pair, second])
        } else {
            ("x, y, z", vec![first, Type::Residue, second])
        };
        if self.below(2) == 0 {
            let body = self.expression(&result, 2);
            self.line(&format!("fn {name}({parameters}) = {body}"));
        } else {
            self.line(&format!("fn {name}({parameters}) {{"));
            self.indent += 1;
            self.statement(1);
            let body = self.expression(&result, 2);
            self.line(&body);
            self.indent -= 1;
            self.line("}");
        }
        self.in_function = false;
        self.names = outside;
        self.functions.push(Function { name, parameters: types, result });
    }

    /// A statement with so many levels of blocks in it.
    pub(super) fn statement(&mut self, levels: u32) {
        match self.below(17) {
            16 => self.emit(),
            0..=2 => self.declaration(),
            3 => self.tuple(),
            4 => self.untyped(),
            5 => self.require(),
            6..=8 => self.assignment(),
            9..=11 if levels > 0 => self.branch(levels - 1),
            12.. if levels > 0 && self.loops < 2 => self.a_loop(levels - 1),
            _ => self.assignment(),
        }
    }

    /// A type of a variable.
    fn any_type(&mut self) -> Type {
        let simple = [Type::Int(self.integer_type()), Type::Residue, Type::Bool];
        match self.below(6) {
            0..=2 => simple[0].clone(),
            3 => simple[1].clone(),
            4 => simple[2].clone(),
            _ => {
                let element = self.one_of(&simple);
                Type::Array(Box::new(element), 1 + self.below(5) as usize)
            }
        }
    }

    fn declaration(&mut self) {
        let ty = self.any_type();
        let value = match &ty {
            // One value fills an array.
            Type::Array(element, _) if self.below(3) == 1 => self.expression(element, 2),
            ty => self.expression(ty, 3),
        };
        let fills = matches!(&ty, Type::Array(..)) && !value.starts_with('[');
        let is_variable = self.below(3) > 0;
        let names_modulus = self.in_function && self.written(&ty).contains("mod");
        let is_written = !names_modulus && (fills || self.below(3) > 0);
        let name = self.fresh("v");
        let written = if is_written { format!(": {}", self.written(&ty)) } else { String::new() };
        // Without a written type, a value that fills is no array.
        let ty = match ty {
            Type::Array(element, _) if fills && !is_written => *element,
            ty => ty,
        };
        self.line(&format!("{} {name}{written} = {value}", if is_variable { "var" } else { "let" }));
        self.declare(&name, ty, is_variable);
    }

    /// Two names at once, or two variables that are exchanged.
    fn tuple(&mut self) {
        let ty = Type::Int(self.integer_type());
        let (first, second) = (self.fresh("v"), self.fresh("v"));
        let others = if self.below(2) == 0 { Type::Residue } else { ty.clone() };
        let (a, b) = (self.expression(&ty, 2), self.expression(&others, 2));
        self.line(&format!("var ({first}, {second}) = ({a}, {b})"));
        self.declare(&first, ty.clone(), true);
        self.declare(&second, others.clone(), true);
        if ty == others {
            let condition = self.truth(1);
            let line = match self.below(3) {
                0 => format!("({first}, {second}) = ({second}, {first})"),
                1 => format!("({first}, {second}) = swap({condition}, {first}, {second})"),
                _ => {
                    format!("({first}, {second}) = select({condition}, ({first}, {second}), ({a}, {first}))")
                }
            };
            self.line(&line);
        }
    }

    fn require(&mut self) {
        // Most hold.
        let condition = self.truth(2);
        let often = self.truth(1);
        let line = if self.below(4) == 3 {
            format!("require {condition}")
        } else {
            format!("require {condition} or not {often} or {often}")
        };
        self.line(&line);
    }

    /// An assignment of a variable, an element or two variables.
    pub(super) fn assignment(&mut self) {
        let variables = self.named(|name| name.is_variable);
        if variables.is_empty() {
            return self.declaration();
        }
        let variable = self.one_of(&variables);
        match &variable.ty {
            Type::Array(element, length) if self.below(3) > 0 => {
                let (index, value) = (self.index(*length, 1), self.expression(element, 2));
                self.line(&format!("{}[{index}] = {value}", variable.text));
            }
            ty => {
                let value = self.expression(ty, 3);
                self.line(&format!("{} = {value}", variable.text));
            }
        }
    }

    /// Statements of a block, whose names end with it.
    pub(super) fn block(&mut self, levels: u32) {
        let names = self.names.len();
        self.indent += 1;
        for _ in 0..1 + self.below(3) {
            self.statement(levels);
        }
        self.indent -= 1;
        self.names.truncate(names);
    }

    fn branch(&mut self, levels: u32) {
        let condition = self.truth(2);
        self.line(&format!("if {condition} {{"));
        self.block(levels);
        if self.below(2) == 1 {
            self.line("} else {");
            self.block(levels);
        }
        self.line("}");
    }

    /// All names of the top level.
    fn results(&mut self) {
        let names = self.named(|name| !name.text.starts_with(['n', 'i']));
        for name in names {
            self.line(&format!("out {}", name.text));
        }
        let ty = self.wide;
        let (a, b) = (self.integer(ty, 2), self.integer(ty, 2));
        self.line(&format!("out last = {a}, pair = ({a}, {b})"));
    }
}
