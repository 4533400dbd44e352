//! Rows of lists.

use core::sync::atomic::{AtomicU64, Ordering};

use super::mask::Mask;
use super::plan::Plan;
use super::tile::{Machine, view};
use super::{RunError, Runner};
use crate::invariant::broken_invariant;
use crate::program::{Element, Node, Rows, TypedProgram};

const ALL_LISTS: &str = "a run has the rows of all lists of its program";

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
    /// Takes the rows of a list, by its number in [`TypedProgram::lists`], that have been appended since the
    /// last call: by their instances, those of an instance in the order in which it appended them. Later
    /// states and results do not have them; they count in the most rows of the list. None if the program has
    /// no such list.
    ///
    /// ```
    /// use limbforge_algos::cpu::program::Runner;
    /// use limbforge_algos::program::Program;
    /// use limbforge_limb::{Batch, Layout};
    ///
    /// let text = "in a: u64\nlist seen: u64 at most 100\nvar x = a\nrepeat 3 { x = 2*x\n emit seen(x) }";
    /// let program = Program::parse(text)?.typed(&[])?;
    /// let a = Batch::<u64>::from_u64s("u64".parse()?, Layout::InstanceMajor, &[1, 5])?;
    /// let mut run = Runner::new(&program, vec![a], 2)?;
    /// run.advance(2);
    /// let first = run.take_rows(0).unwrap();
    /// assert_eq!(first.columns()?[0].to_u64s()?, [2, 4, 10, 20]);
    /// let rest = run.complete()?.lists;
    /// assert_eq!(rest[0].columns()?[0].to_u64s()?, [8, 40]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_rows(&mut self, list: usize) -> Option<Rows> {
        let declared = self.plan.program.lists().get(list)?;
        if self.before.is_empty() {
            self.before = Rows::of_all(&self.plan.program);
        }
        let before = self.before.get_mut(list).unwrap_or_else(|| broken_invariant(ALL_LISTS));
        for tile in self.tiles.iter_mut().flatten() {
            if let Some(rows) = tile.lists.get_mut(list) {
                before.append(&core::mem::replace(rows, Rows::of(&self.plan.program, declared)));
            }
        }
        before.sort();
        Some(before.take())
    }

    /// Errors if a list has more rows than the program says, so far. They are lost.
    ///
    /// # Errors
    /// [`RunError::ListFull`].
    pub fn check_lists(&self) -> Result<(), RunError> {
        check(&self.plan)
    }
}
