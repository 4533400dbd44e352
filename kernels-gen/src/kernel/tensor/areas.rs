//! Where the values of a kernel on tensor cores lie in shared memory: data, nothing here is CUDA.

use super::phases::{Phases, Value};
use crate::invariant::broken_invariant;

/// In which form a value lies in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AreaForm {
    /// Reversed copies: the first factor of products.
    Toeplitz,
    /// As it lies: the second factor, and what is added.
    Data,
}

/// The number of an area, of those of its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Area {
    /// Its form.
    pub form: AreaForm,
    /// Its number.
    pub number: u32,
}

/// How a phase reads a value that it adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Read {
    /// From shared memory.
    Shared(Area),
    /// An operand that takes part in no product: from global memory.
    Global(usize),
}

/// The areas of an instance's values: each value is laid out once in each form that products take it in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Areas {
    /// Areas of Toeplitz and of data form.
    pub counts: [u32; 2],
    /// The areas of each operand's Toeplitz and data form.
    pub inputs: Vec<[Option<u32>; 2]>,
    /// The same of what each phase leaves.
    pub phases: Vec<[Option<u32>; 2]>,
    /// The areas of each product's factors, Toeplitz and data, product by product of phase by phase.
    pub products: Vec<[u32; 2]>,
}

/// Until when a value's forms are needed.
#[derive(Clone, Copy, Debug, Default)]
struct Life {
    /// The last phase that reads the Toeplitz and the data form.
    last: [Option<usize>; 2],
}

impl Areas {
    /// The areas of these phases. An area serves several values one after the other.
    #[must_use]
    pub fn of(phases: &Phases) -> Self {
        let inputs = phases.inputs();
        let place = |value: Value| match value {
            Value::Input(i) => i,
            Value::Phase(i) => inputs + i,
        };
        let factors = factors(phases, place);
        let lives = lives(phases, &factors, place);
        let mut areas = Self { counts: [0; 2], inputs: vec![], phases: vec![], products: vec![] };
        // The last phase that reads what lies in an area; operands lie there from the start.
        let mut busy: [Vec<usize>; 2] = [vec![], vec![]];
        for (i, life) in lives.iter().enumerate() {
            let written = i.checked_sub(inputs);
            let mut at = [None; 2];
            for form in 0..2 {
                let Some(last) = life.last[form] else { continue };
                // A phase still reads while it writes.
                let free = written.and_then(|phase| busy[form].iter().position(|&until| until < phase));
                let number = free.unwrap_or(busy[form].len());
                if free.is_none() {
                    busy[form].push(last);
                }
                busy[form][number] = last;
                at[form] = Some(number as u32);
            }
            if written.is_some() { areas.phases.push(at) } else { areas.inputs.push(at) }
        }
        areas.counts = [busy[0].len() as u32, busy[1].len() as u32];
        let area = |value, form: usize| {
            areas.value(value)[form]
                .unwrap_or_else(|| broken_invariant("a factor lies in an area of its form"))
        };
        areas.products = factors.iter().map(|&[x, y]| [area(x, 0), area(y, 1)]).collect();
        areas
    }

    /// The forms of a value.
    #[must_use]
    pub fn value(&self, value: Value) -> [Option<u32>; 2] {
        match value {
            Value::Input(i) => self.inputs[i],
            Value::Phase(i) => self.phases[i],
        }
    }

    /// Where a phase reads a value that it adds.
    #[must_use]
    pub fn read(&self, value: Value) -> Read {
        match (value, self.value(value)) {
            (_, [_, Some(number)]) => Read::Shared(Area { form: AreaForm::Data, number }),
            (_, [Some(number), None]) => Read::Shared(Area { form: AreaForm::Toeplitz, number }),
            // Every value of a phase that is read has an area.
            (Value::Input(i) | Value::Phase(i), [None, None]) => Read::Global(i),
        }
    }
}

/// The factors of all products in order, that of the Toeplitz form first: squares need both forms of their factor, then each
/// product takes the order that adds the fewest forms.
fn factors(phases: &Phases, place: impl Fn(Value) -> usize) -> Vec<[Value; 2]> {
    let mut factors: Vec<[Value; 2]> = phases.products().collect();
    let mut has = vec![[false; 2]; phases.inputs() + phases.phases().len()];
    let is_square = |pair: &[Value; 2]| pair[0] == pair[1];
    for [x, _] in factors.iter().filter(|pair| is_square(pair)) {
        has[place(*x)] = [true; 2];
    }
    for pair in factors.iter_mut().filter(|pair| !is_square(pair)) {
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
fn lives(phases: &Phases, factors: &[[Value; 2]], place: impl Fn(Value) -> usize) -> Vec<Life> {
    let mut lives = vec![Life::default(); phases.inputs() + phases.phases().len()];
    let mut factors = factors.iter();
    for (number, phase) in phases.phases().iter().enumerate() {
        for pair in factors.by_ref().take(phase.products.len()) {
            for (form, value) in pair.iter().enumerate() {
                lives[place(*value)].last[form] = Some(number);
            }
        }
    }
    // Only when it is known which forms there are: data, or the other one, or for what a phase leaves data after all.
    for (number, phase) in phases.phases().iter().enumerate() {
        for (value, _) in &phase.terms {
            let last = &mut lives[place(*value)].last;
            let form = usize::from(last[1].is_some() || last[0].is_none());
            if last[form].is_some() || matches!(value, Value::Phase(_)) {
                last[form] = last[form].max(Some(number));
            }
        }
    }
    lives
}
