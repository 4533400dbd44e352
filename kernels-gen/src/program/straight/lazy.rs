//! Residues that are not reduced. Every number of a segment has a bound c, so that it is below c n: a proof
//! by intervals, over all assignments of a variable.
//!
//! With n below 2^(32 W - 4) a product of numbers below 4 n is below 2 n before its last difference with n,
//! which loops leave out. Sums and differences stay below 2 n by one difference with 2 n; those that only
//! products read stay below 4 n without one. Conversions, comparisons, states, rows and results take residues
//! below n.

use limbforge_algos::program::TypedProgram;

use super::flow::is_hot_loop;
use super::text::{Text, word};
use crate::program::tape::code::{Class, Instr, Item, Var, What};

/// Bits of a number above those of the modulus.
const SLACK: u32 = 4;

/// No bound: a plain number, which a conversion takes.
const NUMBER: u8 = u8::MAX;

/// Whether residues of a program in so many words may be lazy.
pub(super) fn has_slack(program: &TypedProgram, words: u32) -> bool {
    matches!(program.moduli(), [modulus] if modulus.ty.bits() + SLACK <= 32 * words)
}

/// The bounds of the variables of a segment; none if all are below n.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    of: Vec<u8>,
    /// Sums and differences that only products read.
    wide: Vec<bool>,
    cold: Vec<u8>,
    /// Whether a variable is both a plain number and a lazy residue.
    mixed: bool,
}

impl Bounds {
    pub(super) fn of(items: &[Item], classes: &[Class], cold: u32) -> Self {
        let mut bounds = Self {
            of: vec![0; classes.len()],
            wide: vec![false; classes.len()],
            cold: vec![0; cold as usize],
            mixed: false,
        };
        bounds.settle(items, classes);
        bounds.wide = bounds.only_in_products(items);
        bounds.settle(items, classes);
        if bounds.mixed { Self::default() } else { bounds }
    }

    /// The bound of a residue, 1 of a plain number.
    pub(super) fn bound(&self, var: Option<Var>) -> u8 {
        match var.and_then(|var| self.of.get(var.index())) {
            Some(&bound) if bound != NUMBER => bound.max(1),
            _ => 1,
        }
    }

    /// Whether a sum or a difference stays below 4 n.
    pub(super) fn is_wide(&self, instr: &Instr) -> bool {
        instr.z.is_some_and(|z| self.wide.get(z.index()) == Some(&true))
    }

    /// Whether a product may stay below 2 n: one of two residues, in a loop.
    pub(super) fn is_lazy(&self, instr: &Instr, is_hot: bool) -> bool {
        let is_residue = |var: Option<Var>| {
            var.is_some_and(|var| self.of.get(var.index()).is_some_and(|&bound| bound != NUMBER))
        };
        is_hot && is_residue(instr.x) && is_residue(instr.y)
    }

    /// Whether it is a plain number, which may be above n.
    pub(super) fn is_number(&self, var: Option<Var>) -> bool {
        var.is_some_and(|var| self.of.get(var.index()) == Some(&NUMBER))
    }

    /// The least bounds of which each holds after every assignment.
    fn settle(&mut self, items: &[Item], classes: &[Class]) {
        loop {
            let mut changed = false;
            each(items, false, &mut |instr, is_hot| changed |= self.assigned(instr, is_hot, classes));
            if !changed {
                return;
            }
        }
    }

    fn assigned(&mut self, instr: &Instr, is_hot: bool, classes: &[Class]) -> bool {
        let is_number = |var: Option<Var>| var.is_some_and(|var| classes[var.index()] == Class::Number);
        if instr.what == What::ColdWrite && is_number(instr.x) {
            let bound = instr.x.map_or(0, |x| self.of[x.index()]);
            return self.places(instr).fold(false, |changed, at| {
                let before = self.cold[at];
                self.cold[at] = self.known(joined(before, bound));
                changed | (before != self.cold[at])
            });
        }
        let Some(z) = instr.z.filter(|z| is_number(Some(*z))) else { return false };
        let before = self.of[z.index()];
        let after = self.computed(instr, is_hot).and_then(|bound| joined(before, bound));
        self.of[z.index()] = self.known(after);
        before != self.of[z.index()]
    }

    /// A bound; notes that there is none.
    fn known(&mut self, bound: Option<u8>) -> u8 {
        self.mixed |= bound.is_none();
        bound.unwrap_or(NUMBER)
    }

    /// The bound of a result.
    fn computed(&self, instr: &Instr, is_hot: bool) -> Option<u8> {
        let of = |var: Option<Var>| var.map_or(0, |var| self.of[var.index()]);
        Some(match instr.what {
            What::Mul if instr.y.is_none() => NUMBER,
            What::Mul if self.is_lazy(instr, is_hot) => 2,
            What::Mul | What::Word | What::One | What::TableRead => 1,
            What::Add | What::Sub | What::Neg if self.is_wide(instr) => 4,
            What::Add | What::Sub | What::Neg => self.bound(instr.x).max(self.bound(instr.y)),
            What::Copy => of(instr.x),
            What::Select => return joined(of(instr.x), of(instr.y)),
            What::ColdRead => return self.places(instr).map(|at| self.cold[at]).try_fold(0, joined),
            _ => NUMBER,
        })
    }

    /// The places in local memory that an access may take.
    fn places(&self, instr: &Instr) -> core::ops::Range<usize> {
        let (base, length) = (word(instr.low) as usize, word(instr.high) as usize);
        let length = if instr.y.is_none() { 1 } else { length.max(1) };
        base.min(self.cold.len())..(base + length).min(self.cold.len())
    }

    /// Sums and differences in loops that are read by lazy products alone.
    fn only_in_products(&self, items: &[Item]) -> Vec<bool> {
        let mut wide = vec![false; self.of.len()];
        let (mut assigned, mut others) = (vec![0_u32; self.of.len()], vec![false; self.of.len()]);
        each(items, false, &mut |instr, is_hot| {
            if let Some(z) = instr.z {
                assigned[z.index()] += 1;
                wide[z.index()] = is_hot && matches!(instr.what, What::Add | What::Sub);
            }
            if !(instr.what == What::Mul && self.is_lazy(instr, is_hot)) {
                instr.reads().for_each(|var| others[var.index()] = true);
            }
        });
        let all = wide.iter().zip(&assigned).zip(&others);
        all.map(|((&wide, &assigned), &others)| wide && assigned == 1 && !others).collect()
    }
}

/// The bound of a variable that has one or the other. None for a plain number and a residue that is not
/// below n.
const fn joined(a: u8, b: u8) -> Option<u8> {
    match (a, b) {
        (0, bound) | (bound, 0) => Some(bound),
        (NUMBER, NUMBER | 1) | (1, NUMBER) => Some(NUMBER),
        (NUMBER, _) | (_, NUMBER) => None,
        (a, b) => Some(if a > b { a } else { b }),
    }
}

/// Visits all operations, with whether they stand in a loop whose products are written out.
fn each(items: &[Item], is_hot: bool, visit: &mut impl FnMut(&Instr, bool)) {
    for item in items {
        match item {
            Item::Op(instr) => visit(instr, is_hot),
            Item::Loop { test, body, .. } => {
                let is_hot = is_hot || is_hot_loop(body);
                test.iter().for_each(|(items, _)| each(items, is_hot, visit));
                each(body, is_hot, visit);
            }
            Item::If { then, otherwise, .. } | Item::Branch { then, otherwise, .. } => {
                each(then, is_hot, visit);
                each(otherwise, is_hot, visit);
            }
        }
    }
}

impl Text<'_> {
    /// A variable as an operation takes it.
    pub(super) fn read(&self, instr: &Instr, var: Var) -> String {
        if takes_lazy(instr.what) { self.var(var) } else { self.below_modulus(var) }
    }

    /// A variable, below the modulus if it is a residue.
    pub(super) fn below_modulus(&self, var: Var) -> String {
        let name = self.var(var);
        if self.bounds.bound(Some(var)) == 1 { name } else { format!("less_modulus({name}, 0, ring)") }
    }
}

/// Whether an operation takes residues with their bounds, or does not look at them.
const fn takes_lazy(what: What) -> bool {
    use What::{Add, ColdWrite, Copy, Mul, Neg, Select, Sub};
    matches!(what, Add | ColdWrite | Copy | Mul | Neg | Select | Sub)
}
