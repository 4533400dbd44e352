//! The end of a round: what is carried goes into its variables, and others share theirs.

use std::collections::{BTreeSet, HashMap};

use super::form::Form;
use super::{Lowering, NotResidues};
use crate::program::region::Region;
use crate::sequence::{Sequence, Step, Variable};

/// The bound of what a loop carries: a larger sum is multiplied by 1.
pub(super) const MOST_CARRIED: u32 = 2;

impl Lowering<'_> {
    /// The sequence of the round, of which the first variables are carried.
    pub(super) fn finish(mut self, body: &Region, carried: Variable) -> Result<Sequence, NotResidues> {
        let mut copies = vec![];
        for (variable, &value) in (0..carried).zip(&body.yields) {
            let mut form = self.form(value).ok_or(NotResidues::Nothing)?;
            if form == Form::of(variable) {
                continue;
            }
            if form.weight(&self.bounds) > MOST_CARRIED {
                form = self.multiplied_by_one(&form)?;
            }
            copies.push((variable, form));
        }
        // All are read before one is written.
        for (_, form) in &mut copies {
            if (0..carried).any(|variable| form.reads(variable)) {
                *form = self.sum(form)?;
            }
        }
        let names = self.renamed(&copies, carried);
        let mut rename =
            |variable: &mut Variable| *variable = names.get(&*variable).copied().unwrap_or(*variable);
        for (to, form) in copies.iter().filter(|(to, form)| !is_renamed(&names, *to, form)) {
            self.steps.push(Step::Sum { to: *to, terms: form.terms()? });
        }
        self.steps.iter_mut().for_each(|step| each_variable(step, &mut rename));
        share(&mut self.steps, self.one);
        Ok(Sequence::new(self.one, self.steps, (0..carried).collect())?)
    }

    /// Variables of steps that may have a carried one's place: no later step reads the value from before.
    fn renamed(&self, copies: &[(Variable, Form)], carried: Variable) -> HashMap<Variable, Variable> {
        let mut names = HashMap::new();
        for (to, form) in copies {
            let Some(variable) = form.variable().filter(|&variable| variable > self.one) else { continue };
            let set_by = self.steps.iter().position(|step| step.to() == variable);
            let later = set_by.map_or(&[][..], |step| &self.steps[step + 1..]);
            let is_read = later.iter().any(|step| reads(step, *to));
            if !is_read && set_by.is_some() && *to < carried {
                names.entry(variable).or_insert(*to);
            }
        }
        names
    }
}

/// Whether a step has set this carried variable itself.
fn is_renamed(names: &HashMap<Variable, Variable>, to: Variable, form: &Form) -> bool {
    form.variable().is_some_and(|variable| names.get(&variable) == Some(&to))
}

fn reads(step: &Step, variable: Variable) -> bool {
    step.sums().flatten().any(|term| term.variables.contains(&variable))
}

fn each_variable(step: &mut Step, with: &mut impl FnMut(&mut Variable)) {
    let (to, sums): (_, Vec<_>) = match step {
        Step::Product { to, factors } => (to, factors.iter_mut().collect()),
        Step::Sum { to, terms } => (to, vec![terms]),
    };
    with(to);
    sums.into_iter().flatten().flat_map(|term| &mut term.variables).for_each(with);
}

/// Lets variables of a round behind `one` take the place of those that no later step reads: a step may write
/// what it has read.
fn share(steps: &mut [Step], one: Variable) {
    let mut last_read = HashMap::new();
    for (at, step) in steps.iter().enumerate() {
        step.sums()
            .flatten()
            .flat_map(|term| term.variables)
            .for_each(|variable| _ = last_read.insert(variable, at));
    }
    let (mut places, mut free, mut next): (HashMap<Variable, Variable>, BTreeSet<Variable>, _) =
        (HashMap::new(), BTreeSet::new(), one + 1);
    for (at, step) in steps.iter_mut().enumerate() {
        let read: BTreeSet<Variable> = step.sums().flatten().flat_map(|term| term.variables).collect();
        let done = read.into_iter().filter(|variable| last_read[variable] == at);
        free.extend(done.filter_map(|variable| places.get(&variable).copied()));
        let to = step.to();
        if to > one {
            places.entry(to).or_insert_with(|| {
                free.pop_first().unwrap_or_else(|| {
                    next += 1;
                    next - 1
                })
            });
        }
        each_variable(step, &mut |variable: &mut Variable| {
            *variable = places.get(&*variable).copied().unwrap_or(*variable);
        });
    }
}
