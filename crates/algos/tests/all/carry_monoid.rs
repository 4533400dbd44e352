//! The carry states are a monoid, and the monoid of what they stand for: functions from carry in to carry out.

use limbforge_algos::block::add::scan::{CarryState, carry_op, carry_op_segmented, exclusive_scan};

/// All eight packed words.
fn states() -> impl Iterator<Item = CarryState> {
    (0..8).map(CarryState::new)
}

/// The states that occur: a sum of two numbers that overflows is not all ones.
fn occurring() -> impl Iterator<Item = CarryState> {
    states().filter(|state| state.flags() & 3 != 3)
}

/// The carry out of the run for a carry in.
fn carry_out(state: CarryState, carry_in: bool) -> bool {
    let has = |flag| state.flags() & flag != 0;
    state.overflows() || has(CarryState::ALL_ONES) && carry_in && !has(CarryState::SEGMENT)
}

#[test]
fn neutral_element() {
    for state in states() {
        assert_eq!(carry_op_segmented(CarryState::NEUTRAL, state), state);
        assert_eq!(carry_op_segmented(state, CarryState::NEUTRAL), state);
        let unsegmented = CarryState::new(state.flags() & 3);
        assert_eq!(carry_op(CarryState::NEUTRAL, unsegmented), unsegmented);
        assert_eq!(carry_op(unsegmented, CarryState::NEUTRAL), unsegmented);
    }
}

#[test]
fn associative() {
    for a in states() {
        for b in states() {
            for c in states() {
                assert_eq!(carry_op(carry_op(a, b), c), carry_op(a, carry_op(b, c)), "{a:?} {b:?} {c:?}");
                assert_eq!(
                    carry_op_segmented(carry_op_segmented(a, b), c),
                    carry_op_segmented(a, carry_op_segmented(b, c)),
                    "{a:?} {b:?} {c:?}"
                );
            }
        }
    }
}

#[test]
fn closed_over_the_states_that_occur() {
    for a in occurring() {
        for b in occurring() {
            assert!(occurring().any(|state| state == carry_op_segmented(a, b)), "{a:?} {b:?}");
        }
    }
}

#[test]
fn homomorphic_to_carries() {
    for low in occurring() {
        for high in occurring() {
            for carry in [false, true] {
                let run = carry_op_segmented(low, high);
                // What starts an instance ignores what is below it.
                let through = carry_out(high, carry_out(low, carry));
                assert_eq!(carry_out(run, carry), through, "{low:?} {high:?} {carry}");
            }
        }
    }
}

#[test]
fn block_scan_equals_fold_in_sequence() {
    // All runs of four states, repeated over three warps at every alignment that this gives.
    for code in 0..6usize.pow(4) {
        let kinds: Vec<_> = occurring().collect();
        let lanes: Vec<_> = (0..96u32).map(|lane| kinds[code / 6usize.pow(lane % 5 % 4) % 6]).collect();
        let mut run = CarryState::NEUTRAL;
        for (lane, scanned) in exclusive_scan(&lanes).into_iter().enumerate() {
            assert_eq!(scanned, run, "lane {lane} of {lanes:?}");
            run = carry_op_segmented(run, lanes[lane]);
        }
    }
}
