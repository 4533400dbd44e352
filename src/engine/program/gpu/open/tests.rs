use super::*;

const NONE: u32 = NO_INSTANCE;

/// Marks of so many instances, of which these are open.
fn marks(count: usize, open: impl Fn(usize) -> bool) -> Vec<u32> {
    (0..count).map(|i| u32::from(open(i))).collect()
}

#[test]
fn a_list_is_made_where_it_saves_warps() {
    let warps = Warps { at_once: 2, instances: 4 };
    // All are open, too few have finished, or the GPU computes all warps at once.
    assert_eq!(warps.list(None, &marks(40, |_| true)), None);
    assert_eq!(warps.list(None, &marks(40, |i| i % 10 != 0)), None);
    assert_eq!(warps.list(None, &marks(40, |i| i == 5 || i == 30)), None);
    assert_eq!(warps.list(None, &marks(40, |_| false)), None);
    // Ten warps become five.
    let halves = warps.list(None, &marks(40, |i| i % 2 == 0)).unwrap();
    let (evens, odds) = ((0..40).step_by(2), (0..40).skip(1).step_by(2));
    assert_eq!((halves.entries.clone(), halves.computed), (evens.chain(odds).collect(), 20));
    // Three open instances in three warps take two, which is what the GPU computes at once; those that finished
    // before the last launch are in both states.
    let few = warps.list(Some(&halves), &marks(40, |i| [2, 16, 38].contains(&i))).unwrap();
    let finished = (0..40).step_by(2).filter(|i| ![2, 16, 38].contains(i));
    let expected: Vec<u32> = [2, 16, NONE, NONE, 38, NONE, NONE, NONE].into_iter().chain(finished).collect();
    assert_eq!((few.entries.clone(), few.computed), (expected, 8));
    assert_eq!(warps.list(Some(&few), &marks(40, |i| i == 2 || i == 38)), None);
}

/// A loop of many instances: the rounds of each.
struct Model {
    lengths: Vec<u64>,
    warps: Warps,
}

impl Model {
    /// Rounds of all warps, in slices of so many of them, with lists or without. A warp makes the rounds of its slowest
    /// instance.
    fn warp_rounds(&self, slice: u64, compacts: bool) -> u64 {
        let count = self.lengths.len();
        let all: Vec<u32> = (0..count as u32).collect();
        let (mut list, mut before, mut sum, mut from) = (None::<Open>, marks(count, |_| true), 0, 0);
        while before.contains(&1) {
            let entries = list.as_ref().map_or(&all[..], |list| &list.entries);
            let rounds = |&i: &u32| match self.lengths.get(i as usize) {
                Some(length) => length.saturating_sub(from).min(slice),
                None => 0,
            };
            let of_warp = |warp: &[u32]| warp.iter().map(rounds).max().unwrap_or(0);
            sum += entries.chunks(self.warps.instances).map(of_warp).sum::<u64>();
            from += slice;
            let open = marks(count, |i| self.lengths[i] > from);
            if let Some(next) = self.warps.list(list.as_ref(), &open).filter(|_| compacts) {
                check(&next, &open, &before);
                list = Some(next);
            }
            before = open;
        }
        sum
    }
}

/// A list has each open instance once, and behind them all that were open before the last launch.
fn check(list: &Open, open: &[u32], before: &[u32]) {
    let real = |entries: &[u32]| entries.iter().copied().filter(|&i| i != NONE).collect::<Vec<u32>>();
    let computed = real(&list.entries[..list.computed]);
    let expected: Vec<u32> = (0..open.len() as u32).filter(|&i| open[i as usize] != 0).collect();
    assert_eq!(computed, expected);
    let mut listed = real(&list.entries);
    listed.sort_unstable();
    assert!(listed.windows(2).all(|pair| pair[0] != pair[1]));
    assert!((0..open.len() as u32).all(|i| before[i as usize] == 0 || listed.binary_search(&i).is_ok()));
}

/// A distribution, from a uniform number in (0, 1).
type Form = fn(f64) -> f64;

/// Lengths from uniform numbers, in rounds of which the mean is about 1000.
fn lengths(count: usize, form: Form) -> Vec<u64> {
    let mut state = 1_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as f64 + 0.5) / (1_u64 << 31) as f64
    };
    (0..count).map(|_| form(uniform()).round() as u64).collect()
}

/// What lists save of the rounds of all warps, for instances that fill a GPU eight times.
#[test]
fn lists_save_rounds_of_warps() {
    let warps = Warps { at_once: 64, instances: 32 };
    let forms: [(&str, Form, u64, f64); 4] = [
        ("counts of an exponential distribution", |u| -1000.0 * u.ln(), 100, 0.40),
        ("the first collision of Pollard's rho", |u| 800.0 * (-2.0 * u.ln()).sqrt(), 100, 0.62),
        ("uniform counts", |u| 2000.0 * u, 100, 0.66),
        ("gcds of numbers of 1024 bits", |u| 1000.0 + 30.0 * (u / (1.0 - u)).ln() / 1.7, 20, 0.99),
    ];
    for (name, form, slice, most) in forms {
        let model = Model { lengths: lengths(8 * 64 * 32, form), warps };
        let (without, with) = (model.warp_rounds(slice, false), model.warp_rounds(slice, true));
        let needed = model.lengths.iter().sum::<u64>() / 32;
        let part = with as f64 / without as f64;
        println!("{name}: {without} rounds of warps, {with} with lists ({part:.2}), {needed} of full warps");
        assert!(part <= most, "{name}: {part:.3}");
    }
}
