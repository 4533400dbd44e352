//! The places of variables: copies that cost nothing, and as few slots as can be found.

use std::collections::HashMap;

use super::code::{Class, Instr, Var, What};
use super::flow::{VarSet, alive_after};

/// The place of each variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slots {
    places: HashMap<Var, u32>,
    /// Numbers in shared memory.
    pub(crate) numbers: u32,
    /// Scalars.
    pub(crate) scalars: u32,
}

impl Slots {
    /// The place of a variable among those of its class; 0 for one that nobody reads.
    pub(crate) fn place(&self, var: Var) -> u32 {
        self.places.get(&var).copied().unwrap_or(0)
    }

    /// Whether the operation copies a place to itself.
    pub(crate) fn is_idle(&self, instr: &Instr) -> bool {
        instr.is_copy() && instr.x.zip(instr.z).is_some_and(|(x, z)| self.place(x) == self.place(z))
    }
}

/// Places for the variables of a tape.
pub(crate) fn allocate(code: &[Instr], classes: &[Class]) -> Slots {
    let mut groups = Groups::of(code, classes);
    groups.join_copies(code);
    let orders = [groups.by_definition(code), groups.by_neighbours()];
    let coloured = orders.map(|order| groups.coloured(&order, classes));
    let [first, second] = coloured;
    if second.numbers < first.numbers { second } else { first }
}

/// The slot from which on operations on integers may overwrite shared memory: outside loops and arms, where all
/// instances that have not failed are active, behind the numbers that are alive; else behind all.
pub(crate) fn free_slot(code: &[Instr], classes: &[Class], slots: &Slots) -> u32 {
    let alive = alive_after(code, classes.len());
    let (mut depth, mut free) = (0_usize, 0);
    for (instr, alive) in code.iter().zip(&alive) {
        match instr.what {
            What::Push => depth += 1,
            What::Pop => depth -= 1,
            What::Integer(_) if depth > 0 => return slots.numbers,
            What::Integer(_) => {
                let numbers = alive.iter().filter(|var| classes[var.index()] == Class::Number);
                let last = numbers.filter(|&var| Some(var) != instr.z).map(|var| slots.place(var) + 1).max();
                free = free.max(last.unwrap_or(0));
            }
            _ => {}
        }
    }
    free
}

/// Variables that share a place, and those with which they must not.
struct Groups {
    /// The group of each variable that has a place.
    of: HashMap<Var, usize>,
    members: Vec<VarSet>,
    neighbours: Vec<VarSet>,
}

impl Groups {
    fn of(code: &[Instr], classes: &[Class]) -> Self {
        let vars = classes.len();
        let alive = alive_after(code, vars);
        let mut groups = Self { of: HashMap::new(), members: vec![], neighbours: vec![] };
        for instr in code {
            for var in instr.z.into_iter().chain(instr.reads()) {
                groups.of.entry(var).or_insert_with(|| {
                    let mut alone = VarSet::with_room(vars);
                    alone.insert(var);
                    groups.members.push(alone);
                    groups.neighbours.push(VarSet::with_room(vars));
                    groups.members.len() - 1
                });
            }
        }
        for (instr, alive) in code.iter().zip(&alive) {
            let Some(z) = instr.z else { continue };
            let source = if instr.is_copy() { instr.x } else { None };
            let class = classes[z.index()];
            let others =
                alive.iter().filter(|&var| var != z && Some(var) != source && classes[var.index()] == class);
            for other in others {
                let (a, b) = (groups.of[&z], groups.of[&other]);
                groups.neighbours[a].insert(other);
                groups.neighbours[b].insert(z);
            }
        }
        groups
    }

    /// Source and destination of a copy share a place where they can, those of the innermost loops first.
    fn join_copies(&mut self, code: &[Instr]) {
        let mut depth = 0_usize;
        let mut copies = vec![];
        for instr in code {
            match instr.what {
                What::Push => depth += 1,
                What::Pop => depth -= 1,
                _ if instr.is_copy() => copies.push((depth, instr)),
                _ => {}
            }
        }
        copies.sort_by_key(|(depth, _)| core::cmp::Reverse(*depth));
        for (_, instr) in copies {
            let Some((x, z)) = instr.x.zip(instr.z) else { continue };
            let (a, b) = (self.of[&x], self.of[&z]);
            if a != b && !self.neighbours[a].meets(&self.members[b]) {
                self.join(a, b);
            }
        }
    }

    fn join(&mut self, into: usize, from: usize) {
        let (members, neighbours) = (self.members[from].clone(), self.neighbours[from].clone());
        members.iter().for_each(|var| {
            self.of.insert(var, into);
        });
        self.members[into].extend(&members);
        self.neighbours[into].extend(&neighbours);
        // The neighbours' own sets name the members of both.
    }

    /// The groups in the order in which they are defined.
    fn by_definition(&self, code: &[Instr]) -> Vec<usize> {
        let mut order = vec![];
        for var in code.iter().filter_map(|instr| instr.z) {
            let group = self.of[&var];
            if !order.contains(&group) {
                order.push(group);
            }
        }
        order
    }

    /// Those with many neighbours first.
    fn by_neighbours(&self) -> Vec<usize> {
        let mut groups: Vec<usize> = self.of.values().copied().collect();
        groups.sort_unstable();
        groups.dedup();
        groups.sort_by_key(|&group| core::cmp::Reverse(self.neighbours[group].iter().count()));
        groups
    }

    /// The first free place for each group.
    fn coloured(&self, order: &[usize], classes: &[Class]) -> Slots {
        let mut places: HashMap<Var, u32> = HashMap::new();
        let mut counts = [0_u32; 2];
        for &group in order {
            let Some(first) = self.members[group].iter().next() else { continue };
            let taken: Vec<u32> =
                self.neighbours[group].iter().filter_map(|var| places.get(&var).copied()).collect();
            let place = (0..).find(|place| !taken.contains(place)).unwrap_or(0);
            for var in self.members[group].iter() {
                places.insert(var, place);
            }
            let count = &mut counts[usize::from(classes[first.index()] == Class::Scalar)];
            *count = (*count).max(place + 1);
        }
        let [numbers, scalars] = counts;
        Slots { places, numbers, scalars }
    }
}

#[cfg(test)]
mod tests;
