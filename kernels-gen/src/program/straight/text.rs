//! Items as statements.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::ahead::Ahead;
use super::cases::{Fails, call};
use super::flow::tail;
use super::lazy::Bounds;
use crate::invariant::broken_invariant;
use crate::program::lower::Case;
use crate::program::tape::code::{Class, Extra, Instr, Item, Var, What};
use crate::spec::NotStraight;
use crate::template::Templates;

/// What all stages have in common.
pub(super) struct Program<'a> {
    pub(super) cases: &'a [Case],
    pub(super) constants: &'a [u32],
    /// The inputs and the results as the kernel's `Shape`.
    pub(super) shapes: &'a [String],
    pub(super) results: &'a [String],
    pub(super) several_moduli: bool,
    /// Whether the modulus is a constant next to a power of two.
    pub(super) is_special: bool,
    /// Whether residues may be above the modulus.
    pub(super) is_lazy: bool,
    /// Numbers in local memory.
    pub(super) cold: u32,
}

/// The statements of a stage.
pub(super) struct Text<'a> {
    pub(super) program: &'a Program<'a>,
    pub(super) classes: &'a [Class],
    lines: Vec<String>,
    pub(super) depth: usize,
    /// Loops around a statement.
    pub(super) loops: usize,
    /// The number of the stage in its labels.
    stage: usize,
    /// Whether a thread may jump to the end.
    jumps: bool,
    /// Whether an operation takes division steps.
    pub(super) steps: bool,
    /// Reads that loops do a round ahead.
    pub(super) ahead: Vec<Ahead>,
    /// The places in inputs of the moduli that have been checked on the way here.
    pub(super) checked: Vec<(u32, u32)>,
    /// Numbers that are integers of inputs, with their places.
    loads: HashMap<Var, (u32, u32)>,
    /// Those of operations on integers.
    templates: Templates,
    pub(super) bounds: Bounds,
}

/// A stage.
pub(super) struct StageText {
    pub(super) lines: Vec<String>,
    /// Whether it takes division steps.
    pub(super) steps: bool,
    pub(super) templates: Templates,
}

impl<'a> Text<'a> {
    /// The lines of a stage.
    pub(super) fn of(
        program: &'a Program<'a>,
        classes: &'a [Class],
        items: &[Item],
        stage: usize,
    ) -> Result<StageText, NotStraight> {
        let mut text = Self {
            program,
            classes,
            lines: vec![],
            depth: 0,
            loops: 0,
            stage,
            jumps: false,
            steps: false,
            ahead: vec![],
            checked: vec![],
            loads: HashMap::new(),
            templates: Templates::default(),
            bounds: if program.is_lazy {
                Bounds::of(items, classes, program.cold)
            } else {
                Bounds::default()
            },
        };
        text.declarations(items);
        let (body, tail) = items.split_at(tail(items));
        text.items(body)?;
        if text.steps {
            text.declare("[[maybe_unused]] Inverse inverse = {};".to_owned());
        }
        if text.jumps {
            text.lines.push(format!("done{stage}:"));
        }
        text.items(tail)?;
        let Self { lines, steps, templates, .. } = text;
        Ok(StageText { lines, steps, templates })
    }

    pub(super) fn line(&mut self, line: &str) {
        let indent = "  ".repeat(self.depth);
        self.lines.push(format!("{indent}{line}"));
    }

    /// A variable of the stage, before anything that may jump.
    pub(super) fn declare(&mut self, line: String) {
        self.lines.insert(0, line);
    }

    /// The name of a variable.
    pub(super) fn var(&self, var: Var) -> String {
        let kind = if self.classes[var.index()] == Class::Number { 'n' } else { 's' };
        format!("{kind}{}", var.0)
    }

    pub(super) fn x(&self, instr: &Instr) -> String {
        instr.x.map_or_else(|| "0".to_owned(), |x| self.read(instr, x))
    }

    pub(super) fn y(&self, instr: &Instr) -> String {
        instr.y.map_or_else(|| "0".to_owned(), |y| self.read(instr, y))
    }

    pub(super) fn z(&self, instr: &Instr) -> String {
        instr.z.map_or_else(|| broken_invariant("an operation has a result"), |z| self.var(z))
    }

    /// `low` as the name of a variable.
    pub(super) fn third(&self, instr: &Instr) -> String {
        if let Extra::At(var) = instr.low { self.var(var) } else { "0".to_owned() }
    }

    /// The thread has failed at a place, if a condition holds: it goes to the end of the stage.
    pub(super) fn fails(&mut self, condition: &str, place: u32) {
        self.jumps = true;
        let stage = self.stage;
        self.line(&format!("if ({condition}) {{"));
        self.line(&format!("  status = {place};"));
        self.line(&format!("  goto done{stage};"));
        self.line("}");
    }

    /// Whether a modulus has been checked on the way here; it is from now on.
    pub(super) fn is_checked(&mut self, modulus: Var) -> bool {
        let Some(&place) = self.loads.get(&modulus) else { return false };
        if self.checked.contains(&place) {
            return true;
        }
        self.checked.push(place);
        false
    }

    /// The thread goes to the end of the stage, if a condition holds.
    pub(super) fn leaves(&mut self, condition: &str) {
        self.jumps = true;
        let stage = self.stage;
        self.line(&format!("if ({condition}) goto done{stage};"));
    }

    pub(super) fn op(&mut self, instr: &Instr) -> Result<(), NotStraight> {
        if let What::Integer(case) = instr.what {
            return self.integer(instr, case);
        }
        if instr.what == What::ScalarConstant {
            // Declared with its value.
            return Ok(());
        }
        if self.take_ahead(instr) {
            return Ok(());
        }
        if let (What::Load, Some(z), None) = (instr.what, instr.z, instr.y) {
            self.loads.insert(z, (word(instr.low), word(instr.high)));
        }
        let value = self.number(instr).or_else(|| self.scalar(instr));
        match (value, instr.z) {
            (Some(value), Some(z)) => {
                let mut line = self.var(z);
                _ = write!(line, " = {value};");
                self.line(&line);
            }
            _ => self.effect(instr),
        }
        Ok(())
    }

    /// An operation on integers.
    fn integer(&mut self, instr: &Instr, index: u16) -> Result<(), NotStraight> {
        let case = &self.program.cases[usize::from(index)];
        let at = |extra| if let Extra::At(var) = extra { Some(var) } else { None };
        let args: Vec<String> = [instr.x, instr.y, at(instr.low), at(instr.high)]
            .into_iter()
            .flatten()
            .map(|var| self.read(instr, var))
            .collect();
        let Some(call) = call(case, &args) else {
            return Err(NotStraight::Operation { what: case.op.to_string() });
        };
        self.steps |= call.steps;
        self.templates.extend(Templates::of(call.template));
        let z = instr.z.map_or_else(String::new, |z| format!("{} = ", self.var(z)));
        let (text, place) = (call.text, word(instr.high));
        match call.fails {
            Fails::Never => self.line(&format!("{z}{text};")),
            Fails::Inverse => {
                self.line(&format!("inverse = {text};"));
                self.fails("inverse.fails", place);
                self.line(&format!("{z}inverse.number;"));
            }
            Fails::If(condition) => {
                self.fails(&condition, place);
                self.line(&format!("{z}{text};"));
            }
        }
        Ok(())
    }
}

/// A field that is a number.
pub(super) const fn word(extra: Extra) -> u32 {
    if let Extra::Word(word) = extra { word } else { 0 }
}
