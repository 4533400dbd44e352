//! The places of values in shared memory for a kernel on tensor cores: data, no CUDA.

use super::phases::{Phases, Value};
use crate::invariant::broken_invariant;

/// Something of a value's Toeplitz form (reversed copies: the first factor of products) and of its data form
/// (words in order: the second factor, and summands).
type Forms<T> = [Option<T>; 2];

/// The areas of an instance's values: each value is stored once in each form that products take it in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Areas {
    /// Areas of Toeplitz and of data form.
    pub(super) counts: [u32; 2],
    /// The areas of each operand.
    pub(super) inputs: Vec<Forms<u32>>,
    /// The areas of each phase's result.
    pub(super) phases: Vec<Forms<u32>>,
    /// The areas of each product's factors, Toeplitz and data, product by product of phase by phase.
    pub(super) products: Vec<[u32; 2]>,
}

impl Areas {
    /// The areas of these phases. An area serves several values one after the other.
    pub(super) fn of(phases: &Phases) -> Self {
        let inputs = phases.inputs;
        let place = |value: Value| match value {
            Value::Input(i) => i,
            Value::Phase(i) => inputs + i,
        };
        let factors = factors(phases, place);
        // The last phase that reads the contents of an area; operands lie there from the start.
        let mut busy: [Vec<usize>; 2] = [vec![], vec![]];
        let mut areas = vec![];
        for (i, life) in lives(phases, &factors, place).into_iter().enumerate() {
            let written = i.checked_sub(inputs);
            areas.push([0, 1].map(|form| {
                let (last, busy) = (life[form]?, &mut busy[form]);
                // A phase still reads while it writes.
                let free = written.and_then(|phase| busy.iter().position(|&until| until < phase));
                let number = free.unwrap_or(busy.len());
                busy.resize(busy.len().max(number + 1), last);
                busy[number] = last;
                Some(number as u32)
            }));
        }
        let area = |value, form: usize| {
            areas[place(value)][form]
                .unwrap_or_else(|| broken_invariant("a factor lies in an area of its form"))
        };
        let products = factors.iter().map(|&[x, y]| [area(x, 0), area(y, 1)]).collect();
        let phases = areas.split_off(inputs);
        Self { counts: busy.map(|areas| areas.len() as u32), inputs: areas, phases, products }
    }

    /// The form and area of a summand, or the operand if it takes part in no product: then it is read from
    /// global memory.
    pub(super) fn read(&self, value: Value) -> (&'static str, u32) {
        let (Value::Input(i) | Value::Phase(i)) = value;
        let areas = if let Value::Input(_) = value { &self.inputs } else { &self.phases };
        match areas[i] {
            [_, Some(area)] => ("data", area),
            [Some(area), None] => ("toeplitz", area),
            // Every value of a phase that is read has an area.
            [None, None] => ("global", i as u32),
        }
    }
}

/// The factors of all products in order, that of the Toeplitz form first: squares need both forms of their
/// factor, then each product takes the order that adds the fewest forms.
fn factors(phases: &Phases, place: impl Fn(Value) -> usize) -> Vec<[Value; 2]> {
    let mut factors: Vec<[Value; 2]> = phases.products().collect();
    let mut has = vec![[false; 2]; phases.inputs + phases.phases.len()];
    for [x, _] in factors.iter().filter(|[x, y]| x == y) {
        has[place(*x)] = [true; 2];
    }
    for pair in factors.iter_mut().filter(|[x, y]| x != y) {
        let new = |x: Value, y: Value| usize::from(!has[place(x)][0]) + usize::from(!has[place(y)][1]);
        if new(pair[0], pair[1]) > new(pair[1], pair[0]) {
            pair.swap(0, 1);
        }
        has[place(pair[0])][0] = true;
        has[place(pair[1])][1] = true;
    }
    factors
}

/// The last phases that read each value's forms.
fn lives(phases: &Phases, factors: &[[Value; 2]], place: impl Fn(Value) -> usize) -> Vec<Forms<usize>> {
    let mut lives = vec![[None; 2]; phases.inputs + phases.phases.len()];
    let mut factors = factors.iter();
    for (number, phase) in phases.phases.iter().enumerate() {
        for [x, y] in factors.by_ref().take(phase.products.len()) {
            lives[place(*x)][0] = Some(number);
            lives[place(*y)][1] = Some(number);
        }
    }
    // Summands come after the factors are known: data, or the other form, or data after all for a phase's
    // result.
    for (number, phase) in phases.phases.iter().enumerate() {
        for (value, _) in &phase.terms {
            let last = &mut lives[place(*value)];
            let form = usize::from(last[1].is_some() || last[0].is_none());
            if last[form].is_some() || matches!(value, Value::Phase(_)) {
                last[form] = last[form].max(Some(number));
            }
        }
    }
    lives
}
