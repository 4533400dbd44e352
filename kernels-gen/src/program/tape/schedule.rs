//! Orders of a run of operations.

use std::collections::{HashMap, HashSet};

use super::code::{Instr, Var};

/// Each operation as late as the effects and the results behind the run, in their order, allow.
pub(super) fn by_demand(ops: &[Instr]) -> Vec<Instr> {
    let defined: HashMap<Var, usize> =
        ops.iter().enumerate().filter_map(|(i, op)| op.z.map(|z| (z, i))).collect();
    let mut done = vec![false; ops.len()];
    let mut order = vec![];
    let effects = (0..ops.len()).filter(|&i| ops[i].effect);
    for root in effects.chain(0..ops.len()) {
        let mut stack = vec![root];
        while let Some(&i) = stack.last() {
            let missing = |var: &Var| defined.get(var).copied().filter(|&def| !done[def] && def != i);
            match ops[i].reads().find_map(|var| missing(&var)) {
                Some(def) => stack.push(def),
                None => {
                    stack.pop();
                    if !core::mem::replace(&mut done[i], true) {
                        order.push(ops[i]);
                    }
                }
            }
        }
    }
    order
}

/// A random order in which operations that free operands come early.
pub(super) fn schedule(ops: &[Instr], rng: &mut Random) -> Vec<Instr> {
    let mut uses: HashMap<Var, usize> = HashMap::new();
    for var in ops.iter().flat_map(|op| op.reads().collect::<HashSet<_>>()) {
        *uses.entry(var).or_default() += 1;
    }
    let defined: HashMap<Var, usize> =
        ops.iter().enumerate().filter_map(|(i, op)| op.z.map(|z| (z, i))).collect();
    let (mut left, mut order): (Vec<usize>, Vec<usize>) = ((0..ops.len()).collect(), vec![]);
    let mut done = vec![false; ops.len()];
    while !left.is_empty() {
        let first_effect = left.iter().copied().find(|&i| ops[i].effect);
        let ready = |i: usize| {
            let operands =
                ops[i].reads().all(|var| defined.get(&var).is_none_or(|&def| done[def] || def == i));
            operands && (!ops[i].effect || first_effect == Some(i))
        };
        let gain =
            |i: usize| ops[i].reads().collect::<HashSet<_>>().iter().filter(|var| uses[var] == 1).count();
        let mut best: Option<(u64, usize)> = None;
        for &i in left.iter().filter(|&&i| ready(i)) {
            let score = 1000 * gain(i) as u64 + rng.below(1500);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, i));
            }
        }
        let Some((_, next)) = best else { return ops.to_vec() };
        left.retain(|&i| i != next);
        done[next] = true;
        for var in ops[next].reads().collect::<HashSet<_>>() {
            uses.entry(var).and_modify(|count| *count -= 1);
        }
        order.push(next);
    }
    order.into_iter().map(|i| ops[i]).collect()
}

/// Numbers that look random (Marsaglia's xorshift).
pub(super) struct Random(pub(super) u64);

impl Random {
    const fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}
