//! The inputs of a run.

use limbforge_limb::Batch;

use super::RunError;
use crate::program::TypedProgram;

/// Whether each input is one for all instances.
///
/// # Errors
/// [`RunError`] for inputs of other types or numbers than a run of so many instances takes.
pub fn check_inputs(
    program: &TypedProgram,
    inputs: &[Batch<u64>],
    instances: usize,
) -> Result<Vec<bool>, RunError> {
    let (expected, found) = (program.inputs().len(), inputs.len());
    if expected != found {
        return Err(RunError::InputCount { expected, found });
    }
    let check = |(input, batch): (&crate::program::Input, &Batch<u64>)| {
        let (name, elements, found) = (input.name.to_string(), input.elements as usize, batch.instances());
        if batch.ty() != input.ty {
            return Err(RunError::InputType { name, expected: input.ty, found: batch.ty() });
        }
        if found == elements {
            return Ok(true);
        }
        if Some(found) == elements.checked_mul(instances) {
            return Ok(false);
        }
        Err(RunError::InputLength { name, elements, instances, found })
    };
    program.inputs().iter().zip(inputs).map(check).collect()
}
