//! Warp primitives, for all warps of a block at once: a slice has one value per lane.

/// Lanes of a warp.
pub const WARP: usize = 32;

/// One word per warp: bit i is the predicate of its lane i.
#[must_use]
pub fn ballot(predicates: impl IntoIterator<Item = bool>) -> Vec<u32> {
    let predicates: Vec<bool> = predicates.into_iter().collect();
    let word = |lanes: &[bool]| lanes.iter().rev().fold(0, |word, &set| word << 1 | u32::from(set));
    predicates.chunks(WARP).map(word).collect()
}

/// Every lane receives the value of the lane `delta` below it in its warp; the lowest `delta` keep theirs.
#[must_use]
pub fn shuffle_up<T: Copy>(values: &[T], delta: usize) -> Vec<T> {
    let source = |lane: usize| if lane % WARP >= delta { lane - delta } else { lane };
    (0..values.len()).map(|lane| values[source(lane)]).collect()
}

/// Every lane receives the value of the lane below it in the block, lane 0 receives `first`: a shuffle within
/// the warps, and one word of shared memory for the last lane of each warp.
#[must_use]
pub fn from_below<T: Copy>(values: &[T], first: T) -> Vec<T> {
    let shared: Vec<T> = values.chunks(WARP).map(|warp| warp[warp.len() - 1]).collect();
    // Barrier.
    let mut received = shuffle_up(values, 1);
    for (warp, lanes) in received.chunks_mut(WARP).enumerate() {
        lanes[0] = if warp == 0 { first } else { shared[warp - 1] };
    }
    received
}
