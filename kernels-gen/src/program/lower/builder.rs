//! Items of a tape in scopes: equal operations are one, and what a loop does not change stands before it.

mod tables;

use std::collections::HashMap;

use crate::invariant::broken_invariant;
use crate::program::tape::code::{Class, Instr, Item, Var, What};

/// The kind of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The top, or a round of a loop.
    Loop,
    /// An arm that some instances take: what is in it stays there.
    Arm,
    /// An arm that all instances take, or none: what it shares with the round around it stays there.
    Variant,
}

struct Scope {
    kind: Kind,
    items: Vec<Item>,
    known: HashMap<Instr, Var>,
    arrays: HashMap<Vec<Var>, u32>,
    /// Powers of a base by their exponents.
    powers: HashMap<(Var, u64), Var>,
}

/// The scopes, innermost last, and the variables.
pub(super) struct Builder {
    classes: Vec<Class>,
    /// The scope of each variable.
    levels: Vec<usize>,
    scopes: Vec<Scope>,
    /// Whether operations leave arms, too: those that every use of a modulus shares.
    raised: bool,
}

impl Builder {
    pub(super) fn new() -> Self {
        let mut builder = Self { classes: vec![], levels: vec![], scopes: vec![], raised: false };
        builder.open(Kind::Loop);
        builder
    }

    pub(super) fn open(&mut self, kind: Kind) {
        self.scopes.push(Scope {
            kind,
            items: vec![],
            known: HashMap::new(),
            arrays: HashMap::new(),
            powers: HashMap::new(),
        });
    }

    pub(super) fn close(&mut self) -> Vec<Item> {
        self.scopes.pop().unwrap_or_else(|| broken_invariant("scopes of a tape are nested")).items
    }

    /// All items and the classes of the variables.
    pub(super) fn finish(mut self) -> (Vec<Item>, Vec<Class>) {
        (self.close(), self.classes)
    }

    fn top(&self) -> usize {
        self.scopes.len() - 1
    }

    pub(super) fn class(&self, var: Var) -> Class {
        self.classes[var.index()]
    }

    /// A variable of the innermost scope.
    pub(super) fn var(&mut self, class: Class) -> Var {
        self.var_at(class, self.top())
    }

    fn var_at(&mut self, class: Class, level: usize) -> Var {
        self.classes.push(class);
        self.levels.push(level);
        Var(self.classes.len() as u32 - 1)
    }

    /// From here on the variable belongs to the innermost scope, as the result of a loop does behind it.
    pub(super) fn moved(&mut self, var: Var) {
        self.levels[var.index()] = self.top();
    }

    pub(super) fn item(&mut self, item: Item) {
        let top = self.top();
        if top == 0 && matches!(item, Item::Loop { .. }) {
            // Inputs are read again behind a loop, so that they take no slots in it.
            self.scopes[0].known.retain(|instr, _| instr.what != What::Load);
        }
        self.scopes[top].items.push(item);
    }

    /// An operation in the innermost scope, at this point.
    pub(super) fn effect(&mut self, instr: Instr) {
        self.item(Item::Op(instr.effect()));
    }

    /// An operation in the innermost scope, at this point, with a result.
    pub(super) fn fallible(&mut self, instr: Instr, class: Class) -> Var {
        let z = self.var(class);
        self.effect(instr.z(z));
        z
    }

    /// A copy to a variable that has several.
    pub(super) fn assign(&mut self, z: Var, x: Var) {
        let what = if self.class(z) == Class::Number { What::Copy } else { What::ScalarCopy };
        self.item(Item::Op(Instr::new(what).z(z).x(x).high(64)));
    }

    /// The result of an operation, which is computed once, in the outermost loop that has its operands.
    pub(super) fn pure(&mut self, instr: Instr, class: Class) -> Var {
        let instr = ordered(instr);
        let needed = instr.reads().map(|var| self.levels[var.index()]).max().unwrap_or(0);
        let level = self.level(needed);
        // What leaves an arm may not read what stays in it.
        let seen = if self.raised { &self.scopes[..=level] } else { &self.scopes[..] };
        if let Some(var) = seen.iter().rev().find_map(|scope| scope.known.get(&instr)) {
            return *var;
        }
        let z = self.var_at(class, level);
        self.scopes[level].known.insert(instr, z);
        self.scopes[level].items.push(Item::Op(instr.z(z)));
        z
    }

    /// The outermost scope from `needed` on that the innermost one may move an operation to.
    fn level(&self, needed: usize) -> usize {
        let mut level = self.top();
        while level > needed {
            match self.scopes[level].kind {
                Kind::Arm if !self.raised => break,
                Kind::Variant if level == needed + 1 && !self.raised => break,
                _ => level -= 1,
            }
        }
        level
    }

    /// From here on operations leave arms, or not; returns how it was.
    pub(super) const fn raise(&mut self, raised: bool) -> bool {
        core::mem::replace(&mut self.raised, raised)
    }

    /// An operation in the outermost scope, at this point.
    pub(super) fn top_effect(&mut self, instr: Instr, class: Class) -> Var {
        let z = self.var_at(class, 0);
        self.scopes[0].items.push(Item::Op(instr.effect().z(z)));
        z
    }

    /// Whether no scope around this point knows the check, which the innermost one does from now on.
    pub(super) fn is_first(&mut self, check: Instr) -> bool {
        if self.scopes.iter().any(|scope| scope.known.contains_key(&check)) {
            return false;
        }
        let (top, none) = (self.top(), Var(u32::MAX));
        self.scopes[top].known.insert(check, none);
        true
    }

    pub(super) fn number(&mut self, instr: Instr) -> Var {
        self.pure(instr, Class::Number)
    }

    /// A scalar of so many bits.
    pub(super) fn scalar(&mut self, instr: Instr, bits: u32, signed: bool) -> Var {
        self.pure(instr.high(bits | u32::from(signed) << 8), Class::Scalar)
    }

    /// A constant scalar.
    pub(super) fn constant(&mut self, value: u64) -> Var {
        let instr = Instr::new(What::ScalarConstant).low(value as u32).high((value >> 32) as u32);
        self.pure(instr, Class::Scalar)
    }
}

/// The operands of commutative operations in order.
fn ordered(instr: Instr) -> Instr {
    let commutes = matches!(
        instr.what,
        What::Mul | What::Add | What::ScalarAdd | What::ScalarMul | What::ScalarAnd | What::ScalarOr
    );
    match (instr.x, instr.y) {
        (Some(x), Some(y)) if commutes && y < x => Instr { x: Some(y), y: Some(x), ..instr },
        _ => instr,
    }
}
