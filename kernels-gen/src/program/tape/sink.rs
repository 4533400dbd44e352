//! Operations behind loops that do not need them.

use std::collections::HashSet;

use super::code::{Instr, Item, Var};
use super::flow::flatten;

/// The items of the outermost level, where each operation without an effect that stands before a loop or a branch
/// comes behind it, if it is first needed there. What it computes then takes no slot meanwhile, but what it reads
/// may.
pub(crate) fn sunk(items: Vec<Item>) -> Vec<Item> {
    let mut out: Vec<(Item, Vec<Instr>)> = vec![];
    // `out` is in reverse order: the last item is the next one.
    for item in items.into_iter().rev() {
        let code = flat(&item);
        let place = match &item {
            Item::Op(instr) if !instr.effect && !instr.is_copy() => place(instr, &out),
            _ => None,
        };
        out.insert(place.unwrap_or(out.len()), (item, code));
    }
    out.into_iter().rev().map(|(item, _)| item).collect()
}

fn flat(item: &Item) -> Vec<Instr> {
    let mut code = vec![];
    flatten(core::slice::from_ref(item), &mut code);
    code
}

/// The place before the first item that needs the operation's result or changes what it reads, if a loop or a branch
/// lies between.
fn place(instr: &Instr, next: &[(Item, Vec<Instr>)]) -> Option<usize> {
    let z = instr.z?;
    let reads: HashSet<Var> = instr.reads().collect();
    let stops = |code: &[Instr]| {
        code.iter()
            .any(|other| other.reads().any(|var| var == z) || other.z.is_some_and(|z| reads.contains(&z)))
    };
    let at = next.iter().rposition(|(_, code)| stops(code))?;
    let passes = next[at + 1..].iter().any(|(item, _)| !matches!(item, Item::Op(_)));
    passes.then_some(at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::tape::code::What;

    #[test]
    fn what_is_stored_behind_a_loop_is_computed_there() {
        let number = |z: u32| Item::Op(Instr::new(What::Number).z(Var(z)));
        let square = |z: u32, x: u32| Item::Op(Instr::new(What::Mul).z(Var(z)).x(Var(x)).y(Var(x)));
        let store = |x: u32| Item::Op(Instr::new(What::Store).x(Var(x)).effect());
        let used = Item::If { condition: Var(9), then: vec![store(1)], otherwise: vec![] };
        let items = vec![number(0), square(1, 0), square(2, 0), square(3, 2), used.clone(), store(3)];
        let expected = vec![number(0), square(1, 0), used, square(2, 0), square(3, 2), store(3)];
        assert_eq!(sunk(items), expected);
    }
}
