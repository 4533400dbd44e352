//! Inputs and states that do not fit a program.

use limbforge_limb::{BatchError, IntType};

use crate::program::ValueId;

/// Inputs or a state that do not fit a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Another number of inputs.
    #[error("expected {expected} inputs, found {found}: give one batch for each input of the program")]
    InputCount {
        /// The inputs of the program.
        expected: usize,
        /// The batches.
        found: usize,
    },
    /// An input of another type.
    #[error("input `{name}`: expected integers of {expected}, found {found}")]
    InputType {
        /// The input.
        name: String,
        /// Its type.
        expected: IntType,
        /// That of the batch.
        found: IntType,
    },
    /// An input of another number of integers.
    #[error(
        "input `{name}`: expected {} integers ({elements} for each of {instances} instances), or {elements}, \
         which are one for all instances; found {found}", elements.saturating_mul(*instances)
    )]
    InputLength {
        /// The input.
        name: String,
        /// Integers of an instance.
        elements: usize,
        /// The instances of the run.
        instances: usize,
        /// Integers of the batch.
        found: usize,
    },
    /// A state of a stage that the program does not have.
    #[error("the state is of stage {found}; expected one from 0 to {last}: it is of another program")]
    StateStage {
        /// The last stage of the program.
        last: usize,
        /// The stage of the state.
        found: usize,
    },
    /// A state with other values.
    #[error("the state has {found} values; expected {expected} in stage {stage}: it is of another program")]
    StateValues {
        /// The stage.
        stage: usize,
        /// The values that the program needs there.
        expected: usize,
        /// The values of the state.
        found: usize,
    },
    /// A value of a state that does not fit.
    #[error(
        "the state has {found} integers of {found_ty} for the value {found_value}; expected {value} of {ty}, \
         {elements} for each instance or for all"
    )]
    StateValue {
        /// The value that the program needs.
        value: ValueId,
        /// Its type.
        ty: IntType,
        /// Integers of an instance.
        elements: usize,
        /// The value of the state.
        found_value: ValueId,
        /// Its type.
        found_ty: IntType,
        /// Its integers.
        found: usize,
    },
    /// A state with a failure of an instance that the run does not have.
    #[error("the state says that instance {instance} failed; expected one below {instances}")]
    StateFailure {
        /// The instance.
        instance: usize,
        /// The instances of the run.
        instances: usize,
    },
    /// A state with residues modulo a number that is 0, negative or even.
    #[error(
        "the state has residues of instance {instance} modulo an even number or one below 1: it is damaged"
    )]
    StateModulus {
        /// The instance.
        instance: usize,
    },
    /// A state with other lists.
    #[error(
        "the state has {found} lists; expected {expected} with the program's columns: it is of another program"
    )]
    StateLists {
        /// The lists of the program.
        expected: usize,
        /// Those of the state.
        found: usize,
    },
    /// More rows than a list may have.
    #[error(
        "the list `{name}` gets more than {most} rows: write a larger number behind `at most`, or emit fewer"
    )]
    ListFull {
        /// The list.
        name: String,
        /// The most rows that the program says.
        most: u64,
    },
    /// More rows at once than the memory of a device holds.
    #[error(
        "{instances} instances append {rows} rows to the list `{name}` within one round or outside of loops, for \
         which the GPU has no memory: use more of it, fewer instances, or the CPU"
    )]
    ListRoom {
        /// The list.
        name: String,
        /// The rows.
        rows: u64,
        /// The instances that append them.
        instances: usize,
    },
    /// The results cannot be stored.
    #[error(transparent)]
    Batch(#[from] BatchError),
}
