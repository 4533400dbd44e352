//! Operations whose results are numbers.

use super::text::{Text, word};
use crate::program::tape::code::{Class, Extra, Instr, What};

impl Text<'_> {
    /// The value of an operation on numbers; `None` for others.
    pub(super) fn number(&self, instr: &Instr) -> Option<String> {
        let (x, y) = (self.x(instr), self.y(instr));
        let (low, high) = (word(instr.low), word(instr.high));
        Some(match instr.what {
            What::Mul => {
                // Outside loops a call: its code is there once, which compiles sooner.
                let called = if self.loops == 0 { "_called" } else { "" };
                let (name, y) = match instr.y {
                    None => ("reduce", String::new()),
                    Some(_) if instr.y == instr.x => ("sqr", String::new()),
                    Some(_) => ("mul", format!(", {y}")),
                };
                format!("residue_{name}{called}({x}{y}, {})", self.ring(instr))
            }
            What::Add => format!("residue_add({x}, {y}, {})", self.ring(instr)),
            What::Sub => format!("residue_sub({x}, {y}, {})", self.ring(instr)),
            What::Neg => format!("residue_sub(Num{{}}, {x}, {})", self.ring(instr)),
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
