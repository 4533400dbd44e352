//! Launches over a list of instances: those of a loop that have rounds left.

use limbforge_algos::program::{Kind, Node, Rounds, TypedProgram, Uniform, stages};

use super::kernel::TapeKernel;
use super::spec::{TapeInput, TapeSpec};

const OPEN: &str = include_str!("../../templates/program_open.cuh");

/// An entry of a list that is no instance.
pub const NO_INSTANCE: u32 = u32::MAX;

/// The control word with the length of the list.
const LENGTH: usize = 7;

/// For each stage with a loop, whether instances may make different numbers of rounds.
pub(super) fn differing(program: &TypedProgram, inputs: &[TapeInput]) -> Vec<bool> {
    let one_for_all: Vec<bool> = inputs.iter().map(|input| input.one_for_all).collect();
    let uniform = Uniform::new(program, &one_for_all);
    let differs = |node: &Node| match &node.kind {
        Kind::While { condition, .. } => !uniform.contains(condition.yields[0]),
        Kind::For { over, .. } => {
            let operands = &node.args[..node.args.len() - node.results.len()];
            *over != Rounds::Elements && !operands.iter().all(|&value| uniform.contains(value))
        }
        _ => false,
    };
    stages(program).iter().filter_map(|stage| stage.cut_loop(program)).map(differs).collect()
}

/// The text of kernels whose launches take lists of instances; else none.
pub(super) fn template(spec: &TapeSpec<'_>) -> Option<String> {
    let lists = spec.program.lists().len();
    let takes_open = lists > 0 || differing(spec.program, &spec.inputs).contains(&true);
    // Behind the rooms of lists of rows.
    let first = 8 + 4 * lists;
    takes_open.then(|| format!("constexpr unsigned OPEN = {first};\n\n{OPEN}"))
}

impl TapeKernel {
    /// Whether launches may be over a list of instances: in loops that some leave early, and where rows of lists may need
    /// more room than there is.
    #[must_use]
    pub fn takes_open(&self) -> bool {
        !self.lists.is_empty() || self.differing.contains(&true)
    }

    /// Control words for a launch over these instances alone, in this order; over all for an empty list. Entries that
    /// are [`NO_INSTANCE`] leave their threads without one. None if the kernel takes no list, or the list is longer than
    /// 2^32 - 1.
    ///
    /// Of each output only the words of these instances are written: both buffers for states must hold the state of the
    /// others before.
    #[must_use]
    pub fn control_over(&self, mut control: Vec<u32>, open: &[u32]) -> Option<Vec<u32>> {
        if open.is_empty() {
            return Some(control);
        }
        let length = u32::try_from(open.len()).ok().filter(|_| self.takes_open())?;
        *control.get_mut(LENGTH)? = length;
        control.extend_from_slice(open);
        Some(control)
    }
}
