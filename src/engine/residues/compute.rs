//! The devices that compute with resident residues.

use std::sync::Arc;

use super::{DeviceResidues, Memory, is_narrow};
use crate::engine::error::ResidueError;
use crate::engine::gpu::GpuBatch;
use crate::engine::{Engine, EngineError};

impl Engine {
    /// The GPU's results, or the CPU's, beside the operands.
    pub(super) fn compute(
        &self,
        operands: [&DeviceResidues; 2],
        count: usize,
        on_gpu: impl FnOnce([&GpuBatch; 2]) -> Result<GpuBatch, EngineError>,
        on_cpu: impl FnOnce([&[u64]; 2]) -> Result<Vec<u64>, EngineError>,
    ) -> Result<DeviceResidues, EngineError> {
        let field = operands[0].field;
        self.check_places(operands)?;
        let memory = self.backend.run(
            &mut (),
            |_, ()| match operands.map(|operand| &operand.memory) {
                [Memory::Gpu(a), Memory::Gpu(b)] => Ok(Memory::Gpu(on_gpu([a, b])?)),
                _ => Err(operands[0].elsewhere("a", self.device_name().to_owned())),
            },
            |()| {
                let [a, b] = operands.map(DeviceResidues::on_host);
                let found = on_cpu([&a?, &b?])?;
                operands[0].beside(found)
            },
        )?;
        Ok(DeviceResidues { field, count, memory })
    }

    /// Errors unless both operands lie in one memory of this engine.
    fn check_places(&self, operands: [&DeviceResidues; 2]) -> Result<(), EngineError> {
        let mine = |operand: &DeviceResidues| match (self.backend.gpu(), &operand.memory) {
            (None, Memory::Cpu(_)) => true,
            (Some(gpus), Memory::Gpu(batch)) => gpus.is_same(batch.gpus()),
            _ => false,
        };
        for (operand, name) in operands.into_iter().zip(["a", "b"]) {
            if !mine(operand) {
                return Err(operand.elsewhere(name, self.device_name().to_owned()));
            }
        }
        match operands.map(|operand| &operand.memory) {
            [Memory::Gpu(a), Memory::Gpu(b)] if !b.is_beside(a) => {
                Err(operands[1].elsewhere("b", a.device_name()))
            }
            _ => Ok(()),
        }
    }
}

impl DeviceResidues {
    fn elsewhere(&self, operand: &str, expected: String) -> EngineError {
        EngineError::OtherDevice { operand: operand.to_owned(), expected, found: self.device_name() }
    }

    fn on_host(&self) -> Result<Arc<Vec<u64>>, EngineError> {
        match &self.memory {
            Memory::Cpu(values) => Ok(values.clone()),
            Memory::Gpu(_) => Ok(Arc::new(self.download()?)),
        }
    }

    /// Residues in the same memory.
    fn beside(&self, values: Vec<u64>) -> Result<Memory, EngineError> {
        Ok(match &self.memory {
            Memory::Cpu(_) => Memory::Cpu(Arc::new(values)),
            Memory::Gpu(batch) if is_narrow(&self.field) => {
                let values: Vec<u32> = super::words(&values);
                Memory::Gpu(batch.upload_beside(&values, 0, &[])?)
            }
            Memory::Gpu(batch) => Memory::Gpu(batch.upload_beside(&values, 0, &[])?),
        })
    }
}

pub(super) fn same_field(a: &DeviceResidues, b: &DeviceResidues) -> Result<(), ResidueError> {
    let (expected, found) = (a.field.modulus(), b.field.modulus());
    if expected == found { Ok(()) } else { Err(ResidueError::OtherField { expected, found }) }
}
