//! Runs that one backend begins and the other one ends.

use limbforge_algos::cpu::program::Runner;
use limbforge_algos::program::Rows;
use limbforge_kernels_gen::program::Entry;

use super::run::Run;

impl Run {
    /// Rounds of the first loop on one backend, all others on the other one: of a program with loops.
    pub(crate) fn check_handed_over(&self, rounds: u64) {
        if let Some(straight) = &self.straight {
            straight.check_handed_over(rounds);
        }
        let stages = self.kernel.states.len();
        if stages == 1 {
            return;
        }
        let expected = self.on_cpu();
        let (program, n) = (&self.program, self.instances);
        let mut cpu = Runner::new(program, self.batches.clone(), n).unwrap();
        cpu.advance(rounds);
        let state = cpu.state();
        // The last stage is behind the last loop: nothing is left.
        if state.stage + 1 < stages {
            let words = self.kernel.words(program, &state, n);
            self.lists.replace(state.lists.clone());
            let found = self.resumed((state.stage, state.round), words, 1000);
            expected.compare(&found, "from the CPU to the kernel");
        }
        let next = self.next(0);
        let (outs, _) = self.launch((Entry::Nodes(0), 0, 0), &[], next);
        let (outs, _) = self.launch((Entry::Rounds(0), 0, rounds), &outs[outs.len() - 1], next);
        let mut state = self.kernel.state(program, (0, rounds), &outs[outs.len() - 1], n).unwrap();
        state.lists = self.lists.replace(Rows::of_all(program));
        let runner = Runner::from_state(program, self.batches.clone(), n, &state).unwrap();
        expected.compare(&self.of_runner(runner), "from the kernel to the CPU");
    }
}
