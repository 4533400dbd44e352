//! An order of operations in which few numbers are alive at once.
//!
//! One is that in which stores need them. Others are random list schedules, in which an operation that ends
//! the life of its operands comes early. The best is kept; the same operations always give the same order.

use std::collections::{HashMap, HashSet};

use super::code::{Class, Instr, Item, Var};
use super::flow::{VarSet, alive_after, flatten};
use super::schedule::{Random, by_demand, schedule};
use super::slots::allocate;

/// Work of the search in operations that are ordered.
const WORK: usize = 10_000;

/// Orders that are tried within the whole tape.
const TRIED: usize = 4;

/// No run is left to skip: it was found.
const DONE: usize = usize::MAX;

/// Operations for which random orders are tried at most.
const MOST: usize = 80;

/// The items with each run of operations in a good order.
pub(crate) fn ordered(mut items: Vec<Item>, classes: &[Class]) -> Vec<Item> {
    for run in 0..runs(&items) {
        items = best_of_run(items, run, classes);
    }
    items
}

/// Tries orders of one run of operations within the whole tape: many by the numbers that they keep alive, and
/// the best of these by copies and slots. Where other runs need as many slots, that with fewer numbers alive.
fn best_of_run(items: Vec<Item>, run: usize, classes: &[Class]) -> Vec<Item> {
    let code = flat(&items);
    let (mut ops, mut depth) = (vec![], 0);
    with_run(&mut items.clone(), &mut { run }, 0, &mut |found, around| {
        (ops, depth) = (found.clone(), around);
    });
    let Some(first) = code.windows(ops.len()).position(|window| window == ops) else { return items };
    let after = &alive_after(&code, classes.len())[first + ops.len() - 1];
    let mut orders = vec![by_demand(&ops)];
    if depth > 0 && ops.len() <= MOST {
        let trials = (WORK / ops.len()).clamp(1, 600);
        let mut rng = Random(0x9e37_79b9_7f4a_7c15);
        orders.extend((0..trials).map(|_| schedule(&ops, &mut rng)));
    }
    orders.sort_by_key(|order| peak(order, after, classes));
    let mut best = ((cost(&code, classes), peak(&ops, after, classes)), items.clone());
    for order in orders.into_iter().take(TRIED) {
        let mut tried = items.clone();
        with_run(&mut tried, &mut { run }, 0, &mut |ops, _| ops.clone_from(&order));
        let found = (cost(&flat(&tried), classes), peak(&order, after, classes));
        if found < best.0 {
            best = (found, tried);
        }
    }
    best.1
}

/// The most numbers that are alive at once among those that the operations read and compute.
fn peak(ops: &[Instr], after: &VarSet, classes: &[Class]) -> usize {
    let is_number = |var: &Var| classes[var.index()] == Class::Number;
    let mut last: HashMap<Var, usize> = HashMap::new();
    for (i, op) in ops.iter().enumerate() {
        op.reads().filter(is_number).for_each(|var| _ = last.insert(var, i));
    }
    let defined: HashSet<Var> = ops.iter().filter_map(|op| op.z).collect();
    let mut alive: HashSet<Var> = last.keys().copied().filter(|var| !defined.contains(var)).collect();
    let mut most = alive.len();
    for (i, op) in ops.iter().enumerate() {
        op.reads()
            .filter(|var| last.get(var) == Some(&i) && !after.contains(*var))
            .for_each(|var| _ = alive.remove(&var));
        alive.extend(op.z.filter(is_number));
        most = most.max(alive.len());
    }
    most
}

fn flat(items: &[Item]) -> Vec<Instr> {
    let mut code = vec![];
    flatten(items, &mut code);
    code
}

/// Copies that remain, then slots.
fn cost(code: &[Instr], classes: &[Class]) -> (usize, u32) {
    let slots = allocate(code, classes);
    let copies = code.iter().filter(|instr| instr.is_copy() && !slots.is_idle(instr)).count();
    (copies, slots.numbers)
}

/// The number of runs of operations.
fn runs(items: &[Item]) -> usize {
    let mut left = DONE - 1;
    with_run(&mut items.to_vec(), &mut left, 0, &mut |_, _| ());
    DONE - 1 - left
}

/// Calls f with a run of operations, by its number, and the loops around it.
fn with_run(
    items: &mut Vec<Item>,
    skip: &mut usize,
    depth: usize,
    f: &mut dyn FnMut(&mut Vec<Instr>, usize),
) {
    let mut start = 0;
    while start < items.len() && *skip != DONE {
        let mut ops: Vec<Instr> = items[start..].iter().map_while(movable).collect();
        let end = start + ops.len();
        if ops.len() > 1 {
            if *skip == 0 {
                f(&mut ops, depth);
                items.splice(start..end, ops.into_iter().map(Item::Op));
                *skip = DONE;
                return;
            }
            *skip -= 1;
        }
        match items.get_mut(end) {
            Some(Item::Branch { then, otherwise, .. } | Item::If { then, otherwise, .. }) => {
                with_run(then, skip, depth, f);
                with_run(otherwise, skip, depth, f);
            }
            Some(Item::Loop { body, .. }) => with_run(body, skip, depth + 1, f),
            Some(Item::Op(_)) | None => {}
        }
        start = end + 1;
    }
}

/// An operation that is no copy: copies at the end of a round keep their place.
fn movable(item: &Item) -> Option<Instr> {
    match item {
        Item::Op(instr) if !instr.is_copy() => Some(*instr),
        _ => None,
    }
}
