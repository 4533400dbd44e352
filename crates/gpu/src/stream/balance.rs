//! How many chunks each GPU of a run has under way, so that the last ones are shared out evenly: a GPU that takes
//! several ahead would leave others idle.

/// The chunks that are under way on each GPU.
#[derive(Debug)]
pub(super) struct Balance {
    loads: Vec<Load>,
}

#[derive(Clone, Copy, Debug)]
struct Load {
    under_way: u64,
    /// The most that it may have.
    most: u64,
    has_left: bool,
}

impl Load {
    const fn has_room(&self) -> bool {
        !self.has_left && self.under_way < self.most
    }
}

impl Balance {
    /// So many GPUs, with a chunk each until they [join](Self::join).
    pub(super) fn new(gpus: usize) -> Self {
        Self { loads: vec![Load { under_way: 0, most: 1, has_left: false }; gpus] }
    }

    /// A GPU may have so many chunks under way.
    pub(super) fn join(&mut self, gpu: usize, most: u64) {
        self.loads[gpu].most = most.max(1);
    }

    /// A GPU takes no more chunks.
    pub(super) fn leave(&mut self, gpu: usize) {
        self.loads[gpu].has_left = true;
    }

    /// A chunk begins.
    pub(super) fn begin(&mut self, gpu: usize) {
        self.loads[gpu].under_way += 1;
    }

    /// A chunk is computed or given back.
    pub(super) fn end(&mut self, gpu: usize) {
        self.loads[gpu].under_way -= 1;
    }

    /// Whether the chunks that are left do not fill all GPUs, and another one with room has fewer than this one. A
    /// GPU without a chunk never comes later.
    pub(super) fn comes_later(&self, gpu: usize, left: u64) -> bool {
        let room = self.loads.iter().filter(|load| !load.has_left).map(|load| load.most);
        if left >= room.sum() {
            return false;
        }
        let fewest = self.loads.iter().filter(|load| load.has_room()).map(|load| load.under_way).min();
        fewest.is_some_and(|fewest| self.loads[gpu].under_way > fewest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chunks of each of four GPUs, most first, each with room for three, where the first one asks until it gets
    /// none, then the second one, and so on.
    fn shares(mut left: u64, is_gone: bool) -> [u64; 4] {
        let mut balance = Balance::new(4);
        (0..4).for_each(|gpu| balance.join(gpu, 3));
        if is_gone {
            balance.leave(3);
        }
        let mut shares = [0; 4];
        while left > 0 {
            let before = left;
            for (gpu, share) in shares.iter_mut().enumerate().take(if is_gone { 3 } else { 4 }) {
                while left > 0 && balance.loads[gpu].has_room() && !balance.comes_later(gpu, left) {
                    balance.begin(gpu);
                    (*share, left) = (*share + 1, left - 1);
                }
            }
            if before == left {
                // All that are under way end.
                for gpu in 0..4 {
                    (0..balance.loads[gpu].under_way).for_each(|_| balance.end(gpu));
                }
            }
        }
        shares.sort_unstable_by(|a, b| b.cmp(a));
        shares
    }

    #[test]
    fn the_last_chunks_are_shared_out_evenly() {
        assert_eq!(shares(1, false), [1, 0, 0, 0]);
        assert_eq!(shares(8, false), [2, 2, 2, 2]);
        assert_eq!(shares(10, false), [3, 3, 2, 2]);
        assert_eq!(shares(8, true), [3, 3, 2, 0]);
        // As long as all can have three, they do not wait for each other.
        assert_eq!(shares(24, false), [6, 6, 6, 6]);
    }

    #[test]
    fn a_gpu_with_less_room_holds_no_other_up() {
        let mut balance = Balance::new(2);
        balance.join(0, 3);
        balance.begin(0);
        assert!(balance.comes_later(0, 2), "the other one has none");
        balance.begin(1);
        assert!(!balance.comes_later(0, 1), "the other one has no room");
        balance.end(0);
        balance.end(1);
        assert!(!balance.comes_later(0, 1));
    }
}
