//! The places of values in shared memory for tensor cores, and products that share them: data, no CUDA.

use serde::Serialize;

use super::phases::{Phases, Value};
use crate::invariant::broken_invariant;

/// Values in Toeplitz form, and as data, that a walk loads at most: each takes registers.
const MOST_FACTORS: usize = 2;

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

    /// The form and area of a summand, or its index in global memory if it takes part in no product.
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
    // Then summands: in data form, or the other one, or data after all for a phase's result.
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

/// Products whose fragments are loaded together, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Walk {
    /// Areas of first factors.
    toeplitz: Vec<u32>,
    /// Areas of second factors.
    data: Vec<u32>,
    /// The phase of each product, and the positions of its factors in the lists.
    pub(super) products: Vec<[usize; 3]>,
}

/// The walks before each phase's words are known. A product of a later phase joins one of an earlier phase
/// that it shares a factor with, if its own are known by then: its coefficients wait in registers.
pub(super) fn walks(phases: &Phases, areas: &Areas) -> Vec<Vec<Walk>> {
    let of_phases = phases.phases.iter().enumerate();
    let products = of_phases.flat_map(|(i, phase)| phase.products.iter().map(move |factors| (i, factors)));
    let mut open: Vec<_> =
        products.zip(&areas.products).map(|((phase, factors), areas)| (phase, factors, *areas)).collect();
    let walks = (0..phases.phases.len()).map(|phase| {
        let known = |value: &Value| *value < Value::Phase(phase);
        let mut of_phase = vec![];
        while let Some(at) = open.iter().position(|product| product.0 == phase) {
            let mut walk = Walk::default();
            walk.add(open.remove(at));
            let joins =
                |walk: &Walk, factors: &[Value], areas| factors.iter().all(known) && walk.can_take(areas);
            while let Some(at) = open.iter().position(|&(_, factors, areas)| joins(&walk, factors, areas)) {
                walk.add(open.remove(at));
            }
            of_phase.push(walk);
        }
        of_phase
    });
    walks.collect()
}

impl Walk {
    /// Whether a product shares a factor, and there is room for the other.
    fn can_take(&self, [toeplitz, data]: [u32; 2]) -> bool {
        match (self.toeplitz.contains(&toeplitz), self.data.contains(&data)) {
            (true, true) => true,
            (true, false) => self.data.len() < MOST_FACTORS,
            (false, true) => self.toeplitz.len() < MOST_FACTORS,
            (false, false) => false,
        }
    }

    fn add(&mut self, (phase, _, [toeplitz, data]): (usize, &[Value; 2], [u32; 2])) {
        let place = |areas: &mut Vec<u32>, area| {
            areas.iter().position(|&other| other == area).unwrap_or_else(|| {
                areas.push(area);
                areas.len() - 1
            })
        };
        let places = [place(&mut self.toeplitz, toeplitz), place(&mut self.data, data)];
        self.products.push([phase, places[0], places[1]]);
    }
}

#[cfg(test)]
mod tests {
    use limbforge_algos::expr::Expr;

    use super::*;

    fn walks_of(text: &str) -> Vec<Vec<Walk>> {
        let dag = Expr::parse(text).expect("parses").to_dag();
        let names = ["a", "b", "c", "d"];
        let input = |name: &str| names.iter().position(|other| *other == name);
        let phases = Phases::of(&dag, 128, names.len(), input).expect("sums of products");
        walks(&phases, &Areas::of(&phases))
    }

    #[test]
    fn products_of_later_phases_join_those_that_they_share_factors_with() {
        let walks = walks_of("(a*a + b)*(b*b + b) + a*b");
        let [first, second, last] = &*walks else { panic!("{walks:?}") };
        // a*a, then a*b, which shares a, then b*b, which shares b with it.
        assert_eq!(first.len(), 1);
        assert_eq!(first[0].products, [[0, 0, 0], [2, 0, 1], [1, 1, 1]]);
        assert_eq!((first[0].toeplitz.len(), first[0].data.len()), (2, 2));
        assert_eq!((second.len(), last.len()), (0, 1));
    }

    #[test]
    fn products_without_a_common_factor_have_walks_of_their_own() {
        let walks = walks_of("a*b + c*d");
        assert_eq!(walks.len(), 1);
        assert_eq!(walks[0].iter().map(|walk| walk.products.len()).collect::<Vec<_>>(), [1, 1]);
    }
}
