//! Slices over lists of the instances that have rounds left.

use limbforge_kernels_gen::program::{Entry, NO_INSTANCE};
use limbforge_limb::num_bigint::BigInt;

use super::{Found, Run, ints};

/// What the emulator leaves where a kernel writes nothing.
const UNWRITTEN: u32 = 0xa5a5_a5a5;

/// The instances of a list, which may have entries that are none.
fn listed(list: &[u32]) -> Vec<u32> {
    list.iter().copied().filter(|&instance| instance != NO_INSTANCE).collect()
}

impl Run {
    /// The program in slices of so many rounds, each over the instances that are open alone, from the last to the
    /// first, with gaps; those that finished in the slice before follow, so that both states have their values.
    pub(super) fn compacted(&self, rounds: u64) -> Found {
        let stages = self.kernel.states.len();
        let all: Vec<u32> = (0..self.instances as u32).collect();
        let (mut outs, marks) = self.launch((Entry::Nodes(0), 0, 0), &[], self.next(0));
        if stages == 1 {
            return self.found(&outs, &marks);
        }
        let mut state = outs.pop().unwrap();
        for stage in 0..stages - 1 {
            let (mut list, mut before, mut other) = (vec![], all.clone(), vec![]);
            for from in (0..).step_by(rounds as usize) {
                let entry = (Entry::Rounds(stage), from, from + rounds);
                let (mut outs, marks) = self.launch_over(entry, &state, self.next(stage), &list);
                let mut next = outs.pop().unwrap();
                if !list.is_empty() {
                    self.keep(stage, &listed(&list), &other, &mut next);
                }
                other = std::mem::replace(&mut state, next);
                let open: Vec<u32> = all.iter().copied().filter(|&i| marks[i as usize] != 0).collect();
                if open.is_empty() {
                    break;
                }
                list = open
                    .iter()
                    .rev()
                    .flat_map(|&i| [i, NO_INSTANCE].into_iter().take(1 + i as usize % 2))
                    .collect();
                list.extend(before.iter().filter(|i| !open.contains(i)));
                before = open;
            }
            let (mut outs, marks) =
                self.launch((Entry::Nodes(stage + 1), 0, 0), &state, self.next(stage + 1));
            if stage + 2 == stages {
                return self.found(&outs, &marks);
            }
            state = outs.pop().unwrap();
        }
        unreachable!("the last stage has results")
    }

    /// Instances that are not listed have their words in `next` as they were, where the launch has written none.
    fn keep(&self, stage: usize, listed: &[u32], were: &[u32], next: &mut [u32]) {
        let others = (0..self.instances).filter(|&i| !listed.contains(&(i as u32)));
        for i in others {
            let planes = self.kernel.states[stage].iter();
            let words = planes.flat_map(|plane| {
                let first = plane.before as usize * self.instances + i * plane.words as usize;
                first..first + plane.words as usize
            });
            for word in [i].into_iter().chain(words) {
                assert_eq!(next[word], UNWRITTEN, "instance {i} is not in the list");
                next[word] = were[word];
            }
        }
    }
}

/// Steps of Collatz's sequences: counts of each instance, in a straight kernel and in a tape.
#[test]
fn loops_of_different_lengths_are_compacted() {
    for ty in ["u64", "u300"] {
        let text = "in n\nvar (x, steps) = (n, 0)\nwhile x != 1 limit 200 {\nx = if x % 2 == 0 { x / 2 } else { 3*x + 1 }\n\
                    steps = steps + 1 }\nout steps";
        let run = Run::new(text, 70, &[("n", ty, (1..=70).map(BigInt::from).collect())]);
        assert_eq!(run.kernel.differing, [true]);
        let found = run.check(&[25]);
        assert_eq!(found.results[0][26], BigInt::from(111));
        // 27 needs 111 rounds, 54 and 55 one more.
        assert!(found.failures.iter().all(Option::is_none));
    }
}

/// Failures in the loop, a loop of counts, and lists of rows, whose order does not depend on that of the instances.
#[test]
fn failures_counts_and_rows_in_compacted_slices() {
    let text = "in n, t\nlist seen: (u64, mod n) at most 1000\nvar y = 3 mod n\nfor i in 0 .. t {\ny = sqr(y) + i\n\
                emit seen(instance, y) where int(y) % 3 == 0\nrequire i != 11 }\n\
                var k = int(y)\nwhile k > 5 limit 30 { k = k / 3 }\nout y, k";
    let n = (0..40).map(|i| BigInt::from(1_000_003 + 2 * i));
    let t = (0..40).map(|i| BigInt::from(i * 7 % 15));
    for ty in ["u64", "u200"] {
        let batches = [("n", ty, n.clone().collect()), ("t", "u8", t.clone().collect())];
        let run = Run::new(text, 40, &batches);
        assert_eq!(run.kernel.differing, [true, true]);
        let found = run.check(&[4]);
        assert!(found.failures.iter().flatten().count() > 3);
    }
}

/// Loops whose rounds are one for all take no list.
#[test]
fn loops_of_one_length_have_no_lists() {
    let text =
        "in n, t\nvar y = 3 mod n\nrepeat t { y = sqr(y) }\nlet u = [n, t]\nfor x in u { y = y + x }\nout y";
    let batches = [("n", "u64", ints(&[7, 11])), ("t", "u64", ints(&[9]))];
    let run = Run::new(text, 2, &batches);
    assert_eq!(run.kernel.differing, [false, false]);
    assert!(!run.kernel.takes_open() && !run.source().contains("open_instance"));
    let control = run.kernel.control(Entry::Rounds(0), 0, 1).unwrap().to_vec();
    assert!(run.kernel.control_over(control, &[1]).is_none());
}
