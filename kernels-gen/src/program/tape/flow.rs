//! A tape as a list of operations with jumps, and what is alive at each.

use std::collections::HashSet;

use super::code::{Extra, Instr, Item, Var, What};

/// The operations of items, jumps with the index of their target in `low`.
pub(crate) fn flatten(items: &[Item], into: &mut Vec<Instr>) {
    for item in items {
        match item {
            Item::Op(instr) => into.push(*instr),
            Item::Loop { index, count, test, body } => {
                into.push(Instr::new(What::Push));
                let head = into.len();
                into.push(Instr::new(What::Head).x(*index).y(*count));
                let mut exits = vec![head];
                if let Some((items, condition)) = test {
                    flatten(items, into);
                    exits.push(into.len());
                    into.push(Instr::new(What::Test).x(*condition));
                }
                flatten(body, into);
                into.push(Instr::new(What::Next).z(*index).x(*index).y(*count).low(head as u32 + 1));
                close(into, &exits);
                into.push(Instr::new(What::Pop));
            }
            Item::If { condition, then, otherwise } => {
                into.push(Instr::new(What::Push));
                let test = into.len();
                into.push(Instr::new(What::Test).x(*condition));
                flatten(then, into);
                close(into, &[test]);
                let test = into.len();
                into.push(Instr::new(What::Otherwise).x(*condition));
                flatten(otherwise, into);
                close(into, &[test]);
                into.push(Instr::new(What::Pop));
            }
            Item::Branch { condition, then, otherwise } => {
                let test = into.len();
                into.push(Instr::new(What::Branch).x(*condition));
                flatten(then, into);
                let jump = into.len();
                into.push(Instr::new(What::Jump));
                close(into, &[test]);
                flatten(otherwise, into);
                close(into, &[jump]);
            }
        }
    }
}

/// Jumps to the next operation.
fn close(code: &mut [Instr], jumps: &[usize]) {
    let end = code.len() as u32;
    for &jump in jumps {
        code[jump].low = Extra::Word(end);
    }
}

/// The operations that may follow one. An instance that skips an arm goes on behind it.
fn successors(code: &[Instr], at: usize) -> impl Iterator<Item = usize> {
    let instr = code[at];
    let target = if let Extra::Word(target) = instr.low { Some(target as usize) } else { None };
    let (next, jump) = match instr.what {
        What::Jump => (None, target),
        What::Head | What::Next | What::Test | What::Otherwise | What::Branch => (Some(at + 1), target),
        What::Halt => (None, None),
        _ => (Some(at + 1), None),
    };
    let len = code.len();
    next.into_iter().chain(jump).filter(move |&next| next < len)
}

/// A set of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct VarSet(Vec<u64>);

impl VarSet {
    pub(crate) fn with_room(vars: usize) -> Self {
        Self(vec![0; vars.div_ceil(64)])
    }

    pub(crate) fn insert(&mut self, var: Var) {
        self.0[var.index() / 64] |= 1 << (var.index() % 64);
    }

    pub(crate) fn remove(&mut self, var: Var) {
        self.0[var.index() / 64] &= !(1 << (var.index() % 64));
    }

    pub(crate) fn contains(&self, var: Var) -> bool {
        self.0[var.index() / 64] >> (var.index() % 64) & 1 == 1
    }

    /// Adds those of another set; returns whether there was a new one.
    pub(crate) fn extend(&mut self, other: &Self) -> bool {
        let mut grown = false;
        for (word, &more) in self.0.iter_mut().zip(&other.0) {
            grown |= more & !*word != 0;
            *word |= more;
        }
        grown
    }

    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(x, y)| x & y != 0)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Var> {
        let bits = |(i, &word): (usize, &u64)| {
            (0..64_u32).filter(move |bit| word >> bit & 1 == 1).map(move |bit| Var(64 * i as u32 + bit))
        };
        self.0.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(bits)
    }
}

/// The variables, of so many, whose values are read after each operation.
///
/// Stores of an instance that is not active are left out, so that slots belong to each instance by itself: an
/// arm's operations do not overwrite what another instance needs.
pub(crate) fn alive_after(code: &[Instr], vars: usize) -> Vec<VarSet> {
    let mut before = vec![VarSet::with_room(vars); code.len()];
    let mut after = before.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..code.len()).rev() {
            let mut live = VarSet::with_room(vars);
            for next in successors(code, at) {
                live.extend(&before[next]);
            }
            after[at].clone_from(&live);
            if let Some(z) = code[at].z {
                live.remove(z);
            }
            code[at].reads().for_each(|var| live.insert(var));
            changed |= before[at].extend(&live);
        }
    }
    after
}

/// Leaves out operations whose results nobody reads.
pub(crate) fn without_dead(mut items: Vec<Item>, vars: usize) -> Vec<Item> {
    loop {
        let mut code = vec![];
        flatten(&items, &mut code);
        let alive = alive_after(&code, vars);
        let is_read =
            |(instr, alive): &(&Instr, &VarSet)| instr.effect || instr.z.is_none_or(|z| alive.contains(z));
        let (kept, dead): (Vec<_>, Vec<_>) = code.iter().zip(&alive).partition(is_read);
        let kept: HashSet<Instr> = kept.into_iter().map(|(instr, _)| *instr).collect();
        let dead: HashSet<Instr> = dead.into_iter().map(|(instr, _)| *instr).collect();
        let dead: HashSet<Instr> = dead.difference(&kept).copied().collect();
        if dead.is_empty() {
            return items;
        }
        items = sift(items, &dead);
    }
}

fn sift(items: Vec<Item>, dead: &HashSet<Instr>) -> Vec<Item> {
    let keep = |item: Item| match item {
        Item::Op(instr) => (!dead.contains(&instr)).then_some(Item::Op(instr)),
        Item::Loop { index, count, test, body } => {
            let test = test.map(|(items, condition)| (sift(items, dead), condition));
            Some(Item::Loop { index, count, test, body: sift(body, dead) })
        }
        Item::If { condition, then, otherwise } => {
            let (then, otherwise) = (sift(then, dead), sift(otherwise, dead));
            let empty = then.is_empty() && otherwise.is_empty();
            (!empty).then_some(Item::If { condition, then, otherwise })
        }
        Item::Branch { condition, then, otherwise } => {
            let (then, otherwise) = (sift(then, dead), sift(otherwise, dead));
            let empty = then.is_empty() && otherwise.is_empty();
            (!empty).then_some(Item::Branch { condition, then, otherwise })
        }
    };
    items.into_iter().filter_map(keep).collect()
}
