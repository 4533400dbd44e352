//! Rows of lists.

use core::sync::atomic::{AtomicU64, Ordering};

use super::mask::Mask;
use super::plan::Plan;
use super::tile::{Machine, view};
use super::{RunError, Runner};
use crate::program::{Element, Node, Rows, TypedProgram};

/// How many rows a list has; those beyond its most are counted and not kept.
#[derive(Debug, Default)]
pub(super) struct Emitted(AtomicU64);

impl Emitted {
    pub(super) const fn new(rows: u64) -> Self {
        Self(AtomicU64::new(rows))
    }

    fn rows(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Machine<'_> {
    /// Appends a row for each active instance and element, where the guard holds.
    pub(super) fn emit(&mut self, list: usize, guarded: bool, node: &Node, active: Mask) {
        let plan = self.plan;
        let most = plan.program.lists()[list].most;
        let elements = node.args.iter().find_map(|&arg| plan.program.ty(arg).length).unwrap_or(1) as usize;
        let mut lists = core::mem::take(&mut self.tile.lists);
        if lists.is_empty() {
            lists = Rows::of_all(&plan.program);
        }
        let (guard, columns) = node.args.split_at(usize::from(guarded));
        for i in active.iter() {
            for e in 0..elements {
                let is_left_out = |&guard| view(plan, &self.tile.slots, guard).get(i, e) == [0];
                if guard.iter().any(is_left_out)
                    || plan.emitted[list].0.fetch_add(1, Ordering::Relaxed) >= most
                {
                    continue;
                }
                lists[list].push(plan.number(self.tile.first + i), |k, out| {
                    let limbs = view(plan, &self.tile.slots, columns[k]).get(i, e);
                    match plan.program.ty(columns[k]).element {
                        Element::Residue(modulus) => {
                            let ring = self.tile.rings[modulus.index()].get(i);
                            let words = ring.modulus.len();
                            let number = ring.leave(&limbs[..words], &mut self.room.memory.scratch);
                            out[..words].copy_from_slice(&number);
                        }
                        _ => out.copy_from_slice(limbs),
                    }
                });
            }
        }
        self.tile.lists = lists;
    }
}

/// Errors if a list has more rows than it may have.
pub(super) fn check(plan: &Plan) -> Result<(), RunError> {
    let full = plan.program.lists().iter().zip(&plan.emitted).find(|(list, rows)| rows.rows() > list.most);
    full.map_or(Ok(()), |(list, _)| Err(RunError::ListFull { name: list.name.to_string(), most: list.most }))
}

/// The rows of parts of a run one after the other, by their instances.
pub(super) fn joined<'r>(
    program: &TypedProgram,
    before: &[Rows],
    parts: impl IntoIterator<Item = &'r [Rows]>,
) -> Vec<Rows> {
    let mut lists = if before.is_empty() { Rows::of_all(program) } else { before.to_vec() };
    for part in parts {
        lists.iter_mut().zip(part).for_each(|(list, part)| list.append(part));
    }
    lists.iter_mut().for_each(Rows::sort);
    lists
}

impl Runner {
    /// Errors if a list has more rows than the program says, so far. They are lost.
    ///
    /// # Errors
    /// [`RunError::ListFull`].
    pub fn check_lists(&self) -> Result<(), RunError> {
        check(&self.plan)
    }
}
