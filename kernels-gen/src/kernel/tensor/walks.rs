//! Products of a kernel on tensor cores that are computed together because they share factors: data, no CUDA.

use serde::Serialize;

use super::areas::Areas;
use super::phases::{Phases, Value};

/// Values in Toeplitz form, and as data, that a walk loads at most: each takes registers.
const MOST_FACTORS: usize = 2;

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
