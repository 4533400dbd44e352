//! Operations whose results are numbers.

use super::text::{Text, word};
use crate::program::tape::code::{Class, Extra, Instr, Var, What};

impl Text<'_> {
    /// The value of an operation on numbers; `None` for others.
    pub(super) fn number(&self, instr: &Instr) -> Option<String> {
        let (x, y) = (self.x(instr), self.y(instr));
        let (low, high) = (word(instr.low), word(instr.high));
        Some(match instr.what {
            What::Mul => self.product(instr),
            What::Add | What::Sub | What::Neg => self.sum(instr),
            What::Word => {
                let word = if instr.y.is_some() { format!("(unsigned){y}") } else { format!("{low}u") };
                format!("residue_word({x}, {word}, {})", self.ring(instr))
            }
            What::One => format!("residue_one({})", self.ring(instr)),
            What::Copy => x,
            What::Select => format!("select({} != 0, {x}, {y})", self.third(instr)),
            What::Number => self.literal(low as usize, high as usize),
            What::Widen => format!("number_of_scalar({y}, {})", low != 0),
            What::Load => {
                let element =
                    if instr.y.is_some() { format!("{high} + (unsigned){y}") } else { high.to_string() };
                let shape = &self.program.shapes[low as usize];
                format!("loaded(in{low}, Shape{shape}, {element}, inputs)")
            }
            What::Random => format!("random_number({x}, {y}, {low})"),
            What::Wrap => format!("wrapped_number({x}, {low}, {})", high != 0),
            What::ColdRead => {
                let scalar = instr.z.is_some_and(|z| self.classes[z.index()] == Class::Scalar);
                format!("{}[{}]", if scalar { "cold_scalars" } else { "cold" }, self.cold(instr))
            }
            What::TableRead => format!("table_entry(tables, {low} + ({y} < {high} ? (unsigned){y} : 0))"),
            What::StateRead => format!("from.number({}, {high})", self.plane(instr, high)),
            _ => return None,
        })
    }

    fn product(&self, instr: &Instr) -> String {
        // Outside loops a call: its code is there once, which compiles sooner.
        let kind = match (self.bounds.is_lazy(instr, self.loops > 0), self.loops) {
            (true, _) => "<true>",
            (false, 0) => "_called",
            (false, _) => "",
        };
        // Beside any number, a factor is below the modulus.
        let beside = |var: Option<Var>, other: Option<Var>| match var {
            Some(var) if self.bounds.is_number(other) => self.below_modulus(var),
            Some(var) => self.var(var),
            None => String::new(),
        };
        let (name, operands) = match instr.y {
            None => ("reduce", self.x(instr)),
            Some(_) if instr.y == instr.x => ("sqr", self.x(instr)),
            Some(_) => ("mul", format!("{}, {}", beside(instr.x, instr.y), beside(instr.y, instr.x))),
        };
        format!("residue_{name}{kind}({operands}, {})", self.ring(instr))
    }

    fn sum(&self, instr: &Instr) -> String {
        let (x, y, ring) = (self.x(instr), self.y(instr), self.ring(instr));
        let (of_x, of_y) = (self.bounds.bound(instr.x), self.bounds.bound(instr.y));
        let lazy = if of_x.max(of_y) > 1 { "<true>" } else { "" };
        match instr.what {
            What::Add if self.bounds.is_wide(instr) => format!("integer_add({x}, {y})"),
            What::Add => format!("residue_add{lazy}({x}, {y}, {ring})"),
            What::Sub if self.bounds.is_wide(instr) => format!("wide_sub<{}>({x}, {y}, {ring})", of_y > 1),
            What::Sub => format!("residue_sub{lazy}({x}, {y}, {ring})"),
            _ => format!("residue_sub{lazy}(Num{{}}, {x}, {ring})"),
        }
    }

    /// The modulus of an operation.
    fn ring(&self, instr: &Instr) -> String {
        match instr.high {
            Extra::At(modulus) => format!("ring_of({})", self.var(modulus)),
            Extra::Word(_) => "ring".to_owned(),
        }
    }

    /// Words of the constants as a number: the compiler knows them.
    fn literal(&self, first: usize, words: usize) -> String {
        let words: Vec<String> =
            self.program.constants[first..first + words].iter().map(|word| format!("{word:#x}u")).collect();
        format!("Num{{{{{}}}}}", words.join(", "))
    }

    /// The words before a plane of so many words: of an array, those of the planes before it, too.
    pub(super) fn plane(&self, instr: &Instr, words: u32) -> String {
        let low = word(instr.low);
        if instr.y.is_none() {
            return low.to_string();
        }
        format!("{low} + (unsigned){} * {words}", self.y(instr))
    }

    /// A place in local memory; an index outside the array is none.
    pub(super) fn cold(&self, instr: &Instr) -> String {
        let (base, length) = (word(instr.low), word(instr.high));
        if instr.y.is_none() {
            return base.to_string();
        }
        let y = self.y(instr);
        format!("{base} + ({y} < {length} ? (unsigned){y} : 0)")
    }
}
